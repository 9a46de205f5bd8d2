"""How the scores of the classes are spread, and where the threshold parts them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.draw.facts import Fact
from mlviz.draw.marks import Lines, Mark, Polygons
from mlviz.draw.numbers import format_number
from mlviz.draw.overlays.charts import rectangles
from mlviz.draw.plot import Area, Handle, Plot
from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.scoring.probabilities import ScoreHistogram, score_histogram
from mlviz.numerics.scoring.shares import weights_of
from mlviz.spec import integer
from mlviz.studies.judging.base import JudgingStudy
from mlviz.studies.judging.threshold import PLACES, ThresholdResult, rounded
from mlviz.studies.question import Table


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoreHistogramResult(ThresholdResult):
    """How many samples of each class have which score; of several classes, by how much their own one leads."""

    @cached_property
    def values(self) -> Array:
        """(q,) what is counted; infinite where the method does not know a sample's class."""
        scored = self.scored
        return scored.scores if scored.binary else scored.once(("lead",), self._leads)

    @cached_property
    def histogram(self) -> ScoreHistogram:
        """The counts."""
        scored, bins = self.scored, self.study.bins
        of_probability = scored.binary and scored.unit == "probability"
        edges = np.linspace(0.0, 1.0, bins + 1) if of_probability else bins
        return scored.once(
            ("histogram", bins),
            lambda: score_histogram(scored.y, self.values, scored.all_classes, edges, scored.weights),
        )

    def table(self) -> Table:
        """A row for each bin: its ends, and how many samples of each class there are."""
        found = self.histogram
        counts = {
            self.name(code): row for code, row in zip(self.scored.all_classes.tolist(), found.counts, strict=True)
        }
        return Table.from_columns({"from": found.edges[:-1], "to": found.edges[1:], **counts})

    def plots(self) -> tuple[Plot, ...]:
        """Bars in the colours of the classes, over each other for two of them, else one on top of the other."""
        scored, found = self.scored, self.histogram
        total = found.counts.sum(axis=0)
        top = 1.08 * float(found.counts.max() if scored.binary else total.max()) or 1.0
        low, high = found.edges[[0, -1]].tolist()
        room = 0.02 * (high - low)
        low, high = low - room, high + room
        handles: tuple[Handle, ...] = ()
        marks = self._bars()
        if scored.binary:
            places = rounded(np.linspace(low, high, PLACES))
            low, high = min(low, float(places[0])), max(high, float(places[-1]))
            handles = (self.slider(places, places, self.threshold),)
            marks = [*self._rejected(low, high, top), *marks, self.upright(self.threshold, top)]
            what = f"{scored.unit} of {self.name(self.positive)}"
        else:
            marks.append(Lines("threshold", np.array([(0.0, 0.0), (0.0, top)])))
            what = "lead of the own class over the best other one"
        limits, areas = (low, high, 0.0, top), self._areas(top)
        return (Plot("score-histogram", "Scores", what, "samples", tuple(marks), limits, handles=handles, areas=areas),)

    def told(self) -> dict[str, Fact]:
        """The threshold, and how many samples are on its wrong side."""
        scored, predicted = self.scored, self.predicted
        weights = weights_of(scored.weights, len(scored.y))
        wrong = (predicted != scored.y) & np.isin(predicted, scored.classes)
        if not scored.binary:
            told = "Samples that are taken for another class."
            return {"wrong": Fact(_count(weights[wrong]), help=told), "of": Fact(_count(weights), help="All samples.")}
        name = self.name(self.positive)
        above, below = (wrong & one for one in (predicted == self.positive, scored.positive(self.positive)))
        return {
            **self.threshold_facts(),
            "false positives": Fact(_count(weights[above]), help=f"Samples of others that are taken for {name}."),
            "false negatives": Fact(
                _count(weights[below]), help=f"Samples of {name} that are taken for another class."
            ),
        }

    def _leads(self) -> Array:
        """By how much the score of each sample's own class is above the best of the others."""
        scored = self.scored
        scores = (scored.scores if scored.probabilities is None else scored.probabilities).copy()
        known = np.flatnonzero(np.isin(scored.y, scored.classes))
        place = np.searchsorted(scored.classes, scored.y[known])
        own, found = scores[known, place], np.full(len(scores), -np.inf)
        scores[known, place] = -np.inf
        found[known] = own - scores[known].max(axis=1)
        return found

    def _bars(self) -> list[Mark]:
        found, marks = self.histogram, list[Mark]()
        base = np.zeros(len(found.edges) - 1)
        for code, counts in zip(self.scored.all_classes.tolist(), found.counts, strict=True):
            if (there := counts > 0).any():
                bars = rectangles(found.edges[:-1][there], found.edges[1:][there], counts[there])
                below = np.column_stack((np.zeros(len(bars)), base[there]))
                raised = tuple(np.stack(bars) + below[:, None])
                marks.append(Polygons(f"class {code}", raised, label=self.short_name(code)))
            if not self.scored.binary:
                base = base + counts
        return marks

    def _rejected(self, low: float, high: float, top: float) -> list[Mark]:
        """The scores for which no class is chosen."""
        if self.rule is None or self.rule.reject_band is None:
            return []
        left, right = np.clip(self.rule.reject_band, low, high)[:, None]
        return [Polygons("no class", rectangles(left, right, np.array([top])), label="no class")]

    def _areas(self, top: float) -> tuple[Area, ...]:
        found, scored = self.histogram, self.scored
        samples: list[Labels] = scored.once(
            ("bins", self.study.bins), lambda: scored.samples_of_bins(found.edges, self.values, "left")
        )
        names = [self.name(code) for code in scored.all_classes.tolist()]
        ends = list(zip(found.edges[:-1].tolist(), found.edges[1:].tolist(), strict=True))
        return tuple(
            Area((low, high, 0.0, top), _told(low, high, names, counts), self.rows[inside])
            for (low, high), counts, inside in zip(ends, found.counts.T.tolist(), samples, strict=True)
            if any(counts)
        )


def _told(low: float, high: float, names: list[str], counts: list[float]) -> str:
    told = ", ".join(f"{name} {format_number(count)}" for name, count in zip(names, counts, strict=True) if count)
    return f"{format_number(low, 3)} to {format_number(high, 3)}: {told}"


def _count(weights: Array) -> float | int:
    total = float(weights.sum())
    return int(total) if total.is_integer() else total


@dataclass(frozen=True)
class ScoreHistograms(JudgingStudy):
    """How the scores of the classes are spread; where they overlap, errors can't be avoided by another threshold.

    The threshold can be dragged. Of several classes each sample is counted by how much its own class leads.
    """

    id = "score-histogram"
    label = "score histogram"
    help = "how the scores of the classes are spread; drag the threshold that separates them"
    answer = ScoreHistogramResult
    bins: int = integer(20, soft=(5, 60), valid=(1, 1000), help="how many bars there are")
