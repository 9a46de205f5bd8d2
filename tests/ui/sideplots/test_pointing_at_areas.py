"""What is pointed at in a side plot lights up on the canvases; only a click selects it."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from mlviz.ui.paint.axes import Style
from mlviz.ui.sideplots.plot_view import PlotView
from tests.ui.hands import NONE, mouse

NO_BUTTON = Qt.MouseButton.NoButton
X = np.random.default_rng(2).normal(size=(24, 2)) + np.repeat([[-2.0, 0.0], [2.0, 0.0]], 12, axis=0)


def lit(canvas):
    places = [mark.xy for mark in canvas.preview_marks() if mark.role == "pointed at"]
    return places[0] if places else np.empty((0, 2))


@pytest.mark.parametrize(("method", "chart"), [("hierarchical", "dendrogram"), ("mds", "embedding")])
def test_the_samples_of_what_is_pointed_at_are_lit_until_the_mouse_leaves_it(make_window, qtbot, method, chart):
    scene = Scene(Dataset(X, np.repeat([0, 1], 12)), (Panel(Pipeline(registry()[method]())),) * 2)
    window = make_window(scene)
    picture, _ = draw(scene, [(200, 200)] * 2, 8)
    (plot,) = [plot for plot in picture.sides if plot.id == chart]
    view = PlotView(plot, Style())
    qtbot.addWidget(view)
    view.resize(700, 400)
    view.show()
    view.pointed.connect(window.sides.pointed)
    for area in (plot.areas[0], plot.areas[-1]):
        inside = np.array([area.limits[:2], area.limits[2:]]).mean(axis=1)
        inside[1] = area.limits[3] - 1e-3 * (area.limits[3] - area.limits[2])
        at = QPointF(*view._frame.to_pixels([inside])[0].tolist())
        mouse(view.viewport(), QEvent.Type.MouseMove, at, NO_BUTTON, NO_BUTTON, NONE)
        for canvas in window.panels.canvases:
            np.testing.assert_array_equal(lit(canvas), X[np.sort(area.rows)])
        assert not len(window.hand.selection(scene.dataset))
        view.show_plot(plot, Style())
        np.testing.assert_array_equal(lit(window.canvas), X[np.sort(area.rows)])
    window.store.push(scene.replace(dataset=scene.dataset.erase(np.arange(3))), "delete")
    assert not len(lit(window.canvas)), "rows of other samples are not those that were pointed at"
    window.store.undo()
    assert len(lit(window.canvas))
    view.leaveEvent(QEvent(QEvent.Type.Leave))
    assert not len(lit(window.canvas))


def test_a_sample_that_is_pointed_at_in_a_plot_is_looked_at_as_on_the_canvas(make_window):
    """What the method says there, and what its charts light up, follows; a place that is pinned stays."""
    data = Dataset(np.column_stack((X, X[:, ::-1])), np.repeat([0, 1], 12), ("x1", "x2", "x3", "x4"))
    scene = Scene(data, (Panel(Pipeline(registry()["mds"]()), data.columns),))
    window = make_window(scene)
    (picture,) = draw(scene, [(200, 200)], 8)
    one, other = next(plot for plot in picture.sides if plot.id == "embedding").areas[:2]
    window.sides.pointed.emit(one)
    assert window.store.scene.view.probe == tuple(X[one.rows[0]].tolist())
    (asked,) = draw(window.store.scene, [(200, 200)], 8)
    labels = [mark.label for plot in asked.sides for mark in plot.marks]
    assert "the sample pointed at" in labels
    window.sides.pointed.emit(None)
    assert window.store.scene.view.probe is None
    window.sides.pointed.emit(one)
    window.hand.pinned = True
    window.sides.pointed.emit(other)
    assert window.store.scene.view.probe == tuple(X[one.rows[0]].tolist())
