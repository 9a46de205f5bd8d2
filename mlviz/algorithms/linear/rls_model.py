"""The linear functions of regularized least squares, the directions between which they choose, and whitened samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.base import ModelFact
from mlviz.algorithms.facts import WEIGHT_LENGTH, WRONG_WHEN_LEFT_OUT
from mlviz.algorithms.linear_model import LinearScores
from mlviz.draw.layer import CODES, Context, Explanation, Names, chart, overlay
from mlviz.draw.marks import Arrows, Lines, Mark, Points, ways
from mlviz.draw.overlays import regions
from mlviz.draw.overlays.centroids import coloured_crosses
from mlviz.draw.overlays.voronoi import cell_edges
from mlviz.draw.plot import Plot
from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import Grid
from mlviz.numerics.sampling import spread_subsample

_NAMED = 3
"""So many terms of f are named in an explanation, the largest ones."""


_REACH = 2.0
"""The way to the boundary is drawn where it is at most so many times as long as the samples are wide."""
_MOST = 1500
"""So many samples are drawn at most."""
_NODES = 100
_FLAT = 1e-10
"""Where one variance is smaller than this share of the other, there is nothing to make round."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RLSModel(LinearScores):
    """The linear functions, counted from the mean of the samples, and what they are compared with."""

    objective: float
    gradient_norm: float
    leave_one_out_error: float
    centroids: Array
    """(k, d)."""
    within: Array
    """(d, d) the covariance within the classes."""
    mahalanobis: Array | None
    """(d,) the direction of w in the limit of no penalty, for two classes."""
    size: float
    """How wide the samples are."""

    known_facts = (
        ModelFact(
            "objective",
            lambda m: m.objective,
            "The mean squared residual plus λ|w|², which is made as small as possible.",
        ),
        WRONG_WHEN_LEFT_OUT,
        WEIGHT_LENGTH,
        ModelFact(
            "angle to the centroids",
            lambda m: m.angle_to(m.centroids[1] - m.centroids[0]),
            "Between w and the direction from one centroid to the other: 0 for a large λ.",
            unit="°",
        ),
        ModelFact(
            "angle to Mahalanobis",
            lambda m: m.angle_to(m.mahalanobis),
            "Between w and Σ⁻¹ times that direction, Σ being the covariance within the classes: 0 for a small λ.",
            unit="°",
        ),
        ModelFact(
            "gradient norm",
            lambda m: m.gradient_norm,
            "Length of the objective's gradient, as a share of the lengths of the samples' terms; 0 at the minimum.",
            level="solver",
        ),
    )

    def angle_to(self, direction: Array | None) -> float | None:
        """The angle between w and a direction, in degrees, where both are directions."""
        if self.coef.ndim > 1 or direction is None or not self.coef.any() or not direction.any():
            return None
        return angle(self.coef, direction)

    def explain(self, x: Array, names: Names = CODES) -> Explanation:
        """The score as a sum of terms, and the way to the boundary; of several classes the two best scores."""
        scores = self.decision_function(x[None])[0]
        if self.coef.ndim == 2:
            first, second = np.argsort(-scores, kind="stable")[:2]
            best, other = names.of_class(self.classes[first]), names.of_class(self.classes[second])
            return Explanation(f"{best}: f(x) = {scores[first]:.3g}, ahead of {other} with {scores[second]:.3g}.")
        terms = self.coef * x
        largest = sorted(np.argsort(-np.abs(terms), kind="stable")[:_NAMED])
        parts = [f"{'+' if terms[j] >= 0 else '-'} {abs(terms[j]):.3g} ({names.of_input(j)})" for j in largest]
        rest = " + smaller terms" if len(terms) > _NAMED else ""
        sentence = names.of_class(self.classes[int(scores > 0)])
        sentence += f": f(x) = {scores:.3g} = {self.intercept:.3g} {' '.join(parts)}{rest}"
        length = float(np.linalg.norm(self.coef))
        if length == 0:
            return Explanation(sentence + ".")
        distance = abs(float(scores)) / length
        foot = self.foot(x)
        near = foot is not None and distance <= _REACH * self.size
        marks = ways(x, foot, "way to the boundary") if foot is not None and near else ()
        return Explanation(f"{sentence}, {distance:.3g} from the decision boundary.", marks, measured=True)


def angle(a: Array, b: Array) -> float:
    """The angle between two directions, in degrees."""
    # By half of it, whose sine and cosine both keep their digits.
    u, v = a / np.abs(a).max(), b / np.abs(b).max()
    u, v = u / np.linalg.norm(u), v / np.linalg.norm(v)
    return float(np.degrees(2 * np.arctan2(np.linalg.norm(u - v), np.linalg.norm(u + v))))


@overlay(
    "directions",
    "directions",
    "arrows from the mean: w, and the directions that it has for a very large and a very small penalty",
    parts="probe",
    tasks=("classification",),
)
def arrows(model: RLSModel, context: Context) -> Sequence[Mark]:
    """From the mean: w, the direction between the centroids and that of Mahalanobis; their lengths say nothing."""
    if context.grid is None or model.mahalanobis is None or not model.coef.any():
        return ()
    between = model.centroids[1] - model.centroids[0]
    length = float(np.linalg.norm(between))
    # w is shorter, so that it is seen where it coincides with one of the others.
    shown = (
        ("centroid direction", between, 1.0, "from centroid to centroid"),
        ("Mahalanobis direction", model.mahalanobis, 1.0, "Mahalanobis direction"),
        ("weights", model.coef, 0.7, "direction of w"),
    )
    start = model.center[None]
    return [
        Arrows(role, start, start + share * length * direction / np.linalg.norm(direction), label=label)
        for role, direction, share, label in shown
        if 0 < np.linalg.norm(direction) < np.inf
    ]


@chart("whitened", "whitened")
def whitened(model: RLSModel, context: Context) -> Plot | None:
    if len(model.center) != 2 or context.y is None:
        return None
    root = _root(model.within)
    if root is None:
        return None
    rows = spread_subsample(context.X, _MOST)
    spots = (context.X[rows] - model.center) @ np.linalg.inv(root)
    centroids = (model.centroids - model.center) @ np.linalg.inv(root)
    low, high = spots.min(axis=0), spots.max(axis=0)
    room = 0.08 * float((high - low).max())
    limits = (low[0] - room, high[0] + room, low[1] - room, high[1] + room)
    marks: list[Mark] = []
    for code in np.unique(context.y).tolist():
        mine = context.y[rows] == code
        marks.append(Points(f"dot {code}", spots[mine]))
    edges = cell_edges(centroids, limits)
    marks.append(Lines("reference", edges, label="bisector of the centroids"))
    marks += _boundary(model, root, Grid.over(limits, _NODES, _NODES))
    marks.append(coloured_crosses(centroids, model.classes, "centroids"))
    return Plot(
        "whitened",
        "Whitened samples",
        "whitened 1",
        "whitened 2",
        tuple(marks),
        limits,
        equal=True,
    )


def _root(covariance: Array) -> Array | None:
    """The symmetric square root of a covariance (2, 2); None where it is flat."""
    values, vectors = np.linalg.eigh(covariance)
    if not values[0] > _FLAT * values[-1]:
        return None
    return np.asarray((vectors * np.sqrt(values)) @ vectors.T)


def _boundary(model: RLSModel, root: Array, grid: Grid) -> list[Mark]:
    """Where the prediction changes, on the grid of whitened places."""
    scores = model.decision_function(grid.points() @ root + model.center)
    context = Context(
        np.empty((0, 2)),
        None,
        np.empty(0, dtype=np.intp),
        None,
        "classification",
        grid=grid,
        field=scores.reshape(grid.shape + scores.shape[1:]),
    )
    return list(regions.boundary.draw(model, context))
