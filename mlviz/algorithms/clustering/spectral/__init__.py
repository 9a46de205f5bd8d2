"""Spectral clustering (Shi and Malik 2000; Ng, Jordan and Weiss 2002; von Luxburg 2007)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.base import Algorithm, Code, Traits
from mlviz.algorithms.checking import refuse_distant, refuse_larger
from mlviz.algorithms.clustering.spectral import pictures
from mlviz.algorithms.clustering.spectral.model import GraphOfSamples, SpectralModel
from mlviz.algorithms.traits import Trial, always
from mlviz.draw.inks import RoleInk, Tone
from mlviz.draw.numbers import number
from mlviz.draw.overlays import centroids, charts
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.graphs.embedding import embedded, groupings, signed_eigenvectors
from mlviz.numerics.graphs.laplacian import smallest_eigenvalues
from mlviz.numerics.graphs.similarity import gaussian_graph, neighbour_graph
from mlviz.numerics.sampling import SamplePlaces
from mlviz.spec import choice, integer, real

MOST_NODES = 600
"""Of more samples some are drawn: the time goes by the cube of the nodes, and can't be interrupted."""
_CLEAR = {"n_samples": 200, "noise": 0.15}
_STARTS = 10
"""So many starts of k-means are compared at the most."""


@dataclass(frozen=True)
class SpectralClustering(Algorithm):
    """A graph joins samples that are alike; it is cut into k parts where little weight is lost.

    The graph: either each sample is joined with its nearest ones (weight 1 if both are among the nearest of each other,
    ½ if only one is), or all are joined with the weight exp(−|x − x'|²/(2σ²)). W holds the weights, D the degrees: the
    sum of the weights at each sample.

    A good cut loses little weight and leaves no part small. Ratio cut = Σ cut(A)/|A|, where cut(A) is the weight of all
    edges that leave the part A and |A| its number of nodes; normalized cut = Σ cut(A)/vol(A), where vol(A) is the sum
    of the degrees in A. Finding the smallest one is hard, but if the numbers that mark the part of a node may be any
    real ones, it is an eigenvalue problem: the Laplacian L = D − W ("unnormalized") relaxes the ratio cut,
    D⁻¹L ("random walk") and D⁻½ L D⁻½ ("symmetric") relax the normalized cut. The eigenvectors of the k smallest
    eigenvalues, side by side, give each node k numbers, which k-means groups, from the best of up to ten starts; for
    "symmetric" each node's numbers are brought to length 1 before. The sum of the k smallest eigenvalues is a lower
    bound for every cut into k parts. Each sample is a node; those at one place are a single one, so that weights and
    copies change nothing. For k = 2 the facts tell the smallest cut there is, of up to 14 nodes, or the best one along
    the second eigenvector, and the smallest weight alone that divides the graph, which often cuts off a single node.

    In the picture: edges are the stronger the heavier they are; those that are cut are red. Each sample's dot is its
    cluster. The side plots show the eigenvalues, where a large gap after the k-th one speaks for k parts, the second
    eigenvector, and how k-means sees the nodes. Each connected component adds one eigenvalue 0. The method only
    knows its samples: any other place goes with the nearest sample. The graph has at most 600 nodes; of more samples
    some are drawn, as the line under the picture then says.

    J. Shi and J. Malik, Normalized cuts and image segmentation, 2000, doi:10.1109/34.868688. A. Ng, M. Jordan and
    Y. Weiss, On spectral clustering, 2002. U. von Luxburg, A tutorial on spectral clustering, 2007,
    doi:10.1007/s11222-007-9033-z.
    """

    id = "spectral"
    label = "spectral clustering"
    family = "Clustering"
    tasks = ("clustering",)
    main = "n_clusters"
    trials = (
        Trial("each moon is a part, and the red edges are where the graph is thin", "moons", drawing=_CLEAR),
        Trial("into how many components a graph of few neighbours falls", "circles", {"n_neighbors": 2}),
        Trial("the gap after the third eigenvalue", "blobs", {"n_clusters": 3, "graph": "gaussian"}),
    )
    overlays = (
        pictures.regions,
        pictures.edges,
        centroids.assignment,
        pictures.eigenvector,
    )
    charts = (pictures.eigenvalue_chart, pictures.eigenvector_chart, pictures.embedding_chart, charts.objective_chart)
    traits = Traits(random=always, weighted=False)
    inks = {
        "light edge": RoleInk(Tone(pale=0.65), width=0.8),
        "edge": RoleInk(Tone(pale=0.4), width=1.1),
        "heavy edge": RoleInk(Tone(pale=0.15), width=1.5),
        "cut edge": RoleInk(Tone("curve"), width=1.8),
    }

    n_clusters: int = integer(2, soft=(1, 9), valid=(1, None), label="k", help="number of clusters")
    graph: str = choice("nearest neighbours", "gaussian", help="which samples are joined, and how strongly")
    n_neighbors: int = integer(
        10,
        soft=(1, 50),
        valid=(1, None),
        label="neighbours",
        help="with how many of the nearest ones each sample is joined",
        when=("graph", ("nearest neighbours",)),
    )
    sigma: float = real(
        0.5,
        soft=(0.05, 5.0),
        valid=(1e-9, 1e9),
        log=True,
        label="σ",
        help="how far apart samples may be and still be alike",
        when=("graph", ("gaussian",)),
        equivalent=lambda owner, n: f"γ = 1/(2 σ²) = {number(1 / (2 * owner.sigma**2))}",
    )
    laplacian: str = choice(
        "random walk",
        "symmetric",
        "unnormalized",
        label="Laplacian",
        help="whose eigenvectors: unnormalized counts the samples of a part, the others the weight at them",
    )

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[SpectralModel]:
        """Yield the rounds of k-means on the eigenvectors, from the best of its starts."""
        refuse_larger(X)
        refuse_distant(X)
        merged = SamplePlaces.of(X, most=MOST_NODES)
        places = merged.X
        near = self.graph == "nearest neighbours"
        graph = neighbour_graph(places, self.n_neighbors) if near else gaussian_graph(places, self.sigma)
        # The second is shown whatever k is.
        spectrum = smallest_eigenvalues(graph, self.laplacian != "unnormalized", max(self.n_clusters, 2))
        U = signed_eigenvectors(spectrum, graph, self.laplacian)
        Z = embedded(U, self.laplacian, self.n_clusters)
        node = merged.group if merged.whole else None
        data = GraphOfSamples(X.copy(), places, node, merged.different, graph, spectrum, U, Z, self.laplacian)
        for grouping in groupings(Z, self.n_clusters, _STARTS, rng):
            yield SpectralModel(data, self.n_clusters, grouping)

    def code(self, model: SpectralModel) -> Code | None:
        """SpectralClustering, which takes the eigenvectors of the random walk; None where that is not the same."""
        if self.laplacian != "random walk" or len(model.data.places) < len(model.data.X):
            return None
        near = f'affinity="nearest_neighbors", n_neighbors={self.n_neighbors + 1}'
        how = near if self.graph == "nearest neighbours" else f"gamma=1 / (2 * {self.sigma!r}**2)"
        call = f"SpectralClustering({self.n_clusters}, {how}, random_state=0)"
        return Code(("from sklearn.cluster import SpectralClustering",), (call,), (), "labels_")
