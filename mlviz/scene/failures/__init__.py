"""Samples that make each method fail, as data: what to look at, and which method does better."""

from __future__ import annotations

from functools import cache

from mlviz.algorithms import find
from mlviz.scene.failures.failure import Failure

__all__ = ["Failure", "failure_of", "failures", "failures_of"]


@cache
def failures() -> tuple[Failure, ...]:
    """All of them, in the order of the menu; they are made when somebody asks, which no start does."""
    from mlviz.scene.failures.classes import CLASSES
    from mlviz.scene.failures.structure import STRUCTURE
    from mlviz.scene.failures.values import VALUES

    return (*CLASSES, *VALUES, *STRUCTURE)


def failures_of(method: str) -> tuple[Failure, ...]:
    """Those with which the method of that id fails, and for which there is a better one: its file may be broken."""
    told = (failure for failure in failures() if any(setup.method == method for setup in failure.breaks))
    return tuple(failure for failure in told if _is_there(failure.cure(method).method))


def _is_there(method: str) -> bool:
    try:
        find(method)
    except KeyError:
        return False
    return True


def failure_of(name: str) -> Failure:
    """The failure of that id; raises KeyError."""
    return {failure.id: failure for failure in failures()}[name]
