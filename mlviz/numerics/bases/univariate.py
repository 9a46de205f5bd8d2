"""Functions of one input: B-splines, Gaussian bumps, waves and Haar wavelets.

C. de Boor, A Practical Guide to Splines (1978), chapters 9 and 10. A. Haar, Zur Theorie der orthogonalen
Funktionensysteme, Mathematische Annalen 69 (1910) 331-371.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.cosines import cosines
from mlviz.spec.brief import Brief

_APART = 1e-9
"""Knots that are nearer to each other than this share of the range are one."""


class Univariate(Brief, ABC):
    """Functions of one input, k of them.

    `with_constant` says that the constant 1 belongs to them, beside which they stand: products of functions of several
    inputs are then also products of fewer. `sum_to_one` says that it is their sum.
    """

    with_constant: bool = False
    sum_to_one: bool = False
    jumps: bool = False

    @property
    @abstractmethod
    def size(self) -> int:
        """How many there are, k."""

    @abstractmethod
    def values(self, x: Array) -> Array:
        """The value of each at the places x (n,): (n, k)."""

    @abstractmethod
    def names(self) -> list[str]:
        """What they are called, without the input."""


@dataclass(frozen=True, eq=False)
class Splines(Univariate):
    """B-splines of a degree over rising knots (m,), the ends among them; beyond these they go on as straight lines.

    The knots go on on either side with the distance of the outer two, as those of scikit-learn's SplineTransformer do:
    over knots that are evenly spaced all splines have one shape. At each place between the ends their sum is 1.
    """

    knots: Array
    degree: int
    sum_to_one = True

    @classmethod
    def over(cls, x: Array, places: Array, degree: int) -> Splines:
        """Those with knots at places within the range of the samples x (n,), and at its ends."""
        low, high = ends_of(x)
        inside = np.sort(places[(places > low) & (places < high)])
        knots = np.concatenate(([low], inside, [high]))
        apart = knots[1:] - knots[:-1] > _APART * (high - low)
        knots = np.concatenate(([low], knots[1:][apart]))
        knots[-1] = high
        return cls(knots, degree)

    @property
    def size(self) -> int:
        """One fewer than there are knots, and as many more as the degree says."""
        return len(self.knots) - 1 + self.degree

    @cached_property
    def _all(self) -> Array:
        """The knots with those that go on beyond the ends, the range of the samples being [0, 1]."""
        low, high = self.knots[0], self.knots[-1]
        knots = (self.knots - low) / (high - low)
        beyond = np.arange(1.0, self.degree + 1)
        first, last = knots[1] - knots[0], knots[-1] - knots[-2]
        return np.concatenate((knots[0] - beyond[::-1] * first, knots, knots[-1] + beyond * last))

    def values(self, x: Array) -> Array:
        """The splines, (n, k)."""
        low, high = self.knots[0], self.knots[-1]
        u = (x - low) / (high - low)
        inside = np.minimum(np.maximum(u, 0.0), 1.0)
        found = self._inside(inside, self.degree)
        outside = np.flatnonzero(u != inside)
        if len(outside) and self.degree > 0:
            at = inside[outside]
            found[:, outside] += (u[outside] - at) * self._end_slopes[:, at.astype(np.intp)]
        return found.T

    def _inside(self, u: Array, degree: int) -> Array:
        """The splines of a degree, at most that of these, over all knots, for u (n,) in [0, 1]: (k - lower, n)."""
        t, k, n = self._all, self.degree, len(u)
        # Of the knots within the range alone: a place is never beyond the last piece.
        span = np.searchsorted(t[k + 1 : len(t) - k - 1], u, side="right") + k
        near = t[span + np.arange(1 - degree, degree + 1)[:, None]]  # the knots on either side of a place
        right, left = near[degree:] - u, u - near[:degree]
        local = np.ones((degree + 1, n))
        for d in range(1, degree + 1):
            part = local[:d] / (near[degree : degree + d] - near[degree - d : degree])
            carried = left[degree - d :] * part
            np.multiply(right[:d], part, out=local[:d])
            local[1:d] += carried[:-1]
            local[d] = carried[-1]
        found = np.zeros((len(t) - degree - 1) * n)
        found[(span - degree + np.arange(degree + 1)[:, None]) * n + np.arange(n)] = local
        return found.reshape(-1, n)

    @cached_property
    def _end_slopes(self) -> Array:
        """Their derivatives in u at both ends, (k, 2)."""
        t, k = self._all, self.degree
        lower = self._inside(np.array([0.0, 1.0]), k - 1) * (k / (t[k:] - t[:-k]))[:, None]
        return lower[:-1] - lower[1:]

    def names(self) -> list[str]:
        """B1, B2, ..."""
        return [f"B{j + 1}" for j in range(self.size)]


@dataclass(frozen=True, eq=False)
class Bumps(Univariate):
    """Gaussian bumps exp(−(x − c)² / (2 σ²)) of one width about centres (k,)."""

    centers: Array
    width: float

    @property
    def size(self) -> int:
        """One a centre."""
        return len(self.centers)

    def values(self, x: Array) -> Array:
        """The bumps, (n, k)."""
        with np.errstate(over="ignore", under="ignore"):
            away = (x - self.centers[:, None]) / self.width
            away *= away
            away *= -0.5
            return np.exp(away, out=away).T

    def names(self) -> list[str]:
        """G1, G2, ..."""
        return [f"G{j + 1}" for j in range(self.size)]


@dataclass(frozen=True, eq=False)
class Waves(Univariate):
    """cos(2π j x / T) and sin(2π j x / T) for the frequencies j = 1 to `frequencies`."""

    frequencies: int
    period: float
    with_constant = True

    @property
    def size(self) -> int:
        """Two a frequency."""
        return 2 * self.frequencies

    def values(self, x: Array) -> Array:
        """The waves, cosine and sine in turn, (n, k)."""
        turns = x / self.period
        turns -= np.rint(turns)  # what is left keeps the digits that the product with j would lose far from 0
        found = np.empty((self.frequencies, 2, len(x)))
        np.multiply(turns, np.arange(1, self.frequencies + 1)[:, None], out=found[:, 0])
        np.subtract(found[:, 0], 0.25, out=found[:, 1])  # a sine is a cosine of a quarter less
        cosines(found)
        return found.reshape(self.size, len(x)).T

    def names(self) -> list[str]:
        """cos1, sin1, cos2, ..."""
        return [f"{wave}{j}" for j in range(1, self.frequencies + 1) for wave in ("cos", "sin")]


@dataclass(frozen=True, eq=False)
class HaarWavelets(Univariate):
    """Haar wavelets over [low, high]: 1 on the first half of a piece, −1 on the other; 2^l pieces on level l.

    They are multiplied by 2^(l/2), so that all have the same mean square. Beyond the ends they stay as they are there.
    """

    low: float
    high: float
    levels: int
    with_constant = True
    jumps = True

    @property
    def size(self) -> int:
        """2^levels less the constant."""
        return (1 << self.levels) - 1

    def values(self, x: Array) -> Array:
        """The wavelets, level by level, (n, k)."""
        n, halves = len(x), 1 << self.levels
        u = (x - self.low) / (self.high - self.low)
        finest = np.minimum(np.maximum(u * halves, 0.0), halves - 1.0).astype(np.intp)
        level = np.arange(self.levels)[:, None]
        place = finest >> level[::-1]  # among the halves of the pieces of each level
        found = np.zeros(self.size * n)
        found[((place >> 1) + ((1 << level) - 1)) * n + np.arange(n)] = 2 ** (level / 2) * (1 - 2 * (place & 1))
        return found.reshape(-1, n).T

    def names(self) -> list[str]:
        """ψ0,0, ψ1,0, ψ1,1, ...: level, and which piece."""
        return [f"ψ{level},{piece}" for level in range(self.levels) for piece in range(2**level)]


def ends_of(x: Array) -> tuple[float, float]:
    """The range of samples x (n,); one about them where they are all the same."""
    low, high = float(x.min()), float(x.max())
    if high - low > 4 * np.finfo(np.float64).eps * max(abs(low), abs(high)) and high - low > 1e-300:
        return low, high
    room = max(1.0, abs(low)) / 2
    return low - room, high + room
