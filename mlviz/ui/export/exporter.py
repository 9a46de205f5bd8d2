"""From the window to a picture in a file or on the clipboard."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from mlviz.draw.plot import Plot
from mlviz.picture import PanelPicture, draw
from mlviz.picture.figure_formats import FIGURE_FORMATS, SUFFIXES
from mlviz.scene.scene import Scene
from mlviz.ui.desk import Desk
from mlviz.ui.documents.documents import Documents
from mlviz.ui.documents.saving import ask_name, write_and_say
from mlviz.ui.export.dialog import Export, ExportDialog
from mlviz.ui.figure import figure
from mlviz.ui.figure.plots import export_plots
from mlviz.ui.paint.axes import Style
from mlviz.ui.paint.scene_view import without_hover
from mlviz.ui.widgets.background import Background
from mlviz.ui.widgets.dialogs import ask
from mlviz.ui.widgets.parts import named

_COPY_SCALE = 2
"""Pixels a logical pixel of a copied picture: sharp on a projector and in print."""
_PLOT_SIZE = (640.0, 480.0)
"""Of a side plot that is written alone, 96ths of an inch."""
Pictures = list[PanelPicture]
_REST_MS = 150
"""The panels are drawn anew when their sizes have rested so long: a size is typed digit by digit."""
_SMALLEST = (380, 320)


class Preview(QWidget):
    """Shows a scene as an export of it would look; what changes no panel's size is to be seen at once."""

    def __init__(self, scene: Scene, style_of: Callable[[Export], Style]) -> None:
        super().__init__()
        named(self, "Preview", description="The picture as it will be written, in small.")
        self.setMinimumSize(*_SMALLEST)
        self._scene, self._style_of, self._wanted = scene, style_of, Export()
        self._sizes: list[tuple[int, int]] = []
        self.pictures: list[PanelPicture] = []
        self._says = "Drawing ..."
        self.drawing = Background("its process has ended.", self)
        self.drawing.done.connect(self._take)
        self.drawing.failed.connect(self._say)
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(lambda: self.drawing.start(draw, self._scene, self._sizes))

    def show_export(self, wanted: Export) -> None:
        """Show the picture with these answers."""
        self._wanted = wanted
        sides = wanted.sides and figure.has_sides(self._scene)
        style = self._style_of(wanted)
        sizes = figure.plot_sizes(wanted.size, self._scene, style, wanted.caption, sides)
        if sizes != self._sizes:
            self._sizes = sizes
            self._rest.start()
        self.update()

    def stop(self) -> None:
        """Give up what is being drawn."""
        self._rest.stop()
        self.drawing.stop()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The whole figure, as large as there is room, in the middle."""
        width, height = self._wanted.size
        scale = min(self.width() / width, self.height() / height)
        with QPainter(self) as painter:
            if not self.pictures:
                painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._says)
                return
            painter.translate((self.width() - width * scale) / 2, (self.height() - height * scale) / 2)
            painter.scale(scale, scale)
            painter.setClipRect(QRectF(0, 0, width, height))
            style, sides = self._style_of(self._wanted), self._wanted.sides and figure.has_sides(self._scene)
            figure.paint_figure(
                painter, self._wanted.size, self.pictures, self._scene, style, self._wanted.caption, sides
            )

    def _take(self, pictures: list[PanelPicture]) -> None:
        self.pictures = pictures
        self.update()

    def _say(self, why: str) -> None:
        self._says = f"The picture could not be drawn: {why}"
        self.update()


class Exporter:
    """Asks for the details, has the pictures drawn, and writes them."""

    def __init__(self, desk: Desk, documents: Documents, canvases: QWidget) -> None:
        """What is copied is as large as the `canvases`."""
        self._desk, self._documents, self._canvases = desk, documents, canvases
        self._last = Export.read(desk.preferences.kept("export"))
        self._then: Callable[[Pictures], None] = lambda pictures: None
        self.drawing = Background("its process has ended; most likely there is not enough memory.", desk.parent)
        self.drawing.done.connect(lambda pictures: self._then(pictures))
        self.drawing.failed.connect(lambda why: desk.complain(f"The picture could not be drawn: {why}"))

    def ask_export(self) -> None:
        """Ask for format and name, and write the picture."""
        preview = Preview(without_hover(self._desk.store.scene, self._desk.hand), self._style)
        dialog = ExportDialog(self._last, self._desk.parent, preview)
        dialog.changed.connect(preview.show_export)
        dialog.finished.connect(preview.stop)
        preview.show_export(self._last)
        if not ask(dialog):
            return
        self._last = wanted = dialog.export
        self._desk.preferences.keep("export", wanted.written())
        start = self._documents.folder / f"{Path(self._documents.name).stem}{wanted.format}"
        kinds = f"{wanted.format[1:].upper()} (*{wanted.format})"
        path = ask_name(self._desk.parent, "Export picture", start, kinds, wanted.format, must=True)
        if path is not None:
            self.export(path, wanted)

    def export(self, path: Path, wanted: Export) -> None:
        """Draw the present scene and write it; the window stays usable meanwhile."""
        scene = without_hover(self._desk.store.scene, self._desk.hand)
        style = self._style(wanted)
        parts = {"caption": wanted.caption, "sides": wanted.sides and figure.has_sides(scene)}

        def write(pictures: Pictures) -> None:
            export = partial(figure.export, path, pictures, scene, wanted.size, style, wanted.dpi, **parts)
            write_and_say(self._desk, path, export, f"Picture written to {path.name}")

        self._draw(scene, figure.plot_sizes(wanted.size, scene, style, **parts), write)

    def save_plot(self, plot: Plot) -> None:
        """Ask for a name, and write a side plot alone, as PNG, SVG or PDF by its ending."""
        start = self._documents.folder / f"{plot.id.replace(' ', '-')}.png"
        path = ask_name(self._desk.parent, "Save plot", start, "PNG (*.png);;SVG (*.svg);;PDF (*.pdf)", ".png")
        if path is None:
            return
        if path.suffix.lower() not in FIGURE_FORMATS:
            self._desk.complain(f"{path.name} was not written: the name of a plot ends in {SUFFIXES}.")
            return
        style = dataclasses.replace(self._style(self._last), colours=self._desk.store.scene.colours)
        export = partial(export_plots, path, [plot], _PLOT_SIZE, style, self._last.dpi)
        write_and_say(self._desk, path, export, f"Plot written to {path.name}")

    def copy(self) -> None:
        """Put the present scene on the clipboard as a picture of the size of the canvases.

        It looks as on the screen, with the theme, caption and legend that were chosen for the last export.
        """
        scene = without_hover(self._desk.store.scene, self._desk.hand)
        now, wanted = self._desk.style(), self._last
        style = dataclasses.replace(now, theme=self._style(wanted).theme, legend=now.legend and wanted.legend)
        size = (self._canvases.width(), self._canvases.height())

        def put(pictures: Pictures) -> None:
            image = QImage(size[0] * _COPY_SCALE, size[1] * _COPY_SCALE, QImage.Format.Format_ARGB32_Premultiplied)
            image.setDevicePixelRatio(_COPY_SCALE)
            with QPainter(image) as painter:
                figure.paint_figure(painter, size, pictures, scene, style, wanted.caption)
            QGuiApplication.clipboard().setImage(image)
            self._desk.say("Picture copied to the clipboard")

        self._draw(scene, figure.plot_sizes(size, scene, style, wanted.caption), put)

    def _style(self, wanted: Export) -> Style:
        """How an export is painted: at the usual size, also during a presentation."""
        theme = self._desk.style().theme if wanted.theme == "screen" else wanted.theme
        return Style(theme=theme, legend=wanted.legend)

    def close(self) -> None:
        """Give up what is being drawn."""
        self.drawing.stop()

    def _draw(self, scene: Scene, sizes: list[tuple[int, int]], then: Callable[[Pictures], None]) -> None:
        self._then = then
        self._desk.say("Drawing the picture ...")
        self.drawing.start(draw, scene, sizes)
