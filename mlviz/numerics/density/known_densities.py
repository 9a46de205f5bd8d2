"""Densities that are known: of places, curves and boxes that normal noise has blurred.

A curve stands as many places along it, weighted as Gauss and Legendre say: the density of its blurred points is
a sum of Gaussians, right to rounding. That of a box is a product of differences of normal distribution functions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.density.kernel_density import GAUSSIAN, KernelDensity
from mlviz.numerics.grid import Grid
from mlviz.spec.brief import Brief

_PER_PIECE = 16
"""Nodes in each piece of a curve, and how long a piece is at the most, in standard deviations of the noise."""
_PIECE = 2.0
_MOST_PIECES = 400
"""A curve with less noise has no density that can be worked out."""
_TAIL = 7.0
"""Beyond so many standard deviations there is next to nothing."""
Limits = tuple[float, float, float, float]


class KnownDensity(Protocol):
    """A density in the plane."""

    @property
    def limits(self) -> Limits:
        """The rectangle (x0, x1, y0, y1) beyond which there is next to nothing."""

    @property
    def finest(self) -> float:
        """How fine the nodes of a grid must be to see it; infinity where its shape is made of straight edges."""

    def on_grid(self, grid: Grid) -> Array:
        """The density at the nodes, (ny, nx)."""


@dataclass(frozen=True, eq=False)
class BlurredPlaces(Brief):
    """Normal noise of standard deviation `noise` about places (m, 2), each with its share of all, (m,)."""

    places: Array
    shares: Array
    noise: float

    @property
    def limits(self) -> Limits:
        """About all places."""
        return _limits_about(self.places, self.places, self.noise)

    @property
    def finest(self) -> float:
        """The noise: the sum over nodes that far apart misses a part in 10^8."""
        return self.noise

    def on_grid(self, grid: Grid) -> Array:
        """The density at the nodes, (ny, nx)."""
        return KernelDensity(self.places, self.shares, GAUSSIAN, self.noise).on_grid(grid, np.float64)


@dataclass(frozen=True, eq=False)
class BlurredBoxes(Brief):
    """Places anywhere in one of m boxes of the same area, from low (m, 2) to high (m, 2), with noise that may be 0."""

    low: Array
    high: Array
    noise: float = 0.0

    @property
    def limits(self) -> Limits:
        """About all boxes."""
        return _limits_about(self.low, self.high, self.noise)

    @property
    def finest(self) -> float:
        """The noise, if there is any."""
        return self.noise or math.inf

    def on_grid(self, grid: Grid) -> Array:
        """The density at the nodes, (ny, nx)."""
        across, up = (self._inside(nodes, j) for j, nodes in enumerate((grid.x, grid.y)))
        area = (self.high - self.low).prod(axis=1)
        return np.asarray((up / area) @ across.T / len(area))

    def _inside(self, nodes: Array, j: int) -> Array:
        """How probable it is that noise brings each node between the ends of each box along an axis, (nodes, m)."""
        below, above = nodes[:, None] - self.low[:, j], nodes[:, None] - self.high[:, j]
        if self.noise == 0:
            return ((below >= 0) & (above < 0)).astype(np.float64)
        from scipy.special import ndtr

        # From the nearer end: differences of numbers near 1 would have no digits.
        left = np.abs(below) <= np.abs(above)
        near, far = np.where(left, below, -above), np.where(left, above, -below)
        outside = near < 0
        near, far = np.where(outside, near, -far), np.where(outside, far, -near)
        return np.asarray(ndtr(near / self.noise) - ndtr(far / self.noise))


def _limits_about(low: Array, high: Array, noise: float) -> Limits:
    """About boxes from low (m, 2) to high (m, 2), with as much room as the noise takes."""
    (x0, y0), (x1, y1) = low.min(axis=0) - _TAIL * noise, high.max(axis=0) + _TAIL * noise
    return float(x0), float(x1), float(y0), float(y1)


def blurred_curve(
    curve: Callable[[Array], Array],
    low: float,
    high: float,
    noise: float,
    weight: Callable[[Array], Array] = np.ones_like,
) -> BlurredPlaces | None:
    """Points curve(t) for t between low and high, of density `weight`, with noise; None where it is too little."""
    length = float(np.linalg.norm(np.diff(curve(np.linspace(low, high, 1000)), axis=0), axis=1).sum())
    if not noise * _MOST_PIECES * _PIECE > length:
        return None
    pieces = 1 + math.ceil(length / (noise * _PIECE))
    nodes, weights = np.polynomial.legendre.leggauss(_PER_PIECE)
    ends = np.linspace(low, high, pieces + 1)
    t = (ends[:-1, None] + (nodes + 1) / 2 * np.diff(ends)[:, None]).ravel()
    shares = np.tile(weights, pieces) * weight(t)
    return BlurredPlaces(curve(t), shares / shares.sum(), noise)
