"""The hand on a surface that is drawn as an answer: values at places and along lines, one value at a place. No Qt."""

from __future__ import annotations

from collections.abc import Generator, Iterable

import numpy as np

from mlviz.interaction.gesture import NEAR_PX, STILL_PX, Pointer, ToolContext, follow, rounded
from mlviz.interaction.values import chosen_value
from mlviz.numerics.arrays import Array
from mlviz.numerics.drawn_lines import cross, distance_to
from mlviz.scene.attempts import MAX_LINES, Attempt
from mlviz.scene.attempts.edits import (
    newest_on,
    with_drawn,
    with_level,
    with_level_line,
    with_level_line_moved,
    with_places,
    with_surface_begun,
)
from mlviz.scene.scene import Scene

GIVE_VALUE = "give value"
EXACT_PX = 0.7
"""By so much a line may go past places that it leaves out."""
_MOST_VALUES = 50
"""A surface goes through so many values at the most."""
_FULL = f"A surface goes through {MAX_LINES - 1} lines and {_MOST_VALUES} places at the most. Shift begins another one."
TWO_VALUES = "This would meet a line or a place of another value, and a surface has only one value at a place."


def with_value(context: ToolContext, place: Array, anew: bool) -> Scene:
    """With the present value at one more place: in the newest attempt, unless it starts `anew`."""
    place, value = rounded(place, context.unit), chosen_value(context)
    last = newest_on(context.scene, context.panel, "surface")
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


def draw_level(context: ToolContext, line: Array, anew: bool) -> None:
    """Give the present value to a line: in the newest surface, unless it starts `anew`."""
    level, last = chosen_value(context), newest_on(context.scene, context.panel, "surface")
    if last is None or anew:
        scene = with_surface_begun(context.scene, context.panel, line, level)
    elif _line_meets(context, last[1], line, level):
        context.hand.refusal = TWO_VALUES
        return
    elif len(last[1].lines) == MAX_LINES:
        context.hand.refusal = _FULL
        return
    else:
        scene = with_level_line(context.scene, last[0], line, level)
    context.change(scene, "draw level line")


def give_level(context: ToolContext, number: int, which: int) -> None:
    """Give the present value to a level line of a surface."""
    attempt, level = context.scene.attempts[number - 1], chosen_value(context)
    if _line_meets(context, attempt, attempt.arrays[1 + which], level, but=which):
        context.hand.refusal = TWO_VALUES
    else:
        context.change(with_level(context.scene, number, which, level), GIVE_VALUE)


def _line_meets(
    context: ToolContext, attempt: Attempt, line: Array, level: float, but: int = -1, beside: float = EXACT_PX
) -> bool:
    """Whether the line meets places of another value, or lines of another level `but` one of that number.

    Lines meet that cross, or of which one has a place so near `beside` the other, logical pixels.
    """
    if any(_is_on(context, line, place) for place, value in _places(attempt) if value != level):
        return True
    lines = [other for which, (other, own) in enumerate(attempt.level_lines) if own != level and which != but]
    # Where lines do not cross, they are nearest to each other at a place of one of them.
    return any(
        cross(line, other)
        or min(distance_to(line, other, context.unit), distance_to(other, line, context.unit)) < beside
        for other in lines
    )


def place_meets(context: ToolContext, attempt: Attempt, place: Array, value: float) -> bool:
    """Whether the place is on a line of another level."""
    return any(level != value and _is_on(context, line, place) for line, level in attempt.level_lines)


def _is_on(context: ToolContext, line: Array, place: Array) -> bool:
    """Whether a click at the place takes hold of the line."""
    return distance_to(line, place, context.unit) <= NEAR_PX


def _places(attempt: Attempt) -> Iterable[tuple[Array, float]]:
    return zip(attempt.arrays[0], attempt.values, strict=True)


def level_line_at(context: ToolContext, place: Array) -> tuple[int, int] | None:
    """The number of the newest surface and which of its level lines is at the place; None where none is."""
    last = newest_on(context.scene, context.panel, "surface")
    away = [distance_to(line, place, context.unit) for line, _ in last[1].level_lines] if last is not None else []
    if last is None or not away or min(away) > NEAR_PX:
        return None
    return last[0], int(np.argmin(away))


def give_value(context: ToolContext, number: int, which: int) -> None:
    """Give the present value to a place of a surface."""
    attempt, value = context.scene.attempts[number - 1], chosen_value(context)
    places, values = attempt.arrays[0], list(attempt.values)
    values[which] = value
    if place_meets(context, attempt, places[which], value):
        context.hand.refusal = TWO_VALUES
    else:
        context.change(with_places(context.scene, number, places, values), GIVE_VALUE)


def drag_level_line(context: ToolContext, press: Pointer, number: int, which: int) -> Generator[None, Pointer, bool]:
    """Move it with the hand, but not onto a line or a place of another value; returns whether it was moved."""
    line, level = context.scene.attempts[number - 1].level_lines[which]

    def go(pointer: Pointer) -> None:
        moved = line + rounded(pointer.place - press.place, context.unit)
        # Lines of one shape never cross; a hand that moves one past another would leave them a pixel apart.
        if _line_meets(context, context.scene.attempts[number - 1], moved, level, which, NEAR_PX):
            context.hand.refusal = TWO_VALUES
        else:
            context.change(with_level_line_moved(context.scene, number, which, moved), "move level line")

    return (yield from follow(press, go, STILL_PX))
