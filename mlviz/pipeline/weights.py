"""Training weights: what a class counts in the fit, by weights or by drawing samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mlviz.draw.numbers import number
from mlviz.numerics.arrays import AnyArray, Array, Labels, Rows
from mlviz.numerics.sampling import random_numbers
from mlviz.spec import Declared, choice, per_class

DRAWN = _SUBSAMPLE, _UPSAMPLE = "subsample", "upsample"
"""How classes are balanced by drawing samples."""
_MOST_COPIES = 20
"""A method that can't weigh its samples gets at most so many times as many as there are."""


@dataclass(frozen=True)
class Weights(Declared):
    """How much the classes count in the fit."""

    balance: str = choice(
        "none",
        "balanced",
        "by hand",
        _SUBSAMPLE,
        _UPSAMPLE,
        label="class weights",
        help="how rare classes are helped: balanced gives every class the same total weight, by hand sets what a "
        "sample of each class counts, subsample draws as many of each class as the smallest has, upsample repeats "
        "samples until each class has as many as the largest",
    )
    class_weight: tuple[float, ...] = per_class(
        1.0,
        soft=(0.1, 10.0),
        valid=(1e-3, 1e3),
        log=True,
        label="weight",
        help="what a sample of this class counts in the fit: the cost of an error on it",
        when=("balance", ("by hand",)),
    )

    def in_words(self, total: float, classes: int) -> str:
        """For the line under the picture, of samples of so many classes that count so much together; "" for none."""
        match self.balance:
            case "none":
                return ""
            case "by hand":
                numbers = self.parameter("class_weight").for_classes(self.class_weight, classes)
                return f"class weights {' : '.join(number(weight) for weight in numbers)}"
            case "balanced":
                return "balanced class weights"
            case _:
                return f"{self.balance}d to {number(total, 4)}"

    def of(self, X: Array, y: AnyArray, sample_weight: Array | None, seed: int) -> Array | None:
        """What the samples X (n, d) of classes y (n,) count in the fit, (n,); None for all ones.

        Weights of classes, in the sorted order of those in y, multiply `sample_weight`. What is drawn is drawn by the
        samples' places and the seed, so that the order of the rows does not matter and the others stay drawn while one
        sample moves.
        """
        if self.balance == "none":
            return sample_weight
        classes, codes = np.unique(y, return_inverse=True)
        given = np.ones(len(y)) if sample_weight is None else sample_weight
        if self.balance == "balanced":
            # scikit-learn's: n / (k n_c), with weights in the place of counts.
            totals = np.bincount(codes, given)
            return np.asarray(given * (totals.sum() / (len(classes) * totals))[codes])
        if self.balance == "by hand":
            by_hand = self.parameter("class_weight").for_classes(self.class_weight, len(classes))
            return np.asarray(given * np.array(by_hand)[codes])
        return given * _copies(random_numbers(X, seed), codes, up=self.balance == _UPSAMPLE)


UNWEIGHTED = Weights()
"""All samples count the same."""


def _copies(drawn: NDArray[np.uint64], codes: Labels, up: bool) -> Array:
    """How often each sample counts so that all classes have as many: the largest class's number, or the smallest's."""
    counts = np.bincount(codes)
    wanted = int(counts.max() if up else counts.min())
    copies = np.zeros(len(codes))
    for code, count in enumerate(counts.tolist()):
        mine = np.flatnonzero(codes == code)
        often, more = divmod(wanted, count)
        copies[mine] = often
        copies[mine[np.argsort(drawn[mine], kind="stable")[:more]]] += 1
    return copies


def drawn_rows(X: Array, weights: Array, seed: int) -> Rows:
    """Rows of X (n, d), repeated as often as their weights (n,) say, for a method that can't weigh its samples.

    Whole weights are taken at their word. Others are raised until the least is 1, and what is left beyond whole numbers
    is drawn, so that each sample comes as often as it should on average.
    """
    if (weights == np.rint(weights)).all() and weights.sum() <= _MOST_COPIES * len(X):
        return np.repeat(np.arange(len(X)), weights.astype(np.intp))
    scale = min(1 / weights[weights > 0].min(), _MOST_COPIES * len(X) / weights.sum())
    copies = np.floor(np.round(scale * weights, 9) + (random_numbers(X, seed) / np.float64(2**64))).astype(np.intp)
    return np.repeat(np.arange(len(X)), copies)
