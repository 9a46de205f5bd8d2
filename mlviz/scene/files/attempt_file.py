"""The attempts of a scene file: answers drawn by hand."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np

from mlviz.scene.attempts import MAX_ATTEMPTS, MAX_LINES, MAX_PLACES, Attempt, Kind, plain_line
from mlviz.scene.files import checks
from mlviz.scene.files.strict_json import BadScene

_KINDS: tuple[Kind, ...] = get_args(Kind)
_LEAST_PLACES: dict[Kind, int] = {"boundary": 1, "curve": 1, "surface": 1, "centres": 1, "axis": 1, "level": 4}
"""So many places has each line of an attempt at the least; one that has only been begun has one."""


def attempt_json(attempt: Attempt) -> dict[str, Any]:
    """The attempt as plain values, ready for JSON."""
    lines = [[list(place) for place in line] for line in attempt.lines]
    found: dict[str, Any] = {"kind": attempt.kind, "axes": list(attempt.axes), "lines": lines}
    if attempt.kind == "surface":
        found["values"] = list(attempt.values)
    if attempt.levels:  # a key that older versions would refuse
        found["levels"] = list(attempt.levels)
    return found


def attempts_from_json(value: Any) -> tuple[Attempt, ...]:
    """The attempts that plain values describe; raises `BadScene` naming the place that is wrong."""
    given = checks.items(value, "attempts", MAX_ATTEMPTS)
    return tuple(_attempt(entry, f"attempts[{i}]") for i, entry in enumerate(given))


def _attempt(value: Any, where: str) -> Attempt:
    fields = checks.entries(value, where, ("kind", "axes", "lines", "values", "levels"))
    kind = checks.one_of(fields.get("kind"), f"{where}.kind", _KINDS)
    axes = checks.axes(fields.get("axes"), f"{where}.axes")
    given = checks.items(fields.get("lines"), f"{where}.lines", MAX_LINES if kind in ("boundary", "surface") else 1)
    if not given:
        raise BadScene(f"{where}.lines is empty; at least one line is needed.")
    lines = []
    for i, entry in enumerate(given):
        places = checks.matrix(entry, f"{where}.lines[{i}]", 2, 2 if kind == "axis" else MAX_PLACES)
        valued, least = kind == "surface" and not i, _LEAST_PLACES[kind]
        if kind == "surface" and len(given) > 1:
            least = 0 if valued else 2
        if len(places) < least:
            raise BadScene(f"{where}.lines[{i}] needs at least {least} place{'s' if least > 1 else ''}.")
        checks.in_reach(places, f"{where}.lines[{i}]")
        if valued and len(np.unique(places, axis=0)) < len(places):
            raise BadScene(f"{where}.lines[{i}] has a place twice; a surface has one value at a place.")
        if kind != "centres" and len(places) > 1 and not np.ptp(places, axis=0).any():
            raise BadScene(f"{where}.lines[{i}] has all its places in one.")
        if kind == "level" and (places[0] != places[-1]).any():
            raise BadScene(f"{where}.lines[{i}] does not end where it begins.")
        lines.append(plain_line(places))
    found = {}
    for name, count in (("values", len(lines[0])), ("levels", len(lines) - 1)):
        if kind != "surface" and name in fields:
            raise BadScene(f"{where}.{name} is for a surface alone.")
        found[name] = checks.reals(fields.get(name, []), f"{where}.{name}", count) if kind == "surface" else ()
        checks.in_reach(found[name], f"{where}.{name}")
    return Attempt(kind, axes, tuple(lines), **found)
