"""Which cases of a sweep over all methods are tried, so that the time of all tests does not grow with each method.

A case is a method with samples, codes, a preprocessing, settings: its words. All cases are too many, and what they find
is a fault of one method, of one word behind methods of a kind, or of two words that don't go together. So cases are
gone through by the hash of their names, the same on every machine, and one is tried if it is among the first of its
method, if its words have not been tried together yet, or one of them not yet in the family of the method, or two of
them not yet in any case. All cases are tried with ``--all-cases``, and those of one method with ``-k METHOD``.
"""

from __future__ import annotations

import itertools
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import pytest

from mlviz.algorithms import registry

T = TypeVar("T")
FEWEST = 2
"""Cases of each method."""

_everything = False
_keywords: tuple[str, ...] = ()


def ask_for(everything: bool, keywords: str = "") -> None:
    """Try all cases, or besides the choice all those of the methods that a word of the option -k is in."""
    global _everything, _keywords
    _everything, _keywords = everything, tuple(re.findall(r"[\w.+-]+", keywords.lower()))


def chosen(cases: Iterable[T], fewest: int = FEWEST) -> list[T]:
    """Those of some cases that are tried, in their order; a case has a `method`, and `words` or else its name."""
    cases = list(cases)
    names = [(method_of(case), getattr(case, "words", (str(case),))) for case in cases]
    return [cases[i] for i in _tried(names, fewest)]


def sweep(names: str, *values: Iterable[Any], fewest: int = FEWEST) -> pytest.MarkDecorator:
    """Parametrize a test by the chosen ones of all combinations of values; the first are those of the method."""
    every = list(itertools.product(*values))
    words = [tuple(map(word, case)) for case in every]
    tried = _tried([(method_of(case[0]), said[1:]) for case, said in zip(every, words, strict=True)], fewest)
    ids = ["-".join(words[i]) for i in tried]
    return pytest.mark.parametrize(names.split(", "), [every[i] for i in tried], ids=ids)


def method_of(value: Any) -> str:
    """The id of the method that a case is of: the value itself, or what its `method` or `algorithm` is."""
    for name in ("method", "algorithm", "id"):
        value = getattr(value, name, value)
    return str(value)


def word(value: Any) -> str:
    """What a value is called in the name of a test."""
    return str(getattr(value, "id", None) or getattr(value, "__name__", None) or value)


def _tried(names: Sequence[tuple[str, tuple[str, ...]]], fewest: int) -> list[int]:
    if _everything:
        return list(range(len(names)))
    kept = covering(names, fewest)
    return [i for i, (method, _) in enumerate(names) if i in kept or any(word in method for word in _keywords)]


def covering(names: Sequence[tuple[str, tuple[str, ...]]], fewest: int = FEWEST) -> set[int]:
    """Which cases suffice, each a method and its words."""

    def rank(i: int) -> int:
        return zlib.crc32(" ".join((names[i][0], *names[i][1])).encode())

    found: set[int] = set()
    tries: Counter[str] = Counter()
    met: set[object] = set()
    for i in sorted(range(len(names)), key=rank):
        method, words = names[i]
        family = registry()[method].family if method in registry() else method
        placed = list(enumerate(words))  # the same word may stand for two things
        aims = {words, *((family, one) for one in placed), *itertools.combinations(placed, 2)}
        if tries[method] < fewest or not aims <= met:
            found.add(i)
            tries[method] += 1
            met |= aims
    return found
