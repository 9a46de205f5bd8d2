"""The Scene: everything on the screen is a pure function of this one value."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mlviz.algorithms.base import Algorithm
from mlviz.data.dataset import Dataset
from mlviz.draw.layer import Overlay
from mlviz.draw.palette import Colours, grey_code
from mlviz.draw.plot import Limits
from mlviz.draw.tasks import UNSUPERVISED, Task
from mlviz.numerics.arrays import Array, Labels
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.attempts import Attempt
from mlviz.scene.notes import Note, Stroke
from mlviz.scene.splits import Recipe
from mlviz.spec.brief import Brief
from mlviz.studies import Study, layer_studies

MAX_PANELS = 6
DEFAULT_LIMITS: Limits = (-4.0, 4.0, -4.0, 4.0)
MAX_LIMIT, LEAST_WIDTH = 1e100, 1e-200
"""How far away and how narrow the visible part may be: what is beyond can't be squared, or divided by."""
_CURVE, _PLANE = frozenset(("line",)), frozenset(("grid", "plane", "nodes", "field"))
"""What overlays ask for that are drawn along one input, and over two."""


@dataclass(frozen=True, eq=False)
class Pin(Brief):
    """The outline of a fit as a canvas once showed it: which pipeline on how many samples, and on which axes.

    `lines` (m, 2) have rows of NaN between them, `centers` are (k, 2). They reach as far as the canvas did. Without a
    name it is called by what tells it from the others.
    """

    pipeline: Pipeline
    n: int
    axes: tuple[str, str]
    lines: Array
    centers: Array
    name: str = ""


@dataclass(frozen=True)
class Panel(Brief):
    """One canvas: a pipeline and what it reads.

    `inputs` and `target` name columns. None means the usual: the two shown columns -> the class; for regression the
    horizontal one -> the vertical one; without supervision the two shown ones and no target. Where the preprocessing
    projects them, all columns take the place of the shown ones. `hidden` names the overlays that are switched off;
    None means the ones the method itself leaves off. `remembered` are other methods as they were left here. `studies`
    are those that are asked by name, with their settings. `pins` are outlines of former fits.
    """

    pipeline: Pipeline
    inputs: tuple[str, ...] | None = None
    target: str | None = None
    hidden: tuple[str, ...] | None = None
    remembered: tuple[Algorithm, ...] = ()
    studies: tuple[Study, ...] = ()
    pins: tuple[Pin, ...] = ()

    def __getstate__(self) -> dict[str, Any]:
        """The fields alone: while one thread pickles them another may find out more."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}

    def hides(self, overlay_id: str) -> bool:
        """Whether that overlay is switched off."""
        return overlay_id in self._off

    @cached_property
    def _off(self) -> frozenset[str]:
        usual = (overlay.id for overlay in self.possible_overlays if not overlay.shown)
        return frozenset(usual if self.hidden is None else self.hidden)

    @property
    def possible_studies(self) -> tuple[Study, ...]:
        """The studies that make sense for the pipeline as it is: those that a layer asks, and those asked by name."""
        return tuple(study for study in (*layer_studies(), *self.studies) if study.applies(self.pipeline))

    @property
    def asked_studies(self) -> tuple[Study, ...]:
        """Those that are asked: by name, or with an overlay that is switched on."""
        return tuple(
            study
            for study in self.possible_studies
            if not study.by_layer or not all(self.hides(overlay.id) for overlay in study.overlays)
        )

    @cached_property
    def overlays(self) -> tuple[Overlay, ...]:
        """What can be drawn on the data: the pipeline's overlays and those of its studies, in paint order."""
        mine = set(self.pipeline.algorithm.tasks)
        theirs = (
            overlay for study in self.possible_studies for overlay in study.overlays if mine.intersection(overlay.tasks)
        )
        return self.pipeline.overlays_with(tuple(theirs))

    def overlays_in(self, task: Task, over_plane: bool) -> tuple[Overlay, ...]:
        """Those that draw something in a task: of a regression those of curves, or those of values over the plane."""
        elsewhere = frozenset[str]() if task != "regression" else _CURVE if over_plane else _PLANE
        return tuple(one for one in self.overlays if task in one.tasks and not one.asks & elsewhere)

    @property
    def overlays_without_model(self) -> tuple[Overlay, ...]:
        """Those that are drawn before the first sample, and are not hidden."""
        return tuple(one for one in self.overlays if not one.needs_model and not self.hides(one.id))

    @property
    def possible_overlays(self) -> tuple[Overlay, ...]:
        """All overlays that there are with some of the pipeline's settings."""
        theirs = (overlay for study in (*layer_studies(), *self.studies) for overlay in study.overlays)
        return (*self.pipeline.possible_overlays, *theirs)


@dataclass(frozen=True)
class View:
    """What is looked at: the two columns on the axes, the visible part, the step of the playback, the probed place.

    `axes` None means the first two columns. `equal` makes a unit equally long on both axes (the limits are then widened
    to fit the canvas). `step` None means the last step. `probe` is the hovered or pinned place. `slice` x0, y0, x1, y1
    is the line along which the field is cut, None the horizontal one through the middle of what is seen.
    """

    axes: tuple[str, str] | None = None
    limits: Limits = DEFAULT_LIMITS
    equal: bool = True
    step: int | None = None
    probe: tuple[float, float] | None = None
    slice: tuple[float, float, float, float] | None = None


@dataclass(frozen=True, eq=False)
class Scene(Brief):
    """Everything that is on the screen."""

    dataset: Dataset
    panels: tuple[Panel, ...]
    seed: int = 0
    view: View = View()
    colours: Colours = ()
    """Of the classes. The painter alone asks: neither fit nor picture depends on them."""
    attempts: tuple[Attempt, ...] = ()
    """What has been drawn by hand as an answer, the newest last."""
    hides_answer: bool = False
    """Whether nothing is shown of what the methods answer: it is to be predicted first."""
    notes: tuple[Note, ...] = ()
    """Words over the pictures. Like strokes, neither fit nor picture depends on them."""
    strokes: tuple[Stroke, ...] = ()
    """Lines of the pen over the pictures, the newest last."""
    split: Recipe | None = None
    """How the samples were chosen that are held out; None where none is, or they were marked by hand."""

    def __post_init__(self) -> None:
        if not 1 <= len(self.panels) <= MAX_PANELS:
            raise ValueError(f"a scene has 1 to {MAX_PANELS} panels, not {len(self.panels)}")

    def replace(self, **changes: Any) -> Scene:
        """The same with some fields changed."""
        return dataclasses.replace(self, **changes)

    def with_panel(self, index: int, panel: Panel) -> Scene:
        """The same with another panel at `index`."""
        return self.replace(panels=(*self.panels[:index], panel, *self.panels[index + 1 :]))

    def with_view(self, **changes: Any) -> Scene:
        """The same seen otherwise."""
        return self.replace(view=dataclasses.replace(self.view, **changes))

    @property
    def axes(self) -> tuple[str, str]:
        """The names of the two columns shown; the first ones where no others are wanted, or one of them is missing."""
        columns, wanted = self.dataset.columns, self.view.axes
        found = wanted is not None and all(name in columns for name in wanted)
        return wanted if wanted and found else (columns[0], columns[min(1, len(columns) - 1)])

    @property
    def axis_columns(self) -> tuple[int, int]:
        """The indices of the two columns shown."""
        return self.dataset.column(self.axes[0]), self.dataset.column(self.axes[1])


@dataclass(frozen=True)
class Roles:
    """Which columns a panel reads: its task, its inputs, and its target (None when unsupervised)."""

    task: Task
    inputs: tuple[str, ...]
    target: str | None


def roles(scene: Scene, panel: Panel) -> Roles:
    """The columns the panel reads, the unnamed ones filled in by the rule of `Panel`."""
    tasks = panel.pipeline.algorithm.tasks
    x, y = scene.axes
    wanted: Task = "classification" if panel.target == scene.dataset.class_column else "regression"
    task = wanted if panel.target is not None and wanted in tasks else tasks[0]
    # Components are those of all columns there are, unless some are named.
    usual = scene.dataset.columns if panel.pipeline.preprocessor.projects else scene.axes
    if task != "regression":
        return Roles(task, panel.inputs or usual, None if task in UNSUPERVISED else scene.dataset.class_column)
    target = panel.target if panel.target in scene.dataset.columns else y
    # What is predicted is no input: it may be named as one by a click that came before the axes were turned.
    inputs = tuple(name for name in panel.inputs or usual if name != target)
    return Roles(task, inputs or tuple(name for name in usual if name != target) or (x,), target)


def drawn_labels(scene: Scene, index: int) -> Labels:
    """(n,) the class codes that panel `index` paints its samples by: plain ones where classes mean nothing to it."""
    data = scene.dataset
    task = roles(scene, scene.panels[index]).task if index < len(scene.panels) else "classification"
    if task in ("clustering", "density estimation"):
        return grey_code(data.labels)
    return np.zeros_like(data.labels) if task == "regression" and not data.class_names else data.labels
