"""All criteria for the number of clusters in one picture: what each of them chooses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.draw.facts import Fact
from mlviz.draw.marks import Mark, Points, Segments
from mlviz.draw.plot import Area, Plot
from mlviz.numerics.arrays import Array
from mlviz.pipeline.pipeline import Pipeline
from mlviz.spec import integer
from mlviz.studies.clusters.base import STARTS, Choice, CountResult, CountStudy, Criterion
from mlviz.studies.clusters.cluster_stability import ClusterStability
from mlviz.studies.clusters.eigengap import Eigengap
from mlviz.studies.clusters.elbow import Elbow
from mlviz.studies.clusters.gap import SHORT_FITS, Gap
from mlviz.studies.clusters.information_criteria import UNRELIABLE, InformationCriteria
from mlviz.studies.clusters.silhouette import Silhouette
from mlviz.studies.question import Offer, Question, Result, Table

PARTS: tuple[type[CountStudy], ...] = (Elbow, Silhouette, InformationCriteria, Eigengap, Gap, ClusterStability)
"""The studies that are asked one after the other, those that take long at the end."""
_PART = 1000
"""What each of them counts as work, in which its own is measured."""
_LOW, _HIGH = 0.12, 0.82
"""Where in its strip of height 1 a curve has its smallest and its largest value."""


@dataclass(frozen=True, eq=False, kw_only=True)
class CriteriaOverview(CountResult):
    """What the studies say that have been asked so far."""

    parts: tuple[CountResult, ...] = ()

    @property
    def strips(self) -> tuple[tuple[CountResult, Criterion], ...]:
        """Each criterion, after the result that has it."""
        return tuple((part, criterion) for part in self.parts for criterion in part.criteria())

    def choices(self) -> Iterator[Choice]:
        """What each rule chooses, its place among the numbers that are tried here."""
        for part, criterion in self.strips:
            if (made := criterion.choice) is not None:
                place, *equals = (self._place(part, at) for at in (made.place, *made.equals))
                yield Choice(made.rule, place, made.heights, tuple(equals))

    def _place(self, part: CountResult, place: int) -> int:
        return self.axis.values.index(part.axis.values[place])

    def table(self) -> Table:
        """A row for each criterion: what it chooses, and which larger numbers are as good."""
        made = [(criterion.rule, criterion.choice, part.axis) for part, criterion in self.strips]
        return Table.from_columns(
            {
                "criterion": [rule for rule, _, _ in made],
                self.axis.parameter.key: [None if one is None else axis.values[one.place] for _, one, axis in made],
                "as good": [
                    "" if one is None else ", ".join(str(axis.values[at]) for at in one.equals) for _, one, axis in made
                ],
            }
        )

    def plots(self) -> tuple[Plot, ...]:
        """A strip for each criterion, over the same numbers of clusters; each is on a scale of its own."""
        found = self.strips
        if not found:
            return ()
        ends = np.array([0.0, float(len(found))])
        plot = self.over_k(self.study.id, "All criteria", "", self._drawn(), ends)
        left, right = plot.limits[:2] if plot.limits else (np.inf, -np.inf)
        limits = (min(self.axis.values[0] - 0.5, left), max(self.axis.values[-1] + 0.5, right), *ends.tolist())
        ticks = tuple((len(found) - row - 0.5, one.name) for row, (_, one) in enumerate(found))
        return (replace(plot, limits=limits, y_ticks=ticks, areas=tuple(self._areas(ends))),)

    def _drawn(self) -> Iterator[Mark]:
        curves, chosen, equal, unsound = list[Array](), list[Array](), list[Array](), list[Array]()
        for row, (part, criterion) in enumerate(self.strips):
            known = np.isfinite(criterion.heights)
            low, high = criterion.heights[known].min(), criterion.heights[known].max()
            share = (criterion.heights - low) / ((high - low) or 1.0)
            xy = np.column_stack((part.axis.places, len(self.strips) - 1 - row + _LOW + (_HIGH - _LOW) * share))
            curves.append(np.hstack((xy[known][:-1], xy[known][1:])))
            unsound += [xy[at] for at in criterion.left_out if known[at]]
            if (made := criterion.choice) is not None:
                chosen.append(xy[made.place])
                equal += [xy[at] for at in made.equals]
        borders = np.arange(1.0, len(self.strips))
        across = np.repeat([[self.axis.places[0] - 0.5, self.axis.places[-1] + 0.5]], len(borders), axis=0)
        yield Segments("zero", *(np.column_stack((side, borders)) for side in across.T))
        lines = np.concatenate(curves)
        yield Segments("curve", lines[:, :2], lines[:, 2:])
        told = (("warning", unsound, "unreliable"), ("neighbour", equal, "as good"), ("now", chosen, "chosen"))
        for role, places, label in told:
            if places:
                yield Points(role, np.array(places), label=label)

    def _areas(self, ends: Array) -> Iterator[Area]:
        """A column for each number, which a click adopts."""
        rules, equals = self._rules_of(), self._equals_of()
        for value in self.axis.values:
            told = [", ".join(rules.get(value, ()))]
            if value in equals:
                told.append(f"as good by {', '.join(equals[value])}")
            who = f": {'; '.join(filter(None, told))}" if any(told) else ""
            limits = (value - 0.5, value + 0.5, *ends.tolist())
            yield Area(limits, f"{self.axis.told(value)}{who}", settings=self.settings(value))

    def _rules_of(self) -> dict[Any, list[str]]:
        """The numbers that are chosen, and by which criteria."""
        rules: dict[Any, list[str]] = {}
        for part, criterion in self.strips:
            if (made := criterion.choice) is not None:
                rules.setdefault(part.axis.values[made.place], []).append(criterion.name)
        return rules

    def _equals_of(self) -> dict[Any, list[str]]:
        """The numbers that are as good as one that is chosen, and by which criteria."""
        rules: dict[Any, list[str]] = {}
        for part, criterion in self.strips:
            for at in criterion.choice.equals if criterion.choice is not None else ():
                rules.setdefault(part.axis.values[at], []).append(criterion.name)
        return rules

    def facts(self) -> dict[str, Fact]:
        """What each rule chooses, in the words of its own study."""
        found, of_parts = dict[str, Fact](), [part.facts() for part in self.parts]
        for part, own in zip(self.parts, of_parts, strict=True):
            found |= {criterion.rule: own.get(criterion.rule, Fact("no k")) for criterion in part.criteria()}
            found |= {name: own[name] for name in (UNRELIABLE, SHORT_FITS) if name in own}
        help = "Of the random numbers by which uniform samples and parts of the samples are drawn."
        found["seed"] = Fact(self.question.seed, help=help)
        found |= super().facts()
        if told := self._samples():
            found["samples"] = Fact(told, help="With all samples these studies would take too long.")
        return found

    def _samples(self) -> str:
        """Of which samples each study tells that does not tell of all."""
        parts = [(part.study.label, part.told) for part in self.parts if part.told]
        same = len(parts) == len(self.parts) and len({told for _, told in parts}) == 1
        return parts[0][1] if same else "; ".join(f"{label}: {told}" for label, told in parts)

    def _offered(self) -> Iterator[Offer]:
        """Each number that is chosen, that of the most criteria first."""
        rules, equals = self._rules_of(), self._equals_of()
        starts = f", {STARTS} restarts" if self._starts else ""
        for value in sorted(rules, key=lambda value: (-len(rules[value]), value)):
            chosen = f"{len(rules[value])} of {len(self.strips)} criteria"
            if value in equals:
                chosen += f", as good by {len(equals[value])} more"
            yield Offer(f"{self.axis.told(value)}{starts}: {chosen}", self.settings(value))


@dataclass(frozen=True)
class ClusterCriteria(CountStudy):
    """What each criterion that applies to a method chooses, over the same numbers of clusters.

    They measure different things, and need not agree: where they do, the samples have groups that are hard to miss.
    """

    id = "cluster-criteria"
    label = "all criteria"
    random = True
    help = (
        "elbow, silhouette, information criteria, eigengap, gap statistic and stability over the same numbers of "
        "clusters, those that apply to the method, with the choice of each"
    )

    repeats: int = integer(
        10, soft=(5, 50), valid=(2, 500), help="how many sets of uniform samples and parts of the samples are drawn"
    )

    def parts(self, pipeline: Pipeline) -> tuple[CountStudy, ...]:
        """The studies that are asked: those that apply to the pipeline."""
        return tuple(study for kind in PARTS if (study := self._set(kind)).applies(pipeline))

    def _set(self, kind: type[CountStudy]) -> CountStudy:
        own = {"most": self.most, "references": self.repeats, "repeats": self.repeats}
        return kind(**{field.name: own[field.name] for field in fields(kind) if field.name in own})

    def steps(self, question: Question) -> Iterator[Result]:
        """Yield what is known, one study after the other."""
        axis, studies = self.tried(question), self.parts(question.pipeline)
        result = CriteriaOverview(question, 0, _PART * len(studies), study=self, axis=axis)
        yield result
        for number, study in enumerate(studies):
            part: Result | None = None
            before = _PART * number
            try:
                for part in study.steps(question):
                    done = before + min(_PART - 1, _PART * part.done // part.total)
                    if done > result.done:
                        result = replace(result, done=done)
                    yield result
            except CannotFit as error:
                result = result.without(f"{study.label}: {error}")
            else:
                assert isinstance(part, CountResult)
                problems = (f"{study.label}: {problem}" for problem in part.problems)
                result = replace(result, parts=(*result.parts, part), problems=(*result.problems, *problems))
            result = replace(result, done=before + _PART)
            if result.done == result.total and not result.strips:
                raise CannotFit(result.problems[0] if result.problems else "No criterion has a value.")
            yield result
