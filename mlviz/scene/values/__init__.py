"""Values over the plane: the column that gives each sample a value where it is not an axis, and the scale of it."""

from __future__ import annotations

from mlviz.data.dataset import Dataset
from mlviz.draw.value_scale import ValueScale
from mlviz.scene.canvas_axes import axes_of
from mlviz.scene.scene import Scene, roles

OVER_PLANE = "value over the plane"
"""What a regression is called whose target is none of the two axes."""


def value_column(scene: Scene, index: int) -> str | None:
    """The column that panel `index` predicts, where samples tell it by their colour; None where they do not.

    A column that is an axis is told by their places.
    """
    if index >= len(scene.panels):
        return None
    role = roles(scene, scene.panels[index])
    if role.task != "regression" or role.target is None:
        return None
    return None if axes_of(scene, index).projection is None and role.target in scene.axes else role.target


def present_value_column(scene: Scene) -> str | None:
    """The column in which new samples have the present value, whichever canvas they are put on: the first there is."""
    found = (value_column(scene, index) for index in range(len(scene.panels)))
    return next((name for name in found if name is not None), None)


def task_of(scene: Scene, index: int) -> str:
    """What panel `index` learns, in the words of the list of tasks."""
    return OVER_PLANE if value_column(scene, index) else roles(scene, scene.panels[index]).task


def scale_of_target(scene: Scene, name: str | None) -> ValueScale | None:
    """The scale of a column: of all samples, also those that are held out or switched off; None where it is missing."""
    data = scene.dataset
    return scale_of(data, name) if name in data.columns else None


def scale_of(dataset: Dataset, name: str) -> ValueScale:
    """The scale of a column of a data set."""
    return ValueScale.of(dataset.X[:, dataset.column(name)])
