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
    found = {"kind": attempt.kind, "axes": list(attempt.axes), "lines": lines}
    return {**found, "values": list(attempt.values)} if attempt.kind == "surface" else found


def attempts_from_json(value: Any) -> tuple[Attempt, ...]:
    """The attempts that plain values describe; raises `BadScene` naming the place that is wrong."""
    given = checks.items(value, "attempts", MAX_ATTEMPTS)
    return tuple(_attempt(entry, f"attempts[{i}]") for i, entry in enumerate(given))


def _attempt(value: Any, where: str) -> Attempt:
    fields = checks.entries(value, where, ("kind", "axes", "lines", "values"))
    kind = checks.one_of(fields.get("kind"), f"{where}.kind", _KINDS)
    axes = checks.axes(fields.get("axes"), f"{where}.axes")
    given = checks.items(fields.get("lines"), f"{where}.lines", MAX_LINES if kind == "boundary" else 1)
    if not given:
        raise BadScene(f"{where}.lines is empty; at least one line is needed.")
    lines = []
    for i, entry in enumerate(given):
        places = checks.matrix(entry, f"{where}.lines[{i}]", 2, 2 if kind == "axis" else MAX_PLACES)
        least = _LEAST_PLACES[kind]
        if len(places) < least:
            raise BadScene(f"{where}.lines[{i}] needs at least {least} place{'s' if least > 1 else ''}.")
        checks.in_reach(places, f"{where}.lines[{i}]")
        if kind == "surface" and len(np.unique(places, axis=0)) < len(places):
            raise BadScene(f"{where}.lines[{i}] has a place twice; a surface has one value at a place.")
        if kind != "centres" and len(places) > 1 and not np.ptp(places, axis=0).any():
            raise BadScene(f"{where}.lines[{i}] has all its places in one.")
        if kind == "level" and (places[0] != places[-1]).any():
            raise BadScene(f"{where}.lines[{i}] does not end where it begins.")
        lines.append(plain_line(places))
    if kind != "surface" and "values" in fields:
        raise BadScene(f"{where}.values is for a surface alone.")
    values = checks.reals(fields.get("values"), f"{where}.values", len(lines[0])) if kind == "surface" else ()
    checks.in_reach(values, f"{where}.values")
    return Attempt(kind, axes, tuple(lines), values)
