"""The mean squared residual, with or without an L2 penalty, and as a surface over two weights."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.convex.loss_surface import Ends
from mlviz.numerics.convex.mean_loss import MeanLoss
from mlviz.spec.brief import Brief


class SquaredLoss(MeanLoss):
    """sum_i share_i (y_i - a_i.theta)^2 + sum_j penalty_j theta_j^2."""

    bend = 2.0

    @property
    def slope_scales(self) -> Array:
        """The steepest slopes there can be where all parameters are 0, (m,)."""
        return np.asarray(2 * np.abs(self.inputs) @ (self.shares * np.abs(self.y)))

    def value(self, at: Array) -> tuple[float, Array]:
        """The loss, and the residuals (n,)."""
        residuals = self.y - at @ self.inputs
        return float(self.shares @ residuals**2 + self.penalty @ at**2), residuals

    def gradient(self, at: Array, known: Array) -> Array:
        """The gradient (m,)."""
        return 2 * (self.penalty * at - self.inputs @ (self.shares * known))


@dataclass(frozen=True, eq=False)
class SquaredSurface(Brief):
    """sum_i share_i (y_i - u p_i - v q_i - b)^2 + square_1 u^2 + square_2 v^2 + price_1 |u| + price_2 |v|

    b is the best one for each (u, v) if it is `free`, else 0.
    """

    columns: Array
    """(2, n): p and q."""
    y: Array
    shares: Array
    squares: Array
    """(2,)."""
    prices: Array
    """(2,)."""
    free: bool

    @cached_property
    def _bowl(self) -> tuple[Array, float, Array]:
        """Its lowest place (2,) without penalties, how high it is there, and its curvature (2, 2): nothing cancels."""
        root = np.sqrt(self.shares)
        columns, y = self.columns, self.y
        if self.free:
            columns, y = columns - (columns @ self.shares)[:, None], y - self.shares @ y
        A = (columns * root).T
        place = np.asarray(np.linalg.lstsq(A, root * y, rcond=None)[0], dtype=np.float64)
        return place, float(np.sum((root * y - A @ place) ** 2)), np.asarray(A.T @ A, dtype=np.float64)

    def values(self, x: Array, y: Array, work: int = 0, about: tuple[Ends, Ends] = ((), ())) -> Array:
        """The surface at the nodes x (nx,) and y (ny,), (ny, nx)."""
        place, least, curvature = self._bowl
        u, v = x - place[0], (y - place[1])[:, None]
        bowl = least + curvature[0, 0] * u**2 + 2 * curvature[0, 1] * u * v + curvature[1, 1] * v**2
        across, up = (s * at**2 + p * np.abs(at) for s, p, at in zip(self.squares, self.prices, (x, y), strict=True))
        return np.asarray(bowl + across + up[:, None])
