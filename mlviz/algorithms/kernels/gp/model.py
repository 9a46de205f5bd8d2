"""The model of Gaussian process regression: the mean of the function, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mlviz.algorithms.base import Model, ModelFact
from mlviz.algorithms.kernels.gp.settings import GaussianProcessSettings
from mlviz.algorithms.kernels.parameters import GAMMA, LEFT_OUT, RESIDUAL
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.marks import Mark, Points
from mlviz.draw.numbers import number, place, signed, summed
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.grid import Grid, as_dtype, far_away
from mlviz.numerics.kernels.base import Gaussian
from mlviz.numerics.kernels.expansion import Expansion
from mlviz.numerics.kernels.gaussian_process import Process, SeenInFeatures, SeenSamples
from mlviz.numerics.kernels.marginal_likelihood import LOG_TWO_PI, Evidence
from mlviz.numerics.kernels.on_grid import interpolated, interpolated_along

SEEN = 3e-5
"""A smaller error of a variance, as a share of the largest, is not seen."""
SEEN_IN_MOTION = 1e-3
"""The same while the hand moves; soon after it rests there is an exact picture."""
_FEW = 64
"""With so few unknowns a variance is soon worked out everywhere."""
_SIDES = 16, 24, 32, 40, 64, 96
"""At so many places a side a variance is worked out to tell it everywhere, where that is enough."""
_NODES_A_WIDTH, _IN_MOTION = 4.2, 3.0
"""With fewer nodes along each width of a Gaussian kernel it is not tried: they are seldom enough."""
_TOLD = 3
"""So many of the samples' contributions are told."""


@dataclass(frozen=True, eq=False, kw_only=True)
class GaussianProcessModel(Model):
    """The posterior: mean + sum_i coef_i k(x, x_i), and the variance about it."""

    X: Array
    """(n, d) the samples, y (n,) their targets, weights (n,)."""
    y: Array
    weights: Array
    settings: GaussianProcessSettings
    expansion: Expansion
    seen: Process
    """How sure the function is, at places counted from the expansion's origin."""
    evidence: Evidence
    fitted: Array | None
    """(n,) the predictions for X, where they are known."""
    residual: float
    solved: str
    left_out: float = 0.0
    caveat: str = ""
    field = "predict"
    degrees_of_freedom = np.inf
    """The predictive distribution is normal: the variances are known."""

    known_facts = (
        ModelFact(
            "log marginal likelihood",
            lambda m: m.evidence.value,
            "Logarithm of the density of the targets, averaged over all functions of the prior: the larger it is, the "
            "better kernel and variances go with the samples. It is the sum of the three that follow.",
        ),
        ModelFact(
            "its data fit",
            lambda m: m.evidence.fit,
            "−rᵀA⁻¹r/2, with the targets minus the mean in r and A = s²K + σₙ²I: how well both agree.",
            level="more",
        ),
        ModelFact(
            "its complexity",
            lambda m: m.evidence.complexity,
            "−log det(A)/2: lower for priors that allow for more, so that a wiggly one must pay for what it can do.",
            level="more",
        ),
        ModelFact(
            "its constant", lambda m: m.evidence.constant, "−n log(2π)/2, whatever the hyperparameters.", level="more"
        ),
        ModelFact(
            "effective parameters",
            lambda m: m.parameters,
            "How many numbers the fit can choose freely: by how much the predictions of all samples follow "
            "their own targets, added up.",
        ),
        ModelFact(
            "λ of kernel ridge",
            lambda m: m.settings.noise_variance / m.settings.signal_variance / float(m.weights.sum()),
            "σₙ²/(n s²): kernel ridge regression without an offset has the same curve for this λ.",
        ),
        ModelFact(
            "leave-one-out RMSE",
            lambda m: m.leave_one_out_rmse,
            "Root of the mean squared error at each sample when it is predicted from all others.",
        ),
        ModelFact(
            "leave-one-out log density",
            lambda m: m.leave_one_out_log_density,
            "Mean logarithm of the density that the process learned from all others has at each sample's target: it "
            "falls where the process is wrong and sure of it.",
            level="more",
        ),
        ModelFact(
            "mean of the prior",
            lambda m: m.expansion.offset,
            "What the function is about before anything is seen, and what it falls back to far from all samples.",
            beside=lambda m: float(np.abs(m.y).max()),
            level="more",
        ),
        GAMMA,
        ModelFact("unknowns", lambda m: m.solved, "What the equations are solved for.", level="solver"),
        LEFT_OUT,
        RESIDUAL,
    )

    @property
    def cost(self) -> int:  # type: ignore[override]
        """That of the mean; nothing to speak of where the samples' predictions are known."""
        return self.expansion.cost if self.fitted is None else 1

    @property
    def dual_coef(self) -> Array:
        """(m,)."""
        return self.expansion.coef

    def predict(self, X: Array) -> Array:
        """The mean of the function, (n,)."""
        return self.expansion.at(X) if self.fitted is None or X is not self.X else self.fitted.copy()

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray:
        """The mean at every node, (ny, nx)."""
        return self.expansion.on_grid(grid, dtype, finest=1e-4 * self._spread)

    @cached_property
    def _spread(self) -> float:
        return float(np.ptp(self.y))

    @far_away
    def variance(self, X: Array) -> Array:
        """The variance of the function at the rows of X (n, d): (n,)."""
        places = np.asarray(X, dtype=np.float64) - self.expansion.origin
        smooth = None
        if places.shape[1] == 1 and self.expansion.kernel.smooth and len(self.seen.factor) > _FEW:
            smooth = interpolated_along(self.seen.variance, places[:, 0])
        return as_dtype(np.maximum(self.seen.variance(places) if smooth is None else smooth, 0.0), np.float64)

    def predict_std(self, X: Array) -> tuple[Array, Array]:
        """The standard deviations (n,) of the function and of a new target at the rows of X (n, d)."""
        variance = self.variance(X)
        return np.sqrt(variance), np.sqrt(variance + self.settings.noise_variance)

    @far_away
    def smooth_std(self, grid: Grid, tolerance: float = SEEN) -> Array | None:
        """The standard deviation of the function at every node, (ny, nx), by few of them; None where these can't tell.

        The tolerance is of the variance, as a share of the largest one.
        """
        if not self.expansion.kernel.smooth:
            return None
        shifted = grid.scaled(1.0, -self.expansion.origin)
        kernel, extent = self.expansion.kernel, max(float(np.ptp(grid.x)), float(np.ptp(grid.y)))
        a_width = _NODES_A_WIDTH if tolerance < SEEN_IN_MOTION else _IN_MOTION
        needed = extent / kernel.sigma * a_width if isinstance(kernel, Gaussian) else 0.0
        sides = tuple(side for side in _SIDES if side >= needed)
        variance = interpolated(self.seen.variance_on_grid, shifted, np.float64, tolerance, sides)
        return None if variance is None else as_dtype(np.sqrt(np.maximum(variance, 0.0)), np.float64)

    def covariance(self, X: Array) -> Array:
        """The covariance (n, n) of the function at the rows of X (n, d)."""
        return self.seen.covariance(X - self.expansion.origin)

    @cached_property
    def _precision(self) -> Array | None:
        """The diagonal (n,) of A^-1, times the signal variance and the kernel's unit; None where it is not known."""
        return self.seen.inverse_diagonal() if isinstance(self.seen, SeenSamples | SeenInFeatures) else None

    @property
    def parameters(self) -> float | None:
        """The trace of the matrix that turns targets into predictions."""
        if self._precision is None or not isinstance(self.seen, SeenSamples | SeenInFeatures):
            return None
        ridge = self.settings.noise_variance / self.settings.signal_variance / self.seen.unit / self.weights
        return float(len(self.y) - ridge @ self._precision)

    @cached_property
    def _left_out(self) -> tuple[Array, Array] | None:
        """Errors (n,) and variances (n,) of a new target where each sample is predicted from all others.

        Rasmussen and Williams (2006), equation 5.12.
        """
        if self._precision is None or not isinstance(self.seen, SeenSamples | SeenInFeatures) or len(self.y) < 2:
            return None
        scale = self.settings.signal_variance * self.seen.unit
        errors = self.dual_coef * self.seen.unit / self._precision
        noise = self.settings.noise_variance
        return errors, np.maximum(scale / self._precision - noise / self.weights, 0.0) + noise

    @property
    def leave_one_out_rmse(self) -> float | None:
        """Root of the mean squared error at samples that were left out."""
        if self._left_out is None:
            return None
        return float(np.sqrt(self.weights @ self._left_out[0] ** 2 / self.weights.sum()))

    @property
    def leave_one_out_log_density(self) -> float | None:
        """The mean of the log density of targets that were left out."""
        if self._left_out is None:
            return None
        errors, variances = self._left_out
        with np.errstate(over="ignore"):
            told = errors**2 / variances + np.log(variances) + LOG_TWO_PI
        return float(-self.weights @ told / self.weights.sum() / 2)

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """The prediction as mean and terms, the largest of which are named, and how sure it is."""
        value, mean = float(self.predict(x[None])[0]), self.expansion.offset
        terms = self.expansion.terms(x[None])[0]
        largest = np.argsort(-np.abs(terms), kind="stable")[:_TOLD]
        size = abs(float(terms[largest[0]]))
        value, base, rest = summed(mean, value - mean, beside=size)
        told = f"prediction {number(value, 4)} = mean {number(base, 4)} {signed(rest, ' ', 4)} from the samples"
        centers = self.expansion.centers + self.expansion.origin
        named = [row for row in largest.tolist() if summed(mean, float(terms[row]), beside=size)[2]]
        if named:
            parts = (f"{number(float(terms[row]), 3)} at {place(centers[row])}" for row in named)
            told += f"; the largest parts: {', '.join(parts)}"
        of_function = float(self.predict_std(x[None])[0][0])
        told += f"; standard deviation {number(of_function)} of the function"
        return Explanation(f"{told}.", self._shown(x, value, named), measured=True)

    def _shown(self, x: Array, value: float, rows: Sequence[int]) -> tuple[Mark, ...]:
        """The prediction, and rings about the samples that are told of."""
        marks: list[Mark] = []
        if isinstance(self.seen, SeenSamples | SeenInFeatures) and rows and len(x) <= 2:
            at = self.X[rows] if len(x) == 2 else np.column_stack((self.X[rows, 0], self.y[rows]))
            marks.append(Points("influence", at))
        if len(x) == 1:
            marks.append(Points("now", np.array([[x[0], value]])))
        return tuple(marks)
