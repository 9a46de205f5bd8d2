"""Iteratively reweighted least squares: squares whose weights give them the slopes of another loss.

Holland and Welsch, Robust regression using iteratively reweighted least-squares, Communications in Statistics A 6
(1977) 813-827. Where the loss grows no faster than the square each step lowers the objective; a power above 2 needs
steps 1/(p - 1) times as long, which makes them Newton's.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.residuals.losses import Loss, Power
from mlviz.numerics.residuals.problem import ResidualProblem

LEAST = 1e-6
"""A residual counts as at least so large, as a share of the largest of the least squares, at the end."""
_FIRST = 0.1
_SMALLER = 0.5
"""At first it is that much, and each step takes so much of it: else a sample once met would never be left."""
_HALVINGS = 20


def power_of(loss: Loss) -> float:
    """By which power of the unit losses of residuals in other units differ."""
    return loss.p if isinstance(loss, Power) else 2.0


def reweighted(problem: ResidualProblem, loss: Loss, z: Array, steps: int, least: float = _FIRST) -> Iterator[Array]:
    """Yield coordinates (q,) after each step from z on, at most so many; ends where nothing moves."""
    scaled, power = loss.in_units(problem.unit), power_of(loss)
    length = 1 / (power - 1) if power > 2 else 1.0
    M = problem.penalty_for(power)

    def value(at: Array) -> float:
        with np.errstate(over="ignore"):
            losses = float(problem.share @ scaled.values(problem.residuals(at)))
        return losses + float((problem.origin + at) @ M @ (problem.origin + at))

    for _ in range(steps):
        residual = problem.residuals(z)
        weights = problem.share * scaled.weights(residual, least)
        H = (problem.Q.T * weights) @ problem.Q + M
        H.flat[:: len(H) + 1] += 1e-14 * float(H.trace()) / len(H) + np.finfo(np.float64).tiny
        step = length * np.linalg.solve(H, problem.Q.T @ (weights * residual) - M @ (problem.origin + z))
        if power > 2:
            now = value(z)
            for _ in range(_HALVINGS):
                if value(z + step) <= now:
                    break
                step = step / 2
        z = z + step
        yield z
        moved = float(np.abs(problem.Q @ step).max())
        if moved <= LEAST and least <= LEAST:
            return
        least = max(_SMALLER * least, LEAST)
