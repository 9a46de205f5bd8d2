"""How a method behaves where methods differ, and whether a class says of itself what every method must say."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

from mlviz.draw.inks import RoleInk
from mlviz.draw.layer import Chart, Overlay
from mlviz.draw.tasks import Task

Condition = Callable[[Any], bool]


def never(algorithm: Any) -> bool:
    """Nothing is left to chance."""
    return False


def always(algorithm: Any) -> bool:
    """Something is left to chance, whatever is set."""
    return True


def where(name: str, *values: Any) -> Condition:
    """Something is left to chance where a hyperparameter has one of some values."""
    return lambda algorithm: getattr(algorithm, name) in values


@dataclass(frozen=True, kw_only=True)
class Traits:
    """What the program must know of a method before it runs; each is at first as most methods are."""

    playable: bool = True
    """False for a solver that yields only so that it can be interrupted."""
    weighted: bool = True
    """False where samples can't count more or less; they are then drawn more or less often."""
    order_matters: bool = False
    """Whether the order of the samples changes the answer."""
    follower_differs: bool = False
    """Whether a follower may end elsewhere than `steps`: where there are many optima, near its last model; where the
    steps stop within a tolerance of the solution, at the solution itself; where a draft uses but some of the samples,
    where these lead."""
    multiclass: bool = True
    """Whether a classifier meets several classes all at once where nothing else is asked for. Where not, the pipeline
    makes several binary models of it; `not_direct` says whether it could."""
    straight: bool = True
    """False for a dimensionality reduction without directions among the inputs, as one that only places samples."""
    random: Condition = never
    """Whether an algorithm with its hyperparameters leaves something to chance: another seed is then another start."""
    random_above: int | None = None
    """Of more samples some are drawn by the seed, whatever is set; None where there is no such number."""
    slow_to_end: Condition = never
    """Whether its steps come to the end ever more slowly, as those of EM: where very many fits are compared, each has
    a single start (`n_init`) and does without the last steps."""
    direct_name: str = ""
    """What its way to meet several classes all at once is called, where that has a name."""


@dataclass(frozen=True)
class Trial:
    """Something that the help of a method offers to be tried, and what to look at then, in words without a full stop.

    Data of the generator with the id `data` are drawn, `drawing` in which parameters they are not the usual ones; then
    hyperparameters are set by their names.
    """

    look: str
    data: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    drawing: Mapping[str, Any] = field(default_factory=dict)


def refuse_wrong(cls: Any) -> None:
    """Raise TypeError, with a sentence, where a class does not say what a method must say of itself."""
    for name in ("id", "label", "family"):
        if not isinstance(word := getattr(cls, name, None), str) or not word:
            raise _wrong(cls, f'says no {name}: a method needs {name} = "..."')
    tasks = getattr(cls, "tasks", None)
    if not isinstance(tasks, tuple) or not tasks:
        raise _wrong(cls, 'says no tasks: a method needs a tuple of them, such as tasks = ("classification",)')
    if unknown := [task for task in tasks if task not in get_args(Task)]:
        raise _wrong(cls, f"has the unknown task {unknown[0]!r}; the tasks are {', '.join(get_args(Task))}")
    for name, kind in (("overlays", Overlay), ("charts", Chart), ("trials", Trial)):
        _refuse_others(cls, name, kind)
    if not isinstance(cls.traits, Traits):
        raise _wrong(cls, f"has traits of the type {type(cls.traits).__name__}: write traits = Traits(...)")
    if not isinstance(cls.inks, Mapping) or not all(isinstance(ink, RoleInk) for ink in cls.inks.values()):
        raise _wrong(cls, 'has inks that are none: write inks = {"a role": RoleInk(...)}')
    if cls.main and cls.main not in ({name for base in cls.__mro__ for name in inspect.get_annotations(base)}):
        raise _wrong(cls, f"has main = {cls.main!r}, which is none of its hyperparameters")


def _refuse_others(cls: Any, name: str, kind: type) -> None:
    layers = getattr(cls, name)
    if not isinstance(layers, tuple):
        raise _wrong(cls, f"has {name} of the type {type(layers).__name__}: write a tuple, with a comma after the last")
    if others := [layer for layer in layers if not isinstance(layer, kind)]:
        raise _wrong(cls, f"has a {type(others[0]).__name__} among its {name}, where only {kind.__name__} belongs")
    ids = [layer.id for layer in layers if kind is not Trial]
    if twice := [id for id in ids if ids.count(id) > 1]:
        raise _wrong(cls, f"has two {name} with the id {twice[0]!r}")


def _wrong(cls: type, what: str) -> TypeError:
    return TypeError(f"{cls.__name__} {what}.")
