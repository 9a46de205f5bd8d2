"""What variables of a `PiecewiseProgram` say in units of the data; what is not asked for is not worked out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.algorithms.kernels.box_program import AT_BOUND, FREE, INEXACT
from mlviz.algorithms.kernels.piecewise_program import PiecewiseProgram
from mlviz.algorithms.kernels.watched import Seen
from mlviz.draw.numbers import cleared, number
from mlviz.numerics.arrays import Array, Mask, Rows, greatest, scattered
from mlviz.numerics.kernels.expansion import Expansion
from mlviz.numerics.kernels.features import FeatureSum
from mlviz.numerics.svm.tube import FeatureTube, best_offset
from mlviz.spec.brief import Brief

_LOST = 1e-10
"""Larger variables, in the program's units, are not left out, however large the bounds are: that would move f."""
_ON_RIM = 1e-8
"""A slack below this share of the targets' differences is a solver's last digits."""
_FAINT = 1e-9
"""Values that are no more than this share of the terms' sizes are added up anew."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PiecewiseSolution(Brief):
    """What was found. What it says of samples are arrays (n,), 0 for those that take no part; `rows` are the others.

    Its fields are in the units of the program, or, where it was found in features, in those of the targets alone. Under
    the hand little of it is asked, so that all else is worked out when it is.
    """

    program: PiecewiseProgram
    values: Array
    """(m,) the function less its offset at the samples used."""
    found: Array
    """(m,) the variables as the solver left them."""
    lo: Array
    hi: Array
    unit: float
    """What the kernel is divided by."""
    known_offset: float | None = None
    """The offset, where the solver knows it."""
    seen: Seen | None = None
    """What is known of the function elsewhere while the hand changes it."""
    feature_sum: FeatureSum | None = None
    rounding: Array | float = 0.0
    """What of a slack is rounding."""

    @cached_property
    def _size(self) -> Array:
        return np.abs(self.found)

    @cached_property
    def _most(self) -> Array:
        return np.where(self.found > 0, self.hi, -self.lo)

    @cached_property
    def _is_used(self) -> Mask:
        size = self._size
        return np.asarray(size > np.minimum(FREE * np.minimum(self._most, greatest(size)), _LOST))

    @cached_property
    def variables(self) -> Array:
        """(m,) those of the program, 0 where a sample is no support vector."""
        return np.where(self._is_used, self.found, 0.0)  # one that is free, next to its bound, is not moved there

    @cached_property
    def bounded(self) -> Mask:
        """(m,) which of them are at a bound."""
        return np.asarray(self._is_used & (self._size >= self._most * (1 - AT_BOUND)))

    @cached_property
    def squared_norm(self) -> float:
        """That of w."""
        return max(float(self.found @ self.values), 0.0)

    @cached_property
    def dual(self) -> float:
        """The dual objective."""
        program = self.program
        return float(program.targets @ self.found) - program.kink * float(self._size.sum()) - self.squared_norm / 2

    @cached_property
    def offset(self) -> float:
        """As the solver knows it, or else the best one for the values."""
        if self.known_offset is not None:
            return self.known_offset
        return best_offset(self.program.targets - self.values, self.hi, -self.lo, self.program.kink)

    @property
    def rows(self) -> Rows:
        """(m,) the samples used."""
        return self.program.rows

    @cached_property
    def _used(self) -> Rows:
        """The support vectors among the samples used, by their rows."""
        used = self.variables.nonzero()[0]
        return used[np.argsort(self.rows[used], kind="stable")]

    @cached_property
    def expansion(self) -> Expansion:
        """The function."""
        program, used = self.program, self._used
        return Expansion(
            program.kernel,
            program.places[used],
            self.variables[used] * (program.scale / self.unit),
            program.origin,
            self._intercept,
            self.feature_sum,
        )

    @property
    def _intercept(self) -> float:
        program = self.program
        return cleared(self.offset * program.scale + program.level, program.size)

    def at(self, X: Array) -> Array:
        """The function at the rows of X (n, d); while the hand changes it, at most places as the solver knows it."""
        program = self.program
        if self.seen is not None:
            own = X is program.X and len(self.rows) == len(X)
            known = self.values if own else self.seen.at(X, len(self.found))
            if known is not None and self._clear(known):
                values = known * program.scale + self._intercept
                return self._of_samples(values) if own else values
        return self.expansion.at(X)

    def _clear(self, values: Array) -> bool:
        """Whether sums are no rounding, some of them at least: so they are where they are large beside the bounds."""
        faint = _FAINT * len(self.found) * self.program.largest
        if values @ values > len(values) * faint * faint:  # a power that is too large would raise
            return True
        return bool(np.abs(values).max(initial=0.0) > _FAINT * float(self._size.sum()))

    def _of_samples(self, values: Array, factor: float = 1.0) -> Array:
        """Values (m,) of the samples used, for all."""
        return scattered(values * factor, self.rows, len(self.program.X))

    @cached_property
    def beta(self) -> Array:
        """(n,) the variables."""
        return self._of_samples(self.variables, self.program.scale / self.unit)

    @cached_property
    def bound(self) -> Array:
        """(n,) the largest that a variable may be on its side of 0; on the upper one where it is 0."""
        largest = np.where(self.variables < 0, -self.lo, self.hi)
        return self._of_samples(largest, self.program.scale / self.unit)

    @cached_property
    def price(self) -> Array:
        """(n,) what a unit above the tube and one below it cost, together."""
        return self._of_samples(self.program.up + self.program.down)

    @cached_property
    def support(self) -> Rows:
        """The rows of the support vectors."""
        return self.rows[self._used]

    @cached_property
    def at_bound(self) -> Mask:
        """(n,) whose variables are at a bound."""
        return np.asarray(scattered(self.bounded, self.rows, len(self.program.X)))

    @cached_property
    def _residual(self) -> Array:
        return self.program.targets - self.values - self.offset

    @cached_property
    def _slack(self) -> Array:
        slack = np.maximum(0.0, np.abs(self._residual) - self.program.kink)
        return np.where(slack > self.rounding, slack, 0.0)

    @cached_property
    def residual(self) -> Array:
        """(n,)."""
        return self._of_samples(self._residual, self.program.scale)

    @cached_property
    def slack(self) -> Array:
        """(n,) by how much a sample is outside of the tube."""
        seen = np.where(self._slack > _ON_RIM * (1 + self.program.kink), self._slack, 0.0)
        return self._of_samples(seen, self.program.scale)

    @property
    def norm(self) -> float:
        """The length of w."""
        return float(np.sqrt(self.squared_norm / self.unit) * self.program.scale)

    @cached_property
    def _primal(self) -> float:
        return self.squared_norm / 2 + float(np.where(self._residual > 0, self.hi, -self.lo) @ self._slack)

    @property
    def _worth(self) -> float:
        """What an objective of 1 is in units of the data."""
        return self.program.scale**2 / self.unit

    @property
    def objective(self) -> float:
        """The primal objective."""
        return self._primal * self._worth

    @property
    def dual_objective(self) -> float:
        """The dual objective."""
        return self.dual * self._worth

    @property
    def kkt_residual(self) -> float:
        """The largest violation of the conditions that hold at the exact solution."""
        beta, r = self.variables, self._residual
        # On the side of a variable, r is how far the sample is out; where it is 0, either side is out of the tube.
        side = np.where(beta > 0, r, np.where(beta < 0, -r, np.abs(r))) - self.program.kink
        inside = np.where(beta != 0, np.abs(side), np.maximum(0.0, side))
        violation = np.where(self.bounded, np.maximum(0.0, -side), inside)
        return float(violation.max()) * self.program.scale

    @property
    def limit(self) -> float | None:
        """By what share prices were lowered so that they can be computed with, else None."""
        return self.program.limit if self.feature_sum is None and len(self._used) else None

    @cached_property
    def caveat(self) -> str:
        """What must be told of it."""
        return "; ".join(filter(None, (self.program.told_part(), self._told_gap())))

    def _told_gap(self) -> str:
        """That a gap is large, as a share of the objective and beside what the targets themselves would cost."""
        gap = max(0.0, self._primal - self.dual)
        relative = gap / max(self._primal, 1e-300)
        if relative <= INEXACT or gap <= INEXACT * float(self.hi.sum() - self.lo.sum()):
            return ""
        if relative > 1:
            return "how exact this is can't be told with a kernel of so large values: standardize the inputs"
        return f"solved only to a relative duality gap of {number(relative, 1)}"


@dataclass(frozen=True, eq=False, kw_only=True)
class SolutionInFeatures(PiecewiseSolution):
    """One that was found in the kernel's features, where the bounds are too wide for the program's variables."""

    tube: FeatureTube

    @property
    def variables(self) -> Array:
        """(m,) the multipliers."""
        return self.found

    @property
    def bounded(self) -> Mask:
        """(m,) as the solver knows it."""
        return self.tube.bounded

    @property
    def squared_norm(self) -> float:
        """From w itself."""
        return float(self.tube.w @ self.tube.w)

    @property
    def dual(self) -> float:
        """As it was found."""
        return self.tube.dual
