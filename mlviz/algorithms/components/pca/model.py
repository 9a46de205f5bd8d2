"""What principal component analysis learns and tells."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from mlviz.algorithms.base import Model, ModelFact
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.marks import Points, Segments
from mlviz.draw.numbers import number, p_equals
from mlviz.numerics.arrays import Array
from mlviz.numerics.distances import length_of, reach
from mlviz.numerics.linalg.principal_axes import covariance_and_gram_axes
from mlviz.spec.brief import Brief

_TOLD = 4
"""So many variances are told one by one."""
_EXPLAINED = "Share of the variance of all inputs that is left when only these components are kept."
_CHANCE = 0.05
"""Variances that differ as much with a higher probability, although they are equal, have no direction of their own."""
MOST_SAMPLES = 1000
"""The Gram matrix of more samples takes longer than a fact is worth."""
_APART = 1e-6
"""A variance that is nearer to another one, as a share of the largest, leaves its direction to rounding."""


@dataclass(frozen=True, eq=False)
class ThreeWays(Brief):
    """The largest variance by the covariance matrix and by the Gram matrix, and how far all three ways are apart."""

    by_covariance: float
    by_gram: float
    difference: float
    """The largest difference: of variances as a share of the largest, and of the entries of components."""


def three_ways(columns: Array, weights: Array, components: Array, variances: Array) -> ThreeWays | None:
    """The other two ways beside components (d, d) and variances (d,) that were found by the singular values.

    Of the columns (d, n) of samples with weights (n,). None where the samples are too many.
    """
    few = len(weights) <= MOST_SAMPLES
    ways = covariance_and_gram_axes(columns, weights, float(weights.sum()) - 1) if few else []
    if not ways:
        return None
    gaps = np.abs(np.subtract.outer(variances, variances)) / variances[0]
    np.fill_diagonal(gaps, np.inf)
    told = (np.minimum(gaps.min(axis=1), variances / variances[0])) > _APART
    differences = [0.0]
    for axes, others in ways:
        k = len(others)
        differences.append(float(np.abs(others - variances[:k]).max()) / float(variances[0]))
        own, other = components[:k][told[:k]], axes[told[:k]]
        sense = np.sign((own * other).sum(axis=1))
        differences.append(float(np.abs(other * sense[:, None] - own).max(initial=0.0)))
    by_covariance, by_gram = (float(others[0]) for _, others in ways)
    return ThreeWays(by_covariance, by_gram, max(differences))


def _variance(j: int) -> ModelFact:
    help = "Variance of the scores along this component, with n − 1 as the divisor: what it explains."
    return ModelFact(f"variance {j + 1}", lambda m: float(m.explained_variance[j]) if j < len(m.mean) else None, help)


@dataclass(frozen=True, eq=False)
class PCAModel(Model):
    """The mean (d,), the components (d, d) as rows of length 1, and the variance along each (d,), largest first."""

    mean: Array
    components: Array
    explained_variance: Array
    n: float
    """The number of samples, or the sum of their weights."""
    left_out: float = 0.0
    """Variance of inputs of which these are the first components, along the further ones."""
    angle: float | None = None
    """Degrees from the first of two inputs to a direction that is turned by hand; None where none is."""
    samples: tuple[Array, Array] | None = None
    """The columns (d, n) of the samples and their weights (n,), where they are kept."""

    known_facts = (
        ModelFact(
            "variance by hand",
            lambda m: m.variance_along(m.direction) if m.by_hand else None,
            "Variance of the scores along the direction by hand: "
            "that along the first component is the largest there is.",
            beside=lambda m: m.total_variance,
        ),
        _variance(0),
        ModelFact(
            "squared error by hand",
            lambda m: m.squared_error_along(m.direction) if m.by_hand else None,
            "Sum of the samples' squared distances from the line by hand, divided by n − 1 as the variance is: the two "
            "add up to the total variance. That from the line of the first component is the smallest there is.",
            beside=lambda m: m.total_variance,
        ),
        ModelFact(
            "squared error with 1",
            lambda m: float(m.explained_variance[1:].sum()) + m.left_out,
            "Sum of the samples' squared distances from the line of the first component, divided by n − 1 as variances "
            "are: with the first variance it adds up to the total variance.",
        ),
        _variance(1),
        ModelFact("explained by 1", lambda m: float(m.explained_variance_ratio[0]), _EXPLAINED, "share"),
        ModelFact(
            "explained by 1 and 2",
            lambda m: float(m.explained_variance_ratio[:2].sum()) if len(m.mean) > 2 else None,
            _EXPLAINED,
            "share",
        ),
        ModelFact(
            "angle of 1, degrees",
            lambda m: float(np.degrees(np.arctan2(*m.components[0, ::-1]))) if len(m.mean) == 2 else None,
            "Direction of the first component, anticlockwise from the first input; where inputs are standardized it is "
            "the angle in these, and the arrow, drawn in the units of the axes, has another.",
            beside=lambda m: 180.0,
        ),
        *map(_variance, range(2, _TOLD)),
        ModelFact(
            "variance 1 by covariance",
            lambda m: m.three_ways and m.three_ways.by_covariance,
            "The first variance as the largest eigenvalue of the covariance matrix S, which has a row for each input.",
            level="more",
        ),
        ModelFact(
            "variance 1 by Gram matrix",
            lambda m: m.three_ways and m.three_ways.by_gram,
            "The first variance as the largest eigenvalue of the matrix of all products (xᵢ − m)·(xⱼ − m) / (n − 1), "
            f"which has a row for each sample; of at most {MOST_SAMPLES} samples.",
            level="more",
        ),
        ModelFact(
            "three ways differ by",
            lambda m: m.three_ways and m.three_ways.difference,
            "The largest difference between these two ways and the singular values, which are shown: of variances as a "
            "share of the largest, and of the entries of components that have a variance of their own. It is rounding.",
            level="more",
        ),
    )

    @cached_property
    def three_ways(self) -> ThreeWays | None:
        """The other two ways to the components; None where they are not gone."""
        return None if self.samples is None else three_ways(*self.samples, self.components, self.explained_variance)

    @property
    def explained_variance_ratio(self) -> Array:
        """The share of the total variance along each component, (d,)."""
        largest = self.explained_variance[0]
        return np.asarray((self.explained_variance / largest) / (self.total_variance / largest))

    @property
    def total_variance(self) -> float:
        """The variance along all components together, of all inputs."""
        return float(self.explained_variance.sum()) + self.left_out

    def of_all_inputs(self, left_out: float) -> PCAModel:
        """The model as the first components of inputs that have so much variance along further ones."""
        return replace(self, left_out=left_out)

    def transform(self, X: Array) -> Array:
        """The scores (n, d): how far from the mean each sample is along each component."""
        return np.asarray((np.asarray(X, dtype=np.float64) - self.mean) @ self.components.T)

    def inverse_transform(self, scores: Array) -> Array:
        """The places (n, d) with those scores (n, k) along the first k components, and 0 along the others."""
        scores = np.asarray(scores, dtype=np.float64)
        return np.asarray(scores @ self.components[: scores.shape[1]] + self.mean)

    @property
    def by_hand(self) -> bool:
        """Whether there is a direction by hand: of two inputs only."""
        return self.angle is not None and len(self.mean) == 2

    @property
    def direction(self) -> Array:
        """The direction (d,) on whose line samples are projected: the one by hand, or else the first component."""
        if self.angle is None or not self.by_hand:
            return np.asarray(self.components[0])
        return np.array([np.cos(np.radians(self.angle)), np.sin(np.radians(self.angle))])

    @property
    def ends(self) -> Array:
        """Where the hand takes hold of the direction, (2, d).

        They are two standard deviations of the first component from the mean, nearer where the line leaves the smallest
        box of the samples before, so that a view that shows all samples shows them.
        """
        far = np.full(2, 2 * float(np.sqrt(self.explained_variance[0])))
        ways = np.outer((1.0, -1.0), self.direction)
        if self.samples is not None:
            columns, _ = self.samples
            low, high = columns.min(axis=1) - self.mean, columns.max(axis=1) - self.mean
            # An input that is the same in all samples has room in the view, though none in the box.
            stops = (ways != 0) & (high > low)
            room = np.divide(np.where(ways > 0, high, low), ways, out=np.full(ways.shape, np.inf), where=stops)
            far = np.minimum(far, room.min(axis=1))
        return np.asarray(self.mean + far[:, None] * ways)

    def variance_along(self, direction: Array) -> float:
        """The variance of the scores along a direction (d,) of length 1."""
        return float(self.explained_variance @ (self.components @ direction) ** 2)

    def squared_error_along(self, direction: Array) -> float:
        """The sum of squared distances from the line of a direction (d,) of length 1, over n − 1: no variance of it."""
        across = 1 - (self.components @ direction) ** 2
        return float(self.explained_variance @ across) + self.left_out

    def feet(self, X: Array) -> Array:
        """The nearest place (n, d) to each row of X on the line of the direction."""
        offset = np.asarray(X, dtype=np.float64) - self.mean
        return np.asarray(self.mean + np.outer(offset @ self.direction, self.direction))

    @property
    def caveat(self) -> str:  # type: ignore[override]
        """Whether a direction by hand has no place here, and whether the first components may be chance."""
        several = "a direction is turned by hand only where there are two inputs"
        return "; ".join(filter(None, (several if self.angle is not None and not self.by_hand else "", self._chance)))

    @property
    def _chance(self) -> str:
        """Whether the first directions may be chance: Mauchly's test that the two largest variances are equal.

        Of two inputs it is exact for normal samples. Further ones push the largest variances of samples together and
        apart from the rest: equal ones are then taken for different more rarely than `_CHANCE` says.
        """
        if len(self.mean) < 2 or not self.explained_variance[1]:
            return ""
        ratio = float(self.explained_variance[1] / self.explained_variance[0])
        p = (4 * ratio / (1 + ratio) ** 2) ** (max(self.n - len(self.mean), 0.0) / 2)
        if p <= _CHANCE:
            return ""
        # What follows comes first: beside another canvas the end of a long sentence has no room.
        return f"directions may be arbitrary: the variances may be equal ({p_equals(p, 2)})"

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """The scores of a place, its foot on the line of the direction and how far that is."""
        (scores,), foot = self.transform(x[None]), self.feet(x[None])
        size = max(reach(x, self.mean), float(np.sqrt(self.explained_variance[0])))
        *words, last = (number(score, beside=size) for score in scores[:_TOLD])
        if len(x) == 1:
            return Explanation(f"score {last}.", measured=True)
        told, error = f"{', '.join(words)} and {last}", length_of(x - foot[0])
        alone = "the direction by hand" if self.by_hand else "the first"
        return Explanation(
            f"scores {told}; {alone} alone reconstructs it with an error of {number(error, beside=size)}.",
            (Segments("neighbour", x[None], foot), Points("foot", foot)) if len(x) == 2 else (),
            measured=True,
        )
