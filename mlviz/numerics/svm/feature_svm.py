"""Interior points for support vector machines in explicit features, where the dual program has no digits left.

The program of `active_set` finds w as sum alpha_i y_i phi_i, whose rounding errors grow with C. Where C times the
kernel is huge and there are explicit features, w is a variable of its own, and each step solves a least-squares problem
for it:

    minimise  1/2 |w|^2 + c.xi   over w (p,), b and xi (n,)  with  y_i (w.phi_i + b) >= m_i - xi_i,  xi >= 0

with the margins m = 1 for the two classes y = -1 and +1; regression has others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array, Mask
from mlviz.numerics.linalg.cholesky import Solve
from mlviz.numerics.svm.interior_point import mehrotra, overflowing
from mlviz.spec.brief import Brief

_STEPS = 120
_PATIENCE = 40
"""So many steps that come no nearer mean that rounding allows no more."""
_TOLERANCE = 1e-13
ROUNDING = 1e-15
_OFF = 1e-3
"""Samples farther than this from their margin don't lie on it."""
_START = 10.0


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
    for _ in range(_STEPS):
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
        if left <= _TOLERANCE * cost or since > _PATIENCE:
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

    @overflowing
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

        room, partners = np.stack((alpha, rest)), np.stack((s, xi))

        def direction(c: Array) -> tuple[Array, Array, Array]:
            """The changes of w, of alpha and rest, and of s and xi; what is missing elsewhere is mended."""
            q = misfit + c[1] - c[0]
            dw = solve(pull - A.T @ (y * q * weight))
            da = -(y * (A @ dw) + q) * weight
            of_room = np.stack((da, -da))
            return dw, of_room, c - partners / room * of_room

        (dw, (da, _), (ds, dx)), t = mehrotra(direction, room, partners)
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
