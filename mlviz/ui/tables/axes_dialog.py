"""Which two columns are on the axes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QVBoxLayout, QWidget

from mlviz.data.tables.appending import Axes
from mlviz.ui.tables.chooser import chooser
from mlviz.ui.widgets.parts import lay_out

_Button = QDialogButtonBox.StandardButton


class AxesDialog(QDialog):
    """Asks for the two columns on the axes."""

    def __init__(self, title: str, columns: Sequence[str], axes: Axes, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.x_axis = chooser("Horizontal axis", columns, axes[0])
        self.y_axis = chooser("Vertical axis", columns, axes[1])
        form = QFormLayout()
        form.addRow("&Horizontal axis", self.x_axis)
        form.addRow("&Vertical axis", self.y_axis)
        buttons = QDialogButtonBox(_Button.Ok | _Button.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        lay_out(QVBoxLayout(self), form, buttons, margins=None)

    @property
    def axes(self) -> Axes:
        """The two columns chosen."""
        return self.x_axis.currentText(), self.y_axis.currentText()
