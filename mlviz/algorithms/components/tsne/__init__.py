"""t-distributed stochastic neighbour embedding (van der Maaten and Hinton 2008)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.base import Algorithm, Code, Traits
from mlviz.algorithms.components import embedding_pictures as pictures
from mlviz.algorithms.components.embedded import (
    MOST_IN_STEPS,
    EmbeddedSamples,
    EmbeddingFollower,
    steps_of,
)
from mlviz.algorithms.components.tsne.model import Neighbourhoods, TSNEModel
from mlviz.algorithms.traits import Trial, where
from mlviz.draw.numbers import counted
from mlviz.draw.overlays import charts
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.distances import METRICS
from mlviz.numerics.embedding.stochastic_neighbors import EXAGGERATED, descend, usual_rate
from mlviz.numerics.pauses import finished
from mlviz.spec import choice, integer, real

_FEWEST = 250
"""scikit-learn refuses fewer steps."""
_START = 1e-4
"""The spread of the first coordinate at the start."""


@dataclass(frozen=True)
class TSNE(Algorithm):
    """A map on which samples have the neighbours that they have among the inputs.

    Each sample i chooses a neighbour at random: sample j with the probability p(j|i), in proportion to the Gaussian
    exp(−|xᵢ − xⱼ|² / (2σᵢ²)). The width σᵢ is such that the perplexity of these choices, the number of neighbours that
    they amount to, is the one asked for: narrow where samples are dense. pᵢⱼ = (p(j|i) + p(i|j)) / 2n is the chance of
    a pair. On the map, pairs are chosen with qᵢⱼ in proportion to 1 / (1 + |yᵢ − yⱼ|²), which has a heavier tail: what
    is far may be still farther apart. The places y minimise

        KL = Σᵢⱼ pᵢⱼ log(pᵢⱼ / qᵢⱼ)

    by gradient descent with momentum, and a rate for each coordinate that grows while it keeps its direction. For the
    first 250 steps the p are exaggerated, so that groups can pass each other; the divergence may rise on the way. It
    ends in a local minimum that depends on the start.

    What the map does not tell: how far groups are apart, how large and how dense they are. The widths make dense and
    sparse groups alike, and a pair that is far apart has next to no influence. With a small perplexity groups appear
    even where there are none. Try several perplexities and starts, and believe what stays.

    In the picture: the side plot is the map, in the colours of the classes; click a sample there to find it on the
    canvas. Its axes have no unit. The shade in each sample on the canvas is its first coordinate on the map. Point at
    a sample: lines lead to those that are its neighbours on the map, and the map has rings about those that are its
    neighbours among the inputs. The Shepard diagram shows what becomes of distances: small ones are kept in order,
    large ones are not. Play the steps to see groups separate.

    All probabilities are computed, without approximation. Of more than 400 different samples 400 are drawn at random,
    and the others left out; the line under the picture then says so. Samples at one place are one, and there are no
    weights: the perplexity counts samples. A place that is no sample is only given the mean of its neighbours' places.

    L. van der Maaten and G. Hinton, Visualizing data using t-SNE, Journal of Machine Learning Research 9 (2008),
    2579-2605. M. Wattenberg, F. Viégas and I. Johnson, How to use t-SNE effectively, 2016, doi:10.23915/distill.00002.
    """

    id = "tsne"
    label = "t-SNE"
    family = "Dimensionality reduction"
    tasks = ("decomposition",)
    main = "perplexity"
    trials = (
        Trial("how the blobs separate, and that their distances on the map say nothing", "blobs"),
        Trial("groups that are not there, with a small perplexity", "noise", {"perplexity": 3.0}),
        Trial("a ring is cut open or kept, by the perplexity", "circles", {"perplexity": 10.0}),
    )
    overlays = (pictures.coordinate,)
    charts = (pictures.embedding_chart, charts.objective_chart, pictures.shepard_chart)
    traits = Traits(random=where("init", "random"), weighted=False, follower_differs=True, straight=False)
    inks = pictures.INKS

    perplexity: float = real(
        30.0, soft=(2.0, 100.0), valid=(1.0, 1000.0), log=True, help="how many neighbours each sample has, in effect"
    )
    n_components: int = integer(
        2, soft=(1, 2), valid=(1, 2), label="dimensions", help="how many coordinates the map has"
    )
    metric: str = choice(
        *METRICS,
        label="distance",
        help="how distance is measured: straight, along the axes, or by the input that differs most",
    )
    init: str = choice("PCA", "random", label="start", help="where the samples start, close together")
    exaggeration: float = real(
        12.0,
        soft=(1.0, 30.0),
        valid=(1.0, 100.0),
        label="early exaggeration",
        help=f"by what the p are multiplied in the first {EXAGGERATED} steps",
    )
    rate: str = choice(
        "automatic rate", "rate by hand", help="how far a step goes: by the number of samples, or by hand"
    )
    learning_rate: float = real(
        200.0,
        soft=(10.0, 2000.0),
        valid=(1e-3, 1e5),
        log=True,
        label="learning rate",
        help="what the gradient is multiplied by",
        when=("rate", ("rate by hand",)),
    )
    max_iter: int = integer(1000, soft=(50, 2000), valid=(0, 10_000), label="steps", help="how many steps there are")

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[TSNEModel]:
        """Yield the start and every step."""
        yield from steps_of(self, TSNEModel, X, sample_weight, rng)

    def most_samples(self, d: int) -> int:
        """As many as a thousand steps take about a second for."""
        return MOST_IN_STEPS

    def models(
        self, samples: EmbeddedSamples, rng: np.random.Generator, start: Array | None = None
    ) -> Iterator[TSNEModel]:
        """The models of samples that have distances; from a start (m, k) nothing is exaggerated."""
        chosen = finished(Neighbourhoods.of(samples, self.perplexity))
        early = EXAGGERATED if start is None else 0
        start = self._start(samples, rng) if start is None else start
        m = len(samples.places)
        rate = self.learning_rate if self.rate == "rate by hand" else usual_rate(m, self.exaggeration)
        for now in descend(chosen.divergence, start, rate, self.exaggeration, self.max_iter, early):
            stage = "start" if not now.steps else "exaggerated" if now.steps <= early else "descent"
            yield TSNEModel(
                samples=samples,
                embedding=now.places,
                stage=stage,
                chosen=chosen,
                divergence=now.divergence,
                steps=now.steps,
                wanted=self.max_iter,
            )

    def _start(self, samples: EmbeddedSamples, rng: np.random.Generator) -> Array:
        """Where the samples start, (m, k): as principal components lie, or drawn at random."""
        if self.init == "random":
            return _START * rng.normal(size=(len(samples.places), self.n_components))
        scores = samples.scores(self.n_components)
        return scores / float(scores[:, 0].std()) * _START

    def follower(self) -> EmbeddingFollower:
        """One that goes on from its last embedding."""
        return EmbeddingFollower()

    def code(self, model: TSNEModel) -> Code | None:
        """TSNE with exact gradients; None where it would refuse the perplexity."""
        if model.chosen is None:
            return None
        name = {"manhattan": "cityblock"}.get(self.metric, self.metric)
        rate = '"auto"' if self.rate == "automatic rate" else f"{self.learning_rate!r}"
        init = "random" if self.init == "random" else "pca"
        call = (
            f"TSNE({self.n_components}, perplexity={model.chosen.perplexity!r}, "
            f"early_exaggeration={self.exaggeration!r},\n    learning_rate={rate}, "
            f'max_iter={max(self.max_iter, _FEWEST)}, metric="{name}", init="{init}", method="exact", random_state=0)'
        )
        few = f"mlviz takes {counted(self.max_iter, 'step')}, scikit-learn no fewer than {_FEWEST}, "
        note = f"{few}and after {_FEWEST} it prints 1.8e308, not the divergence." if self.max_iter <= _FEWEST else ""
        return Code(("from sklearn.manifold import TSNE",), (call,), result="kl_divergence_", note=note)
