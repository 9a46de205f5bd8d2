"""How much better a method looks on the samples that it has learned from than on others, over many draws of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.draw.facts import Fact
from mlviz.draw.marks import Lines, Mark, Polygons
from mlviz.draw.numbers import number
from mlviz.draw.overlays.charts import rectangles
from mlviz.draw.plot import Plot
from mlviz.numerics.arrays import Array
from mlviz.numerics.scoring.choice import mean_and_error
from mlviz.numerics.scoring.folds import bootstrap, monte_carlo
from mlviz.spec import choice, flag, integer, real
from mlviz.studies.question import Question, Result, Table
from mlviz.studies.validation.base import Folding, ScoredStudy, with_weight
from mlviz.studies.validation.losses import score_for
from mlviz.studies.validation.results import FoldsResult, results_in_folds

_BINS = 20
_INKS = ("bar 0", "bar 1")


@dataclass(frozen=True, eq=False, kw_only=True)
class OptimismResult(FoldsResult):
    """The losses (r,) of r draws, NaN where they are not known."""

    @property
    def shown(self) -> tuple[Array, Array, Array]:
        """Training and test errors and their differences (m,), as far as they are known."""
        known = np.isfinite(self.training) & np.isfinite(self.test)
        training, test = (self.folding.score.shown(losses[known]) for losses in (self.training, self.test))
        return training, test, self.folding.score.worse(test, training)

    def table(self) -> Table:
        """A row for each draw."""
        score, (training, test, gap) = self.folding.score, self.shown
        columns = {f"training {score.name}": training, f"test {score.name}": test, "difference": gap}
        return Table.from_columns({"draw": np.arange(1, len(gap) + 1), **columns})

    def plots(self) -> tuple[Plot, ...]:
        """Histograms of both errors, and of their difference."""
        training, test, gap = self.shown
        what = self.folding.score.axis_label
        both = _histogram({"training samples": training, "test samples": test})
        apart = _histogram({"how much worse the test is": gap})
        return (
            Plot("optimism", "Training and test error", what, "draws", both),
            Plot("optimism difference", "Optimism", f"{what}: how much worse the test is", "draws", apart),
        )

    def facts(self) -> dict[str, Fact]:
        """The means."""
        score, found = self.folding.score, dict[str, Fact]()
        training, test, gap = self.shown
        if len(gap):
            help = "On the samples learned from."
            found[f"mean training {score.name}"] = Fact(float(training.mean()), score.unit, help)
            found[f"mean test {score.name}"] = Fact(float(test.mean()), score.unit, "On the others.")
            help = "By how much the training error is too optimistic: the difference of both means."
            found["mean optimism"] = Fact(float(gap.mean()), score.unit, help)
            error = float(mean_and_error(gap[None])[1][0])
            if np.isfinite(error):
                help = "As if the draws were independent."
                found["its standard error"] = Fact(error, score.unit, help)
        endless = int((np.isinf(self.training) | np.isinf(self.test)).sum())
        if endless:
            help = "In these the density at some test sample is 0, for instance; the means are those of the others."
            found["draws of infinite loss"] = Fact(endless, help=help)
        return found | super().facts()


def _histogram(values: dict[str, Array]) -> tuple[Mark, ...]:
    """Bars that count the values of each name, side by side in common bins, and a line at each mean."""
    known = np.concatenate(list(values.values()))
    if not len(known):
        return ()
    low, high = float(known.min()), float(known.max())
    if high - low <= 1e-9 * max(abs(low), abs(high), 1e-9):
        low, high = low - 0.5 * (abs(low) or 1.0), high + 0.5 * (abs(high) or 1.0)
    edges = np.linspace(low, high, _BINS + 1)
    width = 0.9 * (edges[1] - edges[0]) / len(values)
    bars, lines = list[Mark](), list[Mark]()
    top = 0.0
    for k, (name, numbers) in enumerate(values.items()):
        counts = np.histogram(numbers, edges)[0].astype(np.float64)
        left = edges[:-1] + 0.05 * (edges[1] - edges[0]) + k * width
        filled = counts > 0
        label = name if len(values) > 1 else ""
        bars.append(Polygons(_INKS[k], rectangles(left[filled], (left + width)[filled], counts[filled]), label=label))
        top = max(top, float(counts.max()))
    for (name, numbers), role in zip(values.items(), ("path", "curve")[-len(values) :], strict=True):
        mean = float(numbers.mean())
        told = f"mean {number(mean)}" if len(values) == 1 else f"mean of {name}: {number(mean)}"
        lines.append(Lines(role, np.array([[mean, 0.0], [mean, 1.05 * top]]), label=told))
    return (*bars, *lines)


@dataclass(frozen=True)
class Optimism(ScoredStudy):
    """Training and test error over many draws of the training samples (B. Efron, JASA 78 (1983), 316-331)."""

    id = "optimism"
    label = "optimism"
    help = "by how much the training error is too optimistic: training and test error over many draws of the samples"

    draw: str = choice(
        "hold-out",
        "bootstrap",
        help="hold-out: a share of the samples is judged; bootstrap: as many as there are, drawn with replacement, are "
        "learned from, and those that were not drawn are judged",
    )
    repeats: int = integer(100, soft=(10, 300), valid=(2, 5000), help="how often the samples are drawn")
    share: float = real(
        0.3, soft=(0.1, 0.9), valid=(0.01, 0.99), help="how much is judged each time", when=("draw", ("hold-out",))
    )
    stratified: bool = flag(
        True, help="each class has as equal a share as whole samples allow", when=("draw", ("hold-out",))
    )

    def steps(self, question: Question) -> Iterator[Result]:
        """Yield the histograms as they fill."""
        score, rng = score_for(question.pipeline, question.y, self.score), np.random.default_rng(question.seed)
        X, y, weights = with_weight(question)
        try:
            if self.draw == "bootstrap":
                folds = bootstrap(X, y, rng, self.repeats)
                told = f"{len(X)} samples drawn with replacement, {self.repeats} times"
            else:
                folds = monte_carlo(X, y, rng, self.share, self.repeats, self.stratified)
                told = f"{len(folds[0][1])} samples held out, {self.repeats} times"
        except ValueError as error:
            raise CannotFit(str(error)) from None
        folding = Folding(X, y, weights, folds, score, told)
        yield from results_in_folds(OptimismResult, question, [question.pipeline], folding, np.ravel)
