"""Figures: the panels of a scene side by side, as PNG, SVG or PDF, painted by the one painter."""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QRectF
from PySide6.QtGui import QGuiApplication, QPainter

from mlviz.draw.plot import full_limits, visible_limits
from mlviz.files.atomic import write_atomically
from mlviz.picture import PanelPicture
from mlviz.picture.description import summary
from mlviz.picture.figure_formats import FIGURE_FORMATS, SUFFIXES
from mlviz.scene.scene import Scene
from mlviz.ui.figure.formats import WRITERS, Size
from mlviz.ui.paint.axes import Style, metrics, plot_area
from mlviz.ui.paint.explanation_card import pinned
from mlviz.ui.paint.scene_view import samples_of
from mlviz.ui.paint.stack import FrameContent, paint_content, paint_plot
from mlviz.ui.paint.strokes import colour
from mlviz.ui.widgets.fonts import names_of, qt_to_log, without_font

__all__ = ["Style", "boxes", "export", "has_sides", "headless", "paint_figure", "plot_sizes"]
_MARGIN = 8.0
"""Around the figure and between its panels, pixels."""
_CAPTION_LINES = 2
"""Room for so many lines of the usual size."""
_SIDE_SHARE = 0.36
"""The share of the height that side plots take."""
_NARROW = 260.0
"""Side plots narrower than so many pixels stand in two rows."""
_application: QGuiApplication | None = None


def headless() -> None:
    """Make painting possible without a window: fonts and images need an application object, no display."""
    global _application
    if QCoreApplication.instance() is None:
        display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
        if sys.platform.startswith("linux") and not display:
            os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        qt_to_log()
        _application = QGuiApplication(["mlviz"])


def boxes(scene: Scene) -> str:
    """A sentence on what no font here can write of a scene's names; empty where nothing is missing."""
    return without_font(names_of(scene.dataset))


def has_sides(scene: Scene) -> bool:
    """Whether there is a side plot to be added to a figure of that scene."""
    return any(panel.charts for panel in scene.panels)


def plot_sizes(
    size: Size, n_panels: int, style: Style, caption: bool = True, sides: bool = False
) -> list[tuple[int, int]]:
    """The plot areas (w, h) of the panels of a figure of that size, in whole logical pixels."""
    title = "" if caption else "above"
    areas = [plot_area(_parts(cell, style, caption, sides)[0], style, title) for cell in _cells(size, n_panels)]
    return [(round(area.width()), round(area.height())) for area in areas]


def paint_figure(
    painter: QPainter,
    size: Size,
    pictures: Sequence[PanelPicture],
    scene: Scene,
    style: Style,
    caption: bool = True,
    sides: bool = False,
) -> None:
    """Paint the pictures of a scene's panels into (0, 0, w, h): each with its legend, and its caption below.

    Without captions every panel has its title above instead. `sides` adds the side plots. What is said at the scene's
    probe is painted too. The classes have the scene's colours, whatever those of the style are.
    """
    style = dataclasses.replace(style, colours=scene.colours).for_panels(len(pictures))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(QRectF(0, 0, *size), colour(style.colors.paper))
    for cell, picture in zip(_cells(size, len(pictures)), pictures, strict=True):
        main, below, words = _parts(cell, style, caption, sides)
        plot, title = picture.plot, "" if caption else picture.plot.title
        area = plot_area(main, style, title)
        limits = visible_limits(plot.limits or scene.view.limits, area.width(), area.height(), plot.equal)
        told = pinned(scene, picture)
        said = f"{picture.caption}. {picture.message}" if picture.message else picture.caption
        content = FrameContent(
            plot,
            samples_of(scene, picture.panel),
            title=title,
            caption=said if caption else "",
            evidence=told.marks if told else (),
            pinned=told,
        )
        paint_content(painter, main, content, limits, style, raster=False, caption_box=words)
        plots = (picture.sides or ()) if sides else ()
        for rect, side in zip(_side_rooms(below, len(plots)), plots, strict=True):
            paint_plot(painter, rect, side, full_limits(side), style, raster=False)


def _cells(size: Size, n_panels: int) -> list[QRectF]:
    """Where the panels go: side by side, in two rows from four on."""
    return _grid(QRectF(0, 0, *size), n_panels, 1 if n_panels <= 3 else 2, _MARGIN)


def _side_rooms(below: QRectF, n: int) -> list[QRectF]:
    """Where n side plots go: side by side; where they would be too narrow in two rows, of which the lower has fewer."""
    if n < 2 or below.width() / n >= _NARROW:
        return _grid(below, n, 1, 0.0)
    upper = QRectF(below.left(), below.top(), below.width(), below.height() / 2)
    return _grid(upper, -(-n // 2), 1, 0.0) + _grid(upper.translated(0, upper.height()), n // 2, 1, 0.0)


def _grid(room: QRectF, n: int, rows: int, gap: float) -> list[QRectF]:
    """So many equal parts of a room in so many rows, with gaps around and between them."""
    columns = max(1, -(-n // rows))
    width, height = (room.width() - gap * (columns + 1)) / columns, (room.height() - gap * (rows + 1)) / rows
    left, top = room.left() + gap, room.top() + gap
    return [
        QRectF(left + (k % columns) * (width + gap), top + (k // columns) * (height + gap), width, height)
        for k in range(n)
    ]


def _parts(cell: QRectF, style: Style, caption: bool, sides: bool) -> tuple[QRectF, QRectF, QRectF]:
    """A cell's plot, side plots and caption. They have the same heights in every cell, whatever the captions say."""
    lines = _CAPTION_LINES * metrics(style).lineSpacing() + 6 if caption else 0.0
    lines = min(lines, cell.height() / 3)
    side = (cell.height() - lines) * _SIDE_SHARE if sides else 0.0
    main = cell.adjusted(0, 0, 0, -lines - side)
    below = QRectF(cell.left(), main.bottom(), cell.width(), side)
    return main, below, QRectF(cell.left(), below.bottom(), cell.width(), lines)


def export(
    path: str | Path,
    pictures: Sequence[PanelPicture],
    scene: Scene,
    size: Size,
    style: Style,
    dpi: int = 96,
    caption: bool = True,
    sides: bool = False,
) -> None:
    """Write a figure of size (w, h), in 96ths of an inch, as its name says: PNG with `dpi`, SVG or PDF.

    Raises `OSError` where the file can't be written; what stood there before is then untouched.
    """
    kind = Path(path).suffix.lower()
    if kind not in FIGURE_FORMATS:
        raise OSError(f"the name must end in {SUFFIXES}, not in {Path(path).suffix!r}")
    title = "; ".join(picture.caption for picture in pictures if picture.caption)

    def paint(painter: QPainter) -> None:
        paint_figure(painter, size, pictures, scene, style, caption, sides)

    areas = plot_sizes(size, len(pictures), style, caption, sides)
    words = "\n\n".join(
        summary(
            scene, shown.panel, shown, visible_limits(shown.plot.limits or scene.view.limits, *area, shown.plot.equal)
        )
        for shown, area in zip(pictures, areas, strict=True)
    )
    write_atomically(Path(path), WRITERS[kind](size, dpi, title, words, paint))
