"""Which notes a canvas shows, and changes of them: pure functions of a scene."""

from __future__ import annotations

from mlviz.scene.canvas_axes import axes_of
from mlviz.scene.notes import MAX_NOTES, MAX_STROKES, Note, Noted, Stroke
from mlviz.scene.scene import Scene

_FULL = "There are {count} {what}, which is the most there can be. Remove some first."


def noted_on(scene: Scene, index: int) -> Noted | None:
    """What has been put over the canvas of panel `index`: over all canvases of the same axes. None where nothing."""
    if not (scene.notes or scene.strokes):
        return None
    key = axes_of(scene, index).key
    notes = tuple(note for note in scene.notes if note.axes == key)
    strokes = tuple(stroke for stroke in scene.strokes if stroke.axes == key)
    return Noted(notes, strokes) if notes or strokes else None


def room_for(scene: Scene, kind: type[Note] | type[Stroke]) -> str:
    """A sentence on why there can be no more of them; empty where there can."""
    kept, most, what = (
        (scene.notes, MAX_NOTES, "texts") if kind is Note else (scene.strokes, MAX_STROKES, "pen strokes")
    )
    return _FULL.format(count=most, what=what) if len(kept) >= most else ""


def with_note(scene: Scene, note: Note, old: Note | None = None) -> Scene:
    """With that note in the place of an old one, or as a further one where the old one is not there."""
    if old is None or old not in scene.notes:
        return scene.replace(notes=(*scene.notes, note))
    at = scene.notes.index(old)
    return scene.replace(notes=(*scene.notes[:at], note, *scene.notes[at + 1 :]))


def with_stroke(scene: Scene, stroke: Stroke) -> Scene:
    """With a further stroke, over those before."""
    return scene.replace(strokes=(*scene.strokes, stroke))


def without_note(scene: Scene, note: Note) -> Scene:
    """Without that note, the newest of those that are equal."""
    if note not in scene.notes:
        return scene
    at = len(scene.notes) - 1 - scene.notes[::-1].index(note)
    return scene.replace(notes=scene.notes[:at] + scene.notes[at + 1 :])


def without_stroke(scene: Scene, stroke: Stroke) -> Scene:
    """Without that stroke."""
    return scene.replace(strokes=tuple(other for other in scene.strokes if other is not stroke))


def without_notes(scene: Scene) -> Scene:
    """Without any text or stroke: what fits and pictures are made of."""
    return scene.replace(notes=(), strokes=()) if scene.notes or scene.strokes else scene
