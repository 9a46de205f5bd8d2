"""Regularized least squares classification (Hoerl and Kennard 1970; The Elements of Statistical Learning, 4.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import Algorithm, CannotFit, Code, Traits
from mlviz.algorithms.checking import weighted_rows
from mlviz.algorithms.linear.rls_model import RLSModel, arrows, whitened
from mlviz.algorithms.targets import decode_targets, encode_targets, several_classes
from mlviz.draw.inks import ACCENT, CANVAS, FAINT, RoleInk
from mlviz.draw.overlays import regions
from mlviz.numerics.arrays import Array
from mlviz.numerics.distances import FARTHEST
from mlviz.numerics.linalg.least_squares import least_squares, primal_ridge
from mlviz.spec import real

_NEAREST = 1e-150
"""Samples that are all nearer to each other have no squares to compute with."""


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

    Samples far on the right side are punished too, since their f is not 1: put one there and see the boundary turn. Of
    three classes in a row the middle one may win nowhere, because no linear function is largest in the middle.

    Reference: Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, 2nd edition (2009), sections 4.2
    and 4.3 with exercise 4.2.
    """

    id = "rls-classifier"
    label = "regularized least squares classifier"
    family = "Linear classifiers"
    tasks = ("classification",)
    main = "lambda_"
    overlays = (
        regions.regions,
        regions.targets,
        regions.boundary,
        regions.misclassified,
        arrows,
    )
    charts = (whitened,)
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
        equivalent=lambda owner, n: f"scikit-learn: alpha = n λ = {n * owner.lambda_:.4g}",
    )

    def steps(
        self, X: Array, y: NDArray[Any] | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[RLSModel]:
        """Yield the minimum, once."""
        _, X, y, weights = weighted_rows(X, y, sample_weight)
        classes, codes = several_classes(y)
        if np.abs(X).max() > FARTHEST:
            raise CannotFit("The samples are too far away to compute with their squares: standardize the inputs.")
        if 0 < np.ptp(X, axis=0).max() < _NEAREST:
            raise CannotFit("The samples are too close together to compute with their squares: standardize the inputs.")
        share = weights / weights.sum()
        middle = X.min(axis=0) / 2 + X.max(axis=0) / 2
        places = X - middle
        targets = encode_targets(codes, len(classes))
        found = [primal_ridge(places, target, share, self.lambda_) for target in targets]
        residuals = targets - np.stack([one.fitted for one in found])
        alone = targets - np.stack([one.leave_one_out for one in found])
        mean, coef = share @ places, np.stack([one.coef for one in found])
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
            leave_one_out_error=float(share @ (decode_targets(alone) != codes)),
            centroids=middle + means,
            within=(rest.T * share) @ rest,
            mahalanobis=least_squares(places, targets[0], share, np.eye(X.shape[1]), 0.0).coef if two else None,
            size=float(np.linalg.norm(np.ptp(X, axis=0))),
        )

    def code(self, model: RLSModel) -> Code:
        """RidgeClassifier, which adds the squares up instead of taking their mean."""
        return Code(
            ("from sklearn.linear_model import RidgeClassifier",),
            (f"RidgeClassifier(alpha=len(y) * {self.lambda_!r})",),
        )


def _gradient_norm(places: Array, residuals: Array, coef: Array, share: Array, lambda_: float) -> float:
    """The length of half the objective's gradient, as a share of the lengths of its terms, one a sample."""
    gradient = (residuals * share) @ places - lambda_ * coef
    size = float(((1.0 + np.abs(residuals)) * share @ np.linalg.norm(places, axis=1)).max())
    return float(np.linalg.norm(gradient)) / size if size > 0 else 0.0
