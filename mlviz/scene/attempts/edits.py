"""What can be drawn by hand on a canvas, which attempts it shows, and changes of them: pure functions of a scene."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

from mlviz.algorithms import Algorithm
from mlviz.draw.numbers import share
from mlviz.numerics.arrays import occurring
from mlviz.scene.attempts import ASKED_SHARE, Attempt, Kind, attempt_of, plain_line, with_attempt
from mlviz.scene.canvas_axes import axes_of
from mlviz.scene.scene import Scene, roles
from mlviz.scene.values import value_column


def kinds_of(scene: Scene, index: int) -> tuple[Kind, ...]:
    """What can be drawn on the canvas of panel `index` as an answer of its method; () where nothing can."""
    panel = scene.panels[index]
    role, (x, y) = roles(scene, panel), scene.axes
    projected = axes_of(scene, index).projection is not None
    on_axes = projected or role.inputs == (x, y) or role.inputs == (y, x)
    match role.task:
        case "classification":
            return ("boundary",)
        case "regression":
            if value_column(scene, index) is not None:
                return ("surface",) if on_axes else ()
            return ("curve",) if role.inputs == (x,) and role.target == y else ()
        case "decomposition":
            straight = has_directions(panel.pipeline.algorithm)
            return ("axis",) if straight and (projected or {x, y} <= set(role.inputs)) else ()
        case "density estimation":
            return ("level",) if on_axes else ()
    dense = panel.pipeline.algorithm.field == "score_samples"
    return () if not on_axes else ("centres", "level") if dense else ("centres",)


def has_directions(algorithm: Algorithm) -> bool:
    """Whether the components of a dimensionality reduction are straight directions among the inputs."""
    return algorithm.field is None and algorithm.traits.straight


def centres_wanted(scene: Scene, index: int) -> int | None:
    """How many centres the method of panel `index` places; None where it finds that out by itself."""
    algorithm = scene.panels[index].pipeline.algorithm
    main = next((p for p in algorithm.parameters() if p.name == algorithm.main and p.kind == "integer"), None)
    return None if main is None else int(getattr(algorithm, main.name))


def attempts_on(scene: Scene, index: int) -> tuple[tuple[int, Attempt], ...]:
    """The attempts that the canvas of panel `index` shows, with their numbers from 1, the newest last."""
    if not scene.attempts:
        return ()
    keys = {kind: _key(scene, index, kind) for kind in kinds_of(scene, index)}
    numbered = enumerate(scene.attempts, start=1)
    return tuple((number, one) for number, one in numbered if keys.get(one.kind) == one.axes)


def newest_on(scene: Scene, index: int, kind: Kind) -> tuple[int, Attempt] | None:
    """The newest attempt of the scene with its number, if it is of that kind and on the canvas of panel `index`."""
    shown = attempts_on(scene, index)
    last = shown[-1] if shown and shown[-1][0] == len(scene.attempts) else None
    return last if last is not None and last[1].kind == kind else None


def _key(scene: Scene, index: int, kind: Kind) -> tuple[str, ...]:
    """The axes of an attempt of that kind on the canvas of panel `index`; for a surface, its column too."""
    axes, column = axes_of(scene, index).key, value_column(scene, index)
    return (*axes, column) if kind == "surface" and column is not None else axes


def with_drawn(scene: Scene, index: int, kind: Kind, places: ArrayLike, values: Sequence[float] = ()) -> Scene:
    """With another attempt on the canvas of panel `index`, of one line; a surface has values at its places."""
    attempt = attempt_of(kind, _key(scene, index, kind), places, values)
    return scene.replace(attempts=with_attempt(scene.attempts, attempt))


def with_surface_begun(scene: Scene, index: int, line: ArrayLike, level: float) -> Scene:
    """With another attempt on the canvas of panel `index`: a surface that has that level along a line."""
    attempt = Attempt("surface", _key(scene, index, "surface"), ((), plain_line(line)), levels=(level,))
    return scene.replace(attempts=with_attempt(scene.attempts, attempt))


def with_level_line(scene: Scene, number: int, line: ArrayLike, level: float) -> Scene:
    """With a level along one more line in the surface of that number."""
    old = scene.attempts[number - 1]
    return _with_attempt(scene, number, lines=(*old.lines, plain_line(line)), levels=(*old.levels, level))


def with_level(scene: Scene, number: int, which: int, level: float) -> Scene:
    """With another level along one of the level lines of the surface of that number."""
    levels = list(scene.attempts[number - 1].levels)
    levels[which] = level
    return _with_attempt(scene, number, levels=tuple(levels))


def with_level_line_moved(scene: Scene, number: int, which: int, line: ArrayLike) -> Scene:
    """With one of the level lines of the surface of that number elsewhere."""
    lines = list(scene.attempts[number - 1].lines)
    lines[1 + which] = plain_line(line)
    return _with_attempt(scene, number, lines=tuple(lines))


def with_line(scene: Scene, number: int, places: ArrayLike) -> Scene:
    """With a line more in the attempt of that number."""
    return _with_attempt(scene, number, lines=(*scene.attempts[number - 1].lines, plain_line(places)))


def with_place(scene: Scene, number: int, place: ArrayLike) -> Scene:
    """With a place more at the end of the last line of the attempt of that number."""
    *others, last = scene.attempts[number - 1].lines
    return _with_attempt(scene, number, lines=(*others, (*last, *plain_line(place))))


def with_places(scene: Scene, number: int, places: ArrayLike, values: Sequence[float] | None = None) -> Scene:
    """With other places in the first line of the attempt of that number, and other values where these are given."""
    old = scene.attempts[number - 1]
    kept = old.values if values is None else tuple(values)
    return _with_attempt(scene, number, lines=(plain_line(places), *old.lines[1:]), values=kept)


def _with_attempt(scene: Scene, number: int, **changes: Any) -> Scene:
    """With the attempt of that number changed."""
    attempts = list(scene.attempts)
    attempts[number - 1] = dataclasses.replace(attempts[number - 1], **changes)
    return scene.replace(attempts=tuple(attempts))


def without_attempt(scene: Scene, number: int) -> Scene:
    """Without the attempt of that number; later ones are numbered anew."""
    return scene.replace(attempts=scene.attempts[: number - 1] + scene.attempts[number:])


def hiding(scene: Scene, on: bool) -> Scene:
    """With the methods' answers hidden, or shown: the last step of each is the answer."""
    return scene if scene.hides_answer == on else scene.replace(hides_answer=on).with_view(step=None)


def what_to_draw(scene: Scene, index: int) -> str:
    """A sentence or two for who is to predict what the method of panel `index` answers."""
    algorithm, kinds = scene.panels[index].pipeline.algorithm, kinds_of(scene, index)
    label = algorithm.label
    if "decomposition" in algorithm.tasks and not has_directions(algorithm):
        return f"Nothing can be drawn here for {label}: it finds no straight directions."
    if not kinds:
        return f"Nothing can be drawn here for {label}: let it read just the columns that are the axes."
    wanted = centres_wanted(scene, index)
    several = len(occurring(scene.dataset.labels[scene.dataset.training])) > 2
    parted = " More than two classes need more than one line." if several else ""
    centres = "its centres" if wanted is None else "its one centre" if wanted == 1 else f"its {wanted} centres"
    told: dict[Kind, str] = {
        "boundary": "draw its boundary, a line, which goes on straight at both ends, or a closed curve; "
        f"two clicks make a straight one. Shift adds a line.{parted}",
        "curve": "draw its curve, from left to right; it goes on straight at both ends. Two clicks make it straight.",
        "surface": "choose a value, then click where it will be predicted or draw a line along which it will be. A "
        "plane goes through three places, a smooth surface through more. Drag a place or a line to move it; click "
        "it to give it the present value. Shift starts anew.",
        "centres": f"click where {centres} will be. A drag moves one of them; Shift starts anew.",
        "axis": "drag along the direction in which the samples vary most. The axis goes through their mean.",
        "level": f"Or draw a closed curve, as small as you can, around {share(ASKED_SHARE)} of the samples.",
    }
    return f"Predict the answer of {label}: {' '.join(told[kind] for kind in kinds)}"
