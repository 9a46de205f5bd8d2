"""The generators to choose from in a list, each with a small picture of what it draws."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPainter
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from mlviz.data.generators.catalog import Generator, generators
from mlviz.draw.palette import Colours
from mlviz.draw.plot import Limits
from mlviz.draw.tasks import Task
from mlviz.scene.scene import DEFAULT_LIMITS
from mlviz.ui.paint.axes import AxesFrame, Style
from mlviz.ui.paint.samples import DrawnSamples, paint_samples
from mlviz.ui.paint.scene_view import samples_alone
from mlviz.ui.paint.strokes import paint_box, pen
from mlviz.ui.paint.symbols import painted_icon

GROUPS: dict[Task, str] = {"classification": "Classes", "regression": "Values to predict"}
"""What the samples of a generator are for, in the order of the lists."""
_SIZE = 36
"""Side of a small picture, pixels."""
_FEW = 300
"""So many samples show the shape in a small picture."""
_POINT = 0.28
"""Size of its points, as a share of the usual one."""


class GeneratorList(QListWidget):
    """The generators under the headings of their groups; the arrow keys go from one to the next."""

    chosen = Signal(object)
    """The class of the generator that was chosen by hand."""

    def __init__(self, theme: str, colours: Colours) -> None:
        super().__init__()
        self.setAccessibleName("Kind of data")
        self.setIconSize(QSize(_SIZE, _SIZE))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for task, title in GROUPS.items():
            heading = QListWidgetItem(title, self)
            heading.setFlags(Qt.ItemFlag.NoItemFlags)
            heading.setForeground(self.palette().text())
            font = heading.font()
            font.setBold(True)
            heading.setFont(font)
            for kind in generators().values():
                if kind.task == task:
                    item = QListWidgetItem(thumbnail(kind.id, theme, colours), kind.label, self)
                    item.setData(Qt.ItemDataRole.UserRole, kind.id)
                    item.setToolTip(kind.about())
        self.currentItemChanged.connect(self._choose)

    def show_kind(self, kind: type[Generator]) -> None:
        """Show which one is chosen; nothing is emitted."""
        with QSignalBlocker(self):
            self.setCurrentItem(*self.findItems(kind.label, Qt.MatchFlag.MatchExactly))

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(generators()[item.data(Qt.ItemDataRole.UserRole)])


@lru_cache(maxsize=64)
def thumbnail(name: str, theme: str, colours: Colours, side: int = _SIZE) -> QIcon:
    """A small picture of what the generator of that id draws, its classes in those colours."""
    kind = generators()[name]
    data = kind(n_samples=min(_FEW, kind().n_samples)).generate(0)
    return scatter_icon(samples_alone(data), DEFAULT_LIMITS, Style(theme=theme, colours=colours), side)


def scatter_icon(samples: DrawnSamples, limits: Limits, style: Style, side: int) -> QIcon:
    """A small picture of samples."""
    style = replace(style, points=_POINT * side / _SIZE)

    def paint(painter: QPainter, _: QPointF) -> None:
        area = QRectF(1, 1, side - 2, side - 2)
        paint_box(painter, area, 4, pen(style.colors.grid, 1.0), style.colors.canvas)
        paint_samples(painter, AxesFrame(limits, area), samples, style)

    return painted_icon(paint, side)
