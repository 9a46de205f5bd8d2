"""Several canvases: which one is the current one is seen at once."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication

from mlviz.scene.edits import with_another_panel


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
