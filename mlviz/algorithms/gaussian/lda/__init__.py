"""Linear discriminant analysis (Fisher 1936, doi:10.1111/j.1469-1809.1936.tb02137.x)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.base import Code
from mlviz.algorithms.gaussian.fitting import GaussianClassifier
from mlviz.algorithms.gaussian.lda import picture
from mlviz.algorithms.gaussian.lda.model import LDAModel
from mlviz.algorithms.gaussian.model import GaussianClassesModel
from mlviz.draw.overlays import gaussian_classes, probabilities, regions
from mlviz.numerics.arrays import Array
from mlviz.numerics.density.class_moments import ClassMoments
from mlviz.spec import real


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
        gaussian_classes.probability_contours,
        gaussian_classes.densities,
        picture.projections,
        regions.boundary,
        gaussian_classes.ellipses,
        picture.direction,
        gaussian_classes.outliers,
        regions.misclassified,
        gaussian_classes.means,
    )
    charts = (picture.along,)

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
