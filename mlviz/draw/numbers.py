"""How numbers are written on the screen: with the true minus, which is as wide as a plus.

Models write plain text, for Python and the command line; what shows it gives it the minus.
"""

from __future__ import annotations

import re
from functools import lru_cache

MINUS = "−"
_JOINER = "\u2060"
"""It joins words and is not seen: no hyphen beside it is a minus."""
_BEFORE_A_NUMBER = re.compile(r"(?<![\w.)])-(?= ?[\d.∞])|(?<=\d[eE])-(?=\d)")
"""A hyphen that stands for a minus: not the one in a word, a range or a date."""


@lru_cache(maxsize=4096)
def format_number(value: float, digits: int = 4) -> str:
    """A number with so many significant digits."""
    return typographic_minus(f"{value:.{digits}g}")


def format_coordinate(value: float, span: float) -> str:
    """A place on an axis that is so long, with as many digits as a pixel can tell."""
    if span >= 1e5 or span < 1e-3:
        return format_number(value)
    return typographic_minus(f"{value:.{2 if span > 1 else 4}f}")


def format_short(value: float) -> str:
    """A number beside others, for models to write: two digits, and all of those before the point."""
    whole = 100 <= abs(value) < 1e5 or (abs(value) < 1e5 and float(value).is_integer())
    return f"{value:.0f}" if whole else f"{value:.2g}"


@lru_cache(maxsize=4096)
def typographic_minus(text: str) -> str:
    """The words with a true minus before and in the numbers they contain, but for what is `verbatim`."""
    return _BEFORE_A_NUMBER.sub(MINUS, text).replace(_JOINER, "")


def verbatim(name: str) -> str:
    """A name to stand among words that are going to be `typographic_minus`, which leaves it as it is."""
    return name.replace("-", f"{_JOINER}-{_JOINER}")


def ascii_minus(text: str) -> str:
    """The same words with the minus that every terminal and program can read."""
    return text.replace(MINUS, "-")
