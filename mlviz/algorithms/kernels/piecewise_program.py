"""The dual program of regression by a kernel whose loss is straight on either side of nothing.

    minimise  1/2 b'K b - y'b + epsilon sum |b_i|   over b (m,),  with  -down <= b <= up  and  sum b = 0

It has units of its own, in which kernel and targets are of about 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self, cast

import numpy as np

from mlviz.algorithms.kernels.box_program import MOST_SAMPLES, PART, WIDEST, BoxProgram
from mlviz.algorithms.kernels.parameters import unit_of
from mlviz.numerics.arrays import Array, Rows, equal, greatest, median
from mlviz.numerics.kernels.base import Kernel
from mlviz.numerics.kernels.expansion import origin_for
from mlviz.numerics.pauses import Work
from mlviz.numerics.sampling import spread_subsample
from mlviz.numerics.svm.low_rank import LowRank, low_rank_on_line
from mlviz.numerics.svm.tube import few_outside
from mlviz.numerics.svm.wanted_rows import WantedRows

_FLAT = 1e3
"""Up to such bounds what few rows leave of the matrix is rounding."""
_RATHER_WHOLE = 200
"""The matrix of fewer samples is found at once as soon as some of its rows."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PiecewiseProgram(BoxProgram):
    """The program of some samples and their targets.

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
        cls, kernel: Kernel, X: Array, rows: Rows, y: Array, up: Array, down: Array, epsilon: float = 0.0
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

    @cached_property
    def size(self) -> float:
        """The largest target without its sign, or the spread of all where that is larger."""
        return max(float(np.abs(self.y).max()), self.scale)

    @property
    def kink(self) -> float:
        """Epsilon in the program's units."""
        return self.epsilon / self.scale

    @property
    def units(self) -> tuple[float, ...]:
        """Those of the kernel and of the targets, and from where these count."""
        return self.unit, self.scale, self.level

    @cached_property
    def sees_only_differences(self) -> bool:
        """Whether the kernel asks for nothing but differences of places, and is positive whatever the samples are."""
        return self.kernel.shift_invariant and self.kernel.positive

    def moved_to(self, X: Array, y: Array, rows: Rows | slice) -> Self | None:
        """The program of all n samples, some at other places X (n, d) or with other targets y (n,); no unit changes.

        None where that would not suit the targets any more.
        """
        moved = object.__new__(type(self))
        vars(moved).update(vars(self), X=X)
        vars(moved).pop("places", None)
        if equal(y[rows], self.y[rows]):
            return moved
        targets = self.targets.copy()
        targets[rows] = (y[rows] - self.level) / self.scale
        for name in ("size", "_constant"):
            vars(moved).pop(name, None)
        vars(moved).update(y=y, targets=targets)
        return moved if _suits(float(np.abs(targets).sum()) / len(targets)) else None

    def kept_units(self, old: Self) -> Self:
        """The program in the units of an old one, where they still suit it."""
        return super().kept_units(old) if _suits(self.scale / old.scale) else self

    def in_units_of(self, old: Self) -> Self:
        """The program in the units of another one."""
        return replace(self, origin=old.origin, unit=old.unit, level=old.level, scale=old.scale)

    @cached_property
    def largest(self) -> float:
        """The largest bound, in the program's units."""
        return max(greatest(self.up), greatest(self.down)) * (self.unit / self.scale)

    @property
    def _share(self) -> float:
        """What the prices are multiplied by so that they can be computed with."""
        return min(1.0, WIDEST / self.largest)

    def box(self) -> tuple[Array, Array]:
        """The bounds of the program's variables."""
        return self._box

    @cached_property
    def _box(self) -> tuple[Array, Array]:
        times = self._share * (self.unit / self.scale)
        return -self.down * times, self.up * times

    def matrix_by_rows(self) -> Array | None:
        """The matrix, row by row as they are asked for, where the tube leaves few samples to ask for.

        Else by few of its rows, where these tell all others; None where they do not.
        """
        if len(self.rows) < _RATHER_WHOLE or not self.kernel.shifts_into_offset:
            return None
        if not (self.kink and few_outside(self.targets, self.kink, *self.box())):
            return cast(Array | None, self._low_rank())
        diagonal = self.kernel.diagonal(self.places) / self.unit
        return cast(Array, WantedRows(lambda rows: self.gram(self.places[rows]), self._whole, diagonal))

    def _low_rank(self) -> LowRank | None:
        """The matrix of a smooth kernel of one input, where few of its rows tell all others, but for rounding."""
        places = self.places
        if places.shape[1] > 1 or not self.kernel.smooth or not self.sees_only_differences or self.largest > _FLAT:
            return None
        diagonal = self.kernel.diagonal(places) / self.unit
        return low_rank_on_line(places[:, 0], lambda i, j: self.gram(places[i], places[j]), diagonal)

    def _whole(self) -> Work[Array | LowRank]:
        """Work out all of the matrix, by few of its rows where these tell all others."""
        return self._low_rank() or (yield from self.whole_gram())


def _suits(ratio: float) -> bool:
    """Whether a unit still does where the targets have grown so many times."""
    return 0.2 < ratio < 5
