"""What is known of fits to the training samples of folds, judged on these and on the test samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.draw.facts import Fact
from mlviz.draw.numbers import counted
from mlviz.numerics.arrays import Array
from mlviz.pipeline.fold_fits import FoldFits
from mlviz.pipeline.pipeline import Pipeline
from mlviz.studies.question import Question, Result
from mlviz.studies.validation.base import Folding
from mlviz.studies.validation.losses import Judge

_FAR = 2.0
"""The axis of errors ends at so many times the error of one answer everywhere: all above it is of no use alike."""
_ROOM = 0.06
"""What is left free at both ends of that axis, as a share of it."""


@dataclass(frozen=True, eq=False, kw_only=True)
class FoldsResult(Result):
    """The losses on training and test samples, of what is tried in each of the folds; NaN where they are not known."""

    folding: Folding
    training: Array
    test: Array
    problem: str = ""
    """Why a fit could not be made; "" where all could."""

    def heights(self, seen: float, *drawn: Array) -> tuple[float, float]:
        """The ends of an axis for what is drawn of the losses; errors far above `seen` and any use are beyond it."""
        known = np.concatenate(drawn)
        known = known[np.isfinite(known)]
        if not len(known):
            return 0.0, 1.0
        low, high, score = float(known.min()), float(known.max()), self.folding.score
        if not score.larger_is_better:
            low = min(low, 0.0)
            high = min(high, max(seen, _FAR * score.of_one_answer(self.folding.y)))
        room = _ROOM * (high - low) or 0.5 * (abs(high) or 1.0)
        return low - room, high + room

    def facts(self) -> dict[str, Fact]:
        """What could not be fitted, and by which folds it was judged."""
        found = dict[str, Fact]()
        if self.problem and self.complete:
            failed = counted(int(np.isnan(self.training).sum()), "fit")
            found["not fitted"] = Fact(f"{failed}: {self.problem}", help="They are left out of the means.")
        return found | self.folding.facts(self.question.seed)


def results_in_folds(
    result_of: Callable[..., FoldsResult],
    question: Question,
    pipelines: Sequence[Pipeline],
    folding: Folding,
    arranged: Callable[[Array], Array] = np.asarray,
) -> Iterator[FoldsResult]:
    """Yield what is known so far; the losses (v, f) of v pipelines in f folds stand in it as they are `arranged`.

    Raises `CannotFit` where no fit can be made.
    """
    training = np.full((len(pipelines), len(folding.folds)), np.nan)
    test = training.copy()
    nothing = arranged(training.copy())
    result = result_of(question, done=0, total=training.size, folding=folding, training=nothing, test=nothing)
    yield result
    judge = Judge.of(folding.score, folding.y, len(folding.X), folding.weights, folding.folds)
    rows = [fold for fold, _ in folding.folds]
    fits = FoldFits(pipelines, folding.X, folding.y, folding.weights, rows, question.seed, folding.score.asked)
    for found in fits.run():
        if found is not None:
            training[found.which, found.fold], test[found.which, found.fold] = judge.losses(found)
            result = replace(
                result,
                done=result.done + len(found.fold),
                problem=result.problem or found.problem,
                training=arranged(training.copy()),
                test=arranged(test.copy()),
            )
        yield result
    if np.isnan(training).all():
        raise CannotFit(result.problem or "There are no samples to be judged.")
