"""Regression by a kernel whose loss is straight on either side of nothing: the program, and what its solution says.

    minimise  1/2 |w|^2 + sum_i up_i max(0, r_i - epsilon) + down_i max(0, -r_i - epsilon),   r_i = y_i - w.phi(x_i) - b

With up = down = C that is support vector regression, without epsilon and with prices tau and 1 - tau it is quantile
regression. In the dual each sample has one variable b_i between -down_i and up_i (`mlviz.numerics.svm.tube`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self, cast

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.kernels.box_program import (
    AT_BOUND,
    FEW,
    FREE,
    INEXACT,
    MOST_SAMPLES,
    NO_DIGITS_SENTENCE,
    PART,
    WIDEST,
    BoxProgram,
)
from mlviz.draw.numbers import cleared, number
from mlviz.numerics.arrays import Array, Labels, Mask, median, scattered
from mlviz.numerics.kernels.base import Kernel
from mlviz.numerics.kernels.expansion import Expansion
from mlviz.numerics.kernels.features import Features, FeatureSum, features_of
from mlviz.numerics.sampling import spread_subsample
from mlviz.numerics.svm.tube import FeatureTube, best_offset, feature_tube, few_outside
from mlviz.numerics.svm.wanted_rows import WantedRows
from mlviz.spec.brief import Brief

_WIDE = 1e6
"""From this bound on digits are lost, and the kernel's features are used where they are few."""
_MANY = 600
"""With more samples the first model is that of a few of them."""
_RATHER_WHOLE = 200
"""The matrix of fewer samples is found at once as soon as some of its rows."""
_ON_RIM = 1e-8
"""A slack below this share of the targets' differences is a solver's last digits."""
_LOST = 1e-10
"""Larger variables, in the program's units, are not left out, however large the bounds are: that would move f."""
_FEATURE_ROUNDING = 1e-15


@dataclass(frozen=True, eq=False, kw_only=True)
class PiecewiseSolution(Brief):
    """What was found: arrays are (n,), one a sample, 0 for those that take no part; `rows` are the others."""

    rows: Labels
    expansion: Expansion
    beta: Array
    bound: Array
    """The largest that a variable may be on its side of 0; on the upper one where it is 0."""
    price: Array
    """What a unit above the tube and one below it cost, together."""
    support: Labels
    at_bound: Mask
    slack: Array
    """By how much a sample is outside of the tube."""
    residual: Array
    norm: float
    """The length of w."""
    objective: float
    dual_objective: float
    kkt_residual: float
    limit: float | None
    """By what share prices were lowered so that they can be computed with, else None."""
    caveat: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class PiecewiseDual(BoxProgram):
    """The dual: minimise 1/2 b'K b - y'b + epsilon sum |b_i| with -down <= b <= up and sum b = 0.

    The kernel is divided by `unit` and the targets, less `level`, by `scale`: data of any scale meet the solver alike.
    """

    y: Array
    """(m,) their targets."""
    up: Array
    """(m,) the price of a unit above the tube."""
    down: Array
    """(m,) the price of a unit below it."""
    epsilon: float
    level: float
    scale: float

    @classmethod
    def given(
        cls, kernel: Kernel, X: Array, rows: Labels, y: Array, up: Array, down: Array, epsilon: float = 0.0
    ) -> Self:
        """The program of the samples `rows` (m,) of X (n, d) with y, up and down (m,); raises `CannotFit`."""
        level = median(y)
        scale = float(np.abs(y - level).mean())
        scale = scale if scale > max(1e-13 * abs(level), 1e-150) else max(1.0, abs(level))  # as good as equal
        prices = {"y": y, "up": up, "down": down, "epsilon": epsilon}
        seen = cls.of(kernel, X[rows], rows=rows, level=level, scale=scale, **prices)
        whole = replace(seen, X=X)
        return whole.part(PART) if len(rows) > MOST_SAMPLES else whole

    def part(self, most: int) -> Self:
        """Some of the samples, drawn at random, whose prices are raised to stand for all."""
        chosen = spread_subsample(np.column_stack((self.X[self.rows], self.y)), most)
        raised = float(self.up.sum() + self.down.sum()) / float(self.up[chosen].sum() + self.down[chosen].sum())
        return replace(
            self,
            rows=self.rows[chosen],
            y=self.y[chosen],
            up=self.up[chosen] * raised,
            down=self.down[chosen] * raised,
            thinned_from=self.thinned_from or len(self.rows),
        )

    @property
    def limit(self) -> float | None:
        """By what share the prices are lowered so that they can be computed with, else None."""
        return None if self._share == 1 else self._share

    @property
    def targets(self) -> Array:
        """(m,) in the program's units."""
        return (self.y - self.level) / self.scale

    @property
    def kink(self) -> float:
        """Epsilon in the program's units."""
        return self.epsilon / self.scale

    @property
    def units(self) -> tuple[float, ...]:
        """Those of the kernel and of the targets, and from where these count."""
        return self.unit, self.scale, self.level

    def kept_units(self, old: Self) -> Self:
        """The program in the units of an old one, where they still suit it."""
        return super().kept_units(old) if 0.2 < self.scale / old.scale < 5 else self

    def in_units_of(self, old: Self) -> Self:
        """The program in the units of another one."""
        return replace(super().in_units_of(old), level=old.level, scale=old.scale)

    @cached_property
    def _largest(self) -> float:
        """The largest bound, in the program's units."""
        return max(float(self.up.max()), float(self.down.max())) * (self.unit / self.scale)

    @property
    def _share(self) -> float:
        """What the prices are multiplied by so that they can be computed with."""
        return min(1.0, WIDEST / self._largest)

    def box(self) -> tuple[Array, Array]:
        """The bounds of the program's variables."""
        times = self._share * (self.unit / self.scale)
        return -self.down * times, self.up * times

    def wanted_rows(self) -> Array | None:
        """The matrix, row by row as they are asked for, where the tube leaves few samples to ask for; else None."""
        if len(self.rows) < _RATHER_WHOLE or not self.kink or not self.kernel.shifts_into_offset:
            return None
        if not few_outside(self.targets, self.kink, *self.box()):
            return None
        diagonal = self.kernel.diagonal(self.places) / self.unit
        return cast(Array, WantedRows(lambda rows: self.gram(self.places[rows]), self.whole_gram, diagonal))

    def draft(self) -> PiecewiseSolution | None:
        """The solution for a few of the samples, where that for all takes a while."""
        if len(self.rows) <= _MANY or self.features is not None:
            return None
        few = self.part(FEW)
        solver = few.solver(few.gram(), np.zeros(len(few.rows)))
        while not solver.advance():
            pass
        return few.solution(solver.beta, solver.g)

    @property
    def _constant(self) -> bool:
        """Whether the tube about a constant holds all samples: the objective is 0, and nothing is small beside it."""
        return float(np.ptp(self.y)) <= 2 * self.epsilon

    def solution(self, beta: Array, g: Array) -> PiecewiseSolution:
        """What variables beta (m,) with K beta = g, in the program's units, say in those of the data."""
        lo, hi = self.box()
        if self._constant:  # what a solver leaves of the way there is rounding
            beta, g = np.zeros(len(beta)), np.zeros(len(beta))
        size = np.abs(beta)
        dual = float(self.targets @ beta) - self.kink * float(size.sum())
        norm = max(float(beta @ g), 0.0)
        bound = np.where(beta > 0, hi, -lo)
        used = size > np.minimum(FREE * np.minimum(bound, size.max(initial=0.0)), _LOST)
        at_bound = used & (size >= bound * (1 - AT_BOUND))
        taken = np.where(used, beta, 0.0)  # one that is free, next to its bound, is not moved there
        return self._described(g, taken, at_bound, lo, hi, norm, dual - norm / 2, self.unit)

    @cached_property
    def features(self) -> Features | None:
        """The kernel's features, where the bounds are too wide for the dual program and they are few enough."""
        return None if self._largest <= _WIDE else features_of(self.kernel, *self.places.shape)

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
        g = F @ found.w
        return self._described(g, found.beta, found.bounded, -down, up, norm, found.dual, 1.0, feature_sum, rounding)

    def _described(
        self,
        g: Array,
        beta: Array,
        at_bound: Mask,
        lo: Array,
        hi: Array,
        norm: float,
        dual: float,
        unit: float,
        feature_sum: FeatureSum | None = None,
        rounding: Array | float = 0.0,
    ) -> PiecewiseSolution:
        """The solution whose f less its offset is g at the samples; beta is 0 where a sample is no support vector."""
        y, epsilon, used = self.targets, self.kink, beta != 0
        offset = best_offset(y - g, hi, -lo, epsilon)
        r = y - g - offset
        slack = np.maximum(0.0, np.abs(r) - epsilon)
        slack = np.where(slack > rounding, slack, 0.0)
        # On the side of a variable, r is how far the sample is out; where it is 0, either side is out of the tube.
        side = np.where(beta > 0, r, np.where(beta < 0, -r, np.abs(r))) - epsilon
        violation = np.where(at_bound, np.maximum(0.0, -side), np.where(used, np.abs(side), np.maximum(0.0, side)))
        loss = float(np.where(r > 0, hi, -lo) @ slack)
        worth = self.scale**2 / unit
        gap = max(0.0, norm / 2 + loss - dual)
        prices = float(hi.sum() - lo.sum())
        n, coef = len(self.X), beta * (self.scale / unit)
        support = self.rows[used]
        order = np.argsort(support, kind="stable")
        return PiecewiseSolution(
            rows=self.rows,
            expansion=Expansion(
                self.kernel,
                self.places[used][order],
                coef[used][order],
                self.origin,
                cleared(offset * self.scale + self.level, max(float(np.abs(self.y).max()), self.scale)),
                feature_sum,
            ),
            beta=scattered(coef, self.rows, n),
            bound=scattered(np.where(beta < 0, -lo, hi) * (self.scale / unit), self.rows, n),
            price=scattered(self.up + self.down, self.rows, n),
            support=support[order],
            at_bound=scattered(at_bound, self.rows, n),
            slack=scattered(np.where(slack > _ON_RIM * (1 + epsilon), slack, 0.0) * self.scale, self.rows, n),
            residual=scattered(r * self.scale, self.rows, n),
            norm=float(np.sqrt(norm / unit) * self.scale),
            objective=(norm / 2 + loss) * worth,
            dual_objective=dual * worth,
            kkt_residual=float(violation.max()) * self.scale,
            limit=self.limit if feature_sum is None and used.any() else None,
            caveat="; ".join(filter(None, (self.told_part(), self._told_gap(gap, norm / 2 + loss, prices)))),
        )

    def _told_gap(self, gap: float, objective: float, prices: float) -> str:
        """That a gap is large, as a share of the objective and beside what the targets themselves would cost."""
        relative = gap / max(objective, 1e-300)
        if relative <= INEXACT or gap <= INEXACT * prices:
            return ""
        if relative > 1:
            return "how exact this is can't be told with a kernel of so large values: standardize the inputs"
        return f"solved only to a relative duality gap of {number(relative, 1)}"
