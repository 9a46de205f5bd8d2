"""Overlays of classifiers that know probabilities: regions shaded by them, and their contours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.draw.contours import contour_lines, join_lines, straightened
from mlviz.draw.layer import Context, OnField, OnGrid, overlay
from mlviz.draw.marks import Field, Lines, Mark, Text
from mlviz.draw.overlays import regions as overlays
from mlviz.draw.protocols import HasClasses, HasProbabilities
from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import Grid

_BINARY: tuple[float, ...] = (0.1, 0.9, 0.3, 0.7, 0.2, 0.8, 0.4, 0.6)
"""The contours of two classes, those first whose number is most wanted where there is no room for all."""
_SEVERAL: tuple[float, ...] = (0.9, 0.5, 0.7, 0.8, 0.6)
"""The contours of the likeliest of several classes."""
_ALWAYS = (0.1, 0.9)
"""The numbers of the outermost contours stand in any case: beside them the others can be counted."""
LABEL_PLACES = (0.08, 0.2)
"""Where on a line its number may stand, as shares of its length from its upper end: there it is in nothing's way."""
LABEL_GAP = 0.055
"""How far apart numbers stand at the least, as a share of the view."""
_CLEAR = 0.025
"""How far other lines are from a number at the least, as a share of the view."""


@overlay(
    "regions",
    "regions",
    "where each class is the likeliest; the shade is by how much",
    tasks=("classification",),
)
def regions(model: HasClasses, context: OnGrid) -> Sequence[Mark]:
    scores = context.field
    if scores is None or not isinstance(model, HasProbabilities):
        return overlays.regions.draw(model, context)
    if scores.ndim == 2:
        lead, winner = np.tanh(np.abs(scores) / 2), (scores > context.threshold).astype(np.intp)
    else:
        power, total = _powers(scores)
        top, second, winner = overlays.ranked(power)
        lead = (top - np.maximum(second, 0)) / total  # of one class, there is no second
    strength = (30 + 190 * lead).astype(np.uint8)
    classes = np.asarray(model.classes)[winner].astype(np.uint8)
    return (Field("region", context.grid.x, context.grid.y, strength, classes),)


def _powers(scores: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Numbers (k, ny, nx) in the ratio of the probabilities, the largest of each place 1, and their sums (ny, nx)."""
    planes = np.moveaxis(scores, -1, 0)
    power = np.exp(planes - planes.max(axis=0))
    return power, power.sum(axis=0)


@overlay(
    "probability contours",
    "probability contours",
    "lines of equal probability",
    parts="probe",
    tasks=("classification",),
)
def contours(model: HasProbabilities, context: OnField) -> Sequence[Mark]:
    scores = context.field
    if scores.ndim == 2:
        odds, levels, label = np.asarray(scores), _BINARY, f"probability of {_of_whom(model, context)}"
    else:
        odds, levels, label = _log_odds(scores), _SEVERAL, "probability of the likeliest class"
    found = contour_lines(context.grid, odds, [float(np.log(p / (1 - p))) for p in levels], context.fine)
    lines = {level: line for level, line in zip(levels, found, strict=True) if len(line)}
    if not lines:
        return ()
    label = f"{label}: {' … '.join(f'{level:g}' for level in sorted({min(lines), max(lines)}))}"
    marks: list[Mark] = [Lines("probability", straightened(join_lines(lines.values()), context.grid), label=label)]
    numbers = _numbers({level: context.grid.to_nodes(line) for level, line in lines.items()}, context.grid)
    if numbers:
        words = tuple(f"{level:g}" for level in numbers)
        places = context.grid.to_places(np.array(list(numbers.values())))
        marks.append(Text("probability", places, words, centered=True))
    return marks


def _numbers(lines: dict[float, Array], grid: Grid) -> dict[float, Array]:
    """Level -> the place (2,) of its number, of those for which there is room; lines and places are on the axes."""
    view = np.array([np.ptp(grid.x), np.ptp(grid.y)])
    found: dict[float, Array] = {}
    for level, line in lines.items():
        # Of several classes, 0.5 would be taken for the number of the boundary, which is near.
        if level == 0.5 or not np.isfinite(line).any():
            continue
        others = np.concatenate([np.empty((0, 2)), *(other for key, other in lines.items() if key != level)])
        for place in _upper_end(line):
            beside = np.array(list(found.values())).reshape(-1, 2)
            clear = level in _ALWAYS or _gap(place, others, view) > _CLEAR
            if clear and _gap(place, beside, view) > LABEL_GAP:
                found[level] = place
                break
    return found


def _gap(place: Array, others: Array, view: Array) -> float:
    """The distance to the nearest of the other places (m, 2), as a share of the view."""
    away = ((others - place) / view) ** 2
    return float(np.sqrt(np.fmin.reduce(away.sum(axis=1), initial=np.inf)))


def _of_whom(model: HasClasses, context: Context) -> str:
    """The class whose probability a model of two classes gives, and against which others."""
    if context.between is None:
        return context.names.of_class(int(np.asarray(model.classes)[1]))
    positive, negative = context.between
    return f"{context.names.of_class(positive)} against {context.names.of_class(negative)}"


def _log_odds(scores: NDArray[Any]) -> NDArray[Any]:
    """The log odds of the likeliest class against all others, from the scores of a softmax (..., k); 14 for more."""
    _, total = _powers(scores)
    return np.asarray(-np.log(np.maximum(total - 1, 1e-6)))


def _upper_end(line: Array) -> Array:
    """Places (m, 2) near the upper end of the longest piece of a polyline."""
    breaks = np.flatnonzero(np.isnan(line[:, 0]))
    pieces = [piece[np.isfinite(piece[:, 0])] for piece in np.split(line, breaks)]
    piece = max(pieces, key=lambda part: float(np.abs(np.diff(part, axis=0)).sum()) if len(part) > 1 else -1.0)
    if piece[0, 1] < piece[-1, 1]:
        piece = piece[::-1]
    along = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(piece, axis=0).T))))
    return np.column_stack([np.interp(np.array(LABEL_PLACES) * along[-1], along, coordinate) for coordinate in piece.T])
