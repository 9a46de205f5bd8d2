"""Many support vector machines at once, for several C or kernels and several parts of the samples.

For each kernel all samples are met first, roughly, by one C after the other; from there it is not far to the machine of
a part of them, and those of all parts are solved together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.kernels.box_solving import WIDE_BOUND
from mlviz.algorithms.kernels.parameters import KernelData
from mlviz.algorithms.many_fits import Answers, Part, from_coarse_to_fine, groups_of
from mlviz.numerics.arrays import Array
from mlviz.numerics.kernels.base import Kernel
from mlviz.numerics.pauses import meanwhile
from mlviz.numerics.svm.active_set import ActiveSet, smo
from mlviz.numerics.svm.many_programs import solved_together

_MOST = 700
"""With more samples each machine has enough to do for itself."""
_AT_ONCE = 60_000
"""About so many variables are met together."""
_DIGITS = 1e-9
"""A kernel matrix that varies less has too few digits: each machine says so for itself."""
_ROUGH = 0.1
"""Pairs that violate the conditions by less than this are left alone where all samples are met."""
_STEPS = 20
"""So many pairs are moved from one C to the next at the most: it need not be the solution from which parts begin."""


class SVMManyFits:
    """Keeps the kernel matrices."""

    def __init__(self) -> None:
        self._grams: list[tuple[Kernel, Array, Array | None, float]] = []

    def answers(self, algorithms: Sequence[Any], parts: Sequence[Part]) -> Iterator[Answers | None]:
        """Yield the values f of the machines at all samples."""
        classes = np.unique(parts[0].y)
        used = [i for i, part in enumerate(parts) if np.array_equal(np.unique(part.y), classes)]
        if len(parts[0].X) > _MOST or len(classes) != 2 or not used:
            return
        signs, weights = np.zeros(len(parts[0].X)), np.zeros((len(parts), len(parts[0].X)))
        for i in used:
            part = parts[i]
            signs[part.rows] = np.where(part.y == classes[1], 1.0, -1.0)
            weights[i, part.rows] = 1.0 if part.weights is None else part.weights
        groups = [[i for i in group if i in used] for group in groups_of(parts)]
        by_kernel: dict[Kernel, list[int]] = {}
        for which, svm in enumerate(algorithms):
            if not svm.hard_margin:
                by_kernel.setdefault(svm.kernel_function(), []).append(which)
        kernels = list(by_kernel)
        for place in from_coarse_to_fine(len(kernels)):
            rising = sorted(by_kernel[kernels[place]], key=lambda i: float(algorithms[i].C))
            together = _Together(signs, weights, rising, np.array([algorithms[i].C for i in rising]))
            for group in filter(None, groups):
                K, unit = self._gram(algorithms[rising[0]], parts[group[0]].X)
                if K is not None:
                    yield from together.answers(K, unit, group)

    def _gram(self, svm: Any, X: Array) -> tuple[Array | None, float]:
        """The kernel matrix in units of its largest value, and that; None where each machine must see for itself."""
        kernel = svm.kernel_function()
        for known, places, K, unit in self._grams:
            if places is X and known == kernel:
                return K, unit
        K, unit = None, 1.0
        try:
            data = KernelData.of(svm.kernel_for(X), X)
        except CannotFit:
            pass
        else:
            found, unit = data.gram(), data.unit
            mean = found.mean(axis=0)
            if float((found.diagonal() - 2 * mean + mean.mean()).max()) > _DIGITS:
                K = found
        self._grams = [*self._grams[-1:], (kernel, X, K, unit)]
        return K, unit


class _Together:
    """The machines of one kernel: signs (n,), weights (p, n) of the parts, C (v,) in rising order."""

    def __init__(self, signs: Array, weights: Array, which: list[int], C: Array) -> None:
        self.signs, self.weights, self.which, self.C = signs, weights, np.array(which), C
        self._known: dict[int, Array] = {}
        """About the solutions (n,) for all samples, by the place of C."""

    def answers(self, K: Array, unit: float, group: list[int]) -> Iterator[Answers | None]:
        """Yield the values at all samples of the machines of the parts in the group."""
        places = np.flatnonzero(self.C * unit * float(self.weights.max()) <= WIDE_BOUND)
        if not len(places):
            return
        for place in places.tolist():
            if place not in self._known:
                self._known[place] = self._of_all(K, unit, place)
                yield None
        size = max(1, _AT_ONCE // max(1, len(places) * len(K)))
        for first in range(0, len(group), size):
            some = np.array(group[first : first + size])
            part, value = np.repeat(some, len(places)), np.tile(places, len(some))
            start = np.array([self._known[place] for place in places.tolist()])
            cap = self.weights[part] * (self.C[value] * unit)[:, None]
            lo, hi = np.minimum(0.0, self.signs * cap), np.maximum(0.0, self.signs * cap)
            found = yield from meanwhile(None, solved_together(K, self.signs, lo, hi, np.tile(start, (len(some), 1))))
            outputs = found.g + found.offset[:, None]
            good = found.solved
            yield Answers(part[good], self.which[value[good]], outputs[good])

    def _of_all(self, K: Array, unit: float, place: int) -> Array:
        """About the solution for all samples, from that of the next smaller C."""
        count = np.maximum((self.weights > 0).sum(axis=0), 1)
        cap = self.C[place] * unit * self.weights.sum(axis=0) / count
        lo, hi = np.minimum(0.0, self.signs * cap), np.maximum(0.0, self.signs * cap)
        before = max((known for known in self._known if known < place), default=None)
        if before is None:
            *_, beta = smo(K, self.signs, lo, hi, _ROUGH)
        else:
            ratio = self.C[place] / self.C[before]
            known = self._known[before]
            at_bound = np.abs(known) >= np.maximum(np.abs(lo), np.abs(hi)) / ratio * (1 - 1e-9)
            start = ActiveSet(K, self.signs, lo, hi, np.where(at_bound, known * ratio, known)).beta
            *_, beta = smo(K, self.signs, lo, hi, _ROUGH, start, _STEPS)
        assert beta is not None
        return beta
