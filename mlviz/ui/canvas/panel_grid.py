"""The canvases side by side, and which of them is the current one."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from mlviz.draw.plot import Plot
from mlviz.interaction.tool_state import ToolState
from mlviz.scene.change import Change
from mlviz.scene.comparing import swapped
from mlviz.scene.history import Store
from mlviz.ui.canvas.canvas import Canvas
from mlviz.ui.canvas.common_legend import CommonLegend
from mlviz.ui.canvas.swap_drag import SwapDrag
from mlviz.ui.paint.axes import Style
from mlviz.ui.paint.cells import Cell, looks, on_screen

_EDGE, _GAP = 2, 2
"""The frame around a canvas, and what parts two of these, pixels."""
_LEAST = QSize(164, 144)
"""No canvas with its frame is smaller."""
_BY_KEY = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)


class PanelGrid(QWidget):
    """One to six canvases in rows. A canvas once made is kept, and hidden while there is no panel for it."""

    current_changed = Signal(int)
    resized = Signal()
    """A canvas has another size."""
    canvas_made = Signal(object)

    def __init__(self, store: Store, hand: ToolState, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store, self._hand, self._style = store, hand, style
        self._canvases: list[Canvas] = []
        self._frames: list[QFrame] = []
        self._cells: list[Cell] = []
        self._shown = 0
        self.current = 0
        self._legend = CommonLegend(self)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._settle_legend)
        self._swap_drag = SwapDrag(self._line_at, self._canvas_at, self._mark_target, self.swap)
        store.listen(self._changed)

    @property
    def canvas(self) -> Canvas:
        """The current canvas."""
        return self._canvases[self.current]

    @property
    def canvases(self) -> list[Canvas]:
        """The canvases on screen."""
        return self._canvases[: self._shown]

    def show_panels(self, count: int) -> None:
        """Show that many canvases."""
        while len(self._canvases) < count:
            frame = QFrame(self)
            frame.setObjectName("panel")
            # What covers the canvas goes by this layout; the canvas goes by its cell alone, and nobody else moves it.
            QGridLayout(frame).setContentsMargins(0, 0, 0, 0)
            canvas = Canvas(self._store, len(self._canvases), self._hand, self._style.for_panels(count), frame)
            canvas.installEventFilter(self)
            self._canvases.append(canvas)
            self._frames.append(frame)
            self.canvas_made.emit(canvas)
        if count != self._shown:
            for canvas in self._canvases:
                canvas.set_style(self._style.for_panels(count))
        # First of all: a canvas that is hidden hands the keyboard to the next one, which makes itself the current one.
        self._shown = count
        self.choose(min(self.current, count - 1))
        self._lay_out()
        for index, frame in enumerate(self._frames):
            if index >= count and frame.isAncestorOf(self.window().focusWidget() or self):
                self.canvas.setFocus()
            frame.setVisible(index < count)
        self.updateGeometry()

    def begin(self, panel: int, plot: Plot) -> None:
        """Have a canvas paint ahead what its next picture begins with."""
        if panel < self._shown and self.isVisible():
            self._canvases[panel].begin(plot)

    def minimumSizeHint(self) -> QSize:
        """Room for the smallest canvases there may be."""
        columns = min(self._shown, 3)
        return QSize(columns * _LEAST.width(), -(-self._shown // max(1, columns)) * _LEAST.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the canvases their part of the room."""
        if self._shown:
            self._lay_out()

    def _changed(self, change: Change) -> None:
        """Canvases that have other axes may no longer share names and numbers with those beside them."""
        if len(change.new.panels) == self._shown > 1 and looks(change.old) != looks(change.new):
            self._lay_out()
        elif change.none:
            self._soon.start()  # a gesture is over, and nothing may be painted after it

    def _settle_legend(self) -> None:
        """Name what the canvases show, but not while a gesture lasts: after it they are painted once more."""
        if not self._store.gesturing:
            self._legend.settle(self.canvases, self._style.for_panels(self._shown))

    def _lay_out(self) -> None:
        """Give each canvas its part of the room, if it is not where it belongs."""
        room = QRectF(self.rect()).adjusted(_EDGE, _EDGE, -_EDGE, -_EDGE)
        style = self._style.for_panels(self._shown)
        rooms = on_screen(room, looks(self._store.scene)[: self._shown], style, 2 * _EDGE + _GAP)
        self._legend.setGeometry(rooms.legend.toRect())
        self._soon.start()
        cells = rooms.cells
        if cells == self._cells:
            return
        self._cells = cells
        for frame, canvas, cell in zip(self._frames, self._canvases, cells, strict=False):
            canvas.cells.put(cell)
            canvas.update()
            frame.setGeometry(cell.room.toRect().adjusted(-_EDGE, -_EDGE, _EDGE, _EDGE))
            canvas.setGeometry(_EDGE, _EDGE, *cell.room.size().toSize().toTuple())
        self.resized.emit()

    @property
    def lowest_words(self) -> QRect:
        """Where what stands lowest is: the legend in common below all canvases, or else the last captions."""
        top = max(cell.room.bottom() for cell in self._cells)
        if self._legend.y() < top:
            top = self._cells[-1].caption.top()
        return self.rect().adjusted(0, int(top), 0, 0)

    @property
    def canvas_style(self) -> Style:
        """What the canvases are painted in."""
        return self._style.for_panels(self._shown)

    def cover(self, widget: QWidget) -> None:
        """Put a widget over the current canvas, until it is put elsewhere."""
        room = self._frames[self.current].layout()
        assert isinstance(room, QGridLayout)
        room.addWidget(widget, 0, 0)
        widget.raise_()
        widget.show()

    def choose(self, index: int) -> None:
        """Make a canvas the current one; the frame shows which it is where there are several."""
        changed, self.current = index != self.current, index
        for place, frame in enumerate(self._frames):
            _show_property(frame, "current", place == index and self._shown > 1)
        if changed:
            self.current_changed.emit(index)

    def swap(self, one: int, other: int) -> None:
        """Put two canvases in each other's place, and go along with the first."""
        self._store.push(swapped(self._store.scene, one, other), "swap canvases")
        self.choose(other)
        self.canvas.setFocus()

    def _place_of(self, canvas: Canvas, event: QEvent) -> QPoint:
        """Where the mouse is, in here."""
        at = event.position().toPoint() if isinstance(event, QMouseEvent) else QPoint()
        return canvas.mapTo(self, at)

    def _canvas_at(self, place: QPoint) -> int | None:
        frames = self._frames[: self._shown]
        return next((k for k, frame in enumerate(frames) if frame.geometry().contains(place)), None)

    def _line_at(self, place: QPoint) -> int | None:
        """The canvas whose line of words is there, where there are others to be swapped with."""
        cells = self._cells[: self._shown] if self._shown > 1 else []
        return next((k for k, cell in enumerate(cells) if cell.below.contains(QPointF(place))), None)

    def _mark_target(self, index: int | None) -> None:
        for k, frame in enumerate(self._frames):
            _show_property(frame, "reached", k == index)

    def set_style(self, style: Style) -> None:
        """Paint all canvases in another style."""
        self._style = style
        for canvas in self._canvases:
            canvas.set_style(style.for_panels(self._shown))
        self._lay_out()

    def show_ghost(self, on: bool) -> None:
        """Show or hide the fits before the last change."""
        for canvas in self._canvases:
            canvas.show_ghost(on)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """See presses, focus and sizes of the canvases go by."""
        if isinstance(watched, Canvas):
            if isinstance(event, QMouseEvent | QKeyEvent) and self._swap_drag.see(
                event, self._place_of(watched, event)
            ):
                return True
            if event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.FocusIn):
                self.choose(self._canvases.index(watched))
            elif event.type() == QEvent.Type.Paint and self._shown > 1:
                self._soon.start()  # the canvas first, and then what names it
            if isinstance(event, QFocusEvent):
                by_key = event.gotFocus() and event.reason() in _BY_KEY
                _show_property(self._frames[self._canvases.index(watched)], "reached", by_key)
        return False


def _show_property(frame: QFrame, name: str, value: bool) -> None:
    """Set a property that the style sheet looks at."""
    if frame.property(name) != value:
        frame.setProperty(name, value)
        frame.style().unpolish(frame)
        frame.style().polish(frame)
        frame.update()  # a canvas paints only what changed of itself
