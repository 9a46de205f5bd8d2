"""One panel of the scene on the screen: the newest picture there is, under the samples as they are now."""

from __future__ import annotations

import dataclasses
from collections import deque

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QAccessible, QFocusEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from mlviz.draw.legend import Entry
from mlviz.draw.marks import Mark
from mlviz.draw.plot import Limits, Plot, with_ghost
from mlviz.interaction.tool_state import Place
from mlviz.numerics.arrays import Array
from mlviz.picture import PanelPicture
from mlviz.picture.attempts.marks import with_attempts
from mlviz.picture.description import summary
from mlviz.scene.canvas_axes import CanvasAxes, axes_of
from mlviz.scene.change import Change
from mlviz.scene.history import Store
from mlviz.scene.notes import Note
from mlviz.scene.notes.edits import noted_on
from mlviz.ui.canvas.changed_part import Refresh
from mlviz.ui.canvas.former_fit import FormerFit
from mlviz.ui.canvas.frame_layers import LayerCache
from mlviz.ui.canvas.legend_drag import LegendDrag
from mlviz.ui.paint.aside import made_aside
from mlviz.ui.paint.axes import AxesFrame, Style
from mlviz.ui.paint.cells import Cell, OwnCells, frame_in
from mlviz.ui.paint.explanation_card import Pinned
from mlviz.ui.paint.legend import NOTHING, Aside
from mlviz.ui.paint.samples import DrawnSamples
from mlviz.ui.paint.scene_view import STALE, hint_of, kept_in_sight, said_of, samples_of, still_answers
from mlviz.ui.paint.stack import FrameContent, named_marks
from mlviz.ui.paint.words import note_at
from mlviz.ui.widgets.after_paint import AfterPaint

_LATE_MS = 150
"""A picture is faded when its successor takes longer than this."""
TELL_MS = 300
"""Where a screen reader listens, the picture is described in words when nothing has changed for so long."""
_RECENT = 256
"""No picture is older than so many edits."""
_REST_MS = 100
"""What was painted in a hurry is painted exactly when nothing has moved for so long."""


class PanelView(QWidget):
    """Shows one panel, and follows the store: samples at once, the picture when the worker has made it."""

    def __init__(self, store: Store, panel_index: int, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent, accessibleName=f"Canvas {panel_index + 1}")
        self.store, self._index, self._style = store, panel_index, style
        self.cells, self._layers = OwnCells(), LayerCache()
        self.legend = LegendDrag(self, self.legend_box, lambda: self.frame().area)
        self._aside: Aside | None = None
        """The room of the legend where it stands beside the axes."""
        self.picture: PanelPicture | None = None
        """The picture shown; None before the first one."""
        self._samples = samples_of(store.scene, panel_index)
        self._same_rows = deque([store.scene.dataset.key], _RECENT)
        """Keys of data sets whose rows are those of the present samples, the newest last."""
        self._held: Limits | None = None
        """The limits while a gesture goes on that would move them under the hand."""
        self.former, self.stale = FormerFit(), False
        """The fit before the last change; whether the picture is faded because its successor is late."""
        self.named_elsewhere: frozenset[Entry] = NOTHING
        """What stands in the legend that several canvases have in common."""
        self.ghost = False
        """Whether the fit before the last change is laid over the present one."""
        self._refresh = Refresh(self, lambda: self._layers.seen, self._content, self._where)
        self._compose()
        self._late = QTimer(self, singleShot=True, interval=_LATE_MS)
        self._late.timeout.connect(self._fade)
        self._rest = QTimer(self, singleShot=True)
        self._rest.timeout.connect(self.update)
        self._painted = AfterPaint(self)  # the search for the legend's place would hold up what waits to be painted
        self._painted.due.connect(self.settle_legend)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(160, 140)
        self._tell = QTimer(self, singleShot=True, interval=TELL_MS)
        self._tell.timeout.connect(lambda: self._describe() if QAccessible.isActive() else None)
        store.listen(self._changed)

    @property
    def axes(self) -> CanvasAxes:
        """The axes of the present scene's panel."""
        return axes_of(self.store.scene, self._index)

    def set_picture(self, picture: PanelPicture) -> None:
        """Show what the worker made of the scene."""
        if not still_answers(picture, self.store.scene, self.axes):
            return
        same = self.picture is not None and self.picture.plot is picture.plot and not self.stale
        self.picture, self.stale = picture, False
        if picture.key == self.store.scene.dataset.key:
            self._late.stop()
        else:
            self._late.start()  # the answer for the data as they are now is still to come
        self._tell.start()
        if not same:
            self._compose()
        if not picture.draft:
            self.settle_soon()

    def begin(self, plot: Plot) -> None:
        """Paint what the next picture begins with, out of sight until that is there."""
        self._layers.begin(*self._where(), plot, self._samples)

    def named(self) -> tuple[tuple[Mark, ...], DrawnSamples | None]:
        """The marks and samples that a legend names; none where there is a sentence in its place."""
        sentence = len(self._samples.places) and self.picture is not None and self.picture.message
        return ((), None) if sentence else (named_marks(self._plot, self.pinned()), self._samples)

    def settle_legend(self) -> None:
        """Choose between a corner and the side of the axes for the legend, where no hand is on these and all alone."""
        former = self._aside
        if not self._cell(self.size()).alone:
            self._aside = None
        elif not (self.busy or self.store.gesturing) and self.picture is not None and self.picture.message is None:
            whole, equal = self._frame_of(self.size()), self.store.scene.view.equal
            self._aside = made_aside(whole, *self.named(), self._style, equal, self.legend.folded, former)
        if self._aside != former or self._layers.legend_is_behind(self.frame(), self._style):
            self.update()
        self._layers.lay_ahead(*self._where())

    def settle_soon(self) -> None:
        """The same once this is painted; where a picture is due, when that has been."""
        if not self._late.isActive():
            self._painted.start()

    @property
    def busy(self) -> bool:
        """Whether a gesture is under way."""
        return False

    def set_style(self, style: Style) -> None:
        """Paint in another style."""
        if dataclasses.replace(style, colours=self._style.colours) != self._style:
            self._aside = None  # other colours alone need no other room
        self._style = style
        self.settle_legend()
        self.update()

    def show_ghost(self, on: bool) -> None:
        """Lay the fit before the last change over the present one, or take it away."""
        if on != self.ghost:
            self.ghost = on
            self._compose()

    def in_words(self) -> str:
        """What is shown, for those who cannot see it."""
        return summary(self.store.scene, self._index, self.picture, self.frame().limits)

    def frame(self) -> AxesFrame:
        """The map between the data and the pixels of this widget."""
        aside = self._aside if self.legend.place is None and len(self._samples.places) else None
        return self._frame_of(self.size(), aside)

    def _cell(self, size: QSize) -> Cell:
        """Where axes and caption are in the widget at that size."""
        return self.cells.of_size(size.width(), size.height(), self._style)

    def _frame_of(self, size: QSize, aside: Aside | None = None) -> AxesFrame:
        limits, equal = self._held or self.axes.limits, self.store.scene.view.equal
        return frame_in(self._cell(size).area.getRect(), limits, equal, aside and aside.area)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """With equal axes another shape shows other parts of the plane: samples that were seen stay in sight."""
        self.settle_legend()
        if self.isVisible() and event.oldSize().isValid():  # or else it has shown nobody anything
            scene, axes = self.store.scene, self.axes
            before, after = self._frame_of(event.oldSize()).limits, self._frame_of(event.size()).limits
            limits = kept_in_sight(axes.limits, before, after, axes.places(scene.dataset))
            if axes.shared and limits != axes.limits:
                self.store.look(scene.with_view(limits=limits))

    def legend_box(self) -> QRectF:
        """Where the legend is; empty where there is none."""
        return self._layers.legend

    def area_size(self) -> tuple[int, int]:
        """Width and height of the area that the axes enclose, with the room of the legend, logical pixels."""
        area = self._frame_of(self.size()).area
        return int(area.width()), int(area.height())

    def unit(self) -> Array:
        """The size of a pixel (2,) in data coordinates."""
        return self.frame().unit

    def note_at(self, pixel: Array) -> Note | None:
        """The note that covers a pixel (2,)."""
        noted = noted_on(self.store.scene, self._index)
        return note_at(self.frame(), noted.notes, self._style, pixel) if noted else None

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the samples as they are now over the newest picture there is."""
        with QPainter(self) as painter:
            painter.setClipRect(event.rect())  # Qt clips by itself, but tells nobody
            exact = self._layers.paint(painter, *self._where(), self._content())
        if self._layers.under_way or not exact:
            self._rest.start(0 if self._layers.under_way else _REST_MS)

    def _content(self) -> FrameContent:
        """What is to be seen now."""
        caption, message = said_of(self.picture, self.stale)
        where = self.frame(), self._style, self.legend.place, self.legend.folded
        draft = self.picture is not None and self.picture.draft  # an exact one follows, which settles the legend
        unsettled = draft or self.busy or self.store.gesturing or self._late.isActive() or self._painted.waiting
        return FrameContent(
            plot=self._plot,
            edges=self._cell(self.size()).edges,
            samples=self._samples,
            tied=self.picture is not None and self.picture.key in self._same_rows,
            caption=caption,
            message=message,
            evidence=self.preview_marks(),
            cross=self.cross(),
            pinned=self.pinned(),
            dim=STALE if self.stale else 1.0,
            hint=hint_of(self.store.scene, self._index),
            legend_place=self.legend.place,
            legend_folded=self.legend.folded,
            legend_aside=self._aside,
            legend_elsewhere=self.named_elsewhere,
            legend_held=self._layers.legend_in(*where) if unsettled else None,
            noted=noted_on(self.store.scene, self._index),
        )

    def _where(self) -> tuple[Cell, AxesFrame, Style]:
        return self._cell(self.size()), self.frame(), self._style

    def preview_marks(self) -> list[Mark]:
        """What lies over picture and samples."""
        return []

    def pinned(self) -> Pinned | None:
        """What is said about the pinned place."""
        return None

    def cross(self) -> Place | None:
        """Where a cursor is shown that is not the mouse's own."""
        return None

    def _compose(self) -> None:
        """Make the plot that is shown: the picture's, with the ghost of the one before where it is wanted."""
        plot = self.picture.plot if self.picture else Plot("data", "", *self.axes.names, marks=())
        plot = with_attempts(plot, self.store.scene, self._index)
        self._plot = with_ghost(plot, self.former.marks) if self.ghost else plot
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """A screen reader reads what gets the keyboard; who clicks does not ask."""
        super().focusInEvent(event)
        if event.reason() != Qt.FocusReason.MouseFocusReason:
            self._describe()

    def changeEvent(self, event: QEvent) -> None:
        """A screen reader may have been started while another window was in front."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self._describe()

    def _describe(self) -> None:
        if self._index < len(self.store.scene.panels):  # it may be gone by now, and this canvas soon
            self.setAccessibleDescription(self.in_words())

    def _changed(self, change: Change) -> None:
        """Follow the store: repaint at once, and notice when a new picture is due."""
        if change.none:
            if not self.busy:
                self.settle_soon()
            return
        self._tell.start()
        due = change.answer(self._index)
        if due:
            self.former.follow(change, self.picture, self.store.going_on)
        turned = change.turned(self._index)
        if turned or change.hiding:
            self.picture, self.former, self._aside = None, FormerFit(), None
            self.legend.reset()
        if turned or change.attempts or (change.samples and change.new.attempts):
            self._compose()
        if turned or change.samples or change.panels:
            self._samples = samples_of(change.new, self._index)
        if change.rows:
            self._same_rows.clear()
        if turned or change.samples:
            self._same_rows.append(change.new.dataset.key)
        if due and not self.stale and not self._late.isActive():
            self._late.start()
        self._refresh.start()

    def _fade(self) -> None:
        self.stale = True
        self.settle_legend()
        self.update()
