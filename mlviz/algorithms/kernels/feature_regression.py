"""Ridge regression in features that a method chooses: what such functions, and classifiers made of them, know."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from mlviz.algorithms.base import CannotFit, Model, ModelFact
from mlviz.algorithms.checking import weighted_rows
from mlviz.algorithms.kernels.parameters import TOO_SMALL
from mlviz.algorithms.targets import FunctionsOfClasses, decode_targets, encode_targets, several_classes
from mlviz.draw.numbers import cleared, one_for_each
from mlviz.numerics.arrays import AnyArray, Array, Labels
from mlviz.numerics.linalg.feature_ridge import solving_in_features
from mlviz.numerics.linalg.ridge import RidgeInFeatures, WeightedRows
from mlviz.numerics.pauses import Work
from mlviz.spec.brief import Brief

MOST_LEFT_OUT = 3000
"""Of more samples nobody tells what the fit would say without each."""
_WORN = 1e-6
"""A solution whose gradient is a larger share of its terms is called rough."""
SOON = 20_000_000
"""A solution that takes more products than this is awaited with a draft."""
OBJECTIVE = ModelFact(
    "objective",
    lambda m: m.objective,
    "The mean squared residual plus λ|w|², which is made as small as possible.",
)
GRADIENT = ModelFact(
    "gradient norm",
    lambda m: m.gradient_norm,
    "Length of the objective's gradient, as a share of its length without the signs of its terms; 0 at the minimum.",
    level="solver",
)
UNKNOWNS = ModelFact(
    "unknowns",
    lambda m: m.solved,
    "What the equations are solved for: the weights, or a number for each sample where these are fewer.",
    level="solver",
)


def fitting(rows: WeightedRows, targets: Array, ridge: float) -> Work[RidgeInFeatures]:
    """Find the solution; raises `CannotFit`."""
    try:
        return (yield from solving_in_features(rows, targets, ridge))
    except np.linalg.LinAlgError:
        raise CannotFit(TOO_SMALL) from None


@dataclass(frozen=True, eq=False, kw_only=True)
class FeatureFunction(Model):
    """The function w.phi(x) + b, for one of the targets that were solved for together."""

    X: Array
    """(n, d) the samples."""
    solution: RidgeInFeatures
    column: int
    """Which of the targets it is."""
    caveat: str = ""
    field = "predict"

    @property
    def coef(self) -> Array:
        """The weights, (p,)."""
        return self.solution.coef[:, self.column]

    @property
    def intercept(self) -> float:
        """The offset b: no sign is left to rounding."""
        return cleared(float(self.solution.offset[self.column]), float(np.abs(self.targets).max()))

    @property
    def targets(self) -> Array:
        """(n,)."""
        return self.solution.targets[:, self.column]

    @property
    def fitted(self) -> Array:
        """(n,) what is predicted for the samples."""
        return self.solution.fitted[:, self.column]

    def predict(self, X: Array) -> Array:
        """The predicted values, (n,)."""
        raise NotImplementedError

    @property
    def norm(self) -> float:
        """The length |w| of the weights."""
        return float(np.linalg.norm(self.coef))

    @cached_property
    def spread(self) -> float:
        """How far apart the largest and the smallest value at the samples are."""
        return float(np.ptp(self.fitted))

    @cached_property
    def objective(self) -> float:  # type: ignore[override]
        """The mean squared residual and the penalty."""
        mean_squared = self.solution.rows.share @ (self.targets - self.fitted) ** 2
        return float(mean_squared + self.solution.ridge * self.norm**2)

    @property
    def parameters(self) -> float | None:
        """The trace of the matrix that turns targets into predictions."""
        return self.solution.freedom

    @property
    def leave_one_out_rmse(self) -> float | None:
        """The root of the mean squared residual of samples left out, where it is known."""
        left = _left_out(self.solution)
        return None if left is None else float(np.sqrt(self.solution.rows.share @ left[:, self.column] ** 2))

    @property
    def gradient_norm(self) -> float:
        """The gradient's length as a share of its terms'."""
        return self.solution.residual

    @property
    def solved(self) -> str:
        """What the equations were solved for."""
        return one_for_each(self.solution.unknowns, "sample" if self.solution.in_samples else "feature")


def _left_out(solution: RidgeInFeatures) -> Array | None:
    """The residuals (n, t) that the samples would have had they been left out, where they are told."""
    return None if len(solution.targets) > MOST_LEFT_OUT else solution.left_out


def told_rough(solution: RidgeInFeatures) -> str:
    """That the solution has lost digits, where it has."""
    off = solution.residual
    return "solved only roughly: too few digits; standardize the inputs, or raise λ" if off > _WORN else ""


@dataclass(frozen=True, eq=False, kw_only=True)
class FeatureScores(FunctionsOfClasses):
    """A function on -1 and 1 for two classes, else one per class on 0 and 1."""

    functions: tuple[FeatureFunction, ...]
    codes: Labels
    """(n,) the class of each sample, as an index of `classes`."""

    @property
    def alone(self) -> FeatureFunction | None:
        """The function of two classes, None where there are several."""
        return self.functions[0] if len(self.functions) == 1 else None

    @property
    def parameters(self) -> float | None:
        """The trace of the matrix that turns targets into predictions, for each class."""
        return self.functions[0].parameters

    @property
    def gradient_norm(self) -> float:
        """The gradient's length as a share of its terms', of the worst function."""
        return self.functions[0].gradient_norm

    @property
    def solved(self) -> str:
        """What the equations were solved for."""
        return self.functions[0].solved

    @cached_property
    def leave_one_out_error(self) -> float | None:
        """The share of samples that are wrong when left out, where it is known."""
        solution = self.functions[0].solution
        if (left := _left_out(solution)) is None:
            return None
        wrong = decode_targets((solution.targets - left).T) != self.codes
        return float(np.mean(wrong))


@dataclass(frozen=True, eq=False)
class Targets(Brief):
    """What is to be met: the samples with a weight, their shares, and the targets (n, t) to be solved for."""

    X: Array
    share: Array
    targets: Array
    weights: Array
    classes: AnyArray | None = None
    codes: Labels | None = None

    @classmethod
    def given(cls, X: Array, y: AnyArray | None, sample_weight: Array | None, classifies: bool) -> Targets:
        """Those of the data: values, or classes written as numbers; raises `CannotFit`."""
        _, X, y, weights = weighted_rows(X, y, sample_weight)
        share = weights / weights.sum()
        if not classifies:
            return cls(X, share, y.astype(np.float64)[:, None], weights)
        classes, codes = several_classes(y)
        return cls(X, share, encode_targets(codes, len(classes)).T, weights, classes, codes)

    def some(self, rows: Labels) -> Targets:
        """Those of some of the rows."""
        weights = self.weights[rows]
        codes = None if self.codes is None else self.codes[rows]
        return replace(
            self,
            X=self.X[rows],
            share=weights / weights.sum(),
            targets=self.targets[rows],
            weights=weights,
            codes=codes,
        )
