"""k-means in the feature space of a kernel (Schölkopf, Smola and Müller 1998)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.base import Traits
from mlviz.algorithms.clustering.kernel_kmeans.model import KernelKMeansModel, KernelSamples, borders
from mlviz.algorithms.clustering.start_by_hand import restarts_made
from mlviz.algorithms.kernels.parameters import KernelMethod
from mlviz.algorithms.traits import Trial, always
from mlviz.draw.overlays import centroids, charts, gram
from mlviz.numerics.arrays import AnyArray, Array, names_by_first
from mlviz.numerics.density.kernel_kmeans import (
    Partition,
    drawn_partition,
    improvements,
)
from mlviz.spec import choice, integer

_ROUND, _RESTARTED = 4000, 6_000_000
"""A round takes as long as so many distances, and those to all centres; no further restart begins after so many, which
take half a second."""


@dataclass(frozen=True)
class KernelKMeans(KernelMethod):
    """k-means on the features φ(x) of a kernel, which are never written out: clusters need not be convex.

    Minimises J = Σᵢ wᵢ ‖φ(xᵢ) − m(i)‖² over all ways to put the samples into k clusters, where m(i) is the mean of the
    features in sample i's cluster C, and wᵢ the sample's weight, 1 unless weights are given. The distance takes
    kernel values alone: ‖φ(x) − m‖² = k(x, x) − 2 Σ wⱼ k(x, xⱼ)/W + ΣΣ wⱼ wₗ k(xⱼ, xₗ)/W², with sums over C and its
    total weight W. With the linear kernel this is k-means itself.

    Steps: in a reassignment every sample goes to the nearest centre, and the centres move along; where that ends, the
    single move of a sample that lowers J most is made, since leaving one cluster and joining another moves both
    centres. Neither can raise J, so it ends in a partition that no such step improves; the facts say whether it has.
    Another one may be better: the best of several restarts counts, and is played from its start.

    In the picture: each place has the colour of the centre that is nearest in the feature space, and the dot in a
    sample is its cluster. A centre is a mean of features and has no place on the canvas. With a narrow kernel, far from
    all samples, φ(x) is at a right angle to every centre, and the shortest centre wins: that of the widest cluster.
    Samples at one place count as one of their weight. Of more than 600 places some are drawn, and the others go to the
    nearest centre, and where so many restarts would take too long, fewer are made; the line under the picture says so.

    B. Schölkopf, A. Smola and K.-R. Müller, Nonlinear component analysis as a kernel eigenvalue problem, 1998,
    doi:10.1162/089976698300017467. I. Dhillon, Y. Guan and B. Kulis, Weighted graph cuts without eigenvectors, 2007,
    doi:10.1109/TPAMI.2007.1115.
    """

    id = "kernel-kmeans"
    label = "kernel k-means"
    family = "Clustering"
    tasks = ("clustering",)
    main = "n_clusters"
    trials = (
        Trial("borders that bend, where those of k-means are straight", "moons", {"n_clusters": 4, "sigma": 0.5}),
        Trial("all that is far away belongs to one and the same cluster", "blobs", {"n_clusters": 3}),
        Trial("the linear kernel: k-means itself", "blobs", {"kernel": "linear", "n_clusters": 3}),
    )
    overlays = (borders, centroids.assignment)
    charts = (charts.objective_chart, *gram.charts)
    traits = Traits(random=always, follower_differs=True)

    n_clusters: int = integer(2, soft=(1, 9), valid=(1, None), label="k", help="number of clusters")
    init: str = choice(
        "k-means++", "random points", label="start", help="which samples the clusters form about at the start"
    )
    n_init: int = integer(
        5, soft=(1, 20), valid=(1, 1000), label="restarts", help="number of starts; the best one counts"
    )

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[KernelKMeansModel]:
        """The result of each restart where there are several; then start and improvements of the best one."""
        data = KernelSamples.given(self, X, sample_weight)
        best, least = self._start(data, rng), np.inf
        start, spent, left_out = best, 0, ""
        for restart in range(self.n_init if self.n_init > 1 else 0):
            if spent > _RESTARTED:
                left_out = restarts_made(restart, self.n_init)
                break
            if restart:
                start = self._start(data, rng)
            for number, (_, end) in enumerate(improvements(start), start=1):  # noqa: B007
                pass
            spent += number * (len(data.places) * end.k + _ROUND)
            yield KernelKMeansModel(data, self.n_clusters, end.named(names_by_first(end.labels, end.k)), "restart")
            if end.objective < least:
                best, least = start, end.objective
        rounds = list(improvements(best))
        end = rounds[-1][1]
        names = names_by_first(end.labels, end.k)
        for stage, part in rounds:
            yield KernelKMeansModel(data, self.n_clusters, part.named(names), stage, left_out)

    def _start(self, data: KernelSamples, rng: np.random.Generator) -> Partition:
        return drawn_partition(data.space, self.n_clusters, self.init, rng)

    def follower(self) -> KernelKMeansFollower:
        """One that goes on from its last clusters."""
        return KernelKMeansFollower()


class KernelKMeansFollower:
    """Keeps the last model. Its next one ends near it, which need not be where `steps` does."""

    _model: KernelKMeansModel | None = None

    def start_from(self, model: KernelKMeansModel) -> None:
        """Go on from that model."""
        self._model = model

    def update(
        self, algorithm: KernelKMeans, X: Array, y: AnyArray | None, sample_weight: Array | None, deadline: float
    ) -> KernelKMeansModel:
        """The partition after as many improvements as there is time for."""
        former, self._model = self._model, None  # should the data be refused, the next call starts from nothing
        data = KernelSamples.given(algorithm, X, sample_weight)
        k = algorithm.n_clusters
        enough = np.count_nonzero(data.space.weights) >= k  # else there is always a cluster without any
        if former is not None and enough and former.partition.k == k and former.data.X.shape[1] == X.shape[1]:
            start = Partition.of(data.space, former.predict(data.places), k)
        else:
            start = drawn_partition(data.space, k, algorithm.init, np.random.default_rng(0))
            start = start.named(names_by_first(start.labels, start.k))
        for stage, part in improvements(start):  # noqa: B007
            if stage != "start" and time.perf_counter() > deadline:
                break
        self._model = KernelKMeansModel(data, k, part, stage)
        return self._model
