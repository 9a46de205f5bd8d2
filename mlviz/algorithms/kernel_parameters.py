"""The hyperparameters that choose a kernel, declared once for all kernel methods."""

from __future__ import annotations

from typing import Any

from mlviz.numerics.kernels import Gaussian, Kernel, Laplacian, Linear, Polynomial
from mlviz.spec import choice, integer, real


def kernel() -> Any:
    """Declare which kernel; the fields below go with it, under their own names."""
    return choice(
        "gaussian", "linear", "polynomial", "laplacian", help="which similarity of two samples stands for their product"
    )


def sigma() -> Any:
    """Declare the width of the Gaussian and the Laplacian kernel."""
    return real(
        1.0,
        soft=(0.05, 20.0),
        valid=(1e-9, 1e9),
        log=True,
        help="width of the kernel: how far a sample's influence reaches",
        label="σ",
        when=("kernel", ("gaussian", "laplacian")),
        equivalent=lambda owner, n: _gamma_text(owner),
    )


def degree() -> Any:
    """Declare the degree of the polynomial kernel."""
    return integer(3, soft=(1, 9), valid=(1, 9), help="degree of the polynomial", when=("kernel", ("polynomial",)))


def coef0() -> Any:
    """Declare the constant of the polynomial kernel."""
    return real(
        1.0,
        soft=(0.0, 10.0),
        valid=(0.0, 1e6),
        help="what is added to the product before the power; 0 leaves the terms of the highest degree only",
        when=("kernel", ("polynomial",)),
    )


def kernel_of(algorithm: Any) -> Kernel:
    """The kernel that the hyperparameters name."""
    match algorithm.kernel:
        case "linear":
            return Linear()
        case "polynomial":
            return Polynomial(algorithm.degree, algorithm.coef0)
        case "laplacian":
            return Laplacian(algorithm.sigma)
        case _:
            return Gaussian(algorithm.sigma)


def code_of(algorithm: Any) -> str:
    """The arguments with which scikit-learn's functions of a kernel compute this one."""
    match algorithm.kernel:
        case "linear":
            return 'kernel="linear"'
        case "polynomial":
            return f'kernel="poly", gamma=1, degree={algorithm.degree}, coef0={algorithm.coef0!r}'
        case "laplacian":
            return f'kernel="laplacian", gamma=1 / {algorithm.sigma!r}'
        case _:
            return f'kernel="rbf", gamma=1 / (2 * {algorithm.sigma!r}**2)'


def _gamma_text(algorithm: Any) -> str:
    if algorithm.kernel == "laplacian":
        return f"γ = 1/σ = {1 / algorithm.sigma:.3g}"
    return f"γ = 1/(2 σ²) = {1 / (2 * algorithm.sigma**2):.3g}"
