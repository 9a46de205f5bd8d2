"""What a study is: a question asked of a pipeline, answered by fits of its own beside the pipeline's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from numpy.typing import NDArray

from mlviz.draw.layer import Chart, Overlay
from mlviz.numerics.arrays import Array
from mlviz.pipeline.model import PipelineModel
from mlviz.pipeline.pipeline import Pipeline
from mlviz.spec import Declared


@dataclass(frozen=True)
class Study(Declared):
    """Base of every study. Its file is named after its id.

    It is at work while one of its overlays is on, or where it has charts only; and only when the pipeline's own answer
    is there and the hand rests. Overlays and charts are drawn for its last model, in a context of that model.
    """

    id: ClassVar[str]
    label: ClassVar[str]
    help: ClassVar[str] = ""
    overlays: ClassVar[tuple[Overlay, ...]] = ()
    charts: ClassVar[tuple[Chart, ...]] = ()

    def applies(self, pipeline: Pipeline) -> bool:
        """Whether the question makes sense for that pipeline."""
        raise NotImplementedError

    def steps(self, pipeline: Pipeline, X: Array, y: NDArray[Any] | None, seed: int) -> Iterator[PipelineModel]:
        """Yield models at least every 20 ms, the last of which is the answer; raises `CannotFit`.

        X (n, d) and y (n,) are the samples of the pipeline's own fit.
        """
        raise NotImplementedError
