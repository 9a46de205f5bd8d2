"""Whether parts of the samples give the same clusters as all of them, over the number of clusters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.draw.facts import Fact
from mlviz.draw.marks import Lines, Mark, Segments
from mlviz.draw.numbers import counted
from mlviz.draw.plot import Plot
from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.sampling import random_order
from mlviz.numerics.scoring.agreement import adjusted_rand, contingency_table, with_themselves
from mlviz.numerics.scoring.choice import mean_and_error
from mlviz.spec import integer, real
from mlviz.studies.clusters.base import (
    DRAWN_OF_MANY,
    MOST_CLUSTERED,
    Choice,
    CountResult,
    CountStudy,
    Inputs,
    least,
    well_started,
)
from mlviz.studies.fitting import fitted
from mlviz.studies.question import Question, Result, Table


@dataclass(frozen=True, eq=False, kw_only=True)
class ClusterStabilityResult(CountResult):
    """The agreement (v, B) of the clusters of B parts of the samples with those of all, for v numbers of them."""

    agreement: Array
    size: int
    """How many samples each part has."""

    names = {"Most stable": "stability"}

    @property
    def means(self) -> tuple[Array, Array]:
        """The mean agreement (v,), and its standard deviation."""
        mean, error = mean_and_error(self.agreement)
        return mean, error * np.sqrt(np.isfinite(self.agreement).sum(axis=1))

    def curves(self) -> Mapping[str, Array]:
        """What its rules read their choices off."""
        return {"Most stable": self.means[0]}

    def choices(self) -> Iterator[Choice]:
        """The most stable number."""
        mean = self.means[0]
        if self.complete:
            yield from least("Most stable", -mean, self.axis, mean)

    def table(self) -> Table:
        """A row for each number of clusters."""
        mean, spread = self.means
        return Table.from_columns(
            {self.axis.parameter.key: self.axis.values, "adjusted Rand index": mean, "standard deviation": spread}
        )

    def plots(self) -> tuple[Plot, ...]:
        """The agreement over the number of clusters."""
        mean, spread = self.means
        heights = np.concatenate((mean, mean - spread, mean + spread, [1.0]))
        name, title = "cluster-stability", "Stability of the clusters"
        return (self.over_k(name, title, "adjusted Rand index", self._marks(mean, spread), heights),)

    def _marks(self, mean: Array, spread: Array) -> Iterator[Mark]:
        places = self.axis.places
        yield Lines("zero", np.array([[places[0], 1.0], [places[-1], 1.0]]))
        yield Lines("curve", np.column_stack((places, mean))[np.isfinite(mean)], label="mean agreement")
        if (bars := np.isfinite(spread)).any():
            low, high = (np.column_stack((places, mean + sign * spread))[bars] for sign in (-1, 1))
            yield Segments("error bar", low, high, label="± one standard deviation")
        yield from self.marked()

    def facts(self) -> dict[str, Fact]:
        """What is chosen, and what is compared."""
        found = self.told_choices(
            {"Most stable": "The number of clusters with the largest mean agreement, of several the smallest one."}
        )
        told = f"{self.agreement.shape[1]} of {counted(self.size, 'sample')} each"
        found["parts"] = Fact(told, help="Each is clustered by itself, and compared with the clusters of all samples.")
        found["seed"] = Fact(self.question.seed, help="Of the random numbers by which they are drawn.")
        return found | super().facts()


@dataclass(frozen=True)
class ClusterStability(CountStudy):
    """Agreement of the clusters of parts of the samples with those of all samples, over the number of clusters.

    A. Ben-Hur, A. Elisseeff and I. Guyon, A stability based method for discovering structure in clustered data,
    Pacific Symposium on Biocomputing 7 (2002), 6-17. U. von Luxburg, Clustering stability: an overview, Foundations
    and Trends in Machine Learning 2 (2010), 235-274.
    """

    id = "cluster-stability"
    label = "stability of the clusters"
    help = "how far the clusters of parts of the samples agree with those of all, over the number of clusters"
    fewest = 2
    random = True

    repeats: int = integer(20, soft=(5, 50), valid=(2, 500), help="how many parts of the samples are drawn")
    share: float = real(0.8, soft=(0.5, 0.95), valid=(0.1, 0.99), help="the share of the samples in each part")

    def steps(self, question: Question) -> Iterator[Result]:
        """Yield the agreement as far as it is known: of one part more each time."""
        axis = self.tried(question)
        own, X, weights, told = Inputs.of(question, MOST_CLUSTERED, DRAWN_OF_MANY)
        agreement, size = np.full((len(axis.values), self.repeats), np.nan), max(2, round(self.share * len(X)))
        result = ClusterStabilityResult(
            question,
            0,
            agreement.size + len(agreement),
            study=self,
            axis=axis,
            told=told,
            agreement=agreement,
            size=size,
        )
        yield result
        pipelines, whole = axis.pipelines(well_started(question.pipeline)), dict[int, Labels]()
        for place, pipeline in enumerate(pipelines):
            model = yield from fitted(pipeline, own, result)
            if isinstance(model, str):
                result = result.without(model)
            else:
                whole[place] = model.inner.labels
            result = replace(result, done=place + 1)
            yield result
        if not whole:
            raise CannotFit(result.problems[0])
        seeds = np.random.default_rng(question.seed).integers(2**63, size=self.repeats).tolist()
        for repeat, seed in enumerate(seeds):
            rows = np.sort(random_order(own.X, seed)[:size])
            part = own.replace(X=own.X[rows], sample_weight=weights[rows])
            agreement = agreement.copy()
            for place, labels in whole.items():
                model = yield from fitted(pipelines[place], part, result)
                if isinstance(model, str):
                    result = result.without(model)
                else:
                    both = model.inner.labels, labels[rows]
                    table, itself = (contingency_table(*both, w)[0] for w in with_themselves(weights[rows]))
                    agreement[place, repeat] = adjusted_rand(table, itself)
                result = replace(result, done=result.done + 1)
            result = replace(result, done=(2 + repeat) * len(axis.values), agreement=agreement)
            yield result
