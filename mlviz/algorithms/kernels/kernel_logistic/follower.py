"""Kernel logistic regression under a moving hand: Newton's method starts from the last solution."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.kernels.kernel_logistic.model import KernelLogisticModel
from mlviz.algorithms.kernels.kernel_logistic.problem import KernelLogisticProblem
from mlviz.algorithms.kernels.regularized import RegularizedKernelMethod
from mlviz.numerics.arrays import Array
from mlviz.numerics.kernels.nystroem import Nystroem

EXACT = 1000
"""With more samples than this, a draft is a sum over few centres: a step takes the cube of the samples otherwise."""


class KernelLogisticFollower:
    """Keeps the last solution, and with many samples the centres."""

    def __init__(self) -> None:
        self._last: tuple[KernelLogisticProblem, KernelLogisticModel] | None = None
        self._nystroem: Nystroem | None = None

    def update(
        self,
        algorithm: RegularizedKernelMethod,
        X: Array,
        y: NDArray[Any] | None,
        sample_weight: Array | None,
        deadline: float,
    ) -> KernelLogisticModel:
        """The model of the changed data or hyperparameters, or how far it came at the deadline."""
        problem = KernelLogisticProblem.given(algorithm, X, y, sample_weight)
        last, self._last = self._last, None  # should anything below fail, the next call starts from nothing
        same = last is not None and last[0].kernel == problem.kernel and last[0].X.shape[1] == problem.X.shape[1]
        weights = last[1].weights if last is not None and same else None
        if problem.features is not None:
            model = _until(deadline, problem.models_in_features(problem.features, weights))
        elif len(problem.X) > EXACT:
            if self._nystroem is None or last is None or not same or (last[0].origin != problem.origin).any():
                self._nystroem, weights = problem.few_centers(np.random.default_rng(0)), None
            model = _until(deadline, problem.models_in_centers(self._nystroem, weights))
        else:
            start = _start(*last, problem) if last is not None and same else None
            model = _until(deadline, map(problem.in_samples, problem.solving(start)))
        self._last = problem, model
        return model


def _until(deadline: float, models: Iterator[KernelLogisticModel]) -> KernelLogisticModel:
    """The last of the models, or the first one after the deadline that has taken a step."""
    for model in models:
        if model.newton_steps and time.perf_counter() > deadline:
            break
    return model


def _start(
    old: KernelLogisticProblem, model: KernelLogisticModel, problem: KernelLogisticProblem
) -> tuple[Array, float] | None:
    """The last coefficients and offset, where the samples are the same but for a few; None where they are others."""
    if len(old.X) != len(problem.X) or model.weights is not None:
        return None
    a = model.dual_coef * problem.unit * (old.lambda_ / problem.lambda_)
    return np.where(problem.signs == old.signs, a, 0.0), model.expansion.offset
