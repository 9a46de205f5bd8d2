"""How numbers are written, the same way for every method: digits, shares, probabilities, counts and sums.

Models write plain text, for Python and the command line; what shows it makes it `typographic`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from functools import lru_cache

MINUS = "−"
_JOINER = "\u2060"
"""It joins words and is not seen: no hyphen or space beside it is changed."""
NO_BREAK = "\u00a0"
"""A space at which no line ends."""
_BEFORE_A_NUMBER = re.compile(r"(?<![\w.)])-(?= ?[\d.∞])|(?<=\d[eE])-(?=\d)")
"""A hyphen that stands for a minus: not the one in a word, a range or a date."""
_BEFORE_A_UNIT = re.compile(r"(?<=[\d∞]) (?=(?:%|ms|s|cm|MB|px)(?!\w))")
_WHOLE_BELOW = 1e5
"""Smaller numbers have all the digits before the point, whatever is asked for."""
_ROUNDING = 1e-13
"""A number so much smaller than those it is the sum of is nothing."""
_UNSEEN = 1e-10
"""A part so much smaller than the largest of its sum changes no digit that is told of it."""
_LEAST_PROBABILITY = 1e-3
_LEAST_PERCENT = 1e-3
_FINEST = 5
"""More significant digits are noise to a reader."""
_MOST_DIGITS = 15
"""With no more digits both ends of an interval can be told apart."""
_OF_LENGTH = 0.05
"""An end of an interval is told within so much of its length."""


def cleared(value: float, beside: float) -> float:
    """A number, or nothing where it is what rounding leaves of a sum whose largest parts are of the size `beside`."""
    return 0.0 if math.isfinite(beside) and abs(value) <= _ROUNDING * beside else value


def number(value: float, digits: int = 3, beside: float = 0.0) -> str:
    """A number with so many significant digits, for models to write; nothing has no sign.

    Beside numbers of the size `beside` what rounding leaves of their sum is `cleared`.
    """
    value = cleared(value, beside)
    if not math.isfinite(value):
        return {math.inf: "∞", -math.inf: "-∞"}.get(value, "–")
    whole = 10**digits - 0.5 <= abs(value) < _WHOLE_BELOW
    return f"{value:.0f}" if whole else f"{value + 0.0:.{digits}g}"


def summed(*parts: float, beside: float = 0.0) -> tuple[float, ...]:
    """A sum, then its parts, all without what is nothing beside the largest of them or numbers of the size `beside`.

    What is told of a sum is the sum of what is told of its parts.
    """
    size = max(beside, *map(abs, parts))
    if not math.isfinite(size):
        return (sum(parts), *parts)
    kept = [part if abs(part) > _UNSEEN * size else 0.0 for part in parts]
    total = sum(kept)
    return (total if abs(total) > _UNSEEN * size else 0.0, *kept)


def numbers_apart(*values: float, beside: float = 0.0) -> list[str]:
    """Numbers with as many digits as it takes to see which of them differ, five at the most.

    Beside numbers of the size `beside` what rounding leaves is `cleared`.
    """
    values = tuple(cleared(float(value), beside) for value in values)
    different = len(set(values))
    for digits in range(3, _FINEST + 1):
        told = [number(value, digits) for value in values]
        if len(set(told)) == different:
            break
    return told


def interval_ends(low: float, high: float, beside: float = 0.0) -> list[str]:
    """Both ends with as many digits as it takes to see how long the interval is: each within a twentieth of that.

    Beside numbers of the size `beside` what rounding leaves is `cleared`.
    """
    ends, near = (low, high), _OF_LENGTH * (high - low)
    for digits in range(3, _MOST_DIGITS + 1):
        told = [number(end, digits, beside) for end in ends]
        if all(abs(_read(text) - end) <= near for text, end in zip(told, ends, strict=True)):
            break
    return told


def place(values: Iterable[float]) -> str:
    """A place, without what rounding has left of a coordinate that is nothing."""
    given = [float(value) for value in values]
    size = max(map(abs, given), default=0.0)
    told = ", ".join(number(value, beside=size) for value in given)
    return f"({told})" if len(given) > 1 else told


def share(value: float) -> str:
    """A share in per cent: the whole and nothing only where they are."""
    percent = 100 * value
    if 0 < percent < _LEAST_PERCENT:
        return f"less than {_LEAST_PERCENT:g} %"
    told = number(percent)
    return "more than 99.9 %" if told == "100" and value < 1 else f"{told} %"


def probability(value: float) -> str:
    """A probability that a model gives, which is never quite 0 or 1 and no power of ten either."""
    if value < _LEAST_PROBABILITY:
        return "less than 0.001"
    told = number(value)
    return "more than 0.999" if told == "1" else told


def p_equals(value: float, digits: int = 3) -> str:
    """An equation for a probability p, with so many digits or the three that part it from 1; a bound where none do."""
    told = next((told for most in (digits, 3) if (told := number(value, most)) != "1"), "1")
    return "p > 0.999" if told == "1" and value < 1 else f"p = {told}"


def counted(n: int, noun: str, plural: str = "") -> str:
    """So many of them, in the number that goes with it."""
    return f"{n:,} {noun if n == 1 else plural or f'{noun}s'}"


def drawn_part(part: int, whole: int, what: str = "samples") -> str:
    """How many of them stand for all, where these would take too long."""
    return f"{part:,} of {whole:,} {what}, drawn at random"


def one_for_each(n: int, noun: str) -> str:
    """So many numbers, and of what each of them is one."""
    return f"{n:,}, one for each {noun}"


def some_have(n: int, of: int, noun: str, plural: str = "") -> str:
    """How many of them have something, up to the verb."""
    return f"the {noun} has" if of == 1 else f"{n} of {counted(of, noun, plural)} {'has' if n == 1 else 'have'}"


def signed(value: float, gap: str = "", digits: int = 3, beside: float = 0.0) -> str:
    """A number as a summand: always with its sign, then the gap and its size."""
    return f"{'-' if value < 0 else '+'}{gap}{number(abs(value), digits, beside)}"


def _read(text: str) -> float:
    return float(text.replace("∞", "inf"))


def linear_sum(
    value: float,
    offset: float,
    terms: Iterable[tuple[float, float, str]],
    rest: str = "",
    digits: int = 3,
    beside: float = 0.0,
) -> str:
    """A value as its offset and the terms (weight, input, what the input is called) that add up to it.

    As in 17 = 2 + 3 · 5 (x1). With as many digits as it takes for a reader to find the sum right, five at most; `rest`
    says what is left out, "" where nothing is. Beside numbers of the size `beside`, what rounding leaves is nothing.
    """
    given = list(terms)
    if not all(math.isfinite(weight * x) for weight, x, _ in given):
        return number(value, digits)
    least = max(_UNSEEN * max([abs(offset), *(abs(weight * x) for weight, x, _ in given)]), _ROUNDING * beside)
    value, offset = (part if abs(part) > least else 0.0 for part in (value, offset))
    given = [(w if max(abs(w), abs(w * x)) > least else 0.0, x, name) for w, x, name in given]
    told = number(value, digits)
    for more in range(digits, _FINEST + 1):
        base = number(offset, more)
        pairs = [(number(weight, more), number(x, more), name) for weight, x, name in given]
        found = _read(base) + sum(_read(weight) * _read(x) for weight, x, _ in pairs)
        if rest or number(found, digits) == told:
            break
    words = [f"{told} = {base}"]
    for weight, x, name in pairs:
        sign, size_of_weight = ("-", weight[1:]) if weight.startswith("-") else ("+", weight)
        words.append(f"{sign} {size_of_weight} · {f'({x})' if x.startswith('-') else x} ({name})")
    return " ".join(words) + rest


@lru_cache(maxsize=4096)
def format_number(value: float, digits: int = 4) -> str:
    """A number as it is shown."""
    return typographic(number(value, digits))


def format_coordinate(value: float, span: float) -> str:
    """A place on an axis that is so long, with as many digits as a pixel can tell."""
    if span >= _WHOLE_BELOW or span < 1e-3:
        return format_number(value)
    digits = 2 if span > 1 else 4
    return typographic(f"{round(value, digits) + 0.0:.{digits}f}")


@lru_cache(maxsize=4096)
def typographic(text: str) -> str:
    """The words with a true minus before and in the numbers, and no line's end before a unit; `verbatim` stays."""
    text = _BEFORE_A_UNIT.sub(NO_BREAK, text)
    return _BEFORE_A_NUMBER.sub(MINUS, text).replace(_JOINER, "")


def verbatim(name: str) -> str:
    """A name to stand among words that are going to be `typographic`, which leaves it as it is."""
    return re.sub("([- ])", rf"{_JOINER}\1{_JOINER}", name)


def plain(text: str) -> str:
    """The same words with the minus and the spaces that every terminal and program can read."""
    return text.replace(MINUS, "-").replace(NO_BREAK, " ")
