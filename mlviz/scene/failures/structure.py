"""Where methods fail that look for clusters and components."""

from __future__ import annotations

from mlviz.data.generators.catalog import Circles
from mlviz.scene.failures.failure import SAME, Failure, Setup
from mlviz.scene.failures.samples import bow, gaussians, groups_and_noise, stretched, with_points

_FIVE = ((-2.5, 2.0), (-2.5, 0.5), (2.5, 2.0), (2.5, 0.5), (0.0, -2.5))
_THREE = ((-2.0, -1.5), (2.0, -1.5), (0.0, 2.0))

STRUCTURE = (
    Failure(
        id="unequal-sizes",
        title="Clusters of unequal size",
        look="the large cluster: the border lies half-way between the centres, and gives part of it to the small one",
        clean=gaussians((240, (-1.2, 0.0), (1.2, 1.2), 0), (30, (2.8, 0.0), (0.25, 0.25), 0)),
        breaks=(Setup("kmeans", {"n_clusters": 2, "n_init": 10}),),
        better=Setup("gmm", {"n_components": 2, "n_init": 5}),
        task="clustering",
    ),
    Failure(
        id="elongated-clusters",
        title="Elongated clusters",
        look="the border: it cuts both clusters in two, since only round ones are near their centres",
        clean=gaussians((80, (0.0, 0.8), (1.8, 0.2), 0), (80, (0.0, -0.8), (1.8, 0.2), 0)),
        breaks=(Setup("kmeans", {"n_clusters": 2, "n_init": 10}),),
        better=Setup("gmm", {"n_components": 2, "n_init": 5}),
        task="clustering",
    ),
    Failure(
        id="cluster-units",
        title="Clusters in unequal units",
        look="the numbers at the axes: x2 has units a hundred times smaller, and only it counts",
        clean=stretched(gaussians((80, (-1.5, 0.0), (0.4, 1.0), 0), (80, (1.5, 0.0), (0.4, 1.0), 0)), 1, 100),
        breaks=(Setup("kmeans", {"n_clusters": 2, "n_init": 10}),),
        better=Setup(SAME, preprocessing="standardize"),
        task="clustering",
        equal=False,
    ),
    Failure(
        id="bad-start",
        title="An unlucky start",
        look="the centres: two share one cluster and one has two, and no step can part them again",
        clean=gaussians(*((40, place, (0.3, 0.3), 0) for place in _FIVE)),
        breaks=(Setup("kmeans", {"n_clusters": 5, "init": "random points"}),),
        better=Setup(SAME, {"n_init": 20}),
        task="clustering",
    ),
    Failure(
        id="cut-off",
        title="An outlier is cut off",
        look="the far point: to cut it off costs least, so it is a cluster of its own, and the two groups are one",
        clean=gaussians((60, (-1.2, 0.0), (0.4, 0.4), 0), (60, (1.2, 0.0), (0.4, 0.4), 0)),
        spoilt=with_points((0.0, 3.2)),
        breaks=(Setup("spectral", {"graph": "gaussian", "laplacian": "unnormalized"}),),
        better=Setup(SAME, {"laplacian": "random walk"}),
        task="clustering",
    ),
    Failure(
        id="rings-cut",
        title="Two rings, cut across",
        look="the border: it cuts both rings, since the samples of a ring lie all around and have no common centre",
        clean=Circles(n_samples=160).generate,
        breaks=(Setup("kernel-kmeans"),),
        better=Setup("spectral", {"n_neighbors": 6}),
        task="clustering",
    ),
    Failure(
        id="bridge",
        title="A bridge of points",
        look="the few points between the two groups: single linkage passes over them, and the groups are one cluster",
        clean=gaussians((60, (-2.0, 0.0), (0.5, 0.5), 0), (60, (2.0, 0.0), (0.5, 0.5), 0)),
        spoilt=with_points((-1.1, 0.0), (-0.75, 0.1), (-0.4, 0.0), (0.0, 0.1), (0.35, 0.0), (0.7, 0.1), (1.1, 0.0)),
        breaks=(Setup("hierarchical", {"linkage": "single", "n_clusters": 2}),),
        better=Setup(SAME, {"linkage": "ward"}),
        task="clustering",
    ),
    Failure(
        id="too-many",
        title="Too many components",
        look="the thin ellipses: components shrink onto a few points each, where the likelihood has no bound",
        clean=gaussians(*((15, place, (0.7, 0.7), 0) for place in _THREE)),
        breaks=(Setup("gmm", {"n_components": 9}),),
        better=Setup(SAME, {"n_components": 3}),
        task="clustering",
    ),
    Failure(
        id="axis-outlier",
        title="An outlier turns the axis",
        look="the long arrow: it points at the far points instead of along the others, since squares count",
        clean=gaussians((60, (0.0, 0.0), (1.5, 0.4), 20)),
        spoilt=with_points((-2.0, 9.0), (-2.3, 9.4), (-1.7, 9.2)),
        breaks=(Setup("pca"),),
        better=Setup("gmm", {"n_components": 2, "n_init": 5}),
        task="decomposition",
    ),
    Failure(
        id="axis-units",
        title="Unequal units",
        look="the long arrow: it is x2 alone, mere noise in small units, and does not see the two groups",
        clean=groups_and_noise(80, 3.0, 0.6, 100.0),
        breaks=(Setup("pca"),),
        better=Setup(SAME, preprocessing="standardize"),
        inputs=("x1", "x2", "x3"),
        task="decomposition",
        equal=False,
    ),
    Failure(
        id="bow",
        title="A bow",
        look="the long arrow: it lies where there are no points, and the bow ends up folded on it",
        clean=bow(120, 3.0, 0.15),
        breaks=(Setup("pca"),),
        better=Setup("kmeans", {"n_clusters": 8, "n_init": 10}),
        task="decomposition",
    ),
    Failure(
        id="bump-component",
        title="A component of few points",
        look="the shade: the component is a bump on a few points, and tells nothing of all others",
        clean=Circles(n_samples=120, factor=0.4).generate,
        breaks=(Setup("kernel-pca", {"sigma": 0.1, "component": 3}),),
        better=Setup(SAME, {"sigma": 2.0}),
        task="decomposition",
    ),
)
