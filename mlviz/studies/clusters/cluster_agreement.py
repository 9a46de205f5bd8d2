"""Whether the clusters are the classes that somebody drew, which the method was not told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.draw.facts import Fact
from mlviz.draw.numbers import counted, format_number
from mlviz.draw.plot import Plot
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
from mlviz.studies.base import Study, needs_method
from mlviz.studies.clusters.base import name_of_cluster, rows_given
from mlviz.studies.count_table import count_table, shades_of, told_shares
from mlviz.studies.question import Question, Result, Table


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
        shades = shades_of(counts / counts.sum(axis=1, keepdims=True))
        words = list(map(format_number, counts.ravel().tolist()))
        axes, title = ("class", ""), "Clusters and classes"
        cells = self._cells()
        return (count_table("cluster-agreement", title, axes, (classes, clusters), counts, shades, words, cells),)

    def _cells(self) -> Iterator[tuple[str, Rows]]:
        counts, clusters, classes = self.counted
        of_cluster, of_class = np.unique(self.labels), np.unique(self.classes)
        for i, j in np.ndindex(counts.shape):
            rows = self.rows[(self.labels == of_cluster[i]) & (self.classes == of_class[j])]
            shares = counts[i, j] / counts[i].sum(), counts[i, j] / counts[:, j].sum()
            told = told_shares(shares, ("the cluster", "the class"))
            yield f"{clusters[i]}, {classes[j]}: {format_number(float(counts[i, j]))}, {told}", rows

    def facts(self) -> dict[str, Fact]:
        """How far both agree."""
        counts = self.counted[0]
        found = {
            "adjusted Rand index": Fact(
                adjusted_rand(counts, self._itself),
                help="Over pairs of samples: 1 if clusters are the classes, on average 0 for random ones.",
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
