"""Names from outside in a sentence: a few of many, each of a length that can be read."""

from __future__ import annotations

from collections.abc import Iterable

_SHOWN = 10
_LONGEST = 50


def listed(names: Iterable[str]) -> str:
    """The first ten names parted by commas, and how many more there are."""
    every = [shortened(name) for name in names]
    more = [f"and {len(every) - _SHOWN:,} more"] if len(every) > _SHOWN else []
    return ", ".join(every[:_SHOWN] + more)


def shortened(name: str) -> str:
    """A name of at most fifty characters: a longer one ends in an ellipsis."""
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
