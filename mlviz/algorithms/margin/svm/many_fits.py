"""Many support vector machines at once, for several C or kernels and several parts of the samples.

For each kernel all samples are met first, roughly, by one C after the other; from there it is not far to the machine of
a part of them, and those of all parts are solved together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.kernels.box_program import AT_BOUND
from mlviz.algorithms.kernels.box_solving import WIDE_BOUND
from mlviz.algorithms.kernels.parameters import KernelData
from mlviz.algorithms.many_fits import Answers, Part, from_coarse_to_fine, groups_of
from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.kernels.base import Kernel
from mlviz.numerics.pauses import Work, meanwhile
from mlviz.numerics.svm.active_set import ActiveSet
from mlviz.numerics.svm.many_programs import SolvedTogether, solved_together
from mlviz.numerics.svm.pairs import smo

_MOST = 700
"""With more samples each machine has enough to do for itself."""
_AT_ONCE, _MATRICES = 60_000, 12
"""About so many variables, and as many kernel matrices at the most, are met together."""
_DIGITS = 1e-9
"""A kernel matrix that varies less has too few digits: each machine says so for itself."""
_ROUGH = 0.1
"""Pairs that violate the conditions by less than this are left alone where all samples are met."""
_STEPS = 20
"""So many pairs are moved from one C to the next at the most: it need not be the solution from which parts begin."""


class _Seen(NamedTuple):
    """A part, by its place, with the kernel matrix (n, n) of all samples as it sees them, in that unit."""

    part: int
    K: Array
    unit: float


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
            yield from together.answers(self._seen(algorithms[rising[0]], parts, groups))

    def _seen(self, svm: Any, parts: Sequence[Part], groups: Sequence[Sequence[int]]) -> Iterator[_Seen]:
        """The parts with their kernel matrices, those that share one after each other."""
        for group in filter(None, groups):
            K, unit = self._gram(svm, parts[group[0]].X, len(groups))
            if K is not None:
                yield from (_Seen(part, K, unit) for part in group)

    def _gram(self, svm: Any, X: Array, count: int) -> tuple[Array | None, float]:
        """The kernel matrix in units of its largest value, and that; None where each machine must see for itself.

        The last ones are kept, as many as there are views of the samples, `count`, but for very many.
        """
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
        self._grams = [*self._grams, (kernel, X, K, unit)][-min(max(2, count), _MATRICES) :]
        return K, unit


class _Together:
    """The machines of one kernel: signs (n,), weights (p, n) of the parts, C (v,) in rising order.

    Samples that are in no part are left out: they are only asked of.
    """

    def __init__(self, signs: Array, weights: Array, which: list[int], C: Array) -> None:
        self.asked = np.flatnonzero(weights.any(axis=0))
        self.signs, self.weights, self.which, self.C = signs[self.asked], weights[:, self.asked], np.array(which), C

    def answers(self, parts: Iterator[_Seen]) -> Iterator[Answers | None]:
        """Yield the values at all samples of the machines of parts."""
        start = None
        for some in self._chunks(parts):
            if start is None:
                K = self._between(some[0].K)
                start, enough = yield from meanwhile(None, self._of_all(K, self.C * some[0].unit))
            yield from self._of_parts(some, start, enough)

    def _between(self, K: Array) -> Array:
        """The kernel matrix of the samples that are in some part."""
        return K if len(self.asked) == len(K) else K[np.ix_(self.asked, self.asked)]

    def _of_parts(self, some: list[_Seen], start: Array, enough: int) -> Iterator[Answers | None]:
        """Yield what the machines of those parts say, started from those of all samples.

        The first `enough` values of C and the largest one come first: where that bounds no sample, the machine is that
        of every C that would not bound one of it.
        """
        seen = list({id(one.K): one.K for one in some}.values())
        matrices = np.stack([self._between(K) for K in seen])
        of = np.array([next(i for i, K in enumerate(seen) if K is one.K) for one in some])
        place, C = np.array([one.part for one in some]), np.array([one.unit for one in some])[:, None] * self.C
        left = C * float(self.weights.max()) <= WIDE_BOUND
        last, every = left.sum(axis=1) - 1, np.arange(len(self.C))
        early = (every < enough) | (every == last[:, None])
        for turn in (early, ~early):
            part, value = np.nonzero(left & turn)
            if not len(part):
                continue
            weights = self.weights[place[part]]
            lo, hi = self._box(weights * C[part, value, None])
            work = solved_together(matrices, of[part], self.signs, lo, hi, start[value])
            found = yield from meanwhile(None, work)
            at_all = found.g if len(seen[0]) == len(lo.T) else self._at_all(found, of[part], seen)
            outputs = at_all + found.offset[:, None]
            good = found.solved
            yield Answers(place[part[good]], self.which[value[good]], outputs[good])
            largest = np.flatnonzero(good & (value == last[part]))
            whose, size = part[largest], np.abs(found.beta[largest])
            needed = np.divide(size, weights[largest], out=size, where=weights[largest] > 0).max(axis=1)
            row, same = np.nonzero(left[whose] & ~early[whose] & (needed[:, None] < C[whose] * (1 - AT_BOUND)))
            if len(row):
                left[whose[row], same] = False
                yield Answers(place[whose[row]], self.which[same], outputs[largest[row]])

    def _at_all(self, found: SolvedTogether, of: Labels, K: list[Array]) -> Array:
        """The values without their offsets at all samples, also at those that are in no part."""
        values = np.empty((len(of), len(K[0])))
        for i, matrix in enumerate(K):
            values[of == i] = found.beta[of == i] @ matrix[self.asked]
        return values

    def _chunks(self, parts: Iterator[_Seen]) -> Iterator[list[_Seen]]:
        """As many parts at a time as are met together."""
        size, some = max(1, _AT_ONCE // (len(self.C) * len(self.signs))), list[_Seen]()
        for one in parts:
            if len(some) == size or len({id(other.K) for other in (*some, one)}) > _MATRICES:
                yield some
                some = []
            some.append(one)
        if some:
            yield some

    def _of_all(self, K: Array, C: Array) -> Work[tuple[Array, int]]:
        """About the solutions (v, n) for all samples, each from that of the next smaller C, enlarged.

        The first is sought from no sample or from all, whichever is better. Also how many values of C there are
        up to the first that leaves no sample at its bound.
        """
        lo, hi = self._box(C[:, None] * (self.weights.sum(axis=0) / (self.weights > 0).sum(axis=0)))
        found, full = np.zeros_like(lo), ActiveSet(K, self.signs, lo[0], hi[0], lo[0] + hi[0])
        start = full.beta if full.beta @ (full.g / 2 - self.signs) < 0 else None
        for row in range(len(C)):
            if row:
                known = found[row - 1]
                at_bound = np.abs(known) >= np.maximum(-lo[row - 1], hi[row - 1]) * (1 - AT_BOUND)
                if not at_bound.any():
                    found[row:] = known
                    return found, row
                start = np.clip(known * (C[row] / C[row - 1]), lo[row], hi[row])
            *_, beta = smo(K, self.signs, lo[row], hi[row], _ROUGH, start, _STEPS if row else None)
            assert beta is not None
            found[row] = beta
            yield
        return found, len(C)

    def _box(self, cap: Array) -> tuple[Array, Array]:
        return np.minimum(0.0, self.signs * cap), np.maximum(0.0, self.signs * cap)
