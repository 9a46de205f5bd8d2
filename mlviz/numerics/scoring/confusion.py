"""Which classes are taken for which, and the scores that come of it: per class, averaged, and in one number.

A rejected sample, for which no class is chosen, has an answer that is never right: it lowers accuracy and recall, but
no precision. Definitions: M. Sokolova and G. Lapalme, A systematic analysis of performance measures for classification
tasks, Information Processing & Management 45 (2009), 427-437.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.scoring.shares import class_numbers, ratio, weights_of
from mlviz.spec.brief import Brief

MEASURES = ("precision", "recall", "specificity", "false positive rate", "F1")
"""The scores of a class against all others; recall is also called sensitivity or true positive rate."""
AVERAGES: tuple[Literal["macro", "micro", "weighted"], ...] = ("macro", "micro", "weighted")


@dataclass(frozen=True, eq=False)
class Confusion(Brief):
    """How many samples of each class are taken for each one, in weights."""

    classes: AnyArray
    """The classes (k,), rising."""
    counts: Array
    """(k, k): row the class that a sample is of, column the one that is predicted."""
    rejected: Array
    """(k,): samples of each class for which none is predicted."""

    @property
    def actual(self) -> Array:
        """How many samples there are of each class, (k,): its support."""
        return np.asarray(self.table.sum(axis=1))

    @property
    def predicted(self) -> Array:
        """How many samples are taken for each class, (k,)."""
        return np.asarray(self.counts.sum(axis=0))

    @property
    def right(self) -> Array:
        """How many samples of each class are taken for it, (k,)."""
        return self.counts.diagonal().copy()

    @property
    def wrong(self) -> Array:
        """How many samples of other classes are taken for each class, (k,)."""
        return np.asarray((self.counts * _others(len(self.classes))).sum(axis=0))

    @property
    def total(self) -> float:
        """How many samples there are."""
        return float(self.actual.sum())

    @property
    def table(self) -> Array:
        """The counts with the rejected samples as the last column, (k, k + 1)."""
        return np.column_stack((self.counts, self.rejected))


def confusion_matrix(
    y: AnyArray,
    predicted: AnyArray,
    classes: AnyArray,
    sample_weight: Array | None = None,
    rejected: Any = -1,
) -> Confusion:
    """Count the samples of the classes y (n,) by what is predicted for them (n,).

    The classes (k,) are rising and may be more than there are samples of. `rejected` stands for no class. Raises
    ValueError where a sample is of another class, or is taken for one.
    """
    k, weights = len(classes), weights_of(sample_weight, len(y))
    column = np.full(len(y), k, dtype=np.intp)
    chosen = predicted != rejected
    column[chosen] = class_numbers(predicted[chosen], classes)
    cells = np.bincount(class_numbers(y, classes) * (k + 1) + column, weights, k * (k + 1)).astype(np.float64)
    cells = cells.reshape(k, k + 1)
    return Confusion(classes, cells[:, :k], cells[:, k])


def confusion_shares(confusion: Confusion, of: Literal["actual", "predicted", "all"]) -> Array:
    """The table (k, k + 1) as shares of the samples of each class, of those with each answer, or of all."""
    table = confusion.table
    match of:
        case "actual":
            return ratio(table, table.sum(axis=1, keepdims=True))
        case "predicted":
            return ratio(table, table.sum(axis=0))
        case "all":
            return ratio(table, table.sum())


def class_scores(confusion: Confusion) -> dict[str, Array]:
    """The `MEASURES` of each class against all others, (k,) each, and the number of its samples as "support"."""
    return {**_measures(confusion), "support": confusion.actual}


def average_scores(confusion: Confusion, average: Literal["macro", "micro", "weighted"]) -> dict[str, float]:
    """The `MEASURES` of all classes together, and the number of all samples as "support".

    macro     the mean over the classes
    micro     of the samples of all classes against others, added up before dividing
    weighted  the mean over the classes, each counting as much as it has samples

    A class where the score has no value is left out of the mean, as scikit-learn does with zero_division=nan.
    """
    if average == "micro":
        scores = {name: float(value) for name, value in _measures(confusion, together=True).items()}
    else:
        weight = confusion.actual if average == "weighted" else np.ones(len(confusion.classes))
        scores = {name: _mean(values, weight) for name, values in _measures(confusion).items()}
    return {**scores, "support": confusion.total}


def accuracy(confusion: Confusion) -> float:
    """The share of samples that are taken for their class."""
    return float(ratio(confusion.right.sum(), confusion.total))


def error_rate(confusion: Confusion) -> float:
    """The share of samples that are taken for another class; rejected ones are not."""
    return float(ratio(confusion.wrong.sum(), confusion.total))


def rejection_rate(confusion: Confusion) -> float:
    """The share of samples for which no class is chosen."""
    return float(ratio(confusion.rejected.sum(), confusion.total))


def balanced_accuracy(confusion: Confusion) -> float:
    """The mean recall of the classes of which there are samples (K. H. Brodersen et al., ICPR 2010, 3121-3124)."""
    return average_scores(confusion, "macro")["recall"]


def cohen_kappa(confusion: Confusion) -> float:
    """How far the accuracy is from that of chance with the same totals, as a share of the largest possible gain.

    J. Cohen, A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20 (1960), 37-46.
    It has no value where all samples are of one class and taken for it.
    """
    wrong = confusion.wrong.sum() + confusion.rejected.sum()
    other = _others(len(confusion.classes)) @ confusion.predicted + confusion.rejected.sum()
    # The samples that chance takes for another class, times their number.
    return 1 - float(ratio(wrong * confusion.total, confusion.actual @ other))


def _others(k: int) -> Array:
    """A matrix (k, k) that adds up the others; subtracting from the sum would leave rounding where there are none."""
    return 1 - np.eye(k)


def _measures(confusion: Confusion, together: bool = False) -> dict[str, Array]:
    """The scores of each class against the others (k,), or of the sums over the classes, ()."""
    right, predicted, actual = confusion.right, confusion.predicted, confusion.actual
    wrong, negative = confusion.wrong, _others(len(actual)) @ actual
    if together:
        right, predicted, actual, wrong, negative = (
            values.sum() for values in (right, predicted, actual, wrong, negative)
        )
    values = (
        ratio(right, predicted),
        ratio(right, actual),
        1 - ratio(wrong, negative),
        ratio(wrong, negative),
        ratio(2 * right, predicted + actual),
    )
    return dict(zip(MEASURES, values, strict=True))


def _mean(values: Array, weight: Array) -> float:
    known = ~np.isnan(values)
    return float(ratio(values[known] @ weight[known], weight[known].sum()))
