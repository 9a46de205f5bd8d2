"""What a Gaussian mixture says: densities, responsibilities, new samples."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from mlviz.algorithms.base import ModelFact
from mlviz.algorithms.gaussian_density import GaussianDensity
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.marks import ways
from mlviz.draw.numbers import number, share, some_have
from mlviz.numerics.arrays import AnyArray, Array, Labels
from mlviz.numerics.density.em import hard_expectation
from mlviz.numerics.density.gaussian_mixture import (
    EQUAL_CIRCLES,
    TIED_DIAGONAL,
    Gaussians,
    SamplesInUnits,
    Units,
    expectation,
    log_density,
    monomials,
    one_hot,
    quadratics_on_grid,
    to_responsibilities,
)
from mlviz.numerics.density.held_means import likelihood_of_means
from mlviz.numerics.grid import Grid, as_dtype

_NOTHING = 1e-9
"""A component that has less than this of any sample has none."""


@dataclass(frozen=True, eq=False)
class GaussianMixtureModel(GaussianDensity):
    """A mixture on the way or at the end.

    `mixture` is in the units of `data`. `former` is the mixture that the responsibilities come from, in a maximization
    step; `assigned` (n,) are the sorted samples' clusters at the start, when there are no others. The first `walked`
    places of the walk are behind it: that grows with the fit, and holds where the means have been, in units.
    """

    data: SamplesInUnits
    mixture: Gaussians
    covariance_type: str
    stage: str
    objective: float = float("nan")
    former: Gaussians | None = None
    assigned: Labels | None = None
    walk: list[Array] = field(default_factory=list)
    walked: int = 0
    settled: bool = False
    hard: bool = False
    """Whether each sample is with one component alone: then the objective is the classification likelihood."""
    start: Array | None = None
    """Where the means (k, d) start, where the hand has placed them."""
    given: str | None = None
    """The text that says where; None where the start is another one."""
    left_out: str = ""
    """That not all restarts were made, where so many take too long."""

    field = "score_samples"

    @property
    def objective_name(self) -> str:  # type: ignore[override]
        """The likelihood that EM makes larger."""
        return "classification likelihood" if self.hard else "log-likelihood"

    known_facts = (
        ModelFact(
            "log-likelihood",
            lambda m: m.log_likelihood,
            "Logarithm of the density of all samples together, which soft EM makes larger with every step.",
        ),
        ModelFact(
            "classification likelihood",
            lambda m: m.objective if m.hard and math.isfinite(m.objective) else None,
            "Sum of log(πⱼ N(xᵢ; μⱼ, Σⱼ)) with the one component j of each sample: what hard EM makes larger.",
        ),
        ModelFact(
            "the same as",
            lambda m: m.same_as,
            "What is known under another name: one Gaussian needs no EM; hard EM with equal circles is k-means.",
        ),
        ModelFact(
            "log-likelihood per sample",
            lambda m: m.log_likelihood / m.data.total,
            "The mean log-density of a sample; it can be compared between data sets in the same units.",
            level="more",
        ),
        ModelFact(
            "parameters",
            lambda m: m.n_parameters,
            "How many numbers the mixture has: weights, means and covariances.",
            level="more",
        ),
        ModelFact(
            "AIC",
            lambda m: m.aic,
            "−2 log-likelihood + 2 parameters: the k with the smallest one is expected to predict best.",
        ),
        ModelFact(
            "BIC",
            lambda m: m.bic,
            "−2 log-likelihood + parameters × log n: the same with a higher price, so a smaller k wins.",
        ),
        ModelFact(
            "weights",
            lambda m: ", ".join(number(weight, 2) for weight in np.where(m.weights < _NOTHING, 0.0, m.weights)),
            "Share of each Gaussian in the mixture, in the order of their colours; 0 where no sample is left to it.",
        ),
        ModelFact(
            "collapsed components",
            lambda m: m.mixture.collapsed or None,
            "Gaussians as narrow as they may be: without that floor they would make the density infinite.",
        ),
        ModelFact(
            "converged",
            lambda m: m.settled,
            "Whether the last step changed next to nothing, so that EM has ended.",
        ),
    )

    @property
    def units(self) -> Units:  # type: ignore[override]
        """Those of the data."""
        return self.data.units

    @property
    def weights(self) -> Array:
        """The share of each component, (k,)."""
        return self.mixture.weights

    @cached_property
    def log_likelihood(self) -> float:
        """The weighted sum of the samples' log-densities (natural logarithm)."""
        if math.isfinite(self.objective) and not self.hard:
            return self.objective
        return self.data.likelihood(expectation(self.data, self.mixture)[1])

    @property
    def same_as(self) -> str | None:
        """What it is called otherwise."""
        if len(self.weights) == 1:
            return "one Gaussian, fitted to all samples at once"
        return "k-means" if self.hard and self.covariance_type == EQUAL_CIRCLES else None

    rating_name = "log-likelihood"

    @property
    def rating(self) -> float:
        """The log-likelihood."""
        return self.log_likelihood

    def rating_of(self, centers: Array) -> float:
        """The log-likelihood of a mixture with those means (k, d), and the likeliest weights and shapes for them."""
        return self.data.likelihood(likelihood_of_means(self.data, self.units.inside(centers), self.covariance_type))

    @cached_property
    def log_densities(self) -> Array:
        """The log-density at each sample, in no particular order, (n,)."""
        return np.asarray(log_density(self.mixture.coefficients @ self.data.monomials) - self._log_unit)

    @cached_property
    def responsibilities(self) -> Array:
        """How far each component accounts for each sample, (n, k); in a maximization step, those that led to it."""
        if self.assigned is not None:
            found = one_hot(self.assigned, len(self.weights))
        else:
            expect = hard_expectation if self.hard else expectation
            found, _ = expect(self.data, self.former or self.mixture)
        return np.ascontiguousarray(np.stack([self.data.samples.unsorted(row) for row in found], axis=1))

    @cached_property
    def labels(self) -> Labels:
        """The component most responsible for each sample, (n,)."""
        return np.asarray(np.argmax(self.responsibilities, axis=1))

    @cached_property
    def empty(self) -> int:
        """How many components have no part in any sample."""
        if self.covariance_type != EQUAL_CIRCLES:
            return int((self.weights < _NOTHING).sum())
        heavy = self.data.samples.unsorted(self.data.samples.weights) > 0
        return int((self.responsibilities[heavy].max(axis=0) < _NOTHING).sum())

    @property
    def trail(self) -> Array:
        """Where the means were, (steps, k, d)."""
        places = np.array(self.walk[: self.walked]).reshape(-1, *self.means.shape)
        return np.asarray(places * self.data.units.scale + self.data.units.shift)

    @property
    def caveat(self) -> str:  # type: ignore[override]
        """Whether components have collapsed or lost all samples, and whether EM was stopped, or restarts left out."""
        narrow, k, idle = self.mixture.collapsed, len(self.weights), self.empty
        told = f"{some_have(narrow, k, 'component')} collapsed to a point or a line, "
        told += "held at the least variance: the likelihood says nothing about the fit"
        late = self.walked >= self.data.most_rounds(k) and not self.settled
        stopped = f"EM was stopped after {self.walked} rounds" if late else ""
        lost = f"{some_have(idle, k, 'component')} no sample, but all {k} count in AIC and BIC" if idle else ""
        return "; ".join(filter(None, (told if narrow else "", lost, stopped, self.left_out)))

    def _joint(self, X: Array) -> Array:
        places = self.data.units.inside(np.asarray(X, dtype=np.float64))
        return np.asarray(self.mixture.coefficients @ monomials(places.T))

    def predict(self, X: Array) -> Labels:
        """The component most responsible for each place, (q,)."""
        return np.asarray(np.argmax(self._joint(X), axis=0))

    def shares_on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray:
        """The responsibilities at every node, (k, ny, nx)."""
        return to_responsibilities(self._joint_on_grid(grid, dtype))[0]

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray:
        """The log-density at every node, (ny, nx)."""
        density = log_density(self._joint_on_grid(grid, dtype))
        density -= density.dtype.type(self._log_unit)
        return density

    def _joint_on_grid(self, grid: Grid, dtype: Any) -> AnyArray:
        return as_dtype(quadratics_on_grid(self.mixture.coefficients, self._in_units(grid)), dtype)

    @property
    def n_parameters(self) -> int:
        """How many numbers the fit has chosen."""
        k, d = (int(size) for size in self.mixture.means.shape)
        if self.covariance_type == EQUAL_CIRCLES:
            return k * d + 1
        shapes = {
            "full": k * d * (d + 1) // 2,
            "diagonal": k * d,
            "spherical": k,
            "tied": d * (d + 1) // 2,
            TIED_DIAGONAL: d,
        }
        return k - 1 + k * d + shapes[self.covariance_type]

    @property
    def aic(self) -> float:
        """Akaike's information criterion, smaller is better."""
        return 2 * self.n_parameters - 2 * self.log_likelihood

    @property
    def bic(self) -> float:
        """The Bayesian information criterion, smaller is better."""
        return self.n_parameters * math.log(self.data.total) - 2 * self.log_likelihood

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """The density, and the components that account for it."""
        shares = self.predict_proba(x[None])[0]
        near = np.argsort(-shares, kind="stable")[: max(1, int((shares >= 0.001).sum()))]
        whole = 1.0 if len(shares) == 1 else 1 - 1e-12  # all others have some, however little
        first, *others = (share(min(shares[j], whole)) for j in near)
        parts = [f"component {near[0] + 1} gives {first} of the density here"]
        parts += [f"component {j + 1} {part}" for j, part in zip(near[1:], others, strict=True)]
        sentence = f"{', '.join(parts)}; the log-density is {number(float(self.score_samples(x[None])[0]))}."
        return Explanation(sentence, ways(self.means[near], x), measured=True)
