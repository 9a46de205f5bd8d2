"""Kernel ridge regression under a moving hand: the equations stay solved while samples move."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.kernels.kernel_ridge.model import KernelRidgeModel
from mlviz.algorithms.kernels.kernel_ridge.problem import KernelRidgeProblem
from mlviz.algorithms.kernels.regularized import RegularizedKernelMethod
from mlviz.numerics.arrays import Array
from mlviz.numerics.kernels.nystroem import Moments
from mlviz.numerics.linalg.ridge import DualRidge

CHANGES = 8
"""With more samples moved at once, solving anew is as fast."""
WORN_RESIDUAL = 1e-7
"""An inverse that solves the equations no better than this has lost digits in many moves."""


class KernelRidgeFollower:
    """Keeps the inverse of the equations' matrix, or with very many samples their moments and the centres."""

    def __init__(self) -> None:
        self._kept: tuple[KernelRidgeProblem, DualRidge | Moments] | None = None

    def update(
        self,
        algorithm: RegularizedKernelMethod,
        X: Array,
        y: NDArray[Any] | None,
        sample_weight: Array | None,
        deadline: float,
    ) -> KernelRidgeModel:
        """The model of the changed data or hyperparameters. Exact but for the choice of centres, which stay."""
        problem = KernelRidgeProblem.given(algorithm, X, y, sample_weight)
        kept, self._kept = self._kept, None  # should anything below fail, the next call starts from nothing
        if problem.features is not None:
            return problem.in_features(problem.features)
        equations, model = None, None
        if kept is not None and comparable(problem, kept[0]):
            old, equations = kept
            problem = dataclasses.replace(problem, origin=old.origin, unit=old.unit, target_offset=old.target_offset)
            changed = np.flatnonzero((problem.X != old.X).any(axis=1) | (problem.y != old.y))
            if isinstance(equations, DualRidge):
                model = _in_samples(problem, old, equations, changed)
            else:
                model = _in_centers(problem, old, equations, changed)
        if equations is None or model is None:
            equations, model = _from_nothing(problem)
        self._kept = problem, equations
        return model


def comparable(problem: KernelRidgeProblem, old: KernelRidgeProblem) -> bool:
    """Whether the equations of one problem may lead to those of the other."""
    same = problem.kernel == old.kernel and problem.X.shape == old.X.shape
    return same and np.array_equal(problem.share, old.share)


def _from_nothing(problem: KernelRidgeProblem) -> tuple[DualRidge | Moments, KernelRidgeModel]:
    if problem.many:
        moments = problem.moments(np.random.default_rng(0))
        return moments, problem.in_centers(moments)
    dual = problem.dual()
    return dual, problem.in_samples(dual.solve(problem.y - problem.target_offset))


def _in_samples(
    problem: KernelRidgeProblem, old: KernelRidgeProblem, dual: DualRidge, changed: NDArray[np.intp]
) -> KernelRidgeModel | None:
    """The model after those samples have changed; None where solving anew is better."""
    if not moved(problem, old, dual, changed):
        return None
    solution = dual.solve(problem.y - problem.target_offset)
    return problem.in_samples(solution) if solution.first <= WORN_RESIDUAL else None


def moved(problem: KernelRidgeProblem, old: KernelRidgeProblem, dual: DualRidge, changed: NDArray[np.intp]) -> bool:
    """Bring the equations to the new places of those samples; whether that could be done."""
    rows = changed[(problem.X[changed] != old.X[changed]).any(axis=1)]
    if problem.lambda_ != old.lambda_ or len(rows) > CHANGES:
        return False
    # One after the other, each among the others as they stand by then: only that is a kernel's matrix.
    places = old.places.copy()
    try:
        for row in rows.tolist():
            places[row] = problem.places[row]
            dual.move(row, problem.gram(places[row : row + 1], places)[0])
    except np.linalg.LinAlgError:
        return False
    return True


def _in_centers(
    problem: KernelRidgeProblem, old: KernelRidgeProblem, moments: Moments, changed: NDArray[np.intp]
) -> KernelRidgeModel | None:
    """The model after those samples have changed; None where they are too many."""
    if len(changed) > len(problem.X) // 8:
        return None
    moments.add(old.places[changed], old.y[changed] - problem.target_offset, -problem.share[changed])
    moments.add(problem.places[changed], problem.y[changed] - problem.target_offset, problem.share[changed])
    return problem.in_centers(moments)
