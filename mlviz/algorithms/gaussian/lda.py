"""Linear discriminant analysis (Fisher 1936, doi:10.1111/j.1469-1809.1936.tb02137.x)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mlviz.algorithms.base import Code, ModelFact
from mlviz.algorithms.gaussian.gaussian_classes import GaussianClassesModel, GaussianClassifier
from mlviz.algorithms.traits import Trial
from mlviz.draw.layer import Context, chart, overlay
from mlviz.draw.marks import Arrows, Lines, Mark, Points, Polygons, Segments
from mlviz.draw.overlays import charts, gaussians, probabilities, regions
from mlviz.draw.overlays.loadings import projected_rows
from mlviz.draw.plot import Plot
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.clipping import clip_segments
from mlviz.numerics.density.gaussian_density import ClassMoments, normal_below
from mlviz.numerics.grid import Grid, as_dtype
from mlviz.spec import real

_SAME = 1e-9
"""Means closer than this, in standard deviations, are not apart in any direction."""
_BINS = 30
"""Bars across the scores of all samples."""
_REACH = 3.5
"""The curves go on for so many standard deviations beyond the outermost means."""


@dataclass(frozen=True, eq=False, kw_only=True)
class LDAModel(GaussianClassesModel):
    """A Gaussian for each of the classes (k,), all of the same covariance."""

    known_facts = (
        *GaussianClassesModel.known_facts,
        ModelFact(
            "Bayes error of the model",
            lambda m: m.bayes_error if len(m.classes) == 2 else None,
            "Share of the samples that the model itself would draw which it would put into the wrong class; "
            "Φ(−δ/2) for equal priors, δ being the distance of the means.",
        ),
    )

    @cached_property
    def _odds(self) -> tuple[Array, Any]:
        """Weights (d,) and offset of the log odds of two classes, in units."""
        weights = np.asarray(np.linalg.solve(self.pooled, self.mixture.means.T).T, dtype=np.float64)
        offsets = np.log(self.priors) - 0.5 * (weights * self.mixture.means).sum(axis=1)
        return weights[1] - weights[0], offsets[1] - offsets[0]

    @property
    def coef(self) -> Array:
        """(d,) of the log odds of two classes; else (k, d), of a score of each class."""
        if len(self.classes) == 2:
            return np.asarray(self._odds[0] / self.units.scale)
        return np.asarray(np.linalg.solve(self.pooled, (self.means / self.units.scale).T).T / self.units.scale)

    @property
    def intercept(self) -> Any:
        """What is added: a number for two classes, else (k,)."""
        if len(self.classes) == 2:
            return float(self._odds[1] - self.coef @ self.units.shift)
        return np.log(self.priors) - 0.5 * (self.coef * self.means).sum(axis=1)

    def decision_function(self, X: Array) -> Array:
        """Two classes: the log odds (n,) of classes[1]. Else log(prior times density) of each class, (n, k)."""
        if len(self.classes) != 2:
            return super().decision_function(X)
        weights, offset = self._odds
        return np.asarray(self.units.inside(np.asarray(X, dtype=np.float64)) @ weights + offset)

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray:
        """The decision function at every node, (ny, nx) or (ny, nx, k)."""
        if len(self.classes) != 2:
            return super().on_grid(grid, dtype)
        (across, up), offset = self._odds
        inside = self._in_units(grid)
        with np.errstate(over="ignore"):
            along_x = as_dtype(across * inside.x + offset, dtype)
            return np.asarray(np.add.outer(as_dtype(up * inside.y, dtype), along_x))

    @cached_property
    def scalings(self) -> Array:
        """Fisher's directions (r, d), the best one first: along each, scores vary by 1 within the classes.

        As many as the means span, in the order of the variance of the means' scores.
        """
        whitening = np.linalg.inv(np.linalg.cholesky(self.pooled))
        shares = self.counts / self.counts.sum()
        white = self.mixture.means @ whitening.T
        _, sizes, rows = np.linalg.svd(np.sqrt(shares)[:, None] * (white - shares @ white), full_matrices=False)
        found = rows[sizes > _SAME] @ whitening
        # The sign of a direction is arbitrary: it goes from the first class to the last.
        across = found @ (self.mixture.means[-1] - self.mixture.means[0])
        return np.asarray(np.where(across < 0, -1.0, 1.0)[:, None] * found / self.units.scale)

    def transform(self, X: Array) -> Array:
        """The scores along Fisher's directions, (n, r), 0 at the mean of all samples."""
        return np.asarray((np.asarray(X, dtype=np.float64) - self.units.shift) @ self.scalings.T)

    @property
    def bayes_error(self) -> float:
        """How many of the samples that the model itself would draw it would put into the wrong one of two classes."""
        first, second = map(float, self.priors)
        distance = self.distance_of_means
        if not distance:
            return min(first, second)
        shift = math.log(second / first) / distance
        return first * normal_below(shift - distance / 2) + second * normal_below(-shift - distance / 2)

    def fisher_along(self, direction: Array) -> float:
        """The squared distance of the means of two classes along a direction (d,), by the variance within them."""
        inside = direction * self.units.scale / np.abs(direction * self.units.scale).max()
        return float((inside @ (self.mixture.means[1] - self.mixture.means[0])) ** 2 / (inside @ self.pooled @ inside))


def _feet(model: LDAModel, X: Array) -> Array:
    """The nearest places to X (n, 2) on the line through the mean of all samples along the first direction."""
    along = model.scalings[0]
    length = float(np.linalg.norm(along))
    # A score is along . (x - mean); in two steps, so that no square of a length over- or underflows.
    return np.asarray(model.units.shift + (model.transform(X)[:, :1] / length) * (along / length))


@overlay(
    "direction",
    "Fisher's direction",
    "the direction along which the classes are farthest apart for their spread; the arrow joins the feet of the two "
    "outermost means on it",
)
def direction_overlay(model: LDAModel, context: Context) -> Sequence[Mark]:
    if context.grid is None or not len(model.scalings):
        return ()
    feet = _feet(model, model.means)
    order = np.argsort(model.transform(model.means)[:, 0], kind="stable")
    arrow = Arrows("component", feet[order[:1]], feet[order[-1:]], label="Fisher's direction")
    x0, x1, y0, y1 = context.grid.limits
    low, high, middle = np.array([x0, y0]), np.array([x1, y1]), model.units.shift
    along = model.scalings[0] / np.linalg.norm(model.scalings[0])
    reach = float(np.linalg.norm(np.maximum(np.abs(low - middle), np.abs(high - middle))))
    left, right = clip_segments((middle - reach * along)[None], (middle + reach * along)[None], low, high)
    if not len(left):
        return (arrow,)
    return Lines("component line", np.concatenate((left, right)), label="Fisher's direction"), arrow


@overlay("projections", "projections", "from each sample to its place along Fisher's direction", shown=False)
def _projections(model: LDAModel, context: Context) -> Sequence[Mark]:
    if context.grid is None or not len(model.scalings) or not len(context.X):
        return ()
    rows = projected_rows(model.transform(context.X)[:, 0])
    feet = _feet(model, context.X[rows])
    marks = [Segments("error", context.X[rows], feet, rows=context.rows[rows], label="projections")]
    members = [] if context.y is None else [(code, context.y[rows] == code) for code in model.classes]
    return [*marks, *(Points(f"member {code}", feet[mine]) for code, mine in members if mine.any())]


@chart("fisher", "along Fisher's direction")
def fisher_chart(model: LDAModel, context: Context) -> Plot | None:
    """The classes' samples and densities over their score along the first direction."""
    if not len(model.scalings) or context.y is None or not len(context.X):
        return None
    scores, means = model.transform(context.X)[:, 0], model.transform(model.means)[:, 0]
    marks: list[Mark] = []
    for number, code, heights in _histograms(model, context.y, scores):
        name = context.names.of_class(code)
        marks.append(Polygons(f"class {code}", heights, label=name))
        curve = np.linspace(means.min() - _REACH, means.max() + _REACH, 300)
        density = model.priors[number] * np.exp(-0.5 * (curve - means[number]) ** 2) / np.sqrt(2 * np.pi)
        marks.append(Lines(f"class {code}", np.column_stack((curve, density)), label=name))
    top = max(float(mark.xy[:, 1].max()) for mark in marks if isinstance(mark, Lines))
    threshold = _threshold(model, context)
    if threshold is not None:
        marks.append(Lines("boundary", np.array([(threshold, 0.0), (threshold, 1.15 * top)]), label="threshold"))
    title = "Samples and densities along Fisher's direction"
    return Plot("fisher", title, "score, in standard deviations within a class", "prior × density", tuple(marks))


def _histograms(model: LDAModel, y: AnyArray, scores: Array) -> Iterator[tuple[int, int, tuple[Array, ...]]]:
    """Number, code and bars of each class; the area of a class's bars is its prior."""
    edges = np.histogram_bin_edges(scores, _BINS)
    for number, code in enumerate(model.classes.tolist()):
        counts, _ = np.histogram(scores[y == code], edges)
        if not counts.any():
            continue
        heights = model.priors[number] * counts / (counts.sum() * np.diff(edges))
        seen = heights > 0
        yield number, code, charts.rectangles(edges[:-1][seen], edges[1:][seen], heights[seen])


def _threshold(model: LDAModel, context: Context) -> float | None:
    """The score along the direction where the decision changes between two classes."""
    if len(model.classes) != 2:
        return None
    zero, one = model.decision_function(np.stack((model.units.shift, model.means[1])))
    step = float(model.transform(model.means[1:])[0, 0])
    return (context.threshold - float(zero)) * step / float(one - zero) if one != zero else None


@dataclass(frozen=True)
class LDA(GaussianClassifier):
    """Gaussian classes of one shape: their boundaries are straight, and one direction separates them best.

    Class k has a prior πₖ and the density N(x; μₖ, Σ), with the same covariance Σ for all. Then the squares cancel in
    the log odds of two classes, which are linear:

        log P(1 | x) / P(0 | x) = w·x + b,    w = Σ⁻¹ (μ₁ − μ₀)

    Means and covariance maximise the likelihood: μₖ is the mean of the class's samples, Σ the mean of the products
    (x − μₖ)(x − μₖ)ᵀ over all of them. A prior adds its logarithm to the score of its class: it shifts the boundary
    without turning it. Choose priors by hand to see that.

    Fisher came to w without any Gaussian: of all directions it is the one along which the means are the farthest apart,
    measured by the spread within the classes. The arrow shows it: it joins the feet of the two outermost means; the
    side plot shows the samples projected onto it, with the threshold. It is at a right angle to the boundary (where
    inputs are standardized, before they are drawn in the units of the axes), not the line from mean to mean: where the
    ellipses are oblique, it leans. With several classes the arrow is the first of several directions, and the best
    single one.

    In the picture: a cross is the mean of a class, its ellipses are 1 and 2 standard deviations from there, the solid
    line is where two classes are equally probable, the shade is by how much the likeliest one leads. Ringed samples are
    outliers: the density p(x) of all classes together is lower there than at all but a share of the samples that the
    model itself would draw; the dotted line is where that begins.

    Shrinkage mixes in a circle of the same mean variance s², Σ ← (1 − shrinkage) Σ + shrinkage s² I; at 1 and with
    equal priors the nearest mean wins. Where Σ is singular, no direction is less wide than a thousandth of the others,
    and the caption says so.

    R. Fisher, The use of multiple measurements in taxonomic problems, 1936. Hastie, Tibshirani and Friedman, The
    Elements of Statistical Learning (2009), section 4.3.
    """

    id = "lda"
    label = "linear discriminant analysis"
    main = "shrinkage"
    trials = (
        Trial("the straight boundary between two means", "two-gaussians"),
        Trial("a straight line is not enough", "moons"),
    )
    model = LDAModel
    overlays = (
        probabilities.regions,
        gaussians.probability_contours,
        gaussians.densities,
        _projections,
        regions.boundary,
        gaussians.class_ellipses,
        direction_overlay,
        gaussians.outliers,
        regions.misclassified,
        gaussians.class_means,
    )
    charts = (fisher_chart,)

    shrinkage: float = real(
        0.0,
        soft=(0.0, 1.0),
        valid=(0.0, 1.0),
        help="how much of a circle of the same mean variance is mixed into the covariance; 0 for none",
    )

    def shapes(self, moments: ClassMoments) -> Array:
        """All classes the pooled one."""
        pooled = moments.pooled
        if self.shrinkage:
            # A circle in the coordinates of the samples is an ellipse in units.
            squares = np.maximum(moments.units.scale / moments.units.scale.max(), 1e-100) ** 2
            circle = np.diag(float((np.diagonal(pooled) * squares).mean()) / squares)
            pooled = (1 - self.shrinkage) * pooled + self.shrinkage * circle
        return np.repeat(pooled[None], len(moments.means), axis=0)

    def n_parameters(self, k: int, d: int) -> int:
        """Means, and one covariance."""
        return k * d + d * (d + 1) // 2

    def caveat_of(self, widened: int, k: int) -> str:
        """Whether the covariance was singular."""
        lost = "too few samples for a covariance, or all on parallel lines: a least width is given to it"
        return lost if widened else ""

    def code(self, model: GaussianClassesModel) -> Code | None:
        """LinearDiscriminantAnalysis; with priors that are not the samples' its covariance needs another solver."""
        priors = self.priors_code(model)
        if priors is None or model.caveat or len(model.classes) < 2 or (priors and self.shrinkage):
            return None
        imports = ("from sklearn.discriminant_analysis import LinearDiscriminantAnalysis",)
        if priors:
            note = "# Its covariance is divided by n - k, not n: the same classes, probabilities a little less sure."
            return Code(imports, (f"LinearDiscriminantAnalysis({priors})",), (note,))
        shrinkage = f", shrinkage={self.shrinkage!r}" if self.shrinkage else ""
        return Code(imports, (f'LinearDiscriminantAnalysis(solver="lsqr"{shrinkage})',))
