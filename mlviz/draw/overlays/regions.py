"""Overlays shared by several methods: regions, decision boundary, curve, residuals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import contourpy
import numpy as np
from numpy.typing import NDArray

from mlviz.draw.layer import Context, Overlay, Task
from mlviz.draw.marks import Field, Lines, Mark, Points, Polygons, Segments
from mlviz.draw.thinning import evenly
from mlviz.numerics.grid import Array, Grid

MAX_NODES = 200
"""While the hand moves, contours are traced on at most this many nodes a side: their cost grows with the grid."""


MOST_SQUARES = 500
"""More squares would be one area."""

NOISE = 2e-6
"""Rounding errors of sums in single precision, as a share of the largest value: some times that of one number."""
BISECTIONS = 10
"""How often the place of a jump is halved: from a cell of the grid to a thousandth of it."""


def contour(
    grid: Grid,
    values: NDArray[Any],
    level: float,
    inside: Callable[[Array], NDArray[np.bool_]] | None = None,
    fine: bool = False,
    terms: float | None = None,
) -> Array:
    """The level set as polylines parted by rows of NaN, (m, 2); empty where there is none.

    Tracing supposes that values are straight between nodes. Where they jump, `inside(places)` says on which side of the
    level places (m, 2) are, and each vertex is moved along its edge of the grid to where that really changes. `fine`
    uses every node of the grid. Of smooth values that are sums of
    such large `terms`, rounding errors are not traced.
    """
    x, y, traced, generator = _tracer(grid, values, fine)
    if terms is not None and (flat := _level_plains(traced, level, terms)) is not None:
        generator = _generator(x, y, np.ma.array(traced, mask=flat))
    line = _traced(generator, level)
    if inside is not None:
        drawn = np.isfinite(line[:, 0])
        line[drawn] = _at_jumps(line[drawn], x, y, inside)
    return line


def contours(grid: Grid, values: NDArray[Any], levels: Sequence[float], fine: bool = False) -> list[Array]:
    """The level sets of several levels, each as `contour` gives it; values that are straight between nodes."""
    *_, generator = _tracer(grid, values, fine)
    return [_traced(generator, level) for level in levels]


def joined(lines: Iterable[Array]) -> Array:
    """Polylines (m, 2) as one, parted by rows of NaN; empty ones leave no trace."""
    gap = np.full((1, 2), np.nan)
    parts = [part for line in lines if len(line) for part in (gap, line)]
    return np.concatenate(parts[1:]) if parts else np.empty((0, 2))


def _tracer(
    grid: Grid, values: NDArray[Any], fine: bool
) -> tuple[Array, Array, NDArray[Any], contourpy.ContourGenerator]:
    """The nodes x and y that are used, the values there, and what traces contours on them."""
    step = 1 if fine else max(1, -(-max(grid.shape) // MAX_NODES))
    # The last node is kept whatever the stride, so that lines reach the rim of the view.
    columns = np.unique(np.r_[0 : len(grid.x) : step, len(grid.x) - 1])
    rows = np.unique(np.r_[0 : len(grid.y) : step, len(grid.y) - 1])
    x, y = grid.x[columns], grid.y[rows]
    traced = values[np.ix_(rows, columns)]
    return x, y, traced, _generator(x, y, traced)


def _generator(x: Array, y: Array, traced: NDArray[Any]) -> contourpy.ContourGenerator:
    return contourpy.contour_generator(x, y, traced, line_type=contourpy.LineType.ChunkCombinedNan)


def _traced(generator: contourpy.ContourGenerator, level: float) -> Array:
    points = generator.lines(level)[0][0]
    return np.empty((0, 2)) if points is None else np.array(points, dtype=np.float64)


def _level_plains(values: NDArray[Any], level: float, terms: float) -> NDArray[np.bool_] | None:
    """Where values (ny, nx) and those around are at the level, as far as single precision tells; None where nowhere.

    What is traced there would be rounding errors.
    """
    noise = NOISE * max(abs(float(values.max())), abs(float(values.min())), terms)
    near = np.abs(values - level) <= noise
    if np.count_nonzero(near) < 9:
        return None
    flat = ~_beside(~near)
    return near & _beside(flat) if flat.any() else None


def _beside(which: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Those nodes (ny, nx) and all around them."""
    padded = np.pad(which, 1)
    across = padded[:, :-2] | padded[:, 1:-1] | padded[:, 2:]
    return across[:-2] | across[1:-1] | across[2:]


def _at_jumps(places: Array, x: Array, y: Array, inside: Callable[[Array], NDArray[np.bool_]]) -> Array:
    """Places (m, 2) on edges of the grid of nodes x and y, each moved along its edge to where `inside` changes."""
    low, high = places.copy(), places.copy()
    index = np.stack([np.interp(places[:, a], nodes, np.arange(len(nodes))) for a, nodes in enumerate((x, y))])
    along = np.argmax(np.abs(index - np.round(index)), axis=0)  # the axis in which the place is between two nodes
    for axis, nodes in enumerate((x, y)):
        mine = along == axis
        low[mine, axis] = nodes[np.floor(index[axis, mine]).astype(int)]
        high[mine, axis] = nodes[np.ceil(index[axis, mine]).astype(int)]
    at_low = inside(low)
    jumps = (at_low != inside(high))[:, None]
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        same = inside(middle) == at_low
        low[same], high[~same] = middle[same], middle[~same]
    return np.where(jumps, (low + high) / 2, places)


def leads(context: Context) -> NDArray[Any] | None:
    """By how much each class leads at each node, (ny, nx, k): positive where it is predicted, 1 where that is sure."""
    scores = context.field
    if scores is None or context.task != "classification":
        return None
    if context.leads is not None:
        return context.leads
    if scores.ndim == 2:
        above = scores - context.threshold
        return np.stack((-above, above), axis=-1)
    if scores.shape[-1] == 1:
        return scores
    planes = np.moveaxis(scores, -1, 0)
    top, second, first = ranked(planes)
    led = [plane - np.where(first == code, second, top) for code, plane in enumerate(planes)]
    return np.moveaxis(np.stack(led), 0, -1)


def ranked(planes: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.intp]]:
    """The largest and second largest of planes (k, ny, nx), place by place, and which one is the largest."""
    top, second = planes[0].copy(), np.full_like(planes[0], -np.inf)
    first = np.zeros(top.shape, dtype=np.intp)
    for code, plane in enumerate(planes[1:], start=1):
        np.maximum(second, np.minimum(top, plane), out=second)
        np.copyto(first, code, where=plane > top)
        np.maximum(top, plane, out=top)
    return top, second, first


def _regions(model: Any, context: Context) -> Sequence[Mark]:
    lead = leads(context)
    if lead is None or context.grid is None:
        return ()
    strength = 70 + 110 * np.clip(lead.max(axis=-1), 0, 1)
    classes = np.asarray(model.classes)[np.argmax(lead, axis=-1)].astype(np.uint8)
    return (Field("region", context.grid.x, context.grid.y, strength.astype(np.uint8), classes),)


def _boundary(model: Any, context: Context) -> Sequence[Mark]:
    lead = leads(context)
    if lead is None or context.grid is None or lead.shape[-1] < 2:
        return ()
    if context.doubt is not None:
        return _rims_of_doubt(model, context)
    # Of two classes the boundary of one is that of the other; of more, each one's own is needed.
    drawn = range(1, 2) if lead.shape[-1] == 2 else range(lead.shape[-1])
    lines = [contour(context.grid, lead[..., k], 0.0, _inside(model, context, k), context.fine) for k in drawn]
    xy = joined(lines)
    return (Lines("boundary", xy, label="decision boundary"),) if len(xy) else ()


def _inside(model: Any, context: Context, k: int) -> Callable[[Array], NDArray[np.bool_]] | None:
    """Whether places belong to the model's class number k; None where tracing alone is good enough."""
    if not (context.fine and model.jumps):
        return None
    decide = context.decide or model.predict
    return lambda places: np.asarray(decide(places) == model.classes[k])


def score_field(context: Context) -> NDArray[Any] | None:
    """The score (ny, nx) by which two classes are told apart: the field, or the second one's probability in it."""
    field = context.field
    return field[..., 1] if field is not None and field.ndim == 3 and field.shape[-1] == 2 else field


def _rims_of_doubt(model: Any, context: Context) -> Sequence[Mark]:
    """Where the prediction changes from a class to none: on either side of the doubt."""
    scores = score_field(context)
    if scores is None or context.grid is None or context.doubt is None:
        return ()
    decide, lines = context.decide, []
    for level, chosen in zip(context.doubt, model.classes, strict=True):

        def inside(places: Array, chosen: Any = chosen) -> NDArray[np.bool_]:
            return np.asarray(decide is not None and decide(places) == chosen)

        lines.append(
            contour(context.grid, scores, level, inside if context.fine and model.jumps else None, context.fine)
        )
    xy = joined(lines)
    return (Lines("boundary", xy, label="decision boundary"),) if len(xy) else ()


def _value_field(model: Any, context: Context) -> Sequence[Mark]:
    if context.task != "regression" or context.grid is None or context.field is None:
        return ()
    low, high = float(context.field.min()), float(context.field.max())
    middle, half = (low + high) / 2, (high - low) / 2
    # A field that is constant but for rounding is neutral, not noise at full contrast.
    share = context.field * 0 if half <= 1e-6 * abs(middle) else (context.field - middle) / half
    strength = np.clip(128 + 127 * share, 0, 255).astype(np.uint8)
    return (Field("value", context.grid.x, context.grid.y, strength),)


def predicted(model: Any, context: Context) -> tuple[NDArray[np.intp], NDArray[Any]]:
    """The samples that are predicted, by their rows in the context, and the predictions."""
    rows = np.arange(len(context.X)) if context.asked is None else context.asked
    if context.predicted is not None:
        return rows, context.predicted
    return rows, np.asarray((context.decide or model.predict)(context.X[rows]))


def _misclassified(model: Any, context: Context) -> Sequence[Mark]:
    if context.task != "classification" or context.y is None or not len(context.X):
        return ()
    rows, fitted = predicted(model, context)
    # What is put into no class is not put into a wrong one.
    wrong = rows[(fitted != context.y[rows]) & np.isin(fitted, model.classes)]
    if not len(wrong):
        return ()
    places = context.X[wrong][:, :2] if context.grid is not None else np.full((len(wrong), 2), np.nan)
    return (Points("misclassified", places, rows=context.rows[wrong], label="misclassified"),)


def _curve(model: Any, context: Context) -> Sequence[Mark]:
    if context.line is None:
        return ()
    xy = np.column_stack((context.line, model.predict(context.line[:, None])))
    return (Lines("curve", xy, label="prediction"),)


def _residuals(model: Any, context: Context) -> Sequence[Mark]:
    if context.line is None or context.y is None or not len(context.X):
        return ()
    rows, fitted = predicted(model, context)
    x = context.X[rows, 0]
    start, end = np.column_stack((x, context.y[rows])), np.column_stack((x, fitted))
    return (Segments("residual", start, end, context.rows[rows], label="residuals"),)


def _squared_residuals(model: Any, context: Context) -> Sequence[Mark]:
    if context.line is None or context.y is None or not len(context.X):
        return ()
    rows, fitted = predicted(model, context)
    x, y = context.X[rows, 0], context.y[rows]
    drawn = evenly(np.argsort(x, kind="stable"), MOST_SQUARES)
    squares = []
    for left, low, high in zip(x[drawn], y[drawn], fitted[drawn], strict=True):
        side = high - low
        squares.append(np.array([(left, low), (left, high), (left + side, high), (left + side, low)]))
    label = "squared residuals" if len(drawn) == len(x) else f"squared residuals, {len(drawn)} of {len(x)}"
    return (Polygons("square", tuple(squares), label=label),)


_CLASSES: tuple[Task, ...] = ("classification",)
_VALUES: tuple[Task, ...] = ("regression",)

regions = Overlay(
    "regions", "regions", _regions, "where each class is predicted; paler where the method is less sure", tasks=_CLASSES
)
boundary = Overlay("boundary", "decision boundary", _boundary, "where the prediction changes", tasks=_CLASSES)
misclassified = Overlay(
    "misclassified", "misclassified", _misclassified, "samples whose class is predicted wrongly", tasks=_CLASSES
)
value_field = Overlay(
    "value field", "predicted values", _value_field, "the prediction as a shade, neutral in the middle", tasks=_VALUES
)
curve = Overlay("curve", "curve", _curve, "the prediction over the input", tasks=_VALUES)
residuals = Overlay("residuals", "residuals", _residuals, "from each sample to its prediction", tasks=_VALUES)
squared_residuals = Overlay(
    "squared residuals",
    "squared residuals",
    _squared_residuals,
    "squares whose areas the fit adds up",
    shown=False,
    tasks=_VALUES,
)
