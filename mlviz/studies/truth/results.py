"""What is known of the source of the points, and how far a method is from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mlviz.data.generators.base import RegressionGenerator
from mlviz.data.generators.truth import ClassTruth
from mlviz.draw.facts import Fact
from mlviz.draw.marks import Mark, Polygons, Text
from mlviz.draw.numbers import number, share, typographic
from mlviz.draw.overlays.charts import rectangles
from mlviz.draw.plot import Plot
from mlviz.numerics.density.bayes import Integral
from mlviz.studies.question import Result, Table


@dataclass(frozen=True, eq=False, kw_only=True)
class ClassesResult(Result):
    """The truth about classes, the Bayes error and, where the method tells classes, its own error."""

    truth: ClassTruth
    levels: tuple[tuple[float, ...], ...]
    """Of each class's density times its share, the levels that hold the shares `_HELD`."""
    least: Integral
    own: Integral | None = None
    training: float | None = None
    """The method's error on the samples that it was fitted to."""

    def table(self) -> Table:
        """The errors and how far off they may be."""
        rows = self._rows()
        return Table(
            ("error", "share", "off by at most"),
            (tuple(rows), tuple(one.value for one in rows.values()), tuple(one.error for one in rows.values())),
        )

    def _rows(self) -> dict[str, Integral]:
        rows = {"Bayes error": self.least}
        return rows if self.own is None else rows | {"true error": self.own}

    def plots(self) -> tuple[Plot, ...]:
        """The errors side by side, with that of the training samples."""
        errors = {name.removesuffix(" error"): one.value for name, one in self._rows().items()}
        if self.training is not None:
            errors["training"] = self.training
        return (_bars("error", "error rate", errors, share),)

    def facts(self) -> dict[str, Fact]:
        """The Bayes error beside that of the method."""
        told = {"Bayes error": Fact(self.least.value, "share", "How often even the best decision is wrong.")}
        if self.own is not None:
            help = "How often the method's decision is wrong on what the source draws, worked out, not counted."
            told["true error"] = Fact(self.own.value, "share", help)
            excess = max(self.own.value - self.least.value, 0.0)
            told["above the Bayes error"] = Fact(excess, "share", "How much better learning could still gain.")
        for name, one in self._rows().items():
            help = "The largest error of the sum over the grid, as estimated from its parts."
            told[f"quadrature, {name}"] = Fact(one.error, "share", help, "solver")
        return told


@dataclass(frozen=True, eq=False, kw_only=True)
class ValuesResult(Result):
    """The true function, and how far the method is from it."""

    generator: RegressionGenerator
    distance: float | None = None
    """The root of the mean squared distance of the method's function from the true one."""

    def table(self) -> Table:
        """The errors."""
        rows = self._rows()
        return Table(("error", "root of the mean square"), (tuple(rows), tuple(rows.values())))

    def _rows(self) -> dict[str, float]:
        least, distance = self.generator.noise, self.distance
        errors = self.generator.outliers == 0  # with outliers they are not those of the noise alone
        rows = {"noise": least} if errors else {}
        if distance is not None:
            rows["distance from the true function"] = distance
            if errors:
                rows["true RMSE"] = float(np.hypot(least, distance))
        return rows

    def plots(self) -> tuple[Plot, ...]:
        """The errors side by side."""
        names = {"distance from the true function": "distance"}
        values = {names.get(name, name): value for name, value in self._rows().items()}
        return (_bars("error", "root mean square", values, number),)

    def facts(self) -> dict[str, Fact]:
        """What no fit can be better than, beside how good the method is."""
        help = {
            "noise": "Standard deviation of the values about the true function: no fit has a smaller error.",
            "distance from the true function": "Root of the mean squared distance of the fit from it, over all inputs.",
            "true RMSE": "Root of the mean squared error on what the source draws: of noise and distance together.",
        }
        return {name: Fact(value, "", help[name]) for name, value in self._rows().items()}


def _bars(x_label: str, y_label: str, values: dict[str, float], write: Callable[[float], str]) -> Plot:
    """A bar for each value, with its number upon it."""
    places, heights = np.arange(float(len(values))), np.array(list(values.values()))
    top = 1.3 * float(heights.max(initial=0.0)) or 1.0
    words = tuple(typographic(write(value)) for value in values.values())
    marks: list[Mark] = [Polygons("bar", rectangles(places - 0.35, places + 0.35, heights))] if values else []
    if values:
        marks.append(Text("label", np.column_stack((places, heights + 0.08 * top)), words, centered=True))
    ticks = tuple(zip(places.tolist(), values, strict=True))
    limits = (-0.7, max(len(values), 2) - 0.3, 0.0, top)
    return Plot("true-source", "Errors", x_label, y_label, tuple(marks), limits, x_ticks=ticks)
