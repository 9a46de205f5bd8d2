"""Descent along the gradient of all samples, or of few drawn at random; an L1 penalty joins by its proximal step.

Boyd and Vandenberghe, Convex Optimization (2004), section 9.3; Parikh and Boyd, Proximal Algorithms (2014), section
4.2 and 4.3; Robbins and Monro, Annals of Mathematical Statistics 22 (1951) 400-407.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np

from mlviz.numerics.arrays import Array, Rows
from mlviz.numerics.convex.mean_loss import MeanLoss
from mlviz.numerics.convex.newton import Iterate, least_slope, soft_threshold

Rule = Literal["fixed", "1/L", "line search", "bold driver"]
FASTER, SLOWER = 1.05, 0.5
"""The bold driver multiplies its step by these, after a step that helped and after one that did not."""
_RUNAWAY = 1e9
"""A value that has grown so many times has no end in sight."""
_STILL = 1e-8
"""A slope below this share of the steepest one there can be along its parameter is none."""
_ROUNDING = 1e-12
"""A change of less than this share of the loss may be rounding."""
STEPS_SHOWN_SINGLY = 2000
"""Of more random steps than this only every so many are shown."""


def descent(loss: MeanLoss, prices: Array, start: Array, rule: Rule, rate: float, most: int) -> Iterator[Iterate]:
    """Yield the start and the place after each step; `rate` is what a fixed step and the bold driver begin with.

    The value is that of the loss plus sum_j price_j |at_j|.
    """
    still = _STILL * np.resize(loss.slope_scales, start.shape)
    size = {"1/L": 1 / max(loss.steepest(), 1e-300), "line search": 1.0}.get(rule, rate)
    at, (plain, known) = start, loss.value(start)
    value = first = plain + float(prices @ np.abs(at))
    used, back = float("nan"), False
    for number in range(most + 1):
        gradient = loss.gradient(at, known)
        slopes = least_slope(gradient, at, prices)
        slope, settled = float(np.linalg.norm(slopes)), bool((np.abs(slopes) <= still).all())
        last = Iterate(at, value, slope, number, settled, used, taken_back=back)
        yield last
        if last.settled or number == most:
            return
        with np.errstate(over="ignore", invalid="ignore"):
            if rule == "line search":
                size = _searched(loss, prices, at, plain, gradient, 2 * size if number else size)
            there = soft_threshold(at - size * gradient, size * prices)
            new_plain, new_known = loss.value(there)
            new_value = new_plain + float(prices @ np.abs(there))
        used, back = size, rule == "bold driver" and not new_value <= value
        if rule == "bold driver":
            size *= SLOWER if back else FASTER
        if not back:
            if not new_value <= _RUNAWAY * max(first, 1.0):
                yield dataclasses.replace(last, steps=number + 1, step_size=used, ran_away=True)
                return
            at, plain, known, value = there, new_plain, new_known, new_value


def accelerated(loss: MeanLoss, prices: Array, start: Array, most: int) -> Iterator[Iterate]:
    """Yield the start and the place after each step 1/L, taken from ahead of the last place, in the direction it went.

    Beck and Teboulle, SIAM Journal on Imaging Sciences 2 (2009) 183-202 (FISTA): after k steps the value is within
    2 L |start - minimum|^2 / (k + 1)^2 of the lowest one. It may rise now and then on the way.
    """
    still, size = _STILL * np.resize(loss.slope_scales, start.shape), 1 / max(loss.steepest(), 1e-300)
    at = ahead = start
    pace = 1.0
    for number in range(most + 1):
        plain, known = loss.value(at)
        slopes = least_slope(loss.gradient(at, known), at, prices)
        slope, settled = float(np.linalg.norm(slopes)), bool((np.abs(slopes) <= still).all())
        value = plain + float(prices @ np.abs(at))
        yield Iterate(at, value, slope, number, settled, size if number else float("nan"))
        if settled or number == most:
            return
        there = soft_threshold(ahead - size * loss.gradient(ahead, loss.value(ahead)[1]), size * prices)
        faster = (1 + np.sqrt(1 + 4 * pace**2)) / 2
        ahead, at, pace = there + (pace - 1) / faster * (there - at), there, faster


def _searched(loss: MeanLoss, prices: Array, at: Array, plain: float, gradient: Array, size: float) -> float:
    """The step, halved until the loss lies below the parabola that touches it here and opens as wide as the step."""
    for _ in range(2000):
        move = soft_threshold(at - size * gradient, size * prices) - at
        rise = float(move @ move) / (2 * size)
        if rise < _ROUNDING * abs(plain):  # too little to be seen in the loss: the last step was good
            return size / 2
        if loss.value(at + move)[0] <= plain + float(gradient @ move) + rise:
            break
        size /= 2
    return size


def stochastic(
    loss: MeanLoss, prices: Array, start: Array, rate: float, batch: int, most: int, rng: Any
) -> Iterator[Iterate]:
    """Yield the start and places on a walk whose each step follows `batch` samples, drawn by their shares.

    They are drawn by their places when sorted, so that neither the order of the rows nor writing a sample several times
    instead of giving it a weight changes anything.
    """
    order = np.lexsort((loss.y, *loss.inputs))
    reach = np.cumsum(loss.shares[order])
    stride = -(-most // STEPS_SHOWN_SINGLY)
    at, first = start, 1.0
    last: Iterate | None = None
    drawn: Rows | None = None
    for number in range(most + 1):
        if number % stride == 0 or number == most:
            with np.errstate(over="ignore", invalid="ignore"):
                plain, known = loss.value(at)
                value = plain + float(prices @ np.abs(at))
            if last is not None and not value <= _RUNAWAY * first:
                yield dataclasses.replace(last, steps=number, ran_away=True)
                return
            slope = float(np.linalg.norm(least_slope(loss.gradient(at, known), at, prices)))
            first = first if last else max(value, 1.0)
            last = Iterate(at, value, slope, number, False, rate if number else float("nan"), batch_rows=drawn)
            yield last
        drawn = order[np.searchsorted(reach, rng.random(batch) * reach[-1], side="right").clip(max=len(order) - 1)]
        part = loss.of(drawn)
        with np.errstate(over="ignore", invalid="ignore"):
            at = soft_threshold(at - rate * part.gradient(at, part.value(at)[1]), rate * prices)
