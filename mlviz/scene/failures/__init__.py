"""Samples that make each method fail, as data: what to look at, and which method does better."""

from __future__ import annotations

from mlviz.scene.failures.classes import CLASSES
from mlviz.scene.failures.failure import Failure
from mlviz.scene.failures.structure import STRUCTURE
from mlviz.scene.failures.values import VALUES

__all__ = ["FAILURES", "Failure", "failure_of", "failures_of"]

FAILURES: tuple[Failure, ...] = (*CLASSES, *VALUES, *STRUCTURE)
"""In the order of the menu."""


def failures_of(method: str) -> tuple[Failure, ...]:
    """Those with which the method of that id fails."""
    return tuple(failure for failure in FAILURES if any(setup.method == method for setup in failure.breaks))


def failure_of(name: str) -> Failure:
    """The failure of that id; raises KeyError."""
    return {failure.id: failure for failure in FAILURES}[name]
