"""Checks of pictures: every overlay and chart, at every kind of samples and step, gives sane marks."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import numpy as np

from mlviz.algorithms import Algorithm
from mlviz.data.dataset import Dataset
from mlviz.draw.inks import scale_of
from mlviz.draw.marks import Field, Lines, Mark, Points, Polygons, Text
from mlviz.draw.palette import ink
from mlviz.draw.plot import Handle, Plot, full_limits
from mlviz.numerics.arrays import Array
from mlviz.picture import PanelPicture, draw
from mlviz.picture.render import Fits
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene import edits
from mlviz.scene.files import scene_file
from mlviz.scene.scene import Panel, Scene, View
from mlviz.testing.check import (
    Case,
    DoesNotApply,
    Target,
    answers,
    degenerate,
    is_looked_at,
    of_cases,
    require,
    settings,
)
from mlviz.testing.fits import check_finite, check_refusal

CANVAS_SIZE = (300, 200)
"""Of the canvas, pixels."""
_RESOLUTION = 40
"""Nodes along the longer side of the grid."""
MULTICLASS = ("auto", "one-vs-rest", "one-vs-one")
"""Ways to meet several classes that are tried."""
_ROUNDING = 1e-9
_DRAGGED = 9
"""Values of a handle that are tried."""
_FAR = 1e6
"""No mark on the data is farther from the middle of the canvas than so many halves of it."""


def scene_of(case: Case, X: Array, y: Target, algorithm: Algorithm | None = None, seed: int = 0, **how: Any) -> Scene:
    """The samples on a canvas that shows them all, with every overlay switched on; `how` is the pipeline's."""
    columns: tuple[str, ...] = ("x1", "x2")
    labels = np.zeros(len(X), dtype=int)
    if case.task == "classification":
        labels = np.asarray(y)
    elif case.task == "regression":
        X, columns = np.column_stack((X, np.asarray(y))), (("x1", "x2") if case.d == 1 else ("x1", "x2", "value"))
    elif case.d == 1:
        X = np.column_stack((X, np.zeros(len(X))))
    target = {"classification": "class", "regression": columns[-1]}.get(case.task)
    inputs = columns[: case.d] if case.task == "regression" or case.d == 1 else None
    panel = Panel(Pipeline(algorithm or case.algorithm(), **how), inputs=inputs, target=target, hidden=())
    low, high = (X.min(axis=0), X.max(axis=0)) if len(X) else (np.zeros(2), np.ones(2))
    room = np.maximum(0.2 * (high - low), np.maximum(1e-9 * np.abs(high), 1e-12))
    (x0, y0), (x1, y1) = (low - room)[:2].tolist(), (high + room)[:2].tolist()
    return Scene(Dataset(X, labels, columns), (panel,), seed, View(limits=(x0, x1, y0, y1), equal=False))


def check_mark(mark: Mark, plot: Plot, n: int) -> None:
    """Raise AssertionError where a mark on a plot of n samples can't be drawn, or makes no sense."""
    require(isinstance(mark, Mark), f"it draws a mark of no known kind: {mark!r}")
    what = f"a mark with the role {mark.role!r} in {plot.title!r}"
    if isinstance(mark, Field) and not mark.cover:
        require(
            mark.classes is not None or scale_of(mark.role) is not None,
            f"{what} is a field without classes, and its role has no scale",
        )
    else:
        require(
            ink(mark.role, "light") != ink("a role that nobody knows", "light"),
            f"{what} has a role that the palette does not know",
        )
    xy = mark.places()
    require(xy.ndim == 2 and xy.shape[1] == 2, f"{what} has places of the shape {xy.shape}")
    _check_places(xy, mark, plot, what)
    if mark.rows is not None:
        require(
            len(mark.rows) == len(getattr(mark, mark.in_data[0])),
            f"{what} has not one row for each place",
        )
        require((mark.rows >= 0).all() and (mark.rows < n).all(), f"{what} names rows that no sample has")
    _check_kind(mark, what)


def _check_places(xy: Array, mark: Mark, plot: Plot, what: str) -> None:
    missing = np.isnan(xy)
    if isinstance(mark, Lines) or (isinstance(mark, Points) and mark.rows is not None):
        require((missing[:, 0] == missing[:, 1]).all(), f"{what} has places with one NaN")
    else:
        require(not missing.any(), f"{what} has places with NaN")
    xy = xy[~missing[:, 0]]
    require(np.isfinite(xy).all(), f"{what} has places that are not finite")
    if plot.id == "data" and plot.limits and len(xy):
        x0, x1, y0, y1 = plot.limits
        middle, half = np.array([x0 + x1, y0 + y1]) / 2, np.array([x1 - x0, y1 - y0]) / 2
        require((np.abs(xy - middle) <= _FAR * half.max()).all(), f"{what} is far out of sight")
    for axis, scale in ((0, plot.x_scale), (1, plot.y_scale)):
        require(scale != "log" or (xy[:, axis] > 0).all(), f"{what} has places that a logarithmic axis can't show")


def _check_kind(mark: Mark, what: str) -> None:
    match mark:
        case Points(size=size):
            require(not mark.role.startswith("class "), f"{what} is symbols in the pale ink of areas: take a dot's")
            require(
                size is None or (len(size) == len(mark.xy) and np.isfinite(size).all() and (size >= 0).all()),
                f"{what} has sizes that can't be drawn",
            )
        case Polygons():
            require(all(len(v) >= 3 for v in mark.vertices), f"{what} has a polygon of fewer than 3 corners")
        case Text():
            require(len(mark.words) == len(mark.xy) and all(mark.words), f"{what} has places without words")
        case Field():
            for values in (mark.strength, *(() if mark.classes is None else (mark.classes,))):
                require(
                    values.shape == (len(mark.y), len(mark.x)) and values.dtype == np.uint8,
                    f"{what} has values of the shape {values.shape} and type {values.dtype}",
                )


def check_plot(plot: Plot, scene: Scene) -> None:
    """Raise AssertionError where a plot of a picture of the scene can't be drawn, or makes no sense."""
    told = plot.title and (plot.x_label or plot.x_ticks is not None) and (plot.y_label or plot.y_ticks is not None)
    require(told, f"the plot {plot.id!r} needs a title and, where its ticks have no names, labels of its axes")
    for mark in plot.marks:
        check_mark(mark, plot, len(scene.dataset))
    limits = x0, x1, y0, y1 = full_limits(plot)
    require(
        np.isfinite(limits).all() and x0 < x1 and y0 < y1,
        f"the plot {plot.title!r} has the limits {limits}",
    )
    for handle in plot.handles:
        what = f"the handle of {handle.path} in {plot.title!r}"
        require(
            len(handle.points) == len(handle.values) and 0 <= handle.at < len(handle.values),
            f"{what} has not one place for each value, or stands at none of them",
        )
        require(np.isfinite(handle.points).all(), f"{what} has places that are not finite")
        require(_in_sight(handle, plot), f"{what} stands out of sight")
        # Each is checked as it is set, and there may be hundreds: the ends, the present one and some between.
        some = np.linspace(0, len(handle.values) - 1, _DRAGGED).astype(int).tolist()
        for place in sorted({handle.at, *some}):
            edits.with_value(scene, 0, handle.path, handle.values[place])
    # Of a thousand cells those with the first and the last values can tell.
    settings = dict.fromkeys(setting for area in plot.areas for setting in area.settings)
    for path in dict.fromkeys(path for path, _ in settings):
        values = [value for at, value in settings if at == path]
        numbers = [value for value in values if isinstance(value, float | int)]
        for value in {min(numbers), max(numbers)} if len(numbers) == len(values) else values:
            edits.with_value(scene, 0, path, value)


def _in_sight(handle: Handle, plot: Plot) -> bool:
    """Whether a handle stands within the limits, along the axes on which it can be moved."""
    limits, axes = np.reshape(full_limits(plot), (2, 2)), {"upright": (0,), "level": (1,), "point": (0, 1)}
    for axis in axes[handle.kind]:
        log = (plot.x_scale, plot.y_scale)[axis] == "log"
        low, high, at = (np.log if log else np.asarray)(np.append(limits[axis], handle.points[handle.at, axis]))
        room = _ROUNDING * (high - low)
        if not low - room <= at <= high + room:
            return False
    return True


def check_picture(scene: Scene, what: str, may_refuse: bool = False, fits: Fits | None = None) -> PanelPicture:
    """The picture of the scene; raises AssertionError where something in it is not as it should be.

    What is among `fits` is not fitted again.
    """
    (picture,) = draw(scene, [CANVAS_SIZE], resolution=_RESOLUTION, fits=fits)
    if picture.message is not None:
        require(may_refuse and "unexpectedly" not in picture.message, f"{what}: {picture.message}")
    try:
        for plot in (picture.plot, *(picture.sides or ())):
            check_plot(plot, scene)
    except AssertionError as error:
        raise AssertionError(f"{what}: {error}") from error
    label = scene.panels[0].pipeline.algorithm.label
    require(picture.caption.startswith(label), f"{what}: the caption does not begin with the label: {picture.caption}")
    return picture


@of_cases
def draws_every_step(case: Case, X: Array, y: Target) -> None:
    """The first, second, middle, last but one and last step, with a place that is asked about; fewer standardized."""
    for preprocessing in ("none", "standardize"):
        scene = scene_of(case, X, y, preprocessing=preprocessing)
        fits: Fits = {}
        last = check_picture(scene, "the last step", fits=fits)
        require(last.plot.marks and last.facts, "its picture has no marks, or no facts stand under it")
        n = last.n_steps
        for step in {0, 1, n // 2, n - 2, n - 1} - {-1} if preprocessing == "none" else {n // 3, n - 1}:
            at = scene.with_view(step=step, probe=(0.3, -0.2))
            picture = check_picture(at, f"step {step} of {last.n_steps}", fits=fits)
            for mark in () if picture.explanation is None else picture.explanation.marks:
                check_mark(mark, picture.plot, len(X))


@partial(of_cases, n=24, apart=4.0)
def draws_every_setting(case: Case, X: Array, y: Target) -> None:
    """The slider's ends and every choice give a model and a picture; the ends of what is valid one or a sentence."""
    for values, must in settings(case.algorithm):
        if not is_looked_at(case, str(values)):
            continue
        scene, fits = scene_of(case, X, y, case.algorithm(**values)), Fits()
        check_picture(scene.with_view(probe=(0.0, 0.0)), str(values), may_refuse=not must, fits=fits)
        (trace,) = fits.values()
        if must and trace.answer is not None:
            require(np.isfinite(answers(trace.answer, X, case)).all(), f"{values} give answers that are not finite")


@of_cases
def draws_degenerate_samples(case: Case, *_: Any) -> None:
    """Samples that break programs, standardized and as they are in turn; another check has them the other way round."""
    for k, (name, X, y) in enumerate(degenerate(case)):
        if not is_looked_at(case, name):
            continue
        scene = scene_of(case, X, y, preprocessing=("standardize", "none")[k % 2])
        x, y0 = X[0, :2].tolist() if case.d == 2 and len(X) else (0.0, 0.0)
        fits = Fits()
        check_picture(scene.with_view(probe=(x, y0)), name, may_refuse=True, fits=fits)
        (trace,) = fits.values()
        check_refusal(trace.error, case, name)
        if (last := trace.answer) is not None:
            for model in {id(model): model for model in (trace.model(0), last)}.values():
                check_finite(model, X, case, name)


@partial(of_cases, n=60)
def tells_five_classes_apart(case: Case, X: Array, y: Target) -> None:
    """Five classes about a circle, by each way to meet several: most are predicted, and each has its region."""
    if case.task != "classification":
        raise DoesNotApply("it has no classes")
    y = np.arange(60) % 5
    X = X + 2 * np.column_stack((np.cos(y), np.sin(y)))
    for multiclass in MULTICLASS:
        if not is_looked_at(case, multiclass):
            continue
        scene = scene_of(case, X, y, multiclass=multiclass, preprocessing="standardize")
        picture = check_picture(scene.with_view(probe=(1.0, 0.5)), multiclass)
        wrong = picture.facts["training error"].value
        require(wrong < 0.5, f"{multiclass}: the training error on five classes is {wrong}")
        (region,) = [mark for mark in picture.plot.marks if isinstance(mark, Field) and mark.role == "region"]
        # Of straight machines one-vs-rest, that of a class among others may find no place where it says yes.
        regions, least = len(np.unique(np.asarray(region.classes))), 4 if multiclass == "one-vs-rest" else 5
        require(regions >= least, f"{multiclass}: of five classes {regions} have a region")


@of_cases
def comes_back_from_a_scene_file(case: Case, X: Array, y: Target) -> None:
    """Every setting is saved and opened again."""
    for values in ({}, *(values for values, _ in settings(case.algorithm))):
        scene = scene_of(case, X, y, case.algorithm(**values), preprocessing="standardize", seed=3)
        back = scene_file.from_json(json.loads(json.dumps(scene_file.to_json(scene), allow_nan=False)))
        require(
            back.panels == scene.panels and back.view == scene.view and back.seed == scene.seed,
            f"{values} do not come back from a scene file",
        )
        for name in ("X", "labels", "columns"):
            require(
                np.array_equal(getattr(back.dataset, name), getattr(scene.dataset, name)),
                f"the {name} of the samples do not come back from a scene file",
            )
