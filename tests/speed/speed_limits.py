"""What must not take long however much there is of it: each is a limit in seconds of the processor's time."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QItemSelectionModel
from pytestqt.qtbot import QtBot

from mlviz.algorithms import registry
from mlviz.algorithms.kernels.kernel_logistic import KernelLogistic
from mlviz.algorithms.kernels.kernel_ridge import KernelRidge
from mlviz.algorithms.regression.bayesian_linear import BayesianLinear
from mlviz.algorithms.regression.lp_regression import LpRegression
from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import generators
from mlviz.data.tables.reading import parse_table
from mlviz.draw.marks import Lines, Points
from mlviz.draw.plot import Plot
from mlviz.numerics.grid import Grid
from mlviz.picture import PanelPicture
from mlviz.picture.description import summary
from mlviz.picture.sklearn_code import python_code
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.files.scene_file import BadScene, from_json
from mlviz.scene.files.strict_json import parse
from mlviz.scene.scene import Panel, Scene
from mlviz.ui.app import make_application
from mlviz.ui.figure.figure import export
from mlviz.ui.paint.axes import Style
from mlviz.ui.shell.window import MainWindow
from mlviz.ui.tables.points_table import PointsTable
from tests.recovery.test_copies import copy_of
from tests.scene.files.test_bad_files import MEGABYTE
from tests.speed.table import measured
from tests.ui.hands import Desk

MANY = 100_000
LONG_CELLS = {"digits": "1" * 16000 + "x", "commas": "1,." * 5000 + "x", "power": "1e" + "1" * 16000 + "?"}


def _within(seconds: float, what: str, run: Callable[[], object]) -> None:
    run()  # what is imported late has been imported
    start = time.process_time()
    run()
    took = time.process_time() - start
    measured.limits[what] = {"ms": 1e3 * took, "limit": 1e3 * seconds}
    assert took < seconds


def _samples(name: str = "pca") -> Scene:
    rng = np.random.default_rng(0)
    return Scene(
        Dataset(rng.normal(0, 1.2, (MANY, 2)), rng.integers(0, 5, MANY)), (Panel(Pipeline(registry()[name]())),)
    )


def _wave(n: int, d: int = 1) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.uniform(-3, 3, (n, d))
    return X, np.sin(1.5 * X).sum(axis=1) + 0.2 * rng.normal(size=n)


@pytest.mark.parametrize("name", MEGABYTE)
def test_a_megabyte_of_a_bad_scene_file(name: str) -> None:
    frame, count, entry = MEGABYTE[name]
    content = (frame % ", ".join(entry % k for k in range(count))).encode()

    def read() -> None:
        with suppress(BadScene):
            from_json(parse(content))

    _within(1.0, f"a megabyte of a bad scene file: {name}", read)


@pytest.mark.parametrize("name", LONG_CELLS)
def test_a_long_cell_of_a_table(name: str) -> None:
    content = f"a,b\n1,2\n3,4\n5,{LONG_CELLS[name]}\n".encode()
    _within(1.0, f"a table with a long cell: {name}", lambda: parse_table(content))


def test_a_table_of_many_columns() -> None:
    table = parse_table((",".join(f"c{i}" for i in range(5000)) + "\n" + ",".join(["1"] * 5000) + "\n").encode())
    _within(1.0, "5,000 columns, each found by its name", lambda: [table.column(name) for name in table.columns])


@pytest.mark.parametrize("name", generators())
def test_a_generator(name: str) -> None:
    kind = generators()[name]
    _within(0.2, f"{MANY:,} samples of {name}", lambda: kind(n_samples=MANY, outliers=0.1).generate(0))


@pytest.mark.parametrize("name", registry())
def test_lines_of_python(name: str) -> None:
    dataset = generators()["moons"](n_samples=60).generate(0)
    pipeline = Pipeline(registry()[name]())
    scene = Scene(dataset, (Panel(pipeline),))
    model = pipeline.fit(dataset.X, dataset.labels if scene.panels[0].target is None else None)
    _within(0.02, f"the lines of Python of {name}", lambda: python_code(scene, 0, model))


def test_a_description() -> None:
    scene = _samples()
    _within(0.1, f"the description of {MANY:,} samples", lambda: summary(scene, 0, None))


def test_a_copy_of_unsaved_work() -> None:
    copy = copy_of(_samples())
    _within(0.05, f"the copy of {MANY:,} unsaved samples", copy.pack)


@pytest.mark.parametrize("restarts", [1, 20])
@pytest.mark.parametrize(("name", "key", "count"), [("gmm", "n_components", 9), ("kmeans", "n_clusters", 30)])
def test_many_clusters_of_many_samples_in_eight_inputs(name: str, key: str, count: int, restarts: int) -> None:
    X = np.random.default_rng(0).normal(0, 1.2, (MANY, 8))
    pipeline = Pipeline(registry()[name](**{key: count}, n_init=restarts))
    what = f"{name}, {count} clusters, {restarts} restarts, {MANY:,} samples of 8 inputs"
    _within(2.0, what, lambda: pipeline.fit(X, None))


@pytest.mark.parametrize("eps", [0.02, 0.5])
def test_thousands_of_heaps_by_dbscan(eps: float) -> None:
    rng = np.random.default_rng(0)
    X = rng.uniform(-4, 4, (3000, 2))[rng.integers(0, 3000, MANY)] + rng.normal(0, 0.002, (MANY, 2))
    pipeline, grid = Pipeline(registry()["dbscan"](eps=eps)), Grid.over((-4, 4, -4, 4), 200, 200)
    what = f"dbscan, eps = {eps:g}, 3,000 heaps of {MANY:,} samples, with the field"
    _within(1.0, what, lambda: pipeline.fit(X, None).on_grid(grid))


def test_evidence_of_many_samples() -> None:
    X, y = _wave(MANY)
    method = BayesianLinear(evidence="both by evidence", basis="polynomial", degree=9)
    _within(2.0, f"bayesian-linear by evidence, {MANY:,} samples", lambda: method.fit(X, y))


def test_a_kernel_of_more_samples_than_are_exact() -> None:
    rng = np.random.default_rng(2)
    y = np.arange(6000) % 2
    X = rng.normal(size=(6000, 2)) + 2.0 * y[:, None]
    _within(20.0, "kernel-logistic, 6,000 samples", lambda: KernelLogistic().fit(X, y))


@pytest.mark.parametrize("settings", [{"power": 1.0}, {"loss": "Huber"}, {"power": 3.0}, {"power": 0.5}], ids=str)
def test_pauses_of_lp_regression(settings: dict[str, object]) -> None:
    X, y = _wave(MANY)
    clock = [time.process_time()]
    for _ in LpRegression(**settings).steps(X, y, np.random.default_rng(0)):
        clock.append(time.process_time())
    longest = float(np.diff(clock).max())
    measured.limits[f"lp-regression, {settings}, {MANY:,} samples: longest step"] = {"ms": 1e3 * longest, "limit": 1e3}
    assert longest < 1.0


def test_a_drag_of_kernel_ridge() -> None:
    X, y = _wave(500, 2)
    pipeline, follower = Pipeline(KernelRidge()), Pipeline(KernelRidge()).follower()
    grid = Grid.over((-4, 4, -4, 4), 200, 200)

    def drag() -> None:
        X[0] += 0.01
        follower.update(pipeline, X.copy(), y).on_grid(grid, np.float32)

    _within(0.03, "kernel-ridge: one sample of 500 moved, with its field", drag)


def test_a_table_of_many_samples() -> None:
    make_application([])
    window = MainWindow()
    window.store.push(window.store.scene.replace(dataset=_samples().dataset), "many")
    window.actions_.action("points").trigger()
    table = window.findChild(PointsTable)
    chosen = table.view.selectionModel()
    for what, run in {
        "scrolled to the end": lambda: (table.view.scrollToBottom(), table.view.grab()),
        "a number typed": lambda: table.model.setData(table.model.index(5, 0), "1.5"),
        "one selected": lambda: chosen.select(
            table.model.index(7, 0), QItemSelectionModel.SelectionFlag.ClearAndSelect
        ),
        "all selected": table.view.selectAll,
    }.items():
        _within(1.0, f"a table of {MANY:,} samples: {what}", run)
    window.documents.may_discard = lambda: True
    window.close()


def test_erasing_among_many_samples(qtbot: QtBot) -> None:
    rng = np.random.default_rng(0)
    desk = Desk(qtbot, rng.normal(0, 1.2, (MANY, 2)), np.arange(MANY) % 3, algorithm="svm")
    desk.canvas.repaint()
    desk.hand.tool = "eraser"
    places = iter(np.linspace(-1, 1, 4))
    acts = {"erased": lambda: desk.click(next(places), 0.5), "brought back": desk.store.undo}
    for what, act in acts.items():
        _within(0.1, f"samples of {MANY:,} {what}", lambda act=act: (act(), desk.canvas.repaint()))


@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf"])
def test_a_figure_of_many_samples(tmp_path: Path, ending: str) -> None:
    make_application([])
    scene = _samples("svm")
    rows = np.arange(0, MANY, 10)
    marks = (
        Lines("boundary", np.array([(-4.0, 0.0), (4.0, 0.0)]), label="decision boundary"),
        Points("misclassified", scene.dataset.X[rows], rows=rows),
    )
    picture = PanelPicture(0, 0, "", Plot("data", "", "x1", "x2", marks, limits=(-4.0, 4.0, -4.0, 4.0)), caption="many")
    path = tmp_path / f"many{ending}"
    _within(
        20.0,
        f"a figure of {MANY:,} samples, {ending}",
        lambda: export(path, [picture], scene, (800, 600), Style(), dpi=192),
    )
