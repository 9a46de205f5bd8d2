"""What classifiers share that describe each class by a Gaussian: priors, moments, outliers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import Algorithm, CannotFit
from mlviz.algorithms.gaussian_classes_model import GaussianClassesModel
from mlviz.numerics.class_moments import ClassMoments
from mlviz.numerics.gaussians import Gaussians, raised
from mlviz.numerics.grid import Array
from mlviz.spec import choice, per_class, real

PROBES = 512
"""The density is probed at so many places of each class."""
FACT_HELP = (
    ("priors", "How probable each class is before anything is measured, in the order of the classes."),
    (
        "distance of means",
        "Mahalanobis distance between the means of the classes, by the covariance within them: how many standard "
        "deviations they are apart.",
    ),
    (
        "smallest distance of means",
        "Mahalanobis distance between the two nearest means, by the covariance within the classes.",
    ),
    ("log-likelihood", "Logarithm of prior times density of its own class, added up over the samples."),
    ("parameters", "How many numbers are estimated: priors, means and covariances."),
    (
        "covariance condition",
        "Largest variance of a class in any direction, divided by its smallest: 1 is a circle, above about 1e8 the "
        "density means little.",
    ),
    ("outliers", "Number of samples where p(x) is smaller than at all but the chosen share of what the model draws."),
)


@dataclass(frozen=True)
class GaussianClassifier(Algorithm):
    """A classifier whose classes are Gaussians."""

    model: ClassVar[type[GaussianClassesModel]] = GaussianClassesModel

    prior: str = choice(
        "from data",
        "equal",
        "by hand",
        label="priors",
        help="how probable the classes are beforehand: as frequent as among the samples, all alike, or as you say",
    )
    priors: tuple[float, ...] = per_class(
        1.0,
        soft=(0.01, 100.0),
        valid=(1e-9, 1e9),
        log=True,
        label="proportions",
        help="how frequent each class is, compared with the others; what counts is their ratio",
        when=("prior", ("by hand",)),
    )
    outlier_share: float = real(
        0.01,
        soft=(1e-4, 0.2),
        valid=(1e-5, 0.5),
        log=True,
        label="outlier share",
        help="p(x) counts as small where only this share of the samples that the model itself would draw has less",
    )

    def shapes(self, moments: ClassMoments) -> Array:
        """The classes' covariances in units, (k, d, d); may be singular."""
        raise NotImplementedError

    def n_parameters(self, k: int, d: int) -> int:
        """How many numbers a fit of k classes in d inputs chooses."""
        raise NotImplementedError

    def caveat_of(self, widened: int, k: int) -> str:
        """What is said where that many of the k covariances were singular."""
        return f"the covariance of {widened} of {k} classes is singular and is given a least width" if widened else ""

    def steps(
        self, X: Array, y: NDArray[Any] | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[GaussianClassesModel]:
        """Yield the classes' Gaussians, once."""
        assert y is not None
        weights = np.ones(len(X)) if sample_weight is None else sample_weight
        if not weights.all():
            X, y, weights = X[weights > 0], y[weights > 0], weights[weights > 0]
        if not len(X):
            raise CannotFit("There are no samples yet.")
        classes, codes = np.unique(y, return_inverse=True)
        moments = ClassMoments.of(X, codes, weights)
        if moments is None:
            raise CannotFit("The samples are too far apart or too close together to compute variances.")
        k, d = moments.means.shape
        shapes = self.shapes(moments)
        covariances = raised(shapes)
        widened = int((covariances != shapes).any(axis=(1, 2)).sum())
        priors = self.prior_of(classes, moments.counts)
        directions = rng.standard_normal((PROBES, d))
        yield self.model(
            classes=classes,
            units=moments.units,
            inside=Gaussians(priors, moments.means, covariances),
            pooled=np.einsum("k,kij->ij", moments.counts / moments.counts.sum(), covariances),
            samples=moments.units.inside(X),
            codes=codes,
            sample_weight=weights,
            n_parameters=self.n_parameters(k, d) + (k - 1 if self.prior == "from data" else 0),
            outlier_share=self.outlier_share,
            directions=directions / np.linalg.norm(directions, axis=1, keepdims=True),
            caveat=self.caveat_of(widened, k),
        )

    def prior_of(self, classes: NDArray[Any], counts: Array) -> Array:
        """The prior of each of the classes (k,), which have samples of these weights (k,)."""
        match self.prior:
            case "from data":
                proportions = counts
            case "equal":
                proportions = np.ones(len(classes))
            case _:
                known = type(self).parameter("priors")
                # Classes that are not codes are counted in their order.
                codes = classes.tolist() if classes.dtype.kind in "iu" else range(len(classes))
                proportions = np.array([known.for_class(self.priors, code) for code in codes])
        return np.asarray(proportions / proportions.sum())

    def priors_code(self, model: GaussianClassesModel) -> str | None:
        """scikit-learn's argument for the priors; None where it depends on the classes' names."""
        if self.prior == "from data":
            return ""
        if self.prior == "equal":
            k = len(model.classes)
            return f"priors=np.full({k}, 1 / {k})"
        return None
