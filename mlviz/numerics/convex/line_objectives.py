"""Objectives of straight functions, and the scale at which a boundary, given as a line, does best by one of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.residuals import losses as residuals

Loss = Literal["hinge", "logistic", "squared", "epsilon-insensitive", "pinball"] | residuals.Loss
_ROUNDS = 120
"""So many times the interval of scales is made smaller by the golden section: nothing of it is left then."""
_DOUBLINGS = 60
_GOLDEN = (math.sqrt(5) - 1) / 2


def losses(loss: Loss, f: Array, y: Array, shape: float = 0.0) -> Array:
    """The loss (n,) of scores, or values, f (n,) at samples whose signs, or values, are y (n,).

    `shape` is the epsilon or the tau of the last two losses.
    """
    if not isinstance(loss, str):
        return loss.values(y - f)
    if loss == "hinge":
        return np.maximum(0.0, 1 - y * f)
    if loss == "logistic":
        return np.logaddexp(0.0, -y * f)
    r = y - f
    if loss == "epsilon-insensitive":
        return residuals.insensitive(r, shape)
    return residuals.pinball(r, shape) if loss == "pinball" else np.asarray(r**2)


@np.errstate(over="ignore")
def objective_of(
    loss: Loss,
    f: Array,
    coef: Array,
    y: Array,
    weights: Array,
    *,
    l2: float,
    l1: float,
    total: float | None,
    shape: float = 0.0,
) -> float:
    """The mean of the losses, or `total` times their sum, and the penalty of the slopes coef (d,).

    With an infinite `total` no sample may have any loss but for rounding.
    """
    each = losses(loss, f, y, shape)
    penalty = l2 * float(coef @ coef) + l1 * float(np.abs(coef).sum())
    if total is None:
        return float(weights @ each / weights.sum()) + penalty
    if math.isinf(total):
        return penalty if float(each[weights > 0].max(initial=0.0)) < 1e-9 * (1 + float(np.abs(f).max())) else math.inf
    return total * float(weights @ each) + penalty


def best_scale(objective: Callable[[float], float], unit: float) -> tuple[float, float]:
    """The scale of at least 0 at which a convex objective is smallest, and its value there.

    `unit` is about how large such scales are. One that has no end is given up at 2^60 units.
    """
    high = unit
    for _ in range(_DOUBLINGS):
        # Where it is infinite the scale is too small: the hard margin wants one at which all samples are outside.
        here, beyond = objective(high), objective(2 * high)
        if here < beyond and math.isfinite(here):
            break
        high *= 2
    low, high = 0.0, 2 * high
    if math.isinf(objective(high)):
        return 0.0, objective(0.0)
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = objective(left), objective(right)
    for _ in range(_ROUNDS):
        # An infinite value is one of scales that are too small.
        if at_left <= at_right and math.isfinite(at_left):
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = objective(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = objective(right)
    found = [(objective(scale), scale) for scale in (0.0, left, right, high)]
    value, scale = min(found)
    return scale, value
