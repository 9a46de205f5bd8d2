"""The picture in words, checked against numbers that were computed otherwise."""

import re

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import generators
from mlviz.picture import draw
from mlviz.picture.description import summary
from mlviz.pipeline.decisions import Decision
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene import edits
from mlviz.scene.scene import Panel, Scene
from mlviz.ui.figure.figure import export, plot_sizes
from mlviz.ui.paint.axes import Style
from tests.sweep import sweep
from tests.ui.hands import Desk


def told(dataset, name, target=None, probe=None, **values):
    scene = Scene(dataset, (Panel(Pipeline(registry()[name](**values)), target=target),)).with_view(probe=probe)
    (picture,) = draw(scene, ((400, 400),), 60)
    return summary(scene, 0, picture)


SQUARE = Dataset(np.array([[-1.0, -1], [-1, 1], [1, -1], [1, 1]]), [0, 0, 1, 1], ("width", "height"))


def test_a_straight_boundary_is_told_from_end_to_end():
    words = told(SQUARE, "svm", kernel="linear", hard_margin=True)
    assert words.startswith("support vector machine, ")
    assert "The horizontal axis is width, from −4 to 4; the vertical one is height, from −4 to 4." in words
    assert "There are 4 points." in words
    assert "2 of class 1 (blue circle), on average at (−1, 0), with standard deviations of 0 by 1." in words
    line = next(line for line in words.splitlines() if "decision boundary goes" in line)
    assert line == "The decision boundary goes straight from (0, 4) to (0, −4)."
    assert "Regions: 50\u00a0% class 1, 50\u00a0% class 2 of what is seen." in words
    assert "margin width 1" in words
    assert "support vectors" in words and "margins f = ±1" in words


def test_what_is_left_open_is_told():
    panel = Panel(Pipeline(registry()["knn"](n_neighbors=4), decision=Decision(rule="costs", reject=True)))
    scene = Scene(SQUARE, (panel,))
    (picture,) = draw(scene, ((400, 400),), 60)
    assert "Rejected: no class is chosen: 100\u00a0% of what is seen." in summary(scene, 0, picture)


def test_a_curve_is_told_by_its_ends_and_extremes():
    x = np.linspace(-2, 2, 9)
    words = told(Dataset(np.column_stack((x, 1 - x**2)), np.zeros(9, int)), "linear-regression", "x2",
                 basis="polynomial", degree=2)  # fmt: skip
    line = next(line for line in words.splitlines() if line.startswith("The prediction"))
    assert "from (−4, −15) to (4, −15)" in line and "highest at (0" in line.replace("−", "").replace("0.00501", "0")


def test_centres_steps_and_side_plots_are_told():
    words = told(Dataset(np.array([[0.0, 0], [0, 1], [3, 0], [3, 1]]), [0, 0, 1, 1]), "kmeans", n_clusters=2)
    assert "Centres: 2, at (0, 0.5), (3, 0.5)." in words
    assert "inertia 1" in words and "Side plots: " in words
    assert "(grey circle)" in words and "(grey square)" in words and "blue" not in words


def test_what_is_under_the_cursor_and_what_rests_is_told():
    held = Dataset(SQUARE.X, SQUARE.labels, held_out=[True, False, False, False])
    words = told(held, "knn", probe=(0.9, 0.9), n_neighbors=1)
    assert "There are 4 points, 1 held out." in words
    assert "At the cursor, (0.9, 0.9): " in words


def test_why_there_is_no_model_is_told():
    assert "All samples are of one class" in told(Dataset(SQUARE.X, [0] * 4), "svm")
    assert "There are no points." in told(Dataset(np.empty((0, 2)), []), "svm")


@pytest.mark.parametrize("name", registry())
def test_every_method_is_told_in_short_sentences(name):
    words = told(generators()["moons"]().generate(1), name, None if name != "knn" else "x2", probe=(0.2, 0.1))
    lines = words.splitlines()
    assert len(lines) >= 6
    assert all(line.endswith(".") and len(line) < 900 for line in lines), words
    assert not re.search(r"\bnan\b", words) and "array" not in words and "np." not in words


def test_the_axes_are_told_as_equal_units_show_them(qtbot, tmp_path):
    desk = Desk(qtbot, [(0, 0), (1, 1)])
    desk.store.look(desk.store.scene.with_view(equal=True))
    _, x1, y0, y1 = desk.canvas.frame().limits
    assert (y0, y1) == (-4, 4) and x1 > 4.5
    assert f"from −{x1:.3g} to {x1:.3g}; the vertical one is x2, from −4 to 4." in desk.canvas.in_words()
    (picture,) = draw(desk.store.scene, ((600, 300),), 60)
    export(tmp_path / "a.svg", [picture], desk.store.scene, (600, 300), Style())
    ((width, height),) = plot_sizes((600, 300), desk.store.scene, Style())
    assert f"from −{4 * width / height:.3g} to" in (tmp_path / "a.svg").read_text(encoding="utf-8")


LATER = {
    "none": Dataset(np.empty((0, 2)), np.empty(0, int)),
    "one": Dataset(np.array([[0.5, 0.5]]), [0]),
    "other columns": Dataset(np.arange(12.0).reshape(4, 3), [0, 1, 2, 2], ("a", "b", "c")),
}


@sweep("method, later", registry(), LATER)
def test_a_picture_that_is_older_than_the_samples_is_told_too(method, later):
    """Who deletes samples and goes to a canvas, or asks for its words, is there before the new picture."""
    rng = np.random.default_rng(0)
    labels = np.arange(20) % 2
    samples = Dataset(rng.normal(size=(20, 2)) + labels[:, None], labels)
    scene = edits.with_method(Scene(samples, (Panel(Pipeline(registry()["lda"]())),)), 0, method)
    (picture,) = draw(scene, ((300, 300),), 20)
    words = summary(scene.replace(dataset=LATER[later]), 0, picture)
    assert words and "held out" not in words
