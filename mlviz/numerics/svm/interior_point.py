"""Interior points for the quadratic program of `active_set` where the bounds are far apart (C >= 1e4, hard margin).

Mehrotra's predictor and corrector, Nocedal and Wright (2006), section 16.6. Its number of steps hardly depends on the
problem, where methods that move a few variables at a time crawl. With K = G'G of low rank, Fine and Scheinberg,
JMLR 2 (2001) 243-264.

That program finds w as sum alpha_i y_i phi_i, whose rounding errors grow with C. Where C times the kernel is huge and
there are explicit features, w is a variable of its own, and each step solves a least-squares problem for it:

    minimise  1/2 |w|^2 + c.xi   over w (p,), b and xi (n,)  with  y_i (w.phi_i + b) >= m_i - xi_i,  xi >= 0

with the margins m = 1 for the two classes y = -1 and +1; regression has others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from mlviz.numerics.arrays import Array, Mask
from mlviz.numerics.linalg.cholesky import Solve, pivoting, solving
from mlviz.numerics.pauses import Work, blocks, meanwhile
from mlviz.spec.brief import Brief

T = TypeVar("T")
Direction = Callable[[Array, Array], tuple[T, Array, Array, Array]]
_overflowing = np.errstate(over="ignore", invalid="ignore", divide="ignore")
"""Beyond the range of floating point no step is found, which is the end of a solver and needs no warning."""
_STEPS = 80
_AT_A_TIME = 750
"""So many products of two numbers take as long as one number of a matrix."""
_TOLERANCE = 1e-10
_STEPS_IN_FEATURES = 120
_PATIENCE = 40
"""So many steps that come no nearer mean that rounding allows no more."""
_TOLERANCE_IN_FEATURES = 1e-13
ROUNDING = 1e-15
_OFF = 1e-3
"""Samples farther than this from their margin don't lie on it."""
_START = 10.0


def interior_point(
    K: Array,
    t: Array,
    lo: Array,
    hi: Array,
    epsilon: float = 0.0,
    G: Array | None = None,
    tolerance: float = _TOLERANCE,
) -> Iterator[Array | None]:
    """Yield b (n,) strictly within the bounds, its sum going to zero, each nearer to the solution; lo < hi.

    With many variables None comes in between, a pause. With an `epsilon` the objective has epsilon |b| as well, added
    up, and lo < 0 < hi. G, with K = G'G, is given where K is known to be of low rank.
    """
    n, low_rank = len(t), G is not None
    if G is None:
        G, *_ = yield from meanwhile(None, pivoting(K.__getitem__, K.diagonal(), 1e-11, n // 2))
        low_rank = len(G) < n // 2
    if epsilon:
        # What is above 0 and what is below are variables of their own, each with half of the kink.
        zero = np.zeros(n)
        t, lo, hi = np.append(t - epsilon, t + epsilon), np.append(zero, lo), np.append(hi, zero)
    width = hi - lo
    start = np.minimum(width / 2, 1.0)
    x = np.where(np.abs(lo) <= np.abs(hi), lo + start, hi - start)
    b, zl, zu = 0.0, np.ones(len(t)), np.ones(len(t))
    # The distances to the bounds are variables of their own: as differences they would lose their digits.
    below, above = x - lo, hi - x
    for _ in range(_STEPS):
        whole = x[:n] + x[n:] if epsilon else x
        product = (G @ whole) @ G if low_rank else K @ whole
        dual = (np.tile(product, 2) if epsilon else product) - t + b - zl + zu
        mu = float(below @ zl + above @ zu) / (2 * len(t))
        off = max(mu, float(np.abs(dual).max()), abs(float(x.sum())) / max(1.0, float(np.abs(x).max())))
        if off <= tolerance:
            return
        D = zl / below + zu / above
        E = 1 / (1 / D[:n] + 1 / D[n:]) if epsilon else D
        solve = yield from meanwhile(None, _woodbury(G, E) if low_rank else solving(K, E))
        direction = _direction(_halves(solve, D, E) if epsilon else solve, x, below, above, zl, zu, dual)
        if direction is None:
            return
        (db, dx, dl, du), step = _mehrotra(direction, below, above, zl, zu)
        if not step > 1e-12:
            return
        x, b, zl, zu = x + step * dx, b + step * db, zl + step * dl, zu + step * du
        below, above = below + step * dx, above - step * dx
        found = np.where(below < np.minimum(zl, width / 2), lo, np.where(above < np.minimum(zu, width / 2), hi, x))
        yield found[:n] + found[n:] if epsilon else found


def _halves(solve: Solve, D: Array, E: Array) -> Solve:
    """Solve K (u + v) + (D_1 u, D_2 v) = r for (u, v) by what solves (K + diag E) x = r, 1 / E = 1 / D_1 + 1 / D_2."""
    n = len(E)

    def both(r: Array) -> Array:
        share = r / D
        whole = solve(E * (share[:n] + share[n:]))
        product = E * (share[:n] + share[n:] - whole)  # K times it
        return np.asarray(share - np.tile(product, 2) / D)

    return both


def _direction(
    solve: Solve, x: Array, below: Array, above: Array, zl: Array, zu: Array, dual: Array
) -> Direction[float] | None:
    """What a step of Newton's method changes; None where rounding leaves no direction that changes the sum."""
    to_ones = solve(np.ones(len(x)))
    if not to_ones.sum() > 0:
        return None

    def direction(cl: Array, cu: Array) -> tuple[float, Array, Array, Array]:
        """The changes of b, x, zl and zu that change below * zl by cl and above * zu by cu and mend the rest."""
        u = solve(-dual + cl / below - cu / above)
        db = float((u.sum() + x.sum()) / to_ones.sum())
        dx = u - db * to_ones
        return db, dx, (cl - zl * dx) / below, (cu + zu * dx) / above

    return direction


@_overflowing
def _mehrotra(
    direction: Direction[T], below: Array, above: Array, p: Array, q: Array
) -> tuple[tuple[T, Array, Array, Array], float]:
    """The predictor and the corrector: what to change, and how far to go.

    below and above are the distances of variables from both of their bounds, p and q the multipliers; `direction` says
    how all change, the first distance as the variables, where below * p and above * q are to change by so much.
    """
    products = 2 * len(p)

    def reached(dx: Array, dp: Array, dq: Array) -> float:
        """The largest step <= 1 that keeps every value + step * change at or above zero."""
        pairs = ((below, dx), (above, -dx), (p, dp), (q, dq))
        falling = [(value, change, change < 0) for value, change in pairs]
        return min(1.0, *(float((value[down] / -change[down]).min(initial=1.0)) for value, change, down in falling))

    mu = float(below @ p + above @ q) / products
    _, dx, dp, dq = direction(-below * p, -above * q)
    t = reached(dx, dp, dq)
    ahead = float((below + t * dx) @ (p + t * dp) + (above - t * dx) @ (q + t * dq)) / products
    aim = mu * min(1.0, max(ahead, 0.0) / mu) ** 3
    found = direction(aim - below * p - dx * dp, aim - above * q + dx * dq)
    return found, 0.995 * reached(*found[1:])


def _woodbury(G: Array, D: Array) -> Work[Solve]:
    """Solve (G'G + diag D) x = r by a system of G's few rows; pauses where they are not so few."""
    if not len(G):  # K = 0
        return lambda r: r / D
    scaled, product = G / D, np.empty((len(G), len(G)))
    parts = blocks(len(G), G.size // _AT_A_TIME)
    for rows in parts:
        product[rows] = scaled[rows] @ G.T
        if len(parts) > 1:
            yield
    inner = yield from solving(product, np.ones(len(G)))
    return lambda r: r / D - inner(scaled @ r) @ scaled


@dataclass(frozen=True, eq=False)
class FeatureSVMSolution(Brief):
    """An approximate solution, and which samples have 0 < alpha (`used`) and alpha = c (`bounded`)."""

    w: Array
    alpha: Array
    used: Mask
    bounded: Mask
    dual: float
    """The dual objective."""


def feature_svm(F: Array, y: Array, c: Array, margin: Array | None = None) -> Iterator[FeatureSVMSolution]:
    """Yield ever better solutions for the features F (n, p), y = -1 or +1, prices c (n,), margins (n,), or all 1."""
    basis = None
    if F.shape[1] > len(F):  # w lies in the span of the samples' features
        basis, triangle = np.linalg.qr(F.T)
        F = triangle.T
    state, best, least, since = _State.first(F, y, c, np.ones(len(y)) if margin is None else margin), np.inf, np.inf, 0
    for _ in range(_STEPS_IN_FEATURES):
        after = state.step()
        if after is None:
            return
        left = after.complementarity()
        since = 0 if left < least else since + 1
        cost, dual = after.cost(), after.dual()
        # The gap grows again where complementarity falls below rounding.
        least, merit = min(least, left), max(abs(1 - dual / cost), left / cost)
        if merit < best:
            best = merit
            # In the last steps of a used sample alpha stays and s falls; of an unused one the reverse.
            w = after.w[:-1]
            yield FeatureSVMSolution(
                w if basis is None else basis @ w,
                after.alpha,
                (after.alpha * state.s > after.s * state.alpha) & (after.s < _OFF),
                after.xi * c > after.rest,
                dual,
            )
        if left <= _TOLERANCE_IN_FEATURES * cost or since > _PATIENCE:
            return
        state = after


@dataclass(frozen=True, eq=False)
class _State:
    """alpha and rest = c - alpha with their partners s = y f - m + xi and xi, all above 0; w with b its last."""

    A: Array
    """(n, p + 1): the features and ones."""
    y: Array
    margin: Array
    w: Array
    alpha: Array
    rest: Array
    s: Array
    xi: Array

    @classmethod
    def first(cls, F: Array, y: Array, c: Array, margin: Array) -> _State:
        ones = np.ones(len(y))
        A = np.column_stack((F, ones))
        return cls(A, y, margin, np.zeros(A.shape[1]), c / 2, c / 2, _START * ones, _START * ones)

    def complementarity(self) -> float:
        """What tends to zero."""
        return float(self.alpha @ self.s + self.rest @ self.xi)

    def dual(self) -> float:
        """The dual objective."""
        # The sum of alpha y phi is w but for rounding, which no digits of alpha can mend; more than that counts.
        F = self.A[:, :-1]
        away = float(np.linalg.norm(F.T @ (self.y * self.alpha) - self.w[:-1]))
        rounding = ROUNDING * float(self.alpha @ np.linalg.norm(F, axis=1))
        return (
            float(self.alpha @ self.margin) - (float(np.linalg.norm(self.w[:-1])) + max(0.0, away - rounding)) ** 2 / 2
        )

    def cost(self) -> float:
        """The objective."""
        return float(self.w[:-1] @ self.w[:-1]) / 2 + float((self.alpha + self.rest) @ self.xi)

    @_overflowing
    def step(self) -> _State | None:
        """The state after one step; None where there is no way on."""
        A, y, alpha, rest, s, xi = self.A, self.y, self.alpha, self.rest, self.s, self.xi
        weight = 1 / (s / alpha + xi / rest)
        solve = _least_squares(A, weight)
        if solve is None:
            return None
        misfit = y * (A @ self.w) - self.margin + xi - s  # how far s is from what it stands for
        pull = A.T @ (y * alpha)
        pull[:-1] -= self.w[:-1]

        def direction(cs: Array, cx: Array) -> tuple[Array, Array, Array, Array]:
            """The changes of w, alpha, s and xi that change alpha * s by cs, rest * xi by cx, and mend the rest."""
            q = misfit + cx / rest - cs / alpha
            dw = solve(pull - A.T @ (y * q * weight))
            da = -(y * (A @ dw) + q) * weight
            return dw, da, (cs - s * da) / alpha, (cx + xi * da) / rest

        (dw, da, ds, dx), t = _mehrotra(direction, alpha, rest, s, xi)
        if not t > 1e-10:
            return None
        w = self.w + t * dw
        return _State(A, y, self.margin, w, alpha + t * da, rest - t * da, s + t * ds, xi + t * dx)


def _least_squares(A: Array, weight: Array) -> Solve | None:
    """Solve (A' diag(weight) A + J) x = r, J the identity but for a last 0; None where there are no digits left."""
    from scipy.linalg.lapack import dtrtrs

    ridge = np.ones(A.shape[1])
    ridge[-1] = 0.0
    # A triangle of the roots instead of the product, which would square the condition; columns of unit length.
    stacked = np.vstack((A * np.sqrt(weight)[:, None], np.diag(ridge)))
    length = np.sqrt((stacked**2).sum(axis=0))
    if not (np.isfinite(length).all() and length.all()):
        return None
    R = np.asfortranarray(np.linalg.qr(stacked / length, mode="r"))
    if not R.diagonal().all():
        return None

    def once(r: Array) -> Array:
        return np.asarray(dtrtrs(R, dtrtrs(R, r / length, trans=1)[0])[0] / length)

    def solve(r: Array) -> Array:
        x = once(r)
        return np.asarray(x + once(r - A.T @ (weight * (A @ x)) - ridge * x))

    return solve
