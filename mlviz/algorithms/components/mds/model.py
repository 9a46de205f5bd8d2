"""What multidimensional scaling finds: places whose distances are about those of the samples."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.algorithms.base import ModelFact
from mlviz.algorithms.components.embedded import NEIGHBOURS_KEPT, EmbeddingModel
from mlviz.draw.layer import Context, chart
from mlviz.draw.overlays.scree import scree_plot
from mlviz.draw.plot import Plot
from mlviz.numerics.arrays import Array
from mlviz.numerics.embedding.multidimensional_scaling import (
    EXACT,
    STEPS,
    STILL,
    Majorization,
    Scaled,
    classical_place,
    majorized_place,
    stress_of,
)

_FARTHEST = 1e150
"""Distances, in units, count as no larger: their squares are numbers."""
_ROUNDING = 1e-9
"""An eigenvalue nearer to 0 than this share of the largest is none that is negative."""


@dataclass(frozen=True, eq=False, kw_only=True)
class MDSModel(EmbeddingModel):
    """The places after a step of majorization, `scaled` where they are those of classical scaling."""

    scaled: Scaled | None = None
    step: Majorization | None = None
    number: int = 0
    """How many steps there were before."""

    objective_name = "stress"
    placed_by = "a new sample here would be placed"
    measures_distances = True

    known_facts = (
        ModelFact(
            "stress",
            lambda m: m.stress,
            "Sum of (δ − d)² over all pairs of samples: δ is their distance among the inputs, d that in the embedding.",
            beside=lambda m: m.stress_scale,
        ),
        ModelFact(
            "stress-1",
            lambda m: m.stress_1,
            "Root of the stress as a share of the sum of d²: Kruskal called 0.05 good, 0.1 fair and 0.2 poor.",
        ),
        ModelFact(
            "explained",
            lambda m: m.explained,
            "Share of the sum of all eigenvalues that these coordinates have; with Euclidean distances it is the share "
            "of the variance of the inputs. With others it may exceed 100 %, since negative eigenvalues lower the sum.",
            "share",
        ),
        NEIGHBOURS_KEPT,
        ModelFact(
            "converged",
            lambda m: None if m.step is None else m.settled,
            f"Whether a further step would move the samples by less than {STILL:g} of their spread.",
        ),
        ModelFact(
            "next step moves",
            lambda m: None if m.step is None else m.step.moved,
            "How far a further step would move the samples, as a share of their spread: it is in proportion to the "
            "gradient of the stress, and 0 at a minimum.",
            level="solver",
        ),
    )

    @cached_property
    def stress(self) -> float | None:
        """The sum of squared errors of the distances of all pairs; None while they are worked out."""
        return None if self._errors is None else self._errors[0] * self.samples.unit**2

    @property
    def stress_1(self) -> float | None:
        """The root of the stress as a share of the squared distances of the embedding (Kruskal 1964)."""
        if self._errors is None or not self._errors[1] > 0:
            return None
        share = self._errors[0] / self._errors[1]
        return float(np.sqrt(share)) if share > EXACT else 0.0

    @property
    def stress_scale(self) -> float:
        """The size of what the stress is the difference of."""
        return 0.0 if self._errors is None else self._errors[1] * self.samples.unit**2

    @cached_property
    def _errors(self) -> tuple[float, float] | None:
        """The stress and the sum of squared distances of the embedding, both in units."""
        if self.step is not None:
            return self.step.stress, self.step.squares
        samples = self.samples
        if samples.distances is None:
            return None
        return stress_of(samples.distances, samples.weights, self.embedding / samples.unit)

    @property
    def objective(self) -> float:  # type: ignore[override]
        """The stress, on the way."""
        return float("nan") if self.step is None or self.stress is None else self.stress

    @property
    def settled(self) -> bool:
        """Whether a further step would change next to nothing."""
        return self.step is not None and self.step.moved <= STILL

    @property
    def explained(self) -> float | None:
        """The share of the eigenvalues' sum that the coordinates have."""
        if self.scaled is None or not self.scaled.trace > 0:
            return None
        k = self.embedding.shape[1]
        found = float(np.maximum(self.scaled.values[:k], 0.0).sum()) / self.scaled.trace
        return found if abs(found - 1) > _ROUNDING else 1.0

    @property
    def caveat(self) -> str:  # type: ignore[override]
        """That only some are embedded, or that it was stopped."""
        stopped = self.step is not None and self.number >= STEPS - 1 and not self.settled
        return "; ".join(filter(None, (super().caveat, f"stopped after {STEPS} steps" if stopped else "")))

    def transform(self, X: Array) -> Array:
        """Where new samples at places (q, d) would be, the others staying where they are: (q, k)."""
        samples = self.samples
        distances, places = np.minimum(samples.distances_to(X), _FARTHEST), self.embedding / samples.unit
        if self.scaled is None or samples.distances is None:
            return samples.unit * majorized_place(distances, places, samples.weights)
        k = places.shape[1]
        mean = samples.distances**2 @ samples.weights / samples.weights.sum()
        part = Scaled(self.scaled.values[:k], self.scaled.trace, places)
        return samples.unit * classical_place(distances**2, part, mean, samples.weights)


@chart("scree", "eigenvalues")
def eigenvalue_chart(model: MDSModel, context: Context) -> Plot | None:
    """The eigenvalues of classical scaling, as variances of the coordinates."""
    if model.scaled is None:
        return None
    share = model.samples.unit**2 / max(float(model.samples.weights.sum()) - 1, 1e-300)
    values = model.scaled.values[model.scaled.values > _ROUNDING * model.scaled.values[0]]
    return scree_plot(share * values, share * model.scaled.trace)
