"""What kernel methods share: the hyperparameters that choose a kernel, and the samples as it sees them.

Those that hold their function back by λ|f|² have the strength of that in common, too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from mlviz.algorithms.base import Algorithm, CannotFit, Model, ModelFact
from mlviz.draw.numbers import number
from mlviz.numerics.arrays import Array
from mlviz.numerics.kernels import algebra, expression
from mlviz.numerics.kernels.base import Exponential, Gaussian, Kernel, Laplacian, Linear, Polynomial
from mlviz.numerics.kernels.composite import Anova, Constant, Exp, Power, Product, Sum
from mlviz.numerics.kernels.expansion import Expansion, largest_value, origin_for
from mlviz.numerics.kernels.features import Features, Nystroem, features_of
from mlviz.numerics.linalg.cholesky import eigenvalues, is_positive
from mlviz.numerics.pauses import Work, finished, square
from mlviz.numerics.sampling import subsample
from mlviz.spec import choice, integer, real, text
from mlviz.spec.brief import Brief

ROUGH_ERROR = 1e-4
"""Predictions and log odds off by more than this share of their range are not called solved."""
_TOO_LARGE = 1e250
"""Values of a kernel from here on can't be computed with."""
_JUDGED = 500
"""With more samples, so many of them tell whether a kernel is positive semidefinite."""


def gamma_text(kernel: str, sigma: float) -> str:
    """The width of a kernel in scikit-learn's convention."""
    return f"γ = 1/(2 σ²) = {number(1 / (2 * sigma**2))}" if kernel == "gaussian" else f"γ = 1/σ = {number(1 / sigma)}"


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
        equivalent=lambda owner, n: gamma_text(owner.kernel, owner.sigma),
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
        grammar=expression.parse,
        numbers=expression.numbers,
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
            "expression": lambda: expression.parse(self.expression),
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

    def kernel_code(self, laplacian_known: bool = True) -> str:
        """The arguments with which scikit-learn's functions of two samples' kernel compute this one."""
        known = {
            "linear": 'kernel="linear"',
            "polynomial": f'kernel="poly", gamma=1, degree={self.degree}, coef0={self.coef0!r}',
            "laplacian": f'kernel="laplacian", gamma=1 / {self.sigma!r}' if laplacian_known else "",
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


TOO_SMALL = "λ is too small to compute with here: raise it."
MOST_SAMPLES = 3000
"""With more samples than this, a part of them as centres stands for all."""
_CANDIDATES = 2000
"""From so many samples, drawn at random, the centres are chosen."""


def _scikit_learns_alpha(method: RegularizedKernelMethod, n: int) -> str:
    return f"scikit-learn: alpha = n λ = {number(n * method.lambda_, 4)}"


def strength(help: str, equivalent: Callable[[Any, int], str] = _scikit_learns_alpha, **others: Any) -> Any:
    """Declare how strongly the function is held back."""
    limits: dict[str, Any] = {"soft": (1e-6, 10.0), "valid": (1e-12, 1e9), "log": True}
    return real(0.01, label="λ", help=help, equivalent=equivalent, **limits, **others)


@dataclass(frozen=True)
class RegularizedKernelMethod(KernelMethod, abstract=True):
    """A kernel method whose function is held back by λ|f|²."""

    lambda_: float = strength("strength of the penalty: large for a calm function, small for small residuals")


@dataclass(frozen=True, eq=False, kw_only=True)
class KernelData(Brief):
    """Samples X (n, d) seen by a kernel.

    Places count from the `origin`, and the kernel is divided by `unit`, its largest k(x, x): both keep digits.
    """

    kernel: Kernel
    X: Array
    origin: Array
    unit: float

    @classmethod
    def of(cls, kernel: Kernel, X: Array, **others: Any) -> Self:
        """The samples seen by the kernel, and whatever else there is to know; raises `CannotFit`."""
        origin = origin_for(kernel, X)
        return cls(kernel=kernel, X=X, origin=origin, unit=unit_of(kernel, X - origin), **others)

    @cached_property
    def places(self) -> Array:
        """(n, d), counted from the origin."""
        return self.X - self.origin

    @cached_property
    def features(self) -> Features | None:
        """The kernel's features, where they are few: there is less to solve in them, and no digits are lost."""
        return features_of(self.kernel, *self.X.shape)

    @property
    def many(self) -> bool:
        """Whether a part of the samples as centres is to stand for all."""
        return len(self.X) > MOST_SAMPLES

    def gram(self, A: Array | None = None, B: Array | None = None) -> Array:
        """k(a, b), in units of `unit`, for the rows of A and B, counted from the origin: without them, all places."""
        if A is None:
            return finished(self.whole_gram())
        K = self.kernel.matrix(A, self.places if B is None else B)
        if self.unit != 1:
            K /= self.unit
        return K

    def whole_gram(self) -> Work[Array]:
        """Work out `gram` of all places; pauses where they are many."""
        return square(len(self.places), lambda rows: self.gram(self.places[rows]))

    def nystroem(self, rng: np.random.Generator, targets: Array, most: int, least: float) -> Nystroem:
        """At most so many centres, chosen from samples drawn at random, whatever the order of samples and targets."""
        order = np.lexsort((targets, *self.X.T[::-1]))
        drawn = np.sort(rng.choice(len(order), min(_CANDIDATES, len(order)), replace=False))
        return Nystroem.of(self.kernel, self.places[order[drawn]], most, least)


GAMMA = ModelFact(
    "gamma",
    lambda m: 1 / (2 * m.expansion.kernel.sigma**2) if isinstance(m.expansion.kernel, Gaussian) else None,
    "The kernel's width in the other convention in use: exp(−γ|x − x'|²) with γ = 1/(2σ²).",
    level="more",
)
LEFT_OUT = ModelFact(
    "left out of the kernel",
    lambda m: m.left_out or None,
    "Share of the kernel's trace at the samples that the centres do not represent.",
    level="solver",
)
RESIDUAL = ModelFact(
    "residual of the equations",
    lambda m: m.residual,
    "Largest relative error with which the solution fulfils its equations.",
    level="solver",
)


@dataclass(frozen=True, eq=False, kw_only=True)
class RegularizedModel(Model):
    """f(x) + b = sum_s dual_coef_s k(x, centers_s) + intercept, with a penalty on |f|.

    The centers (m, d) are the samples, or the few that stand for very many.
    """

    centers: Array
    expansion: Expansion
    norm: float
    """|f|"""
    objective: float
    solved: str
    spread: float
    """How far apart the largest and the smallest value at the samples are."""
    left_out: float = 0.0
    """The share of the kernel's trace that the centres do not represent."""
    caveat: str = ""

    @property
    def dual_coef(self) -> Array:
        """(m,)."""
        return self.expansion.coef
