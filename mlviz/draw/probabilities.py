"""Overlays of classifiers that know probabilities: regions shaded by them, and their contours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.draw import overlays
from mlviz.draw.context import Context, Overlay
from mlviz.draw.marks import Array, Field, Lines, Mark, Text
from mlviz.numerics.grid import Grid

BINARY: tuple[float, ...] = (0.1, 0.9, 0.3, 0.7, 0.2, 0.8, 0.4, 0.6)
"""The contours of two classes, those first whose number is most wanted where there is no room for all."""
SEVERAL: tuple[float, ...] = (0.9, 0.7, 0.5, 0.8, 0.6)
"""The contours of the likeliest of several classes."""
INSET = 0.08
"""How far from the end of a line its number stands, as a share of its length."""
APART = 0.055
"""How far apart numbers stand at the least, as a share of the view."""


def _regions(model: Any, context: Context) -> Sequence[Mark]:
    scores = context.field
    if scores is None or context.grid is None or not hasattr(model, "predict_proba"):
        return overlays.regions.draw(model, context)
    if scores.ndim == 2:
        lead = np.tanh(np.abs(scores) / 2)
        winner = (scores > 0).astype(np.intp)
    else:
        winner = np.argmax(scores, axis=-1)
        lead = _lead(scores)
    strength = (30 + 190 * lead).astype(np.uint8)
    classes = np.asarray(model.classes)[winner].astype(np.uint8)
    return (Field("region", context.grid.x, context.grid.y, strength, classes),)


def _lead(scores: NDArray[Any]) -> NDArray[Any]:
    """By how much the likeliest class is likelier than the next, from the scores of a softmax (..., k)."""
    top = np.partition(scores, -2, axis=-1)
    total = np.exp(scores - top[..., -1:]).sum(axis=-1)
    return np.asarray((1 - np.exp(top[..., -2] - top[..., -1])) / total)


def _contours(model: Any, context: Context) -> Sequence[Mark]:
    scores = context.field
    if scores is None or context.grid is None or not hasattr(model, "predict_proba"):
        return ()
    if scores.ndim == 2:
        odds, levels, who = np.asarray(scores), BINARY, f"class {np.asarray(model.classes)[1]}"
        label = f"probability of {_name(context, who)}"
    else:
        odds, levels, label = _log_odds(scores), SEVERAL, "probability of the likeliest class"
    lines: list[Array] = []
    numbers: list[str] = []
    places: list[Array] = []
    for level in levels:
        line = overlays.contour(context.grid, odds, float(np.log(level / (1 - level))), fine=context.fine)
        if not len(line):
            continue
        lines.append(line)
        place = _end(line)
        if all(_distance(place, other, context.grid) > APART for other in places):
            places.append(place)
            numbers.append(f"{level:g}")
    if not lines:
        return ()
    gap = np.full((1, 2), np.nan)
    xy = np.concatenate([part for line in lines for part in (line, gap)][:-1])
    marks: list[Mark] = [Lines("probability", xy, label=label)]
    if places:
        marks.append(Text("probability", np.array(places), tuple(numbers)))
    return marks


def _name(context: Context, who: str) -> str:
    code = int(who.removeprefix("class "))
    return context.class_names[code] if code < len(context.class_names) else who


def _log_odds(scores: NDArray[Any]) -> NDArray[Any]:
    """The log odds of the likeliest class against all others, from the scores of a softmax (..., k)."""
    ordered = np.sort(scores.astype(np.float64), axis=-1)
    top, rest = ordered[..., -1], ordered[..., :-1]
    highest = rest[..., -1]
    return np.asarray(top - highest - np.log(np.exp(rest - highest[..., None]).sum(axis=-1)))


def _end(line: Array) -> Array:
    """A place on a polyline near its upper end: there its number stands in nothing's way."""
    breaks = np.flatnonzero(np.isnan(line[:, 0]))
    pieces = [piece[np.isfinite(piece[:, 0])] for piece in np.split(line, breaks)]
    piece = max(pieces, key=lambda part: float(np.abs(np.diff(part, axis=0)).sum()) if len(part) > 1 else -1.0)
    if piece[0, 1] < piece[-1, 1]:
        piece = piece[::-1]
    along = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(piece, axis=0).T))))
    at = INSET * along[-1]
    return np.array([np.interp(at, along, piece[:, axis]) for axis in (0, 1)])


def _distance(place: Array, other: Array, grid: Grid) -> float:
    width, height = np.ptp(grid.x), np.ptp(grid.y)
    return float(np.hypot((place[0] - other[0]) / width, (place[1] - other[1]) / height))


regions = Overlay(
    "regions",
    "regions",
    _regions,
    "where each class is the likeliest; the shade is by how much",
    tasks=("classification",),
)
contours = Overlay(
    "probability contours",
    "probability contours",
    _contours,
    "lines of equal probability",
    parts="probe",
    tasks=("classification",),
)
