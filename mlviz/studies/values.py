"""One hyperparameter and the values of it over which a study goes, in its own scale, and their place on an axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mlviz.algorithms.base import Algorithm, CannotFit
from mlviz.draw.numbers import number
from mlviz.draw.plot import Handle
from mlviz.numerics.arrays import Array
from mlviz.pipeline.pipeline import Pipeline
from mlviz.spec import BadValue, Parameter, text
from mlviz.spec.brief import Brief
from mlviz.spec.outside import quoted
from mlviz.spec.scale import Scale

_HANDLE_PLACES = 101
NUMBERS = ("real", "integer")
VARIED = (*NUMBERS, "choice", "flag")
"""The kinds of hyperparameters that can be varied."""


def main_parameter(algorithm: Algorithm) -> str | None:
    """The hyperparameter that the Up and Down keys move: the method's own, or the first number that matters."""
    there = [p for p in algorithm.parameters() if algorithm.matters(p)]
    numbers = [p.name for p in there if p.kind in NUMBERS]
    return next((p.name for p in there if p.name == algorithm.main), numbers[0] if numbers else None)


def names_of(algorithm: Algorithm, kinds: Sequence[str] = VARIED) -> tuple[str, ...]:
    """What the hyperparameters of some kinds are called that matter now, the main one first."""
    there = [p for p in algorithm.parameters() if p.kind in kinds and algorithm.matters(p)]
    main = main_parameter(algorithm)
    return tuple(p.label for p in sorted(there, key=lambda p: p.name != main))


def parameter_name() -> Any:
    """Declare the setting that names the hyperparameter."""
    return text(
        "",
        grammar=lambda words: None,
        numbers=lambda words: (),
        help="the hyperparameter that is varied, by its name; empty for the method's main one",
        label="hyperparameter",
    )


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


def end_of_values(which: str) -> Any:
    """Declare the setting that says where the values end."""
    return text(
        "",
        grammar=number_or_nothing,
        numbers=lambda words: (),
        help=f"the {which} value; empty for that of its slider",
        empty=f"{which} of the slider",
    )


def parameter_of(algorithm: Algorithm, name: str, kinds: Sequence[str] = VARIED) -> Parameter:
    """The hyperparameter of that name, the method's main one for ""; raises `CannotFit` where it can't be varied."""
    known = [p for p in algorithm.parameters() if p.kind in kinds]
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
        decides, values = algorithm.parameter(parameter.when[0]), parameter.when[1]
        told = " or ".join(decides.shown(value) if isinstance(value, str) else str(value) for value in values)
        raise CannotFit(f"{parameter.label} makes no difference now: it matters only where {decides.label} is {told}.")
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
class Tried(Brief):
    """A hyperparameter, numbers or not, and the values of it that are tried."""

    parameter: Parameter
    values: tuple[Any, ...]

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
        # Of whole numbers that are not many more, all.
        if parameter.kind == "integer" and last - first < 2 * count:
            count = int(last - first) + 1
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
    def name(self) -> str:
        """What it is called where it is set."""
        return self.parameter.name

    def of(self, pipeline: Pipeline, value: Any) -> Pipeline:
        """The pipeline with that value."""
        return pipeline.replace(algorithm=pipeline.algorithm.replace(**{self.name: value}))

    def now(self, pipeline: Pipeline) -> Any:
        """The pipeline's own value."""
        return getattr(pipeline.algorithm, self.name)

    def nearest(self, pipeline: Pipeline) -> int:
        """Which of the values, numbers, is nearest to the pipeline's own."""
        here = self._spread(np.array(float(self.now(pipeline))))
        return int(np.argmin(np.abs(self._spread(self.places) - here)))

    @property
    def path(self) -> str:
        """Where in a panel its value stands."""
        return f"algorithm.{self.name}"

    @property
    def numeric(self) -> bool:
        """Whether its values are numbers."""
        return self.parameter.kind in NUMBERS

    @property
    def log(self) -> bool:
        """Whether they are spread by their logarithms."""
        return self.numeric and self.parameter.log

    def _spread(self, values: Array) -> Array:
        """Numbers as they are spread: their logarithms, or themselves."""
        return np.log(np.maximum(values, 1e-300)) if self.log else values

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
        places, here = self._spread(self.places), self._spread(np.array([float(value)]))
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
        if not self.numeric:
            return None
        scale, here = Scale(self.parameter), self.now(pipeline)
        ticks = np.unique(np.linspace(0, scale.ticks, _HANDLE_PLACES).round().astype(int))
        values = np.array([float(scale.value(tick)) for tick in ticks.tolist()])
        at = int(np.searchsorted(values, float(here)))
        if at == len(values) or values[at] != here:
            values = np.insert(values, at, float(here))
        points = np.column_stack((values, np.zeros(len(values))))
        return Handle(self.path, points, values, at, self.parameter.label, "upright")
