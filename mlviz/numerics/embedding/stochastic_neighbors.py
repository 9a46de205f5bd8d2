"""t-distributed stochastic neighbour embedding (van der Maaten and Hinton 2008), with exact gradients."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mlviz.numerics.arrays import Array, Rows
from mlviz.numerics.pauses import Work, blocks
from mlviz.spec.brief import Brief

EXAGGERATED = 250
"""So many steps at the beginning go by exaggerated probabilities."""
STILL = 1e-7
"""The descent has settled when its gradient is shorter than this."""
_MOMENTUM = 0.5, 0.8
"""What is kept of the last step, while probabilities are exaggerated and later."""
_GAIN, _LOSS, _LEAST_GAIN = 0.2, 0.8, 0.01
"""How the rate of a coordinate grows while it keeps its direction, and shrinks when it turns back."""
_ENTROPY_TOLERANCE = 1e-10
_SEARCHES = 100
"""So many bandwidths are tried for a sample at the most."""
_AT_HAND, _FEWEST_ROWS = 60_000, 32
"""So many numbers of a matrix, half a megabyte, are worked out at once, but no fewer rows of it."""


class Chances(NamedTuple):
    """With which probability each row chooses each of the others, (q, m), and the precision of each row, (q,)."""

    chances: Array
    precisions: Array


def conditional_chances(squares: Array, perplexity: float, alone: bool = True) -> Work[Chances]:
    """Work out p(j|i) = exp(−βᵢ dᵢⱼ²) / Σₖ exp(−βᵢ dᵢₖ²) for squared distances (q, m) and a perplexity.

    The perplexity is the exponential of a row's entropy: the number of neighbours it amounts to. The βᵢ for which it is
    right is found by bisection, with Newton's steps where these stay inside. `alone` says that the rows are the samples
    themselves, none of which chooses itself.
    """
    q, m = squares.shape
    chances, precisions = np.empty((q, m)), np.ones(q)
    for rows in blocks(q, 8 * m):
        own = np.arange(q)[rows] if alone else None
        chances[rows], precisions[rows] = _by_bisection(squares[rows], perplexity, own)
        yield
    return Chances(chances, precisions)


def _by_bisection(squares: Array, perplexity: float, own: Rows | None) -> Chances:
    """The chances of some rows, `own` (q,) being the column of each itself."""
    gaps, rows = squares.copy(), np.arange(len(squares))
    if own is not None:
        gaps[rows, own] = np.inf
    gaps -= gaps.min(axis=1, keepdims=True)  # the nearest one has no gap: exponents are no longer tiny
    finite = np.where(np.isfinite(gaps), gaps, 0.0)
    largest = finite.max(axis=1)
    least = np.where(gaps > 0, gaps, np.inf).min(axis=1)
    flat = ~(largest > 0)  # all others are equally far
    largest, least = np.where(flat, 1.0, largest), np.where(flat, 1.0, least)
    low, high = np.log(1e-9) - np.log(largest), np.log(800) - np.log(least)
    at = np.clip(-np.log(_typical(gaps, perplexity, largest)), low, high)
    wanted, active = np.log(perplexity), rows[~flat]
    for _ in range(_SEARCHES):
        if not len(active):
            break
        entropy, slope = _entropies(gaps[active], finite[active], np.exp(at[active]))
        off = entropy - wanted
        low[active] = np.where(off > 0, at[active], low[active])
        high[active] = np.where(off > 0, high[active], at[active])
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            newton = at[active] - off / slope
        inside = (newton > low[active]) & (newton < high[active])
        going = (np.abs(off) > _ENTROPY_TOLERANCE) & (high[active] - low[active] > 1e-14)
        at[active] = np.where(going, np.where(inside, newton, (low[active] + high[active]) / 2), at[active])
        active = active[going]
    beta = np.exp(at)
    weights = np.exp(-beta[:, None] * gaps)
    return Chances(weights / weights.sum(axis=1, keepdims=True), beta)


def _typical(gaps: Array, perplexity: float, largest: Array) -> Array:
    """About the gap of the last of as many neighbours as the perplexity, of each row."""
    k = min(int(perplexity), gaps.shape[1] - 1)
    typical = np.partition(gaps, k, axis=1)[:, k]
    return np.where(np.isfinite(typical) & (typical > 0), typical, largest)


def _entropies(gaps: Array, finite: Array, beta: Array) -> tuple[Array, Array]:
    """The entropies (q,) of rows, and their slopes by log β."""
    weights = np.exp(-beta[:, None] * gaps)
    total = weights.sum(axis=1)
    weights *= finite
    mean = weights.sum(axis=1) / total
    weights *= finite
    variance = weights.sum(axis=1) / total - mean * mean
    return np.log(total) + beta * mean, -beta * beta * variance


def joint_chances(chances: Array) -> Array:
    """pᵢⱼ = (p(j|i) + p(i|j)) / 2m of the m samples: symmetric, with the sum 1."""
    return (chances + chances.T) / (2 * len(chances))


def perplexities(chances: Array) -> Array:
    """The perplexity of each row, (q,)."""
    logs = np.log(chances, out=np.zeros_like(chances), where=chances > 0)
    return np.asarray(np.exp(-(chances * logs).sum(axis=1)))


class Forces(NamedTuple):
    """The divergence at some places, and what draws each of them to others and drives it away, (m, k) each."""

    divergence: float
    pull: Array
    push: Array

    def gradient(self, exaggeration: float = 1.0) -> Array:
        """The gradient (m, k): 4 Σⱼ (pᵢⱼ − qᵢⱼ) (yᵢ − yⱼ) / (1 + |yᵢ − yⱼ|²), with so many times pᵢⱼ."""
        return 4 * (exaggeration * self.pull - self.push)


@dataclass(frozen=True, eq=False)
class Divergence(Brief):
    """Kullback and Leibler's divergence Σ pᵢⱼ log(pᵢⱼ/qᵢⱼ) between P (m, m) and what places imply, and its gradient.

    qᵢⱼ is in proportion to 1 / (1 + |yᵢ − yⱼ|²). Each pair counts twice and is worked out once, in blocks of rows that
    the processor keeps at hand: whole matrices take several times as long.
    """

    own: float
    """Σ pᵢⱼ log pᵢⱼ, which no place changes."""
    _blocks: tuple[Array, ...]
    """P without what is left of the diagonal, some rows each."""

    @classmethod
    def of(cls, P: Array) -> Divergence:
        """That from the joint chances P (m, m)."""
        own = float((P * np.log(P, out=np.zeros_like(P), where=P > 0)).sum())
        rows = max(_FEWEST_ROWS, _AT_HAND // len(P))
        return cls(own, tuple(P[first : first + rows, first:].copy() for first in range(0, len(P), rows)))

    def forces(self, Y: Array) -> Forces:
        """What is there at the places Y (m, k)."""
        # Few samples are the rule, where each array that is made takes as long as working it out.
        m, k = Y.shape
        left, right, Z = np.ones((m, k + 2)), np.ones((m, k + 2)), np.ones((m, k + 1))
        left[:, :k] = Z[:, 1:] = Y
        left[:, k] = squares = np.add.reduce(Y * Y, axis=1)
        right[:, :k], right[:, k + 1] = -2 * Y, squares + 1
        drawn, driven = np.zeros((m, k + 1)), np.zeros((m, k + 1))
        total = logs = 0.0
        for P in self._blocks:
            b, first = len(P), len(Y) - P.shape[1]
            rows, later = slice(first, first + b), slice(first + b, None)
            spread = left[rows] @ right[first:].T
            np.maximum(spread, 1.0, out=spread)
            near = 1.0 / spread
            # Beside the distances to themselves far places would be lost in rounding.
            near.ravel()[:: P.shape[1] + 1] = 0.0
            last = b == P.shape[1]  # no later row has its pairs here
            total += _of_pairs(near, b, last)
            np.log(spread, out=spread)
            spread *= P
            logs += _of_pairs(spread, b, last)
            np.multiply(near, P, out=spread)
            near *= near
            for sums, weights in ((drawn, spread), (driven, near)):
                sums[rows] += weights @ Z[first:]
                if not last:
                    sums[later] += weights[:, b:].T @ Z[rows]
        total = max(total, np.finfo(np.float64).tiny)
        pull, push = drawn[:, :1] * Y - drawn[:, 1:], driven[:, :1] * Y - driven[:, 1:]
        return Forces(self.own + logs + math.log(total), pull, push / total)


def _of_pairs(block: Array, b: int, last: bool) -> float:
    """The sum over both orders of each pair in b rows, whose pairs among each other the first b columns have twice."""
    return float(block.sum()) if last else float(2 * block[:, b:].sum() + block[:, :b].sum())


class Descent(NamedTuple):
    """Places (m, k) after so many steps, the divergence there, and whether the next step is exaggerated."""

    places: Array
    steps: int
    exaggerated: bool
    divergence: float


def usual_rate(m: int, exaggeration: float) -> float:
    """The learning rate for m samples (Belkina and others 2019)."""
    return max(m / exaggeration / 4, 50.0)


def descend(
    objective: Divergence, start: Array, rate: float, exaggeration: float, steps: int, exaggerated: int = EXAGGERATED
) -> Iterator[Descent]:
    """Gradient descent from a start (m, k), with momentum and a rate for each coordinate (Jacobs 1988): every step."""
    places = start - start.mean(axis=0)
    velocity, gains = np.zeros_like(places), np.ones_like(places)
    for step in range(steps + 1):
        early, forces = step < exaggerated, objective.forces(places)
        yield Descent(places, step, early, forces.divergence)
        if step == exaggerated:
            velocity, gains = np.zeros_like(places), np.ones_like(places)
        slope = forces.gradient(exaggeration if early else 1.0)
        if not early and float(np.linalg.norm(slope)) <= STILL:
            return
        turned = velocity * slope >= 0
        gains = np.maximum(np.where(turned, gains * _LOSS, gains + _GAIN), _LEAST_GAIN)
        velocity = _MOMENTUM[0 if early else 1] * velocity - rate * gains * slope
        places = places + velocity
        places -= np.add.reduce(places, axis=0) / len(places)
