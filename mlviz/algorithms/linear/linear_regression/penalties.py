"""What a penalty does to the weights: their path over its strength, the soft threshold, its ball for two of them."""

from __future__ import annotations

import numpy as np

from mlviz.algorithms.basis_pictures import term_axis
from mlviz.algorithms.linear.linear_regression.model import LinearRegressionModel
from mlviz.draw.contours import curves
from mlviz.draw.layer import Context, chart
from mlviz.draw.marks import Ellipses, Lines, Mark, Points, Polygons, Text
from mlviz.draw.overlays.charts import MOST_NAMES
from mlviz.draw.plot import Handle, Plot
from mlviz.numerics.arrays import Array
from mlviz.numerics.bases.monomials import Monomials
from mlviz.numerics.convex.newton import soft_threshold

_STRENGTHS = 80
_MIXED = 40
"""So many strengths of an elastic net, each of which is a problem of its own."""
_MOST_MIXED = 100
"""With more weights its path takes too long."""
_SHOWN = 1e-4
"""The path of a lasso goes down to this share of the strength at which all weights are 0."""
_COUNTED, _ABOVE = 9, 0.1
"""At so many strengths, but the ends, weights are counted; how far above the path that stands, as a share of it."""
_LEVELS = np.array([0.25, 1.0, 2.25])
_ROUND = np.linspace(0.0, 2 * np.pi, 181)


@chart("path", "coefficient path")
def path_chart(model: LinearRegressionModel, context: Context) -> Plot | None:
    """Each weight over the strength of the penalty, which can be dragged."""
    problem = model.problem
    if not model.lambda_ or problem.budget is not None or not model.at_minimum:
        return None
    if problem.l1 and problem.l2 and len(model.penalized) > _MOST_MIXED:
        return None
    lambdas, at = _strengths(model, context)
    weights = model.path(lambdas)
    names, _, label = term_axis(model.basis, context)
    marks: list[Mark] = [Lines("path", curves(lambdas, weights), label="weights")]
    told = _apart(weights[0], 0.06 * float(np.ptp(weights)))
    places = np.column_stack((np.full(len(told), lambdas[0]), weights[0][told]))
    marks.append(Text("path", places, tuple(names[j] for j in told)))
    if problem.l1 and not problem.l2:
        entries = problem.corners(float(lambdas[0])).entries
        entries = entries[np.isfinite(entries)]
        marks.append(
            Points("zero", np.column_stack((entries, np.zeros(len(entries)))), label="where a weight leaves 0")
        )
    if problem.l1:
        marks.append(_counts(lambdas, weights))
    now = np.column_stack((np.full(len(names), model.lambda_), model.penalized))
    there = f": {int((model.penalized != 0).sum())} of {len(names)} are not 0" if problem.l1 else ""
    marks.append(Points("now", now, label=f"the fit shown{there}"))
    places = np.column_stack((lambdas, np.zeros(len(lambdas))))
    handle = Handle("algorithm.lambda_", places, lambdas, at, label="λ", kind="upright")
    return Plot("path", "Coefficient path", "λ", label, tuple(marks), x_scale="log", handles=(handle,))


def _counts(lambdas: Array, weights: Array) -> Text:
    """How many of the weights (m, p) are not 0 at some of the strengths (m,): numbers along the top of the path."""
    low, high = min(0.0, float(weights.min())), max(0.0, float(weights.max()))
    at = np.linspace(0, len(lambdas) - 1, _COUNTED).round().astype(int)[:-1]
    counts = np.count_nonzero(weights[at[1:]], axis=1)
    places = np.column_stack((lambdas[at], np.full(len(at), high + _ABOVE * (high - low))))
    return Text("path", places, ("not 0:", *map(str, counts)), centered=True)


def _strengths(model: LinearRegressionModel, context: Context) -> tuple[Array, int]:
    """The strengths (m,) over which the path is drawn, and which of them is that of the model."""
    low, high = context.algorithm.parameter("lambda_").soft
    if model.problem.l1:
        end = model.problem.net.largest_l1 / model.problem.l1_ratio
        low, high = (_SHOWN * end, 1.5 * end) if end > 0 else (low, high)
    low, high = min(low, model.lambda_), max(high, model.lambda_)
    count = _MIXED if model.problem.l1 and model.problem.l2 else _STRENGTHS
    lambdas = np.unique(np.append(np.geomspace(low, high, count), model.lambda_))
    return lambdas, int(np.searchsorted(lambdas, model.lambda_))


@chart("soft threshold", "soft threshold")
def threshold_chart(model: LinearRegressionModel, context: Context) -> Plot | None:
    """The soft-threshold function with the weights on it: at the minimum each is that of what the others leave."""
    problem = model.problem
    if not problem.l1 or not model.at_minimum:
        return None
    net, w, threshold = problem.net, model.penalized, problem.l1 / 2
    squares = net.H.diagonal()
    left = net.c - net.H @ w + squares * w
    end = 1.1 * max(float(np.abs(left).max(initial=0.0)), 2 * threshold)
    z = np.array([-end, -threshold, threshold, end])
    # The curvature of what is left without the L1 penalty: its half.
    scale, told = "s²", "s²: mean square of a term"
    if problem.l2:
        scale, told = "(s² + λ₂)", f"{told}, λ₂ = λ(1 − α)"
    marks: list[Mark] = [
        Lines("reference", np.array([(-end, -end), (end, end)]), label="without the L1 penalty"),
        Lines("curve", np.column_stack((z, soft_threshold(z, threshold))), label=f"soft threshold; {told}"),
    ]
    there = w != 0
    on_curve = np.column_stack((left, squares * w))
    if (~there).any():
        marks.append(Points("zero", on_curve[~there], label="weights that are exactly 0"))
    if there.any():
        marks.append(Points("now", on_curve[there], label="weights that are not 0"))
    lambdas = np.unique(np.append(np.linspace(0.0, 2 * end / problem.l1_ratio, 200)[1:], problem.strength))
    places = np.column_stack((lambdas * problem.l1_ratio / 2, np.zeros(len(lambdas))))
    at = int(np.searchsorted(lambdas, problem.strength))
    handle = Handle("algorithm.lambda_", places, lambdas, at, label="threshold", kind="upright")
    return Plot(
        "soft threshold",
        "Soft threshold",
        "product with what the others leave",
        f"weight · {scale}",
        tuple(marks),
        (-end, end, -end, end),
        handles=(handle,),
    )


@chart("ball", "penalty and loss")
def ball_chart(model: LinearRegressionModel, context: Context) -> Plot | None:
    """Of two weights: contours of the loss, and all weights with the penalty of the fit, which they touch there."""
    problem, w = model.problem, model.penalized
    if len(w) != 2 or not model.lambda_ or not model.at_minimum:
        return None
    B, t = problem.columns
    values, vectors = np.linalg.eigh(B.T @ B)
    if not values[0] > 1e-9 * values[1]:
        return None
    best = np.asarray(np.linalg.lstsq(B, t, rcond=None)[0], dtype=np.float64)
    more = max(0.0, float(((B @ (w - best)) ** 2).sum()))
    mapped = isinstance(model.basis, Monomials) and model.basis.mapped
    scaled = "" if mapped else context.scaled
    names = [", ".join(filter(None, (name, scaled))) for name in term_axis(model.basis, context).names]
    marks: list[Mark] = []
    if more > 0:
        axes = vectors / np.sqrt(values)
        levels = np.sqrt(_LEVELS * more)
        shown = np.array([level * axes for level in levels])
        marks.append(Ellipses("basis", np.repeat(best[None], len(levels), axis=0), shown, label="equal loss"))
    ball = _ball(problem.l1_ratio, w)
    if ball is not None:
        kind = {0.0: "L2", 1.0: "L1"}.get(problem.l1_ratio, "elastic net")
        marks.insert(0, Polygons("square", (ball,), label=f"{kind} penalty at most that of the fit"))
    if not (problem.l1 and problem.l2):
        end = max(problem.net.largest_l1, 100 * float(values[1]), problem.strength)
        path = model.path(np.geomspace(1e-6 * min(end, float(values[0])), end, 120))
        marks.append(Lines("path", path, label="fits of other λ"))
    marks.append(Points("reference", best[None], label="without a penalty"))
    marks.append(Points("now", w[None], label="the fit shown"))
    x, y = (f"w of {name}" for name in names)
    return Plot("ball", "Penalty and loss", x, y, tuple(marks), equal=True)


def _ball(ratio: float, w: Array) -> Array | None:
    """All places (m, 2) with the penalty of the weights w (2,), of which `ratio` is L1; None where there is none."""
    least = ratio * float(np.abs(w).sum()) + (1 - ratio) * float(w @ w)
    if not least > 0:
        return None
    way = np.column_stack((np.cos(_ROUND), np.sin(_ROUND)))
    slope = ratio * np.abs(way).sum(axis=1)
    # (1 - ratio) r² + slope r = least, written so that nothing cancels.
    return np.asarray(way * (2 * least / (slope + np.sqrt(slope**2 + 4 * (1 - ratio) * least)))[:, None])


def _apart(values: Array, gap: float) -> list[int]:
    """The values, largest magnitude first, that are farther than `gap` from those before: their names have room."""
    chosen: list[int] = []
    for j in np.argsort(-np.abs(values), kind="stable").tolist():
        if len(chosen) < MOST_NAMES and all(abs(values[j] - values[i]) > gap for i in chosen):
            chosen.append(j)
    return chosen
