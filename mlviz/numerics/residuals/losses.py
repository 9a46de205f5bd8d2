"""Losses of residuals: powers and Huber's, with their slopes; the pinball loss, and that of a tube.

P. J. Huber, Robust estimation of a location parameter, Annals of Mathematical Statistics 35 (1964) 73-101. Here it is
twice as large as there, so that it is the square of small residuals.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array

_SQUARES = 1e100
"""Huber's loss is that of squares where it bends so far off, in units of the residuals; more may be no number."""


@dataclass(frozen=True)
class Power:
    """The loss |r|^p."""

    p: float

    def in_units(self, unit: float) -> Power:
        """The loss of residuals in other units, but for a factor."""
        return self

    @np.errstate(over="ignore", under="ignore")
    def values(self, r: Array) -> Array:
        """The losses of residuals (n,)."""
        return np.asarray(np.abs(r) ** self.p)

    @np.errstate(over="ignore", under="ignore")
    def slopes(self, r: Array) -> Array:
        """The derivatives (n,); 0 where there is none."""
        size = np.abs(r)
        safe = np.where(size > 0, size, 1.0)
        return np.where(size > 0, self.p * np.sign(r) * safe ** (self.p - 1), 0.0)

    @np.errstate(over="ignore", under="ignore")
    def weights(self, r: Array, least: float) -> Array:
        """With which weights (n,) squares have these slopes; a residual counts as at least so large."""
        return np.asarray(self.p / 2 * np.maximum(np.abs(r), least) ** (self.p - 2))

    @np.errstate(under="ignore")
    def relative_weights(self, r: Array, least: float) -> Array:
        """The same (n,) as shares of the largest, which itself may be larger than any number."""
        size = np.maximum(np.abs(r), least)
        return np.asarray((size / (size.min() if self.p < 2 else size.max())) ** (self.p - 2))


@dataclass(frozen=True)
class Huber:
    """The loss r^2 up to |r| = delta, and from there on a straight line of the same slope: 2 delta |r| - delta^2."""

    delta: float

    def in_units(self, unit: float) -> Huber:
        """The loss of residuals in other units, but for a factor."""
        return Huber(min(self.delta / unit, _SQUARES))

    def values(self, r: Array) -> Array:
        """The losses of residuals (n,)."""
        inside = np.minimum(np.abs(r), self.delta)
        return np.asarray(inside**2 + 2 * self.delta * (np.abs(r) - inside))

    def slopes(self, r: Array) -> Array:
        """The derivatives (n,)."""
        return np.asarray(2 * np.clip(r, -self.delta, self.delta))

    def weights(self, r: Array, least: float) -> Array:
        """With which weights (n,) squares have these slopes; a residual counts as at least so large."""
        return np.asarray(self.delta / np.maximum(np.maximum(np.abs(r), least), self.delta))

    def relative_weights(self, r: Array, least: float) -> Array:
        """The same (n,) as shares of the largest."""
        weights = self.weights(r, least)
        return np.asarray(weights / weights.max())


Loss = Power | Huber


def pinball(r: Array, tau: float) -> Array:
    """The pinball losses of residuals (n,): tau times those above 0, 1 - tau times the size of those below."""
    return np.maximum(tau * r, (tau - 1) * r)


def insensitive(r: Array, epsilon: float) -> Array:
    """The epsilon-insensitive losses of residuals (n,): by how much they are larger than epsilon."""
    return np.maximum(0.0, np.abs(r) - epsilon)
