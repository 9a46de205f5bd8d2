"""Values to predict: known functions of x1, or of both inputs, with noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mlviz.data.generators.base import INPUTS, CurveGenerator, SurfaceGenerator, samples
from mlviz.numerics.arrays import Array
from mlviz.spec import integer, real


def _slope(default: float) -> Any:
    return real(default, soft=(-2.0, 2.0), valid=(-100.0, 100.0), help="slope of the true line")


def _height(default: float, help: str) -> Any:
    return real(default, soft=(0.0, 3.5), valid=(0.0, 100.0), help=help, label="amplitude")


def _period(default: float) -> Any:
    return real(default, soft=(1.0, 14.0), valid=(1e-6, 1000.0), log=True, help="length of one period")


@dataclass(frozen=True)
class LinearRegression(CurveGenerator):
    """A straight line with noise."""

    id, label = "linear", "line with noise"
    slope: float = _slope(0.7)
    intercept: float = real(0.0, soft=(-2.0, 2.0), valid=(-100.0, 100.0), help="value of the true line at 0")

    def regression_function(self, x: Array) -> Array:
        """The line slope * x + intercept."""
        return self.slope * x + self.intercept


@dataclass(frozen=True)
class SineRegression(CurveGenerator):
    """A sine wave with noise: no straight line fits it."""

    id, label = "sine", "sine with noise"
    amplitude: float = _height(2.0, "height of the crests above the middle of the wave")
    period: float = _period(5.0)

    def regression_function(self, x: Array) -> Array:
        """The wave amplitude * sin(2π x / period)."""
        return self.amplitude * np.sin(2 * np.pi * x / self.period)


@dataclass(frozen=True)
class StepRegression(CurveGenerator):
    """Stairs with noise: flat stretches and jumps, which smooth curves round off."""

    id, label = "step", "steps with noise"
    amplitude: float = _height(2.0, "the stairs lead from minus this up to this")
    steps: int = integer(1, soft=(1, 8), valid=(1, 100), help="number of jumps, evenly spread")

    def jumps(self) -> Array:
        """Where the jumps are (m,)."""
        return np.linspace(-3.5, 3.5, self.steps + 2)[1:-1]

    def regression_function(self, x: Array) -> Array:
        """As many equal steps above -amplitude as there are jumps up to x."""
        return self.amplitude * (2 * np.searchsorted(self.jumps(), x, side="right") / self.steps - 1)


@dataclass(frozen=True)
class PolynomialRegression(CurveGenerator):
    """A polynomial with noise; it is the Chebyshev polynomial of its degree, whose waves are all equally high."""

    id, label = "polynomial", "polynomial with noise"
    degree: int = integer(3, soft=(0, 9), valid=(0, 100), help="degree of the true polynomial")
    amplitude: float = _height(2.0, "height of the crests above the middle of the waves")

    def regression_function(self, x: Array) -> Array:
        """The polynomial amplitude * T_degree(x / 3.5)."""
        return np.asarray(self.amplitude * np.polynomial.Chebyshev.basis(self.degree)(np.asarray(x) / 3.5))


@dataclass(frozen=True)
class TrendRegression(CurveGenerator):
    """A wave about a rising line with noise: what is periodic goes on beyond the samples, a polynomial doesn't."""

    id, label = "periodic-plus-trend", "wave on a line"
    noise: float = real(0.25, soft=(0.0, 2.0), valid=(0.0, 100.0), help="standard deviation of the noise on the target")
    slope: float = _slope(0.5)
    amplitude: float = _height(1.0, "height of the crests above the middle of the wave")
    period: float = _period(2.0)

    def regression_function(self, x: Array) -> Array:
        """The line slope * x plus the wave amplitude * sin(2π x / period)."""
        return self.slope * x + self.amplitude * np.sin(2 * np.pi * x / self.period)


@dataclass(frozen=True)
class HillRegression(SurfaceGenerator):
    """A hill beside a hollow, over the plane, with noise: a plane through the values misses both."""

    id, label = "hill", "hill and hollow"
    amplitude: float = _height(2.0, "height of the hill, and depth of the hollow")
    width: float = real(1.3, soft=(0.3, 3.0), valid=(1e-3, 100.0), help="standard deviation of either, a Gaussian")

    def true_values(self, X: Array) -> Array:
        """The Gaussians amplitude * exp(-|x - c|² / 2 width²): one about (1.3, 1), less one about (-1.3, -1)."""
        middle = np.array([1.3, 1.0])
        up, down = (np.exp(-((X - c) ** 2).sum(axis=1) / (2 * self.width**2)) for c in (middle, -middle))
        return np.asarray(self.amplitude * (up - down))


@dataclass(frozen=True)
class SaddleRegression(SurfaceGenerator):
    """A saddle over the plane with noise: each input alone says nothing, their product all."""

    id, label = "saddle", "saddle"
    amplitude: float = _height(2.0, "height at the upper right corner of the samples")

    def true_values(self, X: Array) -> Array:
        """The saddle amplitude * x1 x2 / 3.5²."""
        return np.asarray(self.amplitude * X[:, 0] * X[:, 1] / INPUTS[1] ** 2)


@dataclass(frozen=True)
class RippleRegression(SurfaceGenerator):
    """Rings about the middle of the plane, with noise: a narrow kernel follows them, a wide one smooths them away."""

    id, label = "ripple", "ripple"
    n_samples: int = samples(200, 1000)
    amplitude: float = _height(1.5, "height of the crests above the middle of the waves")
    period: float = _period(4.0)

    def true_values(self, X: Array) -> Array:
        """The waves amplitude * cos(2π |x| / period)."""
        return np.asarray(self.amplitude * np.cos(2 * np.pi * np.hypot(X[:, 0], X[:, 1]) / self.period))
