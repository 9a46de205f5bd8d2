"""What fills an empty canvas at one click: artificial samples, shipped tables, a table of one's own."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial, reduce
from math import ceil

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QIcon, QPainter, QRegion, QShowEvent
from PySide6.QtWidgets import QToolButton, QWidget

from mlviz.data.generators.catalog import Circles, Moons, generators
from mlviz.data.tables.shipped import load_shipped, shipped_tables
from mlviz.draw.palette import Colours
from mlviz.scene.canvas_axes import limits_about
from mlviz.ui.canvas.panel_grid import PanelGrid
from mlviz.ui.datasets.generator_list import scatter_icon, thumbnail
from mlviz.ui.paint.axes import Style
from mlviz.ui.paint.samples import DrawnSamples
from mlviz.ui.paint.scene_view import hint_of
from mlviz.ui.paint.strokes import paint_box, pen
from mlviz.ui.paint.symbols import painted_icon
from mlviz.ui.paint.words import notice_box
from mlviz.ui.widgets.icons import icon
from mlviz.ui.widgets.parts import tool_button

CLASSES = {
    "blobs": "blobs",
    "two-gaussians": "Gaussians",
    "moons": "moons",
    "circles": "circles",
    "spirals": "spirals",
    "xor": "XOR",
    "checkerboard": "checkerboard",
}
VALUES = {"linear": "line", "sine": "sine", "step": "steps"}
"""The generators offered, by id, and what they are called in short: of classes, and below them of values to predict."""
GROUPS_APART = {"moons": Moons(n_samples=200, noise=0.15), "circles": Circles(n_samples=200, noise=0.12)}
"""In classes that meet no method finds groups: what clustering methods are given instead, by the generator's id."""
TABLES = {"iris": "Iris", "penguins": "Penguins"}
"""The shipped tables offered beside the second row."""
_SIDE, _SMALL_SIDE = 48, 30
"""Side of a small picture, pixels, and where the axes are low."""
_WIDTH, _GAP = 81, 5
"""Width of a button, so that seven of them have room in the smallest window, and what parts two of them, pixels."""
_WORDS = 0.92
"""Size of the names, as a share of the usual one."""
_ROUND = 8
"""What is around picture and name in a button, pixels."""
_SINK = 0.4
"""How much of the room that is left stands above the rows, as a share."""
_AIR = 5
"""Between the rows and the axes, pixels."""
_LATER_MS = 100
"""The window is seen for so long before the tables are read."""


class PresetRows(QWidget):
    """A button with a picture and a name for each preset and table, in the lower part of the axes.

    Where a method draws before the first sample they are one small row at the lower end, of values to predict.
    """

    def __init__(
        self,
        panels: PanelGrid,
        draw: Callable[[str], None],
        show: Callable[[str], None],
        open_table: Callable[[], None],
        tour: Callable[[], None],
    ) -> None:
        """`draw` and `show` are told the id of the generator or of the shipped table."""
        super().__init__(panels)
        self._panels, self._theme = panels, ""
        self.buttons: dict[str, QToolButton] = {}
        for name, label in (CLASSES | VALUES).items():
            kind = generators()[name]
            self._add(name, label, f"Draw {kind.label}", kind.about(), partial(draw, name))
        for name, label in TABLES.items():
            table = shipped_tables()[name]
            self._add(name, label, f"Open {table.label}", table.description, partial(show, name))
        tip = "A table of your own: CSV or TSV. It can be dropped on the window, too."
        self._add("table", "Open table...", "Open a table", tip, open_table)
        self.tour = _small(tool_button("Take the tour", "Take the tour", "Five steps through the window.", tour))
        self.tour.setObjectName("link")
        self._rows = [
            [self.buttons[name] for name in CLASSES],
            [*(self.buttons[name] for name in (*VALUES, *TABLES, "table")), self.tour],
        ]
        for button in (*self.buttons.values(), self.tour):
            button.setParent(self)
        panels.resized.connect(self.place)

    def _add(self, name: str, label: str, what: str, about: str, clicked: Callable[[], object]) -> None:
        button = tool_button(label, what, f"{what}\n{about}", clicked)
        button.setObjectName("tile")
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        self.buttons[name] = _small(button)

    def show_icons(self, theme: str, colours: Colours) -> None:
        """Take the small pictures of a theme, with those colours of the classes of drawn samples."""
        self._theme = theme
        for name in CLASSES | VALUES:
            self.buttons[name].setIcon(thumbnail(name, theme, colours, _SIDE))
        self.buttons["table"].setIcon(_folder_icon(theme))
        if self.isVisibleTo(self._panels):
            QTimer.singleShot(_LATER_MS, self, self._show_tables)
        self.place()

    def _show_tables(self) -> None:
        for name in TABLES:
            self.buttons[name].setIcon(_table_icon(name, self._theme))

    def showEvent(self, event: QShowEvent) -> None:
        """Take the pictures of the present theme, and stand where there is room by now."""
        super().showEvent(event)
        QTimer.singleShot(_LATER_MS, self, self._show_tables)
        self.place()

    def _leave_gaps(self) -> None:
        buttons = [button for row in self._rows for button in row if not button.isHidden()]
        self.setMask(reduce(QRegion.united, [QRegion(button.geometry()) for button in buttons], QRegion()))

    def place(self) -> None:
        """Within the axes, below the words of an empty canvas, with as many buttons as there is room for."""
        areas, low = [], 0
        for index, canvas in enumerate(self._panels.canvases):
            area = canvas.frame().area.toRect().translated(canvas.mapTo(self._panels, QPoint()))
            hint = hint_of(canvas.store.scene, index)
            words = notice_box(QRectF(area), hint, Qt.AlignmentFlag.AlignVCenter, self._panels.canvas_style)
            areas.append(area)
            low = max(low, ceil(words.bottom()))
        room = reduce(QRect.united, areas, QRect()).adjusted(_AIR, _AIR, -_AIR, -_AIR)
        room.setTop(max(room.top(), low + _AIR))
        columns = max(0, (room.width() + _GAP) // (_WIDTH + _GAP))
        aside = any(panel.overlays_without_model for panel in self._panels.canvas.store.scene.panels)
        side, height, rows = self._fitting(room.height(), aside)
        shown = [row[:columns] for row in (self._rows[1:] if aside else self._rows)[:rows]]
        for button in (*self.buttons.values(), self.tour):
            button.setIconSize(QSize(side, side))
            button.setVisible(any(button in row for row in shown))
        for k, row in enumerate(shown):
            for n, button in enumerate(row):
                button.setGeometry(n * (_WIDTH + _GAP), k * (height + _GAP), _WIDTH, height)
        most = max(map(len, shown), default=0)
        self.resize(max(0, most * (_WIDTH + _GAP) - _GAP), max(0, rows * (height + _GAP) - _GAP))
        over = room.height() - self.height()
        above = over if aside else round(_SINK * over)
        self.move(room.left() + (room.width() - self.width()) // 2, room.top() + above)
        self._leave_gaps()
        self.raise_()

    def _fitting(self, height: int, aside: bool) -> tuple[int, int, int]:
        """Side of the pictures, height of a button and number of rows that a height has room for: the most, or none."""
        words = self.tour.fontMetrics().height() + _ROUND
        for rows in (1,) if aside else (2, 1):
            for side in (_SMALL_SIDE,) if aside else (_SIDE, _SMALL_SIDE):
                if rows * (side + words + _GAP) - _GAP <= height:
                    return side, side + words, rows
        return _SMALL_SIDE, _SMALL_SIDE + words, 0


def _small(button: QToolButton) -> QToolButton:
    """One of the rows: as wide as all, and reached by Tab, since after a click the keys belong to the canvas."""
    font = button.font()
    font.setPixelSize(round(_WORDS * button.fontInfo().pixelSize()))
    button.setFont(font)
    button.setAutoRaise(True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def _folder_icon(theme: str) -> QIcon:
    def paint(painter: QPainter, _: QPointF) -> None:
        colors = Style(theme=theme).colors
        paint_box(painter, QRectF(1, 1, _SIDE - 2, _SIDE - 2), 4, pen(colors.grid, 1.0), colors.canvas)
        icon("open").paint(painter, QRect(_SIDE // 4, _SIDE // 4, _SIDE // 2, _SIDE // 2))

    return painted_icon(paint, _SIDE)


@lru_cache(maxsize=8)
def _table_icon(name: str, theme: str) -> QIcon:
    table, data = shipped_tables()[name], load_shipped(name)
    places = data.X[:, [data.column(axis) for axis in table.axes]]
    return scatter_icon(DrawnSamples(places, data.labels), limits_about(places), Style(theme=theme), _SIDE)
