"""The line at the bottom says how many points there are, where the cursor is, and what the model says there."""

import re

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene, View
from tests.ui.hands import LEFT, NONE, mouse
from tests.ui.samples import some_points

NO_BUTTON = Qt.MouseButton.NoButton


@pytest.mark.parametrize(
    ("n", "words"),
    [
        (0, "0 points"),
        (1, "1 point"),
        (2, "2 points, 1 held out"),
        (3, "3 points, 1 held out, 1 off"),
        (1200, "1,200 points, 240 held out, 172 off"),
    ],
)
def test_it_counts_all_points_and_those_that_take_no_part(window, n, words):
    data = some_points(n)
    resting = Dataset(data.X, data.labels, held_out=np.arange(n) % 5 == 1, active=np.arange(n) % 7 != 2)
    window.store.push(window.store.scene.replace(dataset=resting), "points")
    assert window.status.count.text() == words


@pytest.mark.parametrize("place", [(0.1234, -1.5), (0.0, 0.0), (-2.75, 3.125)])
@pytest.mark.parametrize("width", [8.0, 0.5, 1e6])
def test_it_says_where_the_cursor_is_to_a_pixel(window, place, width):
    x, y = (value * width / 8 for value in place)
    half = width / 2
    window.store.look(window.store.scene.with_view(limits=(-half, half, -half, half)))
    window.status.show_place(window.canvas.axes, (x, y))
    said = [float(line.rpartition(" ")[2].replace("−", "-")) for line in window.status.place.text().splitlines()]
    assert [line.rpartition(" ")[0] for line in window.status.place.text().splitlines()] == ["x1", "x2"]
    np.testing.assert_allclose(said, (x, y), atol=width / 500)
    assert not re.search(r"−0(\.0*)?$", window.status.place.text(), re.MULTILINE)


@pytest.mark.parametrize("method", ["svm", "knn", "logistic", "kmeans", "linear-regression"])
def test_it_tells_the_sentence_of_the_picture(window, method):
    scene = Scene(some_points(20), (Panel(Pipeline(registry()[method]())),), view=View(probe=(0.3, 0.2)))
    window.store.reset(scene)
    (picture,) = draw(scene, [(100, 80)], 10)
    window.link.pictured.emit(picture)
    window.status.show_picture(picture)
    assert window.status.here.toolTip() == picture.explanation.sentence != ""
    first = " ".join(window.status.here.text().splitlines()[0].partition(": ")[2].split(" "))
    assert picture.explanation.sentence.startswith(first.rstrip("…")) and first
    number, unit = re.fullmatch(r"fitted in ([\d.]+) (ms|s)", window.status.time.text()).groups()
    assert float(number) * {"ms": 1, "s": 1000}[unit] == pytest.approx(picture.fit_ms, rel=0.06, abs=0.06)


@pytest.mark.parametrize("x", [-3.7, -0.47, 0.3, 3.7])
def test_what_a_gaussian_process_says_has_room_in_a_small_window(window, x):
    window.resize(1024, 768)
    scene = Scene(some_points(20), (Panel(Pipeline(registry()["gp"]())),), view=View(probe=(x, 0.2)))
    window.store.reset(scene)
    (picture,) = draw(scene, [(100, 80)], 10)
    window.status.show_picture(picture)
    told = window.status.here.text()
    assert "the largest parts: " in told and "With probability 95" in told and "…" not in told


def test_what_has_no_room_is_left_out_between_words(window):
    sentence = " ".join(f"class {k} with probability 0.{k}{k}354," for k in range(1, 9))
    status = window.status
    for width in range(250, 1200, 7):
        status.here.resize(width, status.here.height())
        status._sentence = sentence
        status._show_here()
        first, _, second = status.here.text().partition("\n")
        whole, words = f"here (W pins): {sentence}".split(), f"{first} {second}".split()
        cut = words.index("…") if "…" in words else len(words)
        assert [*words[:cut], *words[cut + 1 :]] == [*whole[:cut], *whole[len(whole) - len(words[cut + 1 :]) :]]
        assert status.here.fontMetrics().horizontalAdvance(second) <= width - 8
    assert sentence in status.here.toolTip()


def test_a_dragged_point_leaves_no_answer_of_another_place_behind(qtbot, window):
    scene = Scene(some_points(20), (Panel(Pipeline(registry()["knn"]())),) * 2, view=View(probe=(0.3, 0.2)))
    window.store.reset(scene)
    window.hand.cursor = (0.3, 0.2)
    sizes = [(100, 80)] * 2
    for picture in draw(scene, sizes, 10):
        window.link.pictured.emit(picture)
    left, right = window.panels.canvases
    window._show_numbers()
    evidence = len(right.preview_marks())
    assert evidence and window.status.here.text()
    frame = left.frame()
    press, to = (QPointF(*frame.to_pixels([place])[0]) for place in (scene.dataset.X[0].tolist(), (1.0, 1.0)))
    mouse(left, QEvent.Type.MouseButtonPress, press, LEFT, LEFT, NONE)
    mouse(left, QEvent.Type.MouseMove, to, NO_BUTTON, LEFT, NONE)
    qtbot.waitUntil(lambda: not window.status.here.text())
    for canvas in (left, right):
        assert not any(mark in canvas.preview_marks() for mark in canvas.picture.explanation.marks)
    for picture in draw(window.store.scene, sizes, 10):  # a draft that was asked for on the way
        window.link.pictured.emit(picture)
    window._show_numbers()
    assert not window.status.here.text() and not right.preview_marks()
    mouse(left, QEvent.Type.MouseButtonRelease, to, LEFT, NO_BUTTON, NONE)
    qtbot.waitUntil(lambda: window.store.scene.view.probe != (0.3, 0.2))
    for picture in draw(window.store.scene, sizes, 10):
        window.link.pictured.emit(picture)
    window._show_numbers()
    assert window.status.here.text() and len(right.preview_marks()) == evidence
