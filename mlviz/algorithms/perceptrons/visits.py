"""What methods have in common that visit one sample after the other and learn from their mistakes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mlviz.algorithms.base import Model
from mlviz.draw.numbers import counted
from mlviz.draw.overlays import online
from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.convex.online_learning import MistakeLog, Visit
from mlviz.numerics.distances import sample_at
from mlviz.spec import choice, integer

VISITS_SHOWN_SINGLY = 500
"""So many visits are steps of their own."""


def visiting_order() -> Any:
    """Declare in which order samples are visited."""
    return choice(
        "random order",
        "given order",
        help="in which order samples are visited: shuffled anew in each epoch, or always as they were entered",
    )


def most_epochs() -> Any:
    """Declare how many rounds there are."""
    return integer(50, soft=(1, 500), valid=(1, 100_000), label="most epochs", help="after so many, it stops")


@dataclass(frozen=True, eq=False, kw_only=True)
class AfterVisit(Model):
    """What models after a visit have in common; of the mistakes in the diary the first `mistakes` are their own."""

    samples: Any
    diary: MistakeLog
    mistakes: int
    visit: Visit | None

    @cached_property
    def counts(self) -> Labels:
        """How often each sample was misclassified when visited, (n,)."""
        return self.diary.counts(self.mistakes, len(self.samples.X))

    @cached_property
    def totals(self) -> Labels:
        """The counts (n,), those of equal samples together at the first of them: copies are one that weighs more."""
        rows, totals = np.flatnonzero(self.counts), np.zeros_like(self.counts)
        places = np.column_stack((self.samples.X[rows], self.samples.signs[rows]))
        _, first, group = np.unique(places, axis=0, return_index=True, return_inverse=True)
        np.add.at(totals, rows[first][group.ravel()], self.counts[rows])
        return totals

    def told_mistakes(self, x: Array) -> str:
        """How often the sample at x (d,), with its copies, was misclassified when visited; "" where there is none."""
        row, _ = sample_at(self.samples.X, x)
        if row is None:
            return ""
        alike = (self.samples.X[row] == self.samples.X).all(axis=1) & (self.samples.signs == self.samples.signs[row])
        return f" {online.say_mistakes(int(self.counts[alike].sum()))}"

    @property
    def bound(self) -> float | None:
        """The most mistakes there can be, where that is known."""
        return None

    @property
    def visited(self) -> Labels:
        """The sample that the step looked at, where it was one alone."""
        return np.array([self.visit.row] if self.visit is not None and self.visit.watched else [], dtype=np.intp)

    @property
    def visited_as(self) -> str:
        """What came of the visit."""
        return (
            "visited: misclassified"
            if self.visit is not None and self.visit.mistake
            else "visited: classified correctly"
        )

    @property
    def stage(self) -> str:  # type: ignore[override]
        """What the step did."""
        visit, mistakes = self.visit, self.mistakes
        if visit is None:
            return "start"
        if visit.settled:
            return f"epoch {visit.epoch} without a mistake"
        if not visit.watched:
            return f"{'whole ' * visit.whole}epoch {visit.epoch}, {counted(mistakes, 'mistake')} so far"
        return f"epoch {visit.epoch}, mistake {mistakes}" if visit.mistake else f"epoch {visit.epoch}, no mistake"

    @property
    def stopped(self) -> str:
        """That there were no more epochs, or too many mistakes, so that it is not at an end; "" where it may be."""
        visit, most = self.visit, self.samples.algorithm.max_iter
        if visit is not None and visit.exhausted:
            return f"stopped after {self.mistakes:,} mistakes, in epoch {visit.epoch}"
        if visit is None or visit.epoch < most or visit.watched or visit.settled:
            return ""
        return f"stopped after {counted(most, 'epoch')}"
