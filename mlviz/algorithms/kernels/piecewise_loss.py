"""Regression by a kernel whose loss is straight on either side of nothing: the program, and what its solution says.

    minimise  1/2 |w|^2 + sum_i up_i max(0, r_i - epsilon) + down_i max(0, -r_i - epsilon),   r_i = y_i - w.phi(x_i) - b

With up = down = C that is support vector regression, without epsilon and with prices tau and 1 - tau it is quantile
regression. In the dual each sample has one variable b_i between -down_i and up_i (`mlviz.numerics.svm.tube`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.kernels.box_program import FEW, NO_DIGITS_SENTENCE
from mlviz.algorithms.kernels.piecewise_program import PiecewiseProgram
from mlviz.algorithms.kernels.piecewise_solution import PiecewiseSolution, SolutionInFeatures
from mlviz.algorithms.kernels.watched import Seen
from mlviz.numerics.arrays import Array, greatest, least
from mlviz.numerics.kernels.features import Features, FeatureSum, features_of
from mlviz.numerics.svm.tube import FeatureTube, feature_tube

_WIDE = 1e6
"""From this bound on digits are lost, and the kernel's features are used where they are few."""
_MANY = 600
"""With more samples the first model is that of a few of them."""
_FEATURE_ROUNDING = 1e-15


@dataclass(frozen=True, eq=False, kw_only=True)
class PiecewiseDual(PiecewiseProgram):
    """The dual program, and what its variables say."""

    def draft(self) -> PiecewiseSolution | None:
        """The solution for a few of the samples, where that for all takes a while."""
        if len(self.rows) <= _MANY or self.features is not None:
            return None
        few = self.part(FEW)
        solver = few.solver(few.gram(), np.zeros(len(few.rows)))
        while not solver.advance():
            pass
        return few.solution(solver.beta, solver.g)

    @cached_property
    def _constant(self) -> bool:
        """Whether the tube about a constant holds all samples: the objective is 0, and nothing is small beside it."""
        return greatest(self.y) - least(self.y) <= 2 * self.epsilon

    def solution(
        self, beta: Array, g: Array, offset: float | None = None, seen: Seen | None = None
    ) -> PiecewiseSolution:
        """What variables beta (m,) with K beta = g, in the program's units, say in those of the data.

        The offset is found where it is not given.
        """
        lo, hi = self.box()
        if self._constant:  # what a solver leaves of the way there is rounding
            beta, g, offset, seen = np.zeros(len(beta)), np.zeros(len(beta)), None, None
        return PiecewiseSolution(
            program=self,
            values=g.copy(),  # a solver that follows the hand goes on with its own
            found=beta.copy(),
            lo=lo,
            hi=hi,
            unit=self.unit,
            known_offset=offset,
            seen=seen,
        )

    @cached_property
    def features(self) -> Features | None:
        """The kernel's features, where the bounds are too wide for the dual program and they are few enough."""
        return None if self.largest <= _WIDE else features_of(self.kernel, *self.places.shape)

    def in_features(self, features: Features) -> Iterator[PiecewiseSolution]:
        """Yield solutions, each better than the last, found without the dual program; raises `CannotFit`."""
        if self._constant:
            yield self.solution(np.zeros(len(self.y)), np.zeros(len(self.y)))
            return
        F = features.values(self.places)
        spread = float(((F - F.mean(axis=0)) ** 2).sum(axis=1).max()) / self.unit
        up, down = self.up / self.scale, self.down / self.scale
        if spread > 0:
            self.check_digits(spread, np.inf)
        found = None
        for found in feature_tube(F, self.targets, self.kink, up, down):
            yield self._feature_solution(features, F, found, up, down)
        if found is None:
            raise CannotFit(NO_DIGITS_SENTENCE)

    def _feature_solution(
        self, features: Features, F: Array, found: FeatureTube, up: Array, down: Array
    ) -> PiecewiseSolution:
        feature_sum = FeatureSum(features, found.w * self.scale)
        norm = float(found.w @ found.w)
        # Times a large price, what rounding makes of a slack of 0 would be most of the objective.
        rounding = _FEATURE_ROUNDING * (np.sqrt(norm) * np.linalg.norm(F, axis=1) + 1)
        return SolutionInFeatures(
            program=self,
            values=F @ found.w,
            found=found.beta,
            tube=found,
            lo=-down,
            hi=up,
            unit=1.0,
            feature_sum=feature_sum,
            rounding=rounding,
        )
