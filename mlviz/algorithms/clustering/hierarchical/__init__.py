"""Hierarchical clustering from the samples up (Ward 1963, doi:10.1080/01621459.1963.10500845)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.base import Algorithm, Code
from mlviz.algorithms.checking import refuse_distant
from mlviz.algorithms.clustering.hierarchical import pictures
from mlviz.algorithms.clustering.hierarchical.model import HierarchicalModel, Hierarchy, Linked
from mlviz.algorithms.traits import Trial
from mlviz.draw.inks import ACCENT, CANVAS, RoleInk, Tone
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.linkage.merging import LINKAGES, Merges, merge_all
from mlviz.numerics.linkage.tree import MergeTree
from mlviz.numerics.neighbors.search import Search
from mlviz.numerics.pauses import finished, meanwhile
from mlviz.numerics.sampling import SamplePlaces
from mlviz.spec import choice, integer

_CHAINS = {"linkage": "single", "n_clusters": 2}
_CLEAR = {"n_samples": 200, "noise": 0.15}
_MOST = 1500
"""Of more different samples so many are linked: SciPy's linkage can't be interrupted, and takes up to 40 ms of them."""
_AT_ONCE = 500
"""The tree of so many samples takes a few milliseconds: its first step need not wait for it."""


@dataclass(frozen=True)
class Hierarchical(Algorithm):
    """Each sample begins as a cluster; the two nearest clusters are joined, until k are left.

    How far two clusters A and B are from each other is the linkage. "single": the smallest distance of a sample in A
    from one in B. "complete": the largest. "average": the mean over all pairs. "centroid": the distance of the two
    means. "Ward": √(2ab / (a + b)) times that distance, where a and b are the numbers of samples (or sums of weights);
    half its square is what the merge adds to the sum of squared distances of the samples from the means of their
    clusters. Nothing is left to chance, and no merge is ever taken back.

    Play the steps to see the merges one by one. The dendrogram has a fork for each, as high as the two clusters were
    apart. A cut across it leaves a cluster for each branch that it meets: drag it up and down to change k. A wide gap
    between forks means clusters that are far apart for their size. Point below a fork to light up its samples, click to
    select them; point at the canvas to light up the branches of the nearest sample. The line on the canvas shows what
    the last merge measures (for "Ward" it joins the means, whatever the weights). Single linkage follows any shape, but
    a bridge of points is enough to join what it touches; complete and Ward's linkage prefer compact clusters. A joint
    mean may be nearer to a third cluster than the two were to each other: "centroid" then has an inversion, a fork
    below one of its own branches, and k clusters need be no cut at any height.

    The tree tells about samples alone: the shades show the cluster of the nearest sample, which is no prediction of the
    method. Clusters are numbered from left to right by their first samples. The places of the samples decide between
    equal distances, not their order in the table; other programs may choose otherwise, and get another tree. Of more
    than 1,500 different samples 1,500 are drawn at random and joined, and each other one belongs to the cluster of the
    nearest of these; the line under the picture then says so.

    J. Ward, Hierarchical grouping to optimize an objective function, 1963. G. Lance and W. Williams, A general theory
    of classificatory sorting strategies, 1967, doi:10.1093/comjnl/9.4.373.
    """

    id = "hierarchical"
    label = "hierarchical clustering"
    family = "Clustering"
    tasks = ("clustering",)
    main = "n_clusters"
    trials = (
        Trial("each moon is a chain of near points, and one cluster", "moons", _CHAINS, _CLEAR),
        Trial("which gap in the dendrogram is the widest", "blobs"),
        Trial("forks below their own branches", "blobs", {"linkage": "centroid"}),
    )
    overlays = (pictures.regions, pictures.assignment, pictures.merge)
    charts = (pictures.dendrogram,)
    inks = {
        "later merge": RoleInk(Tone(pale=0.35), width=1.2),
        "last merge": RoleInk(ACCENT, width=2.6, halo=CANVAS),
        "averaged": RoleInk(Tone("accent", opacity=0.5), width=0.9),
        "pointed branch": RoleInk(width=2.4, halo=CANVAS),
        "inversion": RoleInk(width=3.4, halo=CANVAS),
    }

    n_clusters: int = integer(3, soft=(1, 9), valid=(1, None), label="k", help="number of clusters")
    linkage: str = choice(
        *LINKAGES,
        help="how far apart clusters are: by what a merge adds to the squares; the mean, largest or smallest distance "
        "of their samples; the distance of their means",
    )

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[HierarchicalModel]:
        """The samples by themselves, then the clusters after each merge."""
        refuse_distant(X)
        linked = _linked(X, np.ones(len(X)) if sample_weight is None else sample_weight)
        n = len(linked.places)
        work = merge_all(linked.places, linked.weight, self.linkage)
        if n > _AT_ONCE:
            nothing = MergeTree(n, Merges(np.empty((0, 2), dtype=np.intp), np.empty(0)))
            alone = HierarchicalModel(Hierarchy(linked, nothing, self.linkage, self.n_clusters), 0)
            yield alone
            tree = MergeTree(n, (yield from meanwhile(alone, work)))
        else:
            tree = MergeTree(n, finished(work))
        hierarchy = Hierarchy(linked, tree, self.linkage, self.n_clusters)
        for done in range(n - hierarchy.reachable + 1):
            yield HierarchicalModel(hierarchy, done)

    def code(self, model: HierarchicalModel) -> Code | None:
        """AgglomerativeClustering, which knows all linkages but that of centroids."""
        if self.linkage == "centroid":
            return None
        made = f'AgglomerativeClustering({model.hierarchy.reachable}, linkage="{self.linkage}")'
        return Code(("from sklearn.cluster import AgglomerativeClustering",), (made,), (), "labels_")


def _linked(X: Array, weights: Array) -> Linked:
    """The different samples of X (n, d) that have a weight, or some of them, and for each row which it belongs to."""
    merged = SamplePlaces.of(X, weights, _MOST)
    group = merged.group if merged.whole else Search(merged.X, "euclidean").first(X)
    return Linked(merged.X, merged.weight, group, merged.different)
