"""The hyperparameters that choose a kernel, declared once for all kernel methods."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.base import Algorithm, CannotFit
from mlviz.draw.numbers import number
from mlviz.numerics.arrays import Array
from mlviz.numerics.kernels import algebra
from mlviz.numerics.kernels import expression as kernel_expression
from mlviz.numerics.kernels.base import Exponential, Gaussian, Kernel, Laplacian, Linear, Polynomial
from mlviz.numerics.kernels.composite import Anova, Constant, Exp, Power, Product, Sum
from mlviz.numerics.kernels.expansion import largest_value
from mlviz.numerics.linalg.cholesky import eigenvalues, is_positive
from mlviz.numerics.sampling import subsample
from mlviz.spec import choice, integer, real, text

_TOO_LARGE = 1e250
"""Values of a kernel from here on can't be computed with."""
_JUDGED = 500
"""With more samples, so many of them tell whether a kernel is positive semidefinite."""


@dataclass(frozen=True)
class KernelMethod(Algorithm, abstract=True):
    """A method that knows the samples by a kernel alone."""

    kernel: str = choice(
        "gaussian",
        "linear",
        "polynomial",
        "laplacian",
        "exponential",
        "expression",
        help="which similarity of two samples stands for their product; an expression puts several together",
    )
    sigma: float = real(
        1.0,
        soft=(0.05, 20.0),
        valid=(1e-9, 1e9),
        log=True,
        help="width of the kernel: how far a sample's influence reaches",
        label="σ",
        when=("kernel", ("gaussian", "laplacian", "exponential")),
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
    expression: str = text(
        "gaussian(0.5) + 0.1*linear^2",
        grammar=kernel_expression.parse,
        numbers=kernel_expression.numbers,
        help="kernels put together by +, * and ^ from numbers, linear, gaussian(σ), laplacian(σ), exponential(σ), "
        "polynomial(m, c), homogeneous(m), exp(kernel), and anova(kernel), which adds up a kernel of each input alone",
        when=("kernel", ("expression",)),
    )

    def kernel_function(self) -> Kernel:
        """The kernel that the hyperparameters name."""
        makers: dict[str, Callable[[], Kernel]] = {
            "linear": Linear,
            "polynomial": lambda: Polynomial(self.degree, self.coef0),
            "gaussian": lambda: Gaussian(self.sigma),
            "laplacian": lambda: Laplacian(self.sigma),
            "exponential": lambda: Exponential(self.sigma),
            "expression": lambda: kernel_expression.parse(self.expression),
        }
        return makers[self.kernel]()

    def kernel_for(self, X: Array) -> Kernel:
        """The kernel, to be used on the samples X (n, d); raises `CannotFit` where it is no product of features."""
        kernel = self.kernel_function()
        if not any(algebra.numbers(kernel)):
            raise CannotFit("This kernel is 0 for all samples, as its terms cancel: change a number, or take one out.")
        if kernel.positive or not len(X):
            return kernel
        chosen = X[subsample(np.lexsort(X.T[::-1]), _JUDGED)]
        with np.errstate(over="ignore", invalid="ignore"):
            K = kernel.matrix(chosen, chosen)
        # Values too large for this are refused wherever they are to be computed with.
        if np.abs(K).max() < _TOO_LARGE and not is_positive(K):
            raise CannotFit(
                "This kernel is not positive semi-definite: on these samples its Gram matrix has the eigenvalue "
                f"{number(eigenvalues(K)[-1])}. A kernel is a product of feature vectors, whose Gram matrix has no "
                "negative eigenvalue: take its minus sign out or add a larger kernel."
            )
        return kernel

    def kernel_code(self) -> str:
        """The arguments with which scikit-learn's functions of two samples' kernel compute this one."""
        known = {
            "linear": 'kernel="linear"',
            "polynomial": f'kernel="poly", gamma=1, degree={self.degree}, coef0={self.coef0!r}',
            "laplacian": f'kernel="laplacian", gamma=1 / {self.sigma!r}',
            "gaussian": f'kernel="rbf", gamma=1 / (2 * {self.sigma!r}**2)',
        }
        return known.get(self.kernel) or f"kernel=lambda a, b: {python_expression(self.kernel_function())}"

    def matrix_kernel_code(self) -> tuple[tuple[str, ...], str]:
        """Lines to import, and the arguments with which SVC computes the kernel: a function gives a whole matrix."""
        if self.kernel in ("linear", "polynomial", "gaussian"):
            return (), self.kernel_code()
        kernel = self.kernel_code().replace("kernel=", "metric=", 1)
        imports = ("from sklearn.metrics.pairwise import pairwise_kernels",)
        return imports, f"kernel=lambda A, B: pairwise_kernels(A, B, {kernel})"

    def gamma_text(self) -> str:
        """The width in scikit-learn's convention."""
        squared = f"γ = 1/(2 σ²) = {number(1 / (2 * self.sigma**2))}"
        return squared if self.kernel == "gaussian" else f"γ = 1/σ = {number(1 / self.sigma)}"


def unit_of(kernel: Kernel, places: Array) -> float:
    """The largest k(x, x) at the places (n, d), by which values are divided; 1 where that is next to nothing.

    Raises `CannotFit` where values can't be computed with.
    """
    unit = largest_value(kernel, places)
    if not unit < _TOO_LARGE:
        raise CannotFit("The kernel's values are too large to compute with: standardize the inputs.")
    return unit if unit > 1 / _TOO_LARGE else 1.0


def python_expression(kernel: Kernel) -> str:
    """The kernel of two places ``a`` and ``b``, each (d,)."""
    match kernel:
        case Linear():
            return "a @ b"
        case Polynomial(degree, coef0):
            return f"(a @ b + {coef0!r}) ** {degree}"
        case Gaussian(sigma):
            return f"np.exp(-(a - b) @ (a - b) / (2 * {sigma!r}**2))"
        case Laplacian(sigma):
            return f"np.exp(-np.abs(a - b).sum() / {sigma!r})"
        case Exponential(sigma):
            return f"np.exp(-np.linalg.norm(a - b) / {sigma!r})"
        case Constant(value):
            return repr(value)
        case Sum(terms):
            return " + ".join(
                python_expression(part) if weight == 1 else f"{weight!r} * {_inside(part)}" for weight, part in terms
            )
        case Product(kernels):
            return " * ".join(_inside(part) for part in kernels)
        case Power(base, exponent):
            return f"({python_expression(base)}) ** {exponent}"
        case Exp(inner):
            return f"np.exp({python_expression(inner)})"
        case Anova(inner):
            return f"sum({python_expression(inner)} for a, b in zip(a[:, None], b[:, None]))"
    raise TypeError(f"not a kernel that has a formula: {kernel!r}")


def _inside(kernel: Kernel) -> str:
    """The formula as a factor."""
    simple = isinstance(kernel, Gaussian | Laplacian | Exponential | Exp | Anova | Constant)
    return python_expression(kernel) if simple else f"({python_expression(kernel)})"
