"""Which cases of a sweep over all methods are tried, so that the time of all tests does not grow with each method.

A case is a method with samples, codes, a preprocessing, settings: its words. All cases are too many, and what they find
is a fault of one method, of one word behind methods of a kind, or of two words that don't go together. So as few cases
as suffice are made, the same on every machine: each method, each word in each family of methods, and any two words.
That is little more than one case a method, for what a family has to try its methods share.

Of these each test tries each word that several cases have, and five at the least. Which of them differs from test to
test: all tests together try each method dozens of times, and what they take does not grow with the methods. All cases
are tried with ``--all-cases``, and those of one method with ``-k METHOD``.
"""

from __future__ import annotations

import heapq
import itertools
import re
import zlib
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from typing import Any, TypeVar

import pytest

from mlviz.algorithms import registry

T = TypeVar("T")
_FEWEST = 5
"""So many cases of a test over the methods are tried at the least."""
Name = tuple[str, str, tuple[str, ...]]
"""The method of a case, the method or a task of it of which there are enough cases, and the words of the case."""

_everything = False
_keywords: tuple[str, ...] = ()


def ask_for(everything: bool, keywords: str = "") -> None:
    """Try all cases, or besides the choice all those of the methods that a word of the option -k is in."""
    global _everything, _keywords
    _everything, _keywords = everything, tuple(set(re.findall(r"[\w.+-]+", keywords.lower())) - {"and", "or", "not"})


def chosen(cases: Iterable[T], fewest: int = 2, rather: Container[T] | None = None) -> list[T]:
    """Those of some cases that are tried, in their order; a case has a `method` and `words`, or is a tuple of these.

    As many as suffice are taken from those in `rather`, such as what other tests have worked out.
    """
    cases = list(cases)
    late = [rather is not None and case not in rather for case in cases]
    return [cases[i] for i in _tried([_name_of(case) for case in cases], fewest, late)]


def _name_of(case: Any) -> Name:
    words = tuple(map(word, case[1:])) if type(case) is tuple else getattr(case, "words", (word(case),))
    return method_of(case), method_of(case), words


def sweep(names: str, *values: Iterable[Any], fewest: int = 1) -> pytest.MarkDecorator:
    """Parametrize a test by the chosen ones of all combinations of values; the first are methods or their tasks.

    Of a test without methods, any two values are tried together.
    """
    every = list(itertools.product(*values))
    words = [tuple(map(word, case)) for case in every]
    said = [(method_of(case[0]), one[0], one[1:]) for case, one in zip(every, words, strict=True)]
    tried = _tried(said, fewest)
    ids = ["-".join(words[i]) for i in tried]
    return pytest.mark.parametrize(names.split(", "), [every[i] for i in tried], ids=ids)


def each(names: str, *values: Iterable[Any]) -> pytest.MarkDecorator:
    """Parametrize a test so that each value is tried, where values do the same in any company: not all combinations."""
    every = [list(one) for one in values]
    longest = max(map(len, every))
    few = zip(*(itertools.islice(itertools.cycle(one), longest) for one in every), strict=True)
    tried = list(itertools.product(*every)) if _everything else list(few)
    return pytest.mark.parametrize(names.split(", "), tried, ids=["-".join(map(word, case)) for case in tried])


def of_families(methods: Iterable[T]) -> list[T]:
    """One method of each family, for what its other methods do not change: a window looks alike with any of them."""
    every = list(methods)
    return [every[i] for i in _tried([(method_of(one), method_of(one), ("any of them",)) for one in every], 0)]


def of_each_test(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """What is tried of all tests, in their order: of one over the methods some of its cases."""
    every = list(items)
    cases: dict[str, dict[int, Name]] = {}
    for i, item in enumerate(every):
        name = None if _everything or item.get_closest_marker("each_method") else _name_of_test(item)
        if name is not None and not _asked(name[0]):
            cases.setdefault(item.nodeid.partition("[")[0], {})[i] = name
    left_out = set[int]().union(*(_left_out(names, every) for names in cases.values()))
    return [item for i, item in enumerate(every) if i not in left_out]


def _name_of_test(item: pytest.Item) -> Name | None:
    """The method that a test is of, and the words of its case; None of a test of no method."""
    values = item.callspec.params.values() if hasattr(item, "callspec") else ()
    found = next((value for value in values if method_of(value) in registry()), None)
    if found is None:
        return None
    others = (value for value in values if value is not found)
    return method_of(found), method_of(found), (*getattr(found, "words", ()), *map(word, others))


def _left_out(names: dict[int, Name], every: Sequence[pytest.Item]) -> set[int]:
    """The cases of one test that are not tried, by their places among all tests."""
    kept, met = set[int](), set[object]()
    often = Counter(one for _, _, words in names.values() for one in enumerate(words))
    by_rank = sorted(names, key=lambda i: zlib.crc32(every[i].nodeid.encode()))
    for i in by_rank:
        aims = {one for one in enumerate(names[i][2]) if often[one] > 1}
        if aims - met:
            kept.add(i)
            met |= aims
    others = [i for i in by_rank if i not in kept]
    return set(others[max(0, _FEWEST - len(kept)) :])


def share(values: Iterable[T], case: object, parts: int = 3) -> list[T]:
    """Of values that a test goes through inside of each of its cases, those that fall to one case: one in so many.

    Many cases together go through all of them, for which one begins is chosen by the hash of the case's name. Few may
    leave some out: what each method or word has to meet is parted by the other words of a case, or not at all.
    """
    every = list(values)
    name = str(case)
    if _everything or any(word in name for word in _keywords):
        return every
    return every[zlib.crc32(name.encode()) % min(parts, len(every) or 1) :: parts]


def trials(count: int) -> range:
    """The numbers of random problems of a kind: a quarter of so many, all where all cases are tried."""
    return range(count if _everything else -(-count // 4))


def method_of(value: Any) -> str:
    """The id of the method that a case is of: the value itself, its `method` or `algorithm`, or the first of it."""
    value = value[0] if type(value) is tuple and value else value
    for name in ("method", "algorithm", "id"):
        value = getattr(value, name, value)
    return str(value)


def word(value: Any) -> str:
    """What a value is called in the name of a test."""
    if type(value) is tuple:
        return ", ".join(map(word, value))
    return str(getattr(value, "id", None) or getattr(value, "__name__", None) or value)


def _tried(names: Sequence[Name], fewest: int, late: Sequence[bool] = ()) -> list[int]:
    if _everything:
        return list(range(len(names)))
    kept = covering(names, fewest, late)
    return [i for i, (method, _, _) in enumerate(names) if i in kept or _asked(method)]


def _asked(method: str) -> bool:
    return any(word in method for word in _keywords)


def covering(names: Sequence[Name], fewest: int = 1, late: Sequence[bool] = ()) -> set[int]:
    """The places of the cases that suffice: always the one with most that is new comes next, `late` ones at the end."""
    ranks = [zlib.crc32(" ".join((of, *words)).encode()) for _, of, words in names]
    aims = [_aims(name) for name in names]
    found: set[int] = set()
    tries: Counter[str] = Counter()
    met: set[object] = set()

    def new(i: int) -> int:
        return len(aims[i] - met) + (tries[names[i][1]] < fewest)

    queue = [(bool(late) and late[i], -new(i), ranks[i], i) for i in range(len(names))]
    heapq.heapify(queue)
    while queue:
        at_the_end, before, rank, i = heapq.heappop(queue)
        now = -new(i)
        if now > before and now:  # others have tried some of it: it may come later
            heapq.heappush(queue, (at_the_end, now, rank, i))
        elif now:
            found.add(i)
            tries[names[i][1]] += 1
            met |= aims[i]
    return found


def _aims(name: Name) -> set[object]:
    """What a case tries: each of its words in the family of its method, and each two of them."""
    method, _, words = name
    family = registry()[method].family if method in registry() else method
    placed = list(enumerate(words))  # the same word may stand for two things
    return {*((family, one) for one in placed), *itertools.combinations(placed, 2)}
