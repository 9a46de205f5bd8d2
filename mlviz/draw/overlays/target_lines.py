"""Where a function that is fitted to the targets -1 and 1 has these values."""

from __future__ import annotations

from collections.abc import Sequence

from mlviz.draw.contours import contour_lines, join_lines
from mlviz.draw.layer import Context, overlay
from mlviz.draw.marks import Lines, Mark


@overlay(
    "targets",
    "targets",
    "where f = −1 and f = +1, which is wanted at the samples: beyond these lines being right is punished too",
    shown=False,
    parts="probe",
    tasks=("classification",),
)
def lines(model: object, context: Context) -> Sequence[Mark]:
    if context.grid is None or context.field is None or context.field.ndim != 2:
        return ()
    xy = join_lines(contour_lines(context.grid, context.field, (-1.0, 1.0), context.fine))
    return (Lines("margin", xy, label="targets f = ±1"),) if len(xy) else ()
