"""What is asked of a standard normal variable, or of Student's t where the degrees of freedom are finite.

Of t with nu degrees, E(T - z)+ is (nu + z^2) / (nu - 1) f(z) - z (1 - F(z)) for nu > 1, by integration by parts; for
fewer it is infinite. The normal distribution is the limit: phi(z) - z (1 - Phi(z)).
"""

from __future__ import annotations

import math

import numpy as np

from mlviz.numerics.arrays import Array


def standard_quantile(p: float, degrees_of_freedom: float = np.inf) -> float:
    """Where the variable is below with probability p.

    Without a degree of freedom nothing is known: it is infinite, but for the middle.
    """
    import scipy.special as special

    if degrees_of_freedom <= 0:
        return 0.0 if p == 0.5 else math.copysign(math.inf, p - 0.5)
    return float(special.ndtri(p) if np.isinf(degrees_of_freedom) else special.stdtrit(degrees_of_freedom, p))


def half_width(level: float, degrees_of_freedom: float = np.inf) -> float:
    """How many standard deviations on either side of the middle hold that share of the distribution."""
    return -standard_quantile((1 - level) / 2, degrees_of_freedom)


def standard_probability(z: Array, degrees_of_freedom: float = np.inf) -> Array:
    """The probability (m,) that the variable is below z (m,)."""
    import scipy.special as special

    return np.asarray(special.ndtr(z) if np.isinf(degrees_of_freedom) else special.stdtr(degrees_of_freedom, z))


def standard_density(z: Array, degrees_of_freedom: float = np.inf) -> Array:
    """The density (m,) of the variable at z (m,)."""
    import scipy.special as special

    nu = degrees_of_freedom
    if np.isinf(nu):
        return np.asarray(np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi))
    height = math.exp(-special.betaln(0.5, nu / 2)) / math.sqrt(nu)
    return np.asarray(height * np.exp(-(nu + 1) / 2 * np.log1p(z**2 / nu)))


def expected_excess(z: Array, degrees_of_freedom: float = np.inf) -> Array:
    """The mean (m,) of the part of the variable above z (m,), E(T - z)+; infinite up to one degree of freedom."""
    nu = degrees_of_freedom
    if nu <= 1:
        return np.full(z.shape, np.inf)
    # Of the farther tail, so that no digits are lost in a difference of large numbers.
    far = np.abs(z)
    share = 1.0 if np.isinf(nu) else (nu + far**2) / (nu - 1)
    tail = share * standard_density(far, nu) - far * standard_probability(-far, nu)
    return np.asarray(np.maximum(tail, 0.0) + np.maximum(-z, 0.0))
