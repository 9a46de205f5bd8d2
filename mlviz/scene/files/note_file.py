"""The texts and pen strokes of a scene file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mlviz.scene.files import checks
from mlviz.scene.files.strict_json import BadScene
from mlviz.scene.notes import INKS, MAX_LETTERS, MAX_NOTES, MAX_PLACES, MAX_STROKES, Ink, Note, Stroke, written
from mlviz.scene.scene import Scene


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
    axes, ink = _axes_and_ink(fields, where)
    x, y = checks.reals(fields.get("place"), f"{where}.place", 2)
    checks.in_reach((x, y), f"{where}.place")
    text = checks.text(fields.get("text"), f"{where}.text")
    if len(text) > MAX_LETTERS:
        raise BadScene(f"{where}.text has {len(text):,} characters; at most {MAX_LETTERS} are possible.")
    if not (words := written(text)):
        raise BadScene(f"{where}.text is empty; a note needs words.")
    return Note(axes, (x, y), words, ink)


def _stroke(value: Any, where: str) -> Stroke:
    fields = checks.entries(value, where, ("axes", "ink", "places"))
    axes, ink = _axes_and_ink(fields, where)
    places = checks.matrix(fields.get("places"), f"{where}.places", 2, MAX_PLACES)
    if not len(places):
        raise BadScene(f"{where}.places is empty; at least one place is needed.")
    checks.in_reach(places, f"{where}.places")
    return Stroke(axes, tuple((x, y) for x, y in places.tolist()), ink)


def _axes_and_ink(fields: Mapping[str, Any], where: str) -> tuple[tuple[str, ...], Ink]:
    axes = checks.axes(fields.get("axes"), f"{where}.axes")
    return axes, checks.one_of(fields.get("ink", INKS[0]), f"{where}.ink", INKS)
