"""Several classes from a method that knows two: one-vs-rest and one-vs-one.

One-vs-one fits a binary model to each pair of classes. Each pair gives a vote to the class on whose side a place lies;
a class's score is its votes plus the sum s of its pairs' signed scores squeezed into less than a third of a vote,
``s / (3 (|s| + 1))``, so that confidence decides between equal votes and never overrules them. One-vs-rest fits one to
each class against all others, whose score is the class's. The largest score wins, of equal ones the first.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import Model
from mlviz.draw.facts import Fact, Range
from mlviz.draw.layer import UNNAMED, Explanation, Names, after_colon
from mlviz.draw.numbers import counted, numbers_apart
from mlviz.draw.overlays.regions import leads, ranked
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.grid import Grid
from mlviz.pipeline.binary_tasks import BinaryModel, Scheme
from mlviz.pipeline.decisions import signed_scores, signed_scores_on_grid
from mlviz.pipeline.facts import BINARY_MODELS


@dataclass(frozen=True, eq=False)
class CombinedModel(Model, ABC):
    """What one-vs-rest and one-vs-one have in common: binary models and the classes (k,) that they know."""

    classes: AnyArray
    parts: tuple[BinaryModel, ...]
    field = "decision_function"

    @property
    def objective(self) -> float:  # type: ignore[override]
        """The sum of the parts' objectives."""
        return float(sum(part.model.objective for part in self.parts))

    @property
    def cost(self) -> int:  # type: ignore[override]
        """The sum of the parts' costs."""
        return sum(part.model.cost for part in self.parts)

    @property
    def jumps(self) -> bool:  # type: ignore[override]
        """Whether the field of any of the parts does."""
        return any(part.model.jumps for part in self.parts)

    @property
    def stage(self) -> str:  # type: ignore[override]
        """The step that led here."""
        return self.told_stage()

    def told_stage(self, names: Names = UNNAMED) -> str:
        """The step that led here: of the parts that it moved the last one's, and which that is if not all say so."""
        last = [part for part in self.parts if part.moved][-1]
        stage = last.model.stage
        if not stage or all(part.model.stage == stage for part in self.parts):
            return stage
        positive = names.of_class(last.positive)
        pair = f"{positive} / rest" if last.negative is None else f"{names.of_class(last.negative)} / {positive}"
        return f"{pair}: {stage}"

    def predict(self, X: Array) -> AnyArray:
        """The class of the largest score, (n,)."""
        return np.asarray(self.classes[np.argmax(self.decision_function(X), axis=-1)])

    def decision_function(self, X: Array) -> Array:
        """One score a class, (n, k)."""
        return self.scores([signed_scores(part.model, X) for part in self.parts])

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray:
        """One score a class at every node, (ny, nx, k)."""
        return self.scores(self.signed_on_grid(grid, dtype))

    def signed_on_grid(self, grid: Grid, dtype: Any = np.float64) -> list[AnyArray]:
        """The signed score of every part at every node, (ny, nx) each."""
        return [signed_scores_on_grid(part.model, grid, dtype) for part in self.parts]

    @abstractmethod
    def scores(self, signed: Sequence[AnyArray]) -> AnyArray:
        """One score a class, (..., k), from the parts' signed scores (...)."""

    @abstractmethod
    def class_margins(self, signed: Sequence[AnyArray], scores: AnyArray) -> AnyArray:
        """By how much each class leads, (..., k), from the parts' signed scores (...) and the `scores` of these."""

    @abstractmethod
    def vote_counts(self, signed: Sequence[AnyArray]) -> NDArray[np.uint8]:
        """For how many classes the signs of the parts' scores (...) speak: where not for one, it is left open."""

    def leading(self, x: Array) -> BinaryModel | None:
        """The binary model of the two classes with the largest scores at x (d,), or of the first one against all."""
        if len(self.classes) < 2:
            return None  # the models of the other classes are still being fitted
        scores = self.decision_function(x[None])[0]
        first, second = self.classes[np.argsort(-scores, kind="stable")[:2]].tolist()
        between = ({first, second}, {first, None})
        return next((part for part in self.parts if {part.positive, part.negative} in between), None)

    def told_facts(self) -> dict[str, Fact]:
        """How many binary models there are, and from where to where their numbers go."""
        found = BINARY_MODELS.told(len(self.parts))
        each = [part.model.told_facts() for part in self.parts]
        for name, fact in each[0].items():
            numbers = [facts[name].value for facts in each if name in facts and type(facts[name].value) in (int, float)]
            if len(numbers) == len(each):
                low, high = min(numbers), max(numbers)
                found[name] = replace(fact, value=low if low == high else Range(low, high))
        return found


@dataclass(frozen=True, eq=False)
class OneVsRest(CombinedModel):
    """A binary model for each class against all others; its score is the class's."""

    def scores(self, signed: Sequence[AnyArray]) -> AnyArray:
        """The parts' own scores side by side."""
        return np.stack(signed, axis=-1)

    def class_margins(self, signed: Sequence[AnyArray], scores: AnyArray) -> AnyArray:
        """How far each score is ahead of the next one, or behind the first; nothing where that is rounding."""
        if len(signed) < 2:
            return scores
        top, second, first = ranked(signed)
        margins = leads(signed, top, second, first)
        equal = np.nonzero(top - second <= 4 * np.finfo(top.dtype).eps * np.abs(top))
        margins[equal] = np.minimum(margins[equal], 0)
        return margins

    def vote_counts(self, signed: Sequence[AnyArray]) -> NDArray[np.uint8]:
        """How many classes have a positive score."""
        return np.asarray(np.sum([score > 0 for score in signed], axis=0, dtype=np.uint8))

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation | None:
        """The two best scores, with the evidence of the best class's model, which knows no other class by name."""
        if len(self.classes) < 2:
            return None  # the models of the other classes are still being fitted
        scores = self.decision_function(x[None])[0]
        first, second = np.argsort(-scores, kind="stable")[:2]
        told = self.parts[first].model.explain(x, names)
        best, other = names.of_class(self.classes[first]), names.of_class(self.classes[second])
        ahead, behind = numbers_apart(scores[first], scores[second])
        sentence = f"{best}: score {ahead}, ahead of {other} with {behind}."
        vote_counts = int((scores > 0).sum())
        if vote_counts != 1:
            who = f"{vote_counts} classes have positive scores" if vote_counts else "No class has a positive score"
            sentence += f" {who} here: ambiguous."
        return Explanation(sentence, told.marks if told else ())


@dataclass(frozen=True, eq=False)
class OneVsOne(CombinedModel):
    """A binary model for each pair of classes; they vote."""

    def scores(self, signed: Sequence[AnyArray]) -> AnyArray:
        """Votes, and the squeezed sum of the signed scores to decide between equal votes."""
        place = self._places()
        sums = np.zeros((len(place), *signed[0].shape), signed[0].dtype)
        for part, score in zip(self.parts, signed, strict=True):
            sums[place[part.positive]] += score
            sums[place[part.negative]] -= score
        sums /= 3 * (np.abs(sums) + 1)
        sums += self.votes(signed)
        return np.moveaxis(sums, 0, -1)

    def votes(self, signed: Sequence[AnyArray]) -> NDArray[np.uint8]:
        """How many of its pairs each class wins, (k, ...)."""
        place = self._places()
        votes = np.zeros((len(place), *signed[0].shape), np.uint8)
        for part, score in zip(self.parts, signed, strict=True):
            won = score > 0
            votes[place[part.positive]] += won
            votes[place[part.negative]] += ~won
        return votes

    def vote_counts(self, signed: Sequence[AnyArray]) -> NDArray[np.uint8]:
        """How many classes have the most votes."""
        votes = self.votes(signed)
        return np.asarray((votes == votes.max(axis=0)).sum(axis=0, dtype=np.uint8))

    def class_margins(self, signed: Sequence[AnyArray], scores: AnyArray) -> AnyArray:
        """The signed score nearest to 0 that keeps the prediction, for the class predicted, and its negative, (..., k).

        Votes jump where a pair's own boundary is crossed; this does not, so lines can be traced in it. Where a class
        wins all its pairs it is that of the closest. Where none does, the scores decide until they are equal or until
        another class wins all its pairs.
        """
        place = self._places()
        closest = np.full((len(place), *signed[0].shape), np.inf, signed[0].dtype)
        for part, score in zip(self.parts, signed, strict=True):
            np.minimum(closest[place[part.positive]], score, out=closest[place[part.positive]])
            np.minimum(closest[place[part.negative]], -score, out=closest[place[part.negative]])
        lead, winner = closest.max(axis=0), closest.argmax(axis=0)
        undecided = lead <= 0
        if undecided.any():
            open_scores, missing = scores[undecided], -closest[:, undecided]
            first = open_scores.argmax(axis=-1)
            ranked = np.sort(open_scores, axis=-1)
            missing[first, np.arange(len(first))] = np.inf
            lead[undecided] = np.minimum(ranked[:, -1] - ranked[:, -2], missing.min(axis=0))
            winner[undecided] = first
        # Where scores are equal the first class is predicted, as little as it leads.
        lead = np.maximum(lead, np.finfo(lead.dtype).tiny)
        return np.moveaxis(np.stack([np.where(winner == k, lead, -lead) for k in range(len(place))]), 0, -1)

    def _places(self) -> dict[Any, int]:
        return {c: i for i, c in enumerate(self.classes.tolist())}

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation | None:
        """The votes of the best class, and what the model of the two leading classes says."""
        part = self.leading(x)
        told = None if part is None else part.model.explain(x, names)
        if part is None or told is None:
            return None
        votes = self.votes([signed_scores(one.model, x[None]) for one in self.parts])[:, 0]
        tied, best = int((votes == votes.max()).sum()), names.of_class(self.predict(x[None])[0])
        won = f"{votes.max()} of {counted(len(votes) - 1, 'vote')}"
        if tied > 1:
            sentence = (
                f"{tied} classes win {won} each: ambiguous, and {best} is predicted, whose scores add up to the most."
            )
        else:
            sentence = f"{best} wins {won}."
        sentence += f" Between {names.of_class(part.negative)} and {names.of_class(part.positive)}"
        follows = told.sentence if told.undecided is None else told.undecided(0.0).sentence
        if follows == told.sentence:
            return Explanation(f"{sentence}: {follows}", told.marks, told.measured)
        won_by = names.of_class(part.positive if signed_scores(part.model, x[None])[0] > 0 else part.negative)
        return Explanation(after_colon(f"{sentence} the vote goes to {won_by}", follows), told.marks, told.measured)


def combine(scheme: Scheme, parts: tuple[BinaryModel, ...]) -> CombinedModel:
    """The multi-class model made of the parts there are so far."""
    classes = np.array(sorted({c for part in parts for c in (part.positive, part.negative) if c is not None}))
    return OneVsRest(classes, parts) if scheme == "one-vs-rest" else OneVsOne(classes, parts)
