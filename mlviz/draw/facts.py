"""What a model knows about itself: values, and what they mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from mlviz.draw.numbers import cleared, number, share, typographic
from mlviz.spec.brief import Brief

Level = Literal["lesson", "more", "solver"]
"""What a fact is about: what matters most, what else there is to learn, or how exactly it was computed."""


@dataclass(frozen=True)
class ModelFact(Brief):
    """A fact that models know: its name, how a model tells it (None: not this one), and what it means in a sentence.

    A "share" is told in per cent.
    """

    name: str
    value: Callable[[Any], Any]
    help: str
    unit: str = ""
    level: Level = "lesson"
    beside: Callable[[Any], float] | None = None
    """The size of what a model's number is computed from: beside it, what rounding leaves is nothing."""

    def of(self, model: Any) -> Fact | None:
        """The fact of a model; None where it has none."""
        value, beside = self.value(model), self.beside(model) if self.beside else 0.0
        value = cleared(value, beside) if isinstance(value, float) else value
        return None if value is None else Fact(value, self.unit, self.help, self.level, beside)


class Range(NamedTuple):
    """From where to where a number goes in several models; written as text with two digits."""

    low: float
    high: float

    def __str__(self) -> str:
        """Both ends, for Python and the command line."""
        return self.written(lambda value: number(value, 2))

    def written(self, write: Callable[[float], str]) -> str:
        """Both ends, each as it is to be written; one of them where they read the same."""
        return " to ".join(dict.fromkeys((write(self.low), write(self.high))))


@dataclass(frozen=True)
class Fact(Brief):
    """A value, its unit and what it means; written as a person reads it."""

    value: Any
    unit: str = ""
    help: str = ""
    level: Level = "lesson"
    beside: float = 0.0

    def __str__(self) -> str:
        """Four significant digits, yes and no, a share in per cent as the caption has it."""
        match self.value:
            case bool(value):
                return "yes" if value else "no"
            case float(value) if self.unit == "share":
                return typographic(share(value))
            case float(value):
                return typographic(number(value, 4, self.beside)) + self.unit
            case Range() as ends:
                return typographic(ends.written(share) if self.unit == "share" else f"{ends}{self.unit}")
        return typographic(str(self.value))
