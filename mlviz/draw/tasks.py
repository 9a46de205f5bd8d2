"""What can be learned from samples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

Task = Literal["classification", "regression", "clustering", "density estimation", "decomposition"]
UNSUPERVISED: frozenset[Task] = frozenset(("clustering", "density estimation", "decomposition"))
"""The tasks that need no target."""


_DOES: dict[Task, str] = {
    "classification": "predicts classes",
    "regression": "predicts values",
    "clustering": "finds clusters",
    "density estimation": "estimates a density",
    "decomposition": "reduces the number of dimensions",
}


def what_it_does(tasks: Sequence[Task]) -> str:
    """What a method of those tasks does, as a sentence without its subject."""
    return " and ".join(_DOES[task] for task in tasks)


def task_name(task: str) -> str:
    """What a task is called in front of people."""
    return "dimensionality reduction" if task == "decomposition" else task
