"""What the studies of the number of clusters have in common: the numbers that are tried, and their fits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from mlviz.algorithms.base import Algorithm, CannotFit
from mlviz.draw.facts import Fact
from mlviz.draw.marks import Mark, Points
from mlviz.draw.numbers import counted, drawn_part
from mlviz.draw.plot import Plot
from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.sampling import spread_subsample
from mlviz.numerics.scoring.choice import as_good, best_value
from mlviz.numerics.scoring.shares import weights_of
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.training import Training
from mlviz.spec import BadValue, Parameter, integer
from mlviz.studies.base import HOW_MANY, Study, needs_method
from mlviz.studies.question import Offer, Question, Result
from mlviz.studies.values import Tried, at_default

_COUNTS = ("n_clusters", "n_components")
"""What the number of clusters is called among the hyperparameters of a clustering method."""
_STARTS = "n_init"
"""What the number of starts is called, of which the best counts."""
STARTS = 10
"""Each fit of a study has at least so many starts, so that no number of clusters is judged by an unlucky one."""
MOST_CLUSTERED, DRAWN_OF_MANY = 5000, 1000
"""More samples are not clustered so many times: so many of them are drawn, fewer for hundreds of fits."""
_MOST_NAMED = 3
"""So many numbers that are as good as the one chosen are named."""
_ROOM = 0.06


class Inputs(NamedTuple):
    """The samples as a clustering method is given them: those that have weight, whose clusters its models name."""

    question: Question
    """About these samples alone."""
    X: Array
    """(m, d) in model coordinates."""
    weights: Array
    """(m,)."""
    told: str = ""
    """How many of them were drawn, where there are more."""

    @classmethod
    def of(cls, question: Question, most: int | None = None, drawn: int | None = None) -> Inputs:
        """Those of a question, at the most so many, or `drawn` ones of more; raises `CannotFit`."""
        rows, weights = rows_given(question.pipeline.prepare(question.X, None, question.sample_weight, question.seed))
        known = rows if question.rows is None else question.rows[rows]
        own = question.replace(X=question.X[rows], y=None, sample_weight=weights, rows=known)
        training = own.pipeline.prepare(own.X, None, weights, own.seed)
        if most is None or len(rows) <= most:
            return cls(own, training.inputs, weights_of(weights, len(rows)))
        chosen = spread_subsample(training.inputs, most if drawn is None else drawn)
        weights = None if weights is None else weights[chosen]
        own = own.replace(X=own.X[chosen], sample_weight=weights, rows=known[chosen])
        training = own.pipeline.prepare(own.X, None, weights, own.seed)
        told = drawn_part(len(chosen), len(rows))
        return cls(own, training.inputs, weights_of(weights, len(chosen)), told)


def rows_given(training: Training) -> tuple[Labels, Array | None]:
    """Which samples (m,) a method is given, and their weights (m,); repeated where it can't weigh them."""
    rows = training.rows if training.resampled_rows is None else training.rows[training.resampled_rows]
    return rows, training.given[2]


class Choice(NamedTuple):
    """A number of clusters that a rule chooses, by its place on the axis, and the curve (v,) that it is read from."""

    rule: str
    place: int
    heights: Array
    equals: tuple[int, ...] = ()
    """The places of larger numbers that are as good."""


class Criterion(NamedTuple):
    """A curve (v,) over the numbers of clusters, its short name, and the rule that reads a choice off it, or none.

    The rule does not look at the places that are `left_out`.
    """

    name: str
    rule: str
    heights: Array
    choice: Choice | None
    left_out: tuple[int, ...] = ()


def least(rule: str, losses: Array, axis: Tried, heights: Array) -> Iterator[Choice]:
    """The number with the least loss (v,), the smallest of several that are as good; none where none has a loss."""
    if (place := best_value(losses, axis.places, "low")) is not None:
        yield Choice(rule, place, heights, tuple(i for i in as_good(losses, place) if i != place))


def well_started(pipeline: Pipeline) -> Pipeline:
    """The pipeline with at least `STARTS` starts, where its method has starts of which the best counts."""
    algorithm = pipeline.algorithm
    if not 0 < getattr(algorithm, _STARTS, 0) < STARTS:
        return pipeline
    return pipeline.replace(algorithm=algorithm.replace(**{_STARTS: STARTS}))


def number_of_clusters(algorithm: Algorithm) -> Parameter | None:
    """The hyperparameter that says how many clusters there are; None where none says so."""
    known = algorithm.parameters() if "clustering" in algorithm.tasks else ()
    return next((p for p in known if p.name in _COUNTS and algorithm.matters(p)), None)


def name_of_cluster(code: int) -> str:
    """What a cluster is called; samples in none of them have a code below 0."""
    return f"cluster {code + 1}" if code >= 0 else "no cluster"


@dataclass(frozen=True, eq=False, kw_only=True)
class CountResult(Result):
    """What is known of some numbers of clusters."""

    study: Any
    """The study with its settings."""
    axis: Tried
    """The numbers of clusters that are tried."""
    problems: tuple[str, ...] = ()
    """Why fits could not be made, a sentence for each."""
    told: str = ""
    """Of which samples all of this is told, where these are not all."""

    def choices(self) -> Iterator[Choice]:
        """What each rule chooses, at most two of them."""
        return iter(())

    names: ClassVar[Mapping[str, str]] = {}
    """What the rules read their choices off, in a word."""

    def curves(self) -> Mapping[str, Array]:
        """What each rule reads its choice off: the curve (v,) by the rule."""
        return {}

    def criteria(self) -> Iterator[Criterion]:
        """Each curve that is known, and what its rule chooses."""
        chosen = {choice.rule: choice for choice in self.choices()}
        for rule, heights in self.curves().items():
            if np.isfinite(heights).any():
                yield Criterion(self.names[rule], rule, heights, chosen.get(rule), self.left_out)

    @property
    def left_out(self) -> tuple[int, ...]:
        """The places whose fits are known and tell nothing, so that no rule chooses them."""
        return ()

    def present(self) -> int | None:
        """The place of the pipeline's own number of clusters; None where it is not among those that are tried."""
        now = self.axis.now(self.question.pipeline)
        return self.axis.values.index(now) if now in self.axis.values else None

    def over_k(self, name: str, title: str, y_label: str, marks: Iterable[Mark], heights: Array) -> Plot:
        """A plot over the number of clusters, whose present value can be moved."""
        handle = self.axis.grip(self.question.pipeline)
        assert handle is not None
        known = heights[np.isfinite(heights)]
        low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
        room = _ROOM * (high - low) or 0.5 * (abs(high) or 1.0)
        return Plot(
            name,
            title,
            "number of components" if self.axis.name == "n_components" else "number of clusters",
            y_label,
            tuple(marks),
            (*self.axis.span(float(handle.values[handle.at])), low - room, high + room),
            x_whole=True,
            handles=(handle,),
        )

    def marked(self) -> Iterator[Mark]:
        """The values that are chosen, on their curves."""
        for role, (rule, place, heights, equals) in zip(("now", "neighbour"), self.choices(), strict=False):
            xy = np.array([[self.axis.places[place], heights[place]]])
            yield Points(role, xy, label=f"{rule}: {self.axis.told(self.axis.values[place])}{self._also(equals)}")

    def told_choices(self, helps: dict[str, str]) -> dict[str, Fact]:
        """What each rule chooses, and what the rule is."""
        return {
            choice.rule: Fact(
                f"{self.axis.told(self.axis.values[choice.place])}{self._also(choice.equals)}", help=helps[choice.rule]
            )
            for choice in self.choices()
        }

    def _also(self, equals: tuple[int, ...]) -> str:
        """Which numbers are as good as the one that is chosen."""
        if not equals:
            return ""
        words = [self.axis.word(self.axis.values[place]) for place in equals]
        told = ", ".join(words) if len(words) <= _MOST_NAMED else f"{len(words)} larger ones"
        return f" ({told} {'is' if len(words) == 1 else 'are'} as good)"

    def without(self, problem: str) -> Self:
        """The same where one more fit could not be made."""
        return replace(self, problems=(*self.problems, problem))

    def facts(self) -> dict[str, Fact]:
        """What could not be fitted, and of which samples all is told."""
        found = {}
        if self.problems and self.complete:
            told = f"{counted(len(self.problems), 'fit')}: {self.problems[0]}"
            found["not fitted"] = Fact(told, help="They are left out.")
        if self.starts:
            own = getattr(self.question.pipeline.algorithm, _STARTS)
            help = f"The best counts: no k is judged by an unlucky start. On the canvas: {counted(own, 'start')}."
            found["starts of each fit"] = Fact(self.starts, help=help)
        if self.told:
            found["samples"] = Fact(self.told, help="With all samples the study would take too long.")
        return found

    @property
    def starts(self) -> int:
        """Of how many starts the best counts in each fit; 0 where a fit has no several starts."""
        own = getattr(self.question.pipeline.algorithm, _STARTS, 0) if self.study.fits else 0
        return max(own, STARTS) if own else 0

    def offers(self) -> tuple[Offer, ...]:
        """The values that are chosen, and those that are as good, with as many starts as the study has made."""
        return tuple(self._offered()) if self.complete else ()

    def _offered(self) -> Iterator[Offer]:
        told = f", {STARTS} restarts" if self._starts else ""
        for rule, place, _, equals in self.choices():
            for number, at in enumerate((place, *equals[:_MOST_NAMED])):
                value, name = self.axis.values[at], f"{rule}, too" if number else rule
                yield Offer(f"{name}: {self.axis.told(value)}{told}", self.settings(value))

    def settings(self, value: Any) -> tuple[tuple[str, Any], ...]:
        """What to set, each at its path, for a number of clusters to be fitted as the study has fitted it."""
        return (self.axis.path, value), *self._starts

    @property
    def _starts(self) -> tuple[tuple[str, Any], ...]:
        own = self.question.pipeline
        return ((f"algorithm.{_STARTS}", STARTS),) if self.starts and well_started(own) != own else ()


@dataclass(frozen=True)
class CountStudy(Study):
    """Base of the studies of the number of clusters, whatever the method."""

    group = HOW_MANY
    fewest: ClassVar[int] = 1
    """The smallest number that the study says anything about."""
    fits: ClassVar[bool] = True
    """Whether it fits the method."""
    most: int = integer(10, soft=(3, 20), valid=(3, 100), label="largest k", help="up to how many clusters are tried")

    def lack(self, pipeline: Pipeline) -> str:
        """A method that is told how many clusters there are."""
        instead = "finds their number itself" if "clustering" in pipeline.algorithm.tasks else ""
        told = number_of_clusters(pipeline.algorithm) is not None
        return "" if told else needs_method(pipeline, "is told how many clusters to find", instead)

    def rests_on(self, pipeline: Pipeline) -> Pipeline:
        """All but the number of clusters, and starts beyond those that are too few: the curve stays while it moves."""
        parameter = number_of_clusters(pipeline.algorithm)
        return pipeline if parameter is None else well_started(at_default(pipeline, parameter.name))

    def tried(self, question: Question) -> Tried:
        """The numbers of clusters to be tried; raises `CannotFit` where samples are too few to vary it."""
        parameter = number_of_clusters(question.pipeline.algorithm)
        assert parameter is not None
        there = weights_of(question.sample_weight, len(question.X)) > 0
        different = len(np.unique(question.X[there], axis=0))
        values = [k for k in range(self.fewest, min(self.most, different) + 1) if _allowed(parameter, k)]
        if len(values) < 2:
            samples = counted(different, "distinct sample")
            raise CannotFit(f"There {'is' if different == 1 else 'are'} only {samples}: too few to vary k.")
        return Tried(parameter, tuple(values))


def _allowed(parameter: Parameter, value: int) -> bool:
    try:
        parameter.check(value)
    except BadValue:
        return False
    return True
