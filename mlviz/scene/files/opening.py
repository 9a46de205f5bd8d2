"""From a file or a data set to the scene that shows it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mlviz.data.dataset import Dataset
from mlviz.data.tables.departures import Departure
from mlviz.data.tables.headers import TARGET_WORDS
from mlviz.data.tables.reading import AS_FOUND, Format, read_table
from mlviz.draw.colour_words import coloured_by_name
from mlviz.draw.tasks import Task
from mlviz.files.atomic import read_file
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene import edits
from mlviz.scene.canvas_axes import fitted_limits
from mlviz.scene.defaults import default_method
from mlviz.scene.files import scene_file
from mlviz.scene.scene import Panel, Scene, View


def is_scene_file(path: Path) -> bool:
    """Whether a file looks like a scene and not like a table: its first sign is a brace. Raises OSError."""
    start = read_file(path, 64)
    return start.decode(json.detect_encoding(start), "ignore").lstrip("\ufeff \t\r\n").startswith("{")


def with_columns(scene: Scene, dataset: Dataset, axes: tuple[str, str]) -> Scene:
    """With those samples, and two of their columns on the axes."""
    scene = scene.replace(dataset=dataset, colours=edits.colours_in_place(scene, dataset.class_names))
    scene = scene.with_view(axes=axes, equal=False, step=None, probe=None)
    return scene.with_view(limits=fitted_limits(scene))


def with_table(scene: Scene, dataset: Dataset, axes: tuple[str, str]) -> Scene:
    """With the samples of a table, for regression where its vertical axis says so."""
    task: Task | None = "regression" if _names_target(dataset, axes[1]) else None
    shown = with_columns(edits.with_dataset(scene, dataset, task, "standardize"), dataset, axes)
    for index, panel in enumerate(shown.panels):
        if task is not None and panel.target is not None:
            shown = edits.with_task(shown, index, task)
    return shown


def _names_target(dataset: Dataset, vertical: str) -> bool:
    """Whether a vertical axis is called as what is to be predicted, and there are no classes that could be."""
    return not dataset.class_names and vertical.lower() in TARGET_WORDS


@dataclass(frozen=True, eq=False)
class Opened:
    """The scene in a file, what of it is not as it was there, and where it is not what stands in a table."""

    scene: Scene
    notes: tuple[str, ...] = ()
    departures: tuple[Departure, ...] = ()


def load(
    path: Path,
    columns: Sequence[str] | None = None,
    target: str | None = None,
    regression: bool = False,
    wanted: Format = AS_FOUND,
) -> Opened:
    """The scene in a file, or the scene that shows a table.

    `columns` names the two columns of a table that are shown, `target` its class column or the column to predict. A
    target of whole numbers, few of them, names classes, unless it is for `regression`. `wanted` is how a table
    is written, where that is not to be found out. Raises `BadScene`, `BadTable` or OSError.
    """
    if is_scene_file(path):
        return Opened(*scene_file.load_with_notes(path))
    table = read_table(path, wanted)
    values = target in table.numeric and (regression or target in (columns or ()) or target not in table.class_columns)
    shown = (*(columns or ()), *((target,) if target and values else ()))
    selection = table.select(columns, None if values else target, shown=shown)
    axes = columns or table.guess_axes(selection.dataset.class_column)
    if target is None and _names_target(selection.dataset, axes[1]):
        target, values = axes[1], True
    # Standardized, since the columns of a table have units of their own.
    pipeline = Pipeline(default_method("regression" if values else "classification"), preprocessing="standardize")
    panel = Panel(pipeline, target=target if values else None)
    data, view = selection.dataset, View(axes=(axes[0], axes[1]), equal=False)
    scene = Scene(data, (panel,), view=view, colours=coloured_by_name(data.class_names))
    return Opened(scene.with_view(limits=fitted_limits(scene)), departures=selection.departures)
