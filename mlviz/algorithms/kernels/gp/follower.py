"""While a sample among very many is moved, all but its own part of the sums over samples stays."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from mlviz.algorithms.base import last_until
from mlviz.algorithms.kernels.gp.model import GaussianProcessModel
from mlviz.algorithms.kernels.gp.problem import GaussianProcessProblem, most_centers
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.kernels.features import Moments

_MOST_CHANGED = 8
"""Where more than one of so many samples changed, the sums are worked out anew."""


class GaussianProcessFollower:
    """Keeps the sums and the centres, where these stand for very many samples."""

    _kept: tuple[GaussianProcessProblem, Moments] | None = None

    def update(
        self,
        algorithm: Any,
        X: Array,
        y: AnyArray | None,
        sample_weight: Array | None,
        deadline: float,
    ) -> GaussianProcessModel:
        """The model of the changed data or hyperparameters. Exact but for the choice of centres, which stay."""
        kept, self._kept = self._kept, None  # should anything below fail, the next call starts from nothing
        problem = GaussianProcessProblem.given(algorithm, X, y, sample_weight)
        if not problem.many:
            steps = algorithm.steps(X, y, np.random.default_rng(0), sample_weight)
            model: GaussianProcessModel = last_until(deadline, steps)
            return model
        if kept is not None and (moved := _moved(problem, *kept)) is not None:
            problem, moments = moved, kept[1]
        else:
            moments = problem.moments(np.random.default_rng(0), most_centers(len(problem.X)))
        self._kept = problem, moments
        return problem.in_centers(moments)


def _moved(
    problem: GaussianProcessProblem, old: GaussianProcessProblem, moments: Moments
) -> GaussianProcessProblem | None:
    """The problem in the units of an old one, whose sums are brought up to date; None where that is not worth it."""
    alike = problem.kernel == old.kernel and problem.X.shape == old.X.shape
    if not alike or problem.ratio != old.ratio or not np.array_equal(problem.weights, old.weights):
        return None
    changed = np.flatnonzero((problem.X != old.X).any(axis=1) | (problem.y != old.y))
    if _MOST_CHANGED * len(changed) > len(problem.X):
        return None
    problem = replace(problem, origin=old.origin, unit=old.unit)
    moments.add(old.places[changed], old.y[changed], -old.weights[changed])
    moments.add(problem.places[changed], problem.y[changed], problem.weights[changed])
    return problem
