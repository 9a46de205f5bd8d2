"""The generators to choose from, each with a small picture of what it draws: all in a list, some at one click."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPainter
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QToolButton, QWidget

from mlviz.data.generators.catalog import Generator, generators
from mlviz.draw.layer import Task
from mlviz.scene.scene import DEFAULT_LIMITS
from mlviz.ui.paint.axes import AxesFrame, Style
from mlviz.ui.paint.samples import DrawnSamples, paint_samples
from mlviz.ui.paint.strokes import paint_box, pen
from mlviz.ui.paint.symbols import painted_icon
from mlviz.ui.widgets.parts import lay_out, tool_button

GROUPS: dict[Task, str] = {"classification": "Classes", "regression": "Values to predict"}
"""What the samples of a generator are for, in the order of the lists."""
PRESETS = ("blobs", "two-gaussians", "moons", "circles", "spirals", "xor", "checkerboard", "linear", "sine", "step")
"""The generators offered on an empty canvas, by id."""
_SIZE = 36
"""Side of a small picture, pixels."""
_FEW = 300
"""So many samples show the shape in a small picture."""
_POINT = 0.28
"""Size of its points, as a share of the usual one."""
_GAP = 2
_HEIGHT = 0.7
"""Where the middle of the presets is, as a share of the height: below the words on an empty canvas, above its axis."""
_BESIDE = 70
"""Room left and right of the presets, pixels."""


class GeneratorList(QListWidget):
    """The generators under the headings of their groups; the arrow keys go from one to the next."""

    chosen = Signal(object)
    """The class of the generator that was chosen by hand."""

    def __init__(self, theme: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
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
                    item = QListWidgetItem(thumbnail(kind.id, theme), kind.label, self)
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


class PresetRow(QWidget):
    """A button for each preset, in the lower part of its parent."""

    def __init__(self, parent: QWidget, choose: Callable[[str], None]) -> None:
        super().__init__(parent)
        self._under = parent
        self.buttons: dict[str, QToolButton] = {}
        for name in PRESETS:
            kind = generators()[name]
            what = f"Draw {kind.label}"
            button = tool_button(kind.label, what, f"{what}\n{kind.about()}", partial(choose, name))
            button.setAutoRaise(True)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
            button.setIconSize(QSize(_SIZE, _SIZE))
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self.buttons[name] = button
        lay_out(QHBoxLayout(self), *self.buttons.values(), spacing=_GAP)
        parent.installEventFilter(self)

    def show_icons(self, theme: str) -> None:
        """Take the small pictures of a theme."""
        for name, button in self.buttons.items():
            button.setIcon(thumbnail(name, theme))
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep its place when the parent changes its size, and stay on top of what is added to it."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._place()
        return False

    def _place(self) -> None:
        """In the middle, with as many buttons as there is room for."""
        parent, room = self._under, self._under.width() - 2 * _BESIDE
        for button in self.buttons.values():
            room -= button.sizeHint().width() + _GAP
            button.setVisible(room >= 0)
        self.adjustSize()
        self.move((parent.width() - self.width()) // 2, round(_HEIGHT * parent.height() - self.height() / 2))
        self.raise_()


@lru_cache(maxsize=64)
def thumbnail(name: str, theme: str) -> QIcon:
    """A small picture of what the generator of that id draws."""
    kind, style = generators()[name], Style(theme=theme, points=_POINT)
    data = kind(n_samples=min(_FEW, kind().n_samples)).generate(0)

    def paint(painter: QPainter, _: QPointF) -> None:
        area = QRectF(1, 1, _SIZE - 2, _SIZE - 2)
        paint_box(painter, area, 4, pen(style.colors.grid, 1.0), style.colors.canvas)
        paint_samples(painter, AxesFrame(DEFAULT_LIMITS, area), DrawnSamples(data.X, data.labels), style)

    return painted_icon(paint, _SIZE)
