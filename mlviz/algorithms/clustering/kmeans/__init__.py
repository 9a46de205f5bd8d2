"""k-means clustering (Lloyd 1957; published 1982, doi:10.1109/TIT.1982.1056489)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, count
from typing import NamedTuple

import numpy as np

from mlviz.algorithms.base import Algorithm, Code, format_array, last_until
from mlviz.algorithms.checking import refuse_distant, refuse_larger
from mlviz.algorithms.clustering.kmeans.model import KMeansModel
from mlviz.algorithms.clustering.start_by_hand import BY_HAND, StartedByHand, restarts_made, start_text
from mlviz.algorithms.traits import Traits, Trial, where
from mlviz.draw.inks import RoleInk, Tone
from mlviz.draw.numbers import drawn_part
from mlviz.draw.overlays import centroids, charts
from mlviz.numerics.arrays import AnyArray, Array, Labels
from mlviz.numerics.density.kmeans_starts import draw_centers
from mlviz.numerics.density.lloyd import LloydRounds, SortedSamples
from mlviz.numerics.pauses import thinned
from mlviz.spec import choice, integer

_LARGEST = 1e290
"""Larger coordinates have no sum with weights."""
_SILENT = 1_000_000
"""A restart that nobody watches shows itself after this many distances, so that it can be interrupted."""
_ALL_COMPARED, _MOST_COMPARED = 5000, 2000
"""Up to so many samples compare restarts; of more so many are drawn, which are those that restarts are drawn from."""
_ROUND, _RESTARTED = 10_000, 100_000_000
"""A round takes as long as so many distances, and those that it works out; no further restart begins after so many,
which take about a second."""
_MOST_WORK = 120_000_000
"""The best start is played until the samples have been compared with the centres so often, which takes 0.7 s."""
_DRAWN_STARTS = ("k-means++", "random points", "farthest point")


class LloydStep(NamedTuple):
    """What one of Lloyd's steps has made of the centres; `settled` is whether they stay, `late` whether it stops."""

    stage: str
    centers: Array
    labels: Labels
    inertia: float
    settled: bool = False
    late: bool = False


@dataclass(frozen=True)
class KMeans(StartedByHand, Algorithm):
    """k centres, each sample in the cluster of the nearest one; a centre is the mean of its cluster.

    Minimises the inertia J = Σᵢ wᵢ ‖xᵢ − c(i)‖² over centres and assignment: c(i) is the centre of sample i's cluster,
    and wᵢ the sample's weight, 1 unless weights are given. Lloyd's two steps take turns: assignment (each sample to its
    nearest centre) and update (each centre to the weighted mean of its samples). Neither can raise J, so it ends, but
    in a local minimum that depends on where the centres start. Play the steps to see it happen: the shades are the
    cells of the centres, the dot in a sample is its cluster, the lines show where the centres came from.

    Start: the first centre is a sample drawn with a chance of 1/n, or with its share of all weights. "k-means++" draws
    each further centre with a probability proportional to the squared distance to the nearest one so far (shown as
    discs); "random points" draws samples, all with the same chance; "farthest point" takes the sample farthest from all
    centres so far. While starting, a fact tells the chance of the newest centre. With several restarts the result of
    each is shown, then the best one is played from its start. Of many samples some are drawn, from which alone restarts
    begin and by which they are compared, and where so many would take too long, fewer are made; of very many samples
    the last steps may be left out, which gain little; the line under the picture says so. A cluster that loses all its
    samples starts again at the sample farthest from its centre. There are no more clusters than different samples; the
    line under the picture then says so.

    With the start "by hand" you place the centres yourself, also where no good start would be: drag a diamond, with
    Shift pull a further one out of it, with Ctrl click one away. Centres that you have not placed yet start at the
    sample farthest from those before.

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
        Trial("each moon is cut into cells with straight borders", "moons", {"n_clusters": 6}),
    )
    traits = Traits(random=where("init", *_DRAWN_STARTS), follower_differs=True)
    overlays = (
        centroids.cells,
        centroids.links,
        centroids.chances,
        centroids.assignment,
        centroids.trails,
        centroids.starts,
        centroids.centers,
    )
    charts = (charts.objective_chart,)

    inks = {"seeding chance": RoleInk(Tone(pale=0.35), Tone(opacity=0.18), width=1.0)}

    n_clusters: int = integer(3, soft=(1, 9), valid=(1, None), label="k", help="number of clusters")
    init: str = choice(*_DRAWN_STARTS, BY_HAND, label="start", help="where the centres start")
    n_init: int = integer(
        1,
        soft=(1, 20),
        valid=(1, 1000),
        label="restarts",
        help="number of starts; the best one counts",
        when=("init", _DRAWN_STARTS),
    )
    centers: str = start_text()

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[KMeansModel]:
        """The result of each restart where there are several; then seeding, assignment and update of the best one."""
        samples = self.prepare(X, sample_weight)
        k = min(self.n_clusters, samples.different)
        if self.started_by_hand:
            yield from self._play(samples, self.start_in(samples, k))
            return
        several = self.n_init > 1 and np.count_nonzero(samples.weights) > _ALL_COMPARED
        few = samples.some(_MOST_COMPARED) if several else samples
        few = samples if few.different < k else few
        best, least = draw_centers(few, k, self.init, rng), np.inf
        start, spent, told = best, 0, list[str]()
        if few.weights.size < np.count_nonzero(samples.weights):
            told.append(f"restarts drawn from and compared by {drawn_part(few.weights.size, samples.weights.size)}")
        for restart in range(self.n_init if self.n_init > 1 else 0):
            if spent > _RESTARTED:
                told.append(restarts_made(restart, self.n_init))
                break
            if restart:
                start = draw_centers(few, k, self.init, rng)
            way, work = _two_steps(few, few.places(np.sort(start[0]))), few.columns.size
            for now, step in thinned(zip(way, count(1), strict=False), work, _SILENT):  # noqa: B007
                yield KMeansModel(samples, self.n_clusters, now.centers, "restart")
            spent += step * (work + _ROUND) // 2 + k * work
            if now.inertia < least:
                best, least = start, now.inertia
        left_out = "; ".join(told)
        seeding = self._seeding(samples, few, *best)
        for model in chain(seeding, self._play(samples, few.places(np.sort(best[0])))):
            yield replace(model, left_out=left_out) if left_out else model

    def _play(self, samples: SortedSamples, start: Array) -> Iterator[KMeansModel]:
        """Lloyd's steps from a start (k, d)."""
        walk = [start]
        for step in _two_steps(samples, start, _MOST_WORK):
            if step.stage == "update":
                walk.append(step.centers)
            yield self._model(samples, step, walk, start)

    def after(self, step: LloydStep, samples: SortedSamples, k: int) -> KMeansModel:
        """The model after one of Lloyd's steps, wherever they began."""
        start = self.start_in(samples, k) if self.started_by_hand else step.centers
        return self._model(samples, step, [step.centers], start)

    def _model(self, samples: SortedSamples, step: LloydStep, walk: list[Array], start: Array) -> KMeansModel:
        return KMeansModel(
            samples,
            self.n_clusters,
            step.centers,
            step.stage,
            step.labels,
            reached=step.inertia,
            walk=walk,
            walked=len(walk),
            settled=step.settled,
            late=step.late,
            start=start if self.started_by_hand else None,
            given=self.given,
        )

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

    def _seeding(
        self, samples: SortedSamples, few: SortedSamples, seeds: Labels, chances: list[Array]
    ) -> Iterator[KMeansModel]:
        """The centres one after the other, drawn from a few of the samples or from all: no other one had a chance."""
        # Clusters are named by the sorted samples, from left to right: under the hand that changes less than the
        # order in which they were drawn.
        names = np.argsort(np.argsort(seeds))
        for j in range(1, len(seeds) + 1):
            by_name = np.argsort(names[:j])
            centers, codes = few.places(seeds[:j][by_name]), names[:j][by_name]
            following = chances[j] if j < len(chances) else None
            if following is not None and few is not samples:
                following = np.bincount(few.rows, following, minlength=len(samples.weights)).astype(np.float64)
            yield KMeansModel(
                samples,
                self.n_clusters,
                centers,
                "seeding",
                codes=codes,
                chances=following,
                drawn_with=float(chances[j - 1][seeds[j - 1]]),
            )


class KMeansFollower:
    """Keeps the last centres: from there the clusters keep their names, and change only where samples do.

    Its models end in a local minimum near them, which need not be the one that `steps` finds.
    """

    _centers: Array | None = None
    _given: str | None = None

    def start_from(self, model: KMeansModel) -> None:
        """Go on from that model's centres."""
        self._centers, self._given = model.centers, model.given

    def update(
        self, algorithm: KMeans, X: Array, y: AnyArray | None, sample_weight: Array | None, deadline: float
    ) -> KMeansModel:
        """The clusters after as many of Lloyd's steps as there is time for, at least one."""
        start, self._centers = self._centers, None  # should the data be refused, the next call starts from nothing
        moved, self._given = algorithm.given != self._given, algorithm.given
        samples = algorithm.prepare(X, sample_weight)
        k = min(algorithm.n_clusters, samples.different)
        if moved and algorithm.started_by_hand:
            model = last_until(deadline, algorithm.steps(X, y, np.random.default_rng(0), sample_weight))
        elif start is None or start.shape != (k, X.shape[1]):
            model = last_until(np.inf, algorithm.steps(X, y, np.random.default_rng(0), sample_weight))
        else:
            model = algorithm.after(last_until(deadline, _two_steps(samples, start)), samples, k)
        self._centers = model.centers
        return model


def _two_steps(samples: SortedSamples, centers: Array, most: float = np.inf) -> Iterator[LloydStep]:
    """What each of Lloyd's steps makes of the centres, until they stay or so much work is done."""
    rounds = LloydRounds.of(samples, centers)
    while True:
        rounds.assign()
        late = rounds.work > most and not rounds.settled
        yield LloydStep("assignment", rounds.centers, rounds.labels, rounds.inertia, rounds.settled, late)
        if rounds.settled or late:
            return
        rounds.update()
        yield LloydStep("update", rounds.centers, rounds.labels, rounds.inertia)
