"""Many ridge regressions at once: all penalties by one decomposition, and without each sample by the hat matrix."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.kernels.parameters import KernelData
from mlviz.algorithms.many_fits import Answers, Part, from_coarse_to_fine, groups_of, left_out_each
from mlviz.algorithms.targets import encode_targets
from mlviz.numerics.arrays import AnyArray, Array, Labels, Rows
from mlviz.numerics.linalg.spectral_ridge import SpectralRidge

_MOST = 700
"""With more samples decompositions take longer than solving."""
_LEAST = 1e-8
"""Smaller penalties, of a kernel whose largest value is 1, need more digits than the decomposition has."""


class Design(NamedTuple):
    """What a ridge regression sees of the samples: a kernel matrix (n, n) or features (n, p)."""

    matrix: Array
    is_kernel: bool
    unit: float = 1.0
    """What the kernel was divided by."""


def kernel_design(method: Any, X: Array) -> Design | None:
    """The kernel matrix; None where each fit must see for itself."""
    try:
        data = KernelData.of(method.kernel_for(X), X)
    except CannotFit:
        return None
    return Design(data.gram(), True, data.unit)


class ManyRidges:
    """Ridge regressions on values, or on classes written as numbers."""

    def __init__(self, key: Callable[[Any], Any], design: Callable[[Any, Array], Design | None]) -> None:
        """`key` tells apart methods that see the samples differently, `design` is how one does."""
        self._key, self._design = key, design

    def answers(self, algorithms: Sequence[Any], parts: Sequence[Part]) -> Iterator[Answers | None]:
        """Yield the predictions, or the scores of the classes."""
        if len(parts[0].X) > _MOST:
            return
        alike: dict[Any, list[int]] = {}
        for which, method in enumerate(algorithms):
            alike.setdefault(self._key(method), []).append(which)
        keys = list(alike)
        for group in groups_of(parts):
            for place in from_coarse_to_fine(len(keys)):
                mine = alike[keys[place]]
                design = self._design(algorithms[mine[0]], parts[group[0]].X)
                yield None
                if design is None:
                    continue
                ridges = np.array([ridge_of(algorithms[which]) for which in mine]) / design.unit
                enough = (ridges >= _LEAST) | (not design.is_kernel)
                if enough.any():
                    classes = "regression" not in algorithms[0].tasks
                    yield from _of_group(design, np.array(mine)[enough], ridges[enough], parts, group, classes)


def ridge_of(method: Any) -> float:
    """The penalty; 0 where there is none."""
    return 0.0 if getattr(method, "penalty", "L2") == "none" else float(method.lambda_)


def _of_group(
    design: Design, which: Labels, ridges: Array, parts: Sequence[Part], group: list[int], classes: bool
) -> Iterator[Answers | None]:
    """The answers of the parts that see the samples alike."""
    left = left_out_each(parts, group, classes)
    if left is not None:
        rows, y, lacking = left
        found = _decomposed(design, rows, np.full(len(rows), 1 / len(rows)))
        if found is not None and (targets := _targets(y, classes)) is not None:
            yield None
            for value, (outputs, known) in zip(which.tolist(), found.left_out(targets, ridges), strict=True):
                without = lacking[known]
                yield Answers(without, np.full(len(without), value), _squeezed(outputs[known]))
            return
    for part in group:
        one = parts[part]
        weights = np.ones(len(one.rows)) if one.weights is None else one.weights
        found = _decomposed(design, one.rows, weights / weights.sum())
        if found is not None and (targets := _targets(one.y, classes)) is not None:
            yield Answers(np.full(len(which), part), which, _squeezed(found.outputs(targets, ridges)))
        else:
            yield None


def _decomposed(design: Design, rows: Rows, share: Array) -> SpectralRidge | None:
    if design.is_kernel:
        return SpectralRidge.in_kernel(design.matrix, rows, share)
    return SpectralRidge.in_features(design.matrix, rows, share)


def _targets(y: AnyArray, classes: bool) -> Array | None:
    """The targets (m, t), values or classes written as numbers; None of one class."""
    if not classes:
        return y[:, None]
    names, codes = np.unique(y, return_inverse=True)
    return encode_targets(codes, len(names)).T if len(names) > 1 else None


def _squeezed(outputs: Array) -> Array:
    return outputs[:, :, 0] if outputs.shape[2] == 1 else outputs
