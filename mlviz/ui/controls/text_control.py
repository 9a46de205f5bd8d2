"""A declared text in a language of its own, as a control: a line, and a slider for each number in it."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget

from mlviz.draw.numbers import typographic
from mlviz.spec import BadValue, NumberInText, Parameter
from mlviz.spec.sentences import sentence
from mlviz.ui.controls.number_control import NumberRow, NumberRows, format_value
from mlviz.ui.widgets.parts import lay_out, named, note, plain_label


class _TextLine(QLineEdit):
    """A line of text that gives undo to the window while nothing is being typed, and Escape to what was there."""

    given_up = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def event(self, event: QEvent) -> bool:
        """Undo means the program's undo, which knows every value that was in force."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            undoing = event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)
            giving_up = event.key() == Qt.Key.Key_Escape and self.isModified()
            if undoing or giving_up:
                event.setAccepted(giving_up)
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape gives up what was typed; the window hears of it too."""
        if event.key() == Qt.Key.Key_Escape and self.isModified():
            self.given_up.emit()
            event.ignore()
        else:
            super().keyPressEvent(event)


class TextControl(NumberRows):
    """A line of text, and a slider with an exact field for each number in it.

    A text that is not in the language stays in the line, with the sentence about it below; the last good one is in
    force until then.
    """

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parameter = parameter
        self._value: str = parameter.default
        self._numbers: tuple[NumberInText, ...] = ()
        self.line = named(_TextLine(), parameter.label, description=parameter.help)
        self.line.setPlaceholderText(parameter.empty)
        self.problem = named(note("problem"), f"What is wrong with {parameter.label}")
        lay_out(self._layout, self.line, self.problem)
        self.setFocusProxy(self.line)
        self.setFocusPolicy(self.line.focusPolicy())
        self.line.textEdited.connect(self._typed)
        self.line.given_up.connect(lambda: self._show(self._value))
        self._show(self._value)

    def show_value(self, value: Any) -> None:
        """Show a value; nothing is emitted. A text being typed stays while the value in force is the same."""
        if value != self._value or not self.line.isModified():
            self._show(value)

    def _show(self, value: str) -> None:
        if value != self.line.text():
            self.line.setText(value)
            self.line.setCursorPosition(0)
        self.line.setModified(False)
        self._accept(value)

    def _accept(self, value: str) -> None:
        self._value = value
        self.problem.hide()
        self._show_numbers(() if self._parameter.numbers is None else self._parameter.numbers(value))

    def _typed(self, text: str) -> None:
        try:
            value = self._parameter.check(text)
        except BadValue as problem:
            self.problem.setText(typographic(sentence(str(problem))))
            self.problem.show()
            return
        changed = value != self._value
        self._accept(value)
        if changed:
            self.moved.emit(value)

    def _show_numbers(self, numbers: tuple[NumberInText, ...]) -> None:
        def kinds(found: tuple[NumberInText, ...]) -> list[NumberInText]:
            return [dataclasses.replace(number, start=0, stop=0, value=0.0) for number in found]

        if kinds(numbers) != kinds(self._numbers):
            self._build([self._row(place, number) for place, number in enumerate(numbers)], self.line)
        self._numbers = numbers
        for control, number in zip(self.sliders, numbers, strict=True):
            control.show_value(int(number.value) if number.whole else number.value)

    def _row(self, place: int, number: NumberInText) -> NumberRow:
        # A slider of the usual kind; what is valid in the text its language knows.
        parameter = Parameter(
            name=number.label,
            kind="integer" if number.whole else "real",
            default=number.value,
            help=self._parameter.help,
            label=number.label,
            soft=number.soft,
            valid=(0.0 if number.log else None, None),
            open_low=number.log,
            log=number.log,
        )
        return plain_label(number.label), parameter, partial(self._rewrite, place)

    def _rewrite(self, place: int, value: int | float) -> None:
        """Put another number in its place in the text."""
        number = self._numbers[place]
        text = f"{self._value[: number.start]}{format_value(value)}{self._value[number.stop :]}"
        try:
            changed = self._parameter.check(text)
        except BadValue as problem:
            self.refused.emit(typographic(sentence(str(problem))))
            self._show(self._value)
            return
        self._show(changed)
        self.moved.emit(changed)
