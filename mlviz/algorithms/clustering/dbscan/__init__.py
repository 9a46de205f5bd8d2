"""DBSCAN, clusters of dense samples among noise (Ester, Kriegel, Sander and Xu 1996)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.base import Algorithm, Code
from mlviz.algorithms.checking import refuse_distant
from mlviz.algorithms.clustering.dbscan import pictures
from mlviz.algorithms.clustering.dbscan.model import DBSCANModel, DenseSamples
from mlviz.algorithms.traits import Trial
from mlviz.draw.inks import CANVAS, RoleInk, Tone
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.pauses import showing
from mlviz.spec import integer, real

_CLEAR = {"n_samples": 200, "noise": 0.15}
MOST_STEPS = 25
"""The growth of all clusters is told in at most so many steps."""


@dataclass(frozen=True)
class DBSCAN(Algorithm):
    """Clusters are where samples are dense; what lies alone is noise, and in no cluster.

    A sample is a core sample if at least min_samples samples, itself included, are within the distance eps of it. A
    cluster grows from a core sample: it takes in all samples within eps of that, then all within eps of each core
    sample among these, and so on, until none is left; then the next one grows from a core sample that is in none yet.
    A sample that is no core sample itself but was taken in is a border sample: nothing grows from there. All others are
    noise. Nothing is minimised, and nobody says how many clusters there are or what shape they have.

    Clusters grow in turn, the one with the leftmost core sample first, and a border sample that two of them reach stays
    with the first. That choice apart, the answer does not depend on where one begins. Weights count as so many samples.

    In the picture: the shade is what lies within eps of core samples, where a further sample would join the cluster.
    Core samples have a dot, border samples a ring in the colour of their cluster, noise a cross. Point at a place to
    see the circle of radius eps and which samples are in it. Play the steps to see the clusters grow. The chart has the
    samples sorted by the radius that holds min_samples of them, the sample itself included: the k-distance of the
    literature for k = min_samples − 1. Those left of where eps meets the curve are the core samples, those right of it
    are border samples or noise. Drag the level of eps to where the curve turns upwards. One eps serves all clusters, so
    that those of very different density are not found together.

    Of more than 2,000 different samples of more than three inputs 2,000 are drawn at random, and no others may be core
    samples: all samples count as their neighbours, and all within eps of them are in their clusters (DBSCAN++). The
    line under the picture then says so.

    Reference: M. Ester, H.-P. Kriegel, J. Sander, X. Xu, A density-based algorithm for discovering clusters in large
    spatial databases with noise, KDD, 1996; E. Schubert and others, DBSCAN revisited, revisited, 2017,
    doi:10.1145/3068335; J. Jang and H. Jiang, DBSCAN++: towards fast and scalable density clustering, ICML, 2019.
    """

    id = "dbscan"
    label = "DBSCAN"
    family = "Clustering"
    tasks = ("clustering",)
    main = "eps"
    trials = (
        Trial("one cluster for each cloud, and noise around them", "blobs", {"eps": 0.6}),
        Trial("each moon is a cluster; lower eps, and both fall into pieces", "moons", drawing=_CLEAR),
    )
    overlays = (pictures.regions, pictures.links, pictures.core, pictures.border, pictures.noise)
    charts = (pictures.k_distances,)
    inks = {
        "noise": RoleInk(width=1.8, symbol="x", size=13.0, halo=CANVAS),
        "not reached yet": RoleInk(CANVAS, Tone(pale=0.1), width=1.0, size=6.5),
    }

    eps: float = real(
        0.5,
        soft=(0.05, 3.0),
        valid=(1e-9, 1e9),
        log=True,
        help="the radius within which samples are neighbours; the circle about the probe",
    )
    min_samples: int = integer(
        5,
        soft=(1, 20),
        valid=(1, None),
        label="min samples",
        help="how many samples within eps make a core sample, itself included",
    )

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[DBSCANModel]:
        """The core samples, of many as they are found; then the clusters as they grow; then the noise that is left."""
        refuse_distant(X)
        weights = np.ones(len(X)) if sample_weight is None else sample_weight
        search = DenseSamples.of(X, weights, self.eps, self.min_samples)
        samples = yield from showing(lambda so_far: DBSCANModel(so_far, 0), search)
        for visited in samples.stops(MOST_STEPS):
            yield DBSCANModel(samples, visited)
        yield DBSCANModel(samples)

    def code(self, model: DBSCANModel) -> Code:
        """DBSCAN, whose border samples of several clusters may go to another one of these."""
        fit = f"DBSCAN(eps={self.eps!r}, min_samples={self.min_samples})"
        return Code(("from sklearn.cluster import DBSCAN",), (fit,), (), "labels_")
