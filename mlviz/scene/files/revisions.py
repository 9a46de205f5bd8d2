"""What is computed otherwise now than when a scene was saved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlviz.scene.scene import Scene

REVISION = 2
"""Goes up with a change of what a method computes; scene files of before have none, which is 1."""

_CHANGES: tuple[tuple[int, str, Callable[[Any], bool], str], ...] = (
    (
        2,
        "linear-regression",
        lambda algorithm: algorithm.basis == "polynomial" and algorithm.penalty == "L2",
        "The penalized polynomial looks different from when the scene was saved: the penalty now acts on the powers of "
        "the inputs mapped to [−1, 1].",
    ),
)
"""The revision since when, the method's id, which of its settings are concerned, and a sentence that says so."""


def changed_since(scene: Scene, revision: int) -> tuple[str, ...]:
    """What looks different in a scene that was saved with that revision, a sentence each."""
    algorithms = [panel.pipeline.algorithm for panel in scene.panels]
    return tuple(
        sentence
        for since, method, concerns, sentence in _CHANGES
        if revision < since and any(method == algorithm.id and concerns(algorithm) for algorithm in algorithms)
    )
