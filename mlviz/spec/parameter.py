"""One declared parameter: its default, range, words, and what makes a value one of the allowed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from mlviz.spec.names_of_people import capitalised
from mlviz.spec.outside import quoted

Kind = Literal["real", "integer", "choice", "flag", "text", "per class"]
Bounds = tuple[float | None, float | None]
MAX_CLASSES = 100
"""How many classes there may be; colours and symbols repeat long before."""


class BadValue(ValueError):
    """A parameter was given a value it can't take; the message names parameter, value and what is allowed."""


@dataclass(frozen=True)
class NumberInText:
    """A number that stands in a text at ``text[start:stop]``, and what a slider for it needs to know."""

    start: int
    stop: int
    value: float
    label: str
    soft: tuple[float, float]
    log: bool = False
    whole: bool = False


@dataclass(frozen=True)
class Parameter:
    """The facts of one parameter.

    `soft` is the range of the slider, `valid` the range that is accepted (None = unbounded, `open_low` excludes the
    lower end). `aliases` are other words for options, each with the option it stands for; `words` are options with what
    people read in their place. `when` says for which values of another parameter this one matters:
    ``("kernel", ("gaussian",))``.
    `equivalent(owner, n)` gives the same setting in the other convention in use, as text, for n samples.
    A text is in a language of its own: `grammar` raises `BadValue` with a sentence where it is not, and `numbers` finds
    the numbers in it that can be moved; `empty` says what an empty one means.
    A value per class is a tuple in the sorted order of the classes, whatever these are called; `missing` stands for
    what it lacks, and what it has beyond them is refused by a fit.
    """

    name: str
    kind: Kind
    default: Any
    help: str
    label: str
    soft: tuple[float, float] = (0.0, 1.0)
    valid: Bounds = (None, None)
    open_low: bool = False
    log: bool = False
    options: tuple[str, ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()
    words: tuple[tuple[str, str], ...] = ()
    when: tuple[str, tuple[Any, ...]] | None = None
    equivalent: Callable[[Any, int], str] | None = None
    grammar: Callable[[str], object] | None = None
    numbers: Callable[[str], tuple[NumberInText, ...]] | None = None
    empty: str = ""
    missing: float = 1.0

    @property
    def key(self) -> str:
        """The name in files and on the command line: ``lambda_`` is written ``lambda``."""
        return self.name.rstrip("_")

    def check(self, value: Any) -> Any:
        """The value as a plain Python number, text or flag; raises `BadValue` where it is not one of the allowed."""
        match self.kind:
            case "flag":
                if isinstance(value, bool) or (hasattr(value, "dtype") and value.dtype == bool):
                    return bool(value)
                raise self._refusal(value)
            case "choice":
                meant = value
                if isinstance(value, str) and value not in self.options:  # each step of a drag checks all choices
                    meant = ({self.shown(option): option for option in self.options} | dict(self.aliases)).get(value)
                if isinstance(meant, str) and meant in self.options:
                    return str(meant)
                raise self._refusal(value)
            case "text":
                if not isinstance(value, str):
                    raise self._refusal(value)
                if any("\ud800" <= letter <= "\udfff" for letter in value):
                    raise BadValue(f"{self.key} has half of a letter in it, which no file can hold")
                if self.grammar is not None:
                    self.grammar(value)
                return str(value)
            case "per class":
                return self._check_classes(value)
            case _:
                return self._check_number(value)

    def parse(self, text: str) -> Any:
        """A value from the command line; raises `BadValue`. The numbers of classes are parted by commas or colons."""
        text = text.strip()
        if self.kind in ("choice", "text"):
            return self.check(text)
        if self.kind == "per class":
            return self.check(tuple(self._number(word) for word in text.replace(":", ",").split(",") if word.strip()))
        if self.kind == "flag":
            words = {
                "true": True,
                "yes": True,
                "on": True,
                "1": True,
                "false": False,
                "no": False,
                "off": False,
                "0": False,
            }
            return self.check(words.get(text.lower(), text))
        number = self._number(text)
        return self.check(int(number) if self.kind == "integer" and number.is_integer() else number)

    def for_class(self, value: tuple[float, ...], place: int) -> float:
        """What a value per class says for the class at that place."""
        return value[place] if place < len(value) else self.missing

    def for_classes(self, value: tuple[float, ...], classes: int) -> tuple[float, ...]:
        """What a value per class says for so many classes."""
        return tuple(self.for_class(value, place) for place in range(classes))

    def added_up(self, value: tuple[float, ...], groups: Sequence[Sequence[int]]) -> tuple[float, ...]:
        """What a value per class says for groups of classes, by their places.

        Where a sum is more than is allowed, all are made smaller in proportion, the least allowed at the least.
        """
        low, high = (bound or 0.0 for bound in self.valid)
        sums = [sum(self.for_class(value, place) for place in group) for group in groups]
        if not high or max(sums, default=0.0) <= high:
            return tuple(sums)
        return tuple(max(low, min(high, high * (one / max(sums)))) for one in sums)

    def in_words(self, value: Any, classes: int = 2) -> str:
        """A value for so many classes as a caption tells it; "" for what is off."""
        if isinstance(value, bool):
            return self.label if value else ""
        if isinstance(value, str):
            return "" if value == "none" else self.shown(value)
        if isinstance(value, tuple):
            numbers = self.for_classes(value, max(classes, len(value)))
            if len(set(numbers)) == 1:
                return f"{self.label} all {numbers[0]:g}"
            return f"{self.label} = {':'.join(f'{number:g}' for number in numbers)}"
        return f"{self.label} = {value:g}"

    def shown(self, value: str) -> str:
        """A choice as people read it; either form of it may be typed. A text is what it is."""
        return capitalised(dict(self.words).get(value, value)) if self.kind == "choice" else value

    def range_text(self) -> str:
        """What is allowed, in words: "a number above 0", "a whole number from 1 to 9", "one of a, b"."""
        match self.kind:
            case "choice":
                return f"one of {', '.join(map(self.shown, self.options))}"
            case "flag":
                return "true or false"
            case "text":
                return "a text"
            case "per class":
                return f"for each class {self._numbers_text()}"
            case _:
                return self._numbers_text()

    def _numbers_text(self) -> str:
        low, high = self.valid
        words = "a whole number" if self.kind == "integer" else "a number"
        if low is not None and high is not None:
            return f"{words} {'above' if self.open_low else 'from'} {low:g} {'up ' if self.open_low else ''}to {high:g}"
        if low is not None:
            return f"{words} {'above' if self.open_low else 'of at least'} {low:g}"
        return words if high is None else f"{words} of at most {high:g}"

    def _number(self, text: str) -> float:
        try:
            return float(text)
        except ValueError:
            raise self._refusal(text) from None

    def _refusal(self, value: Any) -> BadValue:
        return BadValue(f"{self.key} is {self.range_text()}, not {quoted(value)}")

    def _check_classes(self, value: Any) -> tuple[float, ...]:
        ordered = isinstance(value, (tuple, list)) or (hasattr(value, "ndim") and value.ndim == 1)
        if not ordered or len(value) > MAX_CLASSES:
            raise BadValue(f"{self.key} is a list of at most {MAX_CLASSES} numbers, one per class, not {quoted(value)}")
        return tuple(float(self._check_number(number)) for number in value)

    def _check_number(self, value: Any) -> int | float:
        if isinstance(value, (bool, str)) or (hasattr(value, "dtype") and value.dtype == bool):
            raise self._refusal(value)
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            raise self._refusal(value) from None
        low, high = self.valid
        too_low = low is not None and (number < low or (self.open_low and number == low))
        too_high = high is not None and number > high
        whole = self.kind == "integer"
        if not math.isfinite(number) or too_low or too_high or (whole and not number.is_integer()):
            raise self._refusal(value)
        # A negative zero would be written with its sign, and divide to minus infinity.
        return int(value) if whole else number + 0.0
