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
    MOST_SAMPLES,
    NO_DIGITS_SENTENCE,
    PART,
    WIDEST,
    BoxProgram,
)
from mlviz.algorithms.kernels.parameters import unit_of
from mlviz.algorithms.kernels.piecewise_solution import PiecewiseSolution
from mlviz.numerics.arrays import Array, Labels, greatest, least, median
from mlviz.numerics.kernels.base import Kernel
from mlviz.numerics.kernels.expansion import origin_for
from mlviz.numerics.kernels.features import Features, FeatureSum, features_of
from mlviz.numerics.sampling import spread_subsample
from mlviz.numerics.svm.tube import FeatureTube, feature_tube, few_outside
from mlviz.numerics.svm.wanted_rows import WantedRows

_WIDE = 1e6
"""From this bound on digits are lost, and the kernel's features are used where they are few."""
_MANY = 600
"""With more samples the first model is that of a few of them."""
_RATHER_WHOLE = 200
"""The matrix of fewer samples is found at once as soon as some of its rows."""
_LOST = 1e-10
"""Larger variables, in the program's units, are not left out, however large the bounds are: that would move f."""
_FEATURE_ROUNDING = 1e-15


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
        scale = float(np.abs(y - level).sum()) / len(y)
        scale = scale if scale > max(1e-13 * abs(level), 1e-150) else max(1.0, abs(level))  # as good as equal
        whole = cls(
            kernel=kernel,
            X=X,
            origin=(origin := origin_for(kernel, used := X[rows])),
            unit=unit_of(kernel, used - origin),
            rows=rows,
            y=y,
            up=up,
            down=down,
            epsilon=epsilon,
            level=level,
            scale=scale,
        )
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

    @cached_property
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
        return replace(self, origin=old.origin, unit=old.unit, level=old.level, scale=old.scale)

    @cached_property
    def _largest(self) -> float:
        """The largest bound, in the program's units."""
        return max(greatest(self.up), greatest(self.down)) * (self.unit / self.scale)

    @property
    def _share(self) -> float:
        """What the prices are multiplied by so that they can be computed with."""
        return min(1.0, WIDEST / self._largest)

    def box(self) -> tuple[Array, Array]:
        """The bounds of the program's variables."""
        return self._box

    @cached_property
    def _box(self) -> tuple[Array, Array]:
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
        return greatest(self.y) - least(self.y) <= 2 * self.epsilon

    def solution(self, beta: Array, g: Array) -> PiecewiseSolution:
        """What variables beta (m,) with K beta = g, in the program's units, say in those of the data."""
        lo, hi = self.box()
        if self._constant:  # what a solver leaves of the way there is rounding
            beta, g = np.zeros(len(beta)), np.zeros(len(beta))
        size = np.abs(beta)
        norm = max(float(beta @ g), 0.0)
        bound = np.where(beta > 0, hi, -lo)
        used = size > np.minimum(FREE * np.minimum(bound, greatest(size)), _LOST)
        return PiecewiseSolution(
            program=self,
            values=g.copy(),  # a solver that follows the hand goes on with its own
            variables=np.where(used, beta, 0.0),  # one that is free, next to its bound, is not moved there
            bounded=used & (size >= bound * (1 - AT_BOUND)),
            lo=lo,
            hi=hi,
            squared_norm=norm,
            dual=float(self.targets @ beta) - self.kink * float(size.sum()) - norm / 2,
            unit=self.unit,
        )

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
        return PiecewiseSolution(
            program=self,
            values=F @ found.w,
            variables=found.beta,
            bounded=found.bounded,
            lo=-down,
            hi=up,
            squared_norm=norm,
            dual=found.dual,
            unit=1.0,
            feature_sum=feature_sum,
            rounding=rounding,
        )
