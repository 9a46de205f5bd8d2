"""What the two axes of a canvas are: columns of the data set, or components of a panel's inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, TypeVar, TypeVarTuple
from weakref import WeakKeyDictionary

import numpy as np

from mlviz.data.dataset import Dataset, nearest_of
from mlviz.draw.plot import Limits
from mlviz.numerics.arrays import Array, Rows
from mlviz.pipeline.preprocessing import Transform, preprocessings
from mlviz.scene.scene import DEFAULT_LIMITS, LEAST_WIDTH, MAX_LIMIT, Roles, Scene, roles

MARGIN_SHARE = 0.08
"""Room left around the samples at each side, as a share of their width."""

Owner = TypeVar("Owner")
Rest = TypeVarTuple("Rest")
Found = TypeVar("Found")


def remembered(function: Callable[[Owner, *Rest], Found]) -> Callable[[Owner, *Rest], Found]:
    """The function with its answers kept as long as their owner lives: a move of the mouse asks for them many times."""
    answers: WeakKeyDictionary[Owner, dict[Any, Found]] = WeakKeyDictionary()

    @wraps(function)
    def ask(owner: Owner, *rest: *Rest) -> Found:
        known = answers.setdefault(owner, {})
        if rest not in known:
            known[rest] = function(owner, *rest)
        return known[rest]

    return ask


@dataclass(frozen=True, eq=False)
class CanvasAxes:
    """The axes of one panel's canvas, and how samples come to their places on it.

    Without a `projection` the two `columns` are the axes; with one, the places are what it makes of the columns.
    """

    names: tuple[str, str]
    columns: tuple[int, ...]
    limits: Limits
    """The part to be seen, as long as the shape of the canvas agrees."""
    projection: Transform | None = None
    components_of: tuple[str, ...] = ()
    """The inputs that are projected."""
    projected_by: str = ""
    """The id of the preprocessing that projects them."""
    shared: bool = True
    """Whether the scene's view (its limits, probe and slice) is one of these axes. It is one of columns where any panel
    shows columns, or else one of the components of the first panel; other components are always seen whole."""

    @property
    def key(self) -> tuple[str, ...]:
        """What the axes are, whatever the samples: places on axes of different keys have nothing in common."""
        if not self.components_of:
            return self.names
        return (self.projected_by, "components of", *self.components_of)

    def places(self, dataset: Dataset) -> Array:
        """Where the samples are on the canvas, (n, 2)."""
        X = dataset.X[:, list(self.columns)]
        return X if self.projection is None else self.projection.to_model(X)

    def add(self, dataset: Dataset, points: Array, label: int) -> Dataset:
        """The data set with samples at points (m, 2), or (2,); in what the axes do not show they are average."""
        values = points if self.projection is None else self.projection.to_user(np.reshape(points, (-1, 2)))
        return dataset.add(values, label, self.columns)

    def move(self, dataset: Dataset, rows: Rows, points: Array) -> Dataset:
        """The data set with the samples `rows` (m,) at points (m, 2); what the axes do not show of them stays."""
        if self.projection is None:
            return dataset.move(rows, points, self.columns)
        shift = self.projection.to_user(points) - self.projection.to_user(self.places(dataset)[rows])
        return dataset.move(rows, dataset.X[rows][:, list(self.columns)] + shift, self.columns)

    def nearest(self, dataset: Dataset, point: Array, scale: Array) -> tuple[int, float]:
        """The row nearest to point (2,) and its distance, both axes multiplied by `scale`; (-1, inf) when empty."""
        return nearest_of(self.places(dataset), point, scale)


@remembered
def axes_of(scene: Scene, index: int) -> CanvasAxes:
    """The axes of panel `index`; those of the columns where there is no such panel."""
    role = roles(scene, scene.panels[index]) if index < len(scene.panels) else None
    if role is None or not _projects(scene, index, role):
        return CanvasAxes(scene.axes, scene.axis_columns, scene.view.limits)
    columns = tuple(scene.dataset.column(name) for name in role.inputs)
    preprocessing = scene.panels[index].pipeline.preprocessing
    projection = _learned(scene.dataset, columns, preprocessing)
    x, y = projection.names(role.inputs)
    first = scene.panels[0]
    alike = (role.inputs, preprocessing) == (roles(scene, first).inputs, first.pipeline.preprocessing)
    shared = in_components(scene) and alike
    axes = CanvasAxes((x, y), columns, scene.view.limits, projection, role.inputs, preprocessing, shared)
    return axes if shared else replace(axes, limits=limits_about(axes.places(scene.dataset)))


@remembered
def in_components(scene: Scene) -> bool:
    """Whether all panels show components, so that the view is one of those of the first."""
    return all(_projects(scene, index, roles(scene, panel)) for index, panel in enumerate(scene.panels))


def axes_of_view(scene: Scene) -> CanvasAxes:
    """The axes that the scene's view is one of: those of the first panel that has them."""
    return next(axes for index in range(len(scene.panels)) if (axes := axes_of(scene, index)).shared)


def fitted_limits(scene: Scene) -> Limits:
    """Limits that show every sample with some air around them; the default ones when there is none."""
    return limits_about(axes_of_view(scene).places(scene.dataset))


def limits_about(places: Array) -> Limits:
    """Limits that show all places (n, 2) with some air around them; the default ones when there is none."""
    if not len(places):
        return DEFAULT_LIMITS
    # Samples farther away than limits may be stay outside.
    low, high = np.clip((places.min(axis=0), places.max(axis=0)), -MAX_LIMIT, MAX_LIMIT)
    width = high - low
    # A column that does not vary still needs a width that a float can tell from nothing at its magnitude.
    flat = np.maximum(1.0, 1e-6 * np.abs(low))
    margin = np.where(width > LEAST_WIDTH, MARGIN_SHARE * width, np.where(width > 0, LEAST_WIDTH, flat))
    (x0, y0), (x1, y1) = np.clip((low - margin, high + margin), -MAX_LIMIT, MAX_LIMIT)
    return float(x0), float(x1), float(y0), float(y1)


def other_components(scene: Scene, former: Scene) -> bool:
    """Whether the views of two scenes are of other components, or one of them of none."""
    now, before = axes_of_view(scene), axes_of_view(former)
    return bool(now.components_of or before.components_of) and now.key != before.key


def seen_anew(scene: Scene, before: Scene) -> Scene:
    """The scene with a view of its axes, where it still has that of `before`, which was of other components or none."""
    if not other_components(scene, before) or scene.view.limits != before.view.limits:
        return scene
    return scene.with_view(limits=fitted_limits(scene), probe=None, slice=None)


def _projects(scene: Scene, index: int, role: Roles) -> bool:
    """Whether the panel's canvas shows components: of several inputs that are there, and of samples."""
    if not scene.panels[index].pipeline.preprocessor.projects or len(role.inputs) < 2:
        return False
    return bool(scene.dataset.training.any()) and set(role.inputs) <= set(scene.dataset.columns)


@remembered
def _learned(dataset: Dataset, columns: tuple[int, ...], preprocessing: str) -> Transform:
    """What the preprocessing learns from the samples that take part in a fit."""
    return preprocessings()[preprocessing].learn(dataset.X[dataset.training][:, list(columns)])
