"""Where methods fail that look for clusters and components."""

from __future__ import annotations

from mlviz.scene.failures.failure import SAME, Failure, Setup
from mlviz.scene.failures.samples import bow, gaussians, groups_and_noise, stretched, with_points

_FIVE = ((-2.5, 2.0), (-2.5, 0.5), (2.5, 2.0), (2.5, 0.5), (0.0, -2.5))
_DENSE = ((-2.0, 0.45), (-2.0, -0.45))
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
        breaks=(Setup("kmeans", {"n_clusters": 2, "n_init": 10}), Setup("mean-shift")),
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
        id="too-many",
        title="Too many components",
        look="the thin ellipses: components shrink onto a few points each, where the likelihood has no bound",
        clean=gaussians(*((15, place, (0.7, 0.7), 0) for place in _THREE)),
        breaks=(Setup("gmm", {"n_components": 9}),),
        better=Setup(SAME, {"n_components": 3}),
        task="clustering",
    ),
    Failure(
        id="unequal-density",
        title="Clusters of unequal density",
        look="the two dense clusters on the left: an eps that is wide enough for the sparse one makes them one",
        clean=gaussians(*((80, place, (0.15, 0.15), 0) for place in _DENSE), (60, (1.6, 0.0), (0.9, 0.9), 0)),
        breaks=(Setup("dbscan", {"eps": 0.7}),),
        better=Setup("gmm", {"n_components": 3, "n_init": 5}),
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
)
