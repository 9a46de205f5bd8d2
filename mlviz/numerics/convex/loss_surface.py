"""The logistic loss as a surface over two weights, the best offset for each pair, or over a weight and the offset."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.polynomials import chebyshev, interpolation
from mlviz.spec.brief import Brief

Ends = tuple[float, ...]
_ROUNDS, _FEW = 16, 300
"""At most so many steps of Newton's method, kept in a bracket, for so many samples, find an offset near enough: one
more step with all samples comes after them.
"""
_SETTLED = 1e-6
"""An offset that moves less is near enough."""
_FINEST, _COARSEST = 33, 11
"""How many nodes a side the surface is computed on where it is interpolated, at the most and at the least."""
_PIECES = 15
"""From so many nodes on, either side of a place, and what is about it, has a polynomial of its own."""


@dataclass(frozen=True, eq=False)
class LossSurface(Brief):
    """sum_i share_i log(1 + exp(-sign_i (u p_i + v q_i + b))) + square_1 u^2 + square_2 v^2 + price_1 |u| + price_2 |v|

    b is the best one for each (u, v) if it is `free`, else 0.
    """

    columns: Array
    """(2, n): p and q."""
    signs: Array
    shares: Array
    squares: Array
    """(2,)."""
    prices: Array
    """(2,)."""
    free: bool

    def values(self, x: Array, y: Array, work: int, about: tuple[Ends, Ends] = ((), ())) -> Array:
        """The surface at the nodes x (nx,) and y (ny,), by about `work` logarithms: (ny, nx).

        Where it can't be computed at all of them, it is found best between the places `about` on each axis.
        """
        if len(x) * len(y) * len(self.signs) <= work:
            loss = self._loss(x, y, work, about)
        else:
            size = int(np.clip(np.sqrt(work / len(self.signs)), _COARSEST, _FINEST))
            loss = _interpolated(lambda u, v: self._loss(u, v, work, about), x, y, about, size)
        across, up = (s * at**2 + p * np.abs(at) for s, p, at in zip(self.squares, self.prices, (x, y), strict=True))
        return np.asarray(loss + across + up[:, None])

    def _loss(self, u: Array, v: Array, work: int, about: tuple[Ends, Ends]) -> Array:
        scores = self.signs * self._scores(u, v)
        if self.free:
            few = self._thinned()
            size = int(np.clip(np.sqrt(work / (8 * len(few.signs))), 5, _FINEST))
            scores += self.signs * _interpolated(few._offsets, u, v, about, size)[..., None]
        small = np.exp(-np.abs(scores))
        loss = (np.log1p(small) - np.minimum(scores, 0)) @ self.shares
        if self.free:
            # What is still to gain from the offset, whose interpolation is not exact: the height of a parabola.
            small /= 1 + small
            slope = np.where(scores > 0, small, 1 - small) @ (self.signs * self.shares)
            small *= 1 - small
            loss -= slope**2 / (2 * np.maximum(small @ self.shares, slope**2 + 1e-12))
        return np.asarray(loss)

    def _thinned(self) -> LossSurface:
        """That of `_FEW` samples, in which both classes weigh as much."""
        if len(self.signs) <= _FEW:
            return self
        order = np.lexsort((*self.columns, self.signs))
        chosen = order[np.linspace(0, len(order) - 1, _FEW).astype(int)]
        signs, shares = self.signs[chosen], self.shares[chosen]
        for sign in (-1.0, 1.0):
            shares[signs == sign] *= self.shares[self.signs == sign].sum() / shares[signs == sign].sum()
        return replace(self, columns=self.columns[:, chosen], signs=signs, shares=shares)

    def _scores(self, u: Array, v: Array) -> Array:
        """All samples' scores at all nodes: (len(v), len(u), n)."""
        return np.asarray(np.multiply.outer(u, self.columns[0]) + np.multiply.outer(v, self.columns[1])[:, None])

    def _offsets(self, u: Array, v: Array) -> Array:
        """The best offsets at the nodes, (len(v), len(u))."""
        scores = self._scores(u, v)
        odds = abs(np.log(self.shares[self.signs > 0].sum() / self.shares[self.signs < 0].sum()))
        low, high = -scores.max(axis=-1) - odds, -scores.min(axis=-1) + odds
        at = (low + high) / 2
        for _ in range(_ROUNDS):
            P = 0.5 * (1 + np.tanh((scores + at[..., None]) / 2))
            slope = (P - (self.signs > 0)) @ self.shares
            low, high = np.where(slope < 0, at, low), np.where(slope > 0, at, high)
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                better = at - slope / ((P * (1 - P)) @ self.shares)
            former, at = at, np.where((better > low) & (better < high), better, (low + high) / 2)
            if np.abs(at - former).max() < _SETTLED:
                break
        return np.asarray(at)


def _interpolated(
    function: Callable[[Array, Array], Array], x: Array, y: Array, about: tuple[Ends, Ends], size: int
) -> Array:
    """The function at the nodes x and y, from its values at fewer ones: (ny, nx)."""
    across, up = (_pieces(nodes, inner, size) for nodes, inner in zip((x, y), about, strict=True))
    return _piecewise(up, y) @ function(np.concatenate(across), np.concatenate(up)) @ _piecewise(across, x).T


def _pieces(nodes: Array, inner: Ends, size: int) -> list[Array]:
    """Chebyshev nodes, about `size` in all, on each of the pieces into which the inner ends cut the range of nodes."""
    ends = [float(nodes[0]), *(end for end in inner if nodes[0] < end < nodes[-1]), float(nodes[-1])]
    if size < _PIECES:
        ends = [ends[0], ends[-1]]
    return [chebyshev(low, high, size // (len(ends) - 1)) for low, high in pairwise(ends)]


def _piecewise(pieces: list[Array], places: Array) -> Array:
    """The matrix that takes values at the nodes of all pieces to those of their polynomials at places (m,)."""
    # Each place is in one piece, though the ends of neighbours differ by rounding.
    which = np.searchsorted([nodes[0] for nodes in pieces[1:]], places, side="right")
    blocks = []
    for k, nodes in enumerate(pieces):
        block = np.zeros((len(places), len(nodes)))
        block[which == k] = interpolation(nodes, places[which == k])
        blocks.append(block)
    return np.concatenate(blocks, axis=1)
