"""What a comparison of two methods has found: tests, intervals, and the samples on which they differ."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlviz.draw.facts import Fact
from mlviz.draw.marks import Lines, Mark, Points, Segments
from mlviz.draw.numbers import number
from mlviz.draw.plot import Plot
from mlviz.numerics.arrays import Array, Rows
from mlviz.numerics.scoring.paired import PairedTest, corrected_resampled_t, five_by_two_f, five_by_two_t, mcnemar
from mlviz.studies.count_table import count_table
from mlviz.studies.question import Result, Table
from mlviz.studies.validation.base import Folding
from mlviz.studies.validation.losses import ERROR, RMSE

_TESTS = {
    "McNemar": "On the samples that only one of the two has right.",
    "5x2cv t": "Dietterich's t test on five two-fold cross-validations; its estimate is the first fold's difference.",
    "5x2cv F": "Alpaydin's F test on the same folds.",
    "Nadeau-Bengio": "The corrected resampled t test on hold-outs, whose training sets overlap.",
}


class Plan(NamedTuple):
    """How many of the folds, from the first on, are for predictions, and how many after these for 5x2cv."""

    predicted: int
    halves: int


@dataclass(frozen=True, eq=False, kw_only=True)
class PairedResult(Result):
    """The test losses (2, f) of two methods in f folds, and which samples (2, n) each has right: 1, 0, NaN unknown."""

    folding: Folding
    plan: Plan
    names: tuple[str, str]
    losses: Array
    right: Array
    said: NDArray[np.object_]
    """(2, n) what each predicts for the samples; None where it is not known."""

    @cached_property
    def tests(self) -> dict[str, PairedTest]:
        """The tests whose folds are known; differences are above 0 where the first method is better."""
        found, (judged, halves) = dict[str, PairedTest](), self.plan
        known = np.isfinite(self.right).all(axis=0)
        if self.folding.score is ERROR and known.any():
            first, second = self.right[:, known] == 1
            found["McNemar"] = mcnemar(first, second)
        gaps = self.losses[1] - self.losses[0]
        pairs = gaps[judged : judged + halves]
        if len(pairs) and np.isfinite(pairs).all():
            found["5x2cv t"], found["5x2cv F"] = (test(pairs.reshape(-1, 2)) for test in (five_by_two_t, five_by_two_f))
        resampled = gaps[judged + halves :]
        resampled = resampled[np.isfinite(resampled)]
        if len(resampled) > 1:
            training, test = self.folding.folds[-1]
            found["Nadeau-Bengio"] = corrected_resampled_t(resampled, len(training), len(test))
        return found

    @property
    def only_right(self) -> tuple[Rows, Rows]:
        """The samples that the first method alone has right, and the second alone."""
        if self.folding.score is not ERROR:
            return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp)
        first, second = self.right
        return np.flatnonzero((first == 1) & (second == 0)), np.flatnonzero((first == 0) & (second == 1))

    def table(self) -> Table:
        """The samples on which both differ; where there are no classes, the tests."""
        if self.folding.score is not ERROR:
            return self._of_tests()
        samples = np.sort(np.concatenate(self.only_right))
        y, name = self.folding.y, self.question.names.of_class
        assert y is not None
        first = np.isin(samples, self.only_right[0])
        columns: dict[str, Any] = {"point": [row + 1 for row in self._rows(samples).tolist()]}
        columns["class"] = [name(code) for code in y[samples].tolist()]
        for method, said in zip(self.names, self.said, strict=True):
            columns[f"{method} says"] = [name(code) for code in said[samples].tolist()]
        columns["right"] = [self.names[0] if one else self.names[1] for one in first.tolist()]
        return Table.from_columns(columns)

    def _of_tests(self) -> Table:
        tests = self.tests
        return Table.of(
            test=list(tests),
            difference=[one.difference for one in tests.values()],
            low=[one.low for one in tests.values()],
            high=[one.high for one in tests.values()],
            statistic=[one.statistic for one in tests.values()],
            p=[one.p_value for one in tests.values()],
        )

    def plots(self) -> tuple[Plot, ...]:
        """The intervals of the differences, and how many samples both have right."""
        tests = {name: one for name, one in self.tests.items() if np.isfinite(one.low + one.high)}
        plots = [self._intervals(tests)]
        if self.folding.score is ERROR and np.isfinite(self.right).all(axis=0).any():
            plots.append(self._counts())
        return tuple(plots)

    def _intervals(self, tests: dict[str, PairedTest]) -> Plot:
        y = np.arange(float(len(tests)))[::-1]
        low, middle, high = (
            np.array([getattr(one, name) for one in tests.values()]) for name in ("low", "difference", "high")
        )
        marks: tuple[Mark, ...] = (Lines("zero", np.array([[0.0, -0.5], [0.0, max(len(tests), 1) - 0.5]])),)
        if len(tests):
            marks += (
                Segments("curve", np.column_stack((low, y)), np.column_stack((high, y)), label="95 % interval"),
                Points("now", np.column_stack((middle, y)), label=f"above 0: {self.names[0]} is better"),
            )
        far = 1.15 * float(np.abs([low, high]).max()) if len(tests) else 1.0
        limits = -(far or 1.0), far or 1.0, -0.5, max(len(tests), 1) - 0.5
        what = {ERROR: "accuracy", RMSE: "mean squared error"}.get(self.folding.score, self.folding.score.name)
        ticks = tuple((place, name.partition("-")[0]) for place, name in zip(y.tolist(), tests, strict=True))
        label = f"difference in {what}"
        return Plot("paired-comparison", "Difference of two methods", label, "test", marks, limits, y_ticks=ticks)

    def _counts(self) -> Plot:
        """How many samples both, one or none has right; a cell shows its samples when it is clicked."""
        known, counts, cells = np.isfinite(self.right).all(axis=0), np.zeros((2, 2)), list[tuple[str, Rows]]()
        for i, j in np.ndindex(2, 2):
            samples = np.flatnonzero(known & (self.right[0] == 1 - i) & (self.right[1] == 1 - j))
            who = {(0, 0): "both are right", (1, 1): "both are wrong"}.get((i, j))
            told = who or f"only {self.names[i]} is right"
            counts[i, j] = len(samples)
            cells.append((f"{told}: {len(samples)}", self._rows(samples)))
        shades = (128 + 60 * (counts / max(counts.sum(), 1))).astype(np.uint8)
        words = [str(count) for count in counts.astype(int).ravel().tolist()]
        axes, names = (self.names[1], self.names[0]), (("right", "wrong"), ("right", "wrong"))
        return count_table("paired-comparison counts", "Right and wrong", axes, names, counts, shades, words, cells)

    def _rows(self, samples: Rows) -> Rows:
        """The rows of samples in the data set."""
        question = self.question
        weights, n = question.sample_weight, len(question.X)
        own = np.arange(n) if question.rows is None else question.rows
        places = own if weights is None else own[weights > 0]
        test = question.test
        if test is not None and test.rows is not None:
            places = np.append(places, test.rows)
        return places[samples]

    def facts(self) -> dict[str, Fact]:
        """Both errors and what the tests say."""
        score, found = self.folding.score, dict[str, Fact]()
        for whose, name, losses in zip(("", "rival's "), self.names, self.losses, strict=True):
            known = losses[: self.plan.predicted][np.isfinite(losses[: self.plan.predicted])]
            if len(known):
                mean = float(score.shown(known.mean(keepdims=True))[0])
                help = f"Of {name}: mean over the folds of the predictions."
                found[f"{whose}test {score.name}"] = Fact(mean, score.unit, help)
        for name, test in self.tests.items():
            if np.isfinite(test.p_value):
                help = f"{_TESTS[name]} The probability of such a difference, or a larger one, if there were none."
                found[f"p by {name}"] = Fact(test.p_value, help=help)
            if np.isfinite(test.low + test.high):
                told = f"{number(test.difference)} ({number(test.low)} to {number(test.high)})"
                help = f"95 % interval; above 0 {self.names[0]} is better."
                found[f"difference by {name}"] = Fact(told, help=help, level="more")
        return found | self.folding.facts(self.question.seed)
