"""Which settings, degenerate samples and ways to several classes the sweep tries with which method: they take long.

Each family meets all that its methods can be set to, a basis or a kernel with one of them, and all samples and ways;
each method meets what it alone has, some of the samples, and its own way. With ``--all-cases`` each meets all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from mlviz.algorithms import registry
from mlviz.testing.check import Case, cases, degenerate, settings
from mlviz.testing.pictures import MULTICLASS
from tests.sweep import chosen

EVERY = [case for cls in registry().values() for case in cases(cls)]
_REPEATED = ("max_iter", "n_init")
_DRAWN = 5
"""Degenerate samples that are drawn with each method."""


@dataclass(frozen=True)
class Part:
    """What one check goes through, one at a time: a case, the name of what it tries, and what that stands for."""

    case: Case
    name: str
    stands_for: str
    kind: str
    """Of the case: its task, and where the samples matter the number of inputs."""
    first: bool = True
    """Whether it is tried rather than another one that stands for the same."""

    @property
    def method(self) -> str:
        return self.case.algorithm.id

    @property
    def words(self) -> tuple[str, ...]:
        return self.kind, self.stands_for


def _settings_of(every: Iterable[Case]) -> list[Part]:
    """Each setting in each task, over one input and two in turn.

    To repeat more often than the slider goes is a matter of patience, and stands for the end of the slider.
    """
    found = []
    for case in every:
        for i, (values, _) in enumerate(settings(case.algorithm)):
            name, stands_for = str(values), str(_within_sliders(case, values))
            found.append(Part(case, name, stands_for, case.task, name == stands_for and _has_its_turn(case, i)))
    return found


def _samples_of(every: Iterable[Case]) -> list[Part]:
    """Degenerate samples of each method in each task, over one input and two in turn."""
    return [
        Part(case, name, f"{name} with {case.algorithm.id}", case.task, _has_its_turn(case, i // 2))
        for case in every
        for i, (name, _, _) in enumerate(degenerate(case))
    ]


def _has_its_turn(case: Case, number: int) -> bool:
    return number % 2 == case.d % 2 or case._replace(d=1) not in cases(case.algorithm)


def _within_sliders(case: Case, values: dict[str, Any]) -> dict[str, Any]:
    most = {p.name: p.soft[1] for p in case.algorithm.parameters() if p.name in _REPEATED}
    return {name: min(value, most[name]) if name in most else value for name, value in values.items()}


def _taken(parts: list[Part], fewest: int) -> Callable[[Case, str], bool]:
    kept = {(part.case, part.name) for part in chosen(parts, fewest, rather={part for part in parts if part.first})}
    return lambda case, name: (case, name) in kept


drawn_settings = _taken(_settings_of(EVERY), 1)
settings_on_grids = _taken(_settings_of(case for case in EVERY if case.d == 2), 1)
fitted_samples = _taken(_samples_of(EVERY), 0)
drawn_samples = _taken(
    [Part(case, name, name, f"{case.task} {case.d}d") for case in EVERY for name, _, _ in degenerate(case)], _DRAWN
)
_parted = _taken(
    [Part(case, way, way, case.task) for case in EVERY if case.task == "classification" for way in MULTICLASS[1:]], 0
)


def ways(case: Case, way: str) -> bool:
    """Whether five classes are met in that way: by each method in its own way, in the others by one of each family."""
    return way == "auto" or _parted(case, way)
