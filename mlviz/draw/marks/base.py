"""What every mark has in common, and what is asked of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from mlviz.numerics.arrays import Array, Rows
from mlviz.spec.brief import Brief

Shape = Literal["sample", "hollow", "off", "symbol", "line", "arrow", "patch", "scale"]
NOWHERE = np.empty((0, 2))


@dataclass(frozen=True)
class Swatch:
    """A small picture before a word of the legend: a shape in the ink of a role, a symbol `size` times its usual size.

    A "sample", a "hollow" one and one that is "off" are drawn like the samples of the role's class, or of a "value".
    """

    shape: Shape
    role: str
    size: float = 1.0


class Anchors(NamedTuple):
    """Places (m, 2) on a mark that a legend should rather not hide, and what hiding one of them counts.

    `size` (m,) is how many times its usual size the symbol is at each place; None where there are no symbols.
    """

    places: Array
    weight: float = 1.0
    size: Array | None = None


@dataclass(frozen=True, eq=False)
class BaseMark(Brief):
    """What all marks have in common. A kind says its own by class variables, or by methods where these are too few."""

    role: str
    label: str = field(default="", kw_only=True)
    rows: Rows | None = field(default=None, kw_only=True)
    """(m,) rows of samples to which its first places (m, 2) are tied."""

    in_data: ClassVar[tuple[str, ...]] = ()
    """The fields that are places (m, 2) in data coordinates."""
    shape: ClassVar[Shape] = "line"
    """What stands before its label in the legend."""
    over_samples: ClassVar[bool] = False
    """Whether it is painted over the samples, and not below them."""
    fills: ClassVar[bool] = False
    """Whether it covers the area like a background: lines of the grid would not be seen below it, nor a ghost."""
    readable: ClassVar[bool] = False
    """Whether the numbers of its places can be read off with the cursor."""
    margin: ClassVar[float] = 0.04
    """The room that it needs above and below, as a share of the height of all marks."""

    def places(self) -> Array:
        """Places (m, 2) between which all of it lies: axes as wide as the marks hold them."""
        return np.concatenate([getattr(self, name) for name in self.in_data])

    @np.errstate(over="ignore")  # farther away than there are numbers for is out of sight
    def moved(self, scale: ArrayLike, shift: ArrayLike) -> Self:
        """The mark after every place p became ``scale * p + shift``; shift is (2,), scale (2,), not 0, or (2, 2).

        A field stands on a regular grid, which a matrix would put askew: its nodes are then those of a `PlacedGrid`,
        which are on the axes already, and stay.
        """
        a, b = np.asarray(scale, dtype=np.float64), np.asarray(shift, dtype=np.float64)
        return self.mapped(lambda xy: xy * a + b if a.ndim == 1 else xy @ a.T + b)

    def mapped(self, place: Callable[[Array], Array]) -> Self:
        """The mark with each of its places (m, 2) put where `place` says; what is no list of places stays."""
        changes: Any = {name: place(getattr(self, name)) for name in self.in_data}
        return replace(self, **changes)

    def swatch(self) -> Swatch:
        """What stands for it before its label in the legend."""
        return Swatch(self.shape, self.role)

    def anchors(self) -> Anchors:
        """Some places on it that a legend should rather not hide."""
        return Anchors(self.places())

    @property
    def on_samples(self) -> bool:
        """Whether all of it sits on samples: it has a place wherever they have one."""
        return self.rows is not None and len(self.in_data) == 1

    def at_samples(self, places: Array) -> Self:
        """The mark where its rows are now, at places (n, 2) of all samples; what was at rows that are gone is NaN."""
        if self.rows is None:
            return self
        there = (self.rows >= 0) & (self.rows < len(places))
        found: Any = places[self.rows * there] if len(places) else np.empty((len(self.rows), 2))
        found[~there] = np.nan
        return replace(self, **{self.in_data[0]: found})
