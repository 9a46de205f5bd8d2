"""What classifiers share that describe each class by a Gaussian: priors, moments, outliers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import Algorithm, CannotFit, Traits
from mlviz.algorithms.checking import weighted_rows
from mlviz.algorithms.gaussian.model import GaussianClassesModel
from mlviz.draw.layer import Overlay
from mlviz.draw.overlays import gaussians, probabilities, regions
from mlviz.numerics.arrays import Array
from mlviz.numerics.density.class_moments import ClassMoments
from mlviz.numerics.density.gaussian_mixture import Gaussians, floor_eigenvalues
from mlviz.spec import choice, per_class, real

_FROM_DATA, _EQUAL, _BY_HAND = "priors from data", "equal priors", "priors by hand"


@dataclass(frozen=True)
class GaussianClassifier(Algorithm, abstract=True):
    """A classifier whose classes are Gaussians."""

    family = "Generative classifiers"
    tasks = ("classification",)
    traits = Traits(playable=False)
    overlays: ClassVar[tuple[Overlay, ...]] = (
        probabilities.regions,
        gaussians.probability_contours,
        gaussians.densities,
        regions.boundary,
        gaussians.class_ellipses,
        gaussians.outliers,
        regions.misclassified,
        gaussians.class_means,
    )
    model: ClassVar[type[GaussianClassesModel]] = GaussianClassesModel

    prior: str = choice(
        _FROM_DATA,
        _EQUAL,
        _BY_HAND,
        label="priors",
        help="how probable the classes are beforehand: as frequent as among the samples, all alike, or as you say",
        aliases={"from data": _FROM_DATA, "equal": _EQUAL, "by hand": _BY_HAND},
    )
    priors: tuple[float, ...] = per_class(
        1.0,
        soft=(0.01, 100.0),
        valid=(1e-9, 1e9),
        log=True,
        label="proportions",
        help="how frequent each class is, compared with the others; what counts is their ratio",
        when=("prior", (_BY_HAND,)),
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
        if not widened:
            return ""
        which = f"{widened} of {k} classes has" if k > 1 else "the class has"
        return f"{which} too few samples for a covariance, or all on a line, and is given a least width"

    def steps(
        self, X: Array, y: NDArray[Any] | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[GaussianClassesModel]:
        """Yield the classes' Gaussians, once."""
        _, X, y, weights = weighted_rows(X, y, sample_weight)
        if not len(X):
            raise CannotFit("There are no samples yet.")
        order = np.argsort(y, kind="stable")
        X, y, weights = X[order], y[order], weights[order]
        starts = np.concatenate(([0], np.flatnonzero(y[1:] != y[:-1]) + 1))
        moments = ClassMoments.of(X, starts, weights)
        if moments is None:
            raise CannotFit("The samples are too far apart or too close together to compute variances.")
        k, d = moments.means.shape
        shapes = self.shapes(moments)
        covariances = floor_eigenvalues(shapes)
        widened = 0 if covariances is shapes else int((covariances != shapes).any(axis=(1, 2)).sum())
        priors = self.prior_of(y[starts], moments.counts)
        yield self.model(
            classes=y[starts],
            units=moments.units,
            mixture=Gaussians(priors, moments.means, covariances),
            counts=moments.counts,
            samples=X,
            starts=starts,
            sample_weight=weights,
            n_parameters=self.n_parameters(k, d) + (k - 1 if self.prior == _FROM_DATA else 0),
            outlier_share=self.outlier_share,
            seed=int(rng.integers(2**32)),
            caveat=self.caveat_of(widened, k),
        )

    def prior_of(self, classes: NDArray[Any], counts: Array) -> Array:
        """The prior of each of the classes (k,), which have samples of these weights (k,)."""
        if self.prior == _FROM_DATA:
            return np.asarray(counts / counts.sum())
        if self.prior == _EQUAL:
            return np.full(len(classes), 1 / len(classes))
        proportions = np.array(self.parameter("priors").for_classes(self.priors, classes.tolist()))
        return np.asarray(proportions / proportions.sum())

    def priors_code(self, model: GaussianClassesModel) -> str | None:
        """scikit-learn's argument for the priors; None where it depends on the classes' names."""
        if self.prior == _FROM_DATA:
            return ""
        if self.prior == _EQUAL:
            k = len(model.classes)
            return f"priors=np.full({k}, 1 / {k})"
        return None
