"""Figures: the panels of a scene side by side, as PNG, SVG or PDF, painted by the one painter."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QRectF
from PySide6.QtGui import QGuiApplication, QPainter

from mlviz.draw.plot import full_limits, visible_limits
from mlviz.files.atomic import write_atomically
from mlviz.picture import PanelPicture
from mlviz.picture.attempts.marks import with_attempts
from mlviz.picture.description import summary
from mlviz.picture.figure_formats import FIGURE_FORMATS, SUFFIXES
from mlviz.scene.notes.edits import noted_on
from mlviz.scene.scene import Scene
from mlviz.ui.figure.formats import WRITERS, Size
from mlviz.ui.paint.axes import Style, metrics
from mlviz.ui.paint.cells import Rooms, looks, rooms
from mlviz.ui.paint.explanation_card import pinned
from mlviz.ui.paint.legend import NOTHING, common, paint_legend
from mlviz.ui.paint.scene_view import samples_of
from mlviz.ui.paint.stack import FrameContent, named_marks, paint_content, paint_plot
from mlviz.ui.paint.strokes import colour
from mlviz.ui.widgets.fonts import names_of, qt_to_log, without_font

__all__ = ["Style", "boxes", "export", "has_sides", "headless", "paint_figure", "plot_sizes"]
_MARGIN = 8.0
"""Around the figure and between its panels, pixels."""
_CAPTION_LINES = 2
"""Room for so many lines of the usual size."""
_SIDE_SHARE = 0.36
"""The share of the height that side plots take."""
_BESIDE, _ABOVE = 74.0, 56.0
"""What the words about the axes of a side plot take of its width and of its height, about, pixels."""
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
    return without_font((*names_of(scene.dataset), *(note.words for note in scene.notes)))


def has_sides(scene: Scene) -> bool:
    """Whether there is a side plot to be added to a figure of that scene."""
    return any(
        panel.pipeline.charts or any(study.plotted and not study.by_layer for study in panel.asked_studies)
        for panel in scene.panels
    )


def plot_sizes(
    size: Size, scene: Scene, style: Style, caption: bool = True, sides: bool = False
) -> list[tuple[int, int]]:
    """The plot areas (w, h) of the panels of a scene in a figure of that size, in whole logical pixels."""
    areas = [cell.area for cell in _rooms(size, scene, style, caption, sides).cells]
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
    style = replace(style, colours=scene.colours).for_panels(len(pictures))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(QRectF(0, 0, *size), colour(style.colors.paper))
    pictures = [replace(p, plot=with_attempts(p.plot, scene, p.panel)) for p in pictures]
    places = _rooms(size, scene, style, caption, sides)
    pins = [pinned(scene, picture) for picture in pictures]
    drawn = [samples_of(scene, picture.panel) for picture in pictures]
    legend = None
    if len(pictures) > 1:
        marks = [named_marks(picture.plot, pin) for picture, pin in zip(pictures, pins, strict=True)]
        legend = common(zip(marks, drawn, strict=True), places.legend, style)
        paint_legend(painter, legend, style, raster=False)
    for cell, picture, told, samples in zip(places.cells, pictures, pins, drawn, strict=True):
        plot, title = picture.plot, "" if caption else picture.plot.title
        area, below, words = cell.area, cell.below, QRectF()
        if caption:
            height = _caption_height(size, style)
            words = QRectF(below.left(), below.bottom() - height, below.width(), height)
            below = below.adjusted(0, 0, 0, -height)
        limits = visible_limits(plot.limits or scene.view.limits, area.width(), area.height(), plot.equal)
        said = f"{picture.caption}. {picture.message}" if picture.message else picture.caption
        content = FrameContent(
            plot,
            samples,
            title=title,
            edges=cell.edges,
            caption=said if caption else "",
            evidence=told.marks if told else (),
            pinned=told,
            legend_elsewhere=frozenset(legend[0]) if legend else NOTHING,
            noted=noted_on(scene, picture.panel),
            alone=cell.alone,
        )
        paint_content(painter, cell.room, content, limits, style, raster=False, caption_box=words, area=area)
        plots = (picture.sides or ()) if sides else ()
        for rect, side in zip(_side_rooms(below, len(plots)), plots, strict=True):
            paint_plot(painter, rect, side, full_limits(side), style, raster=False)


def _rooms(size: Size, scene: Scene, style: Style, caption: bool, sides: bool) -> Rooms:
    """Where the panels go; below the axes of each there is room for side plots and caption, as high for all."""
    lines = _caption_height(size, style) if caption else 0.0
    share, title = _SIDE_SHARE if sides else 0.0, "" if caption else "above"
    room = QRectF(0, 0, *size).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
    return rooms(room, looks(scene), style, _MARGIN, lambda _, height: lines + (height - lines) * share, title)


def _caption_height(size: Size, style: Style) -> float:
    """The height of a panel's caption in a figure of that size."""
    return min(_CAPTION_LINES * metrics(style).lineSpacing() + 6, size[1] / 4)


def _side_rooms(below: QRectF, n: int) -> list[QRectF]:
    """Where n side plots go: in one row or two, of which the lower has fewer, whichever makes no axes very short."""
    width, height = below.width(), below.height()
    rows = max((1, 2)[:n], key=lambda rows: min(width / -(-n // rows) - _BESIDE, height / rows - _ABOVE), default=1)
    upper = -(-n // rows)
    height /= rows
    return [
        QRectF(below.left() + k * width / many, below.top() + row * height, width / many, height)
        for row, many in enumerate((upper, n - upper))
        for k in range(many)
    ]


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

    areas = plot_sizes(size, scene, style, caption, sides)
    words = "\n\n".join(
        summary(
            scene, shown.panel, shown, visible_limits(shown.plot.limits or scene.view.limits, *area, shown.plot.equal)
        )
        for shown, area in zip(pictures, areas, strict=True)
    )
    write_atomically(Path(path), WRITERS[kind](size, dpi, title, words, paint))
