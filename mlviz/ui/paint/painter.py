"""The painter of marks: each kind by a function of its own, on the screen and in files alike.

Everything is mapped to logical pixels here, with pens that have a real width, so that PNG, SVG and PDF look the same.
`raster` says that the device holds pixels: many things are then stamped or drawn in ways that are fast on a screen.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import assert_never

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from mlviz.draw import palette
from mlviz.draw.contours import join_lines
from mlviz.draw.marks import Arrows, Ellipses, Field, Lines, Mark, Points, Polygons, Segments, Text
from mlviz.draw.palette import Ink
from mlviz.numerics.arrays import Array, Labels, Mask
from mlviz.ui.paint import strokes, symbols
from mlviz.ui.paint.axes import AxesFrame, Style, pixels_within
from mlviz.ui.paint.samples import DrawnSamples
from mlviz.ui.paint.words import paint_words, placed_words

TRACED_ROLES = frozenset({"boundary", "margin", "curve", "probability"})
"""The lines that say what the model is: over a crowd of samples they lie on top."""
_MOST_ROWS, _LARGE = 90, 2e6
"""Rows of pixels that Qt enlarges without its threads, 95 or fewer, and pixels in all from where on these pay."""
MARK_REACH_PX = 40.0
"""No symbol, line or head of an arrow reaches farther from the places of its mark, at the usual size."""
ELLIPSE_CORNERS = 96
"""So many corners make an ellipse."""


def paint_marks(
    painter: QPainter,
    frame: AxesFrame,
    marks: Iterable[Mark],
    style: Style,
    samples: DrawnSamples | None = None,
    raster: bool = True,
) -> None:
    """The marks in order, cut at the area; those with rows are drawn where the samples are now."""
    with strokes.saved(painter):
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(frame.area, Qt.ClipOperation.IntersectClip)
        clip = painter.clipBoundingRect()
        part = None if clip.contains(frame.area) else clip
        for mark in marks:
            mark = mark if samples is None else mark.at_samples(samples.places)
            if part is not None and not _may_reach(frame, mark, part, style):
                continue
            ink = style.ink(mark.role)
            if samples is not None and samples.crowded and mark.role in TRACED_ROLES:
                ink = dataclasses.replace(ink, halo=style.colors.canvas)  # it lies over symbols of all colours
            _paint(painter, frame, mark, ink, style, raster)


def _may_reach(frame: AxesFrame, mark: Mark, part: QRectF, style: Style) -> bool:
    """Whether some of a mark may be in a part of the area."""
    if isinstance(mark, Field):
        return True
    reach = MARK_REACH_PX * max(style.points, style.lines)
    if isinstance(mark, Points):
        return bool(pixels_within(frame.to_pixels(mark.xy), part, reach).any())
    places = mark.places()
    pixels = frame.to_pixels(places[np.isfinite(places).all(axis=1)])
    near = part.adjusted(-reach, -reach, reach, reach)
    if not len(pixels):
        return False
    (left, top), (right, bottom) = pixels.min(axis=0).tolist(), pixels.max(axis=0).tolist()
    return not (right < near.left() or left > near.right() or bottom < near.top() or top > near.bottom())


def _paint(painter: QPainter, frame: AxesFrame, mark: Mark, ink: Ink, style: Style, raster: bool) -> None:
    match mark:
        case Field():
            _paint_field(painter, frame, mark, ink, style, raster)
        case Points():
            _paint_points(painter, frame, mark, ink, style, raster)
        case Lines():
            _paint_lines(painter, frame, strokes.line_pieces(frame.to_pixels(mark.xy)), ink, style, raster)
        case Segments():
            _paint_lines(painter, frame, _stretches(frame, mark), ink, style, raster)
        case Arrows():
            strokes.paint_arrows(painter, frame.area, _stretches(frame, mark), ink, style.lines)
        case Polygons():
            _paint_polygons(painter, frame, mark.vertices, ink, style)
        case Ellipses():
            _paint_ellipses(painter, frame, mark, ink, style, raster)
        case Text():
            paint_words(painter, frame, placed_words(frame, (mark,), None, style), style)
        case _:
            assert_never(mark)


def _paint_lines(painter: QPainter, frame: AxesFrame, lines: Array, ink: Ink, style: Style, raster: bool) -> None:
    """Pieces (m, 4) of lines; in files they end at the area by themselves, since not all that show SVG heed a clip."""
    spare = {} if raster else {"spare": (ink.width / 2 + 1) * style.lines}  # half the width of the halo
    strokes.draw_inked(painter, strokes.clip_lines(lines, frame.area, **spare), ink, style.lines, raster)


def _stretches(frame: AxesFrame, mark: Segments | Arrows) -> Array:
    """Starts and ends (m, 4) in pixels, where both are finite."""
    lines = np.concatenate((frame.to_pixels(mark.start), frame.to_pixels(mark.end)), axis=1)
    return lines[np.isfinite(lines).all(axis=1)]


def _paint_field(painter: QPainter, frame: AxesFrame, mark: Field, ink: Ink, style: Style, raster: bool) -> None:
    ny, nx = mark.strength.shape
    if nx < 2 or ny < 2:
        return
    if mark.cover:
        shades = palette.opacities(ink.fill or ink.line)[mark.strength]
    elif mark.classes is None:
        shades = palette.diverging_tints(style.theme, mark.role)[mark.strength]
    else:
        table = palette.class_tints(style.theme, style.colours)
        shades = table.ravel()[(mark.classes % len(table)).astype(np.intp) * 256 + mark.strength]
    shades = np.ascontiguousarray(shades[::-1])  # the first row of an image is its top
    pixels = QImage.Format.Format_ARGB32_Premultiplied if mark.cover else QImage.Format.Format_RGB32
    image = QImage(shades.data, nx, ny, 4 * nx, pixels)
    if (target := _place_of_field(frame, mark)) is None:
        return
    # More cells than pixels would leave out some of them.
    smooth = mark.cells is None or target.width() < nx or target.height() < ny
    if not raster:
        # Viewers enlarge images each in their own way; enough pixels leave them nothing to choose.
        width, height = min(4096, max(nx, round(2 * target.width()))), min(4096, max(ny, round(2 * target.height())))
        how = Qt.TransformationMode.SmoothTransformation if smooth else Qt.TransformationMode.FastTransformation
        image = image.scaled(width, height, mode=how)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
    for band in _bands(frame.area, symbols.device_scale(painter)) if raster and smooth else (frame.area,):
        with strokes.saved(painter):
            painter.setClipRect(band, Qt.ClipOperation.IntersectClip)
            painter.drawImage(target, image)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)


def _place_of_field(frame: AxesFrame, mark: Field) -> QRectF | None:
    """The pixels that a field fills; None where it is too far away or too large for Qt."""
    ny, nx = mark.strength.shape
    corners = frame.to_pixels([(mark.x[0], mark.y[-1]), (mark.x[-1], mark.y[0])])
    if not np.isfinite(corners).all() or np.abs(corners).max() > 1e6:
        return None
    (left, top), (right, bottom) = corners.tolist()
    # A node is the middle of its cell: the image reaches half a cell beyond the first and last nodes.
    half_x, half_y = (right - left) / (nx - 1) / 2, (bottom - top) / (ny - 1) / 2
    return QRectF(left - half_x, top - half_y, right - left + 2 * half_x, bottom - top + 2 * half_y)


def hides_area(frame: AxesFrame, mark: Mark) -> bool:
    """Whether a mark is a field through which nothing of the area is seen."""
    if not isinstance(mark, Field) or mark.cover or min(mark.strength.shape) < 2:
        return False
    place = _place_of_field(frame, mark)
    return place is not None and place.contains(frame.area)


def _bands(area: QRectF, scale: float) -> Iterator[QRectF]:
    """The area in bands so low that Qt enlarges an image in each of them by itself; a large area as it is.

    Of more rows Qt's threads take their parts, which begin late where the processor is busy: as when a worker is.
    """
    height = area.height() if area.width() * area.height() * scale**2 > _LARGE else _MOST_ROWS / scale
    for k in range(math.ceil(area.height() / height)):
        top = area.top() + k * height
        yield QRectF(area.left(), top, area.width(), min(height, area.bottom() - top))


def _paint_points(painter: QPainter, frame: AxesFrame, mark: Points, ink: Ink, style: Style, raster: bool) -> None:
    pixels = frame.to_pixels(mark.xy)
    seen = pixels_within(pixels, painter.clipBoundingRect(), 40.0 * style.points)
    # What is hardly told apart looks the same, so that there are not too many kinds of symbols.
    sizes = np.rint(mark.sizes()[seen] * style.points * 50) / 50
    inks, which = _filled_inks(ink, mark, seen, style)
    if raster:
        symbols.scatter_symbols(painter, pixels[seen], inks, which, sizes, style.lines)
        return
    for k, ((x, y), size) in enumerate(zip(pixels[seen].tolist(), sizes.tolist(), strict=True)):
        symbols.paint_symbol(painter, QPointF(x, y), inks[0 if which is None else which[k]], size, style.lines)


def _filled_inks(ink: Ink, mark: Points, seen: Mask, style: Style) -> tuple[list[Ink], Labels | None]:
    """The inks of the symbols that are seen, and which of them each (m,) has; None where they have but one."""
    if mark.mix is not None:
        fills = palette.blended(mark.mix[seen], style.theme, style.colours)
    elif mark.strength is not None:
        fills = palette.diverging_tints(style.theme, mark.role)[mark.strength[seen]].astype(np.intp)
    else:
        return [ink], None
    colours, which = np.unique(fills, return_inverse=True)
    return [_filled(ink, c) for c in colours.tolist()], which


@lru_cache(maxsize=1024)
def _filled(ink: Ink, c: int) -> Ink:
    """The ink with a fill of Qt's colour c."""
    return dataclasses.replace(ink, fill=(c >> 16 & 255, c >> 8 & 255, c & 255, 255))


def _paint_polygons(painter: QPainter, frame: AxesFrame, polygons: Iterable[Array], ink: Ink, style: Style) -> None:
    painter.setPen(strokes.pen(ink.line, ink.width * style.lines, ink.dash))
    painter.setBrush(strokes.colour(ink.fill) if ink.fill else Qt.BrushStyle.NoBrush)
    corners = [np.asarray(vertices) for vertices in polygons]
    pixels = frame.to_pixels(np.concatenate(corners)) if corners else np.empty((0, 2))
    ends = np.cumsum([len(vertices) for vertices in corners])[:-1]
    for path in strokes.polygons(np.split(pixels, ends), frame.area):
        painter.drawPath(path)


def _paint_ellipses(painter: QPainter, frame: AxesFrame, mark: Ellipses, ink: Ink, style: Style, raster: bool) -> None:
    outlines = [np.concatenate((outline, outline[:1])) for outline in mark.outlines(ELLIPSE_CORNERS)]
    if ink.fill:
        _paint_polygons(painter, frame, outlines, ink, style)
    elif outlines:
        _paint_lines(painter, frame, strokes.line_pieces(frame.to_pixels(join_lines(outlines))), ink, style, raster)
