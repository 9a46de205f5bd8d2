"""The mean squared residual, with or without an L2 penalty, and as a surface over two weights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.convex.loss_surface import Ends
from mlviz.numerics.convex.mean_loss import MeanLoss
from mlviz.numerics.convex.newton import Iterate, least_slope, soft_threshold
from mlviz.spec.brief import Brief

_STILL = 1e-8
"""A slope below this share of the steepest one there can be along its parameter is none."""


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

    def coordinate_descent(self, prices: Array, start: Array, most: int) -> Iterator[Iterate]:
        """Yield the start and the place after each step, which sets one parameter to the best one for the others.

        The parameters have their turn one after the other. The value is that of the loss plus sum_j price_j |at_j|.
        Friedman, Hastie, Höfling and Tibshirani, Annals of Applied Statistics 1 (2007) 302-332.
        """
        still = _STILL * self.slope_scales
        curvature = 2 * (np.square(self.inputs) @ self.shares + self.penalty)
        turns = np.flatnonzero(curvature > 0)
        at, turn = start.copy(), None
        for number in range(most + 1):
            plain, residuals = self.value(at)
            gradient = self.gradient(at, residuals)
            slopes = least_slope(gradient, at, prices)
            settled = bool((np.abs(slopes) <= still).all())
            value, slope = plain + float(prices @ np.abs(at)), float(np.linalg.norm(slopes))
            step = float("nan") if turn is None else 1 / float(curvature[turn])
            yield Iterate(at.copy(), value, slope, number, settled, step, parameter=turn)
            if settled or number == most:
                return
            turn = int(turns[number % len(turns)])
            lowest = at[turn] - gradient[turn] / curvature[turn]
            at[turn] = soft_threshold(lowest, prices[turn] / curvature[turn])


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
