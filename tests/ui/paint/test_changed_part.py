import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QImage, QPainter

from mlviz.draw.marks import Arrows, Ellipses, Field, Lines, Points, Segments, Text
from mlviz.draw.plot import Plot
from mlviz.interaction.tool_state import ToolState
from mlviz.scene.history import Store
from mlviz.ui.canvas.canvas import Canvas
from mlviz.ui.canvas.changed_part import changed_part
from mlviz.ui.canvas.frame_layers import LayerCache
from mlviz.ui.paint.axes import AxesFrame, Style
from mlviz.ui.paint.cells import alone
from mlviz.ui.paint.samples import DrawnSamples
from mlviz.ui.paint.stack import FrameContent, stack
from tests.ui.hands import scene_with

STYLE = Style()
NODES = np.linspace(-1, 1, 5)
WAVE = np.column_stack((np.linspace(-1, 1, 80), np.sin(np.linspace(-4, 4, 80))))


def where(x1=1.0):
    """Cell and frame."""
    cell = alone(420, 300, STYLE)
    return cell, AxesFrame((-1.0, x1, -1.0, 1.0), cell.area)


def contents(n, at, held=None):
    """What is seen with n samples, and with one more `at` a place."""
    rng = np.random.default_rng(0)
    places, rows = rng.uniform(-0.9, 0.9, (n, 2)), np.arange(n // 2)
    marks = (
        Field("region", NODES, NODES, np.full((5, 5), 200, np.uint8), np.zeros((5, 5), np.uint8)),
        Lines("boundary", WAVE, label="boundary"),
        Lines("outlier line", 0.7 * WAVE),
        Ellipses("ellipse 0", np.zeros((1, 2)), np.array([0.5 * np.eye(2)])),
        Segments("error", places[rows], 0.8 * places[rows], rows=rows),
        Points("misclassified", places[rows], rows=rows),
        Points("center", np.array([(0.1, 0.2), (-0.5, 0.4)])),
        Arrows("component", np.zeros((1, 2)), np.array([(0.6, 0.6)])),
        Text("text", np.array([(0.0, 0.0)]), ("words",)),
    )
    plot = Plot("data", "", "x1", "x2", marks)
    labels = np.arange(n + 1) % 2
    before = FrameContent(plot, DrawnSamples(places, labels[:n], ("a", "b")), legend_held=held)
    after = FrameContent(plot, DrawnSamples(np.vstack((places, at)), labels, ("a", "b")), legend_held=held)
    return before, after


def paint(cache, image, content, part=None):
    with QPainter(image) as painter:
        if part is not None:
            painter.setClipRect(part.toAlignedRect())
        cache.paint(painter, *where(), STYLE, content)
    return image


def blank():
    image = QImage(420, 300, QImage.Format.Format_RGB32)
    image.fill(0)
    return image


def numbers(image):
    return np.frombuffer(image.constBits(), np.uint8).astype(int)


@pytest.mark.parametrize("n", [30, 400])  # with so many they are kept painted
@pytest.mark.parametrize("at", [(0.55, -0.3), (0.0, 0.55), (-1.0, 1.0), (0.31, 0.3), (-0.9, -0.8)])
def test_where_one_sample_came_is_all_that_is_painted_anew(qapp, n, at):
    held = paint_first(n, at)
    before, after = contents(n, at, held=held)
    cache = LayerCache()
    image = paint(cache, blank(), before)
    part = changed_part(cache.seen, stack(after), *where(), STYLE)
    assert part is not None and part.width() < 60 and part.height() < 60
    once, anew = (numbers(paint(*given)) for given in ((cache, image, after, part), (LayerCache(), blank(), after)))
    # Where Qt cuts an outline at the clip it rounds: at the arrow up to 3 of 255 were seen.
    assert np.abs(once - anew).max() <= 4
    assert (numbers(paint(LayerCache(), blank(), before)) != anew).any()


def paint_first(n, at):
    cache = LayerCache()
    paint(cache, blank(), contents(n, at)[0])
    return cache.legend_in(where()[1], STYLE)


def test_what_changes_elsewhere_is_painted_as_a_whole(qapp):
    held = paint_first(30, (0.55, -0.3))
    before, after = contents(30, (0.55, -0.3), held=held)
    moved = DrawnSamples(before.samples.places + 0.01, before.samples.labels, ("a", "b"))
    cache = LayerCache()
    paint(cache, blank(), before)

    def part(content, x1=1.0, style=STYLE):
        return changed_part(cache.seen, stack(content), *where(x1), style)

    assert part(before).isEmpty()
    others = [
        FrameContent(after.plot, moved, legend_held=held),
        FrameContent(after.plot, after.samples),
        FrameContent(after.plot, after.samples, legend_held=held, caption="n = 31"),
        FrameContent(after.plot, after.samples, legend_held=held, dim=0.5),
        FrameContent(after.plot, after.samples, legend_held=held, evidence=[Lines("boundary", WAVE)]),
        FrameContent(Plot("data", "", "x1", "x2", after.plot.marks[1:]), after.samples, legend_held=held),
        contents(30, (0.0, 0.0), held=held)[1],  # other marks, and the words hide it
    ]
    assert [part(content) for content in others] == [None] * len(others)
    assert part(after, 1.1) is None
    assert part(after, style=Style("dark")) is None


class Paints(QObject):
    """The parts of a widget that Qt has had painted."""

    def __init__(self, widget):
        super().__init__(widget)
        self.rects = []
        widget.installEventFilter(self)

    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            self.rects.append(event.rect())
        return False


def test_an_image_taken_of_the_canvas_meanwhile_leaves_nothing_unpainted(qtbot):
    store = Store(scene_with([(0, 0), (1, 1)]))
    canvas = Canvas(store, 0, ToolState(), Style())
    qtbot.addWidget(canvas)
    canvas.resize(400, 300)
    canvas.show()
    qtbot.waitExposed(canvas)
    qtbot.waitUntil(lambda: canvas._layers.seen is not None)
    canvas.settle_legend()
    qtbot.wait(50)
    paints = Paints(canvas)
    places = [(0.5, 0.2), (0.2, 0.5)]
    seen = canvas.screen().grabWindow(canvas.winId()).toImage()
    for place in places:
        store.push(store.scene.replace(dataset=store.scene.dataset.add([place], [0])), "add")
        canvas.grab()
    qtbot.waitUntil(lambda: canvas.screen().grabWindow(canvas.winId()).toImage() != seen)
    for x, y in canvas.frame().to_pixels(places).astype(int).tolist():
        assert paints.rects[-1].contains(x, y)
