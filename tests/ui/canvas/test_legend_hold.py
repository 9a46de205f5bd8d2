"""The legend takes its own presses: it is dragged and folded, and no tool sees them."""

import dataclasses
import itertools

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.draw.marks import Lines
from mlviz.interaction.tools import TOOLS
from mlviz.picture.render import draw
from mlviz.ui.paint import layers
from mlviz.ui.paint.aside import made_aside
from mlviz.ui.paint.axes import AxesFrame, Style
from mlviz.ui.paint.legend import arranged, arranged_beside, size_of
from tests.sweep import of_families
from tests.ui.hands import ALT, LEFT, NONE, RIGHT, Desk, mouse


@pytest.fixture
def desk(qtbot):
    desk = Desk(qtbot, [(-2, -2), (-1, -2), (-2, -1)], [0, 1, 2])
    desk.canvas.grab()
    return desk


def drag_legend(desk, by, button=LEFT, keys=NONE):
    box = desk.canvas.legend_box()
    drag_from(desk, box.center().toPoint(), by, button, keys)
    return box, desk.canvas.legend_box()


def drag_from(desk, start, by, button=LEFT, keys=NONE):
    mouse(desk.canvas, QEvent.Type.MouseButtonPress, start, button, button, keys)
    for k in range(1, 6):
        at = start + QPoint(by[0] * k // 5, by[1] * k // 5)
        mouse(desk.canvas, QEvent.Type.MouseMove, at, Qt.MouseButton.NoButton, button, keys)
    mouse(desk.canvas, QEvent.Type.MouseButtonRelease, at, button, Qt.MouseButton.NoButton, keys)
    desk.canvas.grab()


@pytest.mark.parametrize("button", [LEFT, RIGHT])
@pytest.mark.parametrize("tool", ["pen", "move", "select", "slice"])
def test_a_drag_moves_it_and_nothing_else(desk, tool, button):
    desk.hand.tool = tool
    scene = desk.store.scene
    before, after = drag_legend(desk, (-200, 150), button)
    np.testing.assert_allclose((after.topLeft() - before.topLeft()).toTuple(), (-200, 150), atol=1)
    assert after.size() == before.size()
    now = desk.store.scene
    assert now.dataset is scene.dataset and now.view.limits == scene.view.limits and now.view.slice is None
    assert desk.store.undo_what is None and not desk.selection
    desk.click(1, -1)  # elsewhere the tool is still what it was
    assert tool != "pen" or len(desk.data) == 4


@pytest.mark.parametrize("tool", [name for name, tool in TOOLS.items() if tool.circle])
def test_a_stroke_that_begins_on_it_is_one_of_the_tool(desk, tool):
    desk.hand.tool = tool
    box, scene = desk.canvas.legend_box(), desk.store.scene
    x, y = desk.place(box.center().toPoint())
    desk.store.push(scene.replace(dataset=Dataset(np.array([[x, y], [0.0, 0.0], [1.0, 1.0]]), [1, 1, 0])), "samples")
    desk.canvas.grab()
    before, data = desk.canvas.legend_box(), desk.data
    start = desk.pixel(x, y)
    if not before.contains(start.toPointF()):  # it has made way for the sample
        desk.canvas.legend.place = (1.0, 0.0)
        desk.canvas.grab()
        before = desk.canvas.legend_box()
    assert before.contains(start.toPointF())
    drag_from(desk, start, (30, 0))
    assert desk.canvas.legend_box().topLeft() == before.topLeft()
    assert desk.data is not data, "the tool has done something"


def test_a_click_on_it_adds_nothing_and_is_told_of(desk, qtbot):
    with qtbot.waitSignal(desk.canvas.legend.clicked):
        before, after = drag_legend(desk, (0, 0))
    assert len(desk.data) == 3 and before == after


def test_it_stays_inside_whatever_the_drag_and_the_size(desk):
    for by in ((900, -900), (-900, 900)):
        _, after = drag_legend(desk, by)
        area = desk.canvas.frame().area
        assert area.adjusted(-1, -1, 1, 1).contains(after)
    desk.canvas.resize(400, 300)
    desk.canvas.grab()
    area, box = desk.canvas.frame().area, desk.canvas.legend_box()
    assert abs(box.left() - area.left()) < 1 and abs(box.bottom() - area.bottom()) < 1


def test_a_double_click_folds_it_and_another_opens_it(desk, qtbot):
    whole = desk.canvas.legend_box()
    told = []
    desk.canvas.legend.clicked.connect(lambda: told.append("a click"))
    for smaller in (True, False):
        at = desk.canvas.legend_box().center().toPoint()
        QTest.mouseClick(desk.canvas, LEFT, NONE, at)
        QTest.mouseDClick(desk.canvas, LEFT, NONE, at)
        desk.canvas.grab()
        box = desk.canvas.legend_box()
        assert (box.width() * box.height() < 0.4 * whole.width() * whole.height()) == smaller
        assert (box == whole) != smaller
    drag_legend(desk, (-200, 150))
    qtbot.wait(2 * QApplication.doubleClickInterval())
    assert len(desk.data) == 3 and not told


def test_the_view_can_still_be_moved_with_the_cursor_on_it(desk):
    limits = desk.limits
    drag_legend(desk, (-50, 0), keys=ALT)
    assert (desk.limits != limits).any()


def test_a_tool_that_is_at_work_goes_over_it(desk):
    desk.hand.tool = "brush"
    box = desk.canvas.legend_box().center()
    start = desk.pixel(0, 0)
    mouse(desk.canvas, QEvent.Type.MouseButtonPress, start, LEFT, LEFT, NONE)
    mouse(desk.canvas, QEvent.Type.MouseMove, box.toPoint(), Qt.MouseButton.NoButton, LEFT, NONE)
    desk.canvas.grab()
    mouse(desk.canvas, QEvent.Type.MouseButtonRelease, box.toPoint(), LEFT, Qt.MouseButton.NoButton, NONE)
    under = np.hypot(*(desk.canvas.frame().to_pixels(desk.data.X) - QPointF(box).toTuple()).T)
    assert len(desk.data) > 3 and under.min() < 40


def test_other_axes_put_it_back(desk):
    before, after = drag_legend(desk, (-200, 150))
    assert after != before
    desk.store.push(desk.store.scene.with_view(axes=("x2", "x1")), "axes")
    desk.canvas.grab()
    assert desk.canvas.legend_box().topLeft() == before.topLeft()


def answered(desk):
    """The canvas with the exact picture of its scene, as the worker would send it."""
    (picture,) = draw(desk.store.scene, [desk.canvas.area_size()], 40)
    desk.canvas.set_picture(picture)
    desk.canvas.grab()
    QApplication.processEvents()  # the legend finds its place once the answer has been painted
    desk.canvas.grab()
    return desk.canvas.frame().area.getRect()


def test_it_leaves_the_frame_where_no_corner_is_free_and_comes_back_where_one_clearly_is(qtbot):
    near = np.array([[-3.5, 3.5], [3.5, -3.5], [-3.5, -3.5]])
    desk = Desk(qtbot, [*near, (0, 0)], [0, 1, 0, 1])
    whole = answered(desk)
    assert desk.canvas.frame().area.contains(desk.canvas.legend_box())
    box = desk.canvas.legend_box()
    place = (box.left() - 3, box.center().y())  # the symbol reaches under it
    mouse(desk.canvas, QEvent.Type.MouseButtonPress, QPointF(*place).toPoint(), LEFT, LEFT, NONE)
    assert len(desk.data) == 5 and answered(desk) == whole, "the axes stay below a hand that is on them"
    mouse(desk.canvas, QEvent.Type.MouseButtonRelease, QPointF(*place).toPoint(), LEFT, Qt.MouseButton.NoButton, NONE)
    smaller = answered(desk)
    assert smaller != whole and not desk.canvas.frame().area.intersects(desk.canvas.legend_box())
    # The sample goes inwards bit by bit: the axes change once, and not as soon as the corner is barely free.
    areas, free_at = [smaller], None
    start, y = desk.data.X[4].tolist()
    for x in np.arange(start, start - 1.0, -0.02):
        scene = desk.store.scene
        desk.store.push(scene.replace(dataset=scene.dataset.move([4], [(x, y)])), "move")
        areas.append(answered(desk))
        fresh = made_aside_anew(desk)
        free_at = x if fresh is None and free_at is None else free_at
    changes = [k for k in range(1, len(areas)) if areas[k] != areas[k - 1]]
    assert len(changes) == 1 and areas[-1] == whole
    assert start - 0.02 * (changes[0] - 1) < free_at - 0.1


def made_aside_anew(desk):
    """The room that a legend without a past would have."""
    canvas = desk.canvas
    whole = canvas._frame_of(canvas.size())
    return made_aside(whole, canvas._plot.marks, canvas._samples, canvas._style, desk.store.scene.view.equal)


def test_it_can_be_dragged_out_of_its_room_beside_the_axes(qtbot):
    desk = Desk(qtbot, [(-3.5, 3.5), (3.5, -3.5), (-3.5, -3.5), (3.5, 3.5)], [0, 1, 0, 1])
    beside = answered(desk)
    drag_legend(desk, (10, -250))
    area = desk.canvas.frame().area
    assert area.width() * area.height() > beside[2] * beside[3]
    assert area.adjusted(-1, -1, 1, 1).contains(desk.canvas.legend_box())


@pytest.mark.slow
@pytest.mark.parametrize("method", of_families(registry()))
def test_it_stays_put_through_a_drag_and_settles_after_it(qtbot, method):
    """A sample is dragged through all corners, from which the legend would flee."""
    desk = Desk(qtbot, [(0, 0), (1, 1), (-1, 0.5), (0.5, -1), (-0.5, 1)], [0, 1, 0, 1, 0], method)
    desk.canvas.resize(900, 700)
    desk.hand.tool = "move"
    answered(desk)
    if (before := desk.canvas.legend_box()).isEmpty():
        assert desk.canvas.picture.message
        return
    x1, y1 = np.array(desk.canvas.frame().limits)[[1, 3]] * 0.95
    boxes = []
    desk.drag((0, 0), (0, 0.1), steps=1, release=False)
    for k in range(16):
        at = desk.pixel(*[(x1, y1), (-x1, y1), (-x1, -y1), (x1, -y1)][k % 4])
        mouse(desk.canvas, QEvent.Type.MouseMove, at, Qt.MouseButton.NoButton, LEFT, NONE)
        if k % 4 == 0:
            answered(desk)
        desk.canvas.grab()
        boxes.append(desk.canvas.legend_box().getRect())
    assert set(boxes) == {before.getRect()}
    at = QPointF(before.center()).toPoint()
    mouse(desk.canvas, QEvent.Type.MouseMove, at, Qt.MouseButton.NoButton, LEFT, NONE)
    mouse(desk.canvas, QEvent.Type.MouseButtonRelease, at, LEFT, Qt.MouseButton.NoButton, NONE)
    answered(desk)
    assert not desk.canvas.legend_box().contains(at), "the sample lies where it was"


@pytest.mark.slow
@pytest.mark.parametrize("method", of_families(registry()))
def test_it_does_not_move_for_the_ghost_which_has_a_name_of_its_own_in_a_free_place(qtbot, method, monkeypatch):
    rng = np.random.default_rng(1)
    desk = Desk(qtbot, [*rng.normal(0, 0.5, (20, 2)), (4.6, 3.8), (-4.6, 3.8)], np.arange(22) % 2, method)
    names, paint = [], layers.GhostLegendLayer.paint

    def spy(layer, sheet):
        paint(layer, sheet)
        names.append(sheet.card_box)

    monkeypatch.setattr(layers.GhostLegendLayer, "paint", spy)
    answered(desk)
    desk.store.push(desk.store.scene.replace(dataset=desk.data.move([3], [(1.0, 1.5)])), "move")
    answered(desk)
    before = desk.canvas.legend_box()
    for _ in range(3):
        desk.canvas.show_ghost(True)
        desk.canvas.grab()
        assert desk.canvas.legend_box() == before
        desk.canvas.show_ghost(False)
        desk.canvas.grab()
        assert desk.canvas.legend_box() == before
    assert bool(names) == bool(desk.canvas.former.marks)
    for name in names:
        assert not name.isEmpty() and not name.intersects(before)
        assert not any(name.contains(*at) for at in desk.canvas.frame().to_pixels(desk.data.X))


def test_the_name_of_a_ghost_is_within_the_axes_or_left_out(qapp):
    places = np.array([(0.0, 0.0), (1.0, 1.0)])
    marks = [Lines("boundary", places, label=f"size of a {what} part") for what in ("negative", "positive")]
    found = []
    for width, height in itertools.product(range(60, 600, 20), range(20, 120)):
        frame = AxesFrame((0.0, 1.0, 0.0, 1.0), QRectF(0, 0, width, height))
        for some in (marks, marks[:1]):
            if (where := arranged_beside(frame, tuple(some), None, Style(), (QRectF(), QRectF()))) is not None:
                found.append(frame.area.contains(QRectF(*where[2], *size_of(where[1], Style()))))
    assert found and all(found)


def test_it_waits_for_the_end_of_a_slider_s_move_too(qtbot):
    """A gesture elsewhere than on the canvas moves samples out of the way of no legend, and into it."""
    desk = Desk(qtbot, [(-3.5, 3.5), (3.5, -3.5), (-3.5, -3.5), (0, 0)], [0, 1, 0, 1])
    whole = answered(desk)
    box = desk.canvas.legend_box()
    x, y = desk.place(box.center())
    desk.store.push(desk.store.scene.replace(dataset=desk.data.move([3], [(x, y)])), "slide", "slider")
    assert answered(desk) == whole and desk.canvas.legend_box() == box
    desk.store.settle("slider")
    assert answered(desk) != whole and desk.canvas.legend_box() != box


def test_it_waits_for_the_answer_to_a_click_and_settles_once_that_is_painted(qtbot, monkeypatch):
    """What is seen of the click comes first; where no answer comes in time, it settles all the same."""
    desk = Desk(qtbot, [(-3.5, 3.5), (3.5, -3.5), (-3.5, -3.5), (0, 0)], [0, 1, 0, 1])
    answered(desk)
    frames = []
    monkeypatch.setattr(layers, "arranged", lambda *what: frames.append(what) or arranged(*what))
    before = desk.canvas.legend_box()
    for wait in (False, True):
        frames.clear()
        desk.click(-1 - wait, 1)
        desk.canvas.grab()
        assert not frames and desk.canvas.legend_box() == before
        if wait:
            qtbot.waitUntil(lambda: desk.canvas.stale)
        else:
            exact = draw(desk.store.scene, [desk.canvas.area_size()], 40)[0]
            for picture in (dataclasses.replace(exact, draft=True), exact):
                desk.canvas.set_picture(picture)
                desk.canvas.grab()
                assert not frames
                QApplication.processEvents()
                assert bool(frames) != picture.draft
        assert frames
