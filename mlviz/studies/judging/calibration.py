"""Whether probabilities come true: how often samples are of a class that is predicted with some probability."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.draw.facts import Fact
from mlviz.draw.marks import Lines, Mark, Points, Segments
from mlviz.draw.numbers import counted, format_number
from mlviz.draw.plot import Area, Handle, Plot
from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.scoring.probabilities import Calibration, calibration
from mlviz.pipeline.model import PipelineModel
from mlviz.spec import choice, integer
from mlviz.studies.judging.base import JudgingStudy
from mlviz.studies.judging.threshold import PLACES, UNIT_SQUARE, ThresholdResult, rounded
from mlviz.studies.question import Question, Table

_SIZES = (0.6, 2.4)
"""How small and how large the points are, by their number of samples."""


@dataclass(frozen=True, eq=False, kw_only=True)
class CalibrationResult(ThresholdResult):
    """Bins of probabilities and what came true in each, of the second of two classes or of each of several."""

    @cached_property
    def bins(self) -> dict[Any, Calibration]:
        """Those of each class."""
        return {code: self._bins_of(code) for code in self.scored.told_classes}

    def table(self) -> Table:
        """A row for each bin that is not empty."""
        columns: dict[str, list[Any]] = {} if self.scored.binary else {"class": []}
        names = ("from", "to", "predicted", "observed", "low", "high", "samples")
        columns |= {name: [] for name in names}
        for code, found in self.bins.items():
            filled = found.count > 0
            ends = found.edges[:-1], found.edges[1:]
            values = (*ends, found.predicted, found.observed, found.low, found.high, found.count)
            for name, column in zip(names, values, strict=True):
                columns[name] += column[filled].tolist()
            if not self.scored.binary:
                columns["class"] += [self.name(code)] * int(filled.sum())
        return Table.from_columns(columns)

    def plots(self) -> tuple[Plot, ...]:
        """What was observed over what was predicted, larger for more samples; for two classes with intervals."""
        marks: list[Mark] = [Lines("reference", np.array([(0.0, 0.0), (1.0, 1.0)]), label="as predicted")]
        handles: tuple[Handle, ...] = ()
        areas: tuple[Area, ...] = ()
        if self.scored.binary:
            found = self.bins[self.positive]
            filled = found.count > 0
            x, ends = found.predicted[filled], (found.low[filled], found.high[filled])
            bars = [np.column_stack((x, end)) for end in ends]
            marks.append(Segments("residual", *bars, label="95 % interval of the share"))
            marks += self._line("curve", found, "observed share")
            marks.append(self.upright(self.share, UNIT_SQUARE[3]))
            areas, handles = self._areas(found), (self._slider(),)
        else:
            for code, found in self.bins.items():
                marks += self._line(f"class {code}", found, self.against(code))
        of = f" of {self.name(self.positive)}" if self.scored.binary else ""
        x_label = self.axis(f"predicted probability{of}")
        axes = x_label, "observed share"
        return (Plot("calibration", "Calibration", *axes, tuple(marks), UNIT_SQUARE, handles=handles, areas=areas),)

    def told(self) -> dict[str, Fact]:
        """How far the probabilities are from what came true."""
        error = float(np.mean([found.expected_error for found in self.bins.values()]))
        whose = "" if self.scored.binary else ", on average over the classes"
        return {
            **self.threshold_facts(),
            "calibration error": Fact(
                error, "", f"The mean distance of the points from the diagonal, by their samples{whose}."
            ),
            **self.loss_facts(),
        }

    def _probability(self, code: Any) -> Array:
        probabilities = self.scored.probabilities
        assert probabilities is not None  # the study refuses others
        return probabilities[:, int(np.searchsorted(self.scored.classes, code))]

    def _bins_of(self, code: Any) -> Calibration:
        scored, bins, strategy = self.scored, self.study.bins, self.study.strategy
        return scored.once(
            ("calibration", code, bins, strategy),
            lambda: calibration(
                scored.positive(code), self._probability(code), bins, _STRATEGIES[strategy], scored.weights
            ),
        )

    def _line(self, role: str, found: Calibration, label: str) -> tuple[Mark, ...]:
        filled = found.count > 0
        places = np.column_stack((found.predicted, found.observed))[filled]
        size = np.clip(np.sqrt(found.count[filled] / found.count[filled].mean()), *_SIZES)
        return Lines(role, places, label=label), Points(
            "bin" if role == "curve" else role.replace("class", "dot"), places, size
        )

    def _slider(self) -> Handle:
        places = rounded(np.linspace(0.0, 1.0, PLACES)[1:-1])
        if self.scored.unit != "log odds":
            return self.slider(places, places, self.share)
        values = rounded(np.log(places) - np.log1p(-places))
        return self.slider(1 / (1 + np.exp(-values)), values, self.share)

    def _areas(self, found: Calibration) -> tuple[Area, ...]:
        scored, name = self.scored, self.name(self.positive)
        samples: list[Labels] = scored.once(
            ("bins", self.study.bins, self.study.strategy),
            lambda: scored.samples_of_bins(found.edges, self._probability(self.positive), "right"),
        )
        edges = found.edges.tolist()
        return tuple(
            Area(
                (low, high, 0.0, 1.0),
                f"{format_number(low, 3)} to {format_number(high, 3)}: {counted(len(inside), 'sample')}, of which "
                f"{format_number(100 * share, 3)} % are {name}",
                self.rows[inside],
            )
            for low, high, share, inside in zip(edges[:-1], edges[1:], found.observed.tolist(), samples, strict=True)
            if len(inside)
        )


_STRATEGIES: dict[str, Any] = {"equal width": "uniform", "equal numbers": "quantile"}


@dataclass(frozen=True)
class CalibrationCurve(JudgingStudy):
    """Whether probabilities come true: of the samples for which a class has a probability of 0.8, 80 % should be of
    that class. Points below the diagonal tell of too much confidence where the probability is high.
    """

    id = "calibration"
    label = "calibration curve"
    help = "whether probabilities come true: of the samples with a probability of 0.8, 80 % should be of the class"
    answer = CalibrationResult
    bins: int = integer(10, soft=(3, 30), valid=(1, 1000), help="how many groups the samples are put into")
    strategy: str = choice(
        *_STRATEGIES,
        help="whether the groups have equal widths, or equal numbers of samples",
        label="groups",
    )

    def check(self, model: PipelineModel, question: Question) -> None:
        """Raise `CannotFit` where the method gives no probabilities."""
        super().check(model, question)
        if model.rating.probabilities is None:
            name = question.pipeline.algorithm.label
            raise CannotFit(f"{name} gives scores and no probabilities, so there is nothing to calibrate.")
