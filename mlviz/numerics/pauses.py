"""Work that takes a while, as a generator: it yields where it may be interrupted, and returns what it finds."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Any, TypeVar

import numpy as np

from mlviz.numerics.arrays import Array

Known = TypeVar("Known")
State = TypeVar("State")
Result = TypeVar("Result")
Work = Generator[None, None, Result]
ENTRIES = 400_000
"""So many numbers of a matrix are worked out between two yields: 1 ms, and several where its memory is new."""


def blocks(n: int, width: int) -> list[slice]:
    """The n rows of a matrix that has `width` columns, so many at a time."""
    size = max(1, ENTRIES // max(1, width))
    return [slice(first, first + size) for first in range(0, n, size)]


def square(n: int, part: Callable[[slice], Array]) -> Work[Array]:
    """Work out a matrix (n, n), whose rows are the function's values; pauses where they are many."""
    parts = blocks(n, n)
    if len(parts) == 1:
        return part(parts[0])
    matrix = np.empty((n, n))
    for rows in parts:
        matrix[rows] = part(rows)
        yield
    return matrix


def meanwhile(state: State, work: Work[Result]) -> Generator[State, None, Result]:
    """Yield the state again and again while the work goes on; returns what the work finds."""
    return showing(lambda _: state, work)


def showing(shown: Callable[[Known], State], work: Generator[Known, None, Result]) -> Generator[State, None, Result]:
    """Yield what the function makes of what is known so far, while the work goes on; returns what the work finds."""
    while True:
        try:
            known = next(work)
        except StopIteration as end:
            result: Result = end.value
            return result
        yield shown(known)


def thinned(states: Iterator[State], work: int, most: int) -> Iterator[State]:
    """Yield the last of the states, and on the way one each time that more than `most` work is done, `work` a state."""
    done = 0
    for state in states:
        done += work
        if done > most:
            done = 0
            yield state
    if done:
        yield state


def finished(work: Generator[Any, None, Result]) -> Result:
    """What the work finds, without a pause."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: Result = end.value
            return result
