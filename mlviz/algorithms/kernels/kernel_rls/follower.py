"""Kernel least squares classification under a moving hand: the equations stay solved while samples move."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.kernels.kernel_ridge.follower import WORN_RESIDUAL, comparable, moved
from mlviz.algorithms.kernels.kernel_rls.model import KernelRLSModel
from mlviz.algorithms.kernels.kernel_rls.problem import KernelRLSProblem
from mlviz.algorithms.kernels.regularized import RegularizedKernelMethod
from mlviz.numerics.arrays import Array
from mlviz.numerics.kernels.nystroem import Moments
from mlviz.numerics.linalg.ridge import DualRidge


class KernelRLSFollower:
    """Keeps the inverse of the equations' matrix, or with very many samples their moments and the centres."""

    def __init__(self) -> None:
        self._kept: tuple[KernelRLSProblem, DualRidge | Moments] | None = None

    def update(
        self,
        algorithm: RegularizedKernelMethod,
        X: Array,
        y: NDArray[Any] | None,
        sample_weight: Array | None,
        deadline: float,
    ) -> KernelRLSModel:
        """The model of the changed data or hyperparameters. Exact but for the choice of centres, which stay."""
        problem = KernelRLSProblem.given(algorithm, X, y, sample_weight)
        kept, self._kept = self._kept, None  # should anything below fail, the next call starts from nothing
        model = problem.in_features()
        if model is not None:
            return model
        if kept is not None and _comparable(problem, kept[0]):
            old, equations = kept
            problem = problem.in_units_of(old)
            model = _followed(problem, old, equations)
        if model is None:
            equations = problem.equations(np.random.default_rng(0))
            model = problem.solved(equations)
        self._kept = problem, equations
        return model


def _comparable(problem: KernelRLSProblem, old: KernelRLSProblem) -> bool:
    same = np.array_equal(problem.classes, old.classes)
    return same and comparable(problem.regressions[0], old.regressions[0])


def _followed(
    problem: KernelRLSProblem, old: KernelRLSProblem, equations: DualRidge | Moments
) -> KernelRLSModel | None:
    """The model after some samples have changed; None where solving anew is better."""
    new, former = problem.regressions[0], old.regressions[0]
    changed = np.flatnonzero((new.X != former.X).any(axis=1) | (problem.codes != old.codes))
    if isinstance(equations, Moments):
        if len(changed) > len(new.X) // 8:
            return None
        equations.add(former.places[changed], old.targets[changed], -former.share[changed])
        equations.add(new.places[changed], problem.targets[changed], new.share[changed])
        return problem.solved(equations)
    if not moved(new, former, equations, changed):
        return None
    solutions = [equations.solve(one.y - one.target_offset) for one in problem.regressions]
    worn = max(found.first for found in solutions) > WORN_RESIDUAL
    return None if worn else problem.in_samples(solutions)
