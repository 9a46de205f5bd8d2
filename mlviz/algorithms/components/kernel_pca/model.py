"""Kernel principal component analysis: from samples to components, and what is told of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from mlviz.algorithms.base import CannotFit, Model, ModelFact
from mlviz.algorithms.checking import refuse_distant
from mlviz.algorithms.components.spread import spread_samples
from mlviz.algorithms.kernels.parameters import GAMMA, LEFT_OUT, RESIDUAL, KernelData, KernelMethod
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.marks import Mark, Points, ways
from mlviz.draw.numbers import number, one_for_each, place
from mlviz.numerics.arrays import AnyArray, Array, Rows
from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.base import Gaussian
from mlviz.numerics.kernels.expansion import Expansion
from mlviz.numerics.kernels.features import Moments
from mlviz.numerics.kernels.pre_image import gaussian_pre_image
from mlviz.numerics.kernels.principal_components import (
    KernelComponents,
    components_in_centers,
    components_in_features,
    components_in_samples,
)
from mlviz.numerics.pauses import Work, blocks, finished, meanwhile
from mlviz.numerics.sampling import SamplePlaces, subsample

SHOWN = 10
"""So many components are found at the least, for the scree plot."""
_TOLD = 4
"""So many scores are told of a place."""
_EQUAL = 1e-9
"""Variances that differ by less than this share of the larger one are equal."""
_FINEST = 1e-4
"""So exact is the field, as a share of the largest score."""
_MANY = 700
"""With more samples it takes a while to find the components exactly."""
_CENTERS = 100, 300
"""So many centres stand for all samples, of a draft, or where they are very many; and at the most."""
_MOST_KERNEL_VALUES = 15_000_000
"""About so many kernel values are computed for the moments."""
_LEFT_OUT = 1e-10
"""No centre is added where less than this share of the largest k(x, x) is missing."""
_MOST_FEATURES = 300
"""A kernel of more features is not written out: their covariance would be larger than the Gram matrix."""
_JUDGED = 1000
"""Of so many samples at the most the scores are looked at for their sense and their reach."""
_UNSURE = 1e-6
"""A coordinate of a pre-image that is nearer to 0, in units of sigma, is no more than what the search leaves."""
_SHARE = "Share of the variance of all samples' images in the kernel's space that is along "


@dataclass(frozen=True, eq=False, kw_only=True)
class KernelPCAModel(Model):
    """The leading components, of which number `component`, counted from 1, is the one whose scores are the field."""

    found: KernelComponents
    component: int
    reach: float
    """The size of the largest score of a sample along that component."""
    solved: str
    """What the equations are solved for."""
    left_out: float = 0.0
    """The share of the kernel's trace that the centres do not represent."""
    approximate: str = ""
    """By how many centres all samples are represented, where they are."""
    field = "component_score"

    known_facts = (
        ModelFact(
            "variance",
            lambda m: float(m.explained_variance[m.component - 1]),
            "Variance of the scores along the component shown: λ / (n − 1), where λ is its eigenvalue.",
        ),
        ModelFact(
            "explained by the one shown",
            lambda m: m.share(m.component - 1, m.component),
            f"{_SHARE}the one shown.",
            "share",
        ),
        ModelFact(
            "explained up to the one shown",
            lambda m: m.share(0, m.component),
            f"{_SHARE}this component and those before it.",
            "share",
        ),
        ModelFact("explained by 1 and 2", lambda m: m.share(0, 2), f"{_SHARE}the first two.", "share"),
        ModelFact(
            "total variance",
            lambda m: m.total_variance,
            "Mean squared distance of the samples' images from their mean, with n − 1 as the divisor: "
            "what all components together explain.",
            level="more",
        ),
        GAMMA,
        ModelFact(
            "unknowns",
            lambda m: m.solved,
            "What the eigenvectors are found in: whichever is fewer and loses fewer digits.",
            level="solver",
        ),
        LEFT_OUT,
        RESIDUAL,
    )

    @property
    def explained_variance(self) -> Array:
        """The variance of the scores along each component that was found, (k,)."""
        return self.found.variances

    @property
    def total_variance(self) -> float:
        """That along all components."""
        return self.found.total

    @property
    def residual(self) -> float:
        """By how much an eigenvector misses its equation at the most, as a share of the largest eigenvalue."""
        return self.found.residual

    def share(self, first: int, end: int) -> float:
        """The share of the variance along the components from index `first` to before `end`."""
        largest = self.found.variances[0]
        return min(1.0, float((self.found.variances[first:end] / largest).sum() / (self.found.total / largest)))

    @cached_property
    def expansion(self) -> Expansion:
        """The function whose values are the scores along the component shown."""
        return self.found.function(self.component - 1)

    @property
    def cost(self) -> int:  # type: ignore[override]
        """That of the function."""
        return self.expansion.cost

    @property
    def caveat(self) -> str:  # type: ignore[override]
        """Whether it is approximate, and whether the component shown is one of several that would do as well."""
        shown, variances = self.component - 1, self.found.variances
        equal = np.flatnonzero(np.abs(variances - variances[shown]) <= _EQUAL * variances[shown]) + 1
        several = (
            f"components {equal[0]} to {equal[-1]} have equal variances: any directions between them would do as well"
        )
        return "; ".join(filter(None, (self.approximate, several if len(equal) > 1 else "")))

    def transform(self, X: Array) -> Array:
        """The scores (n, k) along the components that were found."""
        return self.found.scores(X)

    def component_score(self, X: Array) -> Array:
        """The scores (n,) along the component shown."""
        return self.expansion.at(X)

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray:
        """The scores along the component shown at every node, (ny, nx)."""
        return self.expansion.on_grid(grid, dtype, finest=_FINEST * self.reach)

    def pre_image(self, x: Array) -> Array | None:
        """The place whose image is nearest to what the components up to the one shown keep of that of x (d,).

        Found uphill from x, with the Gaussian kernel and with all samples alone; None where there is none.
        """
        kernel, coef = self.found.kernel, self.found.kept(x, self.component)
        if coef is None or not isinstance(kernel, Gaussian):
            return None
        found = gaussian_pre_image(kernel.sigma, self.found.centers, coef, x - self.found.origin)
        if found is None:
            return None
        found = found + self.found.origin
        return np.where(np.abs(found) > _UNSURE * kernel.sigma, found, 0.0)

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """The scores of a place along the first components, and along the one shown; its pre-image."""
        scores, size = self.transform(x[None])[0], float(np.sqrt(self.found.variances[0]))
        told = [number(score, beside=size) for score in scores.tolist()]
        first = told[: min(_TOLD, len(told))]
        words = f"score {first[0]} along the only component"
        if len(first) > 1:
            words = f"scores {', '.join(first[:-1])} and {first[-1]} along components 1 to {len(first)}"
        if self.component > len(first):
            words += f", and {told[self.component - 1]} along component {self.component}"
        nearest, marks = self.pre_image(x), tuple[Mark, ...]()
        if nearest is not None:
            kept = "component 1" if self.component == 1 else f"components 1 to {self.component}"
            words += f"; pre-image of what {kept} {'keeps' if self.component == 1 else 'keep'}: {place(nearest)}"
            marks = (*ways(x, nearest), Points("foot", nearest[None])) if len(x) == 2 else ()
        measured = nearest is not None or not self.found.kernel.shift_invariant
        return Explanation(f"{words}.", marks, measured=measured)


@dataclass(frozen=True, eq=False, kw_only=True)
class KernelPCAProblem(KernelData):
    """The samples, each place once and in the order of places, with weights (n,) that say how often it is there."""

    weights: Array
    component: int

    @classmethod
    def given(cls, algorithm: KernelMethod, X: Array, sample_weight: Array | None, component: int) -> Self:
        """The problem of those samples; raises `CannotFit`."""
        X, weights = spread_samples(X, sample_weight)
        refuse_distant(X)
        merged = SamplePlaces.of(X, weights)
        return cls.of(algorithm.kernel_for(merged.X), merged.X, weights=merged.weight, component=component)

    @property
    def _count(self) -> int:
        """So many components are found: one more than is shown tells whether its variance is its own."""
        return max(SHOWN, self.component + 1)

    def models(self, rng: np.random.Generator) -> Iterator[KernelPCAModel]:
        """Yield the model; of many samples an approximate one while it takes; raises `CannotFit`."""
        features, n = self.features, len(self.X)
        if features is not None and len(features.factor) <= _MOST_FEATURES:
            found = components_in_features(self.kernel, features, self.origin, self.places, self.weights, self._count)
            if found is None:
                raise CannotFit("The samples are too far apart or too close together to compute variances.")
            yield self._model(found, None, one_for_each(len(features.factor), "feature"))
        elif n <= _MANY:
            yield finished(self._exact(rng))
        else:
            some = subsample(np.arange(n), _JUDGED)
            draft = finished(self._in_centers(rng, _CENTERS[0], some))
            yield draft
            most = int(np.clip(_MOST_KERNEL_VALUES // n, *_CENTERS))
            work = self._in_centers(rng, most, np.arange(n)) if self.many else self._exact(rng)
            yield (yield from meanwhile(draft, work))

    def _exact(self, rng: np.random.Generator) -> Work[KernelPCAModel]:
        """Work out the components in all samples."""
        K = yield from self.whole_gram()
        found, scores = yield from components_in_samples(
            self.kernel, self.origin, self.places, self.weights, K, self.unit, self._count, rng
        )
        return self._model(found, scores, one_for_each(len(self.X), "sample"))

    def _in_centers(self, rng: np.random.Generator, most: int, rows: Rows) -> Work[KernelPCAModel]:
        """Work out the components in the features of at most so many centres, from the samples in those rows."""
        nystroem = self.nystroem(rng, np.zeros(len(self.X)), most, _LEFT_OUT)
        yield
        moments, m = Moments(nystroem, targets=0), len(nystroem.centers)
        places, weights = self.places[rows], self.weights[rows]
        for part in blocks(len(rows), m):
            moments.add(places[part], np.empty((len(places[part]), 0)), weights[part])
            yield
        found = components_in_centers(moments, self.origin, places, weights, self._count)
        approximate = f"approximated with {m:,} of {len(self.X):,} samples as centres"
        return self._model(found, None, one_for_each(m, "centre"), left_out=nystroem.left, approximate=approximate)

    def _model(self, found: KernelComponents, scores: Array | None, solved: str, **others: Any) -> KernelPCAModel:
        """The model of what was found; raises `CannotFit` where there are too few components."""
        k = len(found.variances)
        if not k:
            raise CannotFit(
                "With this kernel all samples are practically equal: make it narrower, or standardize the inputs."
            )
        if k < self.component:
            there = "is only 1 component" if k == 1 else f"are only {k} components"
            raise CannotFit(f"There {there} with a variance that is more than rounding: show one of the first {k}.")
        rows = subsample(np.arange(len(self.X)), _JUDGED if scores is None else len(self.X))
        scores = found.scores(self.X[rows]) if scores is None else scores
        share = self.weights[rows] / self.weights[rows].sum()
        found, scores = found.oriented(self.X[rows], share, scores)
        reach = float(np.abs(scores[:, self.component - 1]).max())
        return KernelPCAModel(found=found, component=self.component, reach=reach, solved=solved, **others)
