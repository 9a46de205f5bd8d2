"""Which values of a hyperparameter are compared: a list that can be edited before there is a canvas for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtWidgets import QDialog, QLineEdit, QVBoxLayout, QWidget

from mlviz.draw.numbers import plain, typographic
from mlviz.scene.comparing import listed, parsed
from mlviz.scene.scene import MAX_PANELS
from mlviz.spec import BadValue, Parameter
from mlviz.spec.sentences import sentence
from mlviz.ui.widgets.parts import accept_or_cancel, lay_out, named, note, plain_label

_WIDTH = 380


class ValuesDialog(QDialog):
    """A line of values; what is wrong with them is said below it."""

    def __init__(self, parameter: Parameter, values: Sequence[Any], parent: QWidget) -> None:
        super().__init__(parent)
        self._parameter = parameter
        self.values = tuple(values)
        """The values, once they were accepted."""
        self.setWindowTitle(f"Compare {parameter.label}")
        what = f"2 to {MAX_PANELS} values of {parameter.label}: one canvas for each, in the place of the present ones."
        head = plain_label(what, wordWrap=True)
        names = parameter.kind == "choice"
        tip = f"Separated by {'semicolons' if names else 'commas, or by semicolons where a comma is the decimal sign'}."
        self.line = named(QLineEdit(listed(parameter, values)), f"Values of {parameter.label}", tip)
        head.setBuddy(self.line)
        self.problem = note("problem", "\n")
        allowed = note("note", f"{typographic(parameter.range_text()).capitalize()}. {tip}")
        buttons = accept_or_cancel(self, "Compare", "Make a canvas for each of the values.")
        lay_out(QVBoxLayout(self), head, self.line, allowed, self.problem, buttons, margins=None)
        self.setMinimumWidth(_WIDTH)
        self.line.selectAll()
        self.line.setFocus()

    def accept(self) -> None:
        """Take the values, if there can be a canvas for each."""
        try:
            self.values = parsed(self._parameter, plain(self.line.text()))
        except BadValue as error:
            self.problem.setText(typographic(sentence(str(error))))
            self.line.setFocus()
            return
        super().accept()
