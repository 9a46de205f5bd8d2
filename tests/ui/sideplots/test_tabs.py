"""The tabs of side plots: what is in front, full size, in a window of its own, and what is not seen."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QWidget

from mlviz.draw.marks import Lines
from mlviz.draw.plot import Handle, Plot
from mlviz.ui.paint.axes import Style
from mlviz.ui.sideplots import loading
from mlviz.ui.sideplots.plot_view import PlotView
from mlviz.ui.sideplots.tabs import SideTabs

LINE = Lines("curve", np.array([[0.0, 0.0], [1.0, 1.0]]))
HANDLE = Handle("algorithm.C", LINE.xy, np.array([1.0, 2.0]), 0)
FIRST = Plot("first", "First", "x", "y", (LINE,), handles=(HANDLE,))
SECOND = Plot("second", "Second", "x", "y", (LINE,))
EQUAL = Plot("gram", "Gram matrix", "sample", "sample", (), (0, 1, 0, 1), equal=True)


@pytest.fixture
def tabs(qtbot):
    widget = SideTabs(Style(), cover=lambda pane: None)
    qtbot.addWidget(widget)
    widget.resize(400, 240)
    widget.show()
    qtbot.waitUntil(loading.loaded)
    return widget


def view(pane):
    return pane.findChild(PlotView)


def shown(qtbot, pane):
    """The pane, as soon as it shows its newest plot."""
    qtbot.waitUntil(lambda: view(pane) is not None and view(pane).plot is pane.plot)
    return pane


def test_a_plot_with_equal_units_in_front_takes_no_room_from_the_canvas(tabs):
    tabs.show_plots((FIRST, EQUAL))
    low = tabs.minimumHeight()
    tabs.tabs.setCurrentIndex(1)
    assert tabs.minimumHeight() == low


def test_a_plot_that_a_draft_does_not_have_stays_faded(qtbot, tabs):
    tabs.show_plots([FIRST])
    crisp = shown(qtbot, tabs.plots["first"]).grab().toImage()
    tabs.show_plots([], held=True)
    assert list(tabs.plots) == ["first"]
    faded = tabs.plots["first"].grab().toImage()
    assert faded != crisp and faded.size() == crisp.size()
    tabs.show_plots([FIRST])
    qtbot.waitUntil(lambda: tabs.plots["first"].grab().toImage() == crisp)
    tabs.show_plots([])
    assert not tabs.plots


def test_what_is_behind_is_neither_made_nor_followed(qtbot, tabs):
    tabs.show_plots([FIRST, SECOND])
    shown(qtbot, tabs.plots["first"])
    assert view(tabs.plots["second"]) is None
    tabs.tabs.setCurrentIndex(1)
    shown(qtbot, tabs.plots["second"])
    newer = Plot("first", "First", "x", "other", (LINE,))
    tabs.show_plots([newer, SECOND])
    QTest.qWait(60)
    assert view(tabs.plots["first"]).plot is FIRST
    tabs.tabs.setCurrentIndex(0)
    assert view(tabs.plots["first"]).plot is newer


def test_a_plot_is_seen_while_what_shows_it_is_being_loaded(qtbot, tabs, monkeypatch):
    monkeypatch.setattr(loading, "loaded", lambda: False)
    tabs.show_plots([FIRST])
    QTest.qWait(60)
    early = tabs.plots["first"].grab().toImage()
    assert view(tabs.plots["first"]) is None
    monkeypatch.undo()
    later = shown(qtbot, tabs.plots["first"]).grab().toImage()
    assert early.size() == later.size() and early != later
    middle = early.rect().center()
    assert early.pixelColor(middle) == later.pixelColor(middle)


@pytest.fixture
def plotted(window, qtbot):
    """A window that has side plots."""
    window.sides.show_plots([FIRST, SECOND])
    window.sides.show()
    shown(qtbot, window.sides.plots["first"])
    return window


def covers(window, name="first"):
    """Whether that plot is shown over the current canvas, and nothing of the canvas beside it."""
    pane = window.sides.plots[name]
    corner = pane.mapTo(window, pane.rect().topLeft())
    return pane.isVisible() and not pane.home and corner == window.canvas.mapTo(window, window.canvas.rect().topLeft())


WAYS = {
    "command": lambda window: window.actions_.action("plot full size").trigger(),
    "button": lambda window: QTest.mouseClick(
        next(b for b in window.sides.tabs.cornerWidget().children() if getattr(b, "text", str)() == "Full size"),
        Qt.MouseButton.LeftButton,
    ),
    "double click": lambda window: window.sides.tabs.tabBarDoubleClicked.emit(0),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_plot_goes_full_size_and_back(plotted, qtbot, way):
    pane, dataset = plotted.sides.plots["first"], plotted.store.scene.dataset
    WAYS[way](plotted)
    qtbot.waitUntil(lambda: covers(plotted) and pane.size() == plotted.canvas.size())
    for button in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):
        QTest.mouseClick(view(pane).viewport(), button, Qt.KeyboardModifier.NoModifier, pane.rect().center())
    assert plotted.store.scene.dataset is dataset  # the canvas below is not clicked
    WAYS[way](plotted)
    assert pane.home and pane.isVisible() and not covers(plotted)


def test_escape_leaves_full_size_before_the_presentation(plotted, qtbot):
    plotted.presentation.show(True)
    plotted.sides.toggle_full()
    qtbot.waitUntil(lambda: covers(plotted))
    QTest.keyClick(plotted.canvas, Qt.Key.Key_Escape)
    assert plotted.sides.plots["first"].home and plotted.appearance.presenting
    QTest.keyClick(plotted.canvas, Qt.Key.Key_Escape)
    assert not plotted.appearance.presenting


def test_a_plot_has_a_window_until_it_is_closed(plotted, qtbot):
    pane = plotted.sides.plots["first"]
    plotted.actions_.action("plot window").trigger()
    window = pane.window()
    assert isinstance(window, QDialog) and window.windowTitle() == "First – mlviz" and pane.isVisible()
    newer = Plot("first", "First", "x", "other", (LINE,), handles=(HANDLE,))
    plotted.sides.show_plots([newer, SECOND])
    shown(qtbot, pane)
    with qtbot.waitSignal(plotted.sides.dragged):
        view(pane)._grips[0].dragged.emit("algorithm.C", 2.0, True)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert pane.home
    plotted.sides.open_window()
    plotted.sides.toggle_full()
    qtbot.waitUntil(lambda: covers(plotted))
    plotted.sides.open_window()
    plotted.sides.show_plots([SECOND])  # it is gone, and so is its window
    plotted.sides.toggle_full()
    qtbot.waitUntil(lambda: covers(plotted, "second"))
    plotted.sides.show_plots([])
    assert not plotted.sides.back() and not [child for child in plotted.findChildren(QDialog) if child.isVisible()]


def test_without_a_plot_nothing_is_shown_full_size(window):
    window.sides.toggle_full()
    window.sides.open_window()
    assert not window.sides.back()


@pytest.mark.parametrize("chosen", [False, True])
def test_another_method_shows_its_own_first_plot_unless_somebody_looks_at_another(tabs, chosen):
    tabs.show_plots([SECOND, EQUAL])
    assert tabs.front == "second"
    if chosen:
        bar = tabs.tabs.tabBar()
        QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(1).center())
        assert tabs.front == "gram"
    tabs.show_plots([FIRST, SECOND, EQUAL])
    assert tabs.front == ("gram" if chosen else "first")
    tabs.show_plots([FIRST, SECOND, EQUAL])
    tabs.show_plots([], held=True)
    tabs.show_plots([FIRST, SECOND, EQUAL])
    assert tabs.front == ("gram" if chosen else "first")


def test_the_name_of_the_tab_in_front_is_always_in_sight(qtbot, tabs):
    many = [Plot(f"plot{k}", f"Number of clusters {k}", "x", "y", (LINE,)) for k in range(8)]
    bar = tabs.tabs.tabBar()

    def in_sight():
        name = bar.tabRect(bar.currentIndex())
        return name.left() >= 0 and name.left() + min(name.width(), 60) <= bar.width()

    for count in range(1, len(many) + 1):
        tabs.bring_to_front(many[count - 1].id)
        tabs.show_plots(many[:count])
        assert tabs.front == many[count - 1].id
        qtbot.waitUntil(in_sight)
    tabs.show_plots(many[4:])
    qtbot.waitUntil(in_sight)
    for name in (many[4].id, many[7].id):
        tabs.bring_to_front(name)
        tabs.resize(640, 240)
        tabs.resize(400, 240)
        qtbot.waitUntil(in_sight)


def test_a_plot_is_in_sight_in_its_tab_or_in_a_window_of_its_own(qtbot, tabs):
    window = QWidget()
    qtbot.addWidget(window)
    tabs.setParent(window)
    tabs.show()
    assert tabs.in_sight == ""
    tabs.show_plots((FIRST, SECOND))
    assert tabs.in_sight == "first"
    tabs.tabs.setCurrentIndex(1)
    assert tabs.in_sight == "second"
    tabs.hide()
    assert tabs.in_sight == "" and tabs.front == "second"
    tabs.open_window()
    assert tabs.in_sight == "second"
    window.findChild(QDialog).close()
    assert tabs.in_sight == ""
    tabs.setParent(None)
