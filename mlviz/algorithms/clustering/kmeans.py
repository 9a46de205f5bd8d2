"""k-means clustering (Lloyd 1957; published 1982, doi:10.1109/TIT.1982.1056489)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import Algorithm, Code, Model, ModelFact, format_array, last_until, thinned
from mlviz.algorithms.checking import refuse_distant, refuse_larger
from mlviz.algorithms.clustering.sizes import CLUSTER_SIZES
from mlviz.algorithms.traits import Traits, Trial
from mlviz.draw.inks import RoleInk, Tone
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.marks import ways
from mlviz.draw.numbers import numbers_apart
from mlviz.draw.overlays import centroids, charts
from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.density.lloyd import SortedSamples, assign, draw_centers, inertia, smallest, update
from mlviz.numerics.distances import distance_measure, gaps_on_grid, pairwise, reach
from mlviz.numerics.grid import Grid
from mlviz.spec import choice, integer

_LARGEST = 1e290
"""Larger coordinates have no sum with weights."""
_SILENT = 1_000_000
"""A restart that nobody watches shows itself after this many distances, so that it can be interrupted."""


@dataclass(frozen=True)
class KMeans(Algorithm):
    """k centres, each sample in the cluster of the nearest one; a centre is the mean of its cluster.

    Minimises the inertia J = Σᵢ wᵢ ‖xᵢ − c(i)‖² over centres and assignment: c(i) is the centre of sample i's cluster,
    and wᵢ the sample's weight, 1 unless weights are given. Lloyd's two steps take turns: assignment (each sample to its
    nearest centre) and update (each centre to the weighted mean of its samples). Neither can raise J, so it ends, but
    in a local minimum that depends on where the centres start. Play the steps to see it happen: the shades are the
    cells of the centres, the dot in a sample is its cluster, the lines show where the centres came from.

    Start: "k-means++" draws each further centre with a probability proportional to the squared distance to the nearest
    one so far (shown as discs); "random points" draws samples, all with the same chance; "farthest point" takes the
    sample farthest from all centres so far. With several restarts the result of each is shown, then the best one is
    played from its start. A cluster that loses all its samples starts again at the sample farthest from its centre.
    There are no more clusters than different samples; the line under the picture then says so.

    S. Lloyd, Least squares quantization in PCM, 1982, doi:10.1109/TIT.1982.1056489. D. Arthur and S. Vassilvitskii,
    k-means++: the advantages of careful seeding, 2007.
    """

    id = "kmeans"
    label = "k-means"
    family = "Clustering"
    tasks = ("clustering",)
    main = "n_clusters"
    trials = (
        Trial("where the centres go, step by step", "blobs"),
        Trial("how many cells the moons are cut into", "moons", {"n_clusters": 6}),
    )
    traits = Traits(follower_differs=True)
    overlays = (
        centroids.cells,
        centroids.links,
        centroids.chances,
        centroids.assignment,
        centroids.trails,
        centroids.centers,
    )
    charts = (charts.objective_chart,)

    inks = {"seeding chance": RoleInk(Tone(pale=0.35), Tone(opacity=0.18), width=1.0)}

    n_clusters: int = integer(3, soft=(1, 9), valid=(1, None), label="k", help="number of clusters")
    init: str = choice("k-means++", "random points", "farthest point", label="start", help="where the centres start")
    n_init: int = integer(
        1, soft=(1, 20), valid=(1, 1000), label="restarts", help="number of starts; the best one counts"
    )

    def steps(
        self, X: Array, y: NDArray[Any] | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[KMeansModel]:
        """The result of each restart where there are several; then seeding, assignment and update of the best one."""
        samples = self.prepare(X, sample_weight)
        k = min(self.n_clusters, samples.different())
        best, least = draw_centers(samples, k, self.init, rng), np.inf
        start = best
        for restart in range(self.n_init if self.n_init > 1 else 0):
            if restart:
                start = draw_centers(samples, k, self.init, rng)
            way, work = _two_steps(samples, samples.places(np.sort(start[0]))), k * samples.columns.size
            for _, centers, labels, reached, _ in thinned(way, work, _SILENT):  # noqa: B007
                yield KMeansModel(samples, self.n_clusters, centers, "restart", labels)
            if reached < least:
                best, least = start, reached
        yield from self._seeding(samples, *best)
        path: tuple[Array, ...] = ()
        for stage, centers, labels, _, settled in _two_steps(samples, samples.places(np.sort(best[0]))):
            if stage == "update" or not path:
                path = (*path, centers)
            yield KMeansModel(samples, self.n_clusters, centers, stage, labels, path=path, settled=settled)

    def prepare(self, X: Array, sample_weight: Array | None) -> SortedSamples:
        """The samples, sorted; raises `CannotFit` where no distance can be computed."""
        refuse_larger(X, _LARGEST)
        samples = SortedSamples.of(X, np.ones(len(X)) if sample_weight is None else sample_weight)
        refuse_distant(samples.columns.T)
        return samples

    def follower(self) -> KMeansFollower:
        """One that goes on from its last centres."""
        return KMeansFollower()

    def code(self, model: KMeansModel) -> Code:
        """KMeans, started from the centres of the model: from others it may end elsewhere."""
        drawn = len(model.centers) == model.reachable
        start = f"init={format_array(model.centers)}, n_init=1, tol=0" if drawn else "random_state=0"
        return Code(("from sklearn.cluster import KMeans",), (f"KMeans({model.reachable}, {start})",), (), "inertia_")

    def _seeding(self, samples: SortedSamples, seeds: Labels, chances: list[Array]) -> Iterator[KMeansModel]:
        # Clusters are named by the sorted samples, from left to right: under the hand that changes less than the
        # order in which they were drawn.
        names = np.argsort(np.argsort(seeds))
        for j in range(1, len(seeds) + 1):
            by_name = np.argsort(names[:j])
            centers, codes = samples.places(seeds[:j][by_name]), names[:j][by_name]
            drawn = chances[j] if j < len(chances) else None
            yield KMeansModel(samples, self.n_clusters, centers, "seeding", codes=codes, chances=drawn)


@dataclass(frozen=True, eq=False)
class KMeansModel(Model):
    """Centres (k, d) on the way or at the end; k clusters were `wanted`, and as many are `reachable` as places differ.

    `assigned` (n,) are the sorted samples' clusters; in an update step those of the assignment before, None in a
    seeding step, when only the clusters `codes` (k,) exist. `path` is where the centres were, `chances` (n,) with which
    probability each sorted sample becomes the next centre.
    """

    samples: SortedSamples
    wanted: int
    centers: Array
    stage: str
    assigned: Labels | None = None
    codes: Labels | None = None
    path: tuple[Array, ...] = ()
    chances: Array | None = None
    settled: bool = False

    field = "predict"
    objective_name = "inertia"

    known_facts = (
        ModelFact(
            "inertia",
            lambda m: m.inertia,
            "Sum of squared distances of the samples to the centres of their clusters; from one start it never rises.",
        ),
        CLUSTER_SIZES,
        ModelFact(
            "converged",
            lambda m: m.settled,
            "Whether the assignment stayed the same in the last step, so that nothing would change any more.",
        ),
    )

    @cached_property
    def reachable(self) -> int:
        """How many clusters there can be."""
        return min(self.wanted, self.samples.different())

    @property
    def caveat(self) -> str:  # type: ignore[override]
        """That there are fewer clusters than were wanted."""
        if (k := self.reachable) == self.wanted:
            return ""
        there = "is only 1 distinct sample" if k == 1 else f"are only {k} distinct samples"
        return f"only {k} cluster{'s' * (k != 1)} for k = {self.wanted}, since there {there}"

    @cached_property
    def labels(self) -> Labels:
        """The cluster of each sample, (n,)."""
        return self.samples.unsorted(self.clusters[self._nearest])

    @cached_property
    def inertia(self) -> float:
        """The weighted sum of squared distances from the samples to the centres of their clusters."""
        return inertia(self.samples, self._nearest, self.centers)

    @cached_property
    def objective(self) -> float:  # type: ignore[override]
        """The inertia, once all centres are there and move."""
        return self.inertia if self.path else float("nan")

    @property
    def trail(self) -> Array:
        """Where the centres were, (steps, k, d)."""
        return np.array(self.path).reshape(-1, *self.centers.shape)

    @property
    def seeding_chances(self) -> Array | None:
        """Each sample's chance to become the next centre, (n,); None when no more are drawn."""
        return None if self.chances is None else self.samples.unsorted(self.chances)

    rating_name = "inertia"

    @property
    def rating(self) -> float:
        """The inertia of its own centres."""
        return self.rating_of(self.centers)

    def rating_of(self, centers: Array) -> float:
        """The inertia of centres (k, d), each sample with the nearest one."""
        return float(self.samples.weights @ assign(self.samples, centers)[1])

    @cached_property
    def _nearest(self) -> Labels:
        return assign(self.samples, self.centers)[0] if self.assigned is None else self.assigned

    @property
    def clusters(self) -> Labels:
        """The codes of the clusters, (k,)."""
        return np.arange(len(self.centers)) if self.codes is None else self.codes

    def predict(self, X: Array) -> Labels:
        """The cluster of the nearest centre, (q,)."""
        columns = np.asarray(X, dtype=np.float64).T
        nearest, _ = smallest(distance_measure(columns - center[:, None], "euclidean") for center in self.centers)
        return np.asarray(self.clusters[nearest])

    def transform(self, X: Array) -> Array:
        """The distances to the centres, (q, k)."""
        return pairwise(np.asarray(X, dtype=np.float64), self.centers)

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> Labels:
        """The cluster of every node, (ny, nx); whole numbers whatever the dtype."""
        nearest, _ = smallest(gaps_on_grid(grid, center, "euclidean") for center in self.centers)
        return nearest if self.codes is None else self.codes[nearest]

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """How far the nearest two centres are."""
        distances = self.transform(x[None, :])[0]
        nearest = np.argsort(distances, kind="stable")[:2]
        called = [f"cluster {self.clusters[j] + 1}" for j in nearest]
        told = numbers_apart(*distances[nearest].tolist(), beside=reach(x, self.samples.columns))
        sentence = f"{called[0]}: its centre is {told[0]} away"
        if len(nearest) > 1:
            sentence += f", the next one, of {called[1]}, {told[1]}"
        return Explanation(sentence + ".", ways(self.centers[nearest], x), measured=True)


class KMeansFollower:
    """Keeps the last centres: from there the clusters keep their names, and change only where samples do.

    Its models end in a local minimum near them, which need not be the one that `steps` finds.
    """

    _centers: Array | None = None

    def start_from(self, model: KMeansModel) -> None:
        """Go on from that model's centres."""
        self._centers = model.centers

    def update(
        self, algorithm: KMeans, X: Array, y: NDArray[Any] | None, sample_weight: Array | None, deadline: float
    ) -> KMeansModel:
        """The clusters after as many of Lloyd's steps as there is time for, at least one."""
        start, self._centers = self._centers, None  # should the data be refused, the next call starts from nothing
        samples = algorithm.prepare(X, sample_weight)
        if start is None or start.shape != (min(algorithm.n_clusters, samples.different()), X.shape[1]):
            model = last_until(np.inf, algorithm.steps(X, y, np.random.default_rng(0), sample_weight))
            self._centers = model.centers
            return model
        stage, self._centers, labels, _, settled = last_until(deadline, _two_steps(samples, start))
        path = (self._centers,)
        return KMeansModel(samples, algorithm.n_clusters, self._centers, stage, labels, path=path, settled=settled)


def _two_steps(samples: SortedSamples, centers: Array) -> Iterator[tuple[str, Array, Labels, float, bool]]:
    """Stage, centres, labels, inertia of the last assignment and whether it has ended, after each of Lloyd's steps."""
    labels, lowest = np.full(len(samples.weights), -1, dtype=np.intp), np.inf
    while True:
        found, gaps = assign(samples, centers)
        reached = float(samples.weights @ gaps)
        # Without a change, or with one among equals that wins nothing, the next round would be the same.
        settled = bool((found == labels).all()) or reached >= lowest
        labels, lowest = found, reached
        yield "assignment", centers, labels, reached, settled
        if settled:
            return
        centers = update(samples, labels, gaps, len(centers))
        yield "update", centers, labels, lowest, False
