"""How kernels are put together: numbers before, equal terms once, and whatever has a simpler name under that name.

A product of numbers is a number, a power of a Gaussian kernel is a narrower one, (x.x' + c)^m is a polynomial kernel.
"""

from __future__ import annotations

from mlviz.numerics.kernels.base import Exponential, Gaussian, Kernel, Laplacian, Linear, Polynomial
from mlviz.numerics.kernels.composite import Anova, Constant, Exp, Power, Product, Sum


def scaled(kernel: Kernel, factor: float) -> Kernel:
    """The kernel times a number."""
    if isinstance(kernel, Constant):
        return Constant(factor * kernel.value)
    if isinstance(kernel, Sum):
        return Sum(tuple((factor * weight, part) for weight, part in kernel.terms))
    return kernel if factor == 1 else Sum(((factor, kernel),))


def plus(first: Kernel, second: Kernel) -> Kernel:
    """The sum of two kernels; equal terms become one."""
    weights: dict[Kernel, float] = {}
    for weight, part in (*_terms(first), *_terms(second)):
        unit, size = (Constant(1.0), part.value) if isinstance(part, Constant) else (part, 1.0)
        weights[unit] = weights.get(unit, 0.0) + weight * size
    terms = tuple((weight, part) for part, weight in weights.items())
    return scaled(terms[0][1], terms[0][0]) if len(terms) == 1 else Sum(terms)


def times(first: Kernel, second: Kernel) -> Kernel:
    """The product of two kernels; numbers come before it."""
    (a, one), (b, other) = _factored(first), _factored(second)
    if isinstance(one, Constant):
        return scaled(other, a * b * one.value)
    if isinstance(other, Constant):
        return scaled(one, a * b * other.value)
    if isinstance(one, Exp) and isinstance(other, Exp):
        return scaled(Exp(plus(one.kernel, other.kernel)), a * b)
    parts = [part for kernel in (one, other) for part in (kernel.kernels if isinstance(kernel, Product) else (kernel,))]
    return scaled(Product(tuple(parts)), a * b)


def power(kernel: Kernel, exponent: int) -> Kernel:
    """The kernel to a whole power of at least 1; what that makes a simpler kernel becomes it."""
    if exponent == 1:
        return kernel
    factor, base = _factored(kernel)
    result: Kernel
    match base:
        case Constant(value):
            result = Constant(value**exponent)
        case Linear():
            result = Polynomial(exponent, 0.0)
        case Polynomial(degree, coef0):
            result = Polynomial(degree * exponent, coef0)
        case Gaussian(sigma):
            result = Gaussian(sigma / exponent**0.5)
        case Laplacian(sigma) | Exponential(sigma):
            result = type(base)(sigma / exponent)
        case Exp(inner):
            result = Exp(scaled(inner, exponent))
        case Sum(((a, Linear()), (c, Constant(1.0))) | ((c, Constant(1.0)), (a, Linear()))) if a > 0 and c >= 0:
            factor, result = factor * a, Polynomial(exponent, c / a)
        case _:
            result = Power(base, exponent)
    return scaled(result, factor**exponent)


def degree(kernel: Kernel) -> int:
    """How fast it grows: as which power of the product of both places; 0 for what stays bounded or grows faster."""
    match kernel:
        case Linear():
            return 1
        case Polynomial():
            return kernel.degree
        case Sum():
            return max(degree(part) for _, part in kernel.terms)
        case Product():
            return sum(degree(part) for part in kernel.kernels)
        case Power():
            return kernel.exponent * degree(kernel.kernel)
        case Anova():
            return degree(kernel.kernel)
    return 0


def numbers(kernel: Kernel) -> list[float]:
    """The numbers before the terms that it is the sum of; none but zeros where it is 0 everywhere."""
    return [weight * (part.value if isinstance(part, Constant) else 1.0) for weight, part in _terms(kernel)]


def _terms(kernel: Kernel) -> tuple[tuple[float, Kernel], ...]:
    return kernel.terms if isinstance(kernel, Sum) else ((1.0, kernel),)


def _factored(kernel: Kernel) -> tuple[float, Kernel]:
    """A number and a kernel whose product it is."""
    return kernel.terms[0] if isinstance(kernel, Sum) and len(kernel.terms) == 1 else (1.0, kernel)
