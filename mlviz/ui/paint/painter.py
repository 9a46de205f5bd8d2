"""The one painter: marks, samples, axes and legend, on the screen and in files alike.

Everything is mapped to logical pixels here, with pens that have a real width, so that PNG, SVG and PDF look the same.
`raster` says that the device holds pixels: many things are then stamped or drawn in ways that are fast on a screen.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from mlviz.draw import palette
from mlviz.draw.marks import Arrows, Ellipses, Field, Lines, Mark, Points, Polygons, Segments, Text
from mlviz.draw.palette import Ink
from mlviz.draw.plot import Limits, Plot
from mlviz.numerics.arrays import Array
from mlviz.ui.paint import strokes, symbols
from mlviz.ui.paint.arrows import paint_arrows
from mlviz.ui.paint.axes import (
    AxesFrame,
    Style,
    equal_area,
    metrics,
    paint_axes,
    paint_grid,
    paint_title,
    pixels_within,
    plot_area,
)
from mlviz.ui.paint.explanation_card import Pinned, paint_card
from mlviz.ui.paint.legend import paint_legend
from mlviz.ui.paint.rasterized import MOST_VECTORS, paint_embedded
from mlviz.ui.paint.samples import DrawnSamples, crowded_style, paint_samples

TRACED = frozenset({"boundary", "margin", "curve", "probability"})
"""The lines that say what the model is: over a crowd of samples they lie on top."""
__all__ = [
    "AxesFrame",
    "DrawnSamples",
    "Style",
    "paint_axes",
    "paint_background",
    "paint_legend",
    "paint_marks",
    "paint_plot",
    "paint_samples",
    "plot_area",
]


def paint_plot(
    painter: QPainter,
    rect: QRectF,
    plot: Plot,
    limits: Limits,
    style: Style,
    samples: DrawnSamples | None = None,
    raster: bool = True,
    legend: bool = True,
    dim: float = 1.0,
    pinned: Pinned | None = None,
) -> AxesFrame:
    """Paint all of one plot into `rect`; `dim` below 1 fades what is not yet up to date."""
    area = plot_area(rect, style, plot.title)
    frame = AxesFrame(limits, equal_area(area, limits) if plot.equal else area, plot.x_scale, plot.y_scale)
    crowded, dense = samples is not None and samples.crowded, crowded_style(style, samples)
    above = above_samples(plot.marks, crowded)
    tied = [mark for mark in plot.marks if isinstance(mark, Segments) and mark.rows is not None]
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint_background(painter, frame, plot, style, raster, dim, crowded)
    painter.setOpacity(dim)
    paint_marks(painter, frame, tied, dense, samples, raster)
    painter.setOpacity(1.0)
    if samples is not None:
        many = [mark for mark in above if isinstance(mark, Points) and mark.rows is not None]
        if not raster and len(samples.places) + sum(len(mark.xy) for mark in many) > MOST_VECTORS:
            paint_embedded(painter, frame.area, lambda brush: _paint_tied(brush, frame, samples, many, dense))
            above = [mark for mark in above if mark not in many]
        else:
            paint_samples(painter, frame, samples, dense, raster)
    painter.setOpacity(dim)
    paint_marks(painter, frame, above, dense, samples, raster)
    painter.setOpacity(1.0)
    if pinned is not None:
        paint_marks(painter, frame, pinned.marks, style, samples, raster)
    named = [*plot.marks, *(pinned.marks if pinned else ())]
    taken = paint_legend(painter, frame, named, samples, style, raster) if legend else QRectF()
    if pinned is not None:
        paint_card(painter, frame, pinned, taken, style, samples)
    paint_axes(painter, frame, plot, style)
    paint_title(painter, frame, plot.title, style)
    painter.restore()
    return frame


def _paint_tied(
    painter: QPainter, frame: AxesFrame, samples: DrawnSamples, marks: Iterable[Mark], style: Style
) -> None:
    """The samples, and the marks tied to them, as pixels."""
    paint_samples(painter, frame, samples, style)
    paint_marks(painter, frame, marks, style, samples)


def is_above(mark: Mark, crowded: bool = False) -> bool:
    """Whether the mark lies over the samples: rings, crosses, centres, arrows and words do; over a crowd lines too."""
    return isinstance(mark, (Points, Arrows, Text)) or (crowded and mark.role in TRACED)


def above_samples(marks: Iterable[Mark], crowded: bool) -> list[Mark]:
    """The marks over the samples, in paint order; in a crowd those at samples, of which there are many, come first."""
    above = [mark for mark in marks if is_above(mark, crowded)]
    return sorted(above, key=lambda mark: getattr(mark, "rows", None) is None) if crowded else above


def paint_background(
    painter: QPainter,
    frame: AxesFrame,
    plot: Plot,
    style: Style,
    raster: bool = True,
    dim: float = 1.0,
    crowded: bool = False,
) -> None:
    """Background, grid and the marks below the samples that do not depend on where the samples are."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setOpacity(1.0)
    painter.fillRect(frame.area, strokes.colour(style.colors.canvas))
    below = [m for m in plot.marks if not is_above(m, crowded) and not (isinstance(m, Segments) and m.rows is not None)]
    if not any(isinstance(mark, Field) for mark in below):
        paint_grid(painter, frame, plot, style)
    painter.setOpacity(dim)
    paint_marks(painter, frame, below, style, None, raster)
    painter.restore()


def paint_marks(
    painter: QPainter,
    frame: AxesFrame,
    marks: Iterable[Mark],
    style: Style,
    samples: DrawnSamples | None = None,
    raster: bool = True,
) -> None:
    """The marks in order, cut at the area; those with rows are drawn where the samples are now."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipRect(frame.area, Qt.ClipOperation.IntersectClip)
    for mark in marks:
        ink = palette.ink(mark.role, style.theme)
        if samples is not None and samples.crowded and mark.role in TRACED:
            ink = dataclasses.replace(ink, halo=style.colors.canvas)  # it lies over symbols of all colours
        match mark:
            case Field():
                _paint_field(painter, frame, mark, ink, style, raster)
            case Points():
                _paint_points(painter, frame, mark, ink, style, samples, raster)
            case Lines():
                _paint_lines(painter, frame, strokes.line_pieces(frame.to_pixels(mark.xy)), ink, style, raster)
            case Segments():
                start = mark.start if mark.rows is None or samples is None else samples.at(mark.rows, mark.start)
                lines = np.concatenate((frame.to_pixels(start), frame.to_pixels(mark.end)), axis=1)
                _paint_lines(painter, frame, lines[np.isfinite(lines).all(axis=1)], ink, style, raster)
            case Arrows():
                arrows = np.concatenate((frame.to_pixels(mark.start), frame.to_pixels(mark.end)), axis=1)
                paint_arrows(painter, frame.area, arrows, ink, style.lines)
            case Polygons():
                _paint_polygons(painter, frame, mark.vertices, ink, style)
            case Ellipses():
                _paint_polygons(painter, frame, _outlines(mark), ink, style)
            case Text():
                _paint_text(painter, frame, mark, ink, style)
    painter.restore()


def _paint_field(painter: QPainter, frame: AxesFrame, mark: Field, ink: Ink, style: Style, raster: bool) -> None:
    ny, nx = mark.strength.shape
    if nx < 2 or ny < 2:
        return
    if mark.cover:
        shades = palette.opacities(ink.fill or ink.line)[mark.strength]
    elif mark.classes is None:
        shades = palette.diverging_tints(style.theme, mark.role)[mark.strength]
    else:
        table = palette.class_tints(style.theme)
        shades = table.ravel()[(mark.classes % len(table)).astype(np.intp) * 256 + mark.strength]
    shades = np.ascontiguousarray(shades[::-1])  # the first row of an image is its top
    kind = QImage.Format.Format_ARGB32_Premultiplied if mark.cover else QImage.Format.Format_RGB32
    image = QImage(shades.data, nx, ny, 4 * nx, kind)
    corners = frame.to_pixels([(mark.x[0], mark.y[-1]), (mark.x[-1], mark.y[0])])
    if not np.isfinite(corners).all() or np.abs(corners).max() > 1e6:
        return
    (left, top), (right, bottom) = corners.tolist()
    # A node is the middle of its cell: the image reaches half a cell beyond the first and last nodes.
    half_x, half_y = (right - left) / (nx - 1) / 2, (bottom - top) / (ny - 1) / 2
    target = QRectF(left - half_x, top - half_y, right - left + 2 * half_x, bottom - top + 2 * half_y)
    # More cells than pixels would leave out some of them.
    smooth = mark.cells is None or target.width() < nx or target.height() < ny
    if not raster:
        # Viewers enlarge images each in their own way; enough pixels leave them nothing to choose.
        width, height = min(4096, max(nx, round(2 * target.width()))), min(4096, max(ny, round(2 * target.height())))
        how = Qt.TransformationMode.SmoothTransformation if smooth else Qt.TransformationMode.FastTransformation
        image = image.scaled(width, height, Qt.AspectRatioMode.IgnoreAspectRatio, how)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
    painter.drawImage(target, image)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)


def _paint_points(
    painter: QPainter,
    frame: AxesFrame,
    mark: Points,
    ink: Ink,
    style: Style,
    samples: DrawnSamples | None,
    raster: bool,
) -> None:
    xy = mark.xy if mark.rows is None or samples is None else samples.at(mark.rows, mark.xy)
    pixels = frame.to_pixels(xy)
    seen = pixels_within(pixels, painter.clipBoundingRect(), 40.0 * style.points)
    sizes = np.ones(len(pixels)) if mark.size is None else np.nan_to_num(np.asarray(mark.size), nan=1.0).clip(0.05, 20)
    # What is hardly told apart looks the same, so that there are not too many kinds of symbols.
    sizes = np.rint(sizes[seen] * style.points * 50) / 50
    inks, which = ([ink], None) if mark.mix is None else _mixed_inks(ink, mark.mix[seen], style.theme)
    if raster:
        symbols.scatter_symbols(painter, pixels[seen], inks, which, sizes, style.lines)
        return
    for k, ((x, y), size) in enumerate(zip(pixels[seen].tolist(), sizes.tolist(), strict=True)):
        symbols.paint_symbol(painter, QPointF(x, y), inks[0 if which is None else which[k]], size, style.lines)


def _mixed_inks(ink: Ink, mix: NDArray[np.float32], theme: str) -> tuple[list[Ink], NDArray[np.intp]]:
    """The inks filled with mixed colours, and which of them each symbol (m,) has."""
    colours, which = np.unique(palette.blended(mix, theme), return_inverse=True)
    return [dataclasses.replace(ink, fill=(c >> 16, c >> 8 & 255, c & 255, 255)) for c in colours.tolist()], which


def _paint_lines(painter: QPainter, frame: AxesFrame, lines: Array, ink: Ink, style: Style, raster: bool) -> None:
    lines = strokes.clip_lines(lines, frame.area)
    if ink.halo is not None:
        strokes.draw(painter, lines, ink.halo, (ink.width + 2.0) * style.lines, "solid", raster)
    strokes.draw(painter, lines, ink.line, ink.width * style.lines, ink.dash, raster)


def _paint_polygons(painter: QPainter, frame: AxesFrame, polygons: Iterable[Array], ink: Ink, style: Style) -> None:
    painter.setPen(strokes.pen(ink.line, ink.width * style.lines, ink.dash))
    painter.setBrush(strokes.colour(ink.fill) if ink.fill else Qt.BrushStyle.NoBrush)
    for vertices in polygons:
        painter.drawPath(strokes.polygon(frame.to_pixels(vertices), frame.area))


def _outlines(mark: Ellipses) -> list[Array]:
    angle = np.linspace(0, 2 * np.pi, 96, endpoint=False)
    circle = np.column_stack((np.cos(angle), np.sin(angle)))
    finite = np.isfinite(mark.center).all(axis=1) & np.isfinite(mark.axes).all(axis=(1, 2))
    return [center + circle @ axes.T for center, axes in zip(mark.center[finite], mark.axes[finite], strict=True)]


def _paint_text(painter: QPainter, frame: AxesFrame, mark: Text, ink: Ink, style: Style) -> None:
    pixels = frame.to_pixels(mark.xy)
    seen = pixels_within(pixels, frame.area, 100.0)
    fm = metrics(style)
    painter.setFont(style.font())
    for (x, y), words, shown in zip(pixels.tolist(), mark.words, seen.tolist(), strict=True):
        if shown:
            width = fm.horizontalAdvance(words)
            left, top = (x - width / 2 - 3, y - fm.height() / 2) if mark.centered else (x + 5, y - fm.height() - 3)
            box = QRectF(left, top, width + 6, fm.height())
            painter.fillRect(box, strokes.colour(palette.faded(style.colors.canvas, 0.75)))
            painter.setPen(strokes.colour(ink.line))
            painter.drawText(QPointF(left + 3, top + fm.ascent()), words)
