"""The mean squared residual, with or without an L2 penalty."""

from __future__ import annotations

from mlviz.numerics.arrays import Array
from mlviz.numerics.convex.mean_loss import MeanLoss


class SquaredLoss(MeanLoss):
    """sum_i share_i (y_i - a_i.theta)^2 + sum_j penalty_j theta_j^2."""

    bend = 2.0

    def value(self, at: Array) -> tuple[float, Array]:
        """The loss, and the residuals (n,)."""
        residuals = self.y - at @ self.inputs
        return float(self.shares @ residuals**2 + self.penalty @ at**2), residuals

    def gradient(self, at: Array, known: Array) -> Array:
        """The gradient (m,)."""
        return 2 * (self.penalty * at - self.inputs @ (self.shares * known))
