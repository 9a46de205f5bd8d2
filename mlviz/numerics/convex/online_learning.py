"""Learning from one sample after the other: visit them in rounds, and learn from each that is on the wrong side.

Novikoff, Proceedings of the Symposium on the Mathematical Theory of Automata (1962): of a perceptron from w = 0 that
learns from points z with |z| <= R and a margin gamma, the mistakes are at most (R/gamma)^2 in all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from mlviz.numerics.arrays import Array, Labels, Rows
from mlviz.spec.brief import Brief

_BLOCK = 32
_LONG = 1000
"""So many mistakes in a round that is not watched are a step of their own, so that it can be interrupted."""
_MANY, _MOST_MISTAKES, _MOST_OF_ALL = 2500, 40_000, 45_000
"""From more samples than `_MANY` no more is learned after so many mistakes, or so many of all parts."""


class Learner(Protocol):
    """What learns."""

    def margins(self, rows: Rows) -> Array:
        """How far samples are on their right side; 0 or less is a mistake."""

    def learn(self, row: int) -> None:
        """Learn from the sample `row`."""


@dataclass(frozen=True)
class Visit:
    """Where the learner is: so many rounds begun and samples visited, the last of which is `row`."""

    epoch: int
    visits: int
    row: int
    mistake: bool
    watched: bool
    """Whether this one visit is a step; else all since the step before are."""
    settled: bool = False
    """Whether the round ended without a mistake: nothing would change any more."""
    whole: bool = False
    """Whether the step is all the visits of this round."""
    exhausted: bool = False
    """Whether there were so many mistakes that no more is learned."""


@dataclass
class MistakeLog(Brief):
    """The mistakes so far, in order: on which sample, and on which visit, counted from 1.

    The models of one fit share it: each knows how much of it is its own past.
    """

    rows: list[int] = field(default_factory=list)
    visits: list[int] = field(default_factory=list)

    def counts(self, mistakes: int, n: int) -> Labels:
        """How often each of n samples was mistaken in the first so many mistakes."""
        return np.bincount(np.array(self.rows[:mistakes], dtype=np.intp), minlength=n)


def online_epochs(
    learner: Learner, diary: MistakeLog, n: int, epochs: int, order: Callable[[], Labels], watched: int, parts: int = 1
) -> Iterator[Visit]:
    """Visit n samples in so many rounds, or until one is without mistake; `order()` gives the order of a round.

    Each of the first `watched` visits is yielded, then the end of each round alone, and that of the last in any case.
    With very many samples, a great number of mistakes is an end too. So many `parts` with as many samples are fitted.
    """
    visits, most = 0, min(_MOST_MISTAKES, max(1, _MOST_OF_ALL // parts)) if n * parts > _MANY else None
    for epoch in range(1, epochs + 1):
        rows = order()
        whole = visits >= watched
        at, before, told = 0, len(diary.rows), len(diary.rows)
        while at < n:
            wrong = at + _right(learner, rows[at:])
            for row in rows[at : min(wrong, at + max(0, watched - visits))]:
                visits += 1
                yield Visit(epoch, visits, int(row), False, True)
            visits = (epoch - 1) * n + wrong
            at = wrong + 1
            if wrong == n:
                break
            visits += 1
            row = int(rows[wrong])
            diary.rows.append(row)
            diary.visits.append(visits)
            learner.learn(row)
            if len(diary.rows) == most:
                yield Visit(epoch, visits, row, True, False, exhausted=True)
                return
            if visits <= watched or len(diary.rows) - told >= _LONG:
                told, whole = len(diary.rows), False
                yield Visit(epoch, visits, row, True, visits <= watched)
        settled = len(diary.rows) == before
        if settled or visits > watched or epoch == epochs:
            yield Visit(epoch, visits, int(rows[-1]), diary.visits[-1:] == [visits], False, settled, whole)
        if settled:
            return


def _right(learner: Learner, rows: Rows) -> int:
    """How many of these samples, from the first on, are on their right side."""
    at, size = 0, _BLOCK
    while at < len(rows):
        wrong = learner.margins(rows[at : at + size]) <= 0
        first = int(wrong.argmax())
        if wrong[first]:
            return at + first
        at += size
        size *= 4
    return len(rows)
