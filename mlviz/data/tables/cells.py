"""From cells of text to numbers: decimal points and commas, thousands, and the ways to say that a value is missing."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence, Set
from functools import lru_cache
from itertools import chain

import numpy as np

from mlviz.numerics.arrays import Array

MISSING = frozenset(
    {"", "?", "-", "--", "---", "–", "—", ".", "na", "n/a", "n.a.", "<na>", "nan", "null", "(null)", "\\n"}
    | {"#n/a", "#na", "#div/0!", "#value!", "#ref!", "#name?", "#num!", "#null!"}
)
"""What usually stands for a missing value, in small letters."""
USUAL = "usual"
"""What they are called among the codes of a wish."""
_EXPONENT = r"([eEdD][-+−]?\d+)?"
_POINT = re.compile(r"[-+−]?(\d++(\.\d*)?|\.\d+)" + _EXPONENT)
_USUAL_NUMBER = re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,15})?")
"""What most numbers are spelled like: it can be told at once that such a cell is one."""
_COMMA = re.compile(r"[-+−]?(\d++(,\d*)?|,\d+)" + _EXPONENT)
_GROUPS_POINT = re.compile(r"[-+−]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?")
_GROUPS_COMMA = re.compile(r"[-+−]?[1-9]\d{0,2}(\.\d{3})+(,\d*)?")
_NUMBER = r"[-+−]?(?:[.,]*\d)++(?:[eE][-+−]?\d+)?"
_GROUPS_BLANK = re.compile(r"[-+−]?\d{1,3}([ '’\u00a0\u2009\u202f]\d{3})+([.,]\d*)?")
_MARKS = " '’\u00a0\u2009\u202f"
_BLANKS = str.maketrans("", "", _MARKS)
_SPELLING = str.maketrans("−dD", "-ee")
_SIGNS = "%‰€$£¥°"
"""What may stand before or after every number of a column."""
_QUANTITY = re.compile(rf"({_NUMBER})\s?([^\W\d_][^\s\d,;|()\"]{{0,9}}|°[A-Z])")
"""A number and its unit; digits are never given back, so that a cell takes time in proportion to its length."""


def _is_word(cell: str) -> bool:
    """Whether it shows at once that there is no number in a cell without blanks at its ends."""
    return not cell or cell[0].isalpha()


def looks_numeric(cell: str) -> bool:
    """Whether a cell is a number with a decimal point or a decimal comma."""
    cell = cell.strip()
    return bool(_POINT.fullmatch(cell) or _COMMA.fullmatch(cell))


def is_number(cell: str) -> bool:
    """Whether a cell is a number in any spelling that is understood."""
    usual = _USUAL_NUMBER.fullmatch(cell) is not None
    return usual or math.isfinite(_parsed(cell, False)) or math.isfinite(_parsed(cell, True))


def codes_of(wish: str) -> frozenset[str]:
    """What counts as missing, in small letters: an empty cell and the codes in the wish, parted by commas."""
    codes = frozenset(code.strip().lower() for code in wish.split(","))
    return codes - {USUAL} | (MISSING if USUAL in codes else {""})


def is_missing(cell: str, codes: Set[str] = MISSING) -> bool:
    """Whether a cell says that there is no value."""
    return cell.strip().lower() in codes


def unit_of_cell(cell: str) -> str | None:
    """What a number in a cell is followed by; None where the cell is no number with a unit."""
    cell = cell.strip()
    found = None if _is_word(cell) or cell[-1].isdecimal() else _QUANTITY.fullmatch(cell)
    return found[2] if found and is_number(found[1]) else None


def decimal_comma(columns: Sequence[Sequence[str]], separator: str) -> bool:
    """Whether the numbers of a table have a decimal comma, by the majority of its first cells."""
    points = commas = 0
    either = {",": 0, ".": 0}
    for raw, times in Counter(chain.from_iterable(column[:1000] for column in columns)).items():
        if "," not in raw and "." not in raw:
            continue
        cell = raw.strip().strip(_SIGNS).strip()
        cell = cell.removesuffix(unit_of_cell(cell) or "").rstrip()
        mark = "," if "," in cell else "."
        if not cell.isascii() or " " in cell or "'" in cell:
            cell = cell.translate(_BLANKS) if _GROUPS_BLANK.fullmatch(cell) else cell
        comma = bool((mark == "," and _COMMA.fullmatch(cell)) or _GROUPS_COMMA.fullmatch(cell))
        point = bool((mark == "." and _POINT.fullmatch(cell)) or _GROUPS_POINT.fullmatch(cell))
        if mark in cell and comma and point:
            # Thousands or three decimals; between commas it was quoted, as thousands are.
            either[mark] += times * (not mark == separator == ",")
        elif mark in cell:
            commas += times * comma
            points += times * point
    # The cells that can be read in one way only decide, unless they are but slips among many others.
    if 4 * (commas + points) >= sum(either.values()) and commas != points:
        return commas > points
    return commas + either[","] > points + either["."]


def _parsed(cell: str, comma: bool) -> float:
    """The number in a cell, NaN where there is none (infinities are none). In parentheses it is a negative one."""
    cell = cell.strip()
    if _is_word(cell):
        return math.nan
    if cell.startswith("(") and cell.endswith(")"):
        value = math.nan if "(" in cell[1:] else _parsed(cell[1:-1], comma)
        return -value if value >= 0 else math.nan
    if _GROUPS_BLANK.fullmatch(cell):
        cell = cell.translate(_BLANKS)
    if comma:
        if _GROUPS_COMMA.fullmatch(cell):
            cell = cell.replace(".", "")
        cell = cell.replace(",", ".", 1) if _COMMA.fullmatch(cell) else cell
    elif _GROUPS_POINT.fullmatch(cell):
        cell = cell.replace(",", "")
    if not _POINT.fullmatch(cell):
        return math.nan
    value = float(cell.translate(_SPELLING))
    return value if math.isfinite(value) else math.nan


def numbers(cells: Sequence[str], comma: bool, codes: Set[str] = MISSING) -> Array:
    """The numbers of a column (n,), NaN where there is none or one of the codes for none."""

    def quick(cell: str) -> float:
        if "_" in cell or (comma and "." in cell):
            return _parsed(cell, comma)
        try:
            return float(cell.replace(",", ".") if comma else cell)
        except ValueError:
            return _parsed(cell, comma)

    # The usual case in half the time; an underscore is no part of a number, though Python takes it for one.
    usual = not comma and not any("_" in cell for cell in cells)
    try:
        values = np.fromiter(map(float if usual else quick, cells), dtype=np.float64, count=len(cells))
    except ValueError:
        read = {cell: quick(cell) for cell in dict.fromkeys(cells)}  # words come again and again
        values = np.fromiter(map(read.__getitem__, cells), dtype=np.float64, count=len(cells))
    gone = ~np.isfinite(values)
    if coded := _numbers_in(frozenset(codes)):
        gone |= np.isin(values, coded)
    values[gone] = np.nan
    return values


@lru_cache(maxsize=8)
def _numbers_in(codes: frozenset[str]) -> tuple[float, ...]:
    """The numbers among codes for missing values."""
    return tuple(value for code in codes if not math.isnan(value := _parsed(code, False)))


def without_sign(cells: Sequence[str], codes: Set[str]) -> tuple[str, list[str]] | None:
    """The sign or unit that stands at every number of a column, per cent or kg, say, and the cells without it."""
    first = next((cell.strip() for cell in cells if not is_missing(cell, codes)), "")
    sign = next((sign for sign in _SIGNS if first.startswith(sign) or first.endswith(sign)), None) or unit_of_cell(
        first
    )
    if sign is None:
        return None
    bare = [cell.strip().removeprefix(sign).removesuffix(sign).strip() for cell in cells]
    signed = all(is_missing(cell, codes) or sign in cell for cell in cells)
    return (sign, bare) if signed else None


def with_thousands(cells: Sequence[str], comma: bool) -> list[int]:
    """The places of the numbers with marks between thousands."""
    marked, marks = (_GROUPS_COMMA, _MARKS + ".") if comma else (_GROUPS_POINT, _MARKS + ",")
    text = "\n".join(cells)
    if not any(mark in text for mark in marks):
        return []
    bare = [cell.strip() for cell in cells]
    return [i for i, cell in enumerate(bare) if marked.fullmatch(cell) or _GROUPS_BLANK.fullmatch(cell)]
