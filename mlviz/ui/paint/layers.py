"""The layers of a picture, each painted by one call: equal ones look the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from mlviz.draw import palette
from mlviz.draw.legend import Arranged, Entry, has_scales, retold
from mlviz.draw.marks import Mark, Text
from mlviz.draw.plot import Edges, Plot
from mlviz.scene.notes import Note, Stroke
from mlviz.ui.paint.axes import AxesFrame, Style
from mlviz.ui.paint.axis_painter import paint_frame, paint_grid, paint_labels, paint_ticks
from mlviz.ui.paint.caption import paint_caption
from mlviz.ui.paint.explanation_card import Pinned, paint_card
from mlviz.ui.paint.legend import GAP_PX, NOTHING, Aside, arranged, arranged_beside, entries_of, paint_legend
from mlviz.ui.paint.painter import MARK_REACH_PX, paint_marks
from mlviz.ui.paint.samples import SAMPLE_SIZE, DrawnSamples, crowded_style, paint_samples
from mlviz.ui.paint.strokes import colour, paint_box, pen
from mlviz.ui.paint.words import NOTICE_SIZE, notice_box, paint_notes, paint_words, placed_words

SAMPLES_IN_A_PIECE = 250_000
"""So many samples are painted in about 50 ms."""


@dataclass(eq=False)
class Sheet:
    """What the layers are painted on. `raster` says that it holds pixels."""

    painter: QPainter
    frame: AxesFrame
    style: Style
    raster: bool = True
    caption_box: QRectF = field(default_factory=QRectF)
    legend_box: QRectF = field(default_factory=QRectF)
    """Where the legend has been painted; empty where there is none."""
    legend: Arranged | None = None
    """The legend that has been painted."""
    card_box: QRectF = field(default_factory=QRectF)
    """Where the card of the pinned place has been painted; empty where there is none."""
    words: tuple[QRectF, ...] = ()
    """Where the words of marks have been written."""


@dataclass(frozen=True)
class Layer:
    """One layer. Equal ones look the same on the same sheet; `dim` is the opacity that they are painted with."""

    samples: DrawnSamples | None = field(default=None, kw_only=True)
    """The samples that it shows, or follows."""
    reach_px: ClassVar[float] = MARK_REACH_PX
    """How far from a sample's place something of it may be painted, at the usual size of points."""
    kept: ClassVar[bool] = False
    """Whether it is kept painted from frame to frame even without symbols."""
    dim: float = field(default=1.0, kw_only=True)
    still: bool = field(default=False, kw_only=True)
    """Whether it stays as it is while samples move; such layers are the lowest ones."""

    @property
    def symbols(self) -> int:
        """How many symbols it is made of, where it is made of symbols alone."""
        return 0

    @property
    def pieces(self) -> int:
        """In how many pieces, one over the other, it can be painted, each of which takes no longer than a blink."""
        return 1

    def paint(self, sheet: Sheet, piece: int | None = None) -> None:
        """Paint it, or one of its pieces; what lies outside the painter's clip need not be."""


@dataclass(frozen=True)
class AxesLayer(Layer):
    """The ground of the area, ticks with their labels, and the grid where no field would hide it."""

    plot: Plot = field(compare=False)
    look: tuple[object, ...]  # the `axes_look` of the plot, of which nothing else is seen
    covered: bool
    ticks: bool
    """Whether ticks are painted, and not by others over it."""
    edges: Edges

    def paint(self, sheet: Sheet, piece: int | None = None) -> None:
        """Fill the area and paint the axes."""
        sheet.painter.fillRect(sheet.frame.area, colour(sheet.style.colors.canvas))
        if not self.covered:
            paint_grid(sheet.painter, sheet.frame, self.plot, sheet.style)
        if self.ticks:
            paint_ticks(sheet.painter, sheet.frame, self.plot, sheet.style, self.edges)
        paint_labels(sheet.painter, sheet.frame, self.plot, sheet.style, self.edges)


@dataclass(frozen=True)
class MarkLayer(Layer):
    """Marks in their order; among very many samples their symbols are `small` like these."""

    marks: tuple[Mark, ...]
    small: bool = True

    @cached_property
    def symbols(self) -> int:
        """The symbols on samples."""
        if not all([mark.on_samples for mark in self.marks]):
            return 0
        return sum([len(mark.rows) for mark in self.marks if mark.rows is not None])

    def paint(self, sheet: Sheet, piece: int | None = None) -> None:
        """Paint the marks where their samples are."""
        if self.marks:
            style = crowded_style(sheet.style, self.samples) if self.small else sheet.style
            paint_marks(sheet.painter, sheet.frame, self.marks, style, self.samples, sheet.raster)


@dataclass(frozen=True)
class FrameLayer(Layer):
    """The line about the area, over the marks that end there."""

    def paint(self, sheet: Sheet, piece: int | None = None) -> None:
        """Paint the line."""
        paint_frame(sheet.painter, sheet.frame, sheet.style)


@dataclass(frozen=True)
class CaptionLayer(Layer):
    """The line below."""

    words: str

    def paint(self, sheet: Sheet, piece: int | None = None) -> None:
        """Write the words in the box for them."""
        paint_caption(sheet.painter, sheet.caption_box, self.words, sheet.style)


@dataclass(frozen=True)
class SampleLayer(Layer):
    """The samples."""

    reach_px = SAMPLE_SIZE

    @property
    def symbols(self) -> int:
        """One a sample."""
        return 0 if self.samples is None else len(self.samples.places)

    @property
    def pieces(self) -> int:
        """So many samples each."""
        return max(1, -(-self.symbols // SAMPLES_IN_A_PIECE))

    def paint(self, sheet: Sheet, piece: int | None = None) -> None:
        """Paint them in their order."""
        if self.samples is not None:
            style, first = crowded_style(sheet.style, self.samples), SAMPLES_IN_A_PIECE * (piece or 0)
            rows = slice(None) if piece is None else slice(first, first + SAMPLES_IN_A_PIECE)
            paint_samples(sheet.painter, sheet.frame, self.samples, style, sheet.raster, rows)


@dataclass(frozen=True)
class CrossLayer(Layer):
    """A cursor that is not the mouse's own."""

    place: tuple[float, float] | None

    def paint(self, sheet: Sheet, piece: int | None = None) -> None:
        """Paint a cross where it is in sight."""
        x, y = sheet.frame.to_pixels([self.place])[0].tolist() if self.place is not None else (-1.0, -1.0)
        if self.place is None or not sheet.frame.area.contains(x, y):
            return
        arm, ground = 9.0 * sheet.style.points, sheet.style.colors
        for ink, width in ((ground.canvas, 4.0), (ground.accent, 1.6)):
            sheet.painter.setPen(pen(ink, width * sheet.style.lines))
            sheet.painter.drawLine(QPointF(x - arm, y), QPointF(x + arm, y))
            sheet.painter.drawLine(QPointF(x, y - arm), QPointF(x, y + arm))


@dataclass(frozen=True)
class LegendLayer(Layer):
    """The legend of marks and samples, but for what stands elsewhere; or one that is `held` as it was."""

    marks: tuple[Mark, ...]
    place: tuple[float, float] | None = None
    folded: bool = False
    aside: Aside | None = None
    elsewhere: frozenset[Entry] = NOTHING
    held: Arranged | None = None
    notice: str = ""
    """The sentence at the top of the area that it stands below."""

    def paint(self, sheet: Sheet, piece: int | None = None) -> None:
        """Paint it, and say where."""
        sheet.legend = self.told(sheet.frame, sheet.style)
        sheet.legend_box = paint_legend(sheet.painter, sheet.legend, sheet.style, sheet.raster)

    def told(self, frame: AxesFrame, style: Style) -> Arranged | None:
        """What it says, and where."""
        if self.held is None:
            return self.settled(frame, style)
        if not has_scales(self.held):
            return self.held
        return retold(self.held, entries_of(self.marks, self.samples, self.folded, self.elsewhere))

    def settled(self, frame: AxesFrame, style: Style) -> Arranged | None:
        """What it says and where it is when it is not held."""
        area, place = frame.area, self.place
        if self.notice and place is None:
            below = notice_box(area, self.notice, Qt.AlignmentFlag.AlignTop, style).bottom() - area.top()
            area, place = area.adjusted(GAP_PX, below + GAP_PX, -GAP_PX, -GAP_PX), (1.0, 0.0)
        what, how = (self.marks, self.samples, style), (place, self.folded, self.aside)
        return arranged(frame.limits, area.getRect(), frame.scales, *what, *how, self.elsewhere)


@dataclass(frozen=True)
class GhostLegendLayer(Layer):
    """What is shown for a moment is named for itself: the legend of what stays does not move for it."""

    marks: tuple[Mark, ...]

    def paint(self, sheet: Sheet, piece: int | None = None) -> None:
        """Paint the name beside legend and card."""
        where = arranged_beside(sheet.frame, self.marks, self.samples, sheet.style, (sheet.legend_box, sheet.card_box))
        box = paint_legend(sheet.painter, where, sheet.style, sheet.raster)
        sheet.card_box = box if sheet.card_box.isEmpty() else sheet.card_box


@dataclass(frozen=True)
class CardLayer(Layer):
    """What is said about the pinned place."""

    pinned: Pinned

    def paint(self, sheet: Sheet, piece: int | None = None) -> None:
        """Paint the card beside the legend, and say where."""
        taken = sheet.legend_box.intersected(sheet.frame.area)
        sheet.card_box = paint_card(sheet.painter, sheet.frame, self.pinned, taken, sheet.style, self.samples)


@dataclass(frozen=True)
class WordsLayer(Layer):
    """The words of marks, where there is room for them."""

    marks: tuple[Text, ...]

    def paint(self, sheet: Sheet, piece: int | None = None) -> None:
        """Write them where they hide no sample, legend, card or other words."""
        style = crowded_style(sheet.style, self.samples)
        taken = (sheet.legend_box, sheet.card_box)
        placed = placed_words(sheet.frame, self.marks, self.samples, style, taken)
        sheet.words = tuple([words.box for words in placed])
        paint_words(sheet.painter, sheet.frame, placed, style)


@dataclass(frozen=True)
class StrokeLayer(Layer):
    """What the pen has drawn over it all."""

    strokes: tuple[Stroke, ...]
    kept = True

    def paint(self, sheet: Sheet, piece: int | None = None) -> None:
        """Paint the lines in their order, and dots."""
        marks = [stroke.mark for stroke in self.strokes]
        paint_marks(sheet.painter, sheet.frame, marks, sheet.style, None, sheet.raster)


@dataclass(frozen=True)
class NoteLayer(Layer):
    """Words that a person has written, at their places whatever they hide."""

    notes: tuple[Note, ...]

    def paint(self, sheet: Sheet, piece: int | None = None) -> None:
        """Write them on their cards."""
        paint_notes(sheet.painter, sheet.frame, self.notes, sheet.style)


@dataclass(frozen=True)
class NoticeLayer(Layer):
    """A sentence on a quiet card, at the top of the area or in its middle."""

    words: str
    where: Qt.AlignmentFlag

    def paint(self, sheet: Sheet, piece: int | None = None) -> None:
        """Paint the sentence."""
        painter, style = sheet.painter, sheet.style
        box = notice_box(sheet.frame.area, self.words, self.where, style)
        edge, ground = pen(palette.faded(style.colors.faint, 0.4), 1.0), palette.faded(style.colors.paper, 0.92)
        paint_box(painter, box, 6, edge, ground)
        painter.setFont(style.font(NOTICE_SIZE))
        painter.setPen(colour(style.colors.text))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), self.words)
