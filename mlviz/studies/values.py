"""One hyperparameter and the values over which a study goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mlviz.algorithms.base import Algorithm, CannotFit
from mlviz.draw.plot import Handle
from mlviz.numerics.arrays import Array
from mlviz.pipeline.pipeline import Pipeline
from mlviz.spec import Parameter, text
from mlviz.spec.brief import Brief
from mlviz.spec.outside import quoted
from mlviz.spec.scale import Scale

_HANDLE_PLACES = 101


def main_parameter(algorithm: Algorithm) -> str | None:
    """The hyperparameter that the Up and Down keys move: the method's own, or the first number that matters."""
    there = [p for p in algorithm.parameters() if algorithm.matters(p)]
    numbers = [p.name for p in there if p.kind in ("integer", "real")]
    return next((p.name for p in there if p.name == algorithm.main), numbers[0] if numbers else None)


def names_of(algorithm: Algorithm, *kinds: str) -> tuple[str, ...]:
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


@dataclass(frozen=True, eq=False)
class Axis(Brief):
    """A hyperparameter, and the values of it that are tried."""

    parameter: Parameter
    values: tuple[Any, ...]

    @property
    def name(self) -> str:
        """What it is called where it is set."""
        return self.parameter.name

    @property
    def log(self) -> bool:
        """Whether its axis is logarithmic."""
        return self.parameter.log

    @property
    def numbers(self) -> Array:
        """The values as places on an axis, (v,)."""
        return np.asarray(self.values, dtype=np.float64)

    def of(self, pipeline: Pipeline, value: Any) -> Pipeline:
        """The pipeline with that value."""
        return pipeline.replace(algorithm=pipeline.algorithm.replace(**{self.name: value}))

    def now(self, pipeline: Pipeline) -> Any:
        """The pipeline's own value."""
        return getattr(pipeline.algorithm, self.name)

    def nearest(self, pipeline: Pipeline) -> int:
        """Which of the values is nearest to the pipeline's own."""
        places, here = self.numbers, float(self.now(pipeline))
        if self.log and here > 0:
            places, here = np.log(places), float(np.log(here))
        return int(np.argmin(np.abs(places - here)))

    def handle(self, pipeline: Pipeline, height: float) -> Handle:
        """A line at the pipeline's own value, which sets it when it is dragged."""
        scale, here = Scale(self.parameter), self.now(pipeline)
        ticks = np.unique(np.linspace(0, scale.ticks, _HANDLE_PLACES).round().astype(int))
        values = np.array([float(scale.value(tick)) for tick in ticks.tolist()])
        at = int(np.searchsorted(values, float(here)))
        if at == len(values) or values[at] != here:
            values = np.insert(values, at, float(here))
        points = np.column_stack((values, np.full(len(values), height)))
        return Handle(f"algorithm.{self.name}", points, values, at, self.parameter.label, "upright")


def axis_of(pipeline: Pipeline, name: str, count: int) -> Axis:
    """The hyperparameter of that name, "" for the main one, and so many values of it over the range of its slider.

    Raises `CannotFit` where there is none, or it is no number.
    """
    algorithm = pipeline.algorithm
    wanted = name.strip() or main_parameter(algorithm) or ""
    if not wanted:
        raise CannotFit(f"{algorithm.label} has no hyperparameter that is a number.")
    numbers = [p for p in algorithm.parameters() if p.kind in ("integer", "real")]
    parameter = next((p for p in numbers if wanted in (p.key, p.name, p.label)), None)
    if parameter is None:
        names = ", ".join(p.key for p in numbers) or "none"
        raise CannotFit(f"There is no hyperparameter {quoted(wanted)} that is a number; there are: {names}.")
    scale = Scale(parameter)
    # Of whole numbers that are not many more, all.
    few = parameter.kind == "integer" and scale.ticks < 2 * count
    ticks = np.unique(np.linspace(0, scale.ticks, scale.ticks + 1 if few else count).round().astype(int)).tolist()
    values = []
    for tick in ticks:
        value = parameter.check(scale.value(tick))
        if value not in values:
            values.append(value)
    return Axis(parameter, tuple(values))
