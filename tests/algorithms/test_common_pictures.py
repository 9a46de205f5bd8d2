"""The sweep, seen: every overlay and chart of every algorithm, at every kind of samples and step, gives sane marks."""

from __future__ import annotations

import json

import numpy as np
import pytest

from mlviz.data.dataset import Dataset
from mlviz.draw.marks import Arrows, Ellipses, Field, Lines, Mark, Points, Polygons, Segments, Text
from mlviz.draw.palette import ink
from mlviz.draw.plot import Plot
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.files import scene_file
from mlviz.scene.scene import Panel, Scene, View
from tests.algorithms.samples import Case, cases, degenerate, ordinary
from tests.algorithms.test_common import settings

CASES = pytest.mark.parametrize("case", cases(), ids=str)
SIZE = (300, 200)


def scene_of(case: Case, X, y, algorithm=None, seed=0, **pipeline) -> Scene:
    """The samples on a canvas that shows them all, with every overlay switched on."""
    columns, labels = ("x1", "x2"), np.zeros(len(X), dtype=int)
    if case.task == "classification":
        labels = y
    elif case.task == "regression" and case.d == 1:
        X = np.column_stack((X, y))
    elif case.task == "regression":
        X, columns = np.column_stack((X, y)), ("x1", "x2", "value")
    target = {"classification": "class", "regression": columns[-1]}.get(case.task)
    panel = Panel(
        Pipeline(algorithm or case.algorithm(), **pipeline),
        inputs=columns[: case.d] if case.task == "regression" else None,
        target=target,
        hidden=(),
    )
    low, high = (X.min(axis=0), X.max(axis=0)) if len(X) else (np.zeros(2), np.ones(2))
    room = np.maximum(0.2 * (high - low), np.maximum(1e-9 * np.abs(high), 1e-12))
    (x0, y0), (x1, y1) = (low - room)[:2].tolist(), (high + room)[:2].tolist()
    return Scene(Dataset(X, labels, columns), (panel,), seed, View(limits=(x0, x1, y0, y1), equal=False))


def places(mark: Mark) -> list[np.ndarray]:
    match mark:
        case Points() | Lines() | Text():
            return [mark.xy]
        case Segments() | Arrows():
            return [mark.start, mark.end]
        case Polygons():
            return list(mark.vertices)
        case Ellipses():
            return [mark.center, mark.center + mark.axes[:, :, 0], mark.center + mark.axes[:, :, 1]]
        case Field():
            return [np.column_stack((mark.x[[0, -1]], mark.y[[0, -1]]))]
    raise AssertionError(f"unknown mark {mark!r}")


def check_mark(mark: Mark, plot: Plot, n: int) -> None:
    if isinstance(mark, Field):  # tints, no ink
        assert mark.role in ("region", "value", "similarity", "no class", "several classes", "doubt")
    else:
        assert ink(mark.role, "light") != ink("a role that nobody knows", "light"), f"no ink for {mark.role!r}"
    for xy in places(mark):
        assert xy.ndim == 2 and xy.shape[1] == 2, mark
        missing = np.isnan(xy)
        if isinstance(mark, Lines) or (isinstance(mark, Points) and mark.rows is not None):
            assert (missing[:, 0] == missing[:, 1]).all(), mark
        else:
            assert not missing.any(), mark
        xy = xy[~missing[:, 0]]
        assert np.isfinite(xy).all(), mark
        if plot.id == "data" and plot.limits and len(xy):
            x0, x1, y0, y1 = plot.limits
            middle, half = np.array([x0 + x1, y0 + y1]) / 2, np.array([x1 - x0, y1 - y0]) / 2
            assert (np.abs(xy - middle) <= 1e6 * half.max()).all(), f"far out of sight: {mark.role}"
        if plot.x_scale == "log":
            assert (xy[:, 0] > 0).all(), mark
        if plot.y_scale == "log":
            assert (xy[:, 1] > 0).all(), mark
    rows = getattr(mark, "rows", None)
    if rows is not None:
        assert len(rows) == len(places(mark)[0]) and (rows >= 0).all() and (rows < n).all(), mark
    match mark:
        case Points(size=size) if size is not None:
            assert len(size) == len(mark.xy) and np.isfinite(size).all() and (size >= 0).all()
        case Polygons():
            assert all(len(v) >= 3 for v in mark.vertices)
        case Text():
            assert len(mark.words) == len(mark.xy) and all(mark.words)
        case Field():
            shape = (len(mark.y), len(mark.x))
            assert mark.strength.shape == shape and mark.strength.dtype == np.uint8
            assert mark.classes is None or (mark.classes.shape == shape and mark.classes.dtype == np.uint8)


def check_plot(plot: Plot, scene: Scene) -> None:
    assert plot.title and plot.x_label and plot.y_label
    for mark in plot.marks:
        check_mark(mark, plot, len(scene.dataset))
    if plot.limits is not None:
        x0, x1, y0, y1 = plot.limits
        assert np.isfinite(plot.limits).all() and x0 < x1 and y0 < y1
    algorithm = scene.panels[0].pipeline.algorithm
    for handle in plot.handles:
        parameter = algorithm.parameter(handle.parameter)
        assert len(handle.points) == len(handle.values) and 0 <= handle.at < len(handle.values)
        assert np.isfinite(handle.points).all()
        for value in handle.values:
            parameter.check(value)


def check_picture(scene: Scene, what: str, may_refuse: bool = False):
    """The picture of the scene, checked."""
    (picture,) = draw(scene, [SIZE], resolution=40)
    if picture.message is not None:
        assert may_refuse and "unexpectedly" not in picture.message, f"{what}: {picture.message}"
    try:
        for plot in (picture.plot, *picture.sides):
            check_plot(plot, scene)
    except AssertionError as error:
        raise AssertionError(f"{what}: {error}") from error
    assert picture.caption.startswith(scene.panels[0].pipeline.algorithm.label)
    return picture


@CASES
@pytest.mark.parametrize("preprocessing", ["none", "standardize"])
def test_every_step_gives_sane_marks(case, preprocessing):
    X, y = ordinary(case)
    scene = scene_of(case, X, y, preprocessing=preprocessing)
    last = check_picture(scene, "last step")
    assert last.plot.marks and last.facts
    for step in {0, 1, last.n_steps // 2, last.n_steps - 2, last.n_steps - 1} - {-1}:
        picture = check_picture(scene.with_view(step=step, probe=(0.3, -0.2)), f"step {step} of {last.n_steps}")
        for mark in () if picture.explanation is None else picture.explanation.marks:
            check_mark(mark, picture.plot, len(X))


@CASES
def test_every_setting_gives_sane_marks(case):
    X, y = ordinary(case, 24, apart=4.0)
    for values, must in settings(case.algorithm):
        scene = scene_of(case, X, y, case.algorithm(**values))
        check_picture(scene.with_view(probe=(0.0, 0.0)), str(values), may_refuse=not must)


@CASES
@pytest.mark.parametrize("preprocessing", ["none", "standardize"])
def test_degenerate_samples_give_sane_marks(case, preprocessing):
    for name, X, y in degenerate(case):
        scene = scene_of(case, X, y, preprocessing=preprocessing)
        place = tuple(X[0, :2].tolist()) if case.d == 2 and len(X) else (0.0, 0.0)
        check_picture(scene.with_view(probe=place), name, may_refuse=True)


@CASES
@pytest.mark.parametrize("multiclass", ["auto", "one-vs-rest", "one-vs-one"])
def test_five_classes(case, multiclass):
    if case.task != "classification":
        pytest.skip("no classes")
    X, _ = ordinary(case, 60)
    y = np.arange(60) % 5
    X = X + 2 * np.column_stack((np.cos(y), np.sin(y)))
    scene = scene_of(case, X, y, multiclass=multiclass, preprocessing="standardize")
    for probe in (None, (1.0, 0.5)):
        picture = check_picture(scene.with_view(probe=probe), multiclass)
        assert picture.facts["training error"].value < 0.5
    (ground,) = [mark for mark in picture.plot.marks if mark.role == "region"]
    # Of straight machines one-vs-rest, that of a class among others may find no place where it says yes.
    assert len(np.unique(ground.classes)) >= (4 if multiclass == "one-vs-rest" else 5)


@CASES
def test_a_scene_comes_back_from_its_file(case):
    X, y = ordinary(case)
    for values, _ in settings(case.algorithm):
        scene = scene_of(case, X, y, case.algorithm(**values), preprocessing="standardize", seed=3)
        text = json.dumps(scene_file.to_json(scene), allow_nan=False)
        back = scene_file.from_json(json.loads(text))
        assert back.panels == scene.panels and back.view == scene.view and back.seed == scene.seed
        np.testing.assert_array_equal(back.dataset.X, scene.dataset.X)
        np.testing.assert_array_equal(back.dataset.labels, scene.dataset.labels)
        assert back.dataset.columns == scene.dataset.columns
