"""Checks of what a method says of itself: name, help, hyperparameters, and that it is a value."""

from __future__ import annotations

import dataclasses
import json
import math
import pickle
import re
from typing import Any

from mlviz.algorithms import Algorithm, find
from mlviz.spec import BadValue, Parameter
from mlviz.testing.check import cases, of_method, ordinary, require, require_refusal, settings

_SHORTEST_HELP = 300


@of_method
def says_what_it_is(cls: type[Algorithm]) -> None:
    """It has a label, a family, tasks, a help page with a reference, and help for each hyperparameter."""
    help_page = cls.__doc__ or ""
    require(cls.label and cls.family and cls.tasks, "it needs a label, a family and tasks")
    require(len(help_page) > _SHORTEST_HELP, f"its docstring is the help page and has only {len(help_page)} letters")
    require(re.search(r"\b(1[89]|20)\d\d\b", help_page), "its docstring, the help page, names no reference with a year")
    names = [p.name for p in cls.parameters()]
    require(not names or cls.main in names, f"`main` is {cls.main!r} and has to be one of {', '.join(names)}")
    for p in cls.parameters():
        require(p.help and p.label, f"the hyperparameter {p.key} needs help and a label")
        require(p.check(p.default) == p.default, f"the default of {p.key} is not one of its values")
        if p.kind not in ("choice", "flag", "text"):
            require(p.soft[0] < p.soft[1], f"the slider of {p.key} goes from {p.soft[0]} to {p.soft[1]}")
        if p.kind in ("real", "integer"):
            require(
                p.check(p.soft[0]) <= p.default <= p.check(p.soft[1]),
                f"the default of {p.key} is outside its slider",
            )
    ids = [overlay.id for overlay in cls.overlays] + [chart.id for chart in cls.charts]
    require(len(set(ids)) == len(ids), f"two overlays or charts have the same id: {', '.join(ids)}")


@of_method
def is_found_by_its_id(cls: type[Algorithm]) -> None:
    """Its file is named after it and stands where methods are looked for."""
    try:
        found = find(cls.id)
    except KeyError:
        raise AssertionError(
            f"it is not found: name its file {cls.id.replace('-', '_')}.py, in a folder that MLVIZ_METHODS names"
        ) from None
    require(found is cls, f"the id stands for another class, {found.__module__}.{found.__qualname__}")
    require_refusal(KeyError, lambda: find(f"{cls.id}-no"), f"{cls.id}-no is found")


@of_method
def is_a_value(cls: type[Algorithm]) -> None:
    """Equal settings are equal, hash alike, come back from pickle and JSON, and can't be changed."""
    algorithm = cls()
    require(algorithm == cls() and hash(algorithm) == hash(cls()), "two of the same settings are not equal")
    require(pickle.loads(pickle.dumps(algorithm)) == algorithm, "it does not come back from pickle")
    for values, _ in settings(cls):
        changed = cls(**values)
        text = json.dumps(changed.to_json(), allow_nan=False)
        require(cls.from_json(json.loads(text)) == changed, f"{values} do not come back from JSON")
        require(changed.caption().startswith(cls.label), f"the caption of {values} does not begin with its label")
    frozen: Any = algorithm
    require_refusal(dataclasses.FrozenInstanceError, lambda: setattr(frozen, "label", "other"), "it is not frozen")


@of_method
def refuses_a_bad_value_by_name(cls: type[Algorithm]) -> None:
    """A value that can't be is refused, and the sentence begins with the name of the hyperparameter."""
    for p in cls.parameters():
        for value in _bad_values(p):
            values = {p.name: value}
            said = require_refusal(BadValue, lambda values=values: cls(**values), f"{p.key} = {value!r}")  # type: ignore[misc]
            require(said.startswith(f"{p.key} is"), f"{p.key} = {value!r} is refused without its name: {said}")
    said = require_refusal(BadValue, lambda: cls.from_json({"no_such_parameter": 1}), "a parameter that is not there")
    require("no parameter" in said, f"a parameter that is not there is refused so: {said}")


def _bad_values(p: Parameter) -> list[Any]:
    bad: list[Any] = [None, {1}, "no such thing", math.nan, math.inf, -math.inf]
    if p.kind not in ("real", "integer"):
        return [*bad, 0, 1]
    low, high = p.valid
    bad += [True, "1"]
    bad += [] if low is None else [low - 1] + ([low] if p.open_low else [])
    bad += [] if high is None else [high + 1]
    return bad + ([1.5] if p.kind == "integer" else [])


@of_method
def declares_the_field_of_its_models(cls: type[Algorithm]) -> None:
    """The field that it declares is that of the models for its first task."""
    X, y = ordinary(cases(cls)[0])
    field = cls().fit(X, y).field
    require(field == cls.field, f"it declares the field {cls.field!r} and its model has {field!r}")
