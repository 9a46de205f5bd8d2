"""Kernel logistic regression by iteratively reweighted least squares. Zhu and Hastie, JCGS 14 (2005) 185-205.

    minimise  sum_i share_i log(1 + exp(-sign_i f_i)) + ridge a'K a,   f = K a + b

Newton's method solves (K + D) a + b = z, sum a = 0, with D = 2 ridge / W and z = f + share sign wrong / W for the
weights W = share wrong right, where `wrong` and `right` are the probabilities of either class for each sample. At the
minimum 2 ridge a_i = share_i sign_i wrong_i.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.convex.newton import LAST_STEP_GAIN, MOST_STEPS, SETTLED_GAIN
from mlviz.numerics.linalg.cholesky import factorized
from mlviz.numerics.pauses import Work, blocks, meanwhile
from mlviz.spec.brief import Brief

_MANY = 700
"""With more samples a step takes a while, and is interrupted."""
_WORSE = 1e-9
"""A last step that raises the objective by more than this share has lost its digits."""
_STEEPEST = 300.0
"""A sample with a more negative score than minus this is as wrong as can be: exp of more has no number."""


@dataclass(frozen=True, eq=False)
class KernelIterate(Brief):
    """Coefficients a (n,), offset, f (n,), the objective and what of it is penalty.

    `gradient_norm` is the length of the objective's gradient in the space of the kernel and in the offset; None before
    the kernel's matrix is there. `gap` is how
    far the objective is at most above its minimum, as the dual says at a; infinite where a is not dual feasible.
    """

    a: Array
    offset: float
    f: Array
    value: float
    penalty: float
    gradient_norm: float | None
    gap: float
    steps: int
    settled: bool


def reweighted(
    K: Array, signs: Array, shares: Array, ridge: float, a: Array, offset: float, fitted: Array | None = None
) -> Iterator[KernelIterate]:
    """Yield the start and the iterates; `fitted` is f at the start, where it is known.

    With many samples each is yielded again and again, while the next one is worked out.
    Steps are halved until the objective falls (Armijo). The last one is taken as it is: rounding may hide its gain.
    """
    f = K @ a + offset if fitted is None else fitted
    last, solve = False, _Equations(K, signs, shares, ridge)
    value, penalty = _value(signs, shares, ridge, a, offset, f)
    for number in range(MOST_STEPS + 1):
        score = signs * f
        small = np.exp(-np.abs(score))
        wrong = np.where(score > 0, small, 1.0) / (1 + small)
        residual = 2 * ridge * a - shares * signs * wrong
        tilt = float((shares * signs) @ wrong)
        spread = K @ residual
        norm = float(np.sqrt(max(0.0, float(residual @ spread)) + tilt**2))
        gap = value - _dual(signs, shares, ridge, a, penalty)
        iterate = KernelIterate(a, offset, f, value, penalty, norm, gap, number, last)
        yield iterate
        if last:
            return
        new, new_offset = yield from meanwhile(iterate, solve(f, score))
        change, shift = new - a, new_offset - offset
        gain = tilt * shift - float(spread @ change)
        last, lift, size = gain <= LAST_STEP_GAIN * value or value < SETTLED_GAIN, K @ change, 1.0
        while True:
            place = a + size * change, offset + size * shift, f + size * (lift + shift)
            there = _value(signs, shares, ridge, *place)
            if last or there[0] <= value - 1e-4 * size * gain:
                break
            size /= 2
            last = size < 1e-10
        if there[0] <= value * (1 + _WORSE):
            (a, offset, f), (value, penalty) = place, there
        if len(a) > _MANY:
            yield iterate


class _Equations:
    """The equations of a step, in the form I + s K s with s = D^-1/2, whose eigenvalues are never below 1."""

    def __init__(self, K: Array, signs: Array, shares: Array, ridge: float) -> None:
        self._K, self._signs, self._root = K, signs, np.sqrt(shares / (2 * ridge))
        self._matrix: Array = np.empty_like(K)

    def __call__(self, f: Array, score: Array) -> Work[tuple[Array, float]]:
        """Find the new coefficients and offset; pauses where that is long."""
        from scipy.linalg.lapack import dtrtrs

        # sqrt(wrong right) and sqrt(wrong / right), from the scores: neither is 0 where it should not be.
        half = np.exp(-0.5 * np.minimum(np.abs(score), 2 * _STEEPEST))
        s = self._root * half / (1 + half**2)
        pull = self._signs * self._root * np.exp(-0.5 * np.clip(score, -_STEEPEST, 2 * _STEEPEST))
        for rows in blocks(len(s), len(s)):
            np.multiply(self._K[rows], s, out=self._matrix[rows])
            self._matrix[rows] *= s[rows, None]
            if len(s) > _MANY:
                yield
        self._matrix.flat[:: len(s) + 1] += 1.0
        for _ in factorized(self._matrix):
            if len(s) > _MANY:
                yield
        solved = np.stack((s * f + pull, s), axis=1)
        for transposed in (1, 0):
            solved, _ = dtrtrs(self._matrix.T, solved, trans=transposed)
            if len(s) > _MANY:
                yield
        to_target, to_one = (s * part for part in solved.T)
        offset = float(to_target.sum() / to_one.sum())
        return to_target - offset * to_one, offset


def before_kernel(signs: Array, shares: Array, ridge: float, offset: float) -> KernelIterate:
    """The start without coefficients, of which all but the gradient is known before the kernel's matrix is there."""
    a, f = np.zeros(len(signs)), np.full(len(signs), offset)
    value, penalty = _value(signs, shares, ridge, a, offset, f)
    gap = value - _dual(signs, shares, ridge, a, penalty)
    return KernelIterate(a, offset, f, value, penalty, None, gap, 0, False)


def _value(signs: Array, shares: Array, ridge: float, a: Array, offset: float, f: Array) -> tuple[float, float]:
    """The objective, and what of it is penalty."""
    score = signs * f
    penalty = ridge * float(a @ (f - offset))
    return float(shares @ (np.log1p(np.exp(-np.abs(score))) - np.minimum(score, 0))) + penalty, penalty


def _dual(signs: Array, shares: Array, ridge: float, a: Array, penalty: float) -> float:
    """The lower bound that a gives: the entropy of the probabilities 2 ridge sign a / share, less the penalty."""
    u = 2 * ridge * signs * a / shares
    close = 1e-9
    if u.min() < -close or u.max() > 1 + close or abs(float(a.sum())) > close * float(np.abs(a).sum()):
        return -np.inf
    u = np.clip(u, 1e-300, 1.0)
    return float(shares @ (-u * np.log(u) - (1 - u) * np.log1p(-np.minimum(u, 1 - 1e-16)))) - penalty
