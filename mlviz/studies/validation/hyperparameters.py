"""Values of one hyperparameter to be tried, in its own scale, and its place on an axis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mlviz.algorithms.base import Algorithm, CannotFit
from mlviz.draw.numbers import number
from mlviz.draw.plot import Handle
from mlviz.numerics.arrays import Array
from mlviz.pipeline.pipeline import Pipeline
from mlviz.spec import BadValue, Parameter, text
from mlviz.spec.outside import quoted
from mlviz.studies.values import Axis, main_parameter


def number_or_nothing(text: str) -> float | None:
    """The number that a text says, None for an empty one; raises `BadValue` for any other."""
    if not text.strip():
        return None
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if not np.isfinite(value):
        raise BadValue(f"{quoted(text)} is no number: write one, or leave it empty for the end of the slider")
    return value


VARIED = ("real", "integer", "choice", "flag")
"""The kinds of hyperparameters that can be varied."""


def end_of_values(which: str) -> Any:
    """Declare the setting that says where the values end."""
    return text(
        "",
        grammar=number_or_nothing,
        numbers=lambda words: (),
        help=f"the {which} value; empty for that of its slider",
    )


def parameter_of(algorithm: Algorithm, name: str) -> Parameter:
    """The hyperparameter of that name, the method's main one for ""; raises `CannotFit` where it can't be varied."""
    known = [p for p in algorithm.parameters() if p.kind in VARIED]
    if not known:
        raise CannotFit(f"{algorithm.label} has no hyperparameter that could be varied.")
    wanted = name.strip() or main_parameter(algorithm) or known[0].key
    parameter = next((p for p in known if wanted in (p.key, p.name, p.label)), None)
    if parameter is None:
        told = ", ".join(p.key for p in known)
        raise CannotFit(
            f"{algorithm.label} has no hyperparameter {quoted(wanted)} that could be varied: name one of {told}."
        )
    if not algorithm.matters(parameter):
        assert parameter.when is not None
        raise CannotFit(
            f"{parameter.label} makes no difference now: it matters only where {parameter.when[0].rstrip('_')} is "
            f"{' or '.join(str(value) for value in parameter.when[1])}."
        )
    return parameter


def at_default(pipeline: Pipeline, *names: str) -> Pipeline:
    """The pipeline with these hyperparameters at their defaults, as far as there are such."""
    algorithm = pipeline.algorithm
    for name in names:
        try:
            parameter = parameter_of(algorithm, name)
        except CannotFit:
            continue
        algorithm = algorithm.replace(**{parameter.name: parameter.default})
    return pipeline.replace(algorithm=algorithm)


@dataclass(frozen=True, eq=False)
class Tried(Axis):
    """A hyperparameter, numbers or not, and the values of it that are tried."""

    @classmethod
    def over(cls, parameter: Parameter, count: int, low: str = "", high: str = "") -> Tried:
        """So many values over the range of the slider, or between other ends; each once, and only what is allowed."""
        if parameter.kind == "choice":
            return cls(parameter, parameter.options)
        if parameter.kind == "flag":
            return cls(parameter, (False, True))
        ends = (number_or_nothing(low), number_or_nothing(high))
        first, last = (soft if end is None else end for soft, end in zip(parameter.soft, ends, strict=True))
        if not first < last:
            raise CannotFit(
                f"The values of {parameter.label} go from {number(first)} to {number(last)}: none lie between."
            )
        if parameter.log and first <= 0:
            raise CannotFit(f"The values of {parameter.label} are spread by their logarithms: begin above 0.")
        spread = np.geomspace(first, last, count) if parameter.log else np.linspace(first, last, count)
        # Numbers as a person would write them; the ends as they are.
        inner = [float(np.format_float_scientific(value, precision=2)) for value in spread.tolist()]
        if parameter.kind == "integer":
            inner = [float(round(value)) for value in spread.tolist()]
        allowed = list[Any]()
        for value in inner:
            try:
                checked = parameter.check(int(value) if parameter.kind == "integer" else value)
            except BadValue:
                continue
            if checked not in allowed:
                allowed.append(checked)
        if len(allowed) < 2:
            raise CannotFit(
                f"Fewer than two values of {parameter.label} lie there: {parameter.key} is {parameter.range_text()}."
            )
        return cls(parameter, tuple(allowed))

    @property
    def path(self) -> str:
        """Where in a panel its value stands."""
        return f"algorithm.{self.name}"

    @property
    def numeric(self) -> bool:
        """Whether its values are numbers."""
        return self.parameter.kind in ("real", "integer")

    @property
    def log(self) -> bool:
        """Whether they are spread by their logarithms."""
        return self.numeric and self.parameter.log

    @property
    def places(self) -> Array:
        """Where each value stands on an axis, (v,): at itself, or by its number."""
        return np.array(self.values, dtype=np.float64) if self.numeric else np.arange(float(len(self.values)))

    @property
    def ticks(self) -> tuple[tuple[float, str], ...] | None:
        """Places and words where the values are no numbers."""
        return None if self.numeric else tuple((float(i), self.word(value)) for i, value in enumerate(self.values))

    @property
    def whole(self) -> bool:
        """Whether they are whole numbers."""
        return self.parameter.kind == "integer"

    def word(self, value: Any) -> str:
        """A value as it is written."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        return number(value) if self.numeric else str(value)

    def cell(self, value: Any) -> Any:
        """A value in a table."""
        return value if self.numeric else self.word(value)

    def index_of(self, value: Any) -> float | None:
        """The place of a value among those that are tried, between two of them or not; None where it has none."""
        if not self.numeric:
            return self.place_of(value)
        places, here = self.places, np.array([float(value)])
        if self.log:
            places, here = np.log(places), np.log(np.maximum(here, 1e-300))
        inside = places[0] <= here[0] <= places[-1]
        return float(np.interp(here, places, np.arange(float(len(places))))[0]) if inside else None

    def told(self, value: Any) -> str:
        """The hyperparameter and a value of it."""
        return f"{self.parameter.label} = {self.word(value)}"

    def pipelines(self, pipeline: Pipeline) -> list[Pipeline]:
        """The pipeline with each of the values."""
        return [self.of(pipeline, value) for value in self.values]

    def place_of(self, value: Any) -> float | None:
        """Where a value stands; None where it is none of those that are no numbers."""
        if self.numeric:
            return float(value)
        return float(self.values.index(value)) if value in self.values else None

    def span(self, also: float | None = None) -> tuple[float, float]:
        """The ends of an axis that shows all values, and the place of another one."""
        places = self.places if also is None else np.append(self.places, also)
        if not self.numeric:
            return -0.5, len(self.values) - 0.5
        low, high = float(places.min()), float(places.max())
        if self.log:
            room = (high / low) ** 0.03
            return low / room, high * room
        room = 0.03 * (high - low)
        return low - room, high + room

    def grip(self, pipeline: Pipeline) -> Handle | None:
        """The present value as a line that can be moved along the axis; None where values are no numbers."""
        return self.handle(pipeline, 0.0) if self.numeric else None
