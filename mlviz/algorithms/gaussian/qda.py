"""Quadratic discriminant analysis: the Bayes classifier of Gaussian classes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.base import Code
from mlviz.algorithms.gaussian.gaussian_classes import GaussianClassesModel, GaussianClassifier
from mlviz.algorithms.traits import Trial
from mlviz.numerics.arrays import Array
from mlviz.numerics.density.gaussian_density import ClassMoments
from mlviz.spec import real


@dataclass(frozen=True)
class QDA(GaussianClassifier):
    """Each class is a Gaussian with a shape of its own; the likeliest class wins.

    Class k has a prior πₖ and the density N(x; μₖ, Σₖ). Bayes' theorem turns them round:

        P(k | x) = πₖ N(x; μₖ, Σₖ) / p(x),    p(x) = Σⱼ πⱼ N(x; μⱼ, Σⱼ)

    The means and covariances are those of the class's samples: they maximise the likelihood, so covariances are divided
    by the number of samples. Where all covariances differ, the log odds of two classes are a quadratic function of x,
    and the boundary is an ellipse, a parabola, a hyperbola or two lines. A prior adds its logarithm to the score of its
    class: a more frequent one pushes the boundary away. Choose priors by hand to see it move.

    In the picture: a cross is the mean of a class, its ellipses are 1 and 2 standard deviations from there, the solid
    line is where two classes are equally probable, the shade is by how much the likeliest one leads. It may lead
    clearly where there is nothing at all: so samples where the density p(x) of all classes together is low are
    ringed. Low means lower than at all but a share of the samples that the model itself would draw; for one class
    this is a squared Mahalanobis distance beyond that quantile of the chi-square distribution. The dotted line is where
    that begins.

    A covariance needs more samples than inputs, not on a line. Below that a direction has no variance at all, and the
    class gets the least width in it, a thousandth of the spread within the classes; the caption says so. The
    regularization mixes in a circle, Σ ← (1 − r) Σ + r I, which makes the ellipses rounder; at 1 and with
    equal priors the nearest mean wins.

    Reference: Hastie, Tibshirani and Friedman, The Elements of Statistical Learning (2009), section 4.3; J. Friedman,
    Regularized discriminant analysis, 1989, doi:10.1080/01621459.1989.10478752.
    """

    id = "qda"
    label = "quadratic discriminant analysis"
    main = "reg_param"
    trials = (
        Trial("a boundary that is round, since one class is wider than the other", "circles"),
        Trial("how the ellipses become circles", "blobs", {"reg_param": 1.0}),
    )

    reg_param: float = real(
        0.0,
        soft=(0.0, 1.0),
        valid=(0.0, 1.0),
        label="regularization",
        help="how much of a circle of radius 1 is mixed into every covariance; 0 for none",
    )

    def shapes(self, moments: ClassMoments) -> Array:
        """Each class its own."""
        if not self.reg_param:
            return moments.covariances
        circle = np.diag(np.minimum(1 / moments.units.scale, 1e100) ** 2)
        return np.asarray((1 - self.reg_param) * moments.covariances + self.reg_param * circle)

    def n_parameters(self, k: int, d: int) -> int:
        """Means, and a covariance for each class."""
        return k * d + k * d * (d + 1) // 2

    def code(self, model: GaussianClassesModel) -> Code | None:
        """QuadraticDiscriminantAnalysis; it refuses singular covariances."""
        priors = self.priors_code(model)
        if priors is None or model.caveat or len(model.classes) < 2:
            return None
        given = ", ".join(filter(None, (priors, f"reg_param={self.reg_param!r}" if self.reg_param else "")))
        imports = ("from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis",)
        return Code(imports, (f"QuadraticDiscriminantAnalysis({given})",))
