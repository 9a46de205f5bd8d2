"""What a check of a method is made of: sentences that say what is wrong, and a loop over what the method can do."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mlviz.algorithms import Algorithm
from mlviz.draw.numbers import number
from mlviz.numerics.arrays import Array
from mlviz.testing.samples import Case, Target, cases, ordinary

Check = Callable[[type[Algorithm]], None]
"""Raises AssertionError with a sentence where the method fails, `DoesNotApply` where there is nothing to check."""
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
    """The hyperparameters at their ends and every choice, each with what makes it matter; whether it must fit."""
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
