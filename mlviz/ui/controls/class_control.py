"""A declared number for each class, as a control: a slider a class, with the class's symbol and name."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from mlviz.spec import Parameter
from mlviz.ui.controls.number_control import NumberControl, NumberRow, NumberRows, format_value
from mlviz.ui.paint.samples import class_icon
from mlviz.ui.widgets import theme
from mlviz.ui.widgets.parts import as_tooltip, lay_out, plain_label, tool_button

_SYMBOL = 18
"""Size of a class's symbol before its name, pixels."""
Classes = Sequence[tuple[int, str, int]]
"""Code, name and number in the palette of each class."""


class _ClassName(QWidget):
    """A class's symbol and name; a double click sets its number back."""

    def __init__(self, name: str, number: int, set_back: Callable[[], None]) -> None:
        super().__init__(toolTip=as_tooltip(f"{name}: a double click sets its number back."))
        self._number = number
        self._set_back = set_back
        self._symbol, self._name = plain_label(), plain_label()
        self._name.setText(self._name.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, 60))
        lay_out(QHBoxLayout(self), self._symbol, (self._name, 1), spacing=4)
        self.show_icon()

    def show_icon(self) -> None:
        """Take the symbol of the present theme."""
        self._symbol.setPixmap(class_icon(self._number, theme.shown()).pixmap(QSize(_SYMBOL, _SYMBOL)))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Set the number back."""
        self._set_back()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        if event.type() == QEvent.Type.PaletteChange:
            self.show_icon()
        super().changeEvent(event)


class ClassesControl(NumberRows):
    """A slider with an exact field for each class that there is; a button sets all of them back."""

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parameter = parameter
        self._value: tuple[float, ...] = ()
        self._classes: tuple[tuple[int, str, int], ...] = ()
        self.controls: dict[int, NumberControl] = {}
        self.names: dict[int, QWidget] = {}
        tip = f"All classes get {format_value(parameter.missing)} again."
        self.back = tool_button("set back", f"Set back {parameter.label}", tip, lambda: self._take(()))
        self.back.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._layout.addLayout(lay_out(QHBoxLayout(), (plain_label(parameter.label), 1), self.back))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setFocusProxy(self.back)

    def show_classes(self, classes: Classes) -> None:
        """Have a slider for each of these classes."""
        wanted = tuple(classes)
        if wanted != self._classes:
            self._classes = wanted
            self.names = {
                code: _ClassName(name, number, partial(self._set, code, self._parameter.missing))
                for code, name, number in wanted
            }
            self._build([self._row(code, name) for code, name, _ in wanted], self.back)
            self.controls = dict(zip(self.names, self.sliders, strict=True))
            self.show_value(self._value)

    def show_value(self, value: Any) -> None:
        """Show a value; nothing is emitted."""
        self._value = value
        self.back.setEnabled(bool(self._value))
        for code, control in self.controls.items():
            control.show_value(self._parameter.for_class(self._value, code))

    def _row(self, code: int, name: str) -> NumberRow:
        label, missing = f"{self._parameter.label}, {name}", self._parameter.missing
        parameter = dataclasses.replace(self._parameter, kind="real", default=missing, label=label)
        return self.names[code], parameter, partial(self._set, code)

    def _set(self, code: int, number: float) -> None:
        numbers = [self._parameter.for_class(self._value, k) for k in range(max(len(self._value), code + 1))]
        numbers[code] = number
        while numbers and numbers[-1] == self._parameter.missing:
            numbers.pop()
        self._take(tuple(numbers))

    def _take(self, value: tuple[float, ...]) -> None:
        changed = value != self._value
        self.show_value(value)
        if changed:
            self.moved.emit(value)
