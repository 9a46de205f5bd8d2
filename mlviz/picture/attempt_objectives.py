"""The method's own objective for an answer drawn by hand, where it can be worked out for any answer."""

from __future__ import annotations

from collections.abc import Iterator

from mlviz.numerics.arrays import Array
from mlviz.picture.compared import Compared
from mlviz.pipeline.model import PipelineModel
from mlviz.scene.attempts import Attempt
from mlviz.scene.trace import Fit


def objectives(attempt: Attempt, fit: Fit, model: PipelineModel, places: Array, held_out: Array) -> Iterator[Compared]:
    """The objective, and what belongs to it; `places` (n, 2) of the fitted samples on the canvas, and of others."""
    yield from ()
