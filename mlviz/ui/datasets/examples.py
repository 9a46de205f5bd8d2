"""Data that show one thing about classifiers, each drawn by a generator with parameters of its own. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

from mlviz.data.generators.catalog import Checkerboard, Circles, Generator, Moons, TwoGaussians, Xor


@dataclass(frozen=True)
class Example:
    """A title for the menu, what there is to be seen, and where the samples come from."""

    title: str
    about: str
    generator: Generator


EXAMPLES = (
    Example(
        "Separable classes",
        "A line separates them: see perceptron, hard margin, and how many lines would do.",
        TwoGaussians(sigma=0.5, sigma_2=0.5, n_samples=60),
    ),
    Example(
        "Overlapping classes",
        "No method is right everywhere: see slack, probabilities, the doubt of a reject option.",
        TwoGaussians(sigma=1.2, sigma_2=1.2, n_samples=120),
    ),
    Example(
        "A rare class",
        "One class is ten times rarer: see class weights, thresholds and costs.",
        TwoGaussians(sigma=1.1, sigma_2=1.1, n_samples=220, imbalance=10.0),
    ),
    Example(
        "Classes of different spread",
        "Their true boundary is curved: see quadratic against linear discriminant analysis.",
        TwoGaussians(sigma=0.4, sigma_2=1.4, n_samples=160),
    ),
    Example(
        "A ring around a disc",
        "No line helps, a circle does: see kernels, and polynomials of degree 2.",
        Circles(n_samples=120),
    ),
    Example(
        "Exclusive or",
        "Each input alone says nothing: see a product of inputs, and why an additive kernel fails.",
        Xor(n_samples=120),
    ),
    Example(
        "Wrong labels",
        "One label in ten is wrong: see overfitting, and what regularization forgives.",
        Moons(n_samples=120, label_noise=0.1),
    ),
    Example(
        "A checkerboard",
        "Many small regions: see the width of a kernel, and the number of neighbours.",
        Checkerboard(n_samples=300),
    ),
)
