"""The artificial data sets that there are, and their ids in scene files."""

from __future__ import annotations

from mlviz.data.generators.base import ClassGenerator, CurveGenerator, Generator, RegressionGenerator
from mlviz.data.generators.classes import (
    Blobs,
    Checkerboard,
    Circles,
    Moons,
    Spirals,
    TwoGaussians,
    UniformNoise,
    Xor,
)
from mlviz.data.generators.regression import (
    HillRegression,
    LinearRegression,
    PolynomialRegression,
    RippleRegression,
    SaddleRegression,
    SineRegression,
    StepRegression,
    TrendRegression,
)

__all__ = [
    "Blobs",
    "Checkerboard",
    "Circles",
    "ClassGenerator",
    "CurveGenerator",
    "Generator",
    "HillRegression",
    "LinearRegression",
    "Moons",
    "PolynomialRegression",
    "RegressionGenerator",
    "RippleRegression",
    "SaddleRegression",
    "SineRegression",
    "Spirals",
    "StepRegression",
    "TrendRegression",
    "TwoGaussians",
    "UniformNoise",
    "Xor",
    "generators",
]

GENERATORS: tuple[type[Generator], ...] = (
    Blobs,
    TwoGaussians,
    Moons,
    Circles,
    Spirals,
    Xor,
    Checkerboard,
    UniformNoise,
    LinearRegression,
    SineRegression,
    StepRegression,
    PolynomialRegression,
    TrendRegression,
    HillRegression,
    SaddleRegression,
    RippleRegression,
)


def generators() -> dict[str, type[Generator]]:
    """Id -> class of every generator, in the order of the menu."""
    return {generator.id: generator for generator in GENERATORS}
