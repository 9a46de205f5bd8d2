"""A sum of random waves, and the kernel function that it approximates."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mlviz.algorithms.base import WRONG_WHEN_LEFT_OUT, ModelFact
from mlviz.algorithms.explaining import explained_value
from mlviz.algorithms.kernels.feature_regression import (
    GRADIENT,
    OBJECTIVE,
    UNKNOWNS,
    FeatureFunction,
    FeatureScores,
)
from mlviz.draw.layer import UNNAMED, Explanation, Names, opened
from mlviz.draw.numbers import cleared, counted, number, numbers_apart, signed, summed
from mlviz.numerics.arrays import AnyArray, Array, Labels, middle_row
from mlviz.numerics.grid import Grid, as_dtype, precise_enough
from mlviz.numerics.kernels.expansion import Expansion
from mlviz.numerics.kernels.random_features import RandomFeatures, SpectralKernel, expected_error
from mlviz.numerics.linalg.dual_ridge import solved_in_kernel
from mlviz.numerics.sampling import spread_subsample
from mlviz.spec.brief import Brief

MOST_EXACT = 500
"""Of more samples the exact kernel function is not worked out."""
_PAIRED = 60
"""All pairs of so many samples tell how well the kernel is approximated."""
_ROUNDING = 1e-7
"""A sum in single precision loses about so much of the sum of its terms' sizes."""


@dataclass(frozen=True, eq=False)
class Approximation(Brief):
    """The features of a fit, and what they stand for: what the functions of all classes have in common."""

    kernel: SpectralKernel
    features: RandomFeatures
    seeds: tuple[int, int]
    X: Array
    """(n, d) the samples."""
    targets: Array
    """(n, t)."""
    share: Array
    """(n,) their weights, adding up to 1."""
    ridge: float

    @property
    def m(self) -> int:
        """How many there are."""
        return self.features.m

    @cached_property
    def paired(self) -> Array | None:
        """The samples (q, d) whose pairs are compared; None where there are no two."""
        rows = spread_subsample(self.X, _PAIRED)
        chosen = self.X[rows[np.lexsort(self.X[rows].T[::-1])]]
        return chosen if (chosen != chosen[:1]).any() else None

    def errors(self, counts: Labels) -> Array | None:
        """The error of the kernel over pairs of samples by so many features, for rising counts (c,)."""
        if self.paired is None:
            return None
        most, features = int(counts[-1]), self.features
        if most > self.m:
            features = RandomFeatures.drawn(self.kernel, most, self.X.shape[1], self.seeds)
        return features.errors(self.kernel, self.paired, counts)

    @cached_property
    def error(self) -> float | None:
        """The error by the features that are used."""
        found = self.errors(np.array([self.m]))
        return None if found is None else float(found[0])

    @cached_property
    def expected(self) -> float | None:
        """C, where the error to be expected is C / sqrt(m)."""
        return None if self.paired is None else expected_error(self.kernel, self.paired)

    @cached_property
    def exact(self) -> tuple[Expansion, ...] | None:
        """The functions of kernel ridge regression with the kernel itself; None where that takes too long."""
        if len(self.X) > MOST_EXACT:
            return None
        origin = middle_row(self.X)
        places = self.X - origin
        try:
            found = solved_in_kernel(self.kernel.matrix(places, places), self.targets, self.share, self.ridge)
        except np.linalg.LinAlgError:
            return None
        return tuple(Expansion(self.kernel, places, one.coef, origin, one.offset) for one in found)


FEATURES = ModelFact("features", lambda m: m.approximation.m, "m, the number of random waves.", level="more")
ERROR = ModelFact(
    "error of the kernel",
    lambda m: m.approximation.error,
    "Root of the mean squared difference between the kernel and the product of the features, over pairs of up to "
    f"{_PAIRED} samples.",
)
EXPECTED = ModelFact(
    "expected error",
    lambda m: m.approximation.expected and m.approximation.expected / m.approximation.m**0.5,
    "What this error is on average over all draws of m features: C/√m.",
    level="more",
)
DISTANCE = ModelFact(
    "distance from the exact fit",
    lambda m: m.distance_from_exact,
    "Root of the mean squared difference between these predictions for the samples and those of kernel ridge "
    f"regression with the kernel itself; for up to {MOST_EXACT} samples.",
)


@dataclass(frozen=True, eq=False, kw_only=True)
class RandomFeaturesModel(FeatureFunction):
    """f(x) = sqrt(2/m) sum_j coef_j cos(w_j.x + b_j) + intercept."""

    approximation: Approximation

    known_facts = (
        OBJECTIVE,
        ERROR,
        DISTANCE,
        ModelFact(
            "effective parameters",
            lambda m: m.parameters,
            "How many numbers the fit can choose freely: by how much the predictions of all samples follow "
            "their own targets, added up; at most one more than there are features.",
        ),
        ModelFact(
            "leave-one-out RMSE",
            lambda m: m.leave_one_out_rmse,
            "Root of the mean squared error at each sample when the fit is made without it; nλ stays as it is.",
        ),
        EXPECTED,
        ModelFact("|w|", lambda m: m.norm, "Length of the vector of weights, without the offset.", level="more"),
        ModelFact(
            "offset",
            lambda m: m.intercept,
            "b, which is added to the weighted waves.",
            beside=lambda m: m.spread,
            level="more",
        ),
        FEATURES,
        UNKNOWNS,
        GRADIENT,
    )

    @property
    def cost(self) -> int:  # type: ignore[override]
        """Nothing to speak of: the samples' predictions are known."""
        return 1

    @property
    def features(self) -> RandomFeatures:
        """The waves."""
        return self.approximation.features

    @property
    def exact(self) -> Expansion | None:
        """The function of kernel ridge regression, where it is known."""
        return None if self.approximation.exact is None else self.approximation.exact[self.column]

    @property
    def distance_from_exact(self) -> float | None:
        """How far the predictions for the samples are from those of the exact function."""
        if self.exact is None:
            return None
        squares = (self.exact.at(self.approximation.X) - self.fitted) ** 2
        return cleared(float(np.sqrt(self.approximation.share @ squares)), float(np.abs(self.targets).max()))

    def predict(self, X: Array) -> Array:
        """The predicted values, (n,)."""
        if X is self.X and len(self.fitted) == len(X):
            return self.fitted.copy()
        return self.features.expand(np.asarray(X, dtype=np.float64), self.coef) + self.intercept

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray:
        """The predicted values at every node, (ny, nx)."""
        size = float(np.abs(self.coef).sum()) * np.sqrt(2 / self.features.m)
        within = _ROUNDING * size < 1e-4 * self.spread
        work = precise_enough(dtype, size + abs(self.intercept) if within else np.inf)
        return as_dtype(self.features.expand_on_grid(grid, self.coef, work) + work.type(self.intercept), dtype)

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """The prediction as offset and waves, beside that of the kernel itself."""
        value = float(self.predict(x[None])[0])
        size = float(np.abs(self.targets).max())
        value, base, rest = summed(self.intercept, value - self.intercept)
        waves = counted(self.features.m, "wave")
        told = f"prediction {number(value, 4)} = offset {number(base, 4)} {signed(rest, ' ', 4)} from {waves}"
        if self.exact is not None:
            told += f"; the kernel itself gives {number(float(self.exact.at(x[None])[0]), 4, size)}"
        return explained_value(f"{told}.", x, value)


@dataclass(frozen=True, eq=False, kw_only=True)
class RandomFeaturesScores(FeatureScores):
    """Sums of the same waves on the classes."""

    functions: tuple[RandomFeaturesModel, ...]

    known_facts = (
        OBJECTIVE,
        ERROR,
        WRONG_WHEN_LEFT_OUT,
        ModelFact(
            "effective parameters",
            lambda m: m.parameters,
            "How many numbers the fit can choose freely for each class; at most one more than there are features.",
        ),
        EXPECTED,
        FEATURES,
        UNKNOWNS,
        GRADIENT,
    )

    @property
    def approximation(self) -> Approximation:
        """The waves that all functions share."""
        return self.functions[0].approximation

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """The scores of the two best classes, or of two classes beside that of the kernel itself."""
        scores = np.array([part.predict(x[None])[0] for part in self.functions])
        if len(scores) == 1:
            name = names.of_class(self.classes[int(scores[0] > 0)])
            told = f"f(x) = {number(float(scores[0]), beside=1.0)} from {counted(self.approximation.m, 'wave')}"
            if (exact := self.functions[0].exact) is not None:
                told += f"; with the kernel itself it is {number(float(exact.at(x[None])[0]), beside=1.0)}"
            return opened(name, lambda threshold: Explanation(f"{told}."))
        first, second = np.argsort(-scores, kind="stable")[:2]
        ahead, behind = numbers_apart(scores[first], scores[second], beside=1.0)
        name, other = names.of_class(self.classes[first]), names.of_class(self.classes[second])
        return opened(name, lambda threshold: Explanation(f"f(x) = {ahead}, ahead of {other} with {behind}."))
