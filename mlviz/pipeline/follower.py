"""Following the hand: models for data that change a little at a time, each sub-problem kept warm on its own."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mlviz.algorithms.base import Algorithm, Follower, Model, StartsFromModel
from mlviz.numerics.arrays import AnyArray, Array, equal
from mlviz.pipeline.binary_tasks import with_model
from mlviz.pipeline.model import PipelineModel
from mlviz.pipeline.multiclass import combine
from mlviz.pipeline.rating import HeldOut
from mlviz.pipeline.training import Training


@dataclass
class _SubProblem:
    """One sub-problem: its follower, what it was last given, and the model it answered with."""

    follower: Follower | None
    given: tuple[Any, ...] = ()
    model: Model | None = None
    late: bool = False
    """Whether the deadline had passed when it answered: there may be more to gain from the same data."""

    def update(
        self, algorithm: Algorithm, X: Array, y: AnyArray | None, weights: Array | None, deadline: float, seed: Any
    ) -> Model:
        given = (algorithm, X, y, weights)
        if self.model is not None and not self.late and _same(given, self.given):
            return self.model
        self.model = None
        if self.follower is not None:
            model = self.follower.update(algorithm, X, y, weights, deadline)
        else:
            model = algorithm.answer(X, y, np.random.default_rng(seed), weights, deadline)
        self.given, self.model, self.late = given, model, time.perf_counter() > deadline
        return model


class PipelineFollower:
    """Keeps what makes a drag fast; its models are drafts. A method without a follower of its own is fitted anew."""

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self._kept: dict[tuple[Any, ...], _SubProblem] = {}
        self._pipeline: Any = None
        self._training: Training | None = None

    def update(
        self,
        pipeline: Any,
        X: ArrayLike,
        y: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        deadline: float = float("inf"),
        held_out: HeldOut | None = None,
    ) -> PipelineModel:
        """A model for the changed data or hyperparameters, which may stop improving at `deadline` (time.perf_counter).

        Sub-problems whose samples did not change keep their models. Raises `CannotFit`.
        """
        data = self._prepared(pipeline, X, y, sample_weight, held_out)
        inputs, target, weights = data.given
        algorithm = data.algorithm
        tasks: list[tuple[Any, ...]] = [((), algorithm, inputs, target, weights, self._seed)]
        if data.problems:  # each on its own
            tasks = [
                (
                    (p.negative, p.positive),
                    algorithm.for_groups(p.groups).replace(parts=len(data.problems)),
                    inputs[p.rows],
                    p.y,
                    None if weights is None else weights[p.rows],
                    [self._seed, i],
                )
                for i, p in enumerate(data.problems)
            ]
        models, used = [], {}
        for classes, asked, some_inputs, some_targets, some_weights, seed in tasks:
            kept = used[type(algorithm), *classes] = self._keep(algorithm, *classes)
            models.append(kept.update(asked, some_inputs, some_targets, some_weights, deadline, seed))
        self._kept = used
        parts = tuple(map(with_model, data.problems, models))
        model = combine(data.scheme, parts) if parts else models[0]
        return PipelineModel(model, data, parts).deciding(pipeline.decision)

    def _prepared(self, pipeline: Any, X: Any, y: Any, sample_weight: Any, held_out: HeldOut | None) -> Training:
        """The samples as the pipeline gives them; of the same ones at other places next to nothing is asked again."""
        data = None
        if self._training is not None and pipeline == self._pipeline and sample_weight is None and held_out is None:
            data = self._training.where_samples_move(X, y)
        self._training = None  # should anything below fail
        data = data or pipeline.prepare(X, y, sample_weight, self._seed, held_out)
        self._pipeline, self._training = pipeline, data
        return data

    def start_from(self, algorithm: Algorithm, model: PipelineModel) -> None:
        """Let the next update start from the model on the screen, if the method's follower makes a point of it."""
        follower = self._keep(algorithm).follower
        if isinstance(follower, StartsFromModel):
            follower.start_from(model.inner)
            self._kept = {(type(algorithm),): _SubProblem(follower)}

    def _keep(self, algorithm: Algorithm, *classes: Any) -> _SubProblem:
        """What is kept of that method, for a sub-problem of these classes or for all at once."""
        return self._kept.get((type(algorithm), *classes)) or _SubProblem(algorithm.follower())


def _same(given: tuple[Any, ...], former: tuple[Any, ...]) -> bool:
    (algorithm, *arrays), (old_algorithm, *old_arrays) = given, former
    return all(map(equal, arrays, old_arrays)) and bool(algorithm == old_algorithm)
