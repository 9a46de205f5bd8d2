"""What the exported picture is to be: format, size, resolution, theme, caption, side plots."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from functools import partial

import numpy as np
from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QVBoxLayout,
    QWidget,
)

from mlviz.draw.palette import THEMES
from mlviz.picture.figure_formats import CM, FIGURE_FORMATS, LONGEST_SIDE, SHORTEST_SIDE
from mlviz.ui.paint.stack import MOST_VECTORS
from mlviz.ui.widgets.parts import accept_or_cancel, lay_out, named, plain_label

_RESOLUTIONS = (96, 150, 200, 300, 600)
_THEMES = {"screen": "as on the screen", **{theme: theme for theme in THEMES}}
_UNITS = {"px": "pixels", "cm": "cm", "in": "inches"}
_OWN = "own size"
_PRESETS = {
    "one column, 8.5 cm": ((8.5 * CM, 6.5 * CM), "cm", "print"),
    "two columns, 17.5 cm": ((17.5 * CM, 10.0 * CM), "cm", "print"),
    "slide 16:9": ((1280.0, 720.0), "px", "light"),
}
"""Sizes that papers and slides have, the unit that each is thought of in, and the theme that is usual there."""
_LONGEST_OUTCOME = "99,999 × 99,999 pixels, 999.9 × 999.9 cm on paper"


@dataclass(frozen=True)
class Export:
    """The answers of the dialog; size in 96ths of an inch, shown in a unit of `_UNITS`."""

    format: str = ".png"
    size: tuple[float, float] = (768.0, 576.0)
    unit: str = "px"
    dpi: int = 200
    theme: str = "light"
    caption: bool = True
    legend: bool = True
    sides: bool = False

    def written(self) -> str:
        """The answers in a line, for the preferences."""
        return json.dumps(dataclasses.asdict(self))

    @staticmethod
    def read(line: str) -> Export:
        """The answers that a line holds; those given at first where it can't be read, which a hand may have written."""
        try:
            read = Export(**{**json.loads(line), "size": tuple(map(float, json.loads(line)["size"]))})
            width, height = read.size
        except (ValueError, TypeError, KeyError):
            return Export()
        known = ((read.format, FIGURE_FORMATS), (read.unit, _UNITS), (read.dpi, _RESOLUTIONS), (read.theme, _THEMES))
        switches = {type(on) for on in (read.caption, read.legend, read.sides)}
        fits = all(SHORTEST_SIDE <= side <= LONGEST_SIDE for side in (width, height)) and switches == {bool}
        return read if fits and all(value in list(options) for value, options in known) else Export()


class ExportDialog(QDialog):
    """Asks how the picture is to be written, with a preview beside the answers."""

    changed = Signal(object)
    """The present answers, an `Export`, whenever they are other ones."""

    def __init__(self, start: Export, parent: QWidget | None = None, preview: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export picture")
        self.preset = QComboBox()
        self.preset.addItems([_OWN, *_PRESETS])
        self.format, self.unit, self.dpi, self.theme = QComboBox(), QComboBox(), QComboBox(), QComboBox()
        for box, options, at in (
            (self.format, FIGURE_FORMATS.values(), FIGURE_FORMATS[start.format]),
            (self.unit, _UNITS.values(), _UNITS[start.unit]),
            (self.dpi, (f"{dpi} dpi" for dpi in _RESOLUTIONS), f"{start.dpi} dpi"),
            (self.theme, _THEMES.values(), _THEMES[start.theme]),
        ):
            box.addItems(list(options))
            box.setCurrentText(at)
        self._size = list(start.size)
        self.width_box, self.height_box = QDoubleSpinBox(), QDoubleSpinBox()
        self.caption = QCheckBox("with the caption below")
        self.legend = QCheckBox("with the legend")
        self.sides = QCheckBox("with the side plots below")
        for switch, on in ((self.caption, start.caption), (self.legend, start.legend), (self.sides, start.sides)):
            switch.setChecked(on)
        form = QFormLayout()
        rows: tuple[tuple[str, QWidget, str], ...] = (
            (
                "&Format",
                self.format,
                "PNG can be pasted anywhere; SVG and PDF stay sharp at any size. "
                f"Above {MOST_VECTORS:,} points these contain an image of 288 dpi, under sharp lines and words.",
            ),
            ("&Made for", self.preset, "Sizes of figures in papers and on slides, with the theme that suits."),
            (
                "&Width",
                self.width_box,
                "Text and lines keep their size: a wider picture has more room, not larger text.",
            ),
            ("&Height", self.height_box, "Height of the picture, caption and side plots included."),
            ("&Unit", self.unit, "Pixels are those of the PNG; of SVG and PDF, 96 are an inch."),
            ("&Resolution", self.dpi, "Pixels per inch of a PNG: more make it sharper; text stays as large on paper."),
            ("&Theme", self.theme, "Colours: print is for black and white printers too."),
            ("&Caption", self.caption, "Method, hyperparameters, number of samples and error, below the picture."),
            ("&Legend", self.legend, "What colours, symbols and lines mean, in a free corner or beside the axes."),
            (
                "&Side plots",
                self.sides,
                "Objective, weights, coefficient path: those the method has.",
            ),
        )
        for text, part, tip in rows:
            form.addRow(text, named(part, text.replace("&", ""), tip, tip))
        self.outcome = plain_label(objectName="note")
        # The buttons stay under the hand whatever it says.
        self.outcome.setMinimumWidth(self.outcome.fontMetrics().horizontalAdvance(_LONGEST_OUTCOME))
        form.insertRow(6, "", self.outcome)
        buttons = accept_or_cancel(self, "&Export...", "Choose the name of the file.")
        answers = lay_out(QVBoxLayout(), form, None, buttons)
        lay_out(QHBoxLayout(self), answers, *([(preview, 1)] if preview else []), margins=None, spacing=16)
        self.setMinimumWidth(430 + (preview.minimumWidth() if preview else 0))
        self.preset.activated.connect(self._take_preset)
        for box in (self.format, self.unit, self.dpi):
            box.currentIndexChanged.connect(self._show_size)
        for axis, side in enumerate((self.width_box, self.height_box)):
            side.valueChanged.connect(partial(self._resize_to, axis))
        self._theme_chosen = False
        self.theme.activated.connect(self._keep_theme)
        self.theme.currentIndexChanged.connect(self._show_outcome)
        for switch in (self.caption, self.legend, self.sides):
            switch.toggled.connect(self._show_outcome)
        self._show_size()

    @property
    def export(self) -> Export:
        """The present answers."""
        return Export(
            format=list(FIGURE_FORMATS)[self.format.currentIndex()],
            size=(self._size[0], self._size[1]),
            unit=list(_UNITS)[self.unit.currentIndex()],
            dpi=_RESOLUTIONS[self.dpi.currentIndex()],
            theme=list(_THEMES)[self.theme.currentIndex()],
            caption=self.caption.isChecked(),
            legend=self.legend.isChecked(),
            sides=self.sides.isChecked(),
        )

    def _units(self) -> float:
        """How many of the chosen unit a 96th of an inch has."""
        unit = self.export.unit
        if unit == "px":
            return self.export.dpi / 96 if self.export.format == ".png" else 1.0
        return {"cm": 2.54, "in": 1.0}[unit] / 96

    def _take_preset(self, index: int) -> None:
        if index:
            size, unit, theme = list(_PRESETS.values())[index - 1]
            self._size = list(size)
            if not self._theme_chosen:
                self.theme.setCurrentText(_THEMES[theme])
            self.unit.setCurrentText(_UNITS[unit])
            self._show_size()

    def _keep_theme(self) -> None:
        """A theme that was chosen by hand stays."""
        self._theme_chosen = True

    def _resize_to(self, axis: int, value: float) -> None:
        self._size[axis] = value / self._units()
        self._show_outcome()

    def _show_size(self) -> None:
        """Show the size in the chosen unit, as it is."""
        units, unit = self._units(), self.export.unit
        for box, side in zip((self.width_box, self.height_box), self._size, strict=True):
            with QSignalBlocker(box):
                box.setDecimals(0 if unit == "px" else 2)
                box.setSingleStep(10.0 if unit == "px" else 0.5)
                box.setSuffix(f" {unit}")
                box.setRange(SHORTEST_SIDE * units, LONGEST_SIDE * units)
                box.setValue(side * units)
        self.dpi.setEnabled(self.export.format == ".png")
        self._show_outcome()

    def _show_outcome(self) -> None:
        """Say what the size is in pixels and on paper, and what it is made for."""
        wanted = self.export
        cm = " × ".join(f"{side / CM:.1f}" for side in wanted.size)
        pixels = " × ".join(f"{round(side * wanted.dpi / 96):,}" for side in wanted.size)
        self.outcome.setText(f"{pixels} pixels, {cm} cm on paper" if wanted.format == ".png" else f"{cm} cm on paper")
        near = (name for name, (size, *_) in _PRESETS.items() if np.allclose(size, wanted.size, rtol=0, atol=0.5))
        self.preset.setCurrentText(next(near, _OWN))
        self.changed.emit(wanted)
