"""The picture in small, as it would be written."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from mlviz.picture import PanelPicture, draw
from mlviz.scene.scene import Scene
from mlviz.ui.export.dialog import Export
from mlviz.ui.figure import figure
from mlviz.ui.paint.axes import Style
from mlviz.ui.widgets.background import Background
from mlviz.ui.widgets.parts import named

_REST_MS = 150
"""The panels are drawn anew when their sizes have rested so long: a size is typed digit by digit."""
_SMALLEST = (380, 320)


class Preview(QWidget):
    """Shows a scene as an export of it would look; what changes no panel's size is to be seen at once."""

    def __init__(self, scene: Scene, style_of: Callable[[Export], Style]) -> None:
        super().__init__()
        named(self, "Preview", description="The picture as it will be written, in small.")
        self.setMinimumSize(*_SMALLEST)
        self._scene, self._style_of, self._wanted = scene, style_of, Export()
        self._sizes: list[tuple[int, int]] = []
        self.pictures: list[PanelPicture] = []
        self._says = "Drawing ..."
        self.drawing = Background("its process has ended.", self)
        self.drawing.done.connect(self._take)
        self.drawing.failed.connect(self._say)
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(lambda: self.drawing.start(draw, self._scene, self._sizes))

    def show_export(self, wanted: Export) -> None:
        """Show the picture with these answers."""
        self._wanted = wanted
        sides = wanted.sides and figure.has_sides(self._scene)
        style = self._style_of(wanted)
        sizes = figure.plot_sizes(wanted.size, self._scene, style, wanted.caption, sides)
        if sizes != self._sizes:
            self._sizes = sizes
            self._rest.start()
        self.update()

    def stop(self) -> None:
        """Give up what is being drawn."""
        self._rest.stop()
        self.drawing.stop()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The whole figure, as large as there is room, in the middle."""
        width, height = self._wanted.size
        scale = min(self.width() / width, self.height() / height)
        with QPainter(self) as painter:
            if not self.pictures:
                painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._says)
                return
            painter.translate((self.width() - width * scale) / 2, (self.height() - height * scale) / 2)
            painter.scale(scale, scale)
            painter.setClipRect(QRectF(0, 0, width, height))
            style, sides = self._style_of(self._wanted), self._wanted.sides and figure.has_sides(self._scene)
            figure.paint_figure(
                painter, self._wanted.size, self.pictures, self._scene, style, self._wanted.caption, sides
            )

    def _take(self, pictures: list[PanelPicture]) -> None:
        self.pictures = pictures
        self.update()

    def _say(self, why: str) -> None:
        self._says = f"The picture could not be drawn: {why}"
        self.update()
