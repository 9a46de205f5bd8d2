"""What the dual programs of support vector machines and of regressions with a tube have in common.

    minimise  1/2 b'K b - t'b + epsilon sum |b_i|   over b (m,),  with  lo <= b <= hi  and  sum b = 0

The hinge loss is that of a residual with a price on one side alone: its targets t are the signs of the classes, and
epsilon is 0.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.kernels.parameters import KernelData
from mlviz.draw.numbers import drawn_part
from mlviz.numerics.arrays import Array, Rows
from mlviz.numerics.pauses import Work
from mlviz.numerics.svm.active_set import ActiveSet
from mlviz.numerics.svm.tube import tube_solver, tube_starts

MOST_SAMPLES, PART = 3000, 1000
"""With more samples so many of them, drawn at random, stand for all.

With classes that overlap and a large C, three times as many take twenty times as long.
"""
FEW = 100
"""So many samples make a draft."""
WIDEST = 1e8
"""The largest bound, for a kernel and targets of about 1: sums of larger variables have no digits left."""
FREE = 1e-8
"""Variables nearer to 0 than this share of their bound count as being there."""
AT_BOUND = 1e-6
"""Variables nearer to a bound than this share of it count as being there.

It is approached more slowly than 0: where all of them end there, along no slope.
"""
INEXACT = 1e-6
"""A duality gap above this share of the objective is told below the picture."""
_DIGITS = 1e-9
"""A Gram matrix whose differences are less than this share of its values has too few digits left."""
NO_DIGITS_SENTENCE = "So far from the origin the kernel has no digits left: standardize the inputs."


@dataclass(frozen=True, eq=False, kw_only=True)
class BoxProgram(KernelData, ABC):
    """The program of the samples used; X (n, d) are all samples. The kernel is divided by `unit`."""

    rows: Rows
    """(m,) the samples used, in the order of the program's variables."""
    thinned_from: int | None = None
    """How many samples the ones used were drawn from; None when all are used."""

    @property
    @abstractmethod
    def targets(self) -> Array:
        """The t (m,) in the program's units."""

    @property
    def kink(self) -> float:
        """The epsilon in the program's units."""
        return 0.0

    @property
    def units(self) -> tuple[float, ...]:
        """What values are divided by and counted from."""
        return (self.unit,)

    @abstractmethod
    def box(self) -> tuple[Array, Array]:
        """The bounds lo and hi (m,), lo <= 0 <= hi."""

    @cached_property
    def places(self) -> Array:
        """(m, d) those of the samples used, counted from the origin."""
        return self.places_of(slice(None))

    def places_of(self, which: Rows | slice) -> Array:
        """Those of some of them."""
        return self.X[self.rows[which]] - self.origin

    def check_digits(self, spread: float, width: float) -> None:
        """Raise `CannotFit` where values of K differ by next to nothing, but by what matters for bounds so far apart.

        `spread` is the largest of its diagonal once it is centred.
        """
        if spread < _DIGITS and spread * width > 1e-6:
            raise CannotFit(NO_DIGITS_SENTENCE)

    def whole_gram(self) -> Work[Array]:
        """Work out K (m, m) in units of `unit`; raises `CannotFit` where it has no digits."""
        K = yield from super().whole_gram()
        if not self.kernel.shifts_into_offset and len(K) > 1:
            lo, hi = self.box()
            mean = K.mean(axis=0)
            self.check_digits(float((K.diagonal() - 2 * mean + mean.mean()).max()), float((hi - lo).max()))
        return K

    def starts(self, K: Array) -> Iterator[Array | None]:
        """Yield ever better starts for the active set, from nothing; None where it takes long to the next."""
        return tube_starts(K, self.targets, self.kink, *self.box())

    def solver(self, K: Array, beta: Array) -> ActiveSet:
        """The active set at a guess, in the program's units."""
        return tube_solver(K, self.targets, self.kink, *self.box(), beta)

    def kept_units(self, old: Self) -> Self:
        """The program in the units of an old one, where they still suit it: the Gram matrix then stays."""
        if self.kernel != old.kernel or self.X.shape[1] != old.X.shape[1]:
            return self
        if self.units == old.units and self.sees_as(old):
            return self
        kept = self.in_units_of(old)
        return kept if 0.05 < float(self.kernel.diagonal(kept.places).max()) / old.unit < 20 else self

    def sees_as(self, old: Self) -> bool:
        """Whether the kernel is that of an old program, and counts places from where it did."""
        return self.kernel == old.kernel and self.origin.tolist() == old.origin.tolist()

    def in_units_of(self, old: Self) -> Self:
        """The program in the units of another one."""
        return replace(self, origin=old.origin, unit=old.unit)

    def told_part(self) -> str:
        """That a part of the samples stands for all; "" where it does not."""
        whole = self.thinned_from
        return "" if whole is None else f"fitted to {drawn_part(len(self.rows), whole)}"
