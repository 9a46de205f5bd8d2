"""What the exported picture is to be: format, size, resolution, theme, caption, side plots."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QFormLayout,
    QVBoxLayout,
    QWidget,
)

from mlviz.picture.figure_formats import FIGURE_FORMATS
from mlviz.ui.paint.stack import MOST_VECTORS
from mlviz.ui.widgets.parts import accept_or_cancel, lay_out, named, plain_label

_RESOLUTIONS = (96, 150, 200, 300, 600)
_THEMES = {"screen": "as on the screen", "light": "light", "dark": "dark", "print": "print"}
_UNITS = {"px": "pixels", "cm": "cm", "in": "inches"}
_LEAST, _MOST = 100.0, 10_000.0
"""Sides of a picture, in 96ths of an inch."""


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


class ExportDialog(QDialog):
    """Asks how the picture is to be written."""

    def __init__(self, start: Export, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export picture")
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
                f"Of more than {MOST_VECTORS:,} points these hold an image of 288 dpi, under sharp lines and words.",
            ),
            ("&Width", self.width_box, "Text and lines keep their size: a wider picture shows more, not larger."),
            ("&Height", self.height_box, "Height of the picture, caption and side plots included."),
            ("&Unit", self.unit, "Pixels are those of the PNG; of SVG and PDF, 96 are an inch."),
            ("&Resolution", self.dpi, "Pixels per inch of a PNG: more make it sharper, and text no smaller on paper."),
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
        self.outcome = plain_label()
        self.outcome.setObjectName("note")
        form.insertRow(5, "", self.outcome)
        buttons = accept_or_cancel(self, "&Export...", "Choose the name of the file.")
        lay_out(QVBoxLayout(self), form, buttons, margins=None)
        self.setMinimumWidth(430)
        for box in (self.format, self.unit, self.dpi):
            box.currentIndexChanged.connect(self._show_size)
        for axis, side in enumerate((self.width_box, self.height_box)):
            side.valueChanged.connect(partial(self._resize_to, axis))
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
                box.setRange(_LEAST * units, _MOST * units)
                box.setValue(side * units)
        self.dpi.setEnabled(self.export.format == ".png")
        self._show_outcome()

    def _show_outcome(self) -> None:
        """Say what the size is in the units that are not shown."""
        wanted = self.export
        cm = " × ".join(f"{side * 2.54 / 96:.1f}" for side in wanted.size)
        pixels = " × ".join(f"{round(side * wanted.dpi / 96):,}" for side in wanted.size)
        self.outcome.setText(f"{pixels} pixels, {cm} cm on paper" if wanted.format == ".png" else f"{cm} cm on paper")
