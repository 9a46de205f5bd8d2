"""The hand that puts words and pen strokes over the picture, whatever the method below. No Qt."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

import numpy as np

from mlviz.draw.marks import Lines
from mlviz.interaction.gesture import STILL_PX, Pointer, ToolContext, ToolGenerator, follow, rounded
from mlviz.interaction.tool_state import ToolState, Writing
from mlviz.numerics.arrays import Array
from mlviz.numerics.drawn_lines import distance_to, smoothed, thinned
from mlviz.scene.history import Store
from mlviz.scene.notes import MAX_PLACES, Note, Stroke, plain_place
from mlviz.scene.notes.edits import noted_on, room_for, with_note, with_stroke, without_note, without_stroke

_REACH_PX = 10.0
"""Ctrl+click takes away a stroke this near."""
_EXACT_PX = 0.7
"""By so much a stroke may go past places that it leaves out."""


def text_tool(context: ToolContext, press: Pointer) -> ToolGenerator:
    """Begins words at the place; on words that stand there a drag moves them and a click selects them.

    A click on the selected ones, such as the second of a double click, writes in them. With Ctrl it removes them.
    """
    found = context.note_at(press.pixel)
    if found is None:
        context.hand.note = None
        if not press.control:
            yield from _begin(context, press)
    elif press.control:
        context.change(without_note(context.scene, found), "remove text")
    else:
        again = context.hand.note == found
        context.hand.note = found
        moved = yield from _drag(context, press, found)
        if again and not moved:
            context.hand.writing = Writing(context.panel, found.place, found)


def _begin(context: ToolContext, press: Pointer) -> ToolGenerator:
    """Words begin where the button comes up, so that the press takes the keyboard first."""
    pointer = press
    while pointer.kind != "release":
        pointer = yield
    context.hand.refusal = full = room_for(context.scene, Note)
    if not full:
        context.hand.writing = Writing(context.panel, plain_place(rounded(pointer.place, context.unit)))


def _drag(context: ToolContext, press: Pointer, note: Note) -> Generator[None, Pointer, bool]:
    shift = np.array(note.place) - press.place

    def go(pointer: Pointer) -> None:
        moved = replace(note, place=plain_place(rounded(pointer.place + shift, context.unit)))
        former, context.hand.note = context.hand.note, moved
        context.change(with_note(context.scene, moved, former), "move text")

    return (yield from follow(press, go, STILL_PX))


def shift_note(store: Store, hand: ToolState, shift: Array, unit: Array, merge: object) -> bool:
    """Move the selected note by a shift (2,); whether there is one. Shifts with the same merge key are one step."""
    note = hand.note
    if note is None or note not in store.scene.notes:
        return False
    hand.note = replace(note, place=plain_place(rounded(np.array(note.place) + shift, unit)))
    store.push(with_note(store.scene, hand.note, note), "move text", merge)
    return True


def ink_tool(context: ToolContext, press: Pointer) -> ToolGenerator:
    """Draws a line as the hand goes, or a dot where it does not go. With Ctrl it removes the nearest stroke."""
    if press.control:
        _remove_nearest(context, press.place)
        return
    way, ink = [press.place], context.hand.ink

    def go(pointer: Pointer) -> None:
        way.append(pointer.drawn_to)
        context.show_preview((Lines(f"{ink} ink", smoothed(np.array(way))),))

    yield from follow(press, go)
    context.hand.refusal = full = room_for(context.scene, Stroke)
    if not full:
        line = thinned(np.array(way), _EXACT_PX * context.unit, MAX_PLACES)
        places = tuple(plain_place(place) for place in rounded(line, context.unit / 10))
        context.change(with_stroke(context.scene, Stroke(context.axes.key, places, ink)), "draw with the pen")


def _remove_nearest(context: ToolContext, place: Array) -> None:
    noted = noted_on(context.scene, context.panel)
    away = [(distance_to(stroke.curve, place, context.unit), stroke) for stroke in (noted.strokes if noted else ())]
    nearest = min(away, key=lambda one: one[0], default=None)
    if nearest is not None and nearest[0] <= _REACH_PX:
        context.change(without_stroke(context.scene, nearest[1]), "remove pen stroke")
