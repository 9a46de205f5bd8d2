"""The binary sub-problems into which several classes are split, and how they are learned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np

from mlviz.algorithms.base import Algorithm, CannotFit, Model
from mlviz.numerics.arrays import AnyArray, Array, Rows
from mlviz.spec.brief import Brief

_ENOUGH = 1000
"""Where nobody watches, models of fewer samples in all are not told one by one: of many classes that takes long."""
_LONG = 10_000, 2000
"""After models of so many samples in all a round of many of them can be interrupted: in the first one, and later."""
Scheme = Literal["direct", "one-vs-rest", "one-vs-one"]


@dataclass(frozen=True, eq=False)
class BinaryTask(Brief):
    """A binary sub-problem: `positive` against `negative`, or against all other classes where `negative` is None.

    `rows` (m,) are the fitted samples that take part, `y` (m,) what the binary method is given for them: the two class
    values themselves, or 1 for the positive class and 0 for the rest. `groups` are the places among all classes of
    those that are negative and of the positive one.
    """

    positive: Any
    negative: Any | None
    rows: Rows
    y: AnyArray
    groups: tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, eq=False)
class BinaryModel(BinaryTask):
    """A binary sub-problem with its model, and whether the last step `moved` it."""

    model: Model
    moved: bool = True


def choose_scheme(algorithm: Algorithm, wanted: str, classes: AnyArray) -> Scheme:
    """How the algorithm meets these classes (k,), sorted; raises `CannotFit` where it can't as wanted."""
    if len(classes) <= 2 or (wanted == "auto" and algorithm.traits.multiclass):
        return "direct"
    if wanted == "one-vs-rest":
        return "one-vs-rest"
    if wanted in ("one-vs-one", "auto"):
        return "one-vs-one"
    if reason := algorithm.not_direct():
        raise CannotFit(f"There are {len(classes)} classes, and {reason}: choose one-vs-one or one-vs-rest.")
    return "direct"


def split(scheme: Scheme, y: AnyArray, classes: AnyArray) -> tuple[BinaryTask, ...]:
    """The binary sub-problems of y (n,)."""
    if scheme == "one-vs-rest":
        everyone = np.arange(len(y))
        places = range(len(classes))
        return tuple(
            BinaryTask(c, None, everyone, (y == c).astype(np.intp), (tuple(p for p in places if p != place), (place,)))
            for place, c in enumerate(classes.tolist())
        )
    pairs = combinations(enumerate(classes.tolist()), 2)
    chosen = ((a, b, np.flatnonzero((y == a[1]) | (y == b[1]))) for a, b in pairs)
    return tuple(BinaryTask(b, a, rows, y[rows], ((i,), (k,))) for (i, a), (k, b), rows in chosen)


def parts_steps(
    algorithm: Algorithm, problems: Sequence[BinaryTask], X: Array, sample_weight: Array | None, seed: int
) -> Iterator[tuple[BinaryModel, ...]]:
    """Fit all sub-problems, yielding those that have a model so far; the same tuple again where none has a new one.

    Methods that are watched advance in step; solvers that yield only to be interrupted run one after the other.
    """
    algorithm = algorithm.replace(parts=len(problems))
    weights = [None if sample_weight is None else sample_weight[p.rows] for p in problems]
    given = zip(problems, weights, strict=True)
    runs = [
        algorithm.for_groups(p.groups).steps(X[p.rows], p.y, np.random.default_rng([seed, i]), w)
        for i, (p, w) in enumerate(given)
    ]
    parts: dict[int, BinaryModel] = {}
    told: tuple[BinaryModel, ...] = ()
    moved, waiting, enough = set[int](), 0, 1 if algorithm.traits.playable else _ENOUGH
    for running in [list(range(len(runs)))] if algorithm.traits.playable else [[i] for i in range(len(runs))]:
        while running:
            fresh, silent = [], 0
            for i in running:
                if (model := next(runs[i], None)) is None:
                    continue
                fresh.append(i)
                waiting += len(problems[i].rows)
                silent += len(problems[i].rows)
                if i not in parts or model is not parts[i].model:
                    parts[i] = with_model(problems[i], model)
                    moved.add(i)
                if silent >= _LONG[bool(told)]:
                    silent = 0
                    yield told or tuple(parts.values())
            running = fresh
            if waiting >= enough:
                told = tuple(parts.values()) if moved else told
                yield told
                parts |= {i: with_model(problems[i], parts[i].model, False) for i in moved}
                moved, waiting = set(), 0
    if moved:
        yield tuple(parts.values())


def with_model(problem: BinaryTask, model: Model, moved: bool = True) -> BinaryModel:
    """The sub-problem with its model."""
    return BinaryModel(problem.positive, problem.negative, problem.rows, problem.y, problem.groups, model, moved)
