"""What is told of a value at a prompt: on one line, whatever it holds."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from mlviz.spec.outside import quoted

_LONGEST, _INNER, _FEW = 200, 60, 4
"""So many characters are told of a value, of one inside it, and so many entries of a list."""


class Brief:
    """A dataclass of which a prompt tells what differs from the defaults, arrays by their shapes.

    It comes before the dataclass's own words, which would print every number.
    """

    def __init_subclass__(cls, **options: Any) -> None:
        """Have the words in the class itself: a dataclass writes none where there are some."""
        super().__init_subclass__(**options)
        cls.__repr__ = cls.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        """The class and the fields that differ from their defaults."""
        told = ", ".join(_changed(self))
        name = type(self).__name__
        return f"{name}({told if len(told) < _LONGEST - len(name) else told[: _LONGEST - len(name) - 3] + '…'})"


def _changed(value: Any) -> Iterator[str]:
    for field in dataclasses.fields(value):
        if not field.repr or not hasattr(value, field.name):
            continue
        has, usual = getattr(value, field.name), field.default
        if field.default_factory is not dataclasses.MISSING:
            usual = field.default_factory()
        if has is not usual and (hasattr(has, "shape") or type(has) is not type(usual) or has != usual):
            yield f"{field.name}={brief(has)}"


def brief(value: Any) -> str:
    """A value inside another one in a few words."""
    match value:
        case Brief():
            told = repr(value)
            return told if len(told) <= _INNER else f"{type(value).__name__}(…)"
        case tuple() | list() if len(value) <= _FEW and len(told := ", ".join(map(brief, value))) <= _INNER:
            return f"({told})"
        case tuple() | list() | dict() | set() | frozenset():
            return f"<{len(value):,} in a {type(value).__name__}>"
    return f"array{value.shape}" if getattr(value, "shape", ()) else quoted(value)
