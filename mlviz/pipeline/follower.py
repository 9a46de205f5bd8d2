"""Following the hand: models for data that change a little at a time, each sub-problem kept warm on its own."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from mlviz.algorithms.base import Algorithm, Follower, Model, StartsFromModel
from mlviz.numerics.arrays import AnyArray, Array, Rows, equal
from mlviz.pipeline.binary_tasks import with_model
from mlviz.pipeline.model import PipelineModel
from mlviz.pipeline.multiclass import combine
from mlviz.pipeline.rating import HeldOut
from mlviz.pipeline.training import Training


@runtime_checkable
class FollowsMoves(Protocol):
    """A follower that need not find out what changed, where that is said."""

    def moved(self, algorithm: Any, X: Array, y: AnyArray | None, rows: Rows | slice, deadline: float) -> Model | None:
        """The model since the last update, if all that is new are these rows of X and y; None: that takes an update."""


@dataclass
class _SubProblem:
    """One sub-problem: its follower, what it was last given, and the model it answered with."""

    follower: Follower | None
    given: tuple[Any, ...] = ()
    model: Model | None = None
    late: bool = False
    """Whether the deadline had passed when it answered: there may be more to gain from the same data."""

    def __post_init__(self) -> None:
        self._mover = self.follower if isinstance(self.follower, FollowsMoves) else None

    def moved(
        self, algorithm: Algorithm, X: Array, y: AnyArray | None, rows: Rows | slice, deadline: float
    ) -> Model | None:
        """The model if all that is new are these rows of X and y; None where its follower wants an update."""
        if self.model is None or self._mover is None:
            return None
        model = self._mover.moved(algorithm, X, y, rows, deadline)
        if model is not None:
            self.given, self.model, self.late = (algorithm, X, y, None), model, time.perf_counter() > deadline
        return model

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
        data, rows = self._prepared(pipeline, X, y, sample_weight, held_out)
        inputs, target, weights = data.given
        algorithm = data.algorithm
        if rows is not None and (kept := self._kept.get((type(algorithm),))) is not None:
            model = kept.moved(algorithm, inputs, target, rows, deadline)
            if model is not None:
                return PipelineModel(model, data).deciding(pipeline.decision)
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

    def _prepared(
        self, pipeline: Any, X: Any, y: Any, sample_weight: Any, held_out: HeldOut | None
    ) -> tuple[Training, Rows | slice | None]:
        """The samples as the pipeline gives them, and which are new where no more is: then little is asked again."""
        found = None
        if self._training is not None and pipeline == self._pipeline and sample_weight is None and held_out is None:
            found = self._training.where_samples_move(X, y)
        self._training = None  # should anything below fail
        data, rows = found or (pipeline.prepare(X, y, sample_weight, self._seed, held_out), None)
        self._pipeline, self._training = pipeline, data
        return data, rows

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
