"""Which method, grouped by family, and which of its tasks."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from mlviz.algorithms import Algorithm, registry
from mlviz.ui.fields import FocusedCombo

FAMILY_ORDER = ("Classification", "Regression", "Clustering", "Dimensionality reduction")


class MethodChooser(QWidget):
    """A list of all methods under the headings of their families, and one of tasks where the method has several."""

    method_chosen = Signal(str)
    task_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.methods = FocusedCombo()
        self.methods.setAccessibleName("Method")
        self.methods.setToolTip("The method that learns from the points.")
        self.methods.setModel(_model())
        self.methods.setMaxVisibleItems(30)
        self.tasks = FocusedCombo()
        self.tasks.setAccessibleName("Task")
        self.tasks.setToolTip("What is learned: the class of a place, or the value on the vertical axis.")
        self.help_button = QToolButton()
        self.help_button.setText("?")
        self.help_button.setToolTip("What this method does, and how to read its picture (F1).")
        self.help_button.setAccessibleName("About this method")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.methods, 1)
        row.addWidget(self.help_button)
        layout.addLayout(row)
        self._task = QWidget()
        task = QHBoxLayout(self._task)
        task.setContentsMargins(0, 0, 0, 0)
        label = QLabel("task")
        label.setBuddy(self.tasks)
        task.addWidget(label, 2)
        task.addWidget(self.tasks, 3)
        layout.addWidget(self._task)
        self.setFocusProxy(self.methods)
        self.methods.currentIndexChanged.connect(self._choose_method)
        self.tasks.currentTextChanged.connect(self.task_chosen)

    def show_method(self, algorithm: Algorithm, task: str) -> None:
        """Show a method and its task; nothing is emitted."""
        for box in (self.methods, self.tasks):
            box.blockSignals(True)
        self.methods.setCurrentIndex(self.methods.findData(algorithm.id))
        if [self.tasks.itemText(i) for i in range(self.tasks.count())] != list(algorithm.tasks):
            self.tasks.clear()
            self.tasks.addItems(list(algorithm.tasks))
        self.tasks.setCurrentText(task)
        self._task.setVisible(len(algorithm.tasks) > 1)
        for box in (self.methods, self.tasks):
            box.blockSignals(False)

    def choose(self, method: str) -> None:
        """Choose a method by its id, as a hand would."""
        self.methods.setCurrentIndex(self.methods.findData(method))

    def _choose_method(self) -> None:
        method = self.methods.currentData()
        if method is not None:
            self.method_chosen.emit(method)


def _model() -> QStandardItemModel:
    model = QStandardItemModel()
    families: dict[str, list[type[Algorithm]]] = {}
    for method in registry().values():
        families.setdefault(method.family, []).append(method)
    order = {family: rank for rank, family in enumerate(FAMILY_ORDER)}
    for family in sorted(families, key=lambda name: (order.get(name, len(order)), name)):
        heading = QStandardItem(family)
        heading.setFlags(Qt.ItemFlag.NoItemFlags)
        font = heading.font()
        font.setBold(True)
        heading.setFont(font)
        model.appendRow(heading)
        for method in sorted(families[family], key=lambda found: found.label):
            item = QStandardItem(method.label)
            item.setData(method.id, Qt.ItemDataRole.UserRole)
            model.appendRow(item)
    return model
