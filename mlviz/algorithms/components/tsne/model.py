"""What t-SNE finds: places at which samples choose their neighbours about as they do among the inputs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.algorithms.base import ModelFact
from mlviz.algorithms.components.embedded import NEIGHBOURS_KEPT, EmbeddedSamples, EmbeddingModel
from mlviz.draw.facts import Range
from mlviz.draw.numbers import number
from mlviz.numerics.arrays import Array
from mlviz.numerics.embedding.stochastic_neighbors import (
    STILL,
    Divergence,
    conditional_chances,
    joint_chances,
    perplexities,
)
from mlviz.numerics.pauses import Work, finished
from mlviz.spec.brief import Brief


@dataclass(frozen=True, eq=False)
class Neighbourhoods(Brief):
    """Whom the samples choose: `chances` (m, m) of each row, with the perplexity that was `asked` for, or less."""

    chances: Array
    precisions: Array
    asked: float
    perplexity: float
    divergence: Divergence

    @classmethod
    def of(cls, samples: EmbeddedSamples, asked: float) -> Work[Neighbourhoods]:
        """Work them out for samples that have distances."""
        assert samples.distances is not None
        perplexity = min(asked, most_perplexity(len(samples.places)))
        found = yield from conditional_chances(samples.distances**2, perplexity)
        return cls(found.chances, found.precisions, asked, perplexity, Divergence.of(joint_chances(found.chances)))

    @cached_property
    def reached(self) -> Range:
        """The smallest and the largest perplexity of a row."""
        found = perplexities(self.chances)
        return Range(float(found.min()), float(found.max()))


def most_perplexity(m: int) -> float:
    """A third of the other samples of m, as many as can be told from the rest."""
    return max(1.0, (m - 1) / 3)


@dataclass(frozen=True, eq=False, kw_only=True)
class TSNEModel(EmbeddingModel):
    """The places after so many steps of the descent, of `wanted`."""

    chosen: Neighbourhoods | None = None
    divergence: float | None = None
    """Kullback and Leibler's divergence; None while the chances are worked out."""
    steps: int = 0
    wanted: int = 0

    objective_name = "KL divergence"
    placed_by = "the mean of the samples' places, weighted by how likely a sample here would choose them, is"
    measures_distances = False

    known_facts = (
        ModelFact(
            "KL divergence",
            lambda m: m.divergence,
            "Σ pᵢⱼ log(pᵢⱼ/qᵢⱼ), without exaggeration: how much the choices of neighbours in the embedding differ from "
            "those among the inputs.",
        ),
        NEIGHBOURS_KEPT,
        ModelFact(
            "perplexity",
            lambda m: None if m.chosen is None else m.chosen.perplexity,
            "How many neighbours each sample has, in effect: at most a third of the other samples.",
        ),
        ModelFact(
            "perplexity of rows",
            lambda m: None if m.chosen is None else str(m.chosen.reached),
            "The smallest and the largest perplexity that the search for the widths has reached.",
            level="solver",
        ),
        ModelFact(
            "widths σ",
            lambda m: m.widths,
            "The smallest and the largest width of the Gaussians about the samples: small where samples are dense.",
            level="more",
        ),
        ModelFact("steps", lambda m: m.steps, "How many steps of the descent there have been.", level="more"),
        ModelFact(
            "gradient",
            lambda m: m.gradient_length,
            "Length of the gradient of the divergence, without exaggeration: 0 at a minimum; "
            f"it stops below {STILL:g}.",
            level="solver",
        ),
    )

    @property
    def objective(self) -> float:  # type: ignore[override]
        """The same, on the way."""
        return float("nan") if self.divergence is None else self.divergence

    @cached_property
    def gradient_length(self) -> float | None:
        """The length of the gradient of the divergence."""
        if self.chosen is None:
            return None
        return float(np.linalg.norm(self.chosen.divergence.forces(self.embedding).gradient()))

    @property
    def widths(self) -> str | None:
        """From where to where the widths σ of the Gaussians go, in the units of the inputs."""
        if self.chosen is None:
            return None
        widths = self.samples.unit / np.sqrt(2 * self.chosen.precisions)
        return str(Range(float(widths.min()), float(widths.max())))

    @property
    def caveat(self) -> str:  # type: ignore[override]
        """That only some are embedded, or that the perplexity is less than was asked for."""
        less = ""
        if self.chosen is not None and self.chosen.perplexity < self.chosen.asked:
            less = f"perplexity {number(self.chosen.perplexity)}, a third of the other samples"
        return "; ".join(filter(None, (super().caveat, less)))

    def transform(self, X: Array) -> Array:
        """The mean of the samples' places for each place (q, d), weighted by how likely it chooses them: (q, k)."""
        if not len(X):
            return np.empty((0, self.embedding.shape[1]))
        perplexity = self.chosen.perplexity if self.chosen is not None else most_perplexity(len(self.embedding))
        distances = self.samples.distances_to(X)
        # The widths go with the distances, so that their unit makes no difference.
        squares = (distances / distances.max(axis=1, keepdims=True)) ** 2
        found = finished(conditional_chances(squares, perplexity, alone=False))
        return np.asarray(found.chances @ self.embedding)
