"""Reading the values of a scene file: each function checks one shape and names the place where it is another."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Mapping
from types import UnionType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from mlviz.numerics.arrays import Array
from mlviz.scene.files.strict_json import BadScene
from mlviz.scene.scene import MAX_LIMIT
from mlviz.spec import BadValue, Declared
from mlviz.spec.outside import listed, quoted

T = TypeVar("T")
D = TypeVar("D", bound=Declared)
W = TypeVar("W", bound=str)
MAX_SEED = 2**63
_MAX_AXES = 1000


def entries(value: Any, where: str, known: Collection[str] | None = None) -> Mapping[str, Any]:
    """An object that has no other keys than the known ones; None knows all."""
    found: dict[str, Any] = _of_type(value, where or "The file", dict, "an object in braces")
    for key in found:
        if known is not None and key not in known:
            place = f"{where}.{_quote(key)}" if where else _quote(key)
            raise BadScene(f"{place} is not known; possible are {', '.join(known)}.")
    return found


def optional(value: Any, read: Callable[[Any], T]) -> T | None:
    """What `read` makes of the value, or None for null."""
    return None if value is None else read(value)


def flag(value: Any, where: str) -> bool:
    """True or false."""
    return bool(_of_type(value, where, bool, "true or false"))


def text(value: Any, where: str) -> str:
    """A text that can be shown and saved."""
    words: str = _of_type(value, where, str, "a text")
    try:
        words.encode("utf-8")
    except UnicodeEncodeError:
        raise BadScene(f"{where} contains half of a character (a lone surrogate).") from None
    return words


def one_of(value: Any, where: str, known: Collection[W]) -> W:
    """One of the known words."""
    word = text(value, where)
    for one in known:
        if one == word:
            return one
    raise BadScene(f"{where} is {quoted(word)}; possible are {', '.join(known)}.")


def whole(value: Any, where: str, below: int) -> int:
    """A whole number of at least 0."""
    number: int = _of_type(value, where, int, "a whole number")
    if not 0 <= number < below:
        raise BadScene(f"{where} is not between 0 and {below - 1}.")
    return number


def real(value: Any, where: str) -> float:
    """A finite number."""
    try:
        number = float(_of_type(value, where, int | float, "a number"))
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise BadScene(f"{where} is too large for a number.")
    return number


def items(value: Any, where: str, most: int) -> list[Any]:
    """A list that is not too long."""
    found: list[Any] = _of_type(value, where, list, "a list in brackets")
    if len(found) > most:
        raise BadScene(f"{where} has {len(found):,} entries; at most {most:,} are possible.")
    return found


def texts(value: Any, where: str, most: int) -> tuple[str, ...]:
    """A list of texts."""
    return tuple(text(entry, f"{where}[{i}]") for i, entry in enumerate(items(value, where, most)))


def reals(value: Any, where: str, count: int) -> tuple[float, ...]:
    """A list of so many finite numbers."""
    numbers = tuple(real(entry, f"{where}[{i}]") for i, entry in enumerate(items(value, where, count)))
    if len(numbers) != count:
        raise BadScene(f"{where} has {len(numbers)} entries; {count} are needed.")
    return numbers


def matrix(value: Any, where: str, columns: int, most: int) -> Array:
    """A list of rows, each of so many finite numbers, as an array (n, columns)."""
    rows = items(value, where, most)
    # A million rows are checked in bulk; only where something is wrong each entry is looked at.
    if set(map(type, rows)) <= {list} and set(map(len, rows)) <= {columns}:
        flat = list(itertools.chain.from_iterable(rows))
        if set(map(type, flat)) <= {int, float}:
            try:
                X = np.array(flat, dtype=np.float64).reshape(-1, columns)
            except OverflowError:
                X = np.array([[np.inf]])
            if np.isfinite(X).all():
                return X
    return np.array([reals(row, f"{where}[{i}]", columns) for i, row in enumerate(rows)], dtype=np.float64)


def axes(value: Any, where: str) -> tuple[str, ...]:
    """The names of axes: two of them, or those of a value over a plane."""
    found = texts(value, where, _MAX_AXES)
    if len(found) < 2:
        raise BadScene(f"{where} needs the names of two axes.")
    return found


def in_reach(numbers: ArrayLike, where: str) -> None:
    """Make sure that numbers can be drawn."""
    if np.abs(numbers).max(initial=0.0) > MAX_LIMIT:
        raise BadScene(f"{where} goes beyond {MAX_LIMIT:g}, too far away to draw.")


def _of_type(value: Any, where: str, wanted: type | UnionType, name: str) -> Any:
    """The value, if it is of that type; true and false are no numbers."""
    if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
        kinds = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
        raise BadScene(f"{where} is {kinds.get(type(value), 'a number')}, not {name}.")
    return value


def _quote(key: str) -> str:
    """A key as it can be shown: short and printable."""
    return key[:40] if key.isprintable() and key else ascii(key[:40])


def declared(cls: type[D], value: Any, where: str) -> D:
    """The instance with those values of parameters."""
    fields = entries(cls.renewed(entries(value, where)), where, tuple(p.key for p in cls.parameters()))
    try:
        return cls.from_json(fields)
    except BadValue as error:
        raise BadScene(f"{where}.{str(error).removesuffix('.')}.") from None


def names(given: tuple[str, ...], where: str, known: tuple[str, ...]) -> None:
    """Make sure that all names given are known."""
    for name in set(given) - set(known):
        raise BadScene(f"{where} has {quoted(name)}; possible are {listed(known)}.")
