"""Principal component analysis (Pearson 1901, doi:10.1080/14786440109462720; Hotelling 1933)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import Algorithm, CannotFit, Code, Traits
from mlviz.algorithms.components import pca_model as components
from mlviz.algorithms.components.pca_model import PCAModel
from mlviz.draw.inks import RoleInk, Tone
from mlviz.numerics.arrays import Array
from mlviz.numerics.linalg.principal_axes import principal_axes


@dataclass(frozen=True)
class PCA(Algorithm):
    """The directions in which the samples vary most, each at a right angle to those before.

    The first component u₁ is the direction of length 1 that maximises the variance λ₁ = u₁ᵀ S u₁ of the samples'
    projections; S = Σᵢ wᵢ (xᵢ − m)(xᵢ − m)ᵀ / (n − 1) is their covariance, m their mean, wᵢ the weight of a sample (1
    unless weights are given) and n the sum of the weights. The next component does so at a right angle to the first,
    and so on. They are the eigenvectors of S, and the variances λ₁ ≥ λ₂ ≥ … its eigenvalues.

    In the picture an arrow of length √λ, one standard deviation, goes from the mean along each component. The dashed
    line is that of the first one. A sample's projection is its foot on that line, and the thin segment between
    the two is what is lost when only the first score is kept: the reconstruction error. Of all lines this one has the
    smallest sum of squared errors: the variance along a line and the squared errors, divided by n − 1 too, add up to
    the total variance, so that most of one is least of the other. The side plots show the variances, with the share
    that the first ones explain together, and how the two trade off while a direction turns; move the cursor over the
    canvas for the scores of a place.

    A component is a direction without a sense: here its largest entry is positive. Where the two largest variances
    differ so little that equal ones may well do so too, the samples do not say which directions they mean, and the line
    under the picture warns of it: of two inputs with equal variances in 95 % of all cases (Mauchly's test, 1940, exact
    for normal samples), of more inputs at least as often.
    Classes are not looked at. Components depend on units: an input with large numbers takes the first one. Standardized
    inputs count alike, but of two of them the components are always the diagonals; the arrows are at right angles in
    the standardized inputs, and no longer when they are drawn in the units of the axes.

    K. Pearson, On lines and planes of closest fit to systems of points in space, 1901, doi:10.1080/14786440109462720.
    I. Jolliffe, Principal Component Analysis, 2nd edition, 2002, doi:10.1007/b98835.
    """

    id = "pca"
    label = "principal component analysis"
    family = "Dimensionality reduction"
    tasks = ("decomposition",)
    overlays = (components.ellipses, components.line, components.errors, components.feet, components.axes)
    charts = (components.scree, components.turning)
    traits = Traits(playable=False)
    inks = {"spread": RoleInk(Tone(pale=0.25), width=1.6, dash="dotted")}

    def steps(
        self, X: Array, y: NDArray[Any] | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[PCAModel]:
        """Yield the components, once."""
        weights = np.ones(len(X)) if sample_weight is None else sample_weight
        if not weights.all():
            X, weights = X[weights > 0], weights[weights > 0]
        if not len(X):
            raise CannotFit("There are no samples yet.")
        columns = np.ascontiguousarray(X.T)  # sums along rows of memory take a tenth of the time
        if not np.ptp(columns, axis=1).any():
            one = "There is only 1 sample" if len(X) == 1 else "All samples are at the same place"
            raise CannotFit(f"{one}; principal components need samples at two places at least.")
        n = float(weights.sum())
        if n <= 1:
            raise CannotFit(f"The weights add up to {n:.4g}; a variance needs a sum above 1.")
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            found = principal_axes(columns, weights, n - 1)
        if found is None:
            raise CannotFit("The samples are too far apart or too close together to compute variances.")
        mean, axes, deviations = found
        yield PCAModel(mean, axes, deviations**2, n)

    def code(self, model: PCAModel) -> Code:
        """PCA; the sense of its components may be the other one."""
        return Code(("from sklearn.decomposition import PCA",), ("PCA()",), result="explained_variance_")
