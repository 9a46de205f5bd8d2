"""Nothing moves but what is changed: the canvas, its axes and the controls keep their places."""

import itertools

import pytest
from PySide6.QtCore import QPoint, QSize
from PySide6.QtWidgets import QApplication, QStyle

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.picture import draw
from mlviz.scene import edits
from mlviz.scene.defaults import default_scene
from mlviz.ui.shell.window import MainWindow
from tests.sweep import chosen, share
from tests.ui.conftest import SilentLink
from tests.ui.samples import some_points

pytestmark = pytest.mark.slow
SMALL, LARGE = (1024, 768), (1280, 800)


def answer(window, canvases=None):
    """Show what the worker would answer, on so many canvases where the others have changed nothing."""
    scene, sizes = window.store.scene, [canvas.area_size() for canvas in window.panels.canvases]
    for picture in draw(scene.replace(panels=scene.panels[:canvases]), sizes[:canvases], 8):
        window.link.pictured.emit(picture)
    window._show_numbers()
    QApplication.processEvents()


def places(window):
    """Where canvases, axes and the controls that all methods share are in the window."""
    parts = [*window.panels.canvases, window.sides, window.sidebar.chooser, window.status]
    found = [(part.mapTo(window, QPoint()), part.size(), part.isVisible()) for part in parts]
    bar = window.actions_.toolbar
    buttons = [bar.widgetForAction(action).geometry() for action in bar.actions()]
    return found, [canvas.frame().area for canvas in window.panels.canvases], buttons


SITUATIONS = [(SMALL, 1, False), (SMALL, 4, True), (LARGE, 2, True), (LARGE, 6, False)]
CHANGES = chosen(list(itertools.product(registry(), SITUATIONS)), fewest=1)


@pytest.mark.parametrize("situation", SITUATIONS, ids=[f"situation{k}" for k in range(len(SITUATIONS))])
def test_another_method_moves_nothing(staged, situation):
    size, canvases, presenting = situation
    scene = default_scene().replace(dataset=some_points(20))
    for _ in range(canvases - 1):
        scene = edits.with_another_panel(scene, 0)
    window = staged(scene)
    window.resize(*size)
    window.presentation.show(presenting)
    window.resize(*size)
    answer(window)
    before = places(window)
    for method in share([method for method, where in CHANGES if where == situation], situation, 2):
        window.store.push(edits.with_method(window.store.scene, 0, method), "method")
        answer(window, 1)
        assert places(window) == before, method


FIRST_ACTIONS = {
    "a click": lambda window: window.store.push(window.store.scene.replace(dataset=some_points(1)), "add point"),
    "a preset": lambda window: window.presets.draw_preset("two-gaussians"),
    "a table": lambda window: window.presets.open_shipped("iris"),
    "a method": lambda window: window.sidebar.chooser.choose("knn"),
}


@pytest.mark.parametrize(("first", "wanted"), [*((first, False) for first in FIRST_ACTIONS), ("a preset", True)])
def test_the_axes_keep_their_place_whatever_comes_first(make_window, first, wanted):
    """The side plots are closed until they are asked for, then there in each window, also in empty ones."""
    if wanted:
        make_window().actions_.action("sides").trigger()
    window = make_window()
    answer(window)
    where = window.canvas.geometry(), window.canvas.frame().area
    assert window.sides.isVisible() == wanted
    FIRST_ACTIONS[first](window)
    answer(window)
    window.store.push(window.store.scene.replace(dataset=some_points(20)), "points")
    answer(window)
    window.store.push(edits.without_samples(window.store.scene), "clear")
    answer(window)
    assert (window.canvas.geometry(), window.canvas.frame().area) == where
    assert window.sides.isVisible() == wanted


@pytest.fixture
def untold(window):
    """A window that has not said yet where the side plots are."""
    window._told_of_sides = False
    return window


def test_one_line_says_once_where_the_side_plots_are(untold):
    window = untold
    window.presets.draw_preset("blobs")
    answer(window)
    assert "(Shift+F9)" in window.status.currentMessage()
    window.presets.draw_preset("moons")
    answer(window)
    assert not window.status.currentMessage()


def test_what_the_model_says_under_the_cursor_is_not_put_off_by_where_the_side_plots_are(untold):
    window = untold
    window.store.look(window.store.scene.with_view(probe=(0.0, 0.0)))
    window.presets.draw_preset("blobs")
    window.store.look(window.store.scene.with_view(probe=(0.0, 0.0)))
    answer(window)
    assert window.pictures.get(0).explanation is not None and not window.status.currentMessage()
    window.store.look(window.store.scene.with_view(probe=None))
    answer(window)
    assert "(Shift+F9)" in window.status.currentMessage()


def test_a_click_on_the_legend_says_what_keeps_the_sample_away(untold):
    window = untold
    window.presets.draw_preset("blobs")
    answer(window)
    window.canvas.legend.clicked.emit()
    assert "legend" in window.status.currentMessage()


def test_where_the_side_plots_are_is_not_said_of_those_that_are_seen(make_window):
    window = make_window()
    window.presets.draw_preset("blobs")
    answer(window)
    assert "(Shift+F9)" in window.status.currentMessage()
    window.actions_.action("sides").trigger()
    assert window.sides.isVisible() and not window.status.currentMessage()
    other = make_window()
    other.presets.draw_preset("blobs")
    answer(other)
    assert not other.status.currentMessage()


def test_results_come_with_the_first_fit_and_stay(make_window):
    window = make_window()
    answer(window)
    assert not window.sidebar.facts.isVisible()
    window.store.push(window.store.scene.replace(dataset=some_points(20)), "points")
    answer(window)
    fitted = places(window)
    assert window.sidebar.facts.isVisible() and window.sidebar.layers.isVisible()
    window.store.push(edits.without_samples(window.store.scene), "clear")
    answer(window)
    assert places(window) == fitted
    window.actions_.action("sides").trigger()
    assert window.sides.isVisible() and window.actions_.action("sides").isChecked()
    window.sides.closed.emit()
    assert not window.sides.isVisible() and not window.actions_.action("sides").isChecked()
    assert places(window) == fitted


def test_nothing_moves_under_the_hand_that_adds_the_first_points(make_window):
    window = make_window()
    before = places(window)
    window.store.push(window.store.scene.replace(dataset=some_points(20)), "points", merge="hand")
    answer(window)
    assert places(window) == before and not window.sidebar.facts.isVisible()
    window.store.settle()
    answer(window)
    assert places(window) == before and window.sidebar.facts.isVisible()


def test_one_more_class_moves_no_button(window):
    before = places(window)
    data = some_points(9)
    window.store.push(window.store.scene.replace(dataset=Dataset(data.X, range(9))), "points")
    assert sum(button.isVisible() for button in window.actions_.classes.buttons) == 9
    assert places(window)[2] == before[2]
    assert window.actions_.classes.more.isHidden()


def test_the_panel_is_as_wide_with_its_scroll_bar_as_without(staged):
    window = staged(default_scene().replace(dataset=some_points(20)))
    answer(window)
    widths = set()
    for height in (2000, 500):
        window.resize(1200, height)
        QApplication.processEvents()
        bar = window.sidebar.scrolled.verticalScrollBar()
        assert (bar.maximum() > 0) == (height == 500)
        widths.add(window.sidebar.chooser.width())
    assert len(widths) == 1


@pytest.mark.parametrize(("width", "height", "maximized"), [(1024, 768, True), (1366, 768, False), (1280, 1024, True)])
def test_on_a_small_screen_the_window_takes_all_of_it(qtbot, preferences, monkeypatch, width, height, maximized):
    class Screen:
        def size(self):
            return QSize(width, height)

        def availableSize(self):
            return QSize(width, height - 30)

    monkeypatch.setattr(MainWindow, "screen", lambda window: Screen())
    window = MainWindow(None, SilentLink(), preferences)
    qtbot.addWidget(window)
    title = window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
    assert window.height() + title <= height - 30 and window.width() <= width
    shown = []
    monkeypatch.setattr(window, "show", lambda: shown.append(False))
    monkeypatch.setattr(window, "showMaximized", lambda: shown.append(True))
    window.show_first()
    assert shown == [maximized]


def test_the_canvas_keeps_its_place_under_the_hand_that_clicks_the_first_points(make_window):
    window = make_window()
    answer(window)
    before = window.canvas.geometry(), window.canvas.frame().area
    data = some_points(12)
    for n in range(1, 13):
        points = Dataset(data.X[:n], data.labels[:n])
        window.store.push(window.store.scene.replace(dataset=points), "add point")
        answer(window)
        assert (window.canvas.geometry(), window.canvas.frame().area) == before
