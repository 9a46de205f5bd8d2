"""The stack of a canvas, frame by frame: what has stayed as it was is kept painted."""

from __future__ import annotations

import dataclasses
import itertools
import time
from collections import defaultdict

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPixmap

from mlviz.draw.legend import Arranged
from mlviz.draw.marks import Mark
from mlviz.draw.plot import Plot
from mlviz.ui.canvas.cached_layer import CachedLayer
from mlviz.ui.canvas.changed_part import SeenFrame
from mlviz.ui.paint.axes import AxesFrame, Style
from mlviz.ui.paint.cells import Cell
from mlviz.ui.paint.layers import Layer, LegendLayer, MarkLayer, Sheet
from mlviz.ui.paint.painter import hides_area
from mlviz.ui.paint.samples import DrawnSamples
from mlviz.ui.paint.stack import FrameContent, lowest, paint_stack, stack
from mlviz.ui.paint.strokes import colour

_SLOW = 0.012
"""A frame that took more seconds is followed by some that may be inexact."""
_MOTION = 0.08
"""For so many seconds."""
_RIM_PX = 8
"""The line about the area reaches no farther beyond it, pixels."""


class LayerCache:
    """Paints a canvas; the still layers are kept as one image until they, the limits, the size or the style change."""

    def __init__(self) -> None:
        self._images = [QPixmap(), QPixmap()]
        """The axes alone, and with the still marks on them."""
        self._keys: list[tuple[object, ...]] = [(), ()]
        self._ahead = _Ahead()
        self._caption: Layer | None = None
        self._kept: defaultdict[int, CachedLayer] = defaultdict(CachedLayer)
        """What is kept of each layer above, by its place in the stack."""
        self._slow = float("-inf")
        self.legend = QRectF()
        """Where the legend was painted last; empty where there was none."""
        self._arranged: tuple[object, Arranged | None] = None, None
        """The legend painted last, after what it was painted in."""
        self._holding: FrameContent | None = None
        """What was painted last, where that legend was held."""
        self.seen: SeenFrame | None = None
        """What was painted last; None where that was not exact."""

    @property
    def under_way(self) -> bool:
        """Whether the next frames are to go on with what this one could not show in time."""
        return any([kept.coming is not None for kept in self._kept.values()])

    def paint(self, painter: QPainter, cell: Cell, frame: AxesFrame, style: Style, content: FrameContent) -> bool:
        """Paint one frame into the cell; returns whether it is exact, and not only for the time of a movement."""
        start = time.perf_counter()
        hurry = start < self._slow + _MOTION
        sheet, layers = Sheet(painter, frame, style), stack(content)
        still = tuple(itertools.takewhile(lambda layer: layer.still, layers))
        painter.drawPixmap(0, 0, self._fresh_background(sheet, cell, still))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        exact = True
        for place in range(len(still), len(layers)):
            painter.setOpacity(layers[place].dim)
            exact &= self._kept[place].paint(sheet, layers[place], hurry)
        self.legend = sheet.legend_box
        self._arranged = (frame.area.getRect(), style, content.legend_place, content.legend_folded), sheet.legend
        self._holding = content if content.legend_held else None
        known = exact and not self.under_way
        self.seen = SeenFrame((cell, frame, style), layers, sheet.legend, sheet.words) if known else None
        now = time.perf_counter()
        if now > start + _SLOW:
            self._slow = now
        return exact

    def begin(
        self, cell: Cell, frame: AxesFrame, style: Style, plot: Plot, samples: DrawnSamples | None = None
    ) -> None:
        """Paint the first marks of what is going to be seen, where the axes are those that there are."""
        axes, marks = lowest(FrameContent(plot, samples, edges=cell.edges))
        bare = self._images[0]
        key = axes, *_place(cell, frame, style, bare.devicePixelRatio())
        if key == self._keys[0]:
            self._ahead.paint(key, bare, marks, frame, style)

    def lay_ahead(self, cell: Cell, frame: AxesFrame, style: Style) -> None:
        """Prepare what the next picture will be painted on, where the axes are those that there are."""
        bare = self._images[0]
        if self._keys[0][1:] == _place(cell, frame, style, bare.devicePixelRatio()):
            self._ahead.lay(self._keys[0], bare, frame)

    def legend_in(
        self, frame: AxesFrame, style: Style, place: tuple[float, float] | None = None, folded: bool = False
    ) -> Arranged | None:
        """The legend painted last, where it belongs to the same place there and is as much folded."""
        within, found = self._arranged
        return found if within == (frame.area.getRect(), style, place, folded) else None

    def legend_is_behind(self, frame: AxesFrame, style: Style) -> bool:
        """Whether the legend painted last was held, and would be another one by now."""
        legends = [layer for layer in stack(self._holding) if isinstance(layer, LegendLayer)] if self._holding else []
        return any([layer.settled(frame, style) != layer.held for layer in legends])

    def _fresh_background(self, sheet: Sheet, cell: Cell, layers: tuple[Layer, ...]) -> QPixmap:
        # The last of them is the caption: with each sample that is added its words are others, and often nothing else.
        axes, *marks, caption = layers
        rect, box = cell.room, cell.caption
        scale = sheet.painter.device().devicePixelRatioF()
        place = _place(cell, sheet.frame, sheet.style, scale)
        paper = colour(sheet.style.colors.paper)
        size = QSize(max(1, round(rect.width() * scale)), max(1, round(rect.height() * scale)))
        if self._images[0].size() != size:
            self._images = [QPixmap(size), QPixmap(size)]
            for image in self._images:
                image.setDevicePixelRatio(scale)
        bare, background = self._images
        anew = self._keys[0] != (axes, *place)
        if anew:
            bare.fill(paper)
            with QPainter(bare) as brush:
                paint_stack(dataclasses.replace(sheet, painter=brush), (axes,))
            self._keys = [(axes, *place), ()]
        if self._keys[1] != (key := (*marks, *place)):
            if (painted := self._ahead.take(self._keys[0], marks[0], background)) is not None:
                background, marks[0] = painted
                self._images[1] = background
            else:
                _lay_bare(background, bare, sheet.frame, _is_hidden(sheet.frame, marks[0]), anew)
            self._keys[1], self._caption = key, None
        else:
            marks = []
        if caption != self._caption:
            with QPainter(background) as brush:
                brush.fillRect(QRectF(rect.left(), box.top(), rect.width(), rect.bottom() - box.top()), paper)
                paint_stack(dataclasses.replace(sheet, painter=brush, caption_box=box), (*marks, caption))
            self._caption = caption
        return background


class _Ahead:
    """The first marks of a picture that is still being made, painted on the axes out of sight."""

    def __init__(self) -> None:
        self._image = QPixmap()
        self._key: tuple[object, ...] = ()
        """What the axes look like; () where no mark is painted."""
        self._beside: tuple[object, ...] = ()
        """The same of what is painted beside the area; () where nothing is."""
        self._rim: tuple[object, ...] = ()
        """The same where nothing has been painted on them."""
        self._marks: tuple[Mark, ...] = ()

    def paint(self, key: tuple[object, ...], bare: QPixmap, layer: MarkLayer, frame: AxesFrame, style: Style) -> None:
        """Paint the marks on `bare` axes, or on what is painted those that are new."""
        more = self._after(key, layer)
        if more is None:
            more, hidden = layer, _is_hidden(frame, layer)
            self.lay(key, bare, frame)
            if not hidden:
                _lay_bare(self._image, bare, frame, hidden)
        with QPainter(self._image) as brush:
            paint_stack(Sheet(brush, frame, style), (more,))
        self._key, self._rim, self._marks = key, (), layer.marks

    def lay(self, key: tuple[object, ...], bare: QPixmap, frame: AxesFrame) -> None:
        """Lay bare what is seen of the axes about a field, where it is not."""
        if self._image.size() != bare.size():
            self._image, self._beside, self._rim = QPixmap(bare.size()), (), ()
            self._image.setDevicePixelRatio(bare.devicePixelRatio())
        if self._rim != key:
            _lay_bare(self._image, bare, frame, True, self._beside != key)
        self._beside = self._rim = key

    def take(self, key: tuple[object, ...], layer: Layer, other: QPixmap) -> tuple[QPixmap, MarkLayer] | None:
        """What is painted of the layer and what is not yet, for another image in exchange; None where nothing is."""
        if not isinstance(layer, MarkLayer) or (more := self._after(key, layer)) is None:
            return None
        image, self._image, self._key = self._image, other, ()  # both are painted on the same axes
        return image, more

    def _after(self, key: tuple[object, ...], layer: MarkLayer) -> MarkLayer | None:
        """The layer without its first marks, which are painted; None where others are."""
        n = len(self._marks)
        known = self._key == key and layer.dim == 1 and n and layer.marks[:n] == self._marks
        return dataclasses.replace(layer, marks=layer.marks[n:]) if known else None


def _place(cell: Cell, frame: AxesFrame, style: Style, scale: float) -> tuple[object, ...]:
    """What must stay for the axes that are painted to be used again."""
    return frame.limits, frame.area.getRect(), cell, scale, style


def _is_hidden(frame: AxesFrame, layer: Layer) -> bool:
    """Whether nothing of the area is seen under a layer."""
    marks = layer.marks if isinstance(layer, MarkLayer) and layer.dim == 1 else ()
    return bool(marks) and hides_area(frame, marks[0])


def _lay_bare(image: QPixmap, bare: QPixmap, frame: AxesFrame, hidden: bool, anew: bool = False) -> None:
    """Lay bare axes on an image; all of them `anew`, or but what is in the area: its rim alone where it is `hidden`.

    Beside the area, and the line about it, all is as it was then.
    """
    inner, outer = (frame.area.adjusted(-by, -by, by, by) for by in (-_RIM_PX, _RIM_PX))
    with QPainter(image) as brush:
        if anew:
            seen = [QRectF(image.rect())]
        elif hidden:
            width, height = outer.width(), outer.height()
            across = [QRectF(outer.left(), top, width, 2 * _RIM_PX) for top in (outer.top(), inner.bottom())]
            seen = across + [QRectF(left, outer.top(), 2 * _RIM_PX, height) for left in (outer.left(), inner.right())]
        else:
            seen = [outer]
        for rect in seen:
            brush.setClipRect(rect)
            brush.drawPixmap(0, 0, bare)
