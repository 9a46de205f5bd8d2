"""The one scale of values that are told by colour: of the field, its bar and the samples alike."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlviz.draw.numbers import number, typographic

NEUTRAL = 128
"""The shade of the middle of a scale."""
_EQUAL = 1e-6
"""Values that differ by a smaller share of their size are one value to the eye, and to single precision."""
_SMALLEST, _LARGEST = 1e-290, 1e150
"""A value below is nothing, and for one above no round number is looked for."""
_EXACT = 1e-3
"""What is written may be off by this share of the scale."""
_DIGITS = (4, 7, 10, 13)
"""As many are written as it takes to tell the ends exactly."""
_PARTS = 8
"""The steps to which the ends are rounded are at most this part of the range."""


@dataclass(frozen=True)
class ValueScale:
    """Values from `low` to `high`, in shades from 1 to 255; what is beyond has the shade of an end."""

    low: float
    high: float

    @classmethod
    def of(cls, values: ArrayLike) -> ValueScale:
        """The scale of such values, with round ends: it stays as it is while a hand moves one of them within.

        Values of both signs have a scale about 0, so that its colours tell the sign. Equal values, and none, have one,
        too: then it does not depend on which of them was there first.
        """
        given = np.asarray(values, dtype=np.float64)
        low, high = (float(given.min()), float(given.max())) if given.size else (0.0, 0.0)
        size = max(-low, high)
        if size < _SMALLEST:
            return cls(-1.0, 1.0)
        if low == high or high / 2 - low / 2 <= _EQUAL * size / 2:
            top = max(size, _round_above(size)) if size < _LARGEST else size
            return cls(-top, top)
        if low < 0 < high:
            low, high = -size, size
        if size >= _LARGEST:
            return cls(low, high)
        step = _round_below((high - low) / _PARTS)
        return cls(_multiple(low, step, math.floor), _multiple(high, step, math.ceil))

    @property
    def middle(self) -> float:
        """The neutral value."""
        return self.low / 2 + self.high / 2

    def shades(self, values: ArrayLike) -> NDArray[np.uint8]:
        """How strong the diverging ink is at values: 1 at the low end, 128 in the middle, 255 at the high end."""
        half = self.high / 2 - self.low / 2
        share = np.clip(values, self.low, self.high) - self.middle
        share = share / half if half > 0 else share * 0
        return np.asarray(np.clip(NEUTRAL + 127 * share, 1, 255).astype(np.uint8))

    def at(self, share: float) -> float:
        """The value at a share of the way from the low end to the high one, with no more digits than tell it apart."""
        value = self.low * (1 - share) + self.high * share
        return self.rounded(value)

    def mirrored(self, value: float) -> float:
        """The value as far on the other side of the middle; of one beyond an end, the other end."""
        return self.rounded(2 * self.middle - min(max(value, self.low), self.high))

    def rounded(self, value: float) -> float:
        """A value with as few decimals as tell a hundredth of the scale, or a tenth of that."""
        half = self.high / 2 - self.low / 2
        if not _SMALLEST < half < _LARGEST:
            return value
        return round(value, 2 - math.floor(math.log10(2 * half))) + 0.0

    def __str__(self) -> str:
        """Both ends, as they are written beside the bar, and its neutral value where that is not 0."""
        within = (self.high / 2 - self.low / 2) * _EXACT
        values = self.low, self.high, self.middle
        for digits in _DIGITS:
            low, high, middle = told = [number(value, digits) for value in values]
            if all(abs(float(text) - value) <= within for text, value in zip(told, values, strict=True)):
                break
        return typographic(f"{low} to {high}" if self.middle == 0 else f"{low} to {high}, neutral at {middle}")


def _round_below(value: float) -> float:
    """The largest of 1, 2, 5, 10 ... that is not above the value."""
    power = 10.0 ** math.floor(math.log10(value))
    return max(m * power for m in (1.0, 2.0, 5.0) if m * power <= value * (1 + 1e-9)) if value >= power else power


def _round_above(value: float) -> float:
    """The smallest of 1, 2, 5, 10 ... that is not below the value."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(m * power for m in (1.0, 2.0, 5.0, 10.0) if m * power >= value * (1 - 1e-9))


def _multiple(value: float, step: float, to: Callable[[float], int]) -> float:
    """The multiple of a step that bounds the value, written as shortly as it can be; a value that is one stays."""
    count = value / step
    nearest = round(count)
    whole = nearest if abs(count - nearest) < 1e-9 * max(1.0, abs(count)) else to(count)
    return round(whole * step, 2 - math.floor(math.log10(step))) + 0.0
