"""What spectral clustering says: the clusters of the nodes of a graph, and of other places the nearest node's."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mlviz.algorithms.base import Model, ModelFact
from mlviz.algorithms.clustering.sizes import CLUSTER_SIZES
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.marks import Segments
from mlviz.draw.numbers import counted, drawn_part, number
from mlviz.numerics.arrays import AnyArray, Array, Labels
from mlviz.numerics.distances import reach
from mlviz.numerics.graphs.cuts import MOST_COMPARED, cut_into, least_cut, least_cut_along, minimum_cut
from mlviz.numerics.graphs.embedding import Grouping
from mlviz.numerics.graphs.laplacian import Eigenpairs, smallest_eigenvalues
from mlviz.numerics.graphs.operators import times_laplacian
from mlviz.numerics.graphs.similarity import SimilarityGraph
from mlviz.numerics.grid import Grid
from mlviz.numerics.neighbors.labels import nearest_labels
from mlviz.numerics.neighbors.search import Search
from mlviz.spec.brief import Brief

_TOLD = 11
"""So many eigenvalues are shown at the least: those of up to ten clusters, as in the study of the eigengap."""
_EDGES_SHOWN = 20
"""So many of the heaviest edges of a sample are shown."""
_MOST_CUT = 60
"""Of more nodes the minimum cut takes too long to follow the hand."""


@dataclass(frozen=True, eq=False)
class GraphOfSamples(Brief):
    """Samples X (n, d), their places (m, d) as nodes of a graph, eigenvectors U (m, p), and Z (m, k) for k-means."""

    X: Array
    places: Array
    node: Labels | None
    """(n,) which node each sample is; None where some samples are at other places."""
    different: int
    """How many different samples there are."""
    graph: SimilarityGraph
    spectrum: Eigenpairs
    U: Array
    Z: Array
    laplacian: str

    @cached_property
    def eigenvalues(self) -> Array:
        """Further ones as well, which no cluster needs: they are worked out when they are asked for."""
        most = max(_TOLD, self.Z.shape[1] + 1)
        return smallest_eigenvalues(self.graph, self.normalized, most, self.spectrum).values

    @cached_property
    def search(self) -> Search:
        """What finds the nearest node."""
        return Search(self.places, "euclidean")

    def nearest_node(self, X: Array) -> Labels:
        """The nearest node of places X (q, d), of equally near ones the first: (q,)."""
        return self.search.first(X)

    @cached_property
    def node_of_sample(self) -> Labels:
        """For each sample the node that speaks for it, (n,): the one at its place, or the nearest."""
        return np.asarray(self.nearest_node(self.X) if self.node is None else self.node)

    @property
    def normalized(self) -> bool:
        """Whether the Laplacian is that of the normalized cut."""
        return self.laplacian != "unnormalized"


@dataclass(frozen=True, eq=False)
class SpectralModel(Model):
    """One round of k-means on the eigenvectors; k clusters were `wanted`."""

    data: GraphOfSamples
    wanted: int
    grouping: Grouping

    field = "predict"
    stage = "assignment"
    objective_name = "inertia among the eigenvectors"

    known_facts = (
        ModelFact(
            "ratio cut",
            lambda m: None if m.data.normalized else m.cut,
            "For each cluster the weight of the edges that leave it, divided by its number of nodes; added up.",
            beside=lambda m: m.size,
        ),
        ModelFact(
            "normalized cut",
            lambda m: m.cut if m.data.normalized else None,
            "For each cluster the weight of the edges that leave it, divided by the sum of its degrees; added up.",
            beside=lambda m: m.size,
        ),
        ModelFact(
            "lower bound of all cuts",
            lambda m: m.bound,
            "Sum of the k smallest eigenvalues of the Laplacian: no way to cut the graph into k parts costs less.",
            beside=lambda m: m.size,
        ),
        ModelFact(
            "smallest cut of all",
            lambda m: m.least,
            "The smallest ratio or normalized cut into two parts; all are compared, since the nodes are few.",
            beside=lambda m: m.size,
        ),
        ModelFact(
            "smallest cut along eigenvector 2",
            lambda m: m.least_along,
            "The smallest ratio or normalized cut into nodes below and above a threshold of the second eigenvector.",
            beside=lambda m: m.size,
        ),
        ModelFact(
            "minimum cut",
            lambda m: m.minimum_cut,
            "The smallest weight of edges that divides the graph in two, whatever the size of the parts.",
            level="more",
        ),
        ModelFact(
            "eigengap",
            lambda m: m.eigengap,
            "How much larger the eigenvalue after the k-th one is; a large gap speaks for k clusters.",
            beside=lambda m: m.size,
        ),
        ModelFact(
            "largest gap after",
            lambda m: m.largest_gap,
            "After which of the eigenvalues shown the largest gap is: a common way to choose k, which may mislead.",
            level="more",
        ),
        CLUSTER_SIZES,
        ModelFact(
            "connected components",
            lambda m: m.components,
            "Into how many pieces without an edge between them the graph falls: as many eigenvalues are 0.",
            level="more",
        ),
        ModelFact("edges", lambda m: m.data.graph.edge_count, "How many pairs of samples are joined.", level="more"),
        ModelFact(
            "converged",
            lambda m: m.grouping.settled,
            "Whether the assignment stayed the same in the last round of k-means.",
            level="more",
        ),
        ModelFact(
            "inertia among the eigenvectors",
            lambda m: m.objective,
            "Sum of squared distances to the centres that k-means finds where the eigenvectors place the nodes.",
            level="more",
            beside=lambda m: float(np.square(m.data.Z).sum()),
        ),
        ModelFact(
            "residual of the eigenvectors",
            lambda m: m.residual,
            "The largest length of L u − λ u over the eigenvectors u of length 1 that group the nodes, as a share of "
            "the largest number on the diagonal of L: how exactly they were found.",
            level="solver",
        ),
    )

    @property
    def objective(self) -> float:  # type: ignore[override]
        """What k-means makes smaller: the squared distances to the centres, among the eigenvectors."""
        return self.grouping.inertia

    @property
    def clusters(self) -> Labels:
        """The codes of the clusters, (k,)."""
        return np.arange(len(self.grouping.centers))

    @property
    def labels(self) -> Labels:
        """The cluster of each sample, (n,)."""
        return np.asarray(self.grouping.labels[self.data.node_of_sample])

    @property
    def components(self) -> int:
        """The number of connected components of the graph."""
        return int(self.data.graph.components.max()) + 1

    @property
    def size(self) -> float:
        """The largest number on the diagonal of the Laplacian."""
        return 1.0 if self.data.normalized else float(self.data.graph.degrees.max())

    @property
    def residual(self) -> float:
        """How far the eigenvectors are from solving their equation, as a share of the size of the Laplacian."""
        data, V = self.data, self.data.U
        V = V * np.sqrt(data.graph.divisors)[:, None] if data.laplacian == "random walk" else V
        V = V / np.linalg.norm(V, axis=0)
        left = times_laplacian(data.graph, data.normalized, V) - V * data.spectrum.values
        return float(np.linalg.norm(left, axis=0).max()) / (self.size or 1.0)

    @cached_property
    def cut(self) -> float:
        """The ratio cut or normalized cut into these clusters."""
        return cut_into(self.data.graph, self.grouping.labels, self.data.normalized)

    @cached_property
    def least(self) -> float | None:
        """The least such cut into two, where there are two clusters of few nodes."""
        few = len(self.clusters) == 2 and len(self.data.places) <= MOST_COMPARED
        return least_cut(self.data.graph, self.data.normalized) if few else None

    @cached_property
    def least_along(self) -> float | None:
        """The least such cut at a threshold of the second eigenvector, where there are two clusters of more nodes."""
        if len(self.clusters) != 2 or len(self.data.places) <= MOST_COMPARED:
            return None
        return least_cut_along(self.data.graph, self.data.U[:, 1], self.data.normalized)

    @cached_property
    def minimum_cut(self) -> str | None:
        """The least weight that parts the graph in two, and how many nodes it cuts off."""
        n = len(self.data.places)
        if len(self.clusters) != 2 or n > _MOST_CUT:
            return None
        weight, part = minimum_cut(self.data.graph)
        cut_off = min(int(part.sum()), n - int(part.sum()))
        return f"{number(weight, 4, beside=self.data.graph.degrees.max())}, {cut_off} of {n} nodes cut off"

    @property
    def rating_name(self) -> str:
        """Which cut its clusters are judged by."""
        return "normalized cut" if self.data.normalized else "ratio cut"

    @property
    def rating(self) -> float:
        """The cut into its own clusters."""
        return self.cut

    def rating_of(self, centers: Array) -> float:
        """The cut into what is nearest to each of some centres (k, d)."""
        nearest = Search(np.asarray(centers, dtype=np.float64), "euclidean").nearest(self.data.places, 1)[0][0]
        return cut_into(self.data.graph, nearest.astype(np.intp), self.data.normalized)

    @property
    def bound(self) -> float:
        """The sum of the k smallest eigenvalues."""
        return float(self.data.spectrum.values[: len(self.clusters)].sum())

    @property
    def eigengap(self) -> float | None:
        """The difference of the eigenvalues k + 1 and k, where there are so many."""
        k, values = len(self.clusters), self.data.eigenvalues
        return float(values[k] - values[k - 1]) if k < len(values) else None

    @property
    def largest_gap(self) -> int | None:
        """After which eigenvalue the largest gap is; of equally large ones, the first."""
        gaps = np.diff(self.data.eigenvalues)
        if not len(gaps) or not gaps.max() > 0:
            return None
        return int(np.argmax(gaps > gaps.max() * (1 - 1e-9))) + 1

    @property
    def caveat(self) -> str:  # type: ignore[override]
        """What is approximate or arbitrary: nodes that were drawn, fewer clusters, components that share one."""
        told, nodes = [], len(self.data.places)
        if self.data.node is None:
            part = drawn_part(nodes, self.data.different, "different samples")
            told.append(f"graph of {part}; each other one as the nearest of these")
        if (k := len(self.clusters)) < self.wanted:
            told.append(f"only {counted(k, 'cluster')} for k = {self.wanted}: the eigenvectors tell no more apart")
        if self.components > k:
            told.append(f"the graph has {self.components} components: which of them share a cluster is arbitrary")
        return "; ".join(told)

    def predict(self, X: Array) -> Labels:
        """The cluster of the nearest node, (q,)."""
        return self.grouping.labels[self.data.nearest_node(X)]

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray:
        """The cluster of every node of the grid, (ny, nx); whole numbers whatever the dtype."""
        return nearest_labels(grid, self.data.places, self.grouping.labels, self.data.search)

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """The nearest sample of the graph, and with how many it is joined."""
        data = self.data
        node = int(data.nearest_node(x[None])[0])
        place, weights = data.places[node], data.graph.W[node]
        away = number(float(np.hypot.reduce(x - place)), beside=reach(x, data.places))
        joined = np.argsort(-weights, kind="stable")[: min(_EDGES_SHOWN, int(np.count_nonzero(weights)))]
        same = int((self.grouping.labels[weights > 0] == self.grouping.labels[node]).sum())
        sentence = (
            f"cluster {self.grouping.labels[node] + 1}: that of the nearest sample, {away} away, which is joined with "
            f"{counted(int(np.count_nonzero(weights)), 'other')}, {same} of them in its cluster."
        )
        marks = Segments("neighbour", np.tile(place, (len(joined), 1)), data.places[joined])
        way = Segments("neighbour", x[None], place[None])
        return Explanation(sentence, (way, marks) if len(x) == 2 else (), measured=True)
