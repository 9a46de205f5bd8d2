"""Whether one method is better than another, judged on the same samples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mlviz.algorithms import registry
from mlviz.algorithms.base import CannotFit
from mlviz.draw.layer import Context, overlay
from mlviz.draw.marks import Mark, Points
from mlviz.numerics.scoring.folds import Fold, hold_out, monte_carlo, v_fold
from mlviz.pipeline.decisions import NATURAL_DECISION
from mlviz.pipeline.fold_fits import FoldAnswers, FoldFits
from mlviz.pipeline.pipeline import Pipeline
from mlviz.spec import choice, integer, real, text
from mlviz.spec.outside import quoted
from mlviz.studies.base import HOW_GOOD
from mlviz.studies.question import Question, Result
from mlviz.studies.validation.base import Folding, ScoredStudy, with_held_out, with_weight
from mlviz.studies.validation.losses import ERROR, Judge, score_for
from mlviz.studies.validation.paired_result import PairedResult, Plan

_HALVES = 5
"""So many two-fold cross-validations, as the test by that name wants them."""


@overlay("samples that differ", "samples on which both differ", "which of the two methods alone has a sample right")
def differing_overlay(result: PairedResult, context: Context) -> Sequence[Mark]:
    if context.line is not None or context.X.shape[1] < 2:
        return ()
    marks = list[Mark]()
    for role, name, samples in zip(("neighbour", "support vector"), result.names, result.only_right, strict=True):
        samples = samples[samples < len(context.X)]  # those that are held out are not among them
        if len(samples):
            marks.append(
                Points(role, context.X[samples][:, :2], rows=context.rows[samples], label=f"only {name} is right")
            )
    return marks


class _Known:
    """What is known of the losses and predictions of both methods so far."""

    def __init__(self, folding: Folding, plan: Plan) -> None:
        self._folding, self._plan = folding, plan
        self._judge = Judge.of(folding.score, folding.y, len(folding.X), folding.weights, folding.folds)
        self.losses = np.full((2, len(folding.folds)), np.nan)
        self.right = np.full((2, len(folding.X)), np.nan)
        self.said = np.full((2, len(folding.X)), None, dtype=object)
        self.done = 0
        self.problem = ""

    def told(self) -> dict[str, Any]:
        """What a result is told, as it is now."""
        copies = {name: getattr(self, name).copy() for name in ("losses", "right", "said")}
        return {"done": self.done, **copies}

    def take(self, k: int, found: FoldAnswers) -> None:
        """Take what fits of one of the methods say."""
        self.done, self.problem = self.done + len(found.fold), self.problem or found.problem
        self.losses[k, found.fold] = self._judge.losses(found)[1]
        if found.values is None or self._folding.score is not ERROR:
            return
        wrong = self._folding.score.losses(self._folding.y, found.values)
        for place, fold in enumerate(found.fold.tolist()):
            if fold < self._plan.predicted:
                rows = self._folding.folds[fold][1]
                self.right[k, rows] = wrong[place, rows] == 0
                self.said[k, rows] = found.values[place, rows]


@dataclass(frozen=True)
class PairedComparison(ScoredStudy):
    """The method against that of the next canvas, by the tests of McNemar, Dietterich, and Nadeau and Bengio.

    All fits share their folds, so that what makes samples hard for both does not count.
    """

    id = "paired-comparison"
    label = "paired comparison"
    group = HOW_GOOD
    help = "whether the method is better than that of the next canvas, by tests on the same samples; where they differ"
    overlays = (differing_overlay,)

    rival: str = text(
        "",
        grammar=lambda words: None,
        numbers=lambda words: (),
        help="the id of a method to compare with, such as knn, with its defaults; empty for the next canvas's",
        empty="method of the next canvas",
    )
    predictions: str = choice(
        "cross-validated",
        "held out",
        help="which predictions McNemar's test counts: those of each fold in turn, or of one share; where samples are "
        "held out in the scene, of these",
    )
    folds: int = integer(
        10, soft=(2, 20), valid=(2, 1000), help="how many folds there are", when=("predictions", ("cross-validated",))
    )
    share: float = real(
        0.3, soft=(0.1, 0.9), valid=(0.01, 0.99), help="how much is held out for the resampled test, and by a hold-out"
    )
    repeats: int = integer(15, soft=(5, 50), valid=(2, 1000), help="how often samples are held out for that test")

    def steps(self, question: Question) -> Iterator[Result]:
        """Yield what is known of the tests: first all fits of one method, then those of the other."""
        pipelines = self._both(question)
        folding, plan = self._plan(question)
        known = _Known(folding, plan)
        result = PairedResult(
            question,
            total=known.losses.size,
            folding=folding,
            plan=plan,
            names=_names(pipelines),
            **known.told(),
        )
        yield result
        training = [rows for rows, _ in folding.folds]
        for k, pipeline in enumerate(pipelines):
            data = folding.X, folding.y, folding.weights
            for found in FoldFits([pipeline], *data, training, question.seed, folding.score.asked).run():
                if found is not None:
                    known.take(k, found)
                    result = replace(result, **known.told())
                yield result
        if np.isnan(known.losses).all(axis=1).any():
            raise CannotFit(known.problem or "There are no samples to be judged.")

    def _both(self, question: Question) -> tuple[Pipeline, Pipeline]:
        """The pipelines, each deciding by itself; raises `CannotFit` where there is no other one."""
        mine, other = question.pipeline, question.rival
        if wanted := self.rival.strip():
            if wanted not in registry():
                known = ", ".join(registry())
                raise CannotFit(f"There is no method {quoted(wanted)} to compare with; there are: {known}.")
            other = mine.replace(algorithm=registry()[wanted](), multiclass="auto")
        if other is None:
            raise CannotFit("There is nothing to compare with: add a second canvas, or name a method as the rival.")
        if set(mine.algorithm.tasks).isdisjoint(other.algorithm.tasks):
            raise CannotFit(
                f"{mine.algorithm.label} and {other.algorithm.label} do not do the same thing: choose another method."
            )
        return mine.replace(decision=NATURAL_DECISION), other.replace(decision=NATURAL_DECISION)

    def _plan(self, question: Question) -> tuple[Folding, Plan]:
        """All folds, and which of them each test is about."""
        score = score_for(question.pipeline, question.y, self.score)
        rng = np.random.default_rng(question.seed)
        X, y, weights = with_weight(question)
        judged: list[Fold]
        try:
            halves = [fold for _ in range(_HALVES) for fold in v_fold(X, y, rng, 2)] if len(X) >= 2 * 2 else []
            resampled = monte_carlo(X, y, rng, self.share, self.repeats)
            if self.predictions == "held out" and question.test is not None and len(question.test.X):
                whole = with_held_out(question, score)
                judged = list(whole.folds)
            else:
                judged = (
                    v_fold(X, y, rng, self.folds)
                    if self.predictions == "cross-validated"
                    else hold_out(X, y, rng, self.share)
                )
                told = f"{len(judged)} for predictions" if len(judged) > 1 else f"{len(judged[0][1])} samples held out"
                whole = Folding(X, y, weights, judged, score, told)
        except ValueError as error:
            raise CannotFit(str(error)) from None
        told = f"{whole.told}, {_HALVES} times 2, {len(resampled)} times {len(resampled[0][1])} samples held out"
        plan = Plan(len(judged), len(halves))
        return replace(whole, folds=[*judged, *halves, *resampled], told=told), plan


def _names(pipelines: Sequence[Pipeline]) -> tuple[str, str]:
    """What both are called, so that they can be told apart."""
    first, second = (pipeline.algorithm.label for pipeline in pipelines)
    if first == second:
        first, second = (pipeline.algorithm.caption() for pipeline in pipelines)
    return (first, second) if first != second else (first, f"{second} of the next canvas")
