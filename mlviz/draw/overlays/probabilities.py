"""Overlays of classifiers that know probabilities: regions shaded by them, and their contours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mlviz.draw.contours import contour_lines, contour_numbers, join_lines, straightened
from mlviz.draw.layer import Context, OnField, OnNodes, overlay
from mlviz.draw.marks import Lines, Mark
from mlviz.draw.overlays import regions as overlays
from mlviz.draw.protocols import Classifies, HasClasses, HasProbabilities, provides
from mlviz.numerics.arrays import AnyArray

_BINARY: tuple[float, ...] = (0.1, 0.9, 0.3, 0.7, 0.2, 0.8, 0.4, 0.6)
"""The contours of two classes, those first whose number is most wanted where there is no room for all."""
_SEVERAL: tuple[float, ...] = (0.9, 0.5, 0.7, 0.8, 0.6)
"""The contours of the likeliest of several classes."""
_ALWAYS = (0.1, 0.9)
"""The numbers of the outermost contours stand in any case: beside them the others can be counted."""


@overlay(
    "regions",
    "regions",
    "where each class is the likeliest; the shade is by how much",
    tasks=("classification",),
)
def regions(model: Classifies, context: OnNodes) -> Sequence[Mark]:
    scores = context.field
    if scores is None or not provides(model, HasProbabilities):
        return overlays.regions.draw(model, context)
    if scores.ndim == 2:
        lead, winner = np.tanh(np.abs(scores) / 2), (scores > context.threshold).astype(np.intp)
        nowhere = overlays.untold(model, np.abs(scores - context.threshold), winner)
    else:
        power, total = _powers(scores)
        top, second, winner = overlays.ranked(power)
        lead = (top - np.maximum(second, 0)) / total  # of one class, there is no second
        nowhere = overlays.untold(model, lead, winner)
    return overlays.shaded(model, context, lead, winner, nowhere)


def _powers(scores: AnyArray) -> tuple[AnyArray, AnyArray]:
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
    found = contour_lines(context.nodes, odds, [float(np.log(p / (1 - p))) for p in levels], context.fine)
    lines = {level: line for level, line in zip(levels, found, strict=True) if len(line)}
    if not lines:
        return ()
    label = f"{label}: {' … '.join(f'{level:g}' for level in sorted({min(lines), max(lines)}))}"
    drawn = Lines("probability", straightened(join_lines(lines.values()), context.nodes), label=label)
    # Of several classes the number at 0.5 would be taken for that of the boundary, which is near.
    return drawn, *contour_numbers("probability", lines, context.nodes, "{:g}".format, _ALWAYS, without=(0.5,))


def _of_whom(model: HasClasses, context: Context) -> str:
    """The class whose probability a model of two classes gives, and against which others."""
    if context.between is None:
        return context.names.of_class(int(np.asarray(model.classes)[1]))
    positive, negative = context.between
    return f"{context.names.of_class(positive)} against {context.names.of_class(negative)}"


def _log_odds(scores: AnyArray) -> AnyArray:
    """The log odds of the likeliest class against all others, from the scores of a softmax (..., k); 14 for more."""
    _, total = _powers(scores)
    return np.asarray(-np.log(np.maximum(total - 1, 1e-6)))
