"""Where canvases go that stand beside each other: equal areas in rows and columns, on whole pixels.

Names and numbers of axes stand once a row and once a column where these share them, so that the areas gain their room.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF

from mlviz.draw.plot import BOTH_EDGES, Edges, Limits, visible_limits
from mlviz.scene.canvas_axes import axes_of
from mlviz.scene.scene import Scene
from mlviz.ui.paint.axes import AxesFrame, Style, margins, metrics
from mlviz.ui.paint.legend import Box, common_height

_NARROW = 260.0
"""A canvas at least so wide has its caption in two lines, a narrower one in three. Logical pixels."""
_HIGH = 1.2
"""A room is a high one that is so many times as high as wide."""
_CAPTION_AIR = 8.0
"""Left and right of the caption, pixels."""
Look = tuple[object, object]
"""What the horizontal and the vertical axis show: equal ones of canvases beside each other are written once."""


@dataclass(frozen=True)
class Cell:
    """The `room` of a canvas, the `area` that its axes enclose, and what it has `below` these, wide as in all cells."""

    room: QRectF
    area: QRectF
    below: QRectF
    edges: Edges = BOTH_EDGES
    alone: bool = True
    """Whether no canvas is beside it."""

    def at_origin(self) -> Cell:
        """The same in a room that begins at (0, 0)."""
        room, area, below = (part.translated(-self.room.topLeft()) for part in (self.room, self.area, self.below))
        return Cell(room, area, below, self.edges, self.alone)

    @property
    def caption(self) -> QRectF:
        """The box of the caption, where nothing else stands below the axes."""
        return self.below.adjusted(_CAPTION_AIR, 0, -_CAPTION_AIR, -4)


@dataclass(frozen=True)
class Rooms:
    """The cells of canvases, and the room of the legend that several have in common."""

    cells: list[Cell]
    legend: QRectF


def looks(scene: Scene) -> list[Look]:
    """What the axes of each panel show."""
    found: list[Look] = []
    for index in range(len(scene.panels)):
        axes = axes_of(scene, index)
        limits = None if axes.shared else axes.limits
        found.append(((axes.names[0], limits), (axes.names[1], limits)))
    return found


def caption_height(width: float, style: Style) -> float:
    """The height of the caption below a canvas on the screen."""
    lines = 2 if width >= _NARROW * style.text else 3
    return lines * metrics(style).height() + 6


@lru_cache(maxsize=32)
def alone(width: float, height: float, style: Style) -> Cell:
    """The cell of a canvas of that size on the screen that has no others beside it."""
    return on_screen(QRectF(0, 0, width, height), [(0, 0)], style, 0.0).cells[0]


def on_screen(room: QRectF, axes: Sequence[Look], style: Style, gap: float) -> Rooms:
    """The rooms of canvases on the screen."""
    return rooms(room, axes, style, gap, lambda width, _: caption_height(width, style))


def rooms(
    room: QRectF,
    axes: Sequence[Look],
    style: Style,
    gap: float,
    below: Callable[[float, float], float],
    title: str = "",
) -> Rooms:
    """The rooms of canvases with those axes: in so many columns that pictures of 4 to 3 in their areas are the largest.

    Two stand side by side, to be compared, unless the room is a high one.
    `below` answers how high the room below the axes is in a canvas of about that width and height. The legend of
    several is in the corner where no canvas is, or below them all.
    """
    n = len(axes)
    made = [_in_columns(room, axes, columns, style, gap, below, title) for columns in range(1, n + 1)]
    fitting = [min(cells[0].area.width() / 4, cells[0].area.height() / 3) for cells in made]
    columns = fitting.index(max(fitting)) + 1 if n != 2 else 1 + (room.height() < _HIGH * room.width())
    if n % columns or n == 1 or not style.legend:
        return Rooms(made[columns - 1], _free(made[columns - 1], columns, gap) if n % columns else QRectF())
    strip = room.adjusted(0, room.height() - common_height(style), 0, 0)
    cells = _in_columns(room.adjusted(0, 0, 0, -strip.height() - gap), axes, columns, style, gap, below, title)
    return Rooms(cells, strip.adjusted(cells[0].area.left() - strip.left(), 0, 0, 0))


def _free(cells: list[Cell], columns: int, gap: float) -> QRectF:
    """The room in the last row that has no canvas."""
    over = cells[len(cells) - columns : len(cells) - len(cells) % columns]
    corner = QPointF(over[0].room.left(), max(cell.room.bottom() for cell in over) + gap)
    return QRectF(corner, QPointF(over[-1].room.right(), cells[-1].room.bottom()))


def _in_columns(
    room: QRectF,
    axes: Sequence[Look],
    columns: int,
    style: Style,
    gap: float,
    below: Callable[[float, float], float],
    title: str,
) -> list[Cell]:
    """The cells of canvases in so many columns."""
    n, rows = len(axes), -(-len(axes) // columns)
    edges = [
        Edges(
            left=k % columns == 0 or axes[k][1] != axes[k - 1][1],
            below=k + columns >= n or axes[k][0] != axes[k + columns][0],
        )
        for k in range(n)
    ]
    around = [margins(style, title, edge) for edge in edges]
    top, right = around[0].top(), around[0].right()
    lefts = [max(around[k].left() for k in range(column, n, columns)) for column in range(columns)]
    # Where no canvas stands below, there is room for more.
    unders = [max((around[k].bottom() for k in _row(r, columns, n) if k + columns < n), default=0) for r in range(rows)]
    unders[-1] = max(around[k].bottom() for k in _row(rows - 1, columns, n))
    wide, high = room.width() - gap * (columns - 1), room.height() - gap * (rows - 1)
    words = math.ceil(below(wide / columns, high / rows))
    width = max(1, int((wide - sum(lefts) - columns * right) / columns))
    height = max(1, int((high - sum(unders) - rows * (top + words)) / rows))
    narrow = min(lefts) + width + right
    made = []
    for k in range(n):
        row, column = divmod(k, columns)
        x = room.left() + sum(lefts[:column]) + column * (width + right + gap)
        y = room.top() + sum(unders[:row]) + row * (top + height + words + gap)
        area = QRectF(x + lefts[column], y + top, width, height)
        end = area.right() + right
        under = QRectF(end - narrow, area.bottom() + max(unders[row], around[k].bottom()), narrow, words)
        made.append(Cell(QRectF(QPointF(x, y), QPointF(end, under.bottom())), area, under, edges[k], n == 1))
    return made


def _row(row: int, columns: int, n: int) -> range:
    """The canvases of a row."""
    return range(row * columns, min((row + 1) * columns, n))


class OwnCells:
    """Where a canvas stands among others, at its present size and at the one before."""

    def __init__(self) -> None:
        self._by_size: dict[tuple[int, int], Cell] = {}

    def put(self, cell: Cell) -> None:
        """Stand there, as soon as the size is that of the room."""
        width, height = cell.room.size().toSize().toTuple()
        self._by_size = dict(list(self._by_size.items())[-1:]) | {(width, height): cell.at_origin()}

    def of_size(self, width: int, height: int, style: Style) -> Cell:
        """The cell of that size; of another one than it was put in, as if it were alone."""
        return self._by_size.get((width, height)) or alone(width, height, style)


@lru_cache(maxsize=32)
def frame_in(area: Box, limits: Limits, equal: bool, less: Box | None = None) -> AxesFrame:
    """The map between data and an area, or `less` of it; kept, since a move of the mouse asks for it often."""
    left, top, width, height = area
    frame = AxesFrame(visible_limits(limits, width, height, equal), QRectF(left, top, width, height))
    return frame if less is None else frame.with_area(QRectF(*less), False)
