"""A canvas on a store, and the mouse that draws on it, as a person would."""

import itertools

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.interaction.tool_state import ToolState
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.history import Store
from mlviz.scene.scene import Panel, Scene
from mlviz.ui.canvas.canvas import Canvas
from mlviz.ui.paint.axes import Style

LEFT, MIDDLE, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton
NONE, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


def scene_with(points=(), labels=None, algorithm="kmeans"):
    xy = np.array(points, dtype=float).reshape(-1, 2)
    data = Dataset(xy, np.zeros(len(xy), dtype=int) if labels is None else labels)
    return Scene(data, (Panel(Pipeline(registry()[algorithm]())),))


class Desk:
    """One canvas of 640 x 520 pixels."""

    def __init__(self, qtbot, points=(), labels=None, algorithm="kmeans"):
        self.store, self.hand = Store(scene_with(points, labels, algorithm)), ToolState()
        self.canvas = Canvas(self.store, 0, self.hand, Style())
        qtbot.addWidget(self.canvas)
        self.canvas.resize(640, 520)
        self.canvas.show()
        self.canvas.setFocus()

    @property
    def data(self):
        return self.store.scene.dataset

    @property
    def limits(self):
        return np.array(self.store.scene.view.limits)

    @property
    def selection(self):
        return self.hand.selection(self.data).tolist()

    def pixel(self, x, y):
        """The whole pixel nearest to a place."""
        return QPoint(*np.rint(self.canvas.frame().to_pixels([(x, y)])[0]).astype(int).tolist())

    def place(self, pixel):
        return self.canvas.frame().to_data([pixel.toTuple()])[0]

    def click(self, x, y, button=LEFT, keys=NONE):
        QTest.mouseClick(self.canvas, button, keys, self.pixel(x, y))

    def drag(self, *places, button=LEFT, keys=NONE, steps=6, release=True):
        """Press at the first place, move through the others, let go."""
        pixels = [self.pixel(*place) for place in places]
        mouse(self.canvas, QEvent.Type.MouseButtonPress, pixels[0], button, button, keys)
        for start, end in itertools.pairwise(pixels):
            for k in range(1, steps + 1):
                at = QPointF(start) + (QPointF(end) - QPointF(start)) * (k / steps)
                mouse(self.canvas, QEvent.Type.MouseMove, at.toPoint(), Qt.MouseButton.NoButton, button, keys)
        if release:
            self._release(pixels[-1], button, keys)

    def let_go(self, x, y, button=LEFT, keys=NONE):
        self._release(self.pixel(x, y), button, keys)

    def _release(self, pixel, button, keys):
        mouse(self.canvas, QEvent.Type.MouseButtonRelease, pixel, button, Qt.MouseButton.NoButton, keys)

    def point_at(self, x, y):
        mouse(
            self.canvas, QEvent.Type.MouseMove, self.pixel(x, y), Qt.MouseButton.NoButton, Qt.MouseButton.NoButton, NONE
        )

    def wheel(self, x, y, notches, keys=NONE):
        turn_wheel(self.canvas, self.pixel(x, y), notches, keys)

    def swipe(self, pixels=(0, 0), angle=(0, 0), keys=NONE):
        """One event of two fingers on a touchpad, over the place (1, 1)."""
        scroll(self.canvas, self.pixel(1, 1), pixels, angle, keys)

    def key(self, key, keys=NONE):
        QTest.keyClick(self.canvas, key, keys)

    def colour_at(self, x, y):
        image = self.canvas.grab().toImage()
        return image.pixelColor(self.pixel(x, y)).getRgb()[:3]


def mouse(widget: QWidget, kind, pixel, button, buttons, keys):
    at = QPointF(pixel)
    QApplication.sendEvent(widget, QMouseEvent(kind, at, widget.mapToGlobal(at), button, buttons, keys))


def turn_wheel(widget: QWidget, pixel, notches, keys=NONE):
    scroll(widget, pixel, (0, 0), (0, round(120 * notches)), keys)


def scroll(widget: QWidget, pixel, pixels, angle, keys=NONE):
    at, phase = QPointF(pixel), Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(at, at, QPoint(*pixels), QPoint(*angle), Qt.MouseButton.NoButton, keys, phase, False)
    QApplication.sendEvent(widget, event)
