"""The hand that draws an answer before the method's own is seen: a line, places, or values. No Qt."""

from __future__ import annotations

from collections.abc import Generator, Iterable

import numpy as np

from mlviz.draw.marks import Lines, Points
from mlviz.interaction.gesture import NEAR_PX, STILL_PX, Pointer, ToolContext, ToolGenerator, follow, rounded
from mlviz.interaction.values import chosen_value
from mlviz.numerics.arrays import Array
from mlviz.numerics.drawn_lines import cross, distance_to, is_closed, thinned
from mlviz.scene.attempts import MAX_LINES, MAX_PLACES, Attempt, Kind
from mlviz.scene.attempts.edits import (
    attempts_on,
    centres_wanted,
    kinds_of,
    what_to_draw,
    with_drawn,
    with_level,
    with_level_line,
    with_line,
    with_place,
    with_places,
    with_surface_begun,
    without_attempt,
)
from mlviz.scene.scene import Scene

_REACH_PX = 1.5 * NEAR_PX
"""A press this near to a centre or value takes hold of it, logical pixels."""
_CLOSING_PX = 14.0
"""A line that ends this near to its first place is closed."""
_LEAST_PX = 12.0
"""A drag that reaches less far has drawn nothing."""
_MOST_VALUES = 50
"""A surface goes through so many values at the most."""
_EXACT_PX = 0.7
"""By so much a line may go past places that it leaves out."""
_DRAWN: dict[Kind, str] = {
    "boundary": "draw boundary",
    "curve": "draw curve",
    "surface": "give value",
    "centres": "place centre",
    "axis": "draw axis",
    "level": "draw level curve",
}
"""How each is called in the undo menu."""
_FULL = f"A surface goes through {MAX_LINES - 1} lines and {_MOST_VALUES} places at the most. Shift begins another one."
_TWO_VALUES = "This would meet a line or a place of another value, and a surface has only one value at a place."


def attempt_tool(context: ToolContext, press: Pointer) -> ToolGenerator:
    """Draws an answer by hand: what, depends on the method of the canvas. With Ctrl it removes the nearest one.

    Two clicks draw a straight line. Shift, or the other button, goes on with what was drawn before, by a further line
    or a further place; where centres are placed, or values given, it starts anew. Of a surface a click gives a value
    to a place, and a drag to a line.
    """
    kinds = kinds_of(context.scene, context.panel)
    if press.control:
        _remove_nearest(context, press.place)
        return
    if not kinds:
        context.hand.refusal = what_to_draw(context.scene, context.panel)
        return
    further = press.other
    placed: Kind | None = next((kind for kind in kinds if kind in ("centres", "surface")), None)
    held = None if placed is None or further else _held_place(context, press.place, placed)
    if held is not None:
        moved = yield from _drag_place(context, press, *held)
        if placed == "surface" and not moved:
            _give_value(context, *held)
        return
    way = [press.place]
    draws: Kind | None = next((kind for kind in kinds if kind != placed), "surface" if placed == "surface" else None)

    def go(pointer: Pointer) -> None:
        way.append(pointer.place)
        shown = np.array(way if draws != "axis" else [press.place, pointer.place])
        context.show_preview((Lines("attempt", shown),) if draws else (Points("attempt", shown[-1:]),))

    moved = yield from follow(press, go, STILL_PX)
    if placed == "surface" and _reach(way, context.unit) >= _LEAST_PX:
        _draw_level(context, _line(np.array(way), "surface", context.unit), further)
    elif placed == "surface" and not further and (which := _level_line_at(context, press.place)) is not None:
        _give_level(context, *which)
    elif placed is not None and (not moved or draws in (None, "surface")):
        more = _with_centre if placed == "centres" else _with_surface
        context.change(more(context, way[-1], further), _DRAWN[placed])
    elif draws is not None and not moved:
        context.change(_with_click(context, draws, rounded(press.place, context.unit), further), _DRAWN[draws])
    elif draws is not None and _reach(way, context.unit) >= _LEAST_PX:
        line = _line(np.array(way), draws, context.unit)
        if draws != "level" or is_closed(line):
            context.change(_with_line(context, draws, line, further), _DRAWN[draws])


def _reach(way: list[Array], unit: Array) -> float:
    """How far, in pixels, a way got from its first place."""
    offsets = (np.array(way) - way[0]) / unit
    return float(np.hypot(offsets[:, 0], offsets[:, 1]).max())


def _line(way: Array, kind: Kind, unit: Array) -> Array:
    """What is kept of a way of the pointer: without places that hardly matter, closed where it comes back."""
    if kind == "axis":
        return way[[0, -1]]
    gap = float(np.hypot(*((way[-1] - way[0]) / unit)))
    if kind == "level" or (kind in ("boundary", "surface") and gap <= _CLOSING_PX):
        closed = thinned(np.concatenate((way, way[:1])), _EXACT_PX * unit, MAX_PLACES)
        if is_closed(closed):  # and not only there and back
            return closed
    return thinned(way, _EXACT_PX * unit, MAX_PLACES)


def _newest(context: ToolContext, kind: Kind) -> tuple[int, Attempt] | None:
    """The newest attempt of the scene with its number, if it is of that kind and on this canvas."""
    shown = attempts_on(context.scene, context.panel)
    last = shown[-1] if shown and shown[-1][0] == len(context.scene.attempts) else None
    return last if last is not None and last[1].kind == kind else None


def _with_line(context: ToolContext, kind: Kind, line: Array, further: bool) -> Scene:
    last = _newest(context, kind) if further and kind == "boundary" else None
    if last is not None and len(last[1].lines) < MAX_LINES:
        return with_line(context.scene, last[0], line)
    return with_drawn(context.scene, context.panel, kind, line)


def _with_click(context: ToolContext, kind: Kind, place: Array, further: bool) -> Scene:
    """With a line begun by a click, or the one that was begun led on to there; `further` ones go on with any line."""
    last = _newest(context, kind)
    if last is not None and (last[1].unfinished or (further and kind != "axis")):
        line = last[1].arrays[-1]
        if len(line) < MAX_PLACES and (line[-1] != place).any():
            return with_place(context.scene, last[0], place)
        return context.scene
    return with_drawn(context.scene, context.panel, kind, place[None])


def _with_centre(context: ToolContext, place: Array, further: bool) -> Scene:
    """With one more centre: in the newest attempt, as long as that has fewer than the method places."""
    place = rounded(place, context.unit)
    last, wanted = _newest(context, "centres"), centres_wanted(context.scene, context.panel)
    if last is not None and not further:
        places = last[1].arrays[0]
        if len(places) < min(MAX_PLACES, wanted or MAX_PLACES):
            return with_places(context.scene, last[0], np.vstack((places, place)))
    return with_drawn(context.scene, context.panel, "centres", place[None])


def _with_surface(context: ToolContext, place: Array, anew: bool) -> Scene:
    """With the present value at one more place: in the newest attempt, unless it starts `anew`."""
    place, value = rounded(place, context.unit), chosen_value(context)
    last = _newest(context, "surface")
    if last is None or anew:
        return with_drawn(context.scene, context.panel, "surface", place[None], (value,))
    number, attempt = last
    places = attempt.arrays[0]
    if len(places) == _MOST_VALUES:
        context.hand.refusal = _FULL
        return context.scene
    if (places == place).all(axis=1).any():
        return context.scene
    return with_places(context.scene, number, np.vstack((places, place)), (*attempt.values, value))


def _draw_level(context: ToolContext, line: Array, anew: bool) -> None:
    """Give the present value to a line: in the newest surface, unless it starts `anew`."""
    level, last = chosen_value(context), _newest(context, "surface")
    if last is None or anew:
        scene = with_surface_begun(context.scene, context.panel, line, level)
    elif _line_meets(context, last[1], line, level):
        context.hand.refusal = _TWO_VALUES
        return
    elif len(last[1].lines) == MAX_LINES:
        context.hand.refusal = _FULL
        return
    else:
        scene = with_level_line(context.scene, last[0], line, level)
    context.change(scene, "draw level line")


def _give_level(context: ToolContext, number: int, which: int) -> None:
    """Give the present value to a level line of a surface."""
    attempt, level = context.scene.attempts[number - 1], chosen_value(context)
    if _line_meets(context, attempt, attempt.arrays[1 + which], level, but=which):
        context.hand.refusal = _TWO_VALUES
    else:
        context.change(with_level(context.scene, number, which, level), _DRAWN["surface"])


def _line_meets(context: ToolContext, attempt: Attempt, line: Array, level: float, but: int = -1) -> bool:
    """Whether the line meets places of another value, or lines of another level `but` one of that number."""
    if any(_is_on(context, line, place) for place, value in _places(attempt) if value != level):
        return True
    lines = [other for which, (other, own) in enumerate(attempt.level_lines) if own != level and which != but]
    # Lines on one another do not cross; an end of one is on the other then.
    ends = (
        (one, place) for other in lines for one, places in ((line, other), (other, line)) for place in places[[0, -1]]
    )
    return any(cross(line, other) for other in lines) or any(
        distance_to(one, place, context.unit) < _EXACT_PX for one, place in ends
    )


def _place_meets(context: ToolContext, attempt: Attempt, place: Array, value: float) -> bool:
    """Whether the place is on a line of another level."""
    return any(level != value and _is_on(context, line, place) for line, level in attempt.level_lines)


def _is_on(context: ToolContext, line: Array, place: Array) -> bool:
    """Whether a click at the place takes hold of the line."""
    return distance_to(line, place, context.unit) <= NEAR_PX


def _places(attempt: Attempt) -> Iterable[tuple[Array, float]]:
    return zip(attempt.arrays[0], attempt.values, strict=True)


def _level_line_at(context: ToolContext, place: Array) -> tuple[int, int] | None:
    """The number of the newest surface and which of its level lines is at the place; None where none is."""
    last = _newest(context, "surface")
    away = [distance_to(line, place, context.unit) for line, _ in last[1].level_lines] if last is not None else []
    if last is None or not away or min(away) > NEAR_PX:
        return None
    return last[0], int(np.argmin(away))


def _give_value(context: ToolContext, number: int, which: int) -> None:
    """Give the present value to a place of a surface."""
    attempt, value = context.scene.attempts[number - 1], chosen_value(context)
    places, values = attempt.arrays[0], list(attempt.values)
    values[which] = value
    if _place_meets(context, attempt, places[which], value):
        context.hand.refusal = _TWO_VALUES
    else:
        context.change(with_places(context.scene, number, places, values), _DRAWN["surface"])


def _held_place(context: ToolContext, place: Array, kind: Kind) -> tuple[int, int] | None:
    """The number of the newest attempt and which of its centres, or values, is at the place; None where none is."""
    last = _newest(context, kind)
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
        if not centres and (
            len(np.unique(places, axis=0)) < len(places)
            or _place_meets(context, attempt, places[which], attempt.values[which])
        ):
            return
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
