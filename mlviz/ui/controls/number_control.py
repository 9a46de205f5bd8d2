"""One declared parameter as a control: a slider with an exact field, a chooser, or a switch."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable
from typing import Any

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QCheckBox, QComboBox, QHBoxLayout, QSlider, QVBoxLayout, QWidget

from mlviz.draw.numbers import plain, typographic
from mlviz.spec import BadValue, Parameter
from mlviz.spec.outside import quoted
from mlviz.spec.scale import Scale
from mlviz.spec.sentences import sentence
from mlviz.ui.widgets.parts import lay_out, named

_LABEL_PX = 84
"""Width of the label before a slider, where a parameter has several numbers."""


class _LetsWheelBy:
    """A control that the wheel moves only while it has the keyboard, so that scrolling past it changes nothing."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the scrolled page, unless the keyboard is here."""
        if self.hasFocus():  # type: ignore[attr-defined]
            super().wheelEvent(event)  # type: ignore[misc]
        else:
            event.ignore()


class FocusedSlider(_LetsWheelBy, QSlider):
    """A slider that lets the wheel go by.

    It takes the keyboard by Tab alone: after a move by the mouse the keys still belong to the canvas and the playback.
    """

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)


class FocusedCombo(_LetsWheelBy, QComboBox):
    """A chooser that lets the wheel go by."""

    def __init__(self, parent: QWidget | None = None) -> None:
        few_letters = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        super().__init__(parent, minimumContentsLength=6, sizeAdjustPolicy=few_letters)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)


class ExactField(_LetsWheelBy, QAbstractSpinBox):
    """A number typed as it is, with any precision; the arrows go to the next round value.

    Anything may be typed; when that is done, it is said what is wrong with it.
    """

    edited = Signal(object)
    """A new valid value was typed or stepped to."""
    refused = Signal(str)
    """What was typed can't be taken, and why."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__()
        self._parameter = parameter
        self.scale = Scale(parameter)
        """The values that the arrows go to."""
        self.value: Any = parameter.default
        """The value shown."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFixedWidth(84)
        self.editingFinished.connect(self._commit)

    def show_value(self, value: Any) -> None:
        """Show a value; nothing is emitted."""
        self.value = value
        self.lineEdit().setText(typographic(format_value(value)))

    def stepBy(self, steps: int) -> None:
        """Go to the next round value, as the arrow keys and buttons do."""
        self._take(self.scale.step(self.value, steps))

    def stepEnabled(self) -> QAbstractSpinBox.StepEnabledFlag:
        """Both arrows work; at an end of the valid range they change nothing."""
        return QAbstractSpinBox.StepEnabledFlag.StepUpEnabled | QAbstractSpinBox.StepEnabledFlag.StepDownEnabled

    def event(self, event: QEvent) -> bool:
        """Give undo and redo to the window while nothing is being typed."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            undoing = event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)
            if undoing and not self.lineEdit().isModified():
                # Nothing typed since the last value: undo means the program's undo.
                event.ignore()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape gives up what was typed; like Return, it is heard by the window too."""
        if event.key() == Qt.Key.Key_Escape:
            self.show_value(self.value)
            event.ignore()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select all, so that typing replaces the value."""
        super().focusInEvent(event)
        self.selectAll()

    def _commit(self) -> None:
        text = plain(self.lineEdit().text().strip())
        if text == format_value(self.value):
            return
        # A decimal comma is how many people write a number.
        try:
            value = self._parameter.parse(text.replace(",", "."))
        except BadValue:
            allowed = typographic(self._parameter.range_text())
            self.refused.emit(sentence(f"{self._parameter.label} is {allowed}; {quoted(text)} was not taken"))
            value = self.value
        self._take(value)

    def _take(self, value: Any) -> None:
        changed = value != self.value
        self.show_value(value)
        if changed:
            self.edited.emit(value)


class GradualControl(QWidget):
    """A control whose value goes through others on its way while the hand holds it."""

    moved = Signal(object)
    """The value under the hand."""
    released = Signal()
    """A slider was let go: the gesture is over."""
    refused = Signal(str)
    """What was typed can't be taken, and why."""

    def show_value(self, value: Any) -> None:
        """Show a value; nothing is emitted."""
        raise NotImplementedError


class NumberControl(GradualControl):
    """A slider over the soft range and an exact field for any valid value."""

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parameter = parameter
        self.field = ExactField(parameter)
        self.slider = FocusedSlider()
        self._graduate()
        for part, what in ((self.slider, "slider"), (self.field, "value")):
            named(part, f"{parameter.label}, {what}", description=parameter.help)
        lay_out(QHBoxLayout(self), (self.slider, 1), self.field)
        self.setFocusProxy(self.slider)
        # Tab heeds the order of a widget only where it takes the keyboard itself.
        self.setFocusPolicy(self.slider.focusPolicy())
        self.slider.valueChanged.connect(self._slid)
        self.slider.sliderReleased.connect(self.released)
        self.field.edited.connect(self.moved.emit)
        self.field.refused.connect(self.refused)

    def show_value(self, value: Any) -> None:
        """Show a value; nothing is emitted."""
        with QSignalBlocker(self.slider):
            self.slider.setValue(self.field.scale.tick(value))
        self.field.show_value(value)

    def set_soft(self, soft: tuple[float, float]) -> None:
        """Let the slider go over another range of a real number, where its unit depends on something else."""
        if soft != self._parameter.soft:
            self._parameter = dataclasses.replace(self._parameter, soft=soft)
            self.field.scale = Scale(self._parameter)
            self._graduate()
            self.show_value(self.field.value)

    def _graduate(self) -> None:
        """Give the slider as many positions as the scale has ticks."""
        ticks = self.field.scale.ticks
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, ticks)
        self.slider.setPageStep(max(1, ticks // 10))

    def _slid(self, tick: int) -> None:
        value = self.field.scale.value(tick)
        self.field.show_value(value)
        self.moved.emit(value)


NumberRow = tuple[QWidget, Parameter, Callable[[int | float], None]]
"""A number: what stands before its slider, what it may be, and who hears of it when it is moved."""


class NumberRows(GradualControl):
    """The base of controls with as many sliders as their value needs; their own parts stand above the rows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sliders: list[NumberControl] = []
        """In the order of the rows."""
        self._rows: list[QWidget] = []
        self._layout = lay_out(QVBoxLayout(self), spacing=2)

    def _build(self, rows: Iterable[NumberRow], before: QWidget) -> None:
        """Have these rows instead of those there are; Tab comes to them from `before`."""
        for gone in self._rows:
            gone.hide()
            gone.deleteLater()
        self._rows, self.sliders = [], []
        for label, parameter, moved in rows:
            slider = NumberControl(parameter)
            slider.moved.connect(moved)
            slider.released.connect(self.released)
            slider.refused.connect(self.refused)
            label.setFixedWidth(_LABEL_PX)
            self._rows.append(QWidget())
            lay_out(QHBoxLayout(self._rows[-1]), label, (slider, 1), spacing=6)
            self._layout.addWidget(self._rows[-1])
            QWidget.setTabOrder(before, slider)
            before = slider
            self.sliders.append(slider)


class ChoiceControl(FocusedCombo):
    """One of several names."""

    moved = Signal(object)

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        for option in parameter.options:
            self.addItem(parameter.shown(option), option)
        named(self, parameter.label, description=parameter.help)
        self.currentIndexChanged.connect(lambda index: self.moved.emit(self.itemData(index)))

    def show_value(self, value: Any) -> None:
        """Show a value; nothing is emitted."""
        with QSignalBlocker(self):
            self.setCurrentIndex(self.findData(value))


class FlagControl(QCheckBox):
    """A switch."""

    moved = Signal(object)

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parameter.label, parent)
        named(self, parameter.label, description=parameter.help)
        self.clicked.connect(lambda on: self.moved.emit(on))

    def show_value(self, value: Any) -> None:
        """Show a value; nothing is emitted."""
        self.setChecked(value)


def format_value(value: Any) -> str:
    """A number as it is shown: no more digits than it has."""
    if isinstance(value, int) or not math.isfinite(value):
        return str(value)
    short = f"{value:.6g}"
    return short if float(short) == value else repr(value)
