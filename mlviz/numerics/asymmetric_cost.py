"""Deciding for a value where too low and too high cost differently: c1 (y - a)+ + c2 (a - y)+ for a decision a.

The expected cost under a distribution of y is least at its quantile c1 / (c1 + c2): its derivative is
c2 F(a) - c1 (1 - F(a)) (Koenker, Quantile Regression, 2005, section 1.3; the newsvendor of operations research).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.quantiles import expected_excess, standard_quantile

COSTS = 1e-6, 1e6
"""Smaller and larger costs are not told apart."""


@dataclass(frozen=True)
class AsymmetricCost:
    """What a unit costs by which a decision is below, or above, the target."""

    below: float = 1.0
    above: float = 1.0

    @property
    def share(self) -> float:
        """The probability with which the target is below the best decision."""
        return self.below / (self.below + self.above)

    def of(self, residual: Array) -> Array:
        """The cost (m,) of residuals (m,): targets minus decisions."""
        return np.where(residual > 0, self.below * residual, -self.above * residual)

    def shift(self, degrees_of_freedom: float = np.inf) -> float:
        """How many standard deviations the best decision is above the middle of the distribution."""
        if self.below > self.above:  # from the smaller probability, which has all its digits
            return -standard_quantile(self.above / (self.below + self.above), degrees_of_freedom)
        return standard_quantile(self.share, degrees_of_freedom)

    def best(self, middle: Array, deviation: Array, degrees_of_freedom: float = np.inf) -> Array:
        """The best decisions (m,) for distributions with that middle and standard deviation, (m,) each."""
        shift = self.shift(degrees_of_freedom)
        # Where nothing is known of the deviation nor of the tails, an equal cost still decides for the middle.
        return np.asarray(middle + shift * deviation) if shift else middle

    def expected(self, z: Array, degrees_of_freedom: float = np.inf) -> Array:
        """The expected cost (m,) of decisions so many standard deviations z (m,) above the middle, in these."""
        return np.asarray(
            self.below * expected_excess(z, degrees_of_freedom) + self.above * expected_excess(-z, degrees_of_freedom)
        )
