"""The section of a regression of several inputs along the axes of a canvas: all other inputs stay at their means.

It answers in the user's coordinates, for the inputs shown alone, whatever was made of them before the fit. Overlays
that ask a model no more than what it predicts are drawn of it as they are of any other regression.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mlviz.draw.layer import Context, Names
from mlviz.draw.overlays.regions import predicted
from mlviz.draw.protocols import HasPredictive
from mlviz.numerics.arrays import AnyArray, Array, Labels
from mlviz.numerics.grid import Grid, as_dtype, far_away
from mlviz.picture.viewport import Section, Viewport
from mlviz.pipeline.model import PipelineModel
from mlviz.scene.scene import Scene
from mlviz.spec.brief import Brief

_NODES, _FEWEST = 100, 12
"""So many nodes along the longer side of a field, and at the least so many where answers take long."""
_WORK = {False: 2e7, True: 2e8}
"""So many numbers, about, are worked out for it, coarse or fine, if each answer takes all samples."""


@dataclass(frozen=True, eq=False)
class SectionModel(Brief):
    """What a model predicts along a section."""

    whole: PipelineModel
    section: Section

    @property
    def jumps(self) -> bool:
        """Whether the predictions jump, as those of the whole."""
        return bool(self.whole.inner.jumps)

    @property
    def cost(self) -> int:
        """How many numbers a prediction takes."""
        return int(self.whole.inner.cost)

    def predict(self, X: Array) -> AnyArray:
        """The predictions (m,) at places (m, 1) or (m, 2) on the canvas."""
        return np.asarray(self.whole.predict(self.section.places(X)))

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray:
        """The same at the nodes, (ny, nx)."""
        return as_dtype(self.predict(grid.points()).reshape(grid.shape), dtype)


@dataclass(frozen=True, eq=False)
class PredictiveSectionModel(SectionModel):
    """One of a model that knows how sure it is."""

    @property
    def degrees_of_freedom(self) -> float:
        """Those of the whole."""
        return float(self.whole.inner.degrees_of_freedom)

    def predict_std(self, X: Array) -> tuple[Array, Array]:
        """The standard deviations (m,) of the function and of a new target at places (m, 1) or (m, 2)."""
        of_function, of_target = self.whole.predict_std(self.section.places(X))
        return of_function, of_target


@far_away
def section_context(
    scene: Scene, model: PipelineModel, viewport: Viewport, context: Context
) -> tuple[SectionModel, Context] | None:
    """What overlays are drawn of, in place of a model and its context, where there is a section."""
    section = viewport.section
    if section is None:
        return None
    told = (PredictiveSectionModel if isinstance(model.inner, HasPredictive) else SectionModel)(model, section)
    names = Names(context.names.classes, tuple(scene.axes[: len(section.shown)]))
    grid, line, field_on_grid = None, None, None
    x0, x1, y0, y1 = viewport.limits
    if len(section.shown) == 1:
        line = np.linspace(x0, x1, _NODES if told.cost > _NODES else 2 * _NODES)
    else:
        longer = int(np.clip(np.sqrt(_WORK[viewport.fine] / max(told.cost, context.X.size)), _FEWEST, _NODES))
        grid = Grid.over(viewport.limits, longer, longer)
        field_on_grid = told.on_grid(grid, np.float32)
    rows, fitted = predicted(model.inner, context)
    all_rows = len(rows) == len(context.X)
    return told, dataclasses.replace(
        context,
        X=shown_inputs(scene, section, context.rows),
        grid=grid,
        line=line,
        lifted=None,
        height=None if line is None else (y0, y1),
        line_scale=1.0,
        field=field_on_grid,
        fine=viewport.fine,
        predicted=fitted,
        evaluated_rows=None if all_rows else rows,
        names=names,
        scaled="",
        probe=None,
        slice=None,
        plane=None if grid is None else (0, 1),
        components=None,
    )


def shown_inputs(scene: Scene, section: Section, rows: Sequence[int] | Labels) -> Array:
    """Those inputs of the data set's rows (m,) that the axes show, (m, 1) or (m, 2)."""
    return np.asarray(scene.dataset.X[np.asarray(rows)][:, list(scene.axis_columns[: len(section.shown)])])
