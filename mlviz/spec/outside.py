"""Text from outside, such as names in files, on its way into sentences, figures and the window."""

from __future__ import annotations

import re
import reprlib
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache, partial
from typing import Literal

_LONGEST, _MOST = 40, 10
"""So many characters of a text, and so many texts of a list, are told."""


_BRIEF = reprlib.Repr()
_BRIEF.maxlong = _BRIEF.maxstring = _BRIEF.maxother = _LONGEST
_SHAPES = str.maketrans("авеёікмнорсстухјѕԁһԛԝαινορτυχ", "abeeikmhopcctyxjsdhqwaivoptux")
"""Small letters of other alphabets that look, small or capital, like those of the Latin one."""
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""What counts as printable and shows nothing."""
_LONG = 10_000
"""What is longer takes a while to be put together."""
_MOST_MARKS = 30
"""How many accents over one letter are taken: the most that Unicode's own rules foresee for any language."""


def readable_name(text: str) -> str:
    """A name as a person reads it: on one line, accents composed, without marks that nobody sees."""
    return " ".join(printable(text).split())


def composed(text: str, form: Literal["NFC", "NFKC"] = "NFC") -> str:
    """The text with letters and accents put together, in time in proportion to its length.

    Putting accents in order takes time quadratic in how many there are over one letter: of more than a language has
    the rest is left out.
    """
    if unicodedata.is_normalized(form, text):
        return text
    return _composed_long(text, form) if len(text) > _LONG else _composed(text, form)


@lru_cache(maxsize=4)  # the same long cell is asked about again and again
def _composed_long(text: str, form: Literal["NFC", "NFKC"]) -> str:
    return _composed(text, form)


def _composed(text: str, form: Literal["NFC", "NFKC"]) -> str:
    # Once before and once after: there are single signs that stand for two accents.
    few = partial(_marks().sub, r"\1") if len(text) > _MOST_MARKS else str
    return few(unicodedata.normalize(form, few(text)))


@cache
def _marks() -> re.Pattern[str]:
    """More accents than are taken over one letter, and as its first group those that are."""
    marks = "".join(sign for sign in map(chr, range(0x300, 0x20000)) if unicodedata.combining(sign))
    return re.compile(f"([{marks}]{{{_MOST_MARKS}}})[{marks}]+")


def looks(name: str) -> str:
    """The same for names that a person may take for one another: by letters of one shape, or by capitals."""
    folded = composed(name, "NFKC").casefold().replace("\N{COMBINING DOT ABOVE}", "")
    return folded.translate(_SHAPES)


def has_hidden_marks(text: str) -> bool:
    """Whether something in it can't be seen and is no space."""
    return bool(_INVISIBLE.search(text)) or not all(c.isprintable() or c.isspace() for c in text)


def printable(text: str) -> str:
    """The text on one line and without what can't be seen, which terminals obey and an SVG can't hold.

    Letters with accents are one sign each: names that look the same are the same.
    """
    if not text.isascii():
        text = composed(_INVISIBLE.sub("", text))
    return text if text.isprintable() else "".join(filter(str.isprintable, " ".join(text.split())))


def told(text: str) -> str:
    """The text as a sentence tells it: printable and shortened."""
    return shortened(printable(text), _LONGEST)


def shortened(text: str, most: int = 200) -> str:
    """The text, of a longer one its two ends: what no line has room for is not to be laid out, which takes minutes."""
    return text if len(text) <= most else f"{text[: most // 2]}…{text[-max(1, (most - 1) // 2) :]}"


def quoted(value: object) -> str:
    """What was given, as code writes it: shortened."""
    if isinstance(value, str):
        return repr(told(value))
    try:
        return told(_BRIEF.repr(value))
    except Exception:  # a whole number may have more digits than Python writes, and a stranger's object no words
        return f"such a value of the type {told(type(value).__name__)}"


def listed(texts: Iterable[str]) -> str:
    """The texts one after the other, of very many the first ones."""
    texts = list(texts)
    more = f" and {len(texts) - _MOST:,} more" if len(texts) > _MOST else ""
    return ", ".join(told(text) for text in texts[:_MOST]) + more
