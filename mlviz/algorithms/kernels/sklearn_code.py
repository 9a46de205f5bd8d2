"""Kernels as Python's formulas, for the lines that come to the same with scikit-learn."""

from __future__ import annotations

from mlviz.numerics.kernels.anova import Anova
from mlviz.numerics.kernels.base import Exponential, Gaussian, Kernel, Laplacian, Linear, Polynomial
from mlviz.numerics.kernels.composite import Constant, Exp, Power, Product, Sum


def formula(kernel: Kernel) -> str:
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
                formula(part) if weight == 1 else f"{weight!r} * {_inside(part)}" for weight, part in terms
            )
        case Product(kernels):
            return " * ".join(_inside(part) for part in kernels)
        case Power(base, exponent):
            return f"({formula(base)}) ** {exponent}"
        case Exp(inner):
            return f"np.exp({formula(inner)})"
        case Anova(inner):
            return f"sum({formula(inner)} for a, b in zip(a[:, None], b[:, None]))"
    raise TypeError(f"not a kernel that has a formula: {kernel!r}")


def _inside(kernel: Kernel) -> str:
    """The formula as a factor."""
    simple = isinstance(kernel, Gaussian | Laplacian | Exponential | Exp | Anova | Constant)
    return formula(kernel) if simple else f"({formula(kernel)})"
