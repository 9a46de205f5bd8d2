"""How much tighter clusters are than those of samples without any: the gap statistic."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from mlviz.algorithms.base import Algorithm, CannotFit
from mlviz.draw.facts import Fact
from mlviz.draw.marks import Lines, Mark, Segments
from mlviz.draw.numbers import drawn_part
from mlviz.draw.plot import Plot
from mlviz.numerics.arrays import Array
from mlviz.numerics.sampling import spread_subsample
from mlviz.numerics.scoring.clusters import gap_statistic, tibshirani_rule, uniform_reference, within_sum_of_squares
from mlviz.numerics.scoring.shares import weights_of
from mlviz.pipeline.pipeline import Pipeline
from mlviz.spec import choice, integer
from mlviz.studies.clusters.base import Choice, CountResult, CountStudy, Inputs, well_started
from mlviz.studies.fitting import fitted
from mlviz.studies.question import Question, Result, Table

MOST_SAMPLES, DRAWN_OF_MANY = 1000, 500
"""More samples are not clustered so many times: so many are drawn from them."""
MOST_STEPS = 100
"""A method that settles slowly is judged after so many steps from one start, the samples like the references."""
SHORT_FITS = "each fit of the gap statistic"
"""What the fact about them is called."""
_WHY_SHORT = (
    "Of the samples and of the uniform ones alike: more would take too long. The likeliest of several mixtures need "
    "not have the least scatter either."
)


@dataclass(frozen=True, eq=False, kw_only=True)
class GapResult(CountResult):
    """log W (v,) of the samples for v numbers of clusters, and (v, B) of B reference data sets; NaN where not known."""

    log_scatter: Array
    reference: Array

    names = {"Tibshirani's rule": "gap"}

    @property
    def gap(self) -> tuple[Array, Array]:
        """The gap for each number of clusters, (v,), and its standard error."""
        return gap_statistic(self.log_scatter, self.reference)

    def curves(self) -> Mapping[str, Array]:
        """What its rules read their choices off."""
        return {"Tibshirani's rule": self.gap[0]}

    def choices(self) -> Iterator[Choice]:
        """What Tibshirani's rule chooses."""
        gap, error = self.gap
        if self.complete and (place := tibshirani_rule(gap, error)) is not None:
            yield Choice("Tibshirani's rule", place, gap)

    def table(self) -> Table:
        """A row for each number of clusters."""
        gap, error = self.gap
        return Table.from_columns(
            {
                self.axis.parameter.key: self.axis.values,
                "gap": gap,
                "standard error": error,
                "log of W/n": self.log_scatter,
                "mean log of W/n of references": self.log_scatter + gap,
            }
        )

    def plots(self) -> tuple[Plot, ...]:
        """The gap over the number of clusters, and the logarithms that it is the difference of."""
        gap, error = self.gap
        heights = np.concatenate((gap - error, gap + error))
        logs = self.log_scatter, self.log_scatter + gap
        return (
            self.over_k("gap", "Gap statistic", "gap", self._marks(gap, error), heights),
            self.over_k(
                "gap logarithms", "Scatter within clusters", "log of W/n", self._logs(*logs), np.concatenate(logs)
            ),
        )

    def _marks(self, gap: Array, error: Array) -> Iterator[Mark]:
        places, known = self.axis.places, np.isfinite(gap)
        low, high = (np.column_stack((places, gap + sign * error))[known] for sign in (-1, 1))
        yield Lines("curve", np.column_stack((places, gap))[known], label="gap")
        if known.any():
            yield Segments("error bar", low, high, label="± one standard error")
        yield from self.marked()

    def _logs(self, own: Array, reference: Array) -> Iterator[Mark]:
        for role, heights, label in (("path", reference, "uniform samples, on average"), ("curve", own, "samples")):
            yield Lines(role, np.column_stack((self.axis.places, heights))[np.isfinite(heights)], label=label)

    def facts(self) -> dict[str, Fact]:
        """What is chosen, by how many references."""
        rule = "The smallest k whose gap is at least that of k + 1 minus the standard error of the latter."
        found = self.told_choices({"Tibshirani's rule": rule})
        if not found and self.complete:
            found["Tibshirani's rule"] = Fact("no k up to the largest one", help=rule)
        count = int(np.isfinite(self.reference).any(axis=0).sum())
        found["references"] = Fact(count, help="How many sets of uniform samples were clustered in the same way.")
        found["seed"] = Fact(self.question.seed, help="Of the random numbers by which they are drawn.")
        found |= super().facts()
        if _slow(self.question.pipeline.algorithm):
            found[SHORT_FITS] = Fact(f"1 start, {MOST_STEPS} steps at most", help=_WHY_SHORT)
        return found

    @property
    def starts(self) -> int:
        """None to be told, where the method settles slowly: each fit has one."""
        return 0 if _slow(self.question.pipeline.algorithm) else super().starts


@dataclass(frozen=True)
class Gap(CountStudy):
    """The gap statistic: log of the scatter within clusters, against what uniform samples have on average.

    R. Tibshirani, G. Walther and T. Hastie, Estimating the number of clusters in a data set via the gap statistic,
    Journal of the Royal Statistical Society B 63 (2001), 411-423.
    """

    id = "gap"
    label = "gap statistic"
    help = "how much tighter clusters are than those of uniform samples, over their number, with Tibshirani's rule"
    random = True

    references: int = integer(20, soft=(5, 50), valid=(2, 500), help="how many sets of uniform samples are drawn")
    box: str = choice(
        "principal axes",
        "coordinates",
        help="the box from which they are drawn: with sides along the principal axes of the samples, or along the "
        "coordinates",
    )

    def steps(self, question: Question) -> Iterator[Result]:
        """Yield what is known: the scatter of the samples for one k after the other, then that of the references."""
        _, X, weights, _ = Inputs.of(question)
        n = len(X)
        chosen = spread_subsample(X, n if n <= MOST_SAMPLES else DRAWN_OF_MANY)
        X = X[chosen]
        # The samples as the method sees them, and references of the same kind.
        own = question.replace(pipeline=_for_many(question.pipeline), X=X, y=None, sample_weight=weights[chosen])
        axis, count = self.tried(own), self.references
        scatter = np.full((len(axis.values), 1 + count), np.nan)
        result = GapResult(
            question,
            0,
            scatter.size,
            study=self,
            axis=axis,
            told="" if len(chosen) == n else drawn_part(len(chosen), n),
            log_scatter=scatter[:, 0],
            reference=scatter[:, 1:],
        )
        yield result
        rng = np.random.default_rng(question.seed)
        for number in range(1 + count):
            one = own if number == 0 else own.replace(X=uniform_reference(X, self.box, rng), sample_weight=None)
            for place, pipeline in enumerate(axis.pipelines(own.pipeline)):
                found = yield from _log_scatter(pipeline, one, result)
                scatter, problems = scatter.copy(), result.problems
                if isinstance(found, str):
                    problems = (*problems, found)
                else:
                    scatter[place, number] = found
                result = replace(
                    result,
                    done=result.done + 1,
                    problems=problems,
                    log_scatter=scatter[:, 0],
                    reference=scatter[:, 1:],
                )
                yield result
            if number == 0 and not np.isfinite(scatter).any():
                problems = result.problems
                raise CannotFit(problems[0] if problems else "The clusters have no scatter: each is at one place.")


def _for_many(pipeline: Pipeline) -> Pipeline:
    """The pipeline without preprocessing, and with the starts that its fits have here."""
    algorithm = well_started(pipeline).algorithm
    return Pipeline(algorithm.replace(n_init=1) if _slow(algorithm) else algorithm)


def _slow(algorithm: Algorithm) -> bool:
    return algorithm.traits.slow_to_end(algorithm)


def _log_scatter(pipeline: Pipeline, question: Question, waiting: GapResult) -> Generator[GapResult, None, float | str]:
    """The logarithm of W of the samples of a question, W by weight, NaN where that is 0; or why there is none."""
    model = yield from fitted(pipeline, question, waiting, MOST_STEPS if _slow(pipeline.algorithm) else None)
    if isinstance(model, str):
        return model
    weights = weights_of(question.sample_weight, len(question.X))
    W = within_sum_of_squares(question.X, model.inner.labels, weights)
    return math.log(W / weights.sum()) if W > 0 else math.nan
