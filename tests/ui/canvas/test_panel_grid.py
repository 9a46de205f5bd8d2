"""Several canvases: which one is the current one is seen at once."""

import itertools

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget

from mlviz.data.dataset import Dataset
from mlviz.picture import draw
from mlviz.scene import edits
from mlviz.scene.defaults import default_scene
from mlviz.scene.edits import with_another_panel
from mlviz.scene.scene import MAX_PANELS


class Paints(QObject):
    """Counts the paints of the widgets it watches."""

    def __init__(self):
        super().__init__()
        self.painted = []

    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            self.painted.append(watched)
        return False


def test_both_frames_are_painted_when_another_canvas_becomes_the_current_one(make_window):
    window = make_window(with_another_panel(make_window().store.scene, 0))
    window.show()
    grid, paints = window.panels, Paints()
    grid.choose(0)
    QApplication.processEvents()
    frames = [canvas.parentWidget() for canvas in grid.canvases]
    for frame in frames:
        frame.installEventFilter(paints)
    grid.choose(1)
    QApplication.processEvents()
    assert set(frames) <= set(paints.painted)


def scene_of(window, count):
    scene = window.store.scene
    while len(scene.panels) < count:
        scene = with_another_panel(scene, 0)
    return scene.replace(panels=scene.panels[:count])


def test_the_keyboard_goes_to_the_current_canvas_when_its_own_is_gone(window):
    for focused, count in itertools.product(range(4), range(1, 4)):
        window.store.push(scene_of(window, 4), "more")
        window.activateWindow()
        QApplication.processEvents()
        window.panels.canvases[focused].setFocus()
        assert window.current == focused
        window.store.push(scene_of(window, count), "fewer")
        assert window.current == min(focused, count - 1), (focused, count)
        assert window.focusWidget() is window.canvas, (focused, count)


@pytest.mark.parametrize("first", [True, False])
def test_swaps_inside_swaps_leave_a_canvas_for_each_panel_and_a_size_in_each_request(make_window, first):
    window = make_window()
    store, changes = window.store, []

    def swap_again(change):
        changes.append(change)
        if len(changes) < 20:
            store.push(scene_of(window, len(changes) * 5 % MAX_PANELS + 1), "again")
            store.look(store.scene.with_view(limits=(-1.0 - len(changes), 1.0, -1.0, 1.0)))

    store.listen(swap_again)
    if first:
        store._listeners.insert(0, store._listeners.pop())
    window.resize(700, 900)
    store.push(scene_of(window, 3), "first")
    assert len(changes) > 20
    assert len(window.panels.canvases) == len(store.scene.panels)
    assert all(len(sizes) == len(scene.panels) for scene, sizes, _ in window.link.requests)
    assert window.link.requests[-1][0] is store.scene


@pytest.mark.parametrize("count", range(1, MAX_PANELS + 1))
def test_all_areas_are_equally_large_and_aligned_whatever_stands_on_them(staged, count):
    """Samples in every corner leave no place for a legend."""
    corners = np.array([(x, y) for x in (-3.9, 3.9) for y in (-3.9, 3.9)])
    scene = default_scene().replace(dataset=Dataset(np.repeat(corners, 3, axis=0), np.arange(12) % 2))
    window = staged(scene.replace(panels=scene.panels * count))
    for index, method in enumerate(("knn", "svm", "kmeans", "lda", "logistic", "gmm")[:count]):
        window.store.push(edits.with_method(window.store.scene, index, method), "method")
    canvases = window.panels.canvases
    for picture in draw(window.store.scene, [canvas.area_size() for canvas in canvases], 8):
        window.link.pictured.emit(picture)
    areas = [canvas.frame().area for canvas in canvases]
    assert len({area.size().toTuple() for area in areas}) == 1
    assert len({canvas.frame().limits for canvas in canvases}) == 1
    corner = [canvas.mapTo(window, area.topLeft()) for canvas, area in zip(canvases, areas, strict=True)]
    columns, rows = {at.x() for at in corner}, {at.y() for at in corner}
    assert len(columns) * len(rows) < count + len(columns)


@pytest.mark.parametrize(("size", "presenting"), [((1280, 800), True), ((1024, 768), False)])
def test_each_canvas_is_where_its_cell_is_after_every_canvas_that_comes_or_goes(window, size, presenting):
    """By the events as they come: a layout that is activated later must not move what was put in its place."""
    window.resize(*size)
    window.presentation.show(presenting)
    for command in ["add panel"] * (MAX_PANELS - 1) + ["remove panel"] * (MAX_PANELS - 1):
        window.actions_.action(command).trigger()
        QApplication.processEvents()
        canvases = window.panels.canvases
        assert len({canvas.frame().area.size().toTuple() for canvas in canvases}) == 1, command
        assert len({canvas.frame().limits for canvas in canvases}) == 1


def test_what_covers_a_canvas_covers_all_of_it_and_nothing_else(window):
    window.actions_.action("add panel").trigger()
    over = QWidget()
    window.panels.cover(over)
    QApplication.processEvents()
    assert over.geometry() == window.canvas.geometry()


def test_a_new_canvas_is_the_last_one_like_the_current_one_and_the_others_keep_their_places(window):
    window.store.push(scene_of(window, 3), "more")
    window.store.push(edits.with_method(window.store.scene, 0, "knn"), "method")
    window.panels.choose(0)
    before = window.store.scene.panels
    window.actions_.action("add panel").trigger()
    assert window.store.scene.panels == (*before, before[0])
    assert window.current == 3 and window.canvas.hasFocus()
