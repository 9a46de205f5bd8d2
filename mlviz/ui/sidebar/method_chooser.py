"""Which method, grouped by family as in a course, and which of its tasks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from time import monotonic

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QShowEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QHBoxLayout, QListView, QVBoxLayout, QWidget

from mlviz.algorithms import Algorithm, broken, registry
from mlviz.draw.tasks import task_name
from mlviz.scene.values import OVER_PLANE
from mlviz.spec.outside import shortened
from mlviz.ui.controls.number_control import FocusedCombo
from mlviz.ui.widgets.parts import as_tooltip, lay_out, named, plain_label, tool_button

COURSE = (
    ("Neighbours and centroids", ("nearest-centroid", "knn", "parzen")),
    ("Linear classifiers", ("rls-classifier", "perceptron", "logistic")),
    ("Margin classifiers", ("svm", "smo", "svm-sgd", "l1-svm")),
    ("Kernel classifiers", ("kernel-rls", "kernel-perceptron", "kernel-logistic")),
    ("Generative classifiers", ("naive-bayes", "lda", "qda")),
    (
        "Regression",
        (
            "linear-regression",
            "lp-regression",
            "quantile-regression",
            "bayesian-linear",
            "kernel-ridge",
            "gp",
            "svr",
            "rbf-network",
            "random-features",
        ),
    ),
    ("Clustering", ("kmeans", "kernel-kmeans", "gmm", "hierarchical", "spectral", "dbscan", "mean-shift")),
    ("Density estimation", ("kde",)),
    ("Dimensionality reduction", ("pca", "kernel-pca", "mds", "tsne")),
)
"""The order of families, and of methods in them. Others come after them, by name."""
BROKEN = "Can't be used (point for the reason)"
_LATER_MS = 100
"""The window is seen for so long before the files of all methods are read."""
_PAUSE = 1.2
"""Letters that follow each other within so many seconds are one word."""


class MethodChooser(QWidget):
    """A list of all methods under the headings of their families, and one of the tasks that the method knows."""

    method_chosen = Signal(str)
    task_chosen = Signal(str)
    target_chosen = Signal(str)
    done = Signal()
    """Return, or a choice from the open list: the keyboard is wanted elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        tip = "The method that learns from the points.\nLetters of any word of its name find it: vec, naive, svm."
        self.methods = named(_Methods(), "Method", tip)
        self.methods.setView(_Found())
        self.methods.setMaxVisibleItems(40)
        self._full = False
        self._shown: tuple[object, ...] = ()
        tip = (
            "What is learned: the class of a place, the value on the vertical axis over the horizontal one, "
            "or a value over the plane, which the colour of the points shows."
        )
        self.tasks = named(FocusedCombo(), "Task", tip)
        self.targets = named(FocusedCombo(), "Target", "The column whose values are learned over the plane.")
        tip = "What this method does, and how to read its picture (F1)."
        self.help_button = tool_button("?", "About this method", tip)
        row = lay_out(QHBoxLayout(), (self.methods, 1), self.help_button, spacing=4)
        label = plain_label("task")
        label.setBuddy(self.tasks)
        task = lay_out(QHBoxLayout(), (label, 1), (self.tasks, 3))
        self._target = QWidget()
        label = plain_label("target")
        label.setBuddy(self.targets)
        lay_out(QHBoxLayout(self._target), (label, 2), (self.targets, 3))
        lay_out(QVBoxLayout(self), row, task, self._target, spacing=4)
        self.setFocusProxy(self.methods)
        self.methods.currentIndexChanged.connect(lambda: self.method_chosen.emit(self.methods.currentData()))
        self.methods.done.connect(self.done)
        self.methods.wanted.connect(self.fill)
        self.tasks.currentIndexChanged.connect(lambda: self.task_chosen.emit(self.tasks.currentData()))
        self.targets.currentIndexChanged.connect(lambda: self.target_chosen.emit(self.targets.currentData()))

    def showEvent(self, event: QShowEvent) -> None:
        """Read the list soon, but let the window be seen first."""
        super().showEvent(event)
        if not self._full:
            QTimer.singleShot(_LATER_MS, self, self.fill)

    def fill(self) -> None:
        """Read all methods into the list, if that is not done yet: their files take longer than the whole window."""
        if self._full:
            return
        self._full = not any(missing.unread for missing in broken())
        present = self.methods.currentData()
        with QSignalBlocker(self.methods):
            self.methods.setModel(_model())
            self.methods.setCurrentIndex(self.methods.findData(present))
        self._tint_heads()

    def changeEvent(self, event: QEvent) -> None:
        """The heads of families follow the theme; the ink of what can't be chosen would be too faint for them."""
        if event.type() == QEvent.Type.PaletteChange:
            self._tint_heads()
        super().changeEvent(event)

    def _tint_heads(self) -> None:
        for row in range(self.methods.count()):
            if self.methods.itemData(row) is None:
                self.methods.setItemData(row, self.palette().placeholderText(), Qt.ItemDataRole.ForegroundRole)

    def show_method(
        self, algorithm: Algorithm, task: str, targets: Sequence[str] = (), target: str | None = None
    ) -> None:
        """Show a method and its task, and the target among those there are over the plane; nothing is emitted."""
        shown = algorithm.id, algorithm.tasks, task, tuple(targets), target
        if shown == (self.methods.currentData(), *self._shown):
            return
        self._shown = shown[1:]
        tasks = [*algorithm.tasks, *((OVER_PLANE,) if "regression" in algorithm.tasks else ())]
        with QSignalBlocker(self.methods), QSignalBlocker(self.tasks), QSignalBlocker(self.targets):
            if not self.methods.count():
                self.methods.addItem(algorithm.label, algorithm.id)
            elif self.methods.findData(algorithm.id) < 0:
                self.fill()
            self.methods.setCurrentIndex(self.methods.findData(algorithm.id))
            if [self.tasks.itemData(i) for i in range(self.tasks.count())] != tasks:
                self.tasks.clear()
                for one in tasks:
                    self.tasks.addItem(task_name(one), one)
            self.tasks.setCurrentIndex(self.tasks.findData(task))
            self.tasks.setEnabled(len(tasks) > 1)
            self.targets.clear()
            for name in targets:
                self.targets.addItem(shortened(name), name)
            self.targets.setCurrentIndex(self.targets.findData(target))
        self._target.setVisible(task == OVER_PLANE and len(targets) > 1)

    def choose(self, method: str) -> None:
        """Choose a method by its id, as a hand would."""
        self.fill()
        self.methods.setCurrentIndex(self.methods.findData(method))


class _Methods(FocusedCombo):
    """The names of the methods. Letters and arrows go through them; Return, or a choice from the open list, ends it."""

    done = Signal()
    wanted = Signal()
    """The list is about to be used."""

    def __init__(self) -> None:
        super().__init__()
        self._going_through = False
        self.activated.connect(self._activated)

    def showPopup(self) -> None:
        """Drop the whole list down."""
        self.wanted.emit()
        super().showPopup()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Be ready for letters, arrows and the wheel."""
        self.wanted.emit()
        super().focusInEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return is the end of the choice."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.done.emit()
            return
        self._going_through = True
        super().keyPressEvent(event)
        self._going_through = False

    def _activated(self) -> None:
        if not self._going_through:
            self.done.emit()


class _Found(QListView):
    """The list that drops down: typed letters find a method by any word of its name, open or closed."""

    def __init__(self) -> None:
        super().__init__()
        self._typed, self._last = "", 0.0

    def keyboardSearch(self, search: str) -> None:
        """Go to the method that the letters mean; the same letter again goes to the next one."""
        now = monotonic()
        again = now > self._last + _PAUSE or self._typed == search.lower()
        self._typed = search.lower() if again else self._typed + search.lower()
        self._last = now
        model = self.model()
        present = self.currentIndex().row()
        rows = [row for row in range(model.rowCount()) if self._method(row)]
        # From the next one on, around the end; with a letter more, the present one first.
        rows.sort(key=lambda row: row <= present if again else row != present)
        best = found(self._typed, [f"{model.index(row, 0).data()} {self._method(row)}" for row in rows])
        if best is not None:
            self.setCurrentIndex(model.index(rows[best], 0))

    def _method(self, row: int) -> str:
        return self.model().index(row, 0).data(Qt.ItemDataRole.UserRole) or ""


def found(letters: str, names: Sequence[str]) -> int | None:
    """Which of the names is meant: one that begins so, or one of whose words does, or one that has it anywhere."""
    lower = [name.lower() for name in names]
    tests = (
        lambda name: name.startswith(letters),
        lambda name: any(word.startswith(letters) for word in name.replace("-", " ").split()),
        lambda name: letters in name,
    )
    return next((k for test in tests for k, name in enumerate(lower) if test(name)), None)


def _model() -> QStandardItemModel:
    model = QStandardItemModel()
    course = [name for family, methods in COURSE for name in (family, *methods)]
    rank = {name: place for place, name in enumerate(course)}

    def place(method: type[Algorithm]) -> tuple[int, str, int, str]:
        last = len(course)
        return rank.get(method.family, last), method.family, rank.get(method.id, last), method.label

    for family, methods in groupby(sorted(registry().values(), key=place), key=lambda method: method.family):
        model.appendRow(_heading(family))
        for method in methods:
            item = QStandardItem(method.label)
            item.setData(method.id, Qt.ItemDataRole.UserRole)
            model.appendRow(item)
    if broken():
        model.appendRow(_heading(BROKEN))
    for missing in broken():
        item = QStandardItem(missing.id)
        item.setEnabled(False)
        item.setToolTip(as_tooltip(missing.reason))
        item.setAccessibleDescription(missing.reason)
        model.appendRow(item)
    return model


def _heading(words: str) -> QStandardItem:
    heading = QStandardItem(words)
    heading.setFlags(Qt.ItemFlag.NoItemFlags)
    font = heading.font()
    font.setBold(True)
    heading.setFont(font)
    return heading
