"""Gaussian mixture by expectation maximisation (Dempster, Laird and Rubin 1977)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import numpy as np

from mlviz.algorithms.base import Algorithm, CannotFit, Code, Traits
from mlviz.algorithms.clustering.gmm.code import mixture_code
from mlviz.algorithms.clustering.gmm.model import GaussianMixtureModel
from mlviz.algorithms.clustering.start_by_hand import BY_HAND, StartedByHand, restarts_made, start_text
from mlviz.algorithms.traits import Trial, where
from mlviz.draw.numbers import drawn_part
from mlviz.draw.overlays import centroids, charts, gaussians
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.density.em import EMRound, em_rounds
from mlviz.numerics.density.gaussian_mixture import (
    EQUAL_CIRCLES,
    ROUNDS,
    TIED_DIAGONAL,
    Gaussians,
    SamplesInUnits,
    from_labels,
    one_hot,
)
from mlviz.numerics.density.held_means import held_mixture
from mlviz.numerics.density.lloyd import assign
from mlviz.numerics.density.mixture_starts import (
    BY_KMEANS,
    DRAWN_STARTS,
    RANDOM_MEANS,
    RANDOM_RESPONSIBILITIES,
    MixtureStart,
    drawn_start,
)
from mlviz.numerics.pauses import thinned
from mlviz.numerics.scoring.agreement import names_kept
from mlviz.spec import choice, integer

_WIDEST = 1e153
"""Inputs that range over more have no variance in floating point."""
_ROUND = 50_000
"""A round of EM takes as long as so much work, as `SamplesInUnits.work` tells it, and what that tells."""
_SILENT = 1_000_000
"""A restart that nobody watches shows itself after so much work, so that it can be interrupted."""
_RESTARTED, _JUDGED = 400_000_000, 50_000_000
"""No further restart begins after so much work, which takes a second; where some samples compare the restarts, all of
these share the lesser one."""
_ALL_COMPARED, _MOST_COMPARED, _FEWEST_ROUNDS = 5000, 2000, 20
"""Up to so many samples compare restarts; of more so many do, of which each has so many rounds at the least."""


@dataclass(frozen=True)
class GaussianMixture(StartedByHand, Algorithm):
    """k Gaussians, each with a weight; their weighted sum is the density of the samples.

    Maximises the log-likelihood L = Σᵢ wᵢ log Σⱼ πⱼ N(xᵢ; μⱼ, Σⱼ) over mixture weights π, means μ and covariances Σ (wᵢ
    is the sample's weight, 1 unless weights are given). EM takes two steps in turn. Expectation: the responsibility of
    component j for sample i is the probability rᵢⱼ = πⱼ N(xᵢ; μⱼ, Σⱼ) / Σₗ πₗ N(xᵢ; μₗ, Σₗ) that the sample came from
    it. Maximization: each Gaussian becomes that of all samples, weighted by its responsibilities. L never falls, and
    ends in a local maximum that depends on the start: a few steps of k-means, from the best of ten draws; k samples
    drawn as "random means" of components that are as wide as all samples; or "random responsibilities", whose means all
    lie near the middle, from where EM takes long to separate them. More restarts may find a better one. Of many samples
    some are drawn, from which restarts begin and by which they are compared after some rounds, and where so many would
    take too long, fewer are made; the line under the picture says so.

    Play the steps to see it happen. The dot in a sample mixes the colours of the components by their responsibilities;
    the ellipses are 1, 2 and 3 standard deviations from a component's mean; the thin lines join places of equal
    density, and the shade is the colour of the component most responsible, paler where another one is nearly as much.
    Covariances: "full" lets every ellipse have its own shape, "diagonal" keeps the axes parallel to those of the plot,
    "spherical" allows circles only, "tied" gives all components the same shape, "tied diagonal" the same one parallel
    to the axes, "equal circles" the same circle and the same weight. Circles of standardized inputs are ellipses in the
    plot, wide where the samples are. Fewer parameters need fewer samples: compare AIC and BIC, both better when
    smaller. A component could collapse on a single sample, with a density without bound; so no variance falls below a
    millionth of the samples' own.

    With "hard" assignments each sample is with its likeliest component alone, which only maximises the classification
    likelihood Σᵢ wᵢ log πⱼ N(xᵢ; μⱼ, Σⱼ), j being its own component. Hard EM with equal circles is k-means. With the
    start "by hand" you place the means: drag a diamond, with Shift pull a further one out of it, with Ctrl click one
    away. Weights and covariances start at those of the samples that are nearest to each.

    A. Dempster, N. Laird, D. Rubin, Maximum likelihood from incomplete data via the EM algorithm, 1977. C. Bishop,
    Pattern Recognition and Machine Learning, 2006, section 9.2.
    """

    id = "gmm"
    label = "Gaussian mixture"
    family = "Clustering"
    tasks = ("clustering",)
    main = "n_components"
    trials = (
        Trial("which components share a cloud", "blobs", {"n_components": 5}),
        Trial("several ellipses together make up a moon", "moons", {"n_components": 6}),
        Trial("how long all means stay in the middle", "blobs", {"init": RANDOM_RESPONSIBILITIES}),
        Trial("with which seeds, by Another start, two means share a cloud", "blobs", {"init": RANDOM_MEANS}),
    )
    traits = Traits(random=where("init", *DRAWN_STARTS), follower_differs=True, slow_to_end=where("assignment", "soft"))
    overlays = (
        gaussians.regions,
        gaussians.contours,
        gaussians.ellipses,
        gaussians.responsibilities,
        gaussians.trails,
        centroids.starts,
        gaussians.means,
    )
    charts = (charts.objective_chart,)

    n_components: int = integer(3, soft=(1, 9), valid=(1, None), label="k", help="number of Gaussians")
    covariance_type: str = choice(
        "full",
        "diagonal",
        "spherical",
        "tied",
        TIED_DIAGONAL,
        EQUAL_CIRCLES,
        label="covariances",
        help="which shapes the ellipses may have: any, with axes parallel to the plot's, circles, or all the same one",
        aliases={"diag": "diagonal"},
    )
    n_init: int = integer(
        1,
        soft=(1, 20),
        valid=(1, 1000),
        label="restarts",
        help="number of starts; the best one counts",
        when=("init", DRAWN_STARTS),
    )
    assignment: str = choice(
        "soft", "hard", help="whether a sample is shared by the components, or is with the likeliest one alone"
    )
    init: str = choice(*DRAWN_STARTS, BY_HAND, label="start", help="how the components are found from which EM starts")
    centers: str = start_text()

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[GaussianMixtureModel]:
        """The result of each restart where there are several; then start, expectation and maximization of the best."""
        data = self.prepare(X, sample_weight)
        if self.started_by_hand:
            yield from self._play(data, self.mixture_by_hand(data))
            return
        few, most_rounds, told = self._compared(data)
        best, most = self._drawn_start(few, rng, compared=True), -np.inf
        start, spent = best, 0
        for restart in range(self.n_init if self.n_init > 1 else 0):
            if spent > _RESTARTED:
                told.append(restarts_made(restart, self.n_init))
                break
            if restart:
                start = self._drawn_start(few, rng)
            for now, rounds in self._silently(few, start.mixture, most_rounds):  # noqa: B007
                yield GaussianMixtureModel(data, now.mixture, self.covariance_type, "restart", hard=self.hard)
            spent += (rounds + 1) * (few.work(self.n_components) + _ROUND)
            if now.likelihood > most:
                best, most = start, now.likelihood
        kind, left_out = self.covariance_type, "; ".join(told)
        best = best if few is data else best.of_all(data, kind)
        for labels in best.assignments:
            mixture = from_labels(data, labels, self.n_components, kind)
            model = GaussianMixtureModel(data, mixture, kind, BY_KMEANS, assigned=labels, hard=self.hard)
            yield replace(model, left_out=left_out)
        yield from self._play(data, best.mixture, left_out)

    def _compared(self, data: SamplesInUnits) -> tuple[SamplesInUnits, int, list[str]]:
        """The samples from which restarts are drawn and by which they are compared, after how many rounds, and words.

        Where these are some of many, the rounds are so few that there is time for all restarts.
        """
        if self.n_init == 1 or np.count_nonzero(data.samples.weights) <= _ALL_COMPARED:
            return data, ROUNDS, []
        few = data.some(_MOST_COMPARED)
        if few.samples.different < self.n_components:
            return data, ROUNDS, []
        work = self.n_init * (few.work(self.n_components) + _ROUND)
        rounds = int(np.clip(_JUDGED // work, _FEWEST_ROUNDS, few.most_rounds(self.n_components)))
        part = drawn_part(len(few.samples.weights), len(data.samples.weights))
        return few, rounds, [f"restarts drawn from and compared by {part}, after {rounds} rounds at most"]

    @property
    def hard(self) -> bool:
        """Whether each sample is with one component alone."""
        return self.assignment == "hard"

    def mixture_by_hand(self, data: SamplesInUnits) -> Gaussians:
        """The mixture of the means that the hand has placed, with the rest as the samples nearest to each have it."""
        means = self.means_by_hand(data)
        assert means is not None
        nearest = assign(data.in_inputs, means)[0]
        return held_mixture(data, one_hot(nearest, len(means)), data.units.inside(means), self.covariance_type)

    def means_by_hand(self, data: SamplesInUnits) -> Array | None:
        """The means (k, d) that the hand has placed, and further ones; None where the start is another one."""
        return self.start_in(data.in_inputs, self.n_components) if self.started_by_hand else None

    def code(self, model: GaussianMixtureModel) -> Code | None:
        """GaussianMixture, started from the model: from elsewhere it may end elsewhere."""
        return mixture_code(model)

    def _play(self, data: SamplesInUnits, start: Gaussians, left_out: str = "") -> Iterator[GaussianMixtureModel]:
        former, known = None, {"start": self.means_by_hand(data), "left_out": left_out}
        walk: list[Array] = []
        for number, now in enumerate(em_rounds(data, start, self.covariance_type, self.hard), start=1):
            walk.append(now.mixture.means)
            if former is not None:
                yield self.model(data, now, "maximization", former=former, walk=walk, walked=number, **known)
            yield self.model(data, now, "expectation", walk=walk, walked=number, settled=now.settled, **known)
            former = now.mixture

    def model(self, data: SamplesInUnits, now: EMRound, stage: str, **others: Any) -> GaussianMixtureModel:
        """The model of a round of EM."""
        likelihood = data.likelihood(now.likelihood)
        known = {"hard": self.hard, "given": self.given, **others}
        return GaussianMixtureModel(data, now.mixture, self.covariance_type, stage, likelihood, **known)

    def _silently(self, data: SamplesInUnits, start: Gaussians, most: int) -> Iterator[tuple[EMRound, int]]:
        """The end of a restart, and on the way only where it is long; with the number of the round."""
        rounds = zip(em_rounds(data, start, self.covariance_type, self.hard, most), count(), strict=False)
        return thinned(rounds, data.work(self.n_components), _SILENT)

    def _drawn_start(self, data: SamplesInUnits, rng: np.random.Generator, compared: bool = False) -> MixtureStart:
        how = BY_KMEANS if self.started_by_hand else self.init
        return drawn_start(data, self.n_components, self.covariance_type, how, rng, compared)

    def start_anew(self, data: SamplesInUnits) -> Gaussians:
        """The start of a draft that has nothing to go on from."""
        return self._drawn_start(data, np.random.default_rng(0), compared=True).mixture

    def prepare(self, X: Array, sample_weight: Array | None) -> SamplesInUnits:
        """The samples in units; raises `CannotFit` where there are too few places for that many components."""
        if np.ptp(X / 2, axis=0).max(initial=0.0) > _WIDEST / 2:
            raise CannotFit("The samples are too far apart to compute variances of them.")
        data = SamplesInUnits.of(X, sample_weight)
        if (different := data.samples.different) < (k := self.n_components):
            there = "is only 1 distinct sample" if different == 1 else f"are only {different} distinct samples"
            raise CannotFit(f"There {there}; a Gaussian mixture with k = {k} needs at least {k}.")
        return data

    def follower(self) -> GaussianMixtureFollower:
        """One that goes on from its last mixture."""
        return GaussianMixtureFollower()


class GaussianMixtureFollower:
    """Keeps the last mixture. Its models end in a local maximum near it, which need not be the one `steps` finds.

    When a component collapses under the hand, the next update starts anew: EM would not free it. Components that are
    found again keep their names.
    """

    _mixture: Gaussians | None = None
    _last: GaussianMixtureModel | None = None

    def start_from(self, model: GaussianMixtureModel) -> None:
        """Go on from that model's mixture."""
        self._mixture, self._last = model.mixture.outside(model.data.units), model

    def update(
        self,
        algorithm: GaussianMixture,
        X: Array,
        y: AnyArray | None,
        sample_weight: Array | None,
        deadline: float,
    ) -> GaussianMixtureModel:
        """The mixture after as many rounds of EM as there is time for, at least one."""
        former, self._mixture = self._mixture, None  # should the data be refused, the next call starts from nothing
        last, self._last = self._last, None
        data = algorithm.prepare(X, sample_weight)
        if algorithm.started_by_hand and (last is None or last.given != algorithm.given):
            former, start = None, algorithm.mixture_by_hand(data)
        elif former is not None and former.means.shape == (algorithm.n_components, X.shape[1]):
            start = former.inside(data.units)
        else:
            start = algorithm.start_anew(data)
        for number, now in enumerate(em_rounds(data, start, algorithm.covariance_type, algorithm.hard)):  # noqa: B007
            # The first one is the start itself.
            if number and time.perf_counter() > deadline:
                break
        # One that was collapsed on the screen already may stay: starting anew would make the picture jump.
        kept = not now.mixture.collapsed or (former is not None and start.collapsed)
        means = algorithm.means_by_hand(data)
        model = algorithm.model(data, now, "expectation", settled=now.settled, start=means)
        self._last = model = self._named(model, last if former is None and not algorithm.started_by_hand else None)
        self._mixture = model.mixture.outside(data.units) if kept else None
        return model

    @staticmethod
    def _named(model: GaussianMixtureModel, last: GaussianMixtureModel | None) -> GaussianMixtureModel:
        """The model after a new start, its components named as they were in the last one."""
        if last is None or last.means.shape != model.means.shape or len(last.labels) != len(model.labels):
            return model
        order, own = np.argsort(names_kept(last.labels, model.labels, len(model.weights))), model.mixture
        return replace(model, mixture=Gaussians(own.weights[order], own.means[order], own.covariances[order]))
