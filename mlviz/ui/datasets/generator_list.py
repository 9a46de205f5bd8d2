"""The generators to choose from, each with a small picture of what it draws."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from mlviz.data.generators.catalog import Generator, generators
from mlviz.draw.layer import Task
from mlviz.scene.scene import DEFAULT_LIMITS
from mlviz.ui.paint.axes import AxesFrame, Style
from mlviz.ui.paint.samples import DrawnSamples, paint_samples
from mlviz.ui.paint.strokes import colour, pen

GROUPS: dict[Task, str] = {"classification": "Classes", "regression": "Values to predict"}
"""What the samples of a generator are for, in the order of the lists."""
SIZE = 36
"""Side of a small picture, pixels."""
_FEW = 300
"""So many samples show the shape in a small picture."""
_POINT = 0.28
"""Size of its points, as a share of the usual one."""


class GeneratorList(QListWidget):
    """The generators under the headings of their groups; the arrow keys go from one to the next."""

    chosen = Signal(object)
    """The class of the generator that was chosen by hand."""

    def __init__(self, theme: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Kind of data")
        self.setIconSize(QSize(SIZE, SIZE))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._rows: dict[str, int] = {}
        for task, title in GROUPS.items():
            heading = QListWidgetItem(title, self)
            heading.setFlags(Qt.ItemFlag.NoItemFlags)
            heading.setForeground(self.palette().text())
            font = heading.font()
            font.setBold(True)
            heading.setFont(font)
            for kind in generators().values():
                if kind.task == task:
                    item = QListWidgetItem(thumbnail(kind.id, theme), kind.label, self)
                    item.setData(Qt.ItemDataRole.UserRole, kind.id)
                    item.setToolTip(kind.about())
                    self._rows[kind.id] = self.row(item)
        self.currentItemChanged.connect(self._choose)

    def show_kind(self, kind: type[Generator]) -> None:
        """Show which one is chosen; nothing is emitted."""
        with QSignalBlocker(self):
            self.setCurrentRow(self._rows[kind.id])

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(generators()[item.data(Qt.ItemDataRole.UserRole)])


@lru_cache(maxsize=64)
def thumbnail(name: str, theme: str) -> QIcon:
    """A small picture of what the generator of that id draws."""
    kind, style = generators()[name], Style(theme=theme, points=_POINT)
    data = kind(n_samples=min(_FEW, kind().n_samples)).generate(0)
    icon = QIcon()
    for scale in (1, 2):
        pixmap = QPixmap(SIZE * scale, SIZE * scale)
        pixmap.setDevicePixelRatio(scale)
        pixmap.fill(Qt.GlobalColor.transparent)
        area = QRectF(1, 1, SIZE - 2, SIZE - 2)
        with QPainter(pixmap) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(pen(style.colors.grid, 1.0))
            painter.setBrush(colour(style.colors.canvas))
            painter.drawRoundedRect(area, 4, 4)
            paint_samples(painter, AxesFrame(DEFAULT_LIMITS, area), DrawnSamples(data.X, data.labels), style)
        # A chosen line keeps the colours of the classes.
        for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):
            icon.addPixmap(pixmap, mode)
    return icon
