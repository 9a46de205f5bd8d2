"""What stands under a head that opens and closes it: a widget, or a small group of parameters."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from mlviz.spec import Declared
from mlviz.ui.controls.class_control import Classes
from mlviz.ui.controls.form import ParameterForm
from mlviz.ui.widgets.parts import lay_out, named, note


class Fold(QWidget):
    """A head that opens and closes what is below it. Closed, it says in a few words what is in force.

    While nobody has turned it, it is open where something is in force, unless it is to be `closed` then too.
    """

    def __init__(self, title: str, tip: str, inner: QWidget, closed: bool = False) -> None:
        super().__init__()
        self._title, self._inner, self._words, self._usual = title, inner, "", ""
        self._wanted: bool | None = False if closed else None
        """Whether the hand has opened or closed it; None while nobody has."""
        beside = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        self.head = named(QToolButton(autoRaise=True, toolButtonStyle=beside), title, tip, tip)
        self.head.clicked.connect(self._turn)
        lay_out(QVBoxLayout(self), self.head, inner, spacing=2)
        self.show_words("")

    def show_words(self, words: str, usual: str = "") -> None:
        """Show what is in force, "" where nothing is; `usual` says what that is."""
        self._words, self._usual = words, usual
        opened = bool(words) if self._wanted is None else self._wanted
        self.head.setArrowType(Qt.ArrowType.DownArrow if opened else Qt.ArrowType.RightArrow)
        told = "" if opened else words or usual
        self.head.setText(f"{self._title}: {told}" if told else self._title)
        self._inner.setVisible(opened)

    def open(self) -> None:
        """Open it, whatever is in force."""
        if self._inner.isHidden():
            self._turn()

    def _turn(self) -> None:
        self._wanted = self._inner.isHidden()
        self.show_words(self._words, self._usual)


class CollapsibleForm(Fold):
    """A form that is closed while its values change nothing."""

    def __init__(self, title: str, tip: str, closed: bool = False) -> None:
        inner = QWidget()
        super().__init__(title, tip, inner, closed)
        self.note = note()
        self.form = ParameterForm()
        lay_out(QVBoxLayout(inner), self.note, self.form, margins=(14, 0, 0, 0), spacing=2)
        self.note.hide()

    def show_values(
        self,
        owner: Declared,
        n: int,
        classes: Classes,
        words: str,
        note: str = "",
        among: Collection[str] | None = None,
    ) -> None:
        """Show the parameters of `owner`, or those `among` them.

        `words` say what is in force, "" where nothing is; a `note` says what there is to know before it is changed.
        """
        self.form.show_values(owner, n, classes, among=among)
        if (words, note) != (self._words, self.note.text()):
            self.note.setText(note)
            self.note.setVisible(bool(note))
            self.show_words(words)
