"""How much nearer samples are to their own cluster than to the next one, over the number of clusters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.draw.facts import Fact
from mlviz.draw.marks import Lines, Mark, Polygons
from mlviz.draw.numbers import counted, drawn_part, number
from mlviz.draw.plot import Area, Plot
from mlviz.numerics.arrays import Array, Labels, Rows
from mlviz.numerics.pauses import meanwhile
from mlviz.numerics.sampling import spread_subsample
from mlviz.numerics.scoring.clusters import distances_between, silhouettes
from mlviz.studies.clusters.base import (
    MOST_CLUSTERED,
    Choice,
    CountResult,
    CountStudy,
    Inputs,
    least,
    name_of_cluster,
    well_started,
)
from mlviz.studies.fitting import fitted
from mlviz.studies.question import Question, Result, Table

MOST_SAMPLES = 1500
"""The silhouettes of so many samples are worked out at most: they take the distances of all pairs."""
_GAP = 0.02
"""The room between two clusters of the plot, as a share of the samples."""


@dataclass(frozen=True, eq=False, kw_only=True)
class SilhouetteResult(CountResult):
    """The silhouettes of m samples in the clusters of each of v numbers of them; empty where they are not known."""

    weights: Array
    """(m,)."""
    rows: Rows
    """(m,) the row of each in the data set."""
    each: tuple[Array, ...]
    """(m,) for each number of clusters."""
    labels: tuple[Labels, ...]
    """(m,) the clusters."""

    names = {"Largest silhouette": "silhouette"}

    @property
    def means(self) -> Array:
        """The mean silhouette for each number of clusters, (v,)."""
        weights = self.weights
        return np.array([weights @ one / weights.sum() if len(one) else np.nan for one in self.each])

    def curves(self) -> Mapping[str, Array]:
        """What its rules read their choices off."""
        return {"Largest silhouette": self.means}

    def choices(self) -> Iterator[Choice]:
        """The largest mean."""
        means = self.means
        if self.complete:
            yield from least("Largest silhouette", -means, self.axis, means)

    def table(self) -> Table:
        """A row for each number of clusters."""
        return Table.from_columns({self.axis.parameter.key: self.axis.values, "mean silhouette": self.means})

    def plots(self) -> tuple[Plot, ...]:
        """The mean over the number of clusters, and the silhouette of each sample for the present one."""
        means = self.means
        curve = np.column_stack((self.axis.places, means))[np.isfinite(means)]
        marks = (Lines("curve", curve, label="mean silhouette"), *self.marked())
        found = [self.over_k("silhouette", "Silhouette", "mean silhouette", marks, means)]
        place = self.present()
        if place is not None and np.isfinite(means[place]):
            found.append(self._of_samples(place))
        return tuple(found)

    def _of_samples(self, place: int) -> Plot:
        """The silhouettes of the samples, sorted within the clusters, the first of which is on top."""
        values, labels, mean = self.each[place], self.labels[place], float(self.means[place])
        clusters = np.unique(labels).tolist()
        room = _GAP * len(values)
        low = min(-0.05, 1.05 * float(values.min()))
        top, marks, areas, ticks = 0.0, list[Mark](), list[Area](), list[tuple[float, str]]()
        for code in clusters:
            members = np.flatnonzero(labels == code)
            own = np.sort(values[members])[::-1]
            edge = top - np.arange(len(own) + 1.0)
            steps = np.column_stack((np.repeat(own, 2), np.repeat(edge, 2)[1:-1]))
            outline = np.vstack(([0.0, edge[0]], steps, [0.0, edge[-1]]))
            marks.append(Polygons(f"class {code}", (outline,)))
            ticks.append((float(edge[0] + edge[-1]) / 2, name_of_cluster(code)))
            areas += self._areas(code, members, values, (low, float(edge[-1]), float(edge[0])))
            top = float(edge[-1]) - room
        ends = (low, 1.0, top, room)
        marks.append(Lines("zero", np.array([[0.0, ends[2]], [0.0, ends[3]]])))
        marks.append(Lines("threshold", np.array([[mean, ends[2]], [mean, ends[3]]]), label=f"mean: {number(mean)}"))
        title = f"Silhouettes, {self.axis.told(self.axis.values[place])}"
        return Plot(
            "silhouette samples",
            title,
            "silhouette",
            "cluster",
            tuple(marks),
            ends,
            y_ticks=tuple(ticks),
            areas=tuple(areas),
        )

    def _areas(self, code: int, members: Labels, values: Array, ends: tuple[float, float, float]) -> Iterator[Area]:
        """Where a cluster's samples light up when it is clicked: all of them, and left of 0 those below 0."""
        low, bottom, top = ends
        below = members[values[members] < 0]
        told = (
            f"{name_of_cluster(code)}: {counted(len(members), 'sample')}, mean {number(float(values[members].mean()))}"
        )
        yield Area((0.0, 1.0, bottom, top), told, self.rows[members])
        if len(below):
            told = f"{name_of_cluster(code)}: {counted(len(below), 'sample')} nearer to another cluster"
            yield Area((low, 0.0, bottom, top), told, self.rows[below])

    def facts(self) -> dict[str, Fact]:
        """The best number, and what is told of the present one."""
        found = self.told_choices({"Largest silhouette": "The number of clusters with the largest mean silhouette."})
        place = self.present()
        if place is not None and np.isfinite(mean := float(self.means[place])):
            now = self.axis.told(self.axis.values[place])
            found[f"mean for {now}"] = Fact(
                mean, help="1: far from all other clusters; 0: between two; below 0: nearer to another one."
            )
            weights, below = self.weights, self.each[place] < 0
            share = float(weights[below].sum() / weights.sum())
            found[f"below 0 for {now}"] = Fact(share, "share", "Samples that are on average nearer to another cluster.")
        return found | super().facts()


@dataclass(frozen=True)
class Silhouette(CountStudy):
    """Mean silhouette over the number of clusters, and the silhouette of each sample for the present number.

    P. J. Rousseeuw, Silhouettes: a graphical aid to the interpretation and validation of cluster analysis, Journal of
    Computational and Applied Mathematics 20 (1987), 53-65.
    """

    id = "silhouette"
    label = "silhouette"
    help = "how much nearer samples are to their own cluster than to the next one, over k and sample by sample"
    fewest = 2

    def steps(self, question: Question) -> Iterator[Result]:
        """Yield the means as far as they are known."""
        axis, (own, X, weights, told) = self.tried(question), Inputs.of(question, MOST_CLUSTERED)
        chosen, n = spread_subsample(X, MOST_SAMPLES), len(X)
        weights = weights[chosen]
        assert own.rows is not None
        none: tuple[Labels, ...] = (np.empty(0, dtype=np.intp),) * len(axis.values)
        if len(chosen) < n:
            told = f"{drawn_part(len(chosen), n)}; {told or f'all {n:,}'} are clustered"
        result = SilhouetteResult(
            question,
            0,
            len(axis.values),
            study=self,
            axis=axis,
            told=told,
            weights=weights,
            rows=own.rows[chosen],
            each=(np.empty(0),) * len(axis.values),
            labels=none,
        )
        yield result
        distances = yield from meanwhile(result, distances_between(X[chosen]))
        for place, pipeline in enumerate(axis.pipelines(well_started(question.pipeline))):
            model = yield from fitted(pipeline, own, result)
            if isinstance(model, str):
                result = replace(result.without(model), done=place + 1)
            else:
                labels = model.inner.labels[chosen]
                found = silhouettes(distances, labels, weights)
                result = replace(
                    result,
                    done=place + 1,
                    each=(*result.each[:place], found, *result.each[place + 1 :]),
                    labels=(*result.labels[:place], labels, *result.labels[place + 1 :]),
                )
            yield result
        if not np.isfinite(result.means).any():
            raise CannotFit(result.problems[0] if result.problems else "All samples are in one cluster, whatever k is.")
