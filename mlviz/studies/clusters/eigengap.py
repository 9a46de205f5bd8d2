"""How many parts the graph of the samples almost falls into: the eigenvalues of its normalized Laplacian."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from mlviz.draw.facts import Fact
from mlviz.draw.marks import Lines, Mark, Points
from mlviz.draw.numbers import drawn_part
from mlviz.draw.plot import Plot
from mlviz.numerics.arrays import Array
from mlviz.numerics.graphs.laplacian import smallest_eigenvalues
from mlviz.numerics.graphs.similarity import gaussian_graph, neighbour_graph
from mlviz.numerics.sampling import SamplePlaces
from mlviz.spec import choice, integer, real
from mlviz.studies.clusters.base import Choice, CountResult, CountStudy, Inputs, least
from mlviz.studies.question import Question, Result, Table

MOST_SAMPLES = 600
"""The eigenvalues of a graph of more samples take too long to be found without a pause."""


@dataclass(frozen=True, eq=False, kw_only=True)
class EigengapResult(CountResult):
    """The smallest eigenvalues, rising, one more than the largest number of clusters; NaN where there is none."""

    eigenvalues: Array
    parts: int = 0
    """How many components the graph has."""

    names = {"Largest eigengap": "eigengap"}

    @property
    def own(self) -> Array:
        """For each number of clusters (v,) the last eigenvalue of so many."""
        return np.asarray(self.eigenvalues[np.array(self.axis.values) - 1])

    @property
    def gaps(self) -> Array:
        """By how much it is below the next one, (v,)."""
        return np.asarray(self.eigenvalues[np.array(self.axis.values)] - self.own)

    def curves(self) -> Mapping[str, Array]:
        """What its rules read their choices off."""
        return {"Largest eigengap": self.own}

    def choices(self) -> Iterator[Choice]:
        """As many clusters as there are eigenvalues before the largest gap."""
        yield from (
            one for one in least("Largest eigengap", -self.gaps, self.axis, self.own) if self.gaps[one.place] > 0
        )

    def table(self) -> Table:
        """A row for each number of clusters."""
        return Table.from_columns(
            {self.axis.parameter.key: self.axis.values, "eigenvalue": self.own, "gap to the next": self.gaps}
        )

    def plots(self) -> tuple[Plot, ...]:
        """The eigenvalues by their numbers."""
        heights = np.append(self.eigenvalues, 0.0)
        return (self.over_k("eigengap", "Eigengap", "eigenvalue", self._marks(), heights),)

    def _marks(self) -> Iterator[Mark]:
        numbers = np.arange(1.0, len(self.eigenvalues) + 1)
        yield Lines("zero", np.array([[numbers[0], 0.0], [numbers[-1], 0.0]]))
        xy = np.column_stack((numbers, self.eigenvalues))
        yield Points("path", xy[np.isfinite(self.eigenvalues)], label="eigenvalues, the smallest first")
        for _, place, *_ in self.choices():
            k = self.axis.values[place]
            yield Lines("curve", xy[k - 1 : k + 1], label="largest gap")
        yield from self.marked()

    def facts(self) -> dict[str, Fact]:
        """What is chosen, the gap, and whether the graph falls apart."""
        found = self.told_choices(
            {"Largest eigengap": "As many clusters as eigenvalues before the largest gap between two of them."}
        )
        if self.complete:
            found["gap"] = Fact(float(np.nanmax(self.gaps)), help="By how much the next eigenvalue is larger.")
            found["connected components"] = Fact(
                self.parts, help="Parts that no edge joins: as many as eigenvalues are 0, whatever clusters are wanted."
            )
        return found | super().facts()


@dataclass(frozen=True)
class Eigengap(CountStudy):
    """The eigenvalues of the normalized Laplacian I - D^(-1/2) W D^(-1/2) of a graph of the samples.

    A graph of k parts without an edge between them has k eigenvalues 0; where few edges join the parts, k are nearly 0.
    U. von Luxburg, A tutorial on spectral clustering, Statistics and Computing 17 (2007), 395-416, section 8.3.
    """

    id = "eigengap"
    label = "eigengap"
    fits = False
    help = "the smallest eigenvalues of the normalized Laplacian of a graph of the samples, and their largest gap"

    graph: str = choice(
        "nearest neighbours",
        "gaussian",
        help="which samples are joined: each with its nearest ones, or all, by weights that fall with the distance",
    )
    n_neighbors: int = integer(
        10,
        soft=(2, 30),
        valid=(1, 1000),
        label="neighbours",
        help="how many nearest samples each one is joined with",
        when=("graph", ("nearest neighbours",)),
    )
    sigma: float = real(
        0.5,
        soft=(0.1, 5.0),
        valid=(0.0, None),
        open_low=True,
        log=True,
        help="σ of the weights exp(−d²/(2σ²)), in the units that the method measures in",
        when=("graph", ("gaussian",)),
    )

    def steps(self, question: Question) -> Iterator[Result]:
        """Yield the eigenvalues."""
        axis, (_, X, *_) = self.tried(question), Inputs.of(question)
        merged = SamplePlaces.of(X, most=MOST_SAMPLES)
        places, n = merged.X, merged.different
        told = "" if len(places) == n else drawn_part(len(places), n, "different samples")
        unknown = np.full(axis.values[-1] + 1, np.nan)
        result = EigengapResult(question, 0, study=self, axis=axis, told=told, eigenvalues=unknown)
        yield result
        near, gaussian = min(self.n_neighbors, len(places) - 1), self.graph == "gaussian"
        graph = gaussian_graph(places, self.sigma) if gaussian else neighbour_graph(places, near)
        yield result
        found = smallest_eigenvalues(graph, True, len(unknown)).values
        parts = int(graph.components.max()) + 1
        yield replace(result, done=1, eigenvalues=np.append(found, unknown[len(found) :]), parts=parts)
