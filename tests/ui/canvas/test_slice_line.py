"""The tool that draws the line along which the function is cut."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from mlviz.data.generators.catalog import generators
from mlviz.ui.shell.menu import command_functions
from tests.ui.hands import Desk


@pytest.fixture
def desk(qtbot):
    desk = Desk(qtbot, [(0, 0), (1, 1)])
    desk.hand.tool = "slice"
    return desk


def line(desk):
    return desk.store.scene.view.slice


def test_a_drag_draws_it_and_nothing_is_recorded(desk):
    data = desk.data
    desk.drag((-2, -1), (2, 1))
    np.testing.assert_allclose(line(desk), (-2, -1, 2, 1), atol=0.02)
    assert desk.data is data and desk.store.undo_what is None


def test_each_end_and_the_whole_line_can_be_moved(desk):
    desk.drag((-2, -1), (2, 1))
    desk.drag((2, 1), (3, -1))
    np.testing.assert_allclose(line(desk), (-2, -1, 3, -1), atol=0.03)
    desk.drag((-2, -1), (-3, 2))
    np.testing.assert_allclose(line(desk), (-3, 2, 3, -1), atol=0.03)
    desk.drag((0, 0.5), (0, 1.5))
    np.testing.assert_allclose(line(desk), (-3, 3, 3, 0), atol=0.05)
    desk.drag((-2, -3), (2, -3))  # elsewhere: another one
    np.testing.assert_allclose(line(desk), (-2, -3, 2, -3), atol=0.03)


def test_a_click_elsewhere_or_escape_takes_it_away_and_a_click_on_it_does_not(desk):
    desk.drag((-2, -1), (2, 1))
    desk.click(0, 0)
    assert line(desk) is not None
    desk.click(0, 3)
    assert line(desk) is None
    desk.drag((-2, -1), (2, 1))
    desk.key(Qt.Key.Key_Escape)
    assert line(desk) is None


def test_escape_during_the_drag_brings_back_the_one_before(desk):
    desk.drag((-2, -1), (2, 1))
    before = line(desk)
    desk.drag((2, 1), (3, 3), release=False)
    desk.key(Qt.Key.Key_Escape)
    assert line(desk) == before
    desk.let_go(3, 3)


def test_its_ends_are_shown_while_its_tool_is_in_the_hand(desk):
    desk.drag((-2, -1), (2, 1))
    assert {mark.role for mark in desk.canvas.preview_marks()} == {"slice", "now"}
    desk.hand.tool = "pen"
    assert desk.canvas.preview_marks() == []


def test_the_tool_chosen_again_takes_the_line_away(window):
    command_functions.choose_tool(window, "slice")
    window.store.look(window.store.scene.with_view(slice=(0.0, 0.0, 1.0, 1.0)))
    command_functions.choose_tool(window, "slice")
    assert window.store.scene.view.slice is None and window.hand.tool == "slice"


def test_the_plot_along_the_line_comes_to_the_front_or_it_is_said_that_there_is_none(qtbot, make_window):
    window = make_window(live=True)
    window.presets.draw(generators()["moons"]().generate(0))
    for method, there in (("svm", True), ("kmeans", False)):
        window.sidebar.chooser.choose(method)
        window.sides.tabs.setCurrentIndex(1)
        qtbot.waitUntil(lambda there=there: ("cut" in window.sides.plots) is there)
        window.store.look(window.store.scene.with_view(slice=(-1.0, 0.0, 1.0, 0.5)))
        if there:
            assert window.sides.front == "cut"
        assert ("no sum of bumps" in window.status.currentMessage()) is not there
        window.store.look(window.store.scene.with_view(slice=None))
