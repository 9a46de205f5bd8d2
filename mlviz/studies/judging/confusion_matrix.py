"""Which classes are taken for which, as a table, and the scores that come of it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.draw.facts import Fact
from mlviz.draw.numbers import format_number, share, typographic
from mlviz.draw.plot import Plot
from mlviz.numerics.arrays import Array, Rows
from mlviz.numerics.scoring.confusion import (
    AVERAGES,
    MEASURES,
    Confusion,
    accuracy,
    average_scores,
    balanced_accuracy,
    class_scores,
    cohen_kappa,
    confusion_matrix,
    confusion_shares,
    error_rate,
    rejection_rate,
)
from mlviz.pipeline.decisions import rejected_of
from mlviz.spec import choice
from mlviz.studies.count_table import count_table, shades_of, told_shares
from mlviz.studies.judging.base import JudgingResult, JudgingStudy
from mlviz.studies.question import Table

_MOST_ZEROS = 5
"""With more classes, cells without samples stay empty: there are many of them."""
_HELP = {
    "precision": "The share of correct ones among the samples that are taken for the class.",
    "recall": "The share of the class's samples that are taken for it; also called sensitivity or true positive rate.",
    "specificity": "The share of the other samples that are not taken for the class.",
    "false positive rate": "The share of the other samples that are taken for the class.",
    "F1": "The harmonic mean of precision and recall.",
}


@dataclass(frozen=True, eq=False, kw_only=True)
class ConfusionResult(JudgingResult):
    """How many samples of each class are taken for each one."""

    @cached_property
    def confusion(self) -> Confusion:
        """The counts."""
        scored, classes = self.scored, self.scored.all_classes
        return confusion_matrix(scored.y, self.predicted, classes, scored.weights, rejected_of(classes))

    def table(self) -> Table:
        """A row for each class: how often it is taken for each, and its scores; then the averages."""
        found = self.confusion
        names = [self.name(code) for code in found.classes.tolist()]
        averages = [average_scores(found, average) for average in AVERAGES]
        none = [math.nan] * len(AVERAGES)
        columns: dict[str, Any] = {"class": [*names, *AVERAGES]}
        for name, counts in zip(names, found.counts.T.tolist(), strict=True):
            columns[f"taken for {name}"] = [*counts, *none]
        if found.rejected.any():
            columns["rejected"] = [*found.rejected.tolist(), *none]
        for name, values in class_scores(found).items():
            columns[name] = [*values.tolist(), *(average[name] for average in averages)]
        return Table.from_columns(columns)

    def plots(self) -> tuple[Plot, ...]:
        """The matrix; a cell shows its samples when it is clicked."""
        found = self.confusion
        counts = found.table if found.rejected.any() else found.counts
        names = [self.name(code) for code in found.classes.tolist()]
        answers = [*names, "rejected"][: counts.shape[1]]
        axes, shades, words = ("predicted", "class"), self._shades(counts.shape[1]), self._words(counts)
        cells = zip(self._told_of_cells(counts, names, answers), self._rows_of_cells(counts.shape), strict=True)
        return (count_table("confusion-matrix", "Confusion", axes, (answers, names), counts, shades, words, cells),)

    def told(self) -> dict[str, Fact]:
        """The scores of the positive one of two classes, or the means over several, and those of all together."""
        found = self.confusion
        told = "The share of the samples that are taken for their class."
        facts = {"accuracy": Fact(accuracy(found), "share", told)}
        if found.rejected.any():
            facts["rejected"] = Fact(rejection_rate(found), "share", "The share of samples that get no class.")
        if len(found.classes) == 2:
            whose, means = f"of {self.name(found.classes[1])}", ""
            scores = {name: float(values[1]) for name, values in class_scores(found).items()}
        else:
            whose, means = "on average", " The mean over the classes."
            scores = average_scores(found, "macro")
        for name in MEASURES:
            unit = "" if name == "F1" else "share"
            facts[f"{name} {whose}"] = Fact(scores[name], unit, f"{_HELP[name]}{means}")
        told = "The share of the samples that are taken for another class."
        facts["error"] = Fact(error_rate(found), "share", told)
        facts["balanced accuracy"] = Fact(balanced_accuracy(found), "share", "The mean recall of the classes.")
        facts["kappa"] = Fact(
            cohen_kappa(found),
            "",
            "How far the accuracy is above that of chance, as a share of the largest possible gain.",
        )
        return facts | self.loss_facts()

    def _words(self, counts: Array) -> tuple[str, ...]:
        """What stands in the cells, row by row."""
        if self.study.cells == "counts":
            words = [format_number(count) for count in counts.flat]
        else:
            shares = confusion_shares(self.confusion, self.study.of)[:, : counts.shape[1]]
            words = [typographic(share(value)) if value == value else "–" for value in shares.flat]
        hidden = len(counts) > _MOST_ZEROS
        return tuple("" if hidden and not count else word for count, word in zip(counts.flat, words, strict=True))

    def _shades(self, columns: int) -> NDArray[np.uint8]:
        """By its share of the class each cell's, in one colour where the class is right and in another elsewhere."""
        shares = np.nan_to_num(confusion_shares(self.confusion, "actual")[:, :columns])
        return shades_of(shares, np.where(np.eye(*shares.shape) > 0, 1, -1))

    def _told_of_cells(self, counts: Array, names: list[str], answers: list[str]) -> Iterator[str]:
        """What each cell says when it is pointed at, row by row."""
        shares = [confusion_shares(self.confusion, part) for part in ("actual", "predicted", "all")]
        for i, j in np.ndindex(counts.shape):
            how = "rejected" if answers[j] == "rejected" else f"taken for {answers[j]}"
            told = told_shares((float(part[i, j]) for part in shares), ("the class", "the prediction", "all"))
            yield f"{names[i]}, {how}: {format_number(float(counts[i, j]))}, {told}"

    def _rows_of_cells(self, shape: tuple[int, ...]) -> list[Rows]:
        """The rows of the samples of each cell, row by row."""
        classes, predicted = self.scored.all_classes, self.predicted
        column = np.searchsorted(classes, predicted)
        if self.confusion.rejected.any():
            column[predicted == rejected_of(classes)] = len(classes)
        cell = np.searchsorted(classes, self.scored.y) * shape[1] + column
        order = np.argsort(cell, kind="stable")
        ends = np.searchsorted(cell[order], np.arange(1, shape[0] * shape[1]))
        return np.split(self.rows[order], ends)


@dataclass(frozen=True)
class ConfusionMatrix(JudgingStudy):
    """Which classes are taken for which: rows are the classes of the samples, columns those predicted.

    Right answers are on the diagonal. The scores of each class, and their averages, stand in the table.
    """

    id = "confusion-matrix"
    label = "confusion matrix"
    help = "which classes are taken for which, with accuracy, precision and recall; click a cell to see its samples"
    answer = ConfusionResult
    cells: str = choice(
        "counts",
        "% of class",
        "% of prediction",
        "% of all",
        help="what stands in the cells: how many samples, or which share they are",
        aliases={"shares": "% of class"},
    )

    @property
    def of(self) -> str:
        """Of what the shares are, as `confusion_shares` calls it."""
        return {"% of prediction": "predicted", "% of all": "all"}.get(self.cells, "actual")
