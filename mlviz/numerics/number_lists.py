"""Places that the hand sets, as a text: numbers, parted by spaces or commas."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.spec import BadValue, NumberInText
from mlviz.spec.outside import quoted

MOST_PLACES = 40
_WORD = re.compile(r"[^\s,;]+")


def read_places(text: str, name: str = "places") -> Array:
    """The places, sorted, each once: at least one; raises `BadValue`, naming what they are, for any other text."""
    try:
        found = numbers_of(text)
    except BadValue as wrong:
        raise BadValue(f"{name} is not a list of places: {wrong}") from None
    if not found:
        raise BadValue(f"{name} is not a list of places: write numbers with spaces between them, such as -2 0 2")
    if len(found) > MOST_PLACES:
        raise BadValue(f"{name} is too long a list: it has {len(found)} places, of which there can be {MOST_PLACES}")
    return np.unique(found)


def numbers_of(text: str) -> list[float]:
    """The numbers of a text, from left to right; raises `BadValue` where a word is none."""
    return [number for _, number in _numbers(text)]


def numbers_in(text: str) -> tuple[NumberInText, ...]:
    """The places in a text, from left to right."""
    return tuple(
        NumberInText(*word.span(), value, f"place {place + 1}", (-4.0, 4.0))
        for place, (word, value) in enumerate(_numbers(text))
    )


def places_text(places: Iterable[float]) -> str:
    """The text that says these places, with four digits behind the point of the widest one."""
    given = [float(place) for place in places]
    size = max(map(abs, given), default=1.0) or 1.0
    digits = max(0, 4 - math.floor(math.log10(size)))
    return " ".join(f"{round(place, digits) + 0.0:.10g}" for place in given)


def _numbers(text: str) -> list[tuple[re.Match[str], float]]:
    found = []
    for word in _WORD.finditer(text):
        try:
            value = float(word[0].replace("−", "-"))
        except ValueError:
            raise BadValue(
                f"{quoted(word[0])} is no number; write numbers with spaces between them, such as -2 0 2"
            ) from None
        if not abs(value) < 1e100:
            raise BadValue(f"{quoted(word[0])} is no number that can be computed with")
        found.append((word, value))
    return found
