"""How sure a plain least squares fit is: confidence of the function, and prediction of a new target."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.algorithms.linear.linear_regression.model import LinearRegressionModel
from mlviz.algorithms.linear.linear_regression.problem import RegressionProblem
from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import as_dtype, far_away
from mlviz.numerics.linalg.columns import column_lengths
from mlviz.numerics.linalg.least_squares import Solution


@dataclass(frozen=True, eq=False)
class SureRegressionModel(LinearRegressionModel):
    """A plain least squares fit to more samples than there are weights: how sure it is follows from the residuals.

    Were the targets w.φ(x) + b and normal noise of one variance, the prediction minus the truth, divided by its
    standard deviation, would have Student's t distribution.
    """

    @property
    def degrees_of_freedom(self) -> float:
        """The samples less the weights and the offset."""
        return self.problem.total - self.rank - 1

    @cached_property
    def noise(self) -> float:
        """The estimated standard deviation of the noise."""
        return float(np.sqrt(self.problem.total * self.loss / self.degrees_of_freedom))

    @cached_property
    def _whitening(self) -> Array:
        """M (p, rank): the variance of the function is that of the noise times (1 + |M'(φ(x) - mean)|²) / n."""
        B, rank = self.problem.columns[0], self.rank
        length = column_lengths(B)
        _, s, Vt = np.linalg.svd(B / length, full_matrices=False)
        return np.asarray(Vt[:rank].T / s[:rank] / length[:, None])

    @far_away
    def predict_std(self, X: Array) -> tuple[Array, Array]:
        """The standard deviations of the function and of a new target at X, (n,) each."""
        away = self.basis.penalized_terms(np.asarray(X, dtype=np.float64)) - self.problem.mean
        variance = as_dtype((1 + ((away @ self._whitening) ** 2).sum(axis=1)) / self.problem.total, np.float64)
        return self.noise * np.sqrt(variance), self.noise * np.sqrt(1 + variance)


def model_of(problem: RegressionProblem, solution: Solution) -> LinearRegressionModel:
    """The model of a solution: one that is sure of itself where the residuals say how large the noise is."""
    rank = solution.rank
    sure = (
        rank is not None
        and not problem.strength
        and problem.budget is None
        and rank == problem.basis.size - problem.basis.constants
        and problem.total > rank + 1
    )
    return (SureRegressionModel if sure else LinearRegressionModel)(problem, solution)
