"""Linear discriminant analysis (Fisher 1936, doi:10.1111/j.1469-1809.1936.tb02137.x)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import Code
from mlviz.algorithms.gaussian.fitting import GaussianClassifier
from mlviz.algorithms.gaussian.lda.model import LDAModel
from mlviz.algorithms.gaussian.model import GaussianClassesModel
from mlviz.draw.layer import Context, chart, overlay
from mlviz.draw.marks import Arrows, Lines, Mark, Points, Polygons, Segments
from mlviz.draw.overlays import gaussians, probabilities, regions
from mlviz.draw.overlays.charts import rectangles
from mlviz.draw.plot import Plot
from mlviz.numerics.arrays import Array
from mlviz.numerics.clipping import clip_segments
from mlviz.numerics.density.class_moments import ClassMoments
from mlviz.numerics.sampling import subsample
from mlviz.spec import real

_MOST = 2000
"""Projections of so many samples are drawn; of more nothing could be told apart."""
_BINS = 30
"""Bars across the scores of all samples."""
_REACH = 3.5
"""The curves go on for so many standard deviations beyond the outermost means."""


def _feet(model: LDAModel, X: Array) -> Array:
    """The nearest places to X (n, 2) on the line through the mean of all samples along the first direction."""
    along = model.scalings[0]
    length = float(np.linalg.norm(along))
    # A score is along . (x - mean); in two steps, so that no square of a length over- or underflows.
    return np.asarray(model.units.shift + (model.transform(X)[:, :1] / length) * (along / length))


@overlay(
    "direction",
    "Fisher's direction",
    "the direction along which the classes are farthest apart for their spread; the arrow goes from mean to mean",
)
def direction(model: LDAModel, context: Context) -> Sequence[Mark]:
    if context.grid is None or not len(model.scalings):
        return ()
    feet = _feet(model, model.means)
    order = np.argsort(model.transform(model.means)[:, 0], kind="stable")
    start, end = feet[order[:1]], feet[order[-1:]]
    arrow = Arrows("component", start, end, label="Fisher's direction")
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
    rows = np.arange(len(context.X))
    if len(rows) > _MOST:
        rows = subsample(np.argsort(model.transform(context.X)[:, 0], kind="stable"), _MOST)
    feet = _feet(model, context.X[rows])
    marks: list[Mark] = [Segments("error", context.X[rows], feet, rows=context.rows[rows], label="projections")]
    for code in model.classes:
        mine = context.y[rows] == code if context.y is not None else np.zeros(len(rows), dtype=bool)
        if mine.any():
            marks.append(Points(f"member {code}", feet[mine]))
    return marks


@chart("fisher", "along Fisher's direction")
def along(model: LDAModel, context: Context) -> Plot | None:
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


def _histograms(model: LDAModel, y: NDArray[Any], scores: Array) -> Iterator[tuple[int, int, tuple[Array, ...]]]:
    """Number, code and bars of each class; the area of a class's bars is its prior."""
    edges = np.histogram_bin_edges(scores, _BINS)
    for number, code in enumerate(model.classes.tolist()):
        counts, _ = np.histogram(scores[y == code], edges)
        if not counts.any():
            continue
        heights = model.priors[number] * counts / (counts.sum() * np.diff(edges))
        seen = heights > 0
        yield number, code, rectangles(edges[:-1][seen], edges[1:][seen], heights[seen])


def _threshold(model: LDAModel, context: Context) -> float | None:
    """The score along the direction where the decision changes between two classes."""
    if len(model.classes) != 2:
        return None
    zero, one = model.decision_function(np.stack((model.units.shift, model.means[1])))
    step = float(model.transform(model.means[1:])[0, 0])
    return (context.threshold - float(zero)) * step / float(one - zero) if one != zero else None


@dataclass(frozen=True)
class LDA(GaussianClassifier):
    """Gaussian classes of one shape: their boundaries are straight, and one direction parts them best.

    Class k has a prior πₖ and the density N(x; μₖ, Σ), with the same covariance Σ for all. Then the squares cancel in
    the log odds of two classes, which are linear:

        log P(1 | x) / P(0 | x) = w·x + b,    w = Σ⁻¹ (μ₁ − μ₀)

    Means and covariance maximise the likelihood: μₖ is the mean of the class's samples, Σ the mean of the products
    (x − μₖ)(x − μₖ)ᵀ over all of them. A prior adds its logarithm to the score of its class: it shifts the boundary
    without turning it. Choose priors by hand to see that.

    Fisher came to w without any Gaussian: of all directions it is the one along which the means are the farthest apart,
    measured by the spread within the classes. The arrow shows it, from the first class's mean to the last one's; the
    side plot shows the samples seen along it, with the threshold. It is at a right angle to the boundary (where inputs
    are standardized, before they are drawn in the units of the axes), not the line from mean to mean: where the
    ellipses are oblique, it leans. With several classes the arrow is the first of several directions, and the best
    single one.

    In the picture: a cross is the mean of a class, its ellipses are 1 and 2 standard deviations from there, the solid
    line is where two classes are equally probable, the shade is by how much the likeliest one leads. Ringed samples are
    outliers: the density p(x) of all classes together is smaller there than at all but a share of the samples that the
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
    model = LDAModel
    overlays = (
        probabilities.regions,
        gaussians.probability_contours,
        gaussians.densities,
        _projections,
        regions.boundary,
        gaussians.class_ellipses,
        direction,
        gaussians.outliers,
        regions.misclassified,
        gaussians.class_means,
    )
    charts = (along,)

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
        return (
            "too few samples for a covariance, or all on parallel lines: a least width is given to it"
            if widened
            else ""
        )

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
