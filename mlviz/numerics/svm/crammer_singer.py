"""An interior point for the support vector machine of several classes at once.

    minimise  1/2 sum_m |w_m|^2 + sum_i c_i max_m (f_m(x_i) - f_yi(x_i) + [m != y_i]),  f_m(x) = w_m.x + b_m

Crammer and Singer, JMLR 2 (2001) 265-292; here with offsets, which nothing holds back. With xi_i for the maximum and
multipliers alpha_im >= 0 of s_im = xi_i + f_yi - f_m - [m != y_i] >= 0, the solution has sum_m alpha_im = c_i and
w_m = sum_i (c_i [m = y_i] - alpha_im) x_i. Mehrotra's predictor and corrector, Nocedal and Wright (2006), section 16.6:
slacks and multipliers are eliminated, so that each step solves a system of the (d + 1) k weights and offsets alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.linalg.cholesky import Solve, solver
from mlviz.spec.brief import Brief

_STEPS = 100
_BLOCK = 2_000_000
"""So many products of inputs are held at a time."""
_TOLERANCE = 1e-12
_ROUNDING = 1e-14
"""A slack below that is none: times a large price it would be most of the objective."""


@dataclass(frozen=True, eq=False)
class CrammerSingerSolution(Brief):
    """An approximate solution: weights (k, d), offsets (k,) that sum to 0, and the multipliers (n, k)."""

    weights: Array
    offsets: Array
    alpha: Array
    objective: float
    dual: float


def crammer_singer(X: Array, codes: Labels, c: Array, k: int) -> Iterator[CrammerSingerSolution]:
    """Yield ever better solutions for X (n, d), classes 0 to k - 1 as codes (n,), and the prices c (n,) above 0."""
    size = float(np.abs(X).max(initial=0.0)) or 1.0
    price = float(c.max())
    # In these units places, slacks and multipliers are about 1, and only the penalty's weight tells the problems apart.
    state = _State.first(X / size, codes, c / price, k, 1 / price / size / size)
    best = np.inf
    for _ in range(_STEPS):
        after = state.step()
        if after is None:
            return
        cost, dual = after.cost(), after.dual()
        gap = abs(cost - dual) / cost
        if gap < best:
            best = gap
            yield CrammerSingerSolution(
                after.W[:-1].T / size, after.W[-1], after.multipliers() * price, cost * price, dual * price
            )
        if gap <= _TOLERANCE or after.complementarity <= _TOLERANCE * cost:
            return
        state = after


@dataclass(frozen=True, eq=False)
class _State:
    """W (d + 1, k), its last row the offsets; alpha and s (n, k), both above 0, s of the own class is xi."""

    A: Array
    """(n, d + 1): the places and ones."""
    places: Labels
    """(n,) where the samples' own classes stand in an array (n, k) as one long row."""
    c: Array
    penalty: Array
    """(d + 1,) what multiplies half the squares of W's rows."""
    other: Array
    """(n, k): 0 for the class of the sample, 1 for all others."""
    W: Array
    alpha: Array
    s: Array

    @classmethod
    def first(cls, X: Array, codes: Labels, c: Array, k: int, penalty: float) -> _State:
        n, d = X.shape
        other, places = np.ones((n, k)), np.arange(n) * k + codes
        other.flat[places] = 0.0
        A = np.column_stack((X, np.ones(n)))
        weight = np.append(np.full(d, penalty), 0.0)
        return cls(A, places, c, weight, other, np.zeros((d + 1, k)), np.repeat(c[:, None] / k, k, axis=1), 2.0 - other)

    def of_own(self, values: Array) -> Array:
        """The values (n, k) for the samples' own classes, (n, 1)."""
        return np.asarray(values.ravel()[self.places][:, None])

    def behind(self, W: Array) -> Array:
        """By how much each class's values A W stay behind those of the sample's own class, (n, k)."""
        F = self.A @ W
        return self.of_own(F) - F

    @cached_property
    def lead(self) -> Array:
        """By how much each class is behind at W, less the 1 that is asked for: (n, k), the slack's negative."""
        return self.behind(self.W) - self.other

    @cached_property
    def complementarity(self) -> float:
        """What tends to zero."""
        return float(np.vdot(self.alpha, self.s))

    @cached_property
    def pull(self) -> Array:
        """A'(c own - alpha), (d + 1, k): at the solution the penalty times W."""
        # c - alpha of the own class is the sum of the others', which keeps its digits.
        signed = -self.alpha * self.other
        signed -= _row_sums(signed) * (1 - self.other)
        return np.asarray(self.A.T @ signed)

    def multipliers(self) -> Array:
        """Alpha, its rows summing to c again, from which rounding has led away."""
        others = np.vecdot(self.alpha, self.other)
        # Where the other classes have more than all there is, nothing is left to the own one, and they share it.
        whole = self.alpha * (self.c / np.maximum(others, self.c))[:, None]
        whole.flat[self.places] = np.maximum(self.c - others, 0.0)
        return whole

    def cost(self) -> float:
        """The objective at W."""
        slack = -np.minimum.reduce(self.lead.T)
        slack[slack < _ROUNDING] = 0.0
        return float(self.penalty @ (self.W**2).sum(axis=1)) / 2 + float(self.c @ slack)

    def dual(self) -> float:
        """The objective's lower bound by alpha, less what it is off as the sums of alpha are."""
        value = float(np.vdot(self.alpha, self.other)) - float((self.pull[:-1] ** 2).sum()) / self.penalty[0] / 2
        return float(value - np.abs(self.pull[-1]) @ np.abs(self.W[-1]))

    def step(self) -> _State | None:
        """The next state; None where rounding leaves no way on."""
        A, alpha, s = self.A, self.alpha, self.s
        D = alpha / s
        total = _row_sums(D)
        share = D / total
        misfit = self.of_own(s) + self.lead - s
        pull = self.pull - self.penalty[:, None] * self.W
        solve = self._system(D, share)
        if solve is None:
            return None

        def direction(change: Array) -> tuple[Array, Array, Array]:
            """The changes of W, alpha and s that change alpha s by `change` and mend the rest."""
            base = change / s - D * misfit
            dW = solve(pull - A.T @ (base - share * _row_sums(base)))
            ahead = self.behind(dW)
            ds = _row_sums(base - D * ahead) / total + ahead + misfit
            return dW, (change - alpha * ds) / s, ds

        now = alpha * s
        mu = self.complementarity / alpha.size
        _, da, ds = direction(-now)
        t = _reach(alpha, da, s, ds)
        aim = mu * (float(np.vdot(alpha + t * da, s + t * ds)) / alpha.size / mu) ** 3
        dW, da, ds = direction(aim - now - da * ds)
        t = 0.995 * _reach(alpha, da, s, ds)
        if not t > 1e-10:
            return None
        W, alpha, s = self.W + t * dW, alpha + t * da, s + t * ds
        return _State(A, self.places, self.c, self.penalty, self.other, W, alpha, s)

    def _system(self, D: Array, share: Array) -> Solve | None:
        """Solve penalty W + A' (M A W) = right, for each sample M = diag D - D share'; the offsets sum to 0."""
        p, k = self.A.shape[1], D.shape[1]
        first, second = np.triu_indices(k, 1)
        joint, size = np.zeros((len(first), p * p)), max(1, _BLOCK // (p * p))
        for start in range(0, len(D), size):
            rows = slice(start, start + size)
            A = self.A[rows]
            products = (A[:, :, None] * A[:, None, :]).reshape(len(A), p * p)
            joint += (D[rows][:, first] * share[rows][:, second]).T @ products
        H = np.zeros((k, k, p * p))
        H[first, second] = H[second, first] = -joint
        # What a class shares with all others is added up: as a difference it would lose its digits.
        H[np.arange(k), np.arange(k)] = -H.sum(axis=1)
        H[np.arange(k), np.arange(k), :: p + 1] += self.penalty
        H[:, :, -1] += float(np.trace(H[:, :, -1])) / k or 1.0
        flat = H.reshape(k, k, p, p).transpose(0, 2, 1, 3).reshape(k * p, k * p)
        scale = 1 / np.sqrt(flat.diagonal())
        if not np.isfinite(scale).all():
            return None
        scaled = flat * scale * scale[:, None]
        try:
            once = solver(scaled)
        except np.linalg.LinAlgError:
            return None

        def solve(right: Array) -> Array:
            r = right.T.ravel() * scale
            x = once(r)
            x = x + once(r - scaled @ x)
            return np.asarray((x * scale).reshape(k, p).T)

        return solve


def _row_sums(values: Array) -> Array:
    """(n, 1); as a product, which for short rows is faster than a sum."""
    return np.asarray(values @ np.ones((values.shape[1], 1)))


def _reach(alpha: Array, da: Array, s: Array, ds: Array) -> float:
    """The largest step <= 1 that keeps alpha and s at or above zero."""
    return 1 / max(1.0, float((-da / alpha).max()), float((-ds / s).max()))
