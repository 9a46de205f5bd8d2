"""The model of kernel ridge regression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import Model, ModelFact
from mlviz.algorithms.facts import GAMMA, LEFT_OUT, RESIDUAL
from mlviz.draw.layer import CODES, Explanation, Names
from mlviz.draw.marks import Points
from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.base import Linear
from mlviz.numerics.kernels.expansion import Expansion


@dataclass(frozen=True, eq=False, kw_only=True)
class KernelRidgeModel(Model):
    """f(x) + b = sum_s dual_coef_s k(x, centers_s) + intercept.

    The centers (m, d) are the samples, or the few that stand for very many.
    """

    X: Array
    """(n, d) the samples."""
    centers: Array
    expansion: Expansion
    fitted: Array | None
    """(n,) the predictions for X, where they are known."""
    norm: float
    """|f|"""
    objective: float
    parameters: float
    """The trace of the matrix that turns y into the predictions."""
    leave_one_out_rmse: float | None
    leave_one_out: Array | None
    """(n,) the residuals that the samples would have had they been left out, where they are known."""
    residual: float
    solved: str
    left_out: float
    """The share of the kernel's trace that the centres do not represent."""
    spread: float
    """How far apart the largest and the smallest prediction are."""
    caveat: str = ""
    field = "predict"

    known_facts = (
        ModelFact(
            "objective",
            lambda m: m.objective,
            "The mean squared residual plus λ|f|², which is made as small as possible.",
        ),
        ModelFact(
            "|f|",
            lambda m: m.norm,
            "Length of the function in the space of the kernel: the smaller it is, the calmer the function.",
        ),
        ModelFact(
            "offset",
            lambda m: m.intercept,
            "b, which is added to the sum of the bumps: the curve falls back to it far from all samples.",
        ),
        ModelFact(
            "effective parameters",
            lambda m: m.parameters,
            "How many numbers the fit can choose freely: by how much the predictions of all samples follow "
            "their own targets, added up.",
        ),
        ModelFact(
            "leave-one-out RMSE",
            lambda m: m.leave_one_out_rmse,
            "Root of the mean squared error at each sample when the fit is made without it; nλ stays as it is.",
        ),
        GAMMA,
        ModelFact(
            "unknowns",
            lambda m: m.solved,
            "What the equations are solved for: whichever is fewer and loses fewer digits.",
            level="solver",
        ),
        LEFT_OUT,
        RESIDUAL,
    )

    @property
    def cost(self) -> int:  # type: ignore[override]
        """That of f; nothing to speak of where the samples' predictions are known."""
        return self.expansion.cost if self.fitted is None else 1

    @property
    def dual_coef(self) -> Array:
        """(m,)."""
        return self.expansion.coef

    @property
    def coef(self) -> Array | None:
        """The weights (d,) with the linear kernel, else None."""
        if not isinstance(self.expansion.kernel, Linear):
            return None
        features = self.expansion.feature_sum
        return self.dual_coef @ self.expansion.centers if features is None else features.w

    @property
    def intercept(self) -> float:
        """The offset b."""
        w = self.coef
        return self.expansion.base if w is None else self.expansion.offset - float(w @ self.expansion.origin)

    def predict(self, X: Array) -> Array:
        """The predicted values, (n,)."""
        # Asked for the samples themselves, as the residuals do, there is nothing to compute.
        return self.expansion.at(X) if self.fitted is None or X is not self.X else self.fitted.copy()

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> NDArray[Any]:
        """The predicted values at every node, (ny, nx)."""
        return self.expansion.on_grid(grid, dtype, finest=1e-4 * self.spread)

    def explain(self, x: Array, names: Names = CODES) -> Explanation:
        """The prediction as offset and terms, the largest of which is named."""
        value = float(self.predict(x[None])[0])
        marks = (Points("now", np.array([[x[0], value]])),) if len(x) == 1 else ()
        offset = self.intercept
        # With the linear kernel that is the value at x = 0, and the parts are those of w.x.
        place = x if self.coef is None else x + self.expansion.origin
        terms = self.expansion.terms(place[None])[0]
        sign = "+" if value >= offset else "-"
        told = f"prediction {value:.4g} = offset {offset:.4g} {sign} {abs(value - offset):.4g} from the samples"
        largest = int(np.argmax(np.abs(terms)))
        if self.expansion.feature_sum is None and terms[largest] != 0:
            where = ", ".join(f"{c:.3g}" for c in self.centers[largest])
            told += f"; the largest part, {terms[largest]:.4g}, from the one at {where}"
        return Explanation(f"{told}.", marks, measured=True)
