"""What can be learned from samples."""

from __future__ import annotations

from typing import Literal

Task = Literal["classification", "regression", "clustering", "density estimation", "decomposition"]
UNSUPERVISED: frozenset[Task] = frozenset(("clustering", "density estimation", "decomposition"))
"""The tasks that need no target."""


def task_name(task: str) -> str:
    """What a task is called in front of people."""
    return "dimensionality reduction" if task == "decomposition" else task
