"""Quantiles of what a predictive distribution is: normal, or Student's t."""

from __future__ import annotations

import numpy as np


def standard_quantile(p: float, degrees_of_freedom: float = np.inf) -> float:
    """Where a standard normal variable, or Student's t with finite degrees of freedom, is below with probability p."""
    import scipy.special as special

    return float(special.ndtri(p) if np.isinf(degrees_of_freedom) else special.stdtrit(degrees_of_freedom, p))


def half_width(level: float, degrees_of_freedom: float = np.inf) -> float:
    """How many standard deviations on either side of the middle hold that share of the distribution."""
    return standard_quantile(0.5 + level / 2, degrees_of_freedom)
