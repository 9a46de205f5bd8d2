"""The minimum of the elastic net, and all minima over the strength of its penalty.

A guess which weights are not 0, and of what sign, leaves linear equations, and their solution is the next guess
(primal-dual active sets, which are Newton steps): three or four find the minimum of columns that are not too alike.
M. Hintermüller, K. Ito and K. Kunisch, The primal-dual active set strategy as a semismooth Newton method, SIAM Journal
on Optimization 13 (2002) 865-888.

For a fixed l2 the weights are straight lines between the strengths of l1 at which one of them leaves 0 or comes back to
it, so that the whole path is found from one such corner to the next (homotopy). M. Osborne, B. Presnell and B. Turlach,
A new approach to variable selection in least squares problems, IMA Journal of Numerical Analysis 20 (2000) 389-403;
B. Efron, T. Hastie, I. Johnstone and R. Tibshirani, Least angle regression, Annals of Statistics 32 (2004) 407-499.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.convex.elastic_net import ElasticNet
from mlviz.numerics.convex.newton import searching_signs
from mlviz.numerics.pauses import Work
from mlviz.spec.brief import Brief

_CLEAR = 1e-9
"""What is not larger than this share has no sign: columns that are alike go side by side."""
_ROUGH = 1e-10
_ROUNDING = 1e-14
"""Conditions that fail by a smaller share are met."""
_BETWEEN_PAUSES = 2_000_000
"""About so many products are summed up between two pauses."""
_GUESSES = 8
"""At most so many guesses are made."""
_LEAST_PIVOT = 1e-4
"""A diagonal of the factor of columns of unit length that is smaller leaves their equations few digits."""


def net_minimum(net: ElasticNet, start: Array | None = None) -> Work[Array]:
    """Find the weights (p,), exactly but for rounding; pauses where they are many. `start` is near them."""
    if net.largest_l1 <= net.l1:
        return np.zeros(len(net.c))
    w = yield from _guessing(net, start)
    if w is not None:
        return w
    if start is None:
        start = (yield from homotopy(net, net.l1)).weights[-1]
        left, half = net.c - net.H @ start, net.l1 / 2
        excess = np.where(start != 0, np.abs(left - half * np.sign(start)), np.abs(left) - half)
        if float(excess.max()) <= _ROUNDING * net.largest_l1:
            return start
    return (yield from searching_signs(net.H, -net.c, np.full(len(net.c), net.l1 / 2), start))


def _guessing(net: ElasticNet, start: Array | None) -> Work[Array | None]:
    """Find the same by guesses, from least squares where there is no start.

    None where a guess comes again, says that all are 0, or has equations of too few digits.
    """
    from scipy.linalg.lapack import dposv, dpotrs

    diagonal = net.H.diagonal()
    scale = 1 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0))  # unit diagonal
    H, c, half = net.H * scale * scale[:, None], net.c * scale, net.l1 / 2 * scale
    free, signs, guesses = np.arange(len(c)), np.zeros(len(c)), list[bytes]()
    w = np.zeros(len(c)) if start is None else start / scale
    for _ in range(_GUESSES):
        if start is None or guesses:
            factor, solution, failed = dposv(H.take(free, 0).take(free, 1), (c - half * signs)[free], lower=True)
            if failed or not factor.diagonal().min(initial=1.0) > _LEAST_PIVOT:
                return None
            w = np.zeros(len(c))
            w[free] = solution
            if len(c) ** 3 > _BETWEEN_PAUSES:
                yield
        left = c - H @ w
        at = w + left
        signs = np.sign(at) * (np.abs(at) > half)
        guess = signs.tobytes()
        if guess in guesses:
            if guess != guesses[-1]:
                return None
            # It is the same guess again: its equations are the minimum's, and refined once.
            w[free] += dpotrs(factor, (left - half * signs)[free], lower=True)[0]
            return w * scale
        guesses.append(guess)
        free = np.flatnonzero(signs)
        if not len(free):
            return None
    return None


@dataclass(frozen=True, eq=False)
class Path(Brief):
    """The corners: falling strengths l1 (m,) and the weights there (m, p)."""

    l1: Array
    weights: Array

    def at(self, l1: Array) -> Array:
        """The weights for each of the strengths (k,), not below the last corner: (k, p)."""
        rising, weights = self.l1[::-1], self.weights[::-1]
        right = np.clip(np.searchsorted(rising, l1), 1, max(1, len(rising) - 1))
        if len(rising) < 2:
            return np.repeat(weights[:1], len(l1), axis=0)
        low, high = rising[right - 1], rising[right]
        share = np.clip((l1 - low) / np.where(high > low, high - low, 1.0), 0.0, 1.0)[:, None]
        found = (1 - share) * weights[right - 1] + share * weights[right]
        # What is 0 at both ends is 0, and rounding must not say otherwise.
        return np.where((weights[right - 1] == 0) & (weights[right] == 0), 0.0, found)

    @property
    def entries(self) -> Array:
        """The strength at which each weight leaves 0 first, (p,); NaN for those that never do."""
        there = self.weights != 0
        first = np.maximum(there.argmax(axis=0) - 1, 0)
        return np.where(there.any(axis=0), self.l1[first], np.nan)


def homotopy(net: ElasticNet, least: float) -> Work[Path]:
    """The path of the problem, from where all weights are 0 to the strength `least` of l1; pauses where it is long."""
    tableau = _Tableau(net)
    half, end = net.largest_l1 / 2, least / 2
    corners, weights = [half], [np.zeros(len(net.c))]
    if half > end:
        tableau.let_go(net.c, half)
    done = 0
    for _ in range(8 * len(net.c) + 100):
        if half <= end or not tableau.signs.any():
            break
        done += tableau.table.size
        if done > _BETWEEN_PAUSES:
            done = 0
            yield
        half, w = tableau.next_corner(half, end)
        corners.append(half)
        weights.append(w)
    return Path(2 * np.array(corners), _exact(net, np.array(corners), np.array(weights)))


class _Tableau:
    """[H c], swept by the weights that are not 0, A: H_AA⁻¹ and H_AA⁻¹ c_A stand in its rows A.

    In the other rows stand -H_IA H_AA⁻¹ and c_I - H_IA H_AA⁻¹ c_A. With the signs s of the weights then
    w_A = a - half u, and what is left of the correlations is e + half v, where a, e are the last column and u, -v the
    product with s.
    """

    def __init__(self, net: ElasticNet) -> None:
        diagonal = net.H.diagonal()
        self.length = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
        self.table = np.column_stack((net.H / self.length, net.c)) / self.length[:, None]
        self.unit = 1 / self.length
        self.signs, self.held = np.zeros(len(net.c)), diagonal > 0

    def let_go(self, c: Array, half: float) -> None:
        """The weight with the largest correlation leaves 0; of equal ones the first."""
        first = int(np.argmax(np.where(self.held, np.abs(c), 0.0) >= (1 - _CLEAR) * half))
        self._pivot(first, float(np.sign(c[first])))

    def _pivot(self, j: int, sign: float) -> None:
        """Weight j leaves 0 with that sign, or is 0 again; the same step takes back what it has done."""
        from scipy.linalg.blas import dger

        T = self.table
        d = T[j, j]
        row, column = T[j] / d, T[:, j].copy()
        # The transpose of a table row by row is one column by column, as BLAS wants it: T less column times row.
        dger(-1.0, row, column, a=T.T, overwrite_a=True)
        T[j] = row
        T[:, j] = column / -d
        T[j, j] = 1 / d
        self.signs[j], self.held[j] = sign, sign == 0

    def next_corner(self, half: float, end: float) -> tuple[float, Array]:
        """The strength below `half` at which a weight leaves 0 or comes back to it, or the end; and the weights."""
        s, last = self.signs, self.table[:, -1]
        # Lengths stand where the scaled problem differs: a correlation of 1 is one of `length` there.
        u = self.table[:, :-1] @ (s * self.unit)
        bound = self.unit
        up, down = bound + u, bound - u
        with np.errstate(divide="ignore", invalid="ignore"):
            places = np.where(
                self.held,
                np.maximum(
                    np.where(up > _CLEAR * bound, last / up, 0.0), np.where(down > _CLEAR * bound, -last / down, 0.0)
                ),
                np.where(s * u < -_CLEAR * np.abs(u).max(), last / u, 0.0),
            )
        largest = float(places.max())
        after = min(half, max(largest, end))
        w = np.where(self.held, 0.0, (last - after * u) * self.unit)
        if largest > end:
            j = int(np.argmax(places >= (1 - _CLEAR) * largest))
            if self.held[j]:
                self._pivot(j, 1.0 if last[j] - after * u[j] > 0 else -1.0)
            else:
                w[j] = 0.0
                self._pivot(j, 0.0)
        return after, w


def _exact(net: ElasticNet, halves: Array, weights: Array) -> Array:
    """The weights (m, p) at the corners, solved for anew where many steps have left too much rounding."""
    excess = np.abs(net.c - weights @ net.H).max(axis=1) - halves
    if float(excess.max()) > _ROUGH * float(halves[0]):
        for half, w in zip(halves, weights, strict=True):
            active = np.flatnonzero(w)
            if len(active):
                w[active] = net.on(active, net.c[active] - half * np.sign(w[active]))
    return weights


def elastic_net_path(net: ElasticNet, strengths: Array, l1_ratio: float) -> Work[Array]:
    """The weights (m, p) for falling strengths (m,), l1 being that share of each: from one to the next."""
    found, w = np.zeros((len(strengths), len(net.c))), None
    for place, strength in enumerate(strengths.tolist()):
        at = net.with_strength(l1_ratio * strength, (1 - l1_ratio) * strength)
        w = yield from net_minimum(at, w)
        found[place] = w
        yield
    return found
