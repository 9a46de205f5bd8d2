"""The field of a pipeline's model at the nodes of a grid, and by how much each class leads there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mlviz.numerics.arrays import AnyArray, largest
from mlviz.numerics.grid import Grid
from mlviz.pipeline.decisions import signed_scores
from mlviz.pipeline.model import PipelineModel
from mlviz.pipeline.multiclass import CombinedModel
from mlviz.spec.brief import Brief

_MOST_EXACT = 2_000_000
"""With how many numbers, about, a model is asked place by place where single precision tells nothing."""


@dataclass(frozen=True, eq=False)
class FieldSample(Brief):
    """A model's field at the nodes of a grid, with `class_margins` and `vote_counts` as in `Context`."""

    field: AnyArray | None = None
    class_margins: AnyArray | None = None
    vote_counts: NDArray[np.uint8] | None = None


def field_on(model: PipelineModel, grid: Grid) -> FieldSample:
    """What a model says at the nodes of a grid on the canvas."""
    if model.field is None:
        return FieldSample()
    inner = model.inner
    if isinstance(inner, CombinedModel):
        signed = inner.signed_on_grid(model.training.transform.grid(grid), np.float32)
        scores = inner.scores(signed)
        margins = inner.class_margins(signed, scores)
        if len(inner.classes) > 1 and not inner.jumps:
            _tell_apart(margins, inner, model.training.transform.grid(grid))
        return FieldSample(scores, margins, inner.vote_counts(signed))
    field = model.on_grid(grid, np.float32)
    if inner.field == "predict" and model.training.is_classes:
        return FieldSample(field, class_margins=np.where(field[..., None] == model.classes, 1.0, -1.0))
    return FieldSample(field)


def _tell_apart(margins: NDArray[np.float32], model: CombinedModel, grid: Grid) -> None:
    """Let a class lead a little at the nodes (ny, nx, k) where it leads by less than single precision tells."""
    least = 2 * np.finfo(np.float32).tiny
    unsure = np.nonzero(largest(margins) < least)
    n = len(unsure[0])
    if not n:
        return
    if n * model.cost <= _MOST_EXACT:
        places = grid.points()[np.ravel_multi_index(unsure, grid.shape)]
        signed = [signed_scores(part.model, places) for part in model.parts]
    else:
        signed = [scores[unsure] for scores in model.signed_on_grid(grid)]
    exact = model.class_margins(signed, model.scores(signed))
    lead = exact.max(axis=-1) > np.finfo(np.float64).tiny
    told = tuple(index[lead] for index in unsure)
    margins[told] = np.where(np.arange(exact.shape[-1]) == exact[lead].argmax(axis=-1)[:, None], least, -least)
