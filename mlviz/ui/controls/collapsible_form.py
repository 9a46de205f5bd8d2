"""A small group of parameters under a head that opens and closes it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QToolButton, QVBoxLayout, QWidget

from mlviz.spec import Declared
from mlviz.ui.controls.class_control import Classes
from mlviz.ui.controls.form import ParameterForm


class CollapsibleForm(QWidget):
    """A form that is closed while its values change nothing; the head opens it, and closes it again.

    Closed, the head says in a few words what is in force.
    """

    def __init__(self, title: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title, self._words = title, ""
        self._wanted: bool | None = None
        """Whether the hand has opened or closed it; None while nobody has."""
        self.head = QToolButton(autoRaise=True)
        self.head.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.head.setToolTip(tip)
        self.head.setAccessibleName(title)
        self.head.setAccessibleDescription(tip)
        self.head.clicked.connect(self._turn)
        self.note = QLabel(wordWrap=True)
        self.note.setObjectName("note")
        self.form = ParameterForm()
        self._inner = QWidget()
        inner = QVBoxLayout(self._inner)
        inner.setContentsMargins(14, 0, 0, 0)
        inner.setSpacing(2)
        inner.addWidget(self.note)
        inner.addWidget(self.form)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.head)
        layout.addWidget(self._inner)
        self.note.hide()
        self._show()

    @property
    def open(self) -> bool:
        """Whether the form is to be seen."""
        return bool(self._words) if self._wanted is None else self._wanted

    def show_values(self, owner: Declared, n: int, classes: Classes, words: str, note: str = "") -> None:
        """Show the parameters of `owner`.

        `words` say what is in force, "" where nothing is; a `note` says what there is to know before it is changed.
        """
        self.form.show_values(owner, n, classes)
        if (words, note) == (self._words, self.note.text()):
            return
        self._words = words
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self._show()

    def _turn(self) -> None:
        self._wanted = not self.open
        self._show()

    def _show(self) -> None:
        shown = self.open
        self.head.setArrowType(Qt.ArrowType.DownArrow if shown else Qt.ArrowType.RightArrow)
        self.head.setText(self._title if shown or not self._words else f"{self._title}: {self._words}")
        self._inner.setVisible(shown)
