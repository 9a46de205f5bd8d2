"""The inertia over the number of clusters: the elbow, and the lowest inertia with a price for each cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.draw.facts import Fact
from mlviz.draw.marks import Lines, Mark
from mlviz.draw.numbers import number
from mlviz.draw.plot import Plot
from mlviz.numerics.arrays import Array
from mlviz.numerics.scoring.clusters import elbow, within_sum_of_squares
from mlviz.spec import real
from mlviz.studies.clusters.base import (
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

_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False, kw_only=True)
class ElbowResult(CountResult):
    """The inertia (v,) of the clusters for each of v numbers of them, NaN where it is not known."""

    inertia: Array
    whole: float
    """The inertia of a single cluster of all samples."""

    names = {"Elbow": "elbow", "Lowest inertia + price": "price"}

    @property
    def price(self) -> float:
        """λ, what a cluster costs."""
        return float(self.study.lambda_) * self.whole

    @property
    def costs(self) -> Array:
        """The inertia with the price of the clusters, (v,)."""
        return self.inertia + self.price * self.axis.places

    def curves(self) -> Mapping[str, Array]:
        """What its rules read their choices off."""
        return {"Elbow": self.inertia, "Lowest inertia + price": self.costs}

    def choices(self) -> Iterator[Choice]:
        """The elbow, and the lowest cost."""
        if not self.complete:
            return
        if (place := elbow(self.axis.places, self.inertia)) is not None:
            yield Choice("Elbow", place, self.inertia)
        yield from least("Lowest inertia + price", self.costs, self.axis, self.costs)

    def table(self) -> Table:
        """A row for each number of clusters."""
        return Table.from_columns(
            {self.axis.parameter.key: self.axis.values, "inertia": self.inertia, "inertia + price": self.costs}
        )

    def plots(self) -> tuple[Plot, ...]:
        """Both curves."""
        heights = np.concatenate((self.inertia, self.costs, [0.0]))
        return (self.over_k("elbow", "Elbow", "inertia", self._marks(), heights),)

    def _marks(self) -> Iterator[Mark]:
        known, k = np.isfinite(self.inertia), self.axis.places
        yield Lines("zero", np.array([[k[0], 0.0], [k[-1], 0.0]]))
        yield Lines("path", np.column_stack((k, self.costs))[known], label=f"inertia + {number(self.price)} k")
        yield Lines("curve", np.column_stack((k, self.inertia))[known], label="inertia")
        yield from self.marked()

    def facts(self) -> dict[str, Fact]:
        """What is chosen, the price, and where one cluster more is no better."""
        found = self.told_choices(
            {
                "Elbow": "Where the curve is farthest below the straight line between its ends; another largest k may "
                "move it.",
                "Lowest inertia + price": "Where the inertia and the price of all clusters together are lowest.",
            }
        )
        told = f"{number(self.study.lambda_)} × {number(self.whole)} = {number(self.price)}"
        found["price of a cluster"] = Fact(told, help="λ times the inertia of all samples in a single cluster.")
        risen = np.diff(self.inertia) > _ROUNDING * self.whole
        worse = [self.axis.word(k) for k, rises in zip(self.axis.values[1:], risen, strict=True) if rises]
        if worse:
            help = "With one cluster more it can always be less: there the fit ended in a local minimum, or minimises "
            found["larger than before at k"] = Fact(", ".join(worse), help=f"{help}something else.")
        return found | super().facts()


@dataclass(frozen=True)
class Elbow(CountStudy):
    """Inertia over the number of clusters: it falls all the way, steeply until each group has a cluster.

    R. L. Thorndike, Who belongs in the family?, Psychometrika 18 (1953), 267-276.
    """

    id = "elbow"
    label = "elbow"
    help = "inertia over the number of clusters, alone and with a price λ for each of them: where one more hardly helps"

    lambda_: float = real(
        0.05,
        soft=(0.001, 1.0),
        valid=(0.0, None),
        log=True,
        label="λ",
        help="the price of a cluster, as a share of the inertia of a single cluster of all samples",
    )

    def steps(self, question: Question) -> Iterator[Result]:
        """Yield the curve as far as it is known."""
        axis, (own, X, weights, told) = self.tried(question), Inputs.of(question, MOST_CLUSTERED)
        inertia = np.full(len(axis.values), np.nan)
        whole = within_sum_of_squares(X, np.zeros(len(X), dtype=np.intp), weights)
        result = ElbowResult(question, 0, len(inertia), study=self, axis=axis, told=told, inertia=inertia, whole=whole)
        yield result
        for place, pipeline in enumerate(axis.pipelines(well_started(question.pipeline))):
            model = yield from fitted(pipeline, own, result)
            if isinstance(model, str):
                result = result.without(model)
            else:
                inertia = inertia.copy()
                inertia[place] = within_sum_of_squares(X, model.inner.labels, weights)
            result = replace(result, done=place + 1, inertia=inertia)
            yield result
        if len(result.problems) == len(inertia):
            raise CannotFit(result.problems[0])
