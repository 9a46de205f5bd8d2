"""What a model knows about itself: values, and what they mean."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from mlviz.draw.numbers import MINUS, format_number, format_short, typographic_minus

Level = Literal["lesson", "solver"]
"""What a fact is about: what there is to learn, or how exactly it was computed."""


@dataclass(frozen=True)
class FactKind:
    """What a fact of that name means, in a sentence; of what unit it is and what it is about.

    The kind "variance" serves the facts "variance 1" and "variance 2" as well. A "share" is told in per cent.
    """

    name: str
    help: str
    unit: str = ""
    level: Level = "lesson"


class Range(NamedTuple):
    """From where to where a number goes in several models; written as text with two digits."""

    low: float
    high: float

    def __str__(self) -> str:
        """Both ends, for Python and the command line."""
        return f"{format_short(self.low)} to {format_short(self.high)}"


@dataclass(frozen=True)
class Fact:
    """A value, and what its kind says of it; written as a person reads it."""

    value: Any
    unit: str = ""
    help: str = ""
    level: Level = "lesson"

    def __str__(self) -> str:
        """Four significant digits, yes and no, a share in per cent as the caption has it."""
        return _written(self.value, self.unit)


def _written(value: Any, unit: str) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case float() if not math.isfinite(value):
            return {math.inf: "∞", -math.inf: f"{MINUS}∞"}.get(value, "–")
        case float() if unit == "share":
            return f"{100 * value:.3g} %"
        case float():
            return format_number(value) + unit
        case Range() if unit == "share":
            return f"{_written(value.low, unit)} to {_written(value.high, unit)}"
    return typographic_minus(str(value))


def fact(name: str, value: Any, kinds: Iterable[FactKind]) -> Fact:
    """The fact of that name, by the kind with the longest fitting name; of equal ones the first."""
    fitting = [kind for kind in kinds if name == kind.name or name.startswith(f"{kind.name} ")]
    if not fitting:
        return Fact(value)
    kind = max(fitting, key=lambda kind: len(kind.name))
    return Fact(value, kind.unit, kind.help, kind.level)
