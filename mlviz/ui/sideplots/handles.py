"""What can be dragged in a side plot: lines and points of pyqtgraph that slide from place to place of a handle."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QObject, QPointF, QSignalBlocker, Qt, Signal

from mlviz.draw.plot import Handle
from mlviz.numerics.arrays import Array, to_digits
from mlviz.ui.paint.axes import AxesFrame, Style, forward
from mlviz.ui.paint.strokes import colour

_ANGLES = {"upright": 90, "level": 0}
"""Kinds of handles that are lines, and their directions, degrees."""
_ALONG = {"upright": (True, False), "level": (False, True), "point": (True, True)}
"""The axes that a handle moves along."""
_CURSORS = {
    "upright": Qt.CursorShape.SizeHorCursor,
    "level": Qt.CursorShape.SizeVerCursor,
    "point": Qt.CursorShape.SizeAllCursor,
}
_LINE_PX, _POINT_PX = 2.0, 13.0
"""Width of a line and size of a point."""


class Grip(QObject):
    """Shows a handle in a box. `dragged` carries its path, its value, and whether it was let go."""

    dragged = Signal(str, object, bool)

    def __init__(self, handle: Handle, box: pg.ViewBox, frame: Callable[[], AxesFrame]) -> None:
        super().__init__(box)
        self._box, self._frame = box, frame
        self.cursor = _CURSORS[handle.kind]
        """The shape of the mouse's cursor that says how it can be dragged."""
        self._along = np.array(_ALONG[handle.kind])
        angle = _ANGLES.get(handle.kind)
        self._item = pg.TargetItem(symbol="o") if angle is None else pg.InfiniteLine(angle=angle, movable=True)
        self._item.sigPositionChanged.connect(self._slide)
        self._item.sigPositionChangeFinished.connect(self._let_go)
        box.addItem(self._item, ignoreBounds=True)
        self.show(handle)

    @property
    def held(self) -> bool:
        """Whether it is in the hand."""
        return bool(self._item.moving)

    @property
    def near(self) -> bool:
        """Whether the mouse is near enough to take hold of it, or does."""
        return self.held or bool(self._item.mouseHovering)

    @property
    def pixel(self) -> Array:
        """Where it is (2,), logical pixels of the view; a line is at its upper or left end."""
        area = self._frame().area
        return np.where(self._along, self._pixels()[self._at], (area.left(), area.top()))

    def show(self, handle: Handle) -> None:
        """Stand where this handle does."""
        self.handle, self._at = handle, handle.at
        self._stand()

    def set_style(self, style: Style, scale: float) -> None:
        """Paint in that style, on a screen with so many pixels a logical one."""
        ink = colour(style.ink("now").line)
        # Pens of items in a box are as wide in pixels of the device, whatever its scale.
        width = _LINE_PX * style.lines * scale
        self._item.setPen(pg.mkPen(ink, width=width))
        self._item.setHoverPen(pg.mkPen(ink, width=2 * width))
        if self.handle.kind == "point":
            self._item.scale = _POINT_PX * style.points
            self._item.setBrush(ink)
            self._item.setHoverBrush(ink)
            self._item.viewTransformChanged()

    def remove(self) -> None:
        """Take it out of the box."""
        self._box.removeItem(self._item)
        self.deleteLater()

    def _pixels(self) -> Array:
        return self._frame().to_pixels(self.handle.points)

    def _stand(self) -> None:
        place = forward(self.handle.points[self._at][None], self._frame().scales)[0]
        with QSignalBlocker(self._item):
            self._item.setPos(QPointF(*np.where(self._along, place, 0.0).tolist()))

    def _slide(self) -> None:
        """Go to the place that is nearest to where it has been dragged."""
        here = self._box.mapViewToScene(self._item.pos())
        offset = np.where(self._along, self._pixels() - here.toTuple(), 0.0)
        at = int(np.argmin(np.nan_to_num(np.hypot(offset[:, 0], offset[:, 1]), nan=np.inf)))
        moved, self._at = at != self._at, at
        self._stand()
        if moved:
            self._tell(False)

    def _let_go(self) -> None:
        self._tell(True)

    def _tell(self, finished: bool) -> None:
        value = self.handle.values[self._at].item()
        if isinstance(value, float) and self.handle.path.startswith("algorithm."):
            value = to_digits(value)  # a place on the screen says no more, and the field is to be read
        self.dragged.emit(self.handle.path, value, finished)
