"""Where the ticks of an axis stand and what is written at them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

import numpy as np

from mlviz.draw.numbers import MINUS, number, typographic

_RESOLUTION = 1e-12
"""Limits nearer to each other than this share of themselves have no numbers between them worth writing."""
_DIGITS = 6
"""Numbers with more digits are parted into a label and a note."""
_SMALLEST, _LARGEST = -3, 5
"""From which power of ten on, and below which one, numbers are written out."""
_LONGEST = 16
"""A number in a note that would have more characters is written with a power of ten."""
_FEW, _WHOLE_PX = 20.0, 20.0
"""An axis of whole numbers over no more than so many has a tick at each where so many pixels lie between them."""
_SHORT = 8
"""A number on a line with no more characters is written out."""
_TOLD = 0.02
"""A number on a line is its level but for this share of the step to the next one."""
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Ticks:
    """Places on the axis and what is written there.

    `note` applies to all of them: "×10⁶", "+ 1000000", or "×10⁻⁴ + 47.376", where 8.5 stands for 47.37685.
    """

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
    leaves none between whole numbers, and of a few has one at each.
    """
    sensible = low < high and math.isfinite(high - low) and length > 0 and (scale == "linear" or low > 0)
    if not sensible or high - low < _RESOLUTION * max(abs(low), abs(high)):
        return Ticks()
    most = max(4, int(length / gap))
    if whole and high - low <= min(_FEW, length / _WHOLE_PX):
        most = max(most, math.ceil(high - low))
    for wanted in range(most, 0, -1):
        made = _logarithmic(low, high, wanted) if scale == "log" else _linear(low, high, wanted, 1.0 if whole else 0.0)
        if not _crowded(made, low, high, length, extent, scale):
            return made
    return Ticks()


def round_levels(low: float, high: float, count: float) -> tuple[float, ...]:
    """About so many round numbers between low and high, whatever room their labels would take."""
    return ticks(low, high, count, lambda label: 0.0, gap=1.0).values


def words_of_levels(levels: Sequence[float]) -> Callable[[float], str]:
    """How the numbers of levels are written: with the digits that it takes to tell each from the next one."""
    given = np.unique(np.asarray(levels, dtype=np.float64))
    step = float(np.diff(given).min()) if len(given) > 1 else 0.0
    # Of a single level all digits are told but those of rounding.
    near = _TOLD * step if step else 1e-12 * float(np.abs(given).max(initial=0.0))
    digits = next((k for k in range(4, 17) if all(abs(float(number(v, k)) - v) <= near for v in given.tolist())), 17)

    def word(level: float) -> str:
        told = number(level, digits)
        plain = f"{Decimal(told):f}"
        return typographic(plain if len(plain) <= _SHORT else told)

    return word


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
    factor, exponent = map(int, f"{step:.0e}".split("e"))
    times = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    return Ticks(tuple(k * step for k in times), *_labels([k * factor for k in times], exponent))


def _nice(step: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is at least `step`."""
    power = 10.0 ** math.floor(math.log10(step)) if step > 0 else 0.0
    return next((factor * power for factor in (1, 2, 5) if factor * power >= step * (1 - 1e-9)), 10 * power)


def _labels(counts: Sequence[int], exponent: int) -> tuple[tuple[str, ...], str]:
    """What is written at counts times 10^exponent, and the note: each is its label, times and plus what the note says.

    Whole numbers, so that every digit is right whatever the size.
    """
    top = max(map(abs, counts), default=0)
    power = len(str(top)) - 1 + exponent
    few = max(len(str(top)), -exponent) <= _DIGITS
    if top == 0 or (few and _SMALLEST <= power < _LARGEST):
        return tuple(_written(count, exponent) for count in counts), ""
    if len(str(top)) <= _DIGITS:
        return tuple(_written(count, exponent - power) for count in counts), f"×10{_raised(power)}"
    # A little way far from zero: the distance from a round number, which is said once.
    unit = 10 ** len(str(max(counts) - min(counts)))
    base = min(counts) // unit * unit
    labels, factor = _labels([count - base for count in counts], exponent)
    return labels, f"{factor} {MINUS if base < 0 else '+'} {_plain(abs(base), exponent)}".strip()


def _written(count: int, exponent: int) -> str:
    return typographic(f"{Decimal(count).scaleb(exponent):f}" if count else "0")


def _plain(count: int, exponent: int) -> str:
    """All digits but zeros at the end; with a power of ten where many zeros would stand before or behind them."""
    value = Decimal(count).scaleb(exponent).normalize()
    plain = f"{value:f}"
    return plain if len(plain) <= _LONGEST else f"{value:e}".replace("e+", "e")


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
    least = min((k for _, k in inside), default=0)
    return Ticks(tuple(f * 10.0**k for f, k in inside), *_labels([f * 10 ** (k - least) for f, k in inside], least))
