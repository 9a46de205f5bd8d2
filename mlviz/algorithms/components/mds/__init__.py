"""Multidimensional scaling (Torgerson 1952; Kruskal 1964; de Leeuw 1977)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from mlviz.algorithms.base import Algorithm, Code, Traits
from mlviz.algorithms.components import embedding_pictures as pictures
from mlviz.algorithms.components.embedded import (
    MOST_IN_STEPS,
    MOST_SAMPLES,
    EmbeddedSamples,
    EmbeddingFollower,
    steps_of,
)
from mlviz.algorithms.components.mds.model import MDSModel, eigenvalue_chart
from mlviz.algorithms.traits import Trial
from mlviz.draw.overlays import charts
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.distances import METRICS
from mlviz.numerics.embedding.multidimensional_scaling import classical_scaling, majorize
from mlviz.numerics.pauses import Work, finished
from mlviz.spec import choice, integer

_EIGENVALUES = 10
"""So many are shown."""


@dataclass(frozen=True)
class MDS(Algorithm):
    """A map of the samples made of nothing but their distances.

    Each sample gets a place in one or two dimensions, such that the distances d between places are about the distances
    δ between the samples. Where the places lie and how they are turned is not told by distances, and arbitrary.

    "metric" scaling minimises the stress

        σ = Σ wᵢ wⱼ (δᵢⱼ − dᵢⱼ)²   over all pairs i < j

    where w are the samples' weights, 1 unless weights are given. In a step of its algorithm, called SMACOF, every other
    sample says where it wants sample i: in its present direction, but at the right distance. Sample i goes to the mean
    of these places. No step raises the stress, and it ends in a local minimum that depends on the start: classical
    scaling, or places drawn at random. Play the steps to see it fall.

    "classical" scaling has a formula. Squared distances are turned into products counted from the mean, B = −½ J D² J,
    with J taking away means of rows and columns; the coordinates are the eigenvectors of the largest eigenvalues of B,
    times the roots of these. It fits the products best, not the distances. With Euclidean distances it is principal
    component analysis: the coordinates are the scores. Other distances may not fit into any space, and then some
    eigenvalues are negative, and left out.

    In the picture: the side plot is the map, in the colours of the classes; click a sample there to find it on the
    canvas. The shade in each sample on the canvas is its first coordinate. Point at a sample: lines lead to those
    that are its neighbours on the map, and the map has rings about those that are its neighbours among the inputs.
    The Shepard diagram has a dot for each pair: where all lie on the line, the map is exact. Two inputs at Euclidean
    distances fit into two dimensions exactly; try one dimension, another distance, or a table of more inputs.

    Of more than 1000 different samples 1000 are drawn at random, 400 where the start is not exact and many steps
    follow, and the others left out; the line under the picture then says so. A sample that is new is placed at its own
    best place, the others staying where they are.

    W. Torgerson, Multidimensional scaling: I. Theory and method, 1952, doi:10.1007/BF02288916. J. Kruskal,
    Multidimensional scaling by optimizing goodness of fit to a nonmetric hypothesis, 1964, doi:10.1007/BF02289565.
    I. Borg and P. Groenen, Modern Multidimensional Scaling, 2nd edition, 2005, doi:10.1007/0-387-28981-X.
    """

    id = "mds"
    label = "multidimensional scaling"
    family = "Dimensionality reduction"
    tasks = ("decomposition",)
    main = "n_components"
    trials = (
        Trial("how places drawn at random become the moons again", "moons", {"init": "random"}),
        Trial("on a line not all distances find room", "circles", {"n_components": 1}),
        Trial("distances along the axes bend the map", "blobs", {"metric": "manhattan"}),
    )
    overlays = (pictures.coordinate,)
    charts = (pictures.embedding_chart, pictures.shepard_chart, charts.objective_chart, eigenvalue_chart)
    traits = Traits(random=lambda m: (m.scaling, m.init) == ("metric", "random"), follower_differs=True, straight=False)
    inks = pictures.INKS

    scaling: str = choice(
        "metric", "classical", help="whether the errors of distances are minimised, step by step, or those of products"
    )
    n_components: int = integer(
        2, soft=(1, 2), valid=(1, 2), label="dimensions", help="how many coordinates the map has"
    )
    metric: str = choice(
        *METRICS,
        label="distance",
        help="how distance is measured: straight, along the axes, or by the input that differs most",
    )
    init: str = choice(
        "classical scaling", "random", label="start", help="where the samples start", when=("scaling", ("metric",))
    )

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[MDSModel]:
        """Yield the start and every step; of classical scaling its answer."""
        yield from steps_of(self, MDSModel, X, sample_weight, rng)

    def most_samples(self, d: int) -> int:
        """Few where many steps go on from a start that is not exact."""
        fits = d <= self.n_components and self.metric == "euclidean" and self.init != "random"
        return MOST_SAMPLES if self.scaling == "classical" or fits else MOST_IN_STEPS

    def models(
        self, samples: EmbeddedSamples, rng: np.random.Generator, start: Array | None = None
    ) -> Iterator[MDSModel]:
        """The models of samples that have distances, from a start (m, k) where there is one."""
        unit = samples.unit
        if self.scaling == "classical":
            scaled = finished(self._scaled(samples, _EIGENVALUES))
            embedding = unit * scaled.coordinates[:, : self.n_components]
            yield MDSModel(samples=samples, embedding=embedding, scaled=scaled)
            return
        if start is not None:
            start = start / unit
        elif self.init == "random":
            start = rng.normal(size=(len(samples.places), self.n_components))
        else:
            start = finished(self._scaled(samples, self.n_components)).coordinates
        assert samples.distances is not None
        for number, step in enumerate(majorize(samples.distances, samples.weights, start)):
            stage = "Guttman transform" if number else "start"
            yield MDSModel(samples=samples, embedding=unit * step.places, stage=stage, step=step, number=number)

    def _scaled(self, samples: EmbeddedSamples, count: int) -> Work[Any]:
        """Classical scaling of the samples, with as many coordinates at the least as are asked for."""
        assert samples.distances is not None
        count = max(count, self.n_components)
        scaled = yield from classical_scaling(samples.distances, samples.weights, count, np.random.default_rng(0))
        return scaled.oriented().padded(self.n_components)

    def follower(self) -> EmbeddingFollower:
        """One that goes on from its last embedding."""
        return EmbeddingFollower()

    def code(self, model: MDSModel) -> Code:
        """MDS or ClassicalMDS; from another random start it may end elsewhere."""
        name = {"manhattan": "cityblock"}.get(self.metric, self.metric)
        if self.scaling == "classical":
            call = f'ClassicalMDS({self.n_components}, metric="{name}")'
            return Code(("from sklearn.manifold import ClassicalMDS",), (call,), result="eigenvalues_")
        init = "random" if self.init == "random" else "classical_mds"
        how = f'metric="{name}", init="{init}", n_init=1, max_iter=1000, eps=1e-12, random_state=0'
        return Code(("from sklearn.manifold import MDS",), (f"MDS({self.n_components}, {how})",), result="stress_")
