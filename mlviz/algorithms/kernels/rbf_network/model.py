"""A network of radial functions: the function that it computes, and a classifier made of such functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mlviz.algorithms.base import WRONG_WHEN_LEFT_OUT, ModelFact
from mlviz.algorithms.explaining import explained_value
from mlviz.algorithms.kernels.explaining import explained_class, told_terms
from mlviz.algorithms.kernels.feature_regression import (
    GRADIENT,
    OBJECTIVE,
    UNKNOWNS,
    FeatureFunction,
    FeatureScores,
)
from mlviz.algorithms.kernels.rbf_network.centers import Centers
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.numbers import share
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.base import Gaussian
from mlviz.numerics.kernels.expansion import Expansion
from mlviz.numerics.kernels.radial import InverseMultiquadric, NormalizedExpansion, shares

CENTERS = ModelFact("centres", lambda m: len(m.network.places), "How many radial functions there are.", level="more")
WIDTH = ModelFact("width", lambda m: m.width, "σ, the width of the radial functions.")


@dataclass(frozen=True, eq=False, kw_only=True)
class RBFNetworkModel(FeatureFunction):
    """f(x) = sum_j coef_j phi(|x - c_j|) + intercept, each radial function perhaps as a share of their sum."""

    network: Centers
    expansion: Expansion
    width: float
    """The width σ of the radial functions."""

    known_facts = (
        OBJECTIVE,
        ModelFact("|w|", lambda m: m.norm, "Length of the vector of weights, without the offset."),
        WIDTH,
        ModelFact(
            "effective parameters",
            lambda m: m.parameters,
            "How many numbers the fit can choose freely: by how much the predictions of all samples follow "
            "their own targets, added up; at most one more than there are centres.",
        ),
        ModelFact(
            "leave-one-out RMSE",
            lambda m: m.leave_one_out_rmse,
            "Root of the mean squared error at each sample when the weights are found without it; centres and nλ stay.",
        ),
        ModelFact(
            "offset",
            lambda m: m.intercept,
            "b, which is added to the weighted radial functions.",
            beside=lambda m: m.spread,
            level="more",
        ),
        CENTERS,
        UNKNOWNS,
        GRADIENT,
    )

    @property
    def normalized(self) -> bool:
        """Whether the radial functions are shares of their sum."""
        return isinstance(self.expansion, NormalizedExpansion)

    @property
    def cost(self) -> int:  # type: ignore[override]
        """Nothing to speak of: the samples' predictions are known."""
        return 1

    @property
    def centers(self) -> Array:
        """(m, d)."""
        return self.network.places

    def predict(self, X: Array) -> Array:
        """The predicted values, (n,)."""
        # Asked for the samples themselves, as the residuals do, there is nothing to compute.
        return self.expansion.at(X) if X is not self.X else self.fitted.copy()

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray:
        """The predicted values at every node, (ny, nx)."""
        # Others than Gaussians may cancel in single precision.
        finest = 1e-4 * self.spread if isinstance(self.expansion.kernel, Gaussian) else 0.0
        return self.expansion.on_grid(grid, dtype, finest)

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """The prediction as offset and terms, the largest of which is named."""
        value = float(self.predict(x[None])[0])
        terms, kernel = self.expansion.terms(x[None])[0], self.expansion.kernel
        told, largest = told_terms(value, self.intercept, terms, "centres", self.centers)
        if isinstance(kernel, Gaussian | InverseMultiquadric) and self.normalized and largest is not None:
            of_sum = shares(kernel, (x - self.expansion.origin)[None], self.expansion.centers)[0]
            told += f", which has {share(float(of_sum[largest]))} of the sum here"
        return explained_value(f"{told}.", x, value)


@dataclass(frozen=True, eq=False, kw_only=True)
class RBFNetworkScores(FeatureScores):
    """Networks on the classes, with the same centres."""

    functions: tuple[RBFNetworkModel, ...]

    known_facts = (
        OBJECTIVE,
        WRONG_WHEN_LEFT_OUT,
        WIDTH,
        ModelFact(
            "effective parameters",
            lambda m: m.parameters,
            "How many numbers the fit can choose freely for each class; at most one more than there are centres.",
        ),
        ModelFact(
            "|w|",
            lambda m: m.alone and m.alone.norm,
            "Length of the vector of weights, without the offset.",
            beside=lambda m: 1.0,
        ),
        ModelFact(
            "offset",
            lambda m: m.alone and m.alone.intercept,
            "b, which is added to the weighted radial functions.",
            beside=lambda m: 1.0,
            level="more",
        ),
        CENTERS,
        UNKNOWNS,
        GRADIENT,
    )

    @property
    def network(self) -> Centers:
        """The centres."""
        return self.functions[0].network

    @property
    def width(self) -> float:
        """The width σ of the radial functions."""
        return self.functions[0].width

    @property
    def expansion(self) -> Expansion:
        """The function of two classes, or that of the first of several."""
        return self.functions[0].expansion

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """The score as offset and terms, the largest of which are named and shown."""
        return explained_class(self.functions, self.classes, x, names, "centre")
