"""What k-means in a feature space says: which centre is nearest there, of samples and of any place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mlviz.algorithms.base import Model, ModelFact
from mlviz.algorithms.checking import refuse_distant, refuse_larger
from mlviz.algorithms.clustering.sizes import CLUSTER_SIZES
from mlviz.algorithms.kernels.parameters import KernelData, KernelMethod
from mlviz.draw.contours import contour, join_lines, some_lines
from mlviz.draw.layer import UNNAMED, Explanation, Names, OnField, overlay
from mlviz.draw.marks import Mark
from mlviz.draw.numbers import counted, drawn_part, numbers_apart
from mlviz.draw.overlays.centroids import cluster_shade
from mlviz.numerics.arrays import AnyArray, Array, Labels
from mlviz.numerics.density.kernel_kmeans import FeatureSpace, Partition, nearest_of_gaussian
from mlviz.numerics.distances import DistanceProducts, pairwise
from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.base import Gaussian
from mlviz.numerics.kernels.expansion import Expansion
from mlviz.numerics.sampling import SamplePlaces
from mlviz.spec.brief import Brief

MOST_PLACES = 600
"""Of more places some are drawn: a round goes by the square of their number, and their kernel is worked out at once."""
_FEW = 2000
"""Of more places products tell distances."""
_FINEST = 1e-6
"""Differences of squared distances, in units of the kernel, that are told on a grid."""


@dataclass(frozen=True, eq=False)
class KernelSamples(Brief):
    """The samples X (n, d), and their different places, or some of these, as the kernel of `seen` knows them."""

    X: Array
    seen: KernelData
    space: FeatureSpace
    place: Labels | None
    """(n,) at which place each sample is; None where some samples are elsewhere."""
    different: int
    """How many different places carry weight."""

    @classmethod
    def given(cls, algorithm: KernelMethod, X: Array, sample_weight: Array | None) -> KernelSamples:
        """The samples as the algorithm's kernel knows them; raises `CannotFit`."""
        refuse_larger(X)
        refuse_distant(X)
        weights = np.ones(len(X)) if sample_weight is None else sample_weight
        merged = SamplePlaces.of(X, weights, MOST_PLACES)
        seen = KernelData.of(algorithm.kernel_for(merged.X), merged.X)
        space = FeatureSpace(seen.gram(), merged.weight)
        return cls(X.copy(), seen, space, merged.group if merged.whole else None, merged.different)

    @property
    def places(self) -> Array:
        """The places that are clustered, (m, d), sorted."""
        return self.seen.X


@dataclass(frozen=True, eq=False)
class KernelKMeansModel(Model):
    """A partition on the way or at the end; k clusters were `wanted`."""

    data: KernelSamples
    wanted: int
    partition: Partition
    stage: str
    left_out: str = ""
    """That not all restarts were made, where so many take too long."""

    field = "decision_function"
    objective_name = "inertia in the feature space"

    known_facts = (
        ModelFact(
            "inertia in the feature space",
            lambda m: m.inertia,
            "Sum of squared distances of the samples to the centres of their clusters, as the kernel has them; it "
            "never rises from one start. Where some places stand for all, it is that of the samples at these.",
            beside=lambda m: m.size,
        ),
        ModelFact(
            "explained by the clusters",
            lambda m: m.explained,
            "By what share the inertia is smaller than that of a single cluster.",
            "share",
        ),
        CLUSTER_SIZES,
        ModelFact(
            "converged",
            lambda m: m.settled,
            "Whether each sample is in the cluster of its nearest centre, and no single move lowers the inertia.",
        ),
    )

    @property
    def caveat(self) -> str:  # type: ignore[override]
        """What was left out, and that there are fewer clusters than were wanted."""
        told, places = [], len(self.data.places)
        if places < self.data.different:
            part = drawn_part(places, self.data.different, "different samples")
            told.append(f"centres of {part}; the others go to the nearest centre")
        if (k := self.partition.k) < self.wanted:
            told.append(f"only {counted(k, 'cluster')} for k = {self.wanted}: no more differ in the feature space")
        return "; ".join(filter(None, (*told, self.left_out)))

    @property
    def cost(self) -> int:  # type: ignore[override]
        """That of all centres."""
        return sum(part.cost for part in self._scores)

    @property
    def clusters(self) -> Labels:
        """The codes of the clusters, (k,)."""
        return np.arange(self.partition.k)

    @cached_property
    def labels(self) -> Labels:
        """The cluster of each sample, (n,)."""
        place = self.data.place
        return np.asarray(self.predict(self.data.X) if place is None else self.partition.labels[place])

    @property
    def inertia(self) -> float:
        """The weighted sum of squared distances in the feature space."""
        return self.partition.objective * self.data.seen.unit

    @property
    def objective(self) -> float:  # type: ignore[override]
        """The inertia on the way from one start; what other starts lead to is no part of that."""
        return float("nan") if self.stage == "restart" else self.inertia

    @property
    def size(self) -> float:
        """The largest k(x, x), counted for all samples."""
        return float(self.data.space.weights.sum()) * self.data.seen.unit

    @property
    def explained(self) -> float:
        """By what share the inertia is smaller than that of one cluster."""
        space = self.data.space
        whole = Partition.of(space, np.zeros(len(space.weights), dtype=np.intp), 1).objective
        return 1.0 - self.partition.objective / whole if whole > space.nothing * len(space.weights) else 1.0

    @cached_property
    def settled(self) -> bool:
        """Whether no step improves the partition, its sums worked out anew."""
        anew = Partition.of(self.data.space, self.partition.labels, self.partition.k)
        return anew.fixed and anew.move is None

    rating_name = "inertia in the feature space"

    @property
    def rating(self) -> float:
        """The inertia of its own clusters."""
        return self.inertia

    def rating_of(self, centers: Array) -> float:
        """The inertia of the clusters that are nearest to each of some places (k, d)."""
        labels = pairwise(self.data.places, np.asarray(centers, dtype=np.float64)).argmin(axis=1)
        return Partition.of(self.data.space, labels, len(centers)).objective * self.data.seen.unit

    @cached_property
    def _scores(self) -> tuple[Expansion, ...]:
        """For each cluster the inner product with its centre less half of its squared length, in units."""
        seen, part = self.data.seen, self.partition
        members = [part.labels == code for code in range(part.k)]
        return tuple(
            Expansion(seen.kernel, seen.places[mine], part.shares[mine] / seen.unit, seen.origin, -float(length) / 2)
            for mine, length in zip(members, part.lengths, strict=True)
        )

    def decision_function(self, X: Array) -> Array:
        """Half of what k(x, x) is more than the squared distance to each centre, in units of the kernel: (q, k)."""
        return np.stack([score.at(X) for score in self._scores], axis=-1)

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray:
        """The same at every node, (ny, nx, k)."""
        return np.stack([score.on_grid(grid, dtype, _FINEST) for score in self._scores], axis=-1)

    def predict(self, X: Array) -> Labels:
        """The cluster of the nearest centre in the feature space, (q,)."""
        places = np.asarray(X, dtype=np.float64)
        found, unclear = np.empty(len(places), dtype=np.intp), np.arange(len(places))
        if len(places) > _FEW and isinstance(self.data.seen.kernel, Gaussian):
            found, unclear = self._by_products(places, self.data.seen.kernel.sigma)
        if len(unclear):
            found[unclear] = np.argmax(self.decision_function(places[unclear]), axis=1)
        return found

    @np.errstate(over="ignore", invalid="ignore")
    def _by_products(self, X: Array, width: float) -> tuple[Labels, Labels]:
        """The same of many places X (q, d) for the Gaussian kernel, and of which that is not clear."""
        seen, part = self.data.seen, self.partition
        coef = np.where(part.labels[:, None] == np.arange(part.k), part.shares[:, None] / seen.unit, 0.0)
        products = DistanceProducts.of(seen.places, width)
        return nearest_of_gaussian(X - seen.origin, products, coef, -part.lengths / 2)

    def transform(self, X: Array) -> Array:
        """The distances to the centres in the feature space, (q, k)."""
        seen, places = self.data.seen, np.asarray(X, dtype=np.float64)
        lengths = seen.kernel.diagonal(places - seen.origin) / seen.unit
        gaps = lengths[:, None] - 2 * self.decision_function(places)
        return np.sqrt(np.maximum(gaps, 0.0) * seen.unit)

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """How far the nearest two centres are."""
        distances = self.transform(x[None])[0]
        nearest = np.argsort(-self.decision_function(x[None])[0], kind="stable")[:2]
        told = numbers_apart(*distances[nearest].tolist(), beside=float(np.sqrt(self.data.seen.unit)))
        sentence = f"cluster {nearest[0] + 1}: its centre is nearest in the feature space, at {told[0]}"
        if len(nearest) > 1:
            sentence += f"; the next one, of cluster {nearest[1] + 1}, is at {told[1]}"
        return Explanation(sentence + ".")


@overlay("regions", "clusters", "the places nearest to each centre in the feature space")
def borders(model: KernelKMeansModel, context: OnField) -> Sequence[Mark]:
    field, nodes = context.field, context.nodes
    first = np.argmax(field, axis=-1)
    region = cluster_shade(nodes, first)
    if field.shape[-1] == 1:
        return (region,)
    second, top = np.moveaxis(np.partition(field, -2, axis=-1)[..., -2:], -1, 0)
    # Of two clusters the border of one is that of the other.
    found = np.unique(first)[1:] if field.shape[-1] == 2 else np.unique(first)
    leads = (field[..., code] - np.where(first == code, second, top) for code in found)
    lines = [contour(nodes, lead, 0.0, fine=context.fine) for lead in leads]
    return region, *some_lines("cell", join_lines(lines), "cluster borders")
