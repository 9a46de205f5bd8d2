"""How a slider of whole ticks maps to the values of a parameter, linear or logarithmic, in round numbers. No Qt."""

from __future__ import annotations

import math

from mlviz.spec import BadValue, Parameter

_TICKS = 200
"""Positions of a slider over real numbers."""
_SHARES = 0.4
"""A slider within 0 to 1 that is at least so wide goes in hundredths: whole per cent, where it is a share."""
_FAR = 20
"""Whole numbers that go from one to more than so many times as much are spread by a factor."""


class Scale:
    """The slider of one number: ticks 0 to `ticks` over the soft range."""

    def __init__(self, parameter: Parameter) -> None:
        self._parameter = parameter
        self._low, self._high = parameter.soft
        self._whole = parameter.kind == "integer"
        width = self._high - self._low
        hundredths = not parameter.log and self._low >= 0 and self._high <= 1 and width >= _SHARES
        self.ticks = int(width) if self._whole else round(100 * width) if hundredths else _TICKS

    def value(self, tick: int) -> int | float:
        """The value at a tick, rounded to what a person would write."""
        if self._whole:
            return int(self._low) + tick
        share = tick / self.ticks
        if self._parameter.log:
            return float(f"{self._low * (self._high / self._low) ** share:.2e}")
        return self._round(share)

    def _round(self, share: float) -> float:
        """The value at a share of a linear slider, with no more digits than its ticks tell apart."""
        decimals = max(0, 1 - math.floor(math.log10((self._high - self._low) / self.ticks)))
        return round(self._low + share * (self._high - self._low), decimals) + 0.0

    def tick(self, value: float) -> int:
        """The tick nearest to a value; an end where the value is outside the soft range."""
        if self._parameter.log:
            if value <= self._low:
                return 0
            share = math.log(value / self._low) / math.log(self._high / self._low)
        else:
            share = (value - self._low) / (self._high - self._low)
        return round(min(max(share, 0.0), 1.0) * self.ticks)

    def step(self, value: float, steps: int) -> int | float:
        """The valid value `steps` round steps away: 1, 2, 5, 10 ... on a log scale, a twentieth of the range else."""
        goal = self._stepped(value, steps)
        try:
            return self._parameter.check(goal)  # type: ignore[no-any-return]
        except BadValue:
            low, high = self._parameter.valid
            end = high if steps > 0 else low
            if end is None or (steps < 0 and self._parameter.open_low):
                return value
            return self._parameter.check(int(end) if self._whole else float(end))  # type: ignore[no-any-return]

    def spread(self, count: int) -> tuple[int | float, ...]:
        """At most `count` values from one end of the slider to the other, in round numbers, each once.

        They grow by a factor on a log scale, and where whole numbers go very far.
        """
        low, high = self._low, self._high
        shares = [k / (count - 1) for k in range(1, count - 1)]
        if self._parameter.log or (self._whole and high > _FAR * max(low, 1)):
            first = low or 1.0
            inner = [float(f"{first * (high / first) ** share:.0e}") for share in shares]
        else:
            inner = [round(low + share * (high - low)) if self._whole else self._round(share) for share in shares]
        return tuple(dict.fromkeys(int(v) if self._whole else float(v) for v in (low, *inner, high)))

    def _stepped(self, value: float, steps: int) -> int | float:
        if self._whole:
            return int(value) + steps
        if not self._parameter.log:
            grain = _round_step((self._high - self._low) / 40)
            return round((math.floor(value / grain + 0.5) + steps) * grain, 12)
        if value <= 0:
            return self._low if steps > 0 else value
        for _ in range(abs(steps)):
            value = _next_round(value, up=steps > 0)
        return value


def _round_step(span: float) -> float:
    power = 10.0 ** math.floor(math.log10(span))
    return next(m * power for m in (1.0, 2.0, 5.0, 10.0) if m * power >= span * 0.999)


def _next_round(value: float, up: bool) -> float:
    """The next of 1, 2, 5, 10 ... above the value, or below it."""
    power = math.floor(math.log10(value))
    around = [float(f"{m}e{e}") for e in (power - 1, power, power + 1) for m in (1, 2, 5)]
    return min(r for r in around if r > value * (1 + 1e-9)) if up else max(r for r in around if r < value * (1 - 1e-9))
