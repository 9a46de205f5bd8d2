"""The hand that draws an answer before the method's own is seen: a line, places, or values. No Qt."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from mlviz.draw.marks import Lines, Points
from mlviz.interaction.gesture import NEAR_PX, STILL_PX, Pointer, ToolContext, ToolGenerator, follow, rounded
from mlviz.interaction.surface_tools import (
    EXACT_PX,
    GIVE_VALUE,
    TWO_VALUES,
    drag_level_line,
    draw_level,
    give_level,
    give_value,
    level_line_at,
    place_meets,
    with_value,
)
from mlviz.numerics.arrays import Array
from mlviz.numerics.drawn_lines import distance_to, is_closed, thinned
from mlviz.scene.attempts import MAX_LINES, MAX_PLACES, Attempt, Kind
from mlviz.scene.attempts.edits import (
    attempts_on,
    centres_wanted,
    kinds_of,
    newest_on,
    what_to_draw,
    with_drawn,
    with_line,
    with_place,
    with_places,
    without_attempt,
)
from mlviz.scene.scene import Scene

_REACH_PX = 1.5 * NEAR_PX
"""A press this near to a centre or value takes hold of it, logical pixels."""
_CLOSING_PX = 14.0
"""A line that ends this near to its first place is closed."""
_LEAST_PX = 12.0
"""A drag that reaches less far has drawn nothing."""
_DRAWN: dict[Kind, str] = {
    "boundary": "draw boundary",
    "curve": "draw curve",
    "surface": GIVE_VALUE,
    "centres": "place centre",
    "axis": "draw axis",
    "level": "draw level curve",
}
"""How each is called in the undo menu."""


def attempt_tool(context: ToolContext, press: Pointer) -> ToolGenerator:
    """Draws an answer by hand: what, depends on the method of the canvas. With Ctrl it removes the nearest one.

    Two clicks draw a straight line. Shift, or the other button, goes on with what was drawn before, by a further line
    or a further place; where centres are placed, or values given, it starts anew. Of a surface a click gives a value
    to a place, and a drag to a line; both are moved by a drag that begins on them, as centres are.
    """
    kinds = kinds_of(context.scene, context.panel)
    if press.control:
        _remove_nearest(context, press.place)
        return
    if not kinds:
        context.hand.refusal = what_to_draw(context.scene, context.panel)
        return
    further = press.other
    placed = _placed(context)
    held = None if placed is None or further else _held_place(context, press.place, placed)
    line = None if held or placed != "surface" or further else level_line_at(context, press.place)
    if held is not None:
        moved = yield from _drag_place(context, press, *held)
        if placed == "surface" and not moved:
            give_value(context, *held)
        return
    if line is not None:
        moved = yield from drag_level_line(context, press, *line)
        if not moved:
            give_level(context, *line)
        return
    pointers = [press]
    draws: Kind | None = next((kind for kind in kinds if kind != placed), "surface" if placed == "surface" else None)

    def go(pointer: Pointer) -> None:
        pointers.append(pointer)
        shown = _way(pointers if draws != "axis" else [press, pointer])
        context.show_preview((Lines("attempt", shown),) if draws else (Points("attempt", pointer.place[None]),))

    moved = yield from follow(press, go, STILL_PX)
    way = _way(pointers)
    if placed == "surface" and _reach(way, context.unit) >= _LEAST_PX:
        draw_level(context, _line(way, "surface", context.unit), further)
    elif placed is not None and (not moved or draws in (None, "surface")):
        more = _with_centre if placed == "centres" else with_value
        context.change(more(context, pointers[-1].place, further), _DRAWN[placed])
    elif draws is not None and not moved:
        context.change(_with_click(context, draws, rounded(press.place, context.unit), further), _DRAWN[draws])
    elif draws is not None and _reach(way, context.unit) >= _LEAST_PX:
        drawn = _line(way, draws, context.unit)
        if draws != "level" or is_closed(drawn):
            context.change(_with_line(context, draws, drawn, further), _DRAWN[draws])


def hits_attempt(context: ToolContext, press: Pointer) -> bool:
    """Whether a drag that begins there moves what was drawn: a centre, a value, or a level line."""
    placed = _placed(context)
    if placed is None:
        return False
    on_line = placed == "surface" and level_line_at(context, press.place) is not None
    return on_line or _held_place(context, press.place, placed) is not None


def _placed(context: ToolContext) -> Kind | None:
    """What a click places on the canvas, if anything."""
    kinds = kinds_of(context.scene, context.panel)
    return next((kind for kind in kinds if kind in ("centres", "surface")), None)


def _way(pointers: list[Pointer]) -> Array:
    """The way (m, 2) of the hand, also where it left the axes."""
    return np.array([pointer.drawn_to for pointer in pointers])


def _reach(way: Array, unit: Array) -> float:
    """How far, in pixels, a way got from its first place."""
    offsets = (way - way[0]) / unit
    return float(np.hypot(offsets[:, 0], offsets[:, 1]).max())


def _line(way: Array, kind: Kind, unit: Array) -> Array:
    """What is kept of a way of the pointer: without places that hardly matter, closed where it comes back."""
    if kind == "axis":
        return way[[0, -1]]
    gap = float(np.hypot(*((way[-1] - way[0]) / unit)))
    if kind == "level" or (kind in ("boundary", "surface") and gap <= _CLOSING_PX):
        closed = thinned(np.concatenate((way, way[:1])), EXACT_PX * unit, MAX_PLACES)
        if is_closed(closed):  # and not only there and back
            return closed
    return thinned(way, EXACT_PX * unit, MAX_PLACES)


def _with_line(context: ToolContext, kind: Kind, line: Array, further: bool) -> Scene:
    last = newest_on(context.scene, context.panel, kind) if further and kind == "boundary" else None
    if last is not None and len(last[1].lines) < MAX_LINES:
        return with_line(context.scene, last[0], line)
    return with_drawn(context.scene, context.panel, kind, line)


def _with_click(context: ToolContext, kind: Kind, place: Array, further: bool) -> Scene:
    """With a line begun by a click, or the one that was begun led on to there; `further` ones go on with any line."""
    last = newest_on(context.scene, context.panel, kind)
    if last is not None and (last[1].unfinished or (further and kind != "axis")):
        line = last[1].arrays[-1]
        if len(line) < MAX_PLACES and (line[-1] != place).any():
            return with_place(context.scene, last[0], place)
        return context.scene
    return with_drawn(context.scene, context.panel, kind, place[None])


def _with_centre(context: ToolContext, place: Array, further: bool) -> Scene:
    """With one more centre: in the newest attempt, as long as that has fewer than the method places."""
    place = rounded(place, context.unit)
    last, wanted = newest_on(context.scene, context.panel, "centres"), centres_wanted(context.scene, context.panel)
    if last is not None and not further:
        places = last[1].arrays[0]
        if len(places) < min(MAX_PLACES, wanted or MAX_PLACES):
            return with_places(context.scene, last[0], np.vstack((places, place)))
    return with_drawn(context.scene, context.panel, "centres", place[None])


def _held_place(context: ToolContext, place: Array, kind: Kind) -> tuple[int, int] | None:
    """The number of the newest attempt and which of its centres, or values, is at the place; None where none is."""
    last = newest_on(context.scene, context.panel, kind)
    if last is None:
        return None
    which = context.held(last[1].arrays[0], place, _REACH_PX) if len(last[1].arrays[0]) else None
    return None if which is None else (last[0], which)


def _drag_place(context: ToolContext, press: Pointer, number: int, which: int) -> Generator[None, Pointer, bool]:
    """Move it with the hand, but not onto another one or a line of another level; returns whether it was moved."""

    def go(pointer: Pointer) -> None:
        attempt = context.scene.attempts[number - 1]
        places = attempt.arrays[0].copy()
        places[which] = rounded(pointer.place, context.unit)
        centres = attempt.kind == "centres"
        if not centres and place_meets(context, attempt, places[which], attempt.values[which]):
            context.hand.refusal = TWO_VALUES
        elif centres or len(np.unique(places, axis=0)) == len(places):
            context.change(with_places(context.scene, number, places), "move centre" if centres else "move value")

    return (yield from follow(press, go, STILL_PX))


def _remove_nearest(context: ToolContext, place: Array) -> None:
    shown = attempts_on(context.scene, context.panel)
    if shown:
        nearest = min(shown, key=lambda one: _distance(one[1], place, context.unit))[0]
        context.change(without_attempt(context.scene, nearest), "remove attempt")


def _distance(attempt: Attempt, place: Array, unit: Array) -> float:
    """How far, in pixels, the place is from the lines of an attempt, or from the nearest of its centres or values."""
    if attempt.kind in ("centres", "surface"):
        lines = (*attempt.arrays[0][:, None], *attempt.arrays[1:])
    else:
        lines = attempt.arrays
    return min(distance_to(line, place, unit) for line in lines)
