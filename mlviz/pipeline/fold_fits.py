"""Fits of several pipelines to several parts of the samples: the method's faster way where it has one, else plainly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.many_fits import FitsMany, ManyFits, Part, from_coarse_to_fine
from mlviz.numerics.arrays import AnyArray, Array, Labels, Rows
from mlviz.pipeline.binary_tasks import BinaryTask, with_model
from mlviz.pipeline.multiclass import combine
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.training import Training
from mlviz.spec.brief import Brief

Asked = Literal["predict", "predict_proba", "score_samples"]
_AT_ONCE = 3_000_000
"""About so many numbers that fits say of the samples are kept at a time."""


class FoldAnswers(NamedTuple):
    """What b fits say of all samples, or why one could not be made."""

    fold: Rows
    """(b,) which training samples each had."""
    which: Labels
    """(b,) which pipeline each was."""
    values: AnyArray | None
    """(b, n) predictions or densities, (b, n, k) probabilities of all classes; None where there is no fit."""
    problem: str = ""


@dataclass(frozen=True, eq=False)
class FoldFits(Brief):
    """Fits to be made of the samples X (n, d), y (n,), with weights (n,): of all pipelines, to all training rows."""

    pipelines: Sequence[Pipeline]
    X: Array
    y: AnyArray | None
    weights: Array | None
    training: Sequence[Rows]
    """The rows of the training samples of each fold; a row may be among them several times."""
    seed: int = 0
    asked: Asked = "predict"

    def run(self) -> Iterator[FoldAnswers | None]:
        """Yield what they say, each once; None is only a chance to interrupt the work."""
        answered = np.zeros((len(self.training), len(self.pipelines)), dtype=bool)
        if self._together:
            for found in self._many():
                if found is not None:
                    answered[found.fold, found.which] = True
                yield found
        order = from_coarse_to_fine(len(self.pipelines))
        for fold in range(len(self.training)):
            for which in order:
                if not answered[fold, which]:
                    yield from self._one(fold, which)

    @property
    def _together(self) -> bool:
        """Whether the pipelines differ in hyperparameters of one method only, and it knows a faster way."""
        first = self.pipelines[0]
        alike = all(p.replace(algorithm=first.algorithm) == first for p in self.pipelines)
        return (
            self.asked == "predict"
            and alike
            and all(type(p.algorithm) is type(first.algorithm) for p in self.pipelines)
            and isinstance(first.algorithm, FitsMany)
            and first.decision.natural
            and not any(parameter.kind == "per class" for parameter in first.algorithm.parameters())
        )

    def _one(self, fold: int, which: int) -> Iterator[FoldAnswers | None]:
        """One fit from nothing."""
        place = np.array([fold]), np.array([which])
        rows = self.training[fold]
        y, weights = (None if values is None else values[rows] for values in (self.y, self.weights))
        model = None
        try:
            for model in self.pipelines[which].steps(self.X[rows], y, self.seed, weights):  # noqa: B007
                yield None
        except CannotFit as error:
            yield FoldAnswers(*place, None, str(error))
            return
        assert model is not None
        if not hasattr(model.inner, self.asked):
            label = self.pipelines[which].algorithm.label
            raise CannotFit(f"{label} tells no probabilities, and the log loss is that of probabilities.")
        values = np.asarray(getattr(model, self.asked)(self.X))
        if self.asked == "predict_proba" and self.y is not None:
            classes = np.unique(self.y)
            every = np.zeros((len(values), len(classes)))
            every[:, np.searchsorted(classes, model.classes)] = values
            values = every
        yield FoldAnswers(*place, values[None])

    def _many(self) -> Iterator[FoldAnswers | None]:
        """The fits that the method makes together."""
        algorithm: Any = self.pipelines[0].algorithm
        worker: ManyFits = algorithm.many_fits()
        prepared: list[_Prepared] = []
        for fold in range(len(self.training)):
            one = self._prepared(fold)
            if one is not None:
                prepared.append(one)
            yield None
        size = len(self.X) * len(self.pipelines) * max([1, *(len(one.tasks) for one in prepared)])
        count = max(1, _AT_ONCE // size)
        for classes in sorted({len(one.classes) for one in prepared}):
            alike = [one for one in prepared if len(one.classes) == classes]
            for first in range(0, len(alike), count):
                yield from self._of_folds(worker, alike[first : first + count])

    def _prepared(self, fold: int) -> _Prepared | None:
        """The samples of a fold as the method gets them; None where it gets other ones, or none."""
        rows, counts = np.unique(self.training[fold], return_counts=True)
        y, weights = (None if values is None else values[rows] for values in (self.y, self.weights))
        if (counts > 1).any():  # rows that are repeated are whole weights
            weights = counts * (1.0 if weights is None else weights)
        try:
            data = self.pipelines[0].prepare(self.X[rows], y, weights, self.seed)
        except CannotFit:
            return None
        if data.y is None or data.resampled_rows is not None:
            return None
        Z = data.transform.to_model(self.X)
        return _Prepared(fold, data, self.X if np.array_equal(Z, self.X) else Z, rows[data.rows])

    def _of_folds(self, worker: ManyFits, folds: Sequence[_Prepared]) -> Iterator[FoldAnswers | None]:
        algorithms = [pipeline.algorithm for pipeline in self.pipelines]
        if not any(one.data.problems for one in folds):
            for found in worker.answers(algorithms, [one.part(None) for one in folds]):
                if found is None:
                    yield None
                else:
                    fold = np.array([one.fold for one in folds])[found.part]
                    yield FoldAnswers(fold, found.which, _decided(found.outputs, found.part, folds))
            return
        # The same two classes of all folds are met together.
        pairs: dict[tuple[Any, Any], list[tuple[int, BinaryTask]]] = {}
        for place, one in enumerate(folds):
            for task in one.tasks:
                pairs.setdefault((task.negative, task.positive), []).append((place, task))
        scores: dict[tuple[Any, Any], Array] = {}
        for pair, tasks in pairs.items():
            scores[pair] = np.full((len(folds), len(algorithms), len(self.X)), np.nan)
            places = np.array([place for place, _ in tasks])
            for found in worker.answers(algorithms, [folds[place].part(task) for place, task in tasks]):
                yield None
                if found is not None:
                    scores[pair][places[found.part], found.which] = found.outputs
        for place, one in enumerate(folds):
            known = [scores[task.negative, task.positive][place] for task in one.tasks]
            complete = np.flatnonzero(~np.isnan([of_pair[:, 0] for of_pair in known]).any(axis=0))
            if len(complete):
                yield one.combined(complete, [of_pair[complete] for of_pair in known])


@dataclass(frozen=True, eq=False)
class _Prepared(Brief):
    """The training samples of a fold."""

    fold: int
    data: Training
    Z: Array
    """All samples as the fold's preprocessing puts them."""
    rows: Rows
    """Those that have weight, among all."""

    @property
    def tasks(self) -> tuple[BinaryTask, ...]:
        """Its binary sub-problems; empty where there are none."""
        return self.data.problems

    @cached_property
    def classes(self) -> AnyArray:
        """The classes that the method is given, sorted; none of values."""
        return np.unique(self.part(None).y) if self.data.is_classes else np.empty(0)

    def part(self, task: BinaryTask | None) -> Part:
        """What the method is given, all of it or a sub-problem."""
        _, y, weights = self.data.given
        assert y is not None
        if task is None:
            return Part(self.Z, self.rows, y, weights)
        return Part(self.Z, self.rows[task.rows], task.y, None if weights is None else weights[task.rows])

    def combined(self, which: Labels, scores: list[Array]) -> FoldAnswers:
        """What sub-problems of the pipelines `which` (b,) say together, by their scores (b, n)."""
        nothing: Any = None
        model = combine(self.data.scheme, tuple(with_model(task, nothing) for task in self.tasks))
        together = model.scores([of_task.ravel() for of_task in scores])
        predicted = model.classes[np.argmax(together, axis=-1)].reshape(scores[0].shape)
        return FoldAnswers(np.full(len(which), self.fold), which, predicted)


def _decided(outputs: Array, part: Rows, folds: Sequence[_Prepared]) -> AnyArray:
    """What is predicted by the outputs (b, n) or (b, n, k) of fits to those of the folds, (b,)."""
    if not folds[0].data.is_classes:
        return outputs
    classes = np.stack([one.classes for one in folds])
    if outputs.ndim == 2:
        first, second = classes[part].T
        return np.asarray(np.where(outputs > 0, second[:, None], first[:, None]))
    return np.asarray(np.take_along_axis(classes[part], np.argmax(outputs, axis=-1), axis=1))
