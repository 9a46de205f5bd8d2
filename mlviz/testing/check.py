"""What a check of a method is made of: sentences that say what is wrong, and a loop over what the method can do.

Its samples are ordinary ones, and every kind that breaks programs.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mlviz.algorithms import Algorithm
from mlviz.draw.numbers import number
from mlviz.draw.tasks import Task
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.grid import Grid

Check = Callable[[type[Algorithm]], None]
"""Raises AssertionError with a sentence where the method fails, `DoesNotApply` where there is nothing to check."""
_some: ContextVar[Callable[[Case, str], bool]] = ContextVar("some", default=lambda case, name: True)
_LEAST_OPEN = 1e-12
"""A value near an end that does not belong to its range."""


class DoesNotApply(Exception):
    """The check makes no sense for the method; the message says why."""


def of_method(check: Check) -> Check:
    """A check of the class itself."""

    @functools.wraps(check)
    def checked(cls: type[Algorithm]) -> None:
        with _telling(cls.id):
            check(cls)

    return checked


def of_cases(check: Callable[[Case, Array, Target], None], n: int = 40, apart: float = 1.0) -> Check:
    """A check that is made in each task of a method, on so many `ordinary` samples."""

    @functools.wraps(check)
    def checked(cls: type[Algorithm]) -> None:
        skipped = []
        for case in cases(cls):
            try:
                with _telling(str(case)):
                    check(case, *ordinary(case, n, apart=apart))
            except DoesNotApply as reason:
                skipped.append(reason)
        if len(skipped) == len(cases(cls)):
            raise skipped[0]

    return checked


@contextmanager
def looking_at(some: Callable[[Case, str], bool]) -> Iterator[None]:
    """Inside, checks of a case go through those settings, samples and ways alone for whose names `some` is true.

    For tests of many methods, where each meets a part of what its family has to.
    """
    token = _some.set(some)
    try:
        yield
    finally:
        _some.reset(token)


def is_looked_at(case: Case, name: str) -> bool:
    """Whether a check goes through the setting, the samples or the way of that name."""
    return _some.get()(case, name)


@contextmanager
def _telling(what: str) -> Iterator[None]:
    """Whatever goes wrong becomes an AssertionError that begins with `what`; a warning goes wrong too."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            yield
        except DoesNotApply:
            raise
        except AssertionError as error:
            raise AssertionError(f"{what}: {error}") from error
        except Exception as error:
            raise AssertionError(f"{what}: it raises {type(error).__name__}: {error}") from error


def require(condition: Any, sentence: str) -> None:
    """Raise AssertionError with the sentence where the condition does not hold."""
    if not condition:
        raise AssertionError(sentence)


def require_close(actual: ArrayLike, expected: ArrayLike, within: float, what: str) -> None:
    """Raise AssertionError where two arrays differ in shape, or by more than `within` and one part in 10 million."""
    left, right = np.asarray(actual, dtype=np.float64), np.asarray(expected, dtype=np.float64)
    require(left.shape == right.shape, f"{what}: the shapes are {left.shape} and {right.shape}")
    if not np.allclose(left, right, rtol=1e-7, atol=within, equal_nan=True):
        raise AssertionError(f"{what}: they differ by up to {number(np.abs(left - right).max())}")


def require_answers_close(case: Case, actual: Any, expected: Any, what: str, within: float = 1e-6) -> None:
    """The same of two answers, by the size of the larger one; same clusters are the same to the last sample."""
    size = 1.0 if case.task == "clustering" else max(1.0, float(np.abs(expected).max(initial=0)))
    require_close(np.asarray(actual, float) / size, np.asarray(expected, float) / size, within, what)


def require_refusal(kind: type[Exception], call: Callable[[], Any], what: str) -> str:
    """What the exception of that kind says which the call raises; AssertionError where it raises none."""
    try:
        call()
    except kind as error:
        return str(error)
    raise AssertionError(f"{what}: it should raise {kind.__name__}")


def settings(cls: type[Algorithm]) -> Iterator[tuple[dict[str, Any], bool]]:
    """The hyperparameters at their ends and every choice, each with what makes it matter; whether it must fit.

    What is the same algorithm as one before is left out, such as the defaults of the second choice.
    """
    seen = []
    for values, must in _settings(cls):
        algorithm = cls(**values)
        if algorithm not in seen:
            seen.append(algorithm)
            yield values, must


def _settings(cls: type[Algorithm]) -> Iterator[tuple[dict[str, Any], bool]]:
    """The same with every repetition; what must fit comes first."""
    for p in cls.parameters():
        base = {} if p.when is None else {p.when[0]: p.when[1][0]}
        if p.kind == "choice":
            yield from ((base | {p.name: option}, True) for option in p.options)
        elif p.kind == "flag":
            yield from ((base | {p.name: value}, True) for value in (False, True))
        elif p.kind == "text":
            yield base | {p.name: p.default}, True
        elif p.kind == "per class":
            yield from ((base | {p.name: (end, p.missing)}, True) for end in p.soft)
        else:
            kind = int if p.kind == "integer" else float
            yield from ((base | {p.name: kind(end)}, True) for end in p.soft)
            low, high = p.valid
            low = _LEAST_OPEN if low is not None and p.open_low else low
            yield from ((base | {p.name: kind(end)}, False) for end in (low, high) if end is not None)


Target = AnyArray | None


class Case(NamedTuple):
    """An algorithm, what it is asked to do, and in how many inputs."""

    algorithm: type[Algorithm]
    task: Task
    d: int

    def __str__(self) -> str:
        return f"{self.algorithm.id}-{self.task}-{self.d}d"


def cases(algorithm: type[Algorithm]) -> list[Case]:
    """The algorithm in each of its tasks, on the plane; what draws a curve over one input, on that too."""
    curves = ("regression", "density estimation")
    return [Case(algorithm, task, d) for task in algorithm.tasks for d in ((1, 2) if task in curves else (2,))]


def ordinary(case: Case, n: int = 40, seed: int = 0, apart: float = 1.0) -> tuple[Array, Target]:
    """Two overlapping groups (`apart` 1) or two that do not touch (`apart` 4); a wave for regression."""
    rng = np.random.default_rng(seed)
    group = np.arange(n) % 2
    X = rng.uniform(-1, 1, (n, case.d)) * 1.2 + apart * (group[:, None] - 0.5)
    return X, target(case, X, group, rng)


def target(case: Case, X: Array, group: AnyArray, rng: np.random.Generator) -> Target:
    """What is learned from X (n, d) whose samples are in those groups (n,)."""
    match case.task:
        case "classification":
            return group
        case "regression":
            return np.asarray(np.sin(1.5 * X).sum(axis=1) + 0.1 * rng.normal(size=len(X)))
        case _:
            return None


def degenerate(case: Case) -> Iterator[tuple[str, Array, Target]]:
    """Name, X and y of each kind of samples that breaks programs."""
    rng = np.random.default_rng(5)
    X, _ = ordinary(case, 20)
    d, group = case.d, np.arange(20) % 2
    constant = X.copy()
    constant[:, -1] = 3.0
    places = {
        "no sample": (X[:0], group[:0]),
        "one sample": (X[:1], group[:1]),
        "two samples": (X[:2], group[:2]),
        "two samples of one class": (X[:2], group[:2] * 0),
        "three samples": (X[:3], group[:3]),
        "one class": (X, group * 0),
        "one sample of the other class": (X, np.where(np.arange(20) == 7, 1, 0)),
        "all duplicates, one class": (np.tile(X[:1], (20, 1)), group * 0),
        "all duplicates, opposite classes": (np.tile(X[:1], (20, 1)), group),
        "pairs of duplicates": (np.repeat(X[:10], 2, axis=0), np.repeat(group[:10], 2)),
        "pairs of duplicates, opposite classes": (np.repeat(X[:10], 2, axis=0), group),
        "two places": (np.repeat(X[:2], 10, axis=0), np.repeat(group[:2], 10)),
        "collinear": (np.linspace(-2, 2, 20)[:, None] * np.arange(1, d + 1), group),
        "on a lattice": (np.rint(X), group),
        "constant column": (constant, group),
        "scale 1e-9": (X * 1e-9, group),
        "scale 1e9": (X * 1e9, group),
        "offset 1e6": (X + 1e6, group),
        "one far away": (np.vstack((X[:19], np.full((1, d), 1e6))), group),
        "unequal scales": (X * 10.0 ** np.linspace(-6, 6, d), group),
        "codes that are not 0 and 1": (X, group * 4 + 3),
    }
    for name, (points, classes) in places.items():
        y = classes if case.task == "classification" else target(case, np.clip(points, -5, 5), classes, rng)
        yield name, points, y
    if case.task == "regression":
        yield "constant target", X, np.full(20, 2.0)
        yield "target 1e9", X, 1e9 * rng.normal(size=20)
        yield "opposite targets on duplicates", np.tile(X[:1], (20, 1)), group.astype(float)


def grid_over(X: Array, n: int = 25) -> Grid:
    """A grid over the samples with room around them."""
    low, high = (X.min(axis=0), X.max(axis=0)) if len(X) else (np.zeros(2), np.ones(2))
    room = np.maximum(0.3 * (high - low), np.maximum(1e-9 * np.abs(high), 1e-12))
    return Grid.over((low[0] - room[0], high[0] + room[0], low[1] - room[1], high[1] + room[1]), n, n)


def answers(model: Any, X: Array, case: Case) -> AnyArray:
    """What the model says at X, free of the arbitrary names of clusters."""
    if case.task == "clustering":
        labels = model.predict(X)
        return np.asarray(labels[:, None] == labels[None, :])
    return np.asarray(getattr(model, model.field or word(case))(X), dtype=np.float64)


def word(case: Case) -> str:
    """The method with which every model of the task answers."""
    return {"decomposition": "transform", "density estimation": "density"}.get(case.task, "predict")
