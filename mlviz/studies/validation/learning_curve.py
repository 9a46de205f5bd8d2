"""The error on training and test samples, over the number of training samples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.draw.facts import Fact
from mlviz.draw.marks import Lines, Mark, Segments
from mlviz.draw.plot import Plot, full_limits
from mlviz.numerics.arrays import AnyArray, Array, Labels
from mlviz.numerics.sampling import random_numbers
from mlviz.numerics.scoring.choice import mean_and_error
from mlviz.numerics.scoring.folds import Fold, monte_carlo
from mlviz.spec import flag, integer, real
from mlviz.studies.question import Question, Result, Table
from mlviz.studies.validation.base import Folding, ScoredStudy, with_held_out, with_weight
from mlviz.studies.validation.losses import score_for
from mlviz.studies.validation.results import FoldsResult, results_in_folds

_FEWEST = 0.05
"""The curve begins at this share of the training samples, or where each class has two."""


@dataclass(frozen=True, eq=False, kw_only=True)
class LearningCurveResult(FoldsResult):
    """The losses (s, r) for s numbers of training samples in r repeats, NaN where they are not known."""

    sizes: Labels

    @cached_property
    def means(self) -> tuple[Array, Array, Array, Array]:
        """The mean training losses (s,) and their standard errors, then those of the test."""
        return *mean_and_error(self.training), *mean_and_error(self.test)

    def table(self) -> Table:
        """A row for each number of training samples."""
        score, columns = self.folding.score, dict[str, AnyArray]({"training samples": self.sizes})
        for name, mean, error in (("test", *self.means[2:]), ("training", *self.means[:2])):
            low, high = score.bars(mean, error)
            columns |= {f"{name} {score.name}": score.shown(mean), f"{name} low": low, f"{name} high": high}
        return Table.from_columns(columns)

    def plots(self) -> tuple[Plot, ...]:
        """Both errors over the number of training samples."""
        what, marks = self.folding.score.axis_label, tuple(self._marks())
        plot = Plot("learning-curve", "Learning curve", "training samples", what, marks, x_whole=True)
        return (replace(plot, limits=(*full_limits(plot)[:2], *self._heights())),)

    def _heights(self) -> tuple[float, float]:
        """The ends of the vertical axis: the least test error is in sight."""
        score, (training, training_error, test, test_error) = self.folding.score, self.means
        ends = *score.bars(training, training_error), *score.bars(test, test_error)
        shown = score.shown(test)
        return self.heights(float(np.fmin.reduce(shown)), shown, score.shown(training), *ends)

    def _marks(self) -> Iterator[Mark]:
        score, (training, training_error, test, test_error) = self.folding.score, self.means
        x = self.sizes.astype(np.float64)
        label = "± one standard error"
        for role, name, mean, error in (
            ("path", "training samples", training, training_error),
            ("curve", "test samples", test, test_error),
        ):
            low, high = score.bars(mean, error)
            known, bars = np.isfinite(mean), np.isfinite(low + high)
            yield Lines(role, np.column_stack((x, score.shown(mean)))[known], label=name)
            if bars.any():
                ends = [np.column_stack((x, end))[bars] for end in (low, high)]
                yield Segments("error bar", ends[0], ends[1], label=label)
        if not score.larger_is_better:
            yield Lines("zero", np.array([[x[0], 0.0], [x[-1], 0.0]]))

    def facts(self) -> dict[str, Fact]:
        """What is left at the end of the curve."""
        score, (training, _, test, _) = self.folding.score, self.means
        last = f"with {self.sizes[-1]} samples"
        found = {}
        for name, mean in (("training", training), ("test", test)):
            value = float(score.shown(mean[-1:])[0])
            if np.isfinite(value):
                found[f"{name} {score.name}"] = Fact(value, score.unit, f"Mean over the repeats, {last}.")
        if len(found) == 2:
            gap = float(score.worse(score.shown(test[-1:]), score.shown(training[-1:]))[0])
            help = (
                "How much worse the test is: more samples help where it is large, a richer model where both errors are."
            )
            found["gap"] = Fact(gap, score.unit, help)
        return found | super().facts()


@dataclass(frozen=True)
class LearningCurve(ScoredStudy):
    """Training and test error over the number of training samples: would more samples help?"""

    id = "learning-curve"
    label = "learning curve"
    help = "training and test error over the number of training samples: whether more of them would help"

    sizes: int = integer(10, soft=(3, 20), valid=(2, 100), help="how many numbers of training samples are tried")
    repeats: int = integer(20, soft=(2, 50), valid=(1, 1000), help="how often the samples are drawn")
    share: float = real(
        0.3,
        soft=(0.1, 0.9),
        valid=(0.01, 0.99),
        help="how much is judged each time; where samples are held out in the scene, these are",
    )
    stratified: bool = flag(True, help="each class has as equal a share as whole samples allow")

    def steps(self, question: Question) -> Iterator[Result]:
        """Yield the curve as far as it is known: from few samples to many, one repeat after the other."""
        folding, sizes = self.growing(question)
        shape = self.repeats, len(sizes)
        result_of = partial(LearningCurveResult, sizes=sizes)
        yield from results_in_folds(
            result_of, question, [question.pipeline], folding, lambda losses: losses.reshape(shape).T
        )

    def growing(self, question: Question) -> tuple[Folding, Labels]:
        """The folds, for each repeat all numbers of training samples (s,), each set within the next."""
        score, rng = score_for(question.pipeline, question.y, self.score), np.random.default_rng(question.seed)
        if question.test is not None and len(question.test.X):
            whole = with_held_out(question, score)
            folds, told = list(whole.folds) * self.repeats, f"{whole.told}, {self.repeats} times"
        else:
            X, y, weights = with_weight(question)
            try:
                folds = monte_carlo(X, y, rng, self.share, self.repeats, self.stratified)
            except ValueError as error:
                raise CannotFit(str(error)) from None
            told = f"{len(folds[0][1])} samples held out, {self.repeats} times"
            whole = Folding(X, y, weights, folds, score, told)
        most = min(len(training) for training, _ in folds)
        target = whole.y if whole.y is not None and whole.y.dtype.kind != "f" else None
        classes = 1 if target is None else len(np.unique(target))
        least = max(2 * classes, round(_FEWEST * most), 2)
        if least >= most:
            raise CannotFit(f"There are {most} samples to learn from, too few for a curve.")
        sizes = np.unique(np.geomspace(least, most, self.sizes).round().astype(np.intp))
        seeds = rng.integers(2**63, size=len(folds)).tolist()
        grown: list[Fold] = []
        for (training, test), seed in zip(folds, seeds, strict=True):
            named = None if target is None else target[training]
            order = training[_one_after_the_other(whole.X[training], named, seed)]
            grown += [(order[:size], test) for size in sizes.tolist()]
        return replace(whole, folds=grown, told=told), sizes


def _one_after_the_other(X: Array, y: AnyArray | None, seed: int) -> Labels:
    """The samples in a random order, whatever the order of the rows, in whose parts classes have equal shares.

    One sample of each class comes first, so that all of them are always there.
    """
    codes = np.zeros(len(X), dtype=np.intp) if y is None else np.unique(y, return_inverse=True)[1]
    drawn = random_numbers(np.column_stack((codes, X)), seed)
    order = np.lexsort((drawn, codes))
    counts = np.bincount(codes)
    number = np.arange(len(X)) - np.repeat(np.cumsum(counts) - counts, counts)
    share = (number + 0.5) / counts[codes[order]]
    return np.asarray(order[np.lexsort((drawn[order], np.where(number == 0, 0.0, share)))])
