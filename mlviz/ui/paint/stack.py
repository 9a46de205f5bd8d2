"""The one stack of a picture: its layers from the lowest to the highest, on the screen and in files alike.

`stack` lists the layers of what is to be seen, `paint_stack` walks them. The canvas walks the same list, and keeps from
frame to frame what layers that are equal have painted.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from mlviz.draw.legend import Arranged, Entry
from mlviz.draw.marks import Mark, Text
from mlviz.draw.plot import BOTH_EDGES, Edges, Limits, Plot
from mlviz.scene.notes import Noted
from mlviz.ui.paint.aside import made_aside
from mlviz.ui.paint.axes import AxesFrame, Style, plot_area
from mlviz.ui.paint.axis_painter import paint_title
from mlviz.ui.paint.explanation_card import Pinned
from mlviz.ui.paint.layers import (
    AxesLayer,
    CaptionLayer,
    CardLayer,
    CrossLayer,
    FrameLayer,
    GhostLegendLayer,
    Layer,
    LegendLayer,
    MarkLayer,
    NoteLayer,
    NoticeLayer,
    SampleLayer,
    Sheet,
    StrokeLayer,
    WordsLayer,
)
from mlviz.ui.paint.legend import NOTHING, Aside
from mlviz.ui.paint.painter import TRACED_ROLES
from mlviz.ui.paint.samples import DrawnSamples

MOST_VECTORS = 5000
"""More symbols than this are written into a file of vectors as pixels: a path each would make it huge."""
_EMBEDDED_SCALE = 3.0
"""Pixels of such an image a logical pixel: 288 an inch, enough for print."""


@dataclass(frozen=True, eq=False)
class FrameContent:
    """What one picture shows.

    `tied` says that the rows named by the marks are still those of the samples; `evidence` lies over picture and
    samples; `cross` is a cursor that is not the mouse's own; `dim` below 1 fades what is not yet up to date. A `hint`
    in the middle, at the top where something is drawn already, or else a `message` at the top stands in the place of
    the legend. Without `ticks` whoever shows it has axes that paint them.
    """

    plot: Plot
    samples: DrawnSamples | None = None
    title: str = ""
    caption: str = ""
    tied: bool = True
    evidence: Sequence[Mark] = ()
    cross: tuple[float, float] | None = None
    pinned: Pinned | None = None
    dim: float = 1.0
    hint: str = ""
    message: str | None = None
    legend: bool = True
    legend_place: tuple[float, float] | None = None
    legend_folded: bool = False
    ticks: bool = True
    edges: Edges = BOTH_EDGES
    legend_aside: Aside | None = None
    legend_elsewhere: frozenset[Entry] = NOTHING
    legend_held: Arranged | None = None
    noted: Noted | None = None
    """What has been written and drawn over it by hand."""
    alone: bool = True
    """Whether the legend may take room from the axes: beside others these stay equal."""


def stack(content: FrameContent) -> tuple[Layer, ...]:
    """All layers in paint order: the still ones first, then samples and what follows them, words over it
    all, and at last what has been put there by hand.

    Rings, crosses, centres and arrows lie over the samples; over a crowd of these the traced lines do too. Words of
    marks come last, where there is room for them.
    """
    samples, dim = content.samples, content.dim
    _, following, on_samples, over = _parts(content)
    return (
        *lowest(content),
        FrameLayer(still=True),
        CaptionLayer(content.caption, dim=dim, still=True),
        MarkLayer(following, samples=samples, dim=dim),
        SampleLayer(samples=samples),
        MarkLayer(on_samples, samples=samples, dim=dim),
        MarkLayer(over, samples=samples, dim=dim),
        MarkLayer(tuple(m for m in content.evidence if not isinstance(m, Text)), small=False, samples=samples),
        CrossLayer(content.cross),
        *_words(content),
        *(() if content.noted is None else (StrokeLayer(content.noted.strokes), NoteLayer(content.noted.notes))),
    )


def lowest(content: FrameContent) -> tuple[AxesLayer, MarkLayer]:
    """The axes and the marks that stay while samples move: the first layers of the stack."""
    plot = content.plot
    covered = any([mark.fills for mark in plot.marks])
    axes = AxesLayer(plot, plot.axes_look, covered, content.ticks, content.edges, still=True)
    return axes, MarkLayer(_parts(content)[0], dim=content.dim, still=True)


def _parts(content: FrameContent) -> tuple[tuple[Mark, ...], ...]:
    samples = content.samples
    return _parted(content.plot.marks, content.tied, samples is not None and samples.crowded)


@functools.lru_cache(maxsize=16)
def _parted(marks: tuple[Mark, ...], tied: bool, crowded: bool) -> tuple[tuple[Mark, ...], ...]:
    """Marks below the samples, first those that stay where they are; and those over them, first those that sit on some.

    Those that go where samples go are left out where the samples are not theirs: not `tied`.
    """
    parts: tuple[list[Mark], ...] = ([], [], [], [])
    for mark in marks:
        if (tied or mark.rows is None) and not isinstance(mark, Text):
            over = mark.over_samples or (crowded and mark.role in TRACED_ROLES)
            parts[(2 if mark.on_samples else 3) if over else int(mark.rows is not None)].append(mark)
    return tuple(map(tuple, parts))


def named_marks(plot: Plot, pinned: Pinned | None) -> tuple[Mark, ...]:
    """The marks that the legend names: those of the plot that stay, and the evidence of what is said about a place."""
    lasting = _lasting(plot.marks)[0]
    return (*lasting, *pinned.marks) if pinned else lasting


@functools.lru_cache(maxsize=16)
def _lasting(marks: tuple[Mark, ...]) -> tuple[tuple[Mark, ...], tuple[Mark, ...]]:
    """The marks that stay, and those that are shown for a moment."""
    ghosts = tuple([mark for mark in marks if mark.role == "ghost"])
    return (tuple([mark for mark in marks if mark.role != "ghost"]) if ghosts else marks), ghosts


def _words(content: FrameContent) -> Iterable[Layer]:
    plot, pinned = content.plot, content.pinned
    how = content.legend_place, content.legend_folded, content.legend_aside, content.legend_elsewhere
    legend = LegendLayer(named_marks(plot, pinned), *how, content.legend_held, content.hint, samples=content.samples)
    if content.hint:
        yield NoticeLayer(content.hint, Qt.AlignmentFlag.AlignTop if plot.marks else Qt.AlignmentFlag.AlignVCenter)
        if content.legend and plot.marks:  # some things are drawn before the first sample
            yield legend
    elif content.message:
        yield NoticeLayer(content.message, Qt.AlignmentFlag.AlignTop)
    else:
        if content.legend:
            yield legend
        if pinned is not None:
            yield CardLayer(pinned, samples=content.samples)
        if ghosts := _lasting(plot.marks)[1]:
            yield GhostLegendLayer(ghosts, samples=content.samples)
    words = [mark for mark in (*content.plot.marks, *content.evidence) if isinstance(mark, Text)]
    shown = tuple(mark for mark in words if content.tied or mark.rows is None)
    yield WordsLayer(shown, samples=content.samples, dim=content.dim)


def paint_stack(sheet: Sheet, layers: Sequence[Layer]) -> None:
    """Paint the layers in order; in a file of vectors symbols are one image where they are very many."""
    crowd = not sheet.raster and sum(layer.symbols for layer in layers) > MOST_VECTORS
    for embedded, group in itertools.groupby(layers, key=lambda layer: crowd and layer.symbols > 0):
        if not embedded:
            _paint_each(sheet, group)
        elif isinstance(sheet.painter.device(), QImage):
            _paint_each(dataclasses.replace(sheet, raster=True), group)
        else:
            _embed(sheet, group)


def _embed(sheet: Sheet, layers: Iterable[Layer]) -> None:
    """Paint the layers as one image of the area into a file of vectors."""
    area = sheet.frame.area
    size = (area.size() * _EMBEDDED_SCALE).toSize()
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(_EMBEDDED_SCALE)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as brush:
        brush.translate(-area.topLeft())
        _paint_each(dataclasses.replace(sheet, painter=brush, raster=True), layers)
    sheet.painter.drawImage(QRectF(area.topLeft(), size.toSizeF() / _EMBEDDED_SCALE), image)


def _paint_each(sheet: Sheet, layers: Iterable[Layer]) -> None:
    sheet.painter.save()
    sheet.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for layer in layers:
        sheet.painter.setOpacity(layer.dim)
        layer.paint(sheet)
    sheet.painter.restore()


def paint_content(
    painter: QPainter,
    rect: QRectF,
    content: FrameContent,
    limits: Limits,
    style: Style,
    raster: bool = True,
    caption_box: QRectF | None = None,
    area: QRectF | None = None,
) -> AxesFrame:
    """Paint all that a picture shows into `rect`, its caption into a box beside; the axes enclose `area` if given."""
    plot = content.plot
    area = area or plot_area(rect, style, content.title)
    room = AxesFrame(limits, area, (plot.x_scale, plot.y_scale))
    frame = room.with_area(area, plot.equal)
    if content.legend and content.legend_place is None and content.alone:
        named, folded = named_marks(plot, content.pinned), content.legend_folded
        aside = made_aside(frame, named, content.samples, style, plot.equal, folded, room=area, left=rect.left())
        frame = frame if aside is None else frame.with_area(QRectF(*aside.area), False)
        content = dataclasses.replace(content, legend_aside=aside)
    paint_stack(Sheet(painter, frame, style, raster, caption_box or QRectF()), stack(content))
    paint_title(painter, frame.area, rect, content.title, style)
    return frame


def paint_plot(
    painter: QPainter, rect: QRectF, plot: Plot, limits: Limits, style: Style, raster: bool = True
) -> AxesFrame:
    """Paint a plot that shows no samples, with its title and its legend."""
    return paint_content(painter, rect, FrameContent(plot, title=plot.title), limits, style, raster)
