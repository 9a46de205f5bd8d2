"""Whether the clusters are the classes that somebody drew, which the method was not told."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.draw.facts import Fact
from mlviz.draw.marks import Field, cell_words
from mlviz.draw.numbers import counted, format_number, share, typographic
from mlviz.draw.plot import Area, Plot
from mlviz.numerics.arrays import AnyArray, Array, Labels, Rows
from mlviz.numerics.scoring.agreement import (
    adjusted_rand,
    contingency_table,
    normalized_mutual_information,
    purity,
    with_themselves,
)
from mlviz.pipeline.model import PipelineModel
from mlviz.pipeline.pipeline import Pipeline
from mlviz.spec.outside import shortened
from mlviz.studies.base import Study, needs_method
from mlviz.studies.clusters.base import name_of_cluster, rows_given
from mlviz.studies.question import Question, Result, Table

_FAINTEST, _STRONGEST = 12, 62
"""The shades of a cell with the fewest and with all samples, of 127: numbers can be read on them."""
_NAMES_ROOM, _SHORTEST_NAME = 60, 5
"""So many characters have room below the table, and a name has at least so many."""


@dataclass(frozen=True, eq=False, kw_only=True)
class AgreementResult(Result):
    """The clusters (m,) and the classes (m,) of samples with weights (m,), whose rows in the data set are (m,)."""

    labels: Labels
    classes: AnyArray
    weights: Array | None
    rows: Rows

    @cached_property
    def counted(self) -> tuple[Array, list[str], list[str]]:
        """How many samples of each cluster are of each class, (r, c), and the names of both."""
        counts, clusters, classes = contingency_table(self.labels, self.classes, self.weights)
        names = self.question.names
        return counts, list(map(name_of_cluster, clusters.tolist())), list(map(names.of_class, classes.tolist()))

    @property
    def _itself(self) -> Array | None:
        if self.weights is None:
            return None
        return contingency_table(self.labels, self.classes, with_themselves(self.weights)[1])[0]

    def table(self) -> Table:
        """A row for each cluster."""
        counts, clusters, classes = self.counted
        return Table.from_columns({"cluster": clusters} | dict(zip(classes, counts.T, strict=True)))

    def plots(self) -> tuple[Plot, ...]:
        """The table; a cell shows its samples when it is clicked."""
        counts, clusters, classes = self.counted
        r, c = counts.shape
        across, up = np.arange(float(c)), np.arange(float(r))[::-1]  # the first cluster is on top
        places = np.column_stack((np.tile(across, r), np.repeat(up, c)))
        shares = counts / counts.sum(axis=1, keepdims=True)
        shades = 128 + np.where(counts > 0, _FAINTEST + (_STRONGEST - _FAINTEST) * shares, 0.0)
        most = max(_SHORTEST_NAME, _NAMES_ROOM // c)
        return (
            Plot(
                "cluster-agreement",
                "Clusters and classes",
                "class",
                "",
                (
                    Field("similarity", across, up[::-1], shades.astype(np.uint8)[::-1], cells=counts[::-1]),
                    cell_words("label", places, [*map(format_number, counts.ravel().tolist())]),
                ),
                (-0.5, c - 0.5, -0.5, r - 0.5),
                x_ticks=tuple((x, shortened(name, most)) for x, name in zip(across.tolist(), classes, strict=True)),
                y_ticks=tuple(zip(up.tolist(), clusters, strict=True)),
                areas=self._areas(places),
            ),
        )

    def _areas(self, places: Array) -> tuple[Area, ...]:
        counts, clusters, classes = self.counted
        of_cluster, of_class = np.unique(self.labels), np.unique(self.classes)
        found = []
        for (x, y), (i, j) in zip(places.tolist(), np.ndindex(counts.shape), strict=True):
            rows = self.rows[(self.labels == of_cluster[i]) & (self.classes == of_class[j])]
            shares = counts[i, j] / counts[i].sum(), counts[i, j] / counts[:, j].sum()
            told = ", ".join(
                f"{typographic(share(float(part)))} of the {what}"
                for part, what in zip(shares, ("cluster", "class"), strict=True)
            )
            words = f"{clusters[i]}, {classes[j]}: {format_number(float(counts[i, j]))}, {told}"
            found.append(Area((x - 0.5, x + 0.5, y - 0.5, y + 0.5), words, rows))
        return tuple(found)

    def facts(self) -> dict[str, Fact]:
        """How far both agree."""
        counts = self.counted[0]
        found = {
            "adjusted Rand index": Fact(
                adjusted_rand(counts, self._itself),
                help="Over pairs of samples, corrected for chance: 1 if clusters are the classes, 0 for random ones.",
            ),
            "normalized mutual information": Fact(
                normalized_mutual_information(counts),
                help="How much the cluster tells of the class and the class of the cluster: 1 is all, 0 nothing.",
            ),
            "purity": Fact(
                purity(counts),
                "share",
                "The share of samples that are of the main class of their cluster; more clusters make it larger.",
            ),
        }
        if outside := int((self.labels < 0).sum()):
            help = "They count as a cluster of their own."
            found["in no cluster"] = Fact(counted(outside, "sample"), help=help)
        return found


@dataclass(frozen=True)
class ClusterAgreement(Study):
    """How many samples of each cluster are of each class: the classes were drawn, and the method was not told them."""

    id = "cluster-agreement"
    label = "agreement with the classes"
    help = (
        "how well the clusters match the classes of the points: adjusted Rand index, mutual information, purity, table"
    )

    def lack(self, pipeline: Pipeline) -> str:
        """A method that finds clusters."""
        return "" if "clustering" in pipeline.algorithm.tasks else needs_method(pipeline, "finds clusters")

    @property
    def immediate(self) -> bool:
        """It is told by the pipeline's own model."""
        return True

    def judge(self, model: PipelineModel, question: Question) -> Result:
        """What a model's clusters are."""
        rows, weights = rows_given(model.training)
        if question.classes is None or len(np.unique(question.classes[rows])) < 2:
            raise CannotFit("All samples are of one class: draw several to compare clusters with them.")
        known = rows if question.rows is None else question.rows[rows]
        return AgreementResult(
            question, labels=model.inner.labels, classes=question.classes[rows], weights=weights, rows=known
        )
