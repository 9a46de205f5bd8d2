"""Which classes are taken for which, as a table, and the scores that come of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mlviz.draw.facts import Fact
from mlviz.draw.marks import Field, Mark, Text
from mlviz.draw.numbers import share
from mlviz.draw.plot import Area, Plot
from mlviz.numerics.scoring.confusion import (
    Confusion,
    accuracy,
    average_scores,
    balanced_accuracy,
    class_scores,
    cohen_kappa,
    confusion_matrix,
    confusion_shares,
)
from mlviz.pipeline.decisions import rejected_of
from mlviz.pipeline.model import PipelineModel
from mlviz.spec import choice
from mlviz.studies.judging.base import Judged, JudgingStudy
from mlviz.studies.question import Question, Result, Table


@dataclass(frozen=True, eq=False, kw_only=True)
class ConfusionResult(Result):
    """How many samples of each class are taken for each one."""

    judged: Judged
    cells: str

    @cached_property
    def confusion(self) -> Confusion:
        """The counts."""
        one = self.judged
        return confusion_matrix(one.y, one.predicted, one.classes, one.weights, rejected_of(one.classes))

    def table(self) -> Table:
        """A row for each class: how often it is taken for each, and its scores."""
        found, name = self.confusion, self.judged.names.of_class
        columns: dict[str, Any] = {"class": [name(code) for code in found.classes.tolist()]}
        for code, counts in zip(found.classes.tolist(), found.counts.T, strict=True):
            columns[f"taken for {name(code)}"] = counts
        if found.rejected.any():
            columns["rejected"] = found.rejected
        return Table.from_columns(columns | class_scores(found))

    def plots(self) -> tuple[Plot, ...]:
        """The matrix; a cell shows its samples when it is clicked."""
        found, one = self.confusion, self.judged
        whole = found.table if found.rejected.any() else found.counts
        k, columns = whole.shape
        across, up = np.arange(float(columns)), np.arange(float(k))[::-1]  # the first class is on top
        shares = confusion_shares(found, "actual")[:, :columns]
        names = [one.names.of_class(code) for code in found.classes.tolist()]
        answers = [*names, "rejected"][:columns]
        words = [share(v) if self.cells == "shares" else f"{n:g}" for v, n in zip(shares.flat, whole.flat, strict=True)]
        places = np.column_stack((np.tile(across, k), np.repeat(up, columns)))
        strength = (128 + 60 * np.nan_to_num(shares)).astype(np.uint8)  # so faint that numbers can be read on it
        marks: tuple[Mark, ...] = (
            Field("similarity", across, up[::-1], strength[::-1], cells=whole[::-1]),
            Text("label", places, tuple(words), centered=True),
        )
        areas = tuple(
            Area(
                (x - 0.5, x + 0.5, y - 0.5, y + 0.5),
                f"{names[k - 1 - int(y)]}, taken for {answers[int(x)]}: {n:g}",
                rows,
            )
            for (x, y), n, rows in zip(places.tolist(), whole.flat, self._rows(columns), strict=True)
        )
        return (
            Plot(
                "confusion-matrix",
                "Confusion",
                f"predicted, {one.where}",
                "class",
                marks,
                (-0.5, columns - 0.5, -0.5, k - 0.5),
                x_ticks=tuple(zip(across.tolist(), answers, strict=True)),
                y_ticks=tuple(zip(up.tolist(), names, strict=True)),
                areas=areas,
            ),
        )

    def facts(self) -> dict[str, Fact]:
        """The scores of all classes together."""
        found = self.confusion
        mean = average_scores(found, "macro")
        return {
            "accuracy": Fact(accuracy(found), "share", "Share of the samples that are taken for their class."),
            "balanced accuracy": Fact(balanced_accuracy(found), "share", "Mean recall of the classes."),
            "precision": Fact(mean["precision"], "share", "Mean over the classes."),
            "recall": Fact(mean["recall"], "share", "Mean over the classes."),
            "F1": Fact(mean["F1"], "", "Mean over the classes."),
            "kappa": Fact(cohen_kappa(found), "", "Accuracy beyond that of chance, as a share of what is to be won."),
        }

    def _rows(self, columns: int) -> list[Any]:
        one, classes = self.judged, self.judged.classes
        column = np.where(np.isin(one.predicted, classes), np.searchsorted(classes, one.predicted), columns - 1)
        row = np.searchsorted(classes, one.y)
        return [one.rows[(row == r) & (column == c)] for r in range(len(classes)) for c in range(columns)]


@dataclass(frozen=True)
class ConfusionMatrix(JudgingStudy):
    """Which classes are taken for which: rows are the classes of the samples, columns those predicted."""

    id = "confusion-matrix"
    label = "confusion matrix"
    help = "which classes are taken for which, with accuracy, precision and recall; click a cell to see its samples"
    cells: str = choice("counts", "shares", help="what stands in the cells: numbers, or shares of each class")

    def judge(self, model: PipelineModel, question: Question) -> Result:
        """The table of what a model predicts."""
        return ConfusionResult(question, judged=self.judged(model, question), cells=self.cells)
