"""BIC and AIC over the number of components: the likelihood with a price for each parameter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.draw.facts import Fact
from mlviz.draw.marks import Lines, Mark, Points
from mlviz.draw.plot import Plot
from mlviz.numerics.arrays import Array, Mask
from mlviz.pipeline.pipeline import Pipeline
from mlviz.studies.base import needs_method
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

_CRITERIA = ("BIC", "AIC")
UNRELIABLE = "unreliable at k"
"""The fact that tells which fits are left out."""


@dataclass(frozen=True, eq=False, kw_only=True)
class CriteriaResult(CountResult):
    """BIC and AIC (v,) for v numbers of components, NaN where they are not known."""

    bic: Array
    aic: Array
    caveats: tuple[str, ...]
    """Why the likelihood of each fit says nothing, as where a component has collapsed; "" where it does."""

    names = {"Lowest BIC": "BIC", "Lowest AIC": "AIC"}

    def curves(self) -> Mapping[str, Array]:
        """What its rules read their choices off."""
        return {"Lowest BIC": self.bic, "Lowest AIC": self.aic}

    def choices(self) -> Iterator[Choice]:
        """The lowest of each criterion among the fits without a caveat."""
        if not self.complete:
            return
        for name, heights in zip(_CRITERIA, (self.bic, self.aic), strict=True):
            sound = np.where(self._sound, heights, np.nan)
            yield from least(f"Lowest {name}", sound, self.axis, heights)

    @property
    def left_out(self) -> tuple[int, ...]:
        """Where the fit has a caveat."""
        return tuple(np.flatnonzero(~self._sound).tolist())

    @property
    def _sound(self) -> Mask:
        return np.array([not caveat for caveat in self.caveats])

    def table(self) -> Table:
        """A row for each number of components."""
        found = {self.axis.parameter.key: self.axis.values, "BIC": self.bic, "AIC": self.aic}
        if any(self.caveats):
            found["caveat"] = self.caveats
        return Table.from_columns(found)

    def plots(self) -> tuple[Plot, ...]:
        """Both criteria."""
        heights = np.concatenate((self.bic, self.aic))
        return (self.over_k("information-criteria", "Information criteria", "criterion", self._marks(), heights),)

    def _marks(self) -> Iterator[Mark]:
        for role, name, heights in zip(("curve", "path"), _CRITERIA, (self.bic, self.aic), strict=True):
            line = np.column_stack((self.axis.places, heights))
            yield Lines(role, line[np.isfinite(heights)], label=name)
        unsound = np.isfinite(self.bic) & ~self._sound
        if unsound.any():
            both = [np.column_stack((self.axis.places, heights))[unsound] for heights in (self.bic, self.aic)]
            yield Points("warning", np.vstack(both), label="unreliable")
        yield from self.marked()

    def facts(self) -> dict[str, Fact]:
        """What each criterion chooses, and which fits are left out."""
        found = self.told_choices(
            {
                "Lowest BIC": "−2 log-likelihood + parameters × log n: with enough samples it finds the true number, "
                "if they come from such a mixture.",
                "Lowest AIC": "−2 log-likelihood + 2 × parameters: expected to predict best, often with more "
                "components.",
            }
        )
        if left_out := self.left_out:
            told = ", ".join(self.axis.word(self.axis.values[place]) for place in left_out)
            first = f"k = {self.axis.word(self.axis.values[left_out[0]])}"
            found[UNRELIABLE] = Fact(told, help=f"Left out. At {first}: {self.caveats[left_out[0]]}.")
        return found | super().facts()


@dataclass(frozen=True)
class InformationCriteria(CountStudy):
    """BIC and AIC over the number of components.

    G. Schwarz, Estimating the dimension of a model, Annals of Statistics 6 (1978), 461-464. H. Akaike, A new look at
    the statistical model identification, IEEE Transactions on Automatic Control 19 (1974), 716-723.
    """

    id = "information-criteria"
    label = "information criteria"
    help = "BIC and AIC over the number of components of a mixture: the number with the smallest value is best"

    def lack(self, pipeline: Pipeline) -> str:
        """A method with both criteria and a number of components."""
        known = {fact.name for fact in pipeline.algorithm.known_facts()}
        without = "" if known.issuperset(_CRITERIA) else needs_method(pipeline, "has a BIC and an AIC", "has none")
        return super().lack(pipeline) or without

    def steps(self, question: Question) -> Iterator[Result]:
        """Yield the curves as far as they are known."""
        axis, own, told = self.tried(question), question, ""
        if len(question.X) > MOST_CLUSTERED:
            own, _, _, told = Inputs.of(question, MOST_CLUSTERED)
        unknown = np.full(len(axis.values), np.nan)
        caveats = ("",) * len(unknown)
        result = CriteriaResult(
            question, 0, len(unknown), study=self, axis=axis, told=told, bic=unknown, aic=unknown, caveats=caveats
        )
        yield result
        for place, pipeline in enumerate(axis.pipelines(well_started(question.pipeline))):
            model = yield from fitted(pipeline, own, result)
            if isinstance(model, str):
                result = replace(result.without(model), done=place + 1)
            else:
                bic, aic = result.bic.copy(), result.aic.copy()
                bic[place], aic[place] = model.inner.bic, model.inner.aic
                caveats = (*result.caveats[:place], model.inner.caveat, *result.caveats[place + 1 :])
                result = replace(result, done=place + 1, bic=bic, aic=aic, caveats=caveats)
            yield result
        if len(result.problems) == len(unknown):
            raise CannotFit(result.problems[0])
