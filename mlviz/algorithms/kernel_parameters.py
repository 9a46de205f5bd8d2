"""The hyperparameters that choose a kernel, declared once for all kernel methods."""

from __future__ import annotations

from dataclasses import dataclass

from mlviz.algorithms.base import Algorithm
from mlviz.numerics.kernels import Gaussian, Kernel, Laplacian, Linear, Polynomial
from mlviz.spec import choice, integer, real


@dataclass(frozen=True)
class KernelMethod(Algorithm):
    """A method that knows the samples by a kernel alone."""

    kernel: str = choice(
        "gaussian",
        "linear",
        "polynomial",
        "laplacian",
        help="which similarity of two samples stands for their product",
    )
    sigma: float = real(
        1.0,
        soft=(0.05, 20.0),
        valid=(1e-9, 1e9),
        log=True,
        help="width of the kernel: how far a sample's influence reaches",
        label="σ",
        when=("kernel", ("gaussian", "laplacian")),
        equivalent=lambda owner, n: owner.gamma_text(),
    )
    degree: int = integer(
        3, soft=(1, 9), valid=(1, 9), help="degree of the polynomial", when=("kernel", ("polynomial",))
    )
    coef0: float = real(
        1.0,
        soft=(0.0, 10.0),
        valid=(0.0, 1e6),
        help="what is added to the product before the power; 0 leaves the terms of the highest degree only",
        when=("kernel", ("polynomial",)),
    )

    def kernel_function(self) -> Kernel:
        """The kernel that the hyperparameters name."""
        match self.kernel:
            case "linear":
                return Linear()
            case "polynomial":
                return Polynomial(self.degree, self.coef0)
            case "laplacian":
                return Laplacian(self.sigma)
            case _:
                return Gaussian(self.sigma)

    def kernel_code(self) -> str:
        """The arguments with which scikit-learn's functions of a kernel compute this one."""
        match self.kernel:
            case "linear":
                return 'kernel="linear"'
            case "polynomial":
                return f'kernel="poly", gamma=1, degree={self.degree}, coef0={self.coef0!r}'
            case "laplacian":
                return f'kernel="laplacian", gamma=1 / {self.sigma!r}'
            case _:
                return f'kernel="rbf", gamma=1 / (2 * {self.sigma!r}**2)'

    def gamma_text(self) -> str:
        """The width in scikit-learn's convention."""
        if self.kernel == "laplacian":
            return f"γ = 1/σ = {1 / self.sigma:.3g}"
        return f"γ = 1/(2 σ²) = {1 / (2 * self.sigma**2):.3g}"
