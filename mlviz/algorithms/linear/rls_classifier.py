"""Regularized least squares classification (Hoerl and Kennard 1970; The Elements of Statistical Learning, 4.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mlviz.algorithms.base import WEIGHT_LENGTH, WRONG_WHEN_LEFT_OUT, Algorithm, CannotFit, Code, ModelFact, Traits
from mlviz.algorithms.checking import weighted_rows
from mlviz.algorithms.drawn import LineObjective
from mlviz.algorithms.kernels.many_ridges import Design, ManyRidges
from mlviz.algorithms.linear_model import LinearScores
from mlviz.algorithms.targets import decode_targets, encode_targets, several_classes
from mlviz.algorithms.traits import Trial
from mlviz.draw.inks import ACCENT, CANVAS, FAINT, RoleInk
from mlviz.draw.layer import UNNAMED, Context, Explanation, Names, OnTargets, chart, overlay
from mlviz.draw.marks import Arrows, Lines, Mark, Points
from mlviz.draw.numbers import number, numbers_apart
from mlviz.draw.overlays import centroids, regions
from mlviz.draw.plot import Plot
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.distances import FARTHEST_COMPUTABLE
from mlviz.numerics.grid import Grid
from mlviz.numerics.linalg.feature_ridge import ridge_by_singular_values
from mlviz.numerics.linalg.least_squares import least_squares
from mlviz.numerics.linalg.ridge import WeightedRows
from mlviz.numerics.sampling import spread_subsample
from mlviz.spec import real

_REACH = 2.0
"""The way to the boundary is drawn where it is at most so many times as long as the samples are wide."""
_MOST = 1500
"""So many samples are drawn at most."""
_NODES = 100
_FLAT = 1e-10
"""Where one variance is smaller than this share of the other, there is nothing to make round."""
_NEAREST = 1e-150
"""Samples that are all nearer to each other have no squares to compute with."""


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
            beside=lambda m: 180.0,
        ),
        ModelFact(
            "angle to Mahalanobis",
            lambda m: m.angle_to(m.mahalanobis),
            "Between w and Σ⁻¹ times that direction, Σ being the covariance within the classes: 0 for a small λ.",
            unit="°",
            beside=lambda m: 180.0,
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

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """The score as a sum of terms, and the way to the boundary; of several classes the two best scores."""
        if self.coef.ndim == 1:
            sentence = f"f(x) = {self.sum_at(x, names)}"
            return self.told_with_way(x, names, sentence, farthest=_REACH * self.size, label="way to the boundary")
        scores = self.decision_function(x[None])[0]
        first, second = np.argsort(-scores, kind="stable")[:2]
        best, other = names.of_class(self.classes[first]), names.of_class(self.classes[second])
        ahead, behind = numbers_apart(scores[first], scores[second], beside=1.0)
        return Explanation(f"{best}: f(x) = {ahead}, ahead of {other} with {behind}.")


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
def arrows_overlay(model: RLSModel, context: Context) -> Sequence[Mark]:
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
def whitened_chart(model: RLSModel, context: OnTargets) -> Plot | None:
    root = _root(model.within)
    if root is None or len(model.center) != 2:
        return None
    rows = spread_subsample(context.X, _MOST)
    spots = (context.X[rows] - model.center) @ np.linalg.inv(root)
    middles = (model.centroids - model.center) @ np.linalg.inv(root)
    low, high = spots.min(axis=0), spots.max(axis=0)
    room = 0.08 * float((high - low).max())
    limits = (low[0] - room, high[0] + room, low[1] - room, high[1] + room)
    marks = (
        *(Points(f"dot {code}", spots[context.y[rows] == code]) for code in np.unique(context.y).tolist()),
        Lines("reference", centroids.cell_edges(middles, limits), label="bisector of the centroids"),
        *_boundary(model, context, root, Grid.over(limits, _NODES, _NODES)),
        centroids.coloured_crosses(middles, model.classes, "centroids"),
    )
    return Plot("whitened", "Whitened samples", "whitened 1", "whitened 2", marks, limits, equal=True)


def _root(covariance: Array) -> Array | None:
    """The symmetric square root of a covariance (2, 2); None where it is flat."""
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray((vectors * np.sqrt(values)) @ vectors.T) if values[0] > _FLAT * values[-1] else None


def _boundary(model: RLSModel, context: Context, root: Array, grid: Grid) -> Sequence[Mark]:
    """Where the prediction changes, on the grid of whitened places."""
    scores = model.decision_function(grid.points() @ root + model.center)
    field = scores.reshape(grid.shape + scores.shape[1:])
    return regions.boundary.draw(model, replace(context, grid=grid, field=field, class_margins=None))


@dataclass(frozen=True)
class RLSClassifier(Algorithm):
    """Ridge regression on the classes, written as numbers: the sign of the prediction decides.

    Two classes y = ±1:

        minimise  (1/n) Σ (yᵢ − w·xᵢ − b)² + λ |w|²

    The offset b is not penalised. The solution is one linear system; no step is iterated. Several classes: each has a
    target of its own, 1 for its samples and 0 for all others, and its own fⱼ(x) = wⱼ·x + bⱼ by the same formula. The
    largest fⱼ wins; they add up to 1 everywhere.

    λ turns the direction of w. A large λ leaves the direction from one centroid to the other, as the nearest centroid
    classifier has it. A small one takes the spread of the samples into account: w becomes Σ⁻¹ (c₁ − c₀), where Σ is the
    covariance within the classes, the direction of Fisher and of linear discriminant analysis (Mahalanobis distance).

    In the picture: arrows from the mean of all samples show w and both directions; "angle" among the facts tells how
    far w is from each. Beside it, the same samples with Σ made round ("whitened"). There the direction of a small λ is
    that of the centroids, and the boundary is parallel to their perpendicular bisector. The two lines coincide only for
    classes of equal size: otherwise the offset moves the boundary into the smaller class.

    Samples far on the right side are penalised too, since their f is not 1: put one there and see the boundary turn. Of
    three classes in a row the middle one may win nowhere, because no linear function is largest in the middle.

    Reference: Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, 2nd edition (2009), sections 4.2
    and 4.3 with exercise 4.2.
    """

    id = "rls-classifier"
    label = "regularized least squares classifier"
    family = "Linear classifiers"
    tasks = ("classification",)
    main = "lambda_"
    trials = (
        Trial("a straight boundary through the curved data", "moons"),
        Trial("each class has its part of the plane", "blobs"),
    )
    overlays = (regions.regions, regions.targets, regions.boundary, regions.misclassified, arrows_overlay)
    charts = (whitened_chart,)
    traits = Traits(playable=False)
    inks = {
        "centroid direction": RoleInk(FAINT, FAINT, width=1.8, halo=CANVAS),
        "Mahalanobis direction": RoleInk(ACCENT, ACCENT, width=1.8, halo=CANVAS),
    }

    lambda_: float = real(
        0.01,
        soft=(1e-6, 1e3),
        valid=(1e-12, 1e12),
        log=True,
        label="λ",
        help="weight of the penalty: large for the direction of the centroids, small for that of Mahalanobis",
        equivalent=lambda owner, n: f"scikit-learn: alpha = n λ = {number(n * owner.lambda_, 4)}",
    )

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[RLSModel]:
        """Yield the minimum, once."""
        _, X, y, weights = weighted_rows(X, y, sample_weight)
        classes, codes = several_classes(y)
        if np.abs(X).max() > FARTHEST_COMPUTABLE:
            raise CannotFit("The samples are too far away to compute with their squares: standardize the inputs.")
        if 0 < np.ptp(X, axis=0).max() < _NEAREST:
            raise CannotFit("The samples are too close together to compute with their squares: standardize the inputs.")
        share = weights / weights.sum()
        middle = X.min(axis=0) / 2 + X.max(axis=0) / 2
        places = X - middle
        targets = encode_targets(codes, len(classes))
        found = ridge_by_singular_values(WeightedRows.of(places, share), targets.T, self.lambda_)
        residuals, mean, coef = targets - found.fitted.T, found.mean, found.coef.T
        alone = targets - np.stack([found.alone(which).leave_one_out for which in range(len(targets))])
        two = len(classes) == 2
        member = (codes == np.arange(len(classes))[:, None]) * share
        means = (member / member.sum(axis=1, keepdims=True)) @ places
        rest = places - means[codes]
        yield RLSModel(
            classes=classes,
            coef=coef[0] if two else coef,
            center=middle + mean,
            offset=float(targets[0] @ share) if two else targets @ share,
            objective=float((residuals**2 @ share).sum() + self.lambda_ * (coef**2).sum()),
            gradient_norm=_gradient_norm(places - mean, residuals, coef, share, self.lambda_),
            leave_one_out_error=float(np.mean(decode_targets(alone) != codes)),
            centroids=middle + means,
            within=(rest.T * share) @ rest,
            mahalanobis=least_squares(places, targets[0], share, np.ones(X.shape[1])).coef if two else None,
            size=float(np.linalg.norm(np.ptp(X, axis=0))),
        )

    def line_objective(self) -> LineObjective:
        """That of straight functions, for two classes."""
        return LineObjective("squared", l2=self.lambda_)

    def many_fits(self) -> ManyRidges:
        """Those for all penalties by one decomposition."""
        return ManyRidges(lambda method: None, lambda method, X: Design(X, False))

    def code(self, model: RLSModel) -> Code:
        """RidgeClassifier, which adds the squares up instead of taking their mean."""
        fit = f"RidgeClassifier(alpha=len(y) * {self.lambda_!r})"
        return Code(("from sklearn.linear_model import RidgeClassifier",), (fit,))


def _gradient_norm(places: Array, residuals: Array, coef: Array, share: Array, lambda_: float) -> float:
    """The length of half the objective's gradient, as a share of the lengths of its terms, one a sample."""
    gradient = (residuals * share) @ places - lambda_ * coef
    size = float(((1.0 + np.abs(residuals)) * share @ np.linalg.norm(places, axis=1)).max())
    return float(np.linalg.norm(gradient)) / size if size > 0 else 0.0
