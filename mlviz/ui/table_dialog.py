"""Which columns of a table are shown, and which one names the classes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from mlviz.data.dataset import Dataset
from mlviz.data.tables import BadTable, Selection, Table

NO_CLASS = "(none: all in one class)"
PREVIEW_ROWS = 8
PREVIEW_COLUMNS = 12


class AxesDialog(QDialog):
    """Asks for the two columns on the axes."""

    def __init__(self, title: str, columns: Sequence[str], axes: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.x_axis = _chooser("Horizontal axis", columns, axes[0])
        self.y_axis = _chooser("Vertical axis", columns, axes[1])
        self.form = QFormLayout()
        self.form.addRow("&Horizontal axis", self.x_axis)
        self.form.addRow("&Vertical axis", self.y_axis)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.box = QVBoxLayout(self)
        self.box.addLayout(self.form)
        self.box.addWidget(self.buttons)

    @property
    def axes(self) -> tuple[str, str]:
        """The two columns chosen."""
        return self.x_axis.currentText(), self.y_axis.currentText()


class TableDialog(AxesDialog):
    """Asks for the axes and the class column of a table; shows its first rows, and says what will be left out."""

    def __init__(self, table: Table, name: str, parent: QWidget | None = None) -> None:
        guess = table.guess_class()
        columns = table.numeric
        shown = [column for column in columns if column != guess] or list(columns)
        super().__init__(f"Table: {name}", columns, (shown[0], shown[min(1, len(shown) - 1)]), parent)
        self._table = table
        self._selection: Selection | None = None
        self.classes = _chooser("Class column", (NO_CLASS, *table.class_columns), guess or NO_CLASS)
        self.classes.setToolTip("The column that says which class a row belongs to.")
        self.form.addRow("&Class column", self.classes)
        self.notes = QLabel()
        self.notes.setWordWrap(True)
        self.notes.setAccessibleName("What is left out")
        ok = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        ok.setText("&Open")
        ok.setDefault(True)
        self.box.insertWidget(1, _preview(table), 1)
        self.box.insertWidget(2, self.notes)
        for chooser in (self.x_axis, self.y_axis, self.classes):
            chooser.currentIndexChanged.connect(self._choose)
        self.resize(640, 460)
        self._choose()

    def dataset(self) -> Dataset:
        """The samples chosen."""
        if self._selection is None:
            raise BadTable("Nothing of the table can be shown.")
        return self._selection.dataset

    def _choose(self) -> None:
        """Select anew and say how many samples that makes."""
        wanted = "" if self.classes.currentText() == NO_CLASS else self.classes.currentText()
        try:
            selection = self._table.select(None, wanted)
            if not set(self.axes) <= set(selection.dataset.columns):
                selection = self._table.select(tuple(dict.fromkeys(self.axes)), wanted)
        except BadTable as problem:
            self._selection = None
            self.notes.setText(str(problem))
        else:
            self._selection = selection
            n, k = len(selection.dataset), len(selection.dataset.class_names)
            classes = f" in {k} classes" if k > 1 else ""
            self.notes.setText("\n".join((f"{n:,} samples{classes} of {len(self._table):,} rows.", *selection.notes)))
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(self._selection is not None)


def _chooser(name: str, options: Sequence[str], at: str) -> QComboBox:
    box = QComboBox()
    box.addItems(list(options))
    box.setCurrentText(at)
    box.setAccessibleName(name)
    return box


def _preview(table: Table) -> QTableWidget:
    columns = table.fields[:PREVIEW_COLUMNS]
    rows = min(len(table), PREVIEW_ROWS)
    grid = QTableWidget(rows, len(columns))
    grid.setAccessibleName("First rows of the table")
    grid.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
    grid.setHorizontalHeaderLabels([column.name for column in columns])
    for j, column in enumerate(columns):
        for i in range(rows):
            if column.numeric:
                text = "" if column.values[i] != column.values[i] else f"{column.values[i]:g}"
            else:
                code = -1 if column.codes is None else int(column.codes[i])
                text = column.words[code] if code >= 0 else ""
            grid.setItem(i, j, QTableWidgetItem(text))
    grid.resizeColumnsToContents()
    return grid
