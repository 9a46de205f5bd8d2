"""A small group of parameters under a head that opens and closes it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from mlviz.spec import Declared
from mlviz.ui.controls.class_control import Classes
from mlviz.ui.controls.form import ParameterForm
from mlviz.ui.widgets.parts import lay_out, named, note


class CollapsibleForm(QWidget):
    """A form that is closed while its values change nothing; the head opens it, and closes it again.

    Closed, the head says in a few words what is in force.
    """

    def __init__(self, title: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title, self._words = title, ""
        self._wanted: bool | None = None
        """Whether the hand has opened or closed it; None while nobody has."""
        beside = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        self.head = named(QToolButton(autoRaise=True, toolButtonStyle=beside), title, tip, tip)
        self.head.clicked.connect(self._turn)
        self.note = note()
        self.form = ParameterForm()
        self._inner = QWidget()
        lay_out(QVBoxLayout(self._inner), self.note, self.form, margins=(14, 0, 0, 0), spacing=2)
        lay_out(QVBoxLayout(self), self.head, self._inner, spacing=2)
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
