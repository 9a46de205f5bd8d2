"""What classifiers share that describe each class by a Gaussian: priors, moments, and what their models say."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from mlviz.algorithms.base import Algorithm, CannotFit, ModelFact, ScoreModel, Traits
from mlviz.algorithms.checking import refuse_beyond, weighted_rows
from mlviz.algorithms.gaussian_density import GaussianDensity
from mlviz.draw.layer import UNNAMED, Explanation, Names, Overlay
from mlviz.draw.marks import ways
from mlviz.draw.numbers import number, numbers_apart, probability, some_have
from mlviz.draw.overlays import gaussians, probabilities, regions
from mlviz.numerics.arrays import AnyArray, Array, Labels, Mask
from mlviz.numerics.density.gaussian_density import ClassMoments, log_joint, outlier_log_density, squared_distances
from mlviz.numerics.density.gaussian_mixture import Gaussians, Units, floor_eigenvalues, log_density, quadratics_on_grid
from mlviz.numerics.grid import Grid, as_dtype
from mlviz.spec import choice, per_class, real

_FROM_DATA, _EQUAL, _BY_HAND = "priors from data", "equal priors", "priors by hand"
CLASSES_TOLD = 3
"""How many classes are named in an explanation at the most."""
_TOLD_FROM = 0.001
"""A class of a smaller probability is not named there."""


@dataclass(frozen=True, eq=False, kw_only=True)
class GaussianClassesModel(GaussianDensity, ScoreModel):
    """A Gaussian for each of the classes (k,), weighted by its prior."""

    units: Units
    mixture: Gaussians
    """The Gaussians of the samples in those `units`."""
    counts: Array
    """(k,) the sum of the weights of each class's samples."""
    samples: Array
    """(n, d) what was fitted, sorted by class."""
    starts: Labels
    """(k,) where the samples of each class begin."""
    sample_weight: Array
    n_parameters: int
    """How many numbers the fit has chosen."""
    outlier_share: float
    caveat: str

    known_facts: ClassVar[tuple[ModelFact, ...]] = (
        ModelFact(
            "priors",
            lambda m: ", ".join(map(number, m.priors)),
            "How probable each class is before anything is measured, in the order of the classes.",
        ),
        ModelFact(
            "distance of means",
            lambda m: m.distance_of_means if len(m.classes) == 2 else None,
            "Mahalanobis distance between the means of the classes, by the covariance within them: how many "
            "standard deviations they are apart.",
            beside=lambda m: m.steepness,
        ),
        ModelFact(
            "smallest distance of means",
            lambda m: m.distance_of_means if len(m.classes) > 2 else None,
            "Mahalanobis distance between the two nearest means, by the covariance within the classes.",
            beside=lambda m: m.steepness,
        ),
        ModelFact(
            "log-likelihood",
            lambda m: m.log_likelihood,
            "Logarithm of prior times density of its own class, added up over the samples.",
        ),
        ModelFact(
            "parameters",
            lambda m: m.n_parameters,
            "How many numbers are estimated: priors, means and covariances.",
            level="more",
        ),
        ModelFact(
            "covariance condition",
            lambda m: m.condition,
            "Largest variance of a class in any direction, divided by its smallest, inputs being measured by "
            "their spread within the classes: large where they nearly depend on each other.",
        ),
        ModelFact(
            "outliers",
            lambda m: int((m.log_densities < m.outlier_level).sum()),
            "Number of samples where p(x) is lower than at all but the chosen share of what the model draws.",
        ),
    )

    @property
    def priors(self) -> Array:
        """(k,)."""
        return self.mixture.weights

    def _joint(self, X: Array) -> Array:
        return log_joint(self.mixture, self.units.inside(np.asarray(X, dtype=np.float64)))

    def decision_function(self, X: Array) -> Array:
        """Two classes: the log odds (n,) of classes[1]. Else log(prior times density) of each class, (n, k)."""
        joint = self._joint(X)
        return joint[1] - joint[0] if len(joint) == 2 else joint.T - self._log_unit

    def mahalanobis(self, X: Array) -> Array:
        """The Mahalanobis distance of each place from each class's mean, (n, k)."""
        return np.sqrt(squared_distances(self.mixture, self.units.inside(np.asarray(X, dtype=np.float64)))).T

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray:
        """The decision function at every node, (ny, nx) or (ny, nx, k)."""
        coefficients = self.mixture.coefficients
        if len(coefficients) == 2:
            # Of one quadratic: where both classes have the same covariance, no square is left.
            (odds,) = quadratics_on_grid(coefficients[1:] - coefficients[:1], self._in_units(grid))
            return as_dtype(odds, dtype)
        joint = quadratics_on_grid(coefficients, self._in_units(grid)) - self._log_unit
        return np.moveaxis(as_dtype(joint, dtype), 0, -1)

    def density_on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray:
        """Log p(x) at every node, (ny, nx)."""
        joint = quadratics_on_grid(self.mixture.coefficients, self._in_units(grid)) - self._log_unit
        return log_density(as_dtype(joint, dtype))

    @cached_property
    def pooled(self) -> Array:
        """The covariance within the classes, each counting by its samples, in units, (d, d)."""
        return np.asarray(np.einsum("k,kij->ij", self.counts / self.counts.sum(), self.mixture.covariances))

    @cached_property
    def _joint_of_samples(self) -> Array:
        return self._joint(self.samples)

    @cached_property
    def log_densities(self) -> Array:
        """Log p(x) at each sample, in the order of `samples`, (n,)."""
        return np.asarray(log_density(self._joint_of_samples.copy()) - self._log_unit)

    @cached_property
    def log_likelihood(self) -> float:
        """The weighted sum of the samples' log(prior times density of their class)."""
        n = len(self.samples)
        numbers = np.repeat(np.arange(len(self.classes)), np.diff(self.starts, append=n))
        return float(self.sample_weight @ (self._joint_of_samples[numbers, np.arange(n)] - self._log_unit))

    @cached_property
    def outlier_level(self) -> float:
        """The log p(x) that only the outlier share of what the model would draw stays below."""
        return outlier_log_density(self.mixture, self.outlier_share) - self._log_unit

    def is_outlier(self, X: Array) -> Mask:
        """Whether p(x) is small at each place, (n,)."""
        return np.asarray(self.score_samples(X) < self.outlier_level)

    @cached_property
    def distance_of_means(self) -> float:
        """The smallest Mahalanobis distance between two classes' means, by the pooled covariance; k > 1."""
        white = self.mixture.means @ np.linalg.inv(np.linalg.cholesky(self.pooled)).T
        i, j = np.triu_indices(len(white), 1)
        return float(np.linalg.norm(white[i] - white[j], axis=1).min())

    @property
    def condition(self) -> float:
        """The largest ratio of the variances of a class in any two directions, in units."""
        variances = np.linalg.eigvalsh(self.mixture.covariances)
        return float((variances[:, -1] / variances[:, 0]).max())

    @property
    def steepness(self) -> float:
        """What a length of 1, in units, is at most as a Mahalanobis distance."""
        return float(1 / np.sqrt(np.linalg.eigvalsh(self.mixture.covariances)[:, 0].min()))

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """The likeliest classes with their priors and distances, and whether any is near."""
        proba, distance = self.predict_proba(x[None])[0], self.mahalanobis(x[None])[0]
        told = np.argsort(-proba, kind="stable")[: max(1, min(CLASSES_TOLD, int((proba >= _TOLD_FROM).sum())))]
        parts = [
            f"{names.of_class(self.classes[k])} with probability {probability(proba[k])} "
            f"(prior {number(self.priors[k])}, Mahalanobis distance {number(distance[k], beside=self.steepness)})"
            for k in told
        ]
        density = float(self.score_samples(x[None])[0])
        told_density, level = numbers_apart(density, self.outlier_level)
        sentence = f"{'; '.join(parts)}; log p(x) = {told_density}"
        if density < self.outlier_level:
            sentence += f", below {level}: far from every class"
        return Explanation(sentence + ".", ways(self.means[told], x), measured=True)


@dataclass(frozen=True)
class GaussianClassifier(Algorithm, ABC, abstract=True):
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
        help="p(x) counts as low where only this share of the samples that the model itself would draw has a lower one",
    )

    @abstractmethod
    def shapes(self, moments: ClassMoments) -> Array:
        """The classes' covariances in units, (k, d, d); may be singular."""

    @abstractmethod
    def n_parameters(self, k: int, d: int) -> int:
        """How many numbers a fit of k classes in d inputs chooses."""

    def caveat_of(self, widened: int, k: int) -> str:
        """What is said where that many of the k covariances were singular."""
        lost = f"{some_have(widened, k, 'class', 'classes')} too few samples for a covariance, or all on a line"
        return f"{lost}: a least width is taken instead" if widened else ""

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[GaussianClassesModel]:
        """Yield the classes' Gaussians, once."""
        _, X, y, weights = weighted_rows(X, y, sample_weight)
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
        yield self.model(
            classes=y[starts],
            units=moments.units,
            mixture=Gaussians(self.prior_of(moments.counts), moments.means, covariances),
            counts=moments.counts,
            samples=X,
            starts=starts,
            sample_weight=weights,
            n_parameters=self.n_parameters(k, d) + (k - 1 if self.prior == _FROM_DATA else 0),
            outlier_share=self.outlier_share,
            caveat=self.caveat_of(widened, k),
        )

    def prior_of(self, counts: Array) -> Array:
        """The prior of each of the classes (k,), in their order, which have samples of these weights (k,)."""
        if self.prior == _FROM_DATA:
            return np.asarray(counts / counts.sum())
        if self.prior == _EQUAL:
            return np.full(len(counts), 1 / len(counts))
        refuse_beyond(self, len(counts))
        proportions = np.array(self.parameter("priors").for_classes(self.priors, len(counts)))
        return np.asarray(proportions / proportions.sum())

    def priors_code(self, model: GaussianClassesModel) -> str | None:
        """scikit-learn's argument for the priors; None where it depends on the classes' names."""
        if self.prior == _FROM_DATA:
            return ""
        if self.prior == _EQUAL:
            k = len(model.classes)
            return f"priors=np.full({k}, 1 / {k})"
        return None
