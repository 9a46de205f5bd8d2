"""The tube of support vector regression, the slack outside of it, and its loss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mlviz.algorithms.margin.svr.model import SVRModel
from mlviz.draw.contours import curves
from mlviz.draw.layer import Context, OnCurve, OnLine, chart, overlay
from mlviz.draw.marks import Lines, Mark, Points, Polygons, Segments
from mlviz.draw.overlays import margins
from mlviz.draw.overlays.regions import in_sight
from mlviz.draw.plot import Handle, Plot
from mlviz.numerics.arrays import Array
from mlviz.numerics.residuals.losses import insensitive
from mlviz.numerics.sampling import subsample

_MOST_POINTS = 1000
"""More samples than that are not told apart on the curve of the loss."""
_VALUES = 121

support_vectors = replace(
    margins.support_vectors,
    help="the samples with α > 0, of which f is made: at the solution free ones are on the edge of the tube, those at "
    "the bound outside of it",
    parts="whole",
)


@overlay(
    "tube",
    "tube",
    "from f − ε to f + ε: samples within it cost nothing",
    tasks=("regression",),
    idle=lambda algorithm, classes: "" if algorithm.epsilon else "With ε = 0 the tube is the curve itself.",
)
def tube(model: SVRModel, context: OnLine) -> Sequence[Mark]:
    x, middle = context.line, model.predict(context.line[:, None])
    if not model.epsilon:
        return ()
    rims = np.column_stack((middle - model.epsilon, middle + model.epsilon))
    lines = Lines("margin", curves(x, rims), label="edges of the tube, f ± ε")
    outline = np.column_stack((np.append(x, x[::-1]), np.append(rims[:, 0], rims[::-1, 1])))
    return in_sight((Polygons("band", (outline,), label="tube"), lines), context)


@overlay("tube slack", "slack", "from each sample outside the tube to its edge", tasks=("regression",))
def slack(model: SVRModel, context: OnCurve) -> Sequence[Mark]:
    found = model.solution
    rows = np.flatnonzero(found.slack)
    if not len(rows):
        return ()
    x, y = context.X[rows, 0], context.y[rows]
    start, end = np.column_stack((x, y)), np.column_stack((x, y - np.sign(found.residual[rows]) * found.slack[rows]))
    return (Segments("slack", start, end, rows=context.rows[rows], label="slack ξ"),)


@chart("loss", "loss")
def loss_chart(model: SVRModel, context: Context) -> Plot:
    """The ε-insensitive loss with the samples on it; ε can be dragged."""
    used = np.flatnonzero(model.bound)
    used = used[np.sort(subsample(np.argsort(model.solution.residual[used], kind="stable"), _MOST_POINTS))]
    residual = model.solution.residual[used]
    epsilon = model.epsilon
    far = 1.15 * max(float(np.abs(residual).max()), 1.3 * epsilon, 0.3 * model.spread) or 1.0
    r = np.array([-far, -epsilon, epsilon, far])
    top = far - epsilon
    marks: list[Mark] = [
        Lines("margin", _uprights(epsilon, top), label="edges of the tube"),
        Lines("curve", np.column_stack((r, insensitive(r, epsilon))), label="ε-insensitive loss"),
        Points("foot", np.column_stack((residual, insensitive(residual, epsilon))), label="samples"),
    ]
    highest = context.algorithm.parameter("epsilon").valid[1]
    values = np.unique(np.append(np.linspace(0.0, min(far, highest), _VALUES), epsilon))
    places = np.column_stack((values, np.zeros(len(values))))
    handle = Handle("algorithm.epsilon", places, values, int(np.searchsorted(values, epsilon)), "ε", "upright")
    limits = (-far, far, -0.06 * top, top)
    return Plot("loss", "Loss", "residual y − f(x)", "loss", tuple(marks), limits, handles=(handle,))


def _uprights(epsilon: float, top: float) -> Array:
    """Both rims, parted by a row of NaN."""
    return np.array([(-epsilon, 0.0), (-epsilon, top), (np.nan, np.nan), (epsilon, 0.0), (epsilon, top)])
