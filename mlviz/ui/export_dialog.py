"""What the exported picture is to be: format, size, resolution, theme, caption, side plots."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from mlviz.ui.embedded import MOST_VECTORS

FORMATS = (
    ("png", "PNG: pixels, for slides and the web"),
    ("svg", "SVG: vectors, for the web"),
    ("pdf", "PDF: vectors, for papers"),
)
RESOLUTIONS = (96, 200, 300)
THEMES = ("light", "dark", "print")


@dataclass(frozen=True)
class Export:
    """The answers of the dialog; size in logical pixels (96 an inch)."""

    format: str = "png"
    size: tuple[int, int] = (800, 600)
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
        self.format = _choices([text for _, text in FORMATS], [name for name, _ in FORMATS].index(start.format))
        self.width_box = QSpinBox(minimum=100, maximum=10_000, value=start.size[0], suffix=" px")
        self.height_box = QSpinBox(minimum=100, maximum=10_000, value=start.size[1], suffix=" px")
        self.dpi = _choices([f"{dpi} dpi" for dpi in RESOLUTIONS], RESOLUTIONS.index(start.dpi))
        self.theme = _choices(list(THEMES), THEMES.index(start.theme))
        self.caption = QCheckBox("with the caption below")
        self.caption.setChecked(start.caption)
        self.legend = QCheckBox("with the legend")
        self.legend.setChecked(start.legend)
        self.sides = QCheckBox("with the side plots below")
        self.sides.setChecked(start.sides)
        form = QFormLayout()
        rows: tuple[tuple[str, QWidget, str], ...] = (
            (
                "&Format",
                self.format,
                "PNG can be pasted anywhere; SVG and PDF stay sharp at any size. "
                f"Of more than {MOST_VECTORS:,} points these hold an image of 288 dpi, under sharp lines and words.",
            ),
            ("&Width", self.width_box, "Width at 96 dpi; text and lines keep their size in it."),
            ("&Height", self.height_box, "Height at 96 dpi."),
            ("&Resolution", self.dpi, "Pixels an inch of a PNG: 96 for the screen, 300 for print."),
            ("&Theme", self.theme, "Colours: print is for black and white printers too."),
            ("&Caption", self.caption, "Method, hyperparameters, number of samples and error, below the picture."),
            ("&Legend", self.legend, "What colours, symbols and lines mean, in the corner with the fewest samples."),
            (
                "&Side plots",
                self.sides,
                "Objective, weights, coefficient path: those the method has.",
            ),
        )
        for text, part, tip in rows:
            form.addRow(text, part)
            part.setToolTip(tip)
            part.setAccessibleName(text.replace("&", ""))
            part.setAccessibleDescription(tip)
        buttons = QDialogButtonBox()
        write = buttons.addButton("&Export...", QDialogButtonBox.ButtonRole.AcceptRole)
        write.setDefault(True)
        write.setToolTip("Choose the name of the file.")
        buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addLayout(form)
        layout.addWidget(buttons)
        self.setMinimumWidth(430)
        self.format.currentIndexChanged.connect(self._format_chosen)
        self._format_chosen()

    @property
    def export(self) -> Export:
        """The present answers."""
        return Export(
            format=FORMATS[self.format.currentIndex()][0],
            size=(self.width_box.value(), self.height_box.value()),
            dpi=RESOLUTIONS[self.dpi.currentIndex()],
            theme=self.theme.currentText(),
            caption=self.caption.isChecked(),
            legend=self.legend.isChecked(),
            sides=self.sides.isChecked(),
        )

    def _format_chosen(self) -> None:
        self.dpi.setEnabled(FORMATS[self.format.currentIndex()][0] == "png")


def _choices(texts: list[str], at: int) -> QComboBox:
    box = QComboBox()
    box.addItems(texts)
    box.setCurrentIndex(at)
    return box
