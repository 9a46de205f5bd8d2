"""Classical linear regression with its predictive distribution, for the tests of what is made of such distributions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.base import Algorithm, Model
from mlviz.draw.overlays import bands, regions


@dataclass(frozen=True, eq=False)
class PredictiveLineModel(Model):
    coef: np.ndarray
    inverse: np.ndarray  # of the Gram matrix of inputs and a constant
    noise: float
    degrees_of_freedom: float
    field = "predict"

    def predict(self, X):
        return _with_ones(X) @ self.coef

    def predict_std(self, X):
        lever = np.einsum("ij,jk,ik->i", _with_ones(X), self.inverse, _with_ones(X))
        return self.noise * np.sqrt(lever), self.noise * np.sqrt(1 + lever)


def _with_ones(X):
    return np.column_stack((X, np.ones(len(X))))


@dataclass(frozen=True)
class PredictiveLine(Algorithm):
    """Least squares, with Student's t about it."""

    id, label, family, tasks, main = "predictive-line", "predictive line", "Regression", ("regression",), ""
    overlays = (regions.value_field, bands.bands, regions.curve, regions.residuals)

    def steps(self, X, y, rng, sample_weight=None) -> Iterator[PredictiveLineModel]:
        weights = np.ones(len(X)) if sample_weight is None else sample_weight
        Z = _with_ones(X)
        inverse = np.linalg.pinv((Z * weights[:, None]).T @ Z)
        coef = inverse @ (Z * weights[:, None]).T @ y
        left = float(weights.sum()) - Z.shape[1]
        squares = float(weights @ (y - Z @ coef) ** 2)
        yield PredictiveLineModel(coef, inverse, np.sqrt(squares / left) if left > 0 else np.inf, max(left, 0.0))
