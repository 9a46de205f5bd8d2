"""The kernels whose sum a kernel is, what they are called, and the functions that an expansion is the sum of.

f(x) = sum_i c_i k(x_i, x) with k = k_1 + k_2 + ... is f_1 + f_2 + ..., each in the space of its own kernel. An ANOVA
kernel is a sum over the inputs. Schölkopf and Smola, Learning with Kernels (2002), sections 13.1 and 13.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import as_dtype, far_away
from mlviz.numerics.kernels.base import Exponential, Gaussian, Kernel, Laplacian, Linear, Polynomial
from mlviz.numerics.kernels.composite import Anova, Constant, Exp, Power, Product, Sum
from mlviz.numerics.kernels.expansion import Expansion
from mlviz.numerics.kernels.on_grid import rows_in_blocks


@dataclass(frozen=True)
class Part:
    """A number times a kernel of all inputs, or of one alone."""

    weight: float
    kernel: Kernel
    only: int | None = None

    @property
    def written(self) -> str:
        """The kernel as an expression, without the input."""
        return _weighted(self.weight, self.kernel)

    def values(self, X: Array, centers: Array, coef: Array) -> Array:
        """Its sum over the centres at the rows of X (n, d): (n,)."""
        if self.only is not None:
            X, centers = (np.ascontiguousarray(A[:, self.only, None]) for A in (X, centers))
        return rows_in_blocks(X, len(centers), lambda rows: self.kernel.matrix(rows, centers) @ (self.weight * coef))


def parts_of(kernel: Kernel, d: int) -> tuple[Part, ...]:
    """The terms of a kernel of d inputs; a single one where it is no sum."""
    return tuple(_parts(kernel, d, 1.0))


def _parts(kernel: Kernel, d: int, weight: float) -> Iterator[Part]:
    match kernel:
        case Sum(terms):
            for factor, term in terms:
                yield from _parts(term, d, weight * factor)
        case Anova(inner) if d > 1:
            yield from (replace(part, only=j) for j in range(d) for part in _parts(inner, 1, weight))
        case _:
            yield Part(weight, kernel)


@far_away
def functions_of(expansion: Expansion, parts: tuple[Part, ...], X: Array) -> Array:
    """The function of each part at the rows of X (n, d), (n, p): with `expansion.base` they add up to its values."""
    # Counted from the origin they would be others where the kernel minds, and the base as well.
    origin = expansion.origin if expansion.kernel.shift_invariant else np.zeros_like(expansion.origin)
    places, centers = X - origin, expansion.centers + (expansion.origin - origin)
    return as_dtype(np.column_stack([part.values(places, centers, expansion.coef) for part in parts]), np.float64)


def written(kernel: Kernel) -> str:
    """The kernel as an expression that can be read again."""
    match kernel:
        case Linear():
            return "linear"
        case Polynomial(degree, coef0):
            return f"polynomial({degree}, {coef0:g})" if coef0 else f"homogeneous({degree})"
        case Gaussian(sigma) | Laplacian(sigma) | Exponential(sigma):
            return f"{type(kernel).__name__.lower()}({sigma:g})"
        case Constant(value):
            return f"{value:g}"
        case Sum(terms):
            return " + ".join(_weighted(weight, part) for weight, part in terms)
        case Product(kernels):
            return "*".join(_factor(part) for part in kernels)
        case Power(base, exponent):
            return f"{_factor(base)}^{exponent}"
        case Exp(inner) | Anova(inner):
            return f"{type(kernel).__name__.lower()}({written(inner)})"
    raise TypeError(f"not a kernel that has an expression: {kernel!r}")


def _weighted(weight: float, kernel: Kernel) -> str:
    if isinstance(kernel, Constant):
        return f"{weight * kernel.value:g}"
    return written(kernel) if weight == 1 else f"{weight:g}*{_factor(kernel)}"


def _factor(kernel: Kernel) -> str:
    return f"({written(kernel)})" if isinstance(kernel, Sum | Product) else written(kernel)
