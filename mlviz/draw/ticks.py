"""Where the ticks of an axis stand and what is written at them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from mlviz.draw.numbers import MINUS, typographic_minus

_RESOLUTION = 1e-12
"""Limits nearer to each other than this share of themselves have no numbers between them worth writing."""
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Ticks:
    """Places on the axis and what is written there; `note` ("×10⁶", "+ 1000000") applies to all of them."""

    values: tuple[float, ...] = ()
    labels: tuple[str, ...] = ()
    note: str = ""


def ticks(
    low: float,
    high: float,
    length: float,
    extent: Callable[[str], float],
    scale: Literal["linear", "log"] = "linear",
    gap: float = 55.0,
    whole: bool = False,
) -> Ticks:
    """The ticks between low and high on an axis of `length` pixels, about every `gap` pixels.

    `extent(label)` is the room that a label takes along the axis, its margin included: labels never touch. `whole`
    leaves none between whole numbers.
    """
    sensible = low < high and math.isfinite(high - low) and length > 0 and (scale == "linear" or low > 0)
    if not sensible or high - low < _RESOLUTION * max(abs(low), abs(high)):
        return Ticks()
    for wanted in range(max(4, int(length / gap)), 0, -1):
        made = _logarithmic(low, high, wanted) if scale == "log" else _linear(low, high, wanted, 1.0 if whole else 0.0)
        if not _crowded(made, low, high, length, extent, scale):
            return made
    return Ticks()


def _crowded(made: Ticks, low: float, high: float, length: float, extent: Callable[[str], float], scale: str) -> bool:
    place = math.log10 if scale == "log" else float
    unit = length / (place(high) - place(low))
    rooms = [(place(value) * unit, extent(label)) for value, label in zip(made.values, made.labels, strict=True)]
    return any(b[0] - a[0] < (a[1] + b[1]) / 2 for a, b in itertools.pairwise(rooms))


def _linear(low: float, high: float, wanted: int, least: float = 0.0) -> Ticks:
    step = max(_nice((high - low) / wanted), least)
    # The span may be below the resolution of the numbers.
    if step == 0 or abs(low / step) > 2**52 or (high - low) / step > 1000:
        return Ticks()
    values = tuple(k * step for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1))
    return Ticks(values, *_labels(values, step))


def _nice(step: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is at least `step`."""
    power = 10.0 ** math.floor(math.log10(step)) if step > 0 else 0.0
    return next((factor * power for factor in (1, 2, 5) if factor * power >= step * (1 - 1e-9)), 10 * power)


def _labels(values: tuple[float, ...], step: float) -> tuple[tuple[str, ...], str]:
    top = max((abs(value) for value in values), default=0.0)
    if top == 0:
        return ("0",) * len(values), ""
    exponent = math.floor(math.log10(step) + 1e-9)
    if len(values) > 1 and top > 1e4 * step and min(values) * max(values) > 0:
        # A little way far from zero: say the distance from a round number once.
        unit = 10.0 ** (math.floor(math.log10(max(values) - min(values))) + 1)
        base = math.floor(values[0] / unit) * unit
        rest, _ = _labels(tuple(value - base for value in values), step)
        return rest, f"{'+' if base > 0 else MINUS} {_plain(abs(base))}"
    if top >= 1e5 or top < 1e-3:
        power = math.floor(math.log10(top) + 1e-9)
        return tuple(_fixed(v / 10.0**power, power - exponent) for v in values), f"×10{_raised(power)}"
    return tuple(_fixed(v, -exponent) for v in values), ""


def _fixed(value: float, decimals: int) -> str:
    text = f"{value:.{max(0, min(decimals, 15))}f}"
    return typographic_minus("0" if float(text) == 0 else text)


def _plain(value: float) -> str:
    return f"{value:.10g}".replace("e+", "e") if value < 1e12 else f"{value:.6e}".replace("e+", "e")


def _raised(power: int) -> str:
    return str(power).translate(_SUPERSCRIPT)


def _logarithmic(low: float, high: float, wanted: int) -> Ticks:
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    decades = last - first + 1
    if decades >= 3 or (decades == 2 and wanted < 4):
        step = max(1, math.ceil(decades / max(wanted, 1)))
        powers = [k for k in range(first, last + 1) if k % step == 0] or [first]
        plain = all(-3 <= k <= 3 for k in powers)
        return Ticks(
            tuple(10.0**k for k in powers), tuple(f"{10.0**k:g}" if plain else f"10{_raised(k)}" for k in powers)
        )
    if math.log10(high / low) < 0.3:
        return _linear(low, high, wanted)
    factors = (1, 2, 5) if wanted > 1 else (1,)
    inside = [(f, k) for k in range(first - 1, last + 2) for f in factors if low <= f * 10.0**k <= high]
    return Ticks(
        tuple(f * 10.0**k for f, k in inside), tuple(typographic_minus(f"{f * 10.0**k:.6g}") for f, k in inside)
    )
