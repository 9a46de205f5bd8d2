"""What the studies of folds have in common: which samples are learned from and which are judged, and by what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.draw.facts import Fact
from mlviz.draw.numbers import counted
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.scoring.folds import Fold, hold_out, leave_one_out, monte_carlo, v_fold
from mlviz.numerics.scoring.shares import weights_of
from mlviz.pipeline.pipeline import Pipeline
from mlviz.spec import choice, flag, integer, real
from mlviz.spec.brief import Brief
from mlviz.studies.base import WHICH_VALUES, Study, needs_method
from mlviz.studies.question import Question
from mlviz.studies.validation.losses import Score, scorable, score_for

NO_BEST = Fact(
    "none", help="No value has a finite mean loss: at each, for instance, the density at some test sample is 0."
)
"""What is told in the place of the best value where all are as bad as can be."""


@dataclass(frozen=True, eq=False)
class Folding(Brief):
    """The samples, which of them are training and test samples of each fold, and by what predictions are judged."""

    X: Array
    y: AnyArray | None
    weights: Array | None
    folds: Sequence[Fold]
    score: Score
    told: str
    """The scheme in words."""

    def facts(self, seed: int) -> dict[str, Fact]:
        """Which folds there are."""
        return {
            "folds": Fact(
                self.told, help="They depend on the samples, the scheme and the seed: all methods share them."
            ),
            "seed": Fact(seed, help="Of the random numbers by which folds are drawn."),
        }


def with_weight(question: Question) -> tuple[Array, AnyArray | None, Array | None]:
    """The samples, targets and weights of those that have weight: others are in no fold."""
    X, y, weights = question.X, question.y, question.sample_weight
    rows = np.flatnonzero(weights_of(weights, len(X)) > 0)
    return X[rows], None if y is None else y[rows], None if weights is None else weights[rows]


def with_held_out(question: Question, score: Score) -> Folding:
    """One fold: the samples that are held out in the scene are judged."""
    test = question.test
    assert test is not None
    X, y, weights = with_weight(question)
    n, m = len(X), len(test.X)
    together = None if y is None or test.y is None else np.concatenate((y, test.y))
    weights = None if weights is None else np.append(weights, np.ones(m))
    told = f"{counted(m, 'sample')} held out in the scene, {n} to learn from"
    rows = np.arange(n + m)
    return Folding(np.concatenate((X, test.X)), together, weights, [(rows[:n], rows[n:])], score, told)


@dataclass(frozen=True)
class ScoredStudy(Study):
    """Base of the studies that judge fits on samples that they have not seen."""

    group = WHICH_VALUES
    random = True
    score: str = choice(
        "error",
        "log loss",
        help="what is judged: the share of wrong samples, of values the root of the mean squared residual, of "
        "densities the mean log-likelihood; or for classes the log loss of the probabilities",
    )

    def lack(self, pipeline: Pipeline) -> str:
        """A method that can be wrong on samples that it has not seen."""
        return "" if scorable(pipeline) else needs_method(pipeline, "predicts classes or values, or tells a density")


@dataclass(frozen=True)
class FoldStudy(ScoredStudy):
    """Base of those whose samples are parted by a scheme of validation."""

    scheme: str = choice(
        "V-fold",
        "hold-out",
        "Monte Carlo",
        "leave-one-out",
        help="which samples are judged by fits to the others: each fold in turn, one share of them, a share drawn "
        "again and again, or each sample alone",
    )
    folds: int = integer(
        10,
        soft=(2, 20),
        valid=(2, 1000),
        label="folds or repeats",
        help="how many folds there are, or how often a share is drawn",
        when=("scheme", ("V-fold", "Monte Carlo")),
    )
    share: float = real(
        0.3,
        soft=(0.1, 0.9),
        valid=(0.01, 0.99),
        help="how much is judged; samples that are held out in the scene are taken as they are by hold-out",
        when=("scheme", ("hold-out", "Monte Carlo")),
    )
    stratified: bool = flag(
        True,
        help="each class has as equal a share of the folds as whole samples allow",
        when=("scheme", ("V-fold", "hold-out", "Monte Carlo")),
    )

    @property
    def random(self) -> bool:  # type: ignore[override]
        """Whether it is drawn which samples are judged together."""
        return self.scheme != "leave-one-out"

    def folding(self, question: Question) -> Folding:
        """The folds of the samples; raises `CannotFit` where there can be none."""
        test, score = question.test, score_for(question.pipeline, question.y, self.score)
        if self.scheme == "hold-out" and test is not None and len(test.X):
            return with_held_out(question, score)
        X, y, weights = with_weight(question)
        try:
            folds = self._folds(X, y, np.random.default_rng(question.seed))
        except ValueError as error:
            raise CannotFit(str(error)) from None
        return Folding(X, y, weights, folds, score, self._told(folds, y))

    def _folds(self, X: Array, y: AnyArray | None, rng: np.random.Generator) -> list[Fold]:
        match self.scheme:
            case "V-fold":
                return v_fold(X, y, rng, self.folds, self.stratified)
            case "hold-out":
                return hold_out(X, y, rng, self.share, self.stratified)
            case "Monte Carlo":
                return monte_carlo(X, y, rng, self.share, self.folds, self.stratified)
        return leave_one_out(X)

    def _told(self, folds: Sequence[Fold], y: AnyArray | None) -> str:
        sizes = sorted({len(test) for _, test in folds})
        size = f"{sizes[0]} to {sizes[-1]}" if len(sizes) > 1 else str(sizes[0])
        stratified = self.stratified and y is not None and y.dtype.kind != "f"
        how = ", stratified" if stratified and self.scheme != "leave-one-out" else ""
        match self.scheme:
            case "V-fold":
                return f"{len(folds)} of {size} samples{how}"
            case "hold-out":
                return f"{size} samples held out{how}"
            case "Monte Carlo":
                return f"{size} samples held out, {len(folds)} times{how}"
        return f"each of {counted(len(folds), 'sample')} left out once"
