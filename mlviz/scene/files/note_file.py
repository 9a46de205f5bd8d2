"""The texts and pen strokes of a scene file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mlviz.scene.files import checks
from mlviz.scene.files.strict_json import BadScene
from mlviz.scene.notes import INKS, MAX_LETTERS, MAX_NOTES, MAX_PLACES, MAX_STROKES, Ink, Note, Stroke, written
from mlviz.scene.scene import MAX_LIMIT, Scene
from mlviz.spec.outside import quoted

_MAX_AXES = 1000


def noted_json(scene: Scene) -> dict[str, Any]:
    """The keys of the scene's notes and strokes, as plain values, where there are some: older versions refuse them."""
    notes = [
        {"axes": list(note.axes), "place": list(note.place), "text": note.words, "ink": note.ink}
        for note in scene.notes
    ]
    strokes = [
        {"axes": list(stroke.axes), "ink": stroke.ink, "places": [list(place) for place in stroke.places]}
        for stroke in scene.strokes
    ]
    return {key: values for key, values in (("notes", notes), ("strokes", strokes)) if values}


def noted_from_json(document: Mapping[str, Any]) -> tuple[tuple[Note, ...], tuple[Stroke, ...]]:
    """The notes and strokes that plain values describe; raises `BadScene` naming the place that is wrong."""
    notes = checks.items(document.get("notes", []), "notes", MAX_NOTES)
    strokes = checks.items(document.get("strokes", []), "strokes", MAX_STROKES)
    return (
        tuple(_note(entry, f"notes[{i}]") for i, entry in enumerate(notes)),
        tuple(_stroke(entry, f"strokes[{i}]") for i, entry in enumerate(strokes)),
    )


def _note(value: Any, where: str) -> Note:
    fields = checks.entries(value, where, ("axes", "place", "text", "ink"))
    axes, ink = _axes(fields.get("axes"), where), _ink(fields.get("ink", INKS[0]), where)
    x, y = checks.reals(fields.get("place"), f"{where}.place", 2)
    _in_reach((x, y), f"{where}.place")
    text = checks.text(fields.get("text"), f"{where}.text")
    if len(text) > MAX_LETTERS:
        raise BadScene(f"{where}.text has {len(text):,} characters; at most {MAX_LETTERS} are possible.")
    if not (words := written(text)):
        raise BadScene(f"{where}.text is empty; a note needs words.")
    return Note(axes, (x, y), words, ink)


def _stroke(value: Any, where: str) -> Stroke:
    fields = checks.entries(value, where, ("axes", "ink", "places"))
    axes, ink = _axes(fields.get("axes"), where), _ink(fields.get("ink", INKS[0]), where)
    places = checks.matrix(fields.get("places"), f"{where}.places", 2, MAX_PLACES)
    if not len(places):
        raise BadScene(f"{where}.places is empty; at least one place is needed.")
    _in_reach(places, f"{where}.places")
    return Stroke(axes, tuple((x, y) for x, y in places.tolist()), ink)


def _axes(value: Any, where: str) -> tuple[str, ...]:
    axes = checks.texts(value, f"{where}.axes", _MAX_AXES)
    if len(axes) < 2:
        raise BadScene(f"{where}.axes needs the names of two axes.")
    return axes


def _ink(value: Any, where: str) -> Ink:
    name = checks.text(value, f"{where}.ink")
    found: Ink | None = next((ink for ink in INKS if ink == name), None)
    if found is None:
        raise BadScene(f"{where}.ink is {quoted(name)}; possible are {', '.join(INKS)}.")
    return found


def _in_reach(places: Any, where: str) -> None:
    if np.abs(places).max() > MAX_LIMIT:
        raise BadScene(f"{where} goes beyond {MAX_LIMIT:g}, too far away to draw.")
