"""Declared parameters -> a form: the window knows no parameter by name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSlider, QVBoxLayout, QWidget

from mlviz.draw.numbers import typographic
from mlviz.scene.comparing import can_compare
from mlviz.spec import Declared, Parameter
from mlviz.ui.controls.class_control import Classes, ClassesControl
from mlviz.ui.controls.number_control import ChoiceControl, FlagControl, GradualControl, NumberControl
from mlviz.ui.controls.pins import PINNABLE, PinButton, Pins
from mlviz.ui.controls.text_control import TextControl
from mlviz.ui.widgets.parts import add_entry, as_tooltip, lay_out, note, plain_label

Control = GradualControl | ChoiceControl | FlagControl


_CONTROLS: dict[str, Callable[[Parameter], Control]] = {
    "choice": ChoiceControl,
    "flag": FlagControl,
    "text": TextControl,
    "per class": ClassesControl,
}
"""The control for a kind of parameter; all others are numbers."""

_COMPARE_TIP = "\nRight click: compare its values, each in a canvas of its own."
_COMPARE_ENTRIES = (
    ("Compare in &six canvases", "One canvas for each of several values over the whole slider, at once.", False),
    ("Compare &values...", "Choose the values first.", True),
)
"""Entry, tip, and whether the hand is asked for values."""
_ANIMATE_TIP = "\nIt can be animated, too."
_ANIMATE_ENTRY = "&Animate", "Play it up and down its slider, at the speed of the playback, until Escape stops it."


def control_of(parameter: Parameter) -> Control:
    """A control for the parameter."""
    return _CONTROLS.get(parameter.kind, NumberControl)(parameter)


class _Row(QWidget):
    """Label, control and the equivalent in the other convention, one below the other; a pin where it can be pinned.

    A right click offers to compare values, or to play them.
    """

    animated = Signal()
    """Its values are to be played, up and down the slider."""

    compared = Signal(bool)
    """Its values are to be laid out in several canvases; whether the hand is to choose them first."""

    def __init__(
        self, parameter: Parameter, pins: Pins | None, comparable: bool, made: Callable[[_Row], object]
    ) -> None:
        """`made` hears of it when the control is made: when it is first seen or asked for, for many never are."""
        super().__init__()
        self.parameter = parameter
        self._pins, self._made = pins, made
        self._comparable = comparable and can_compare(parameter)
        self._control: Control | None = None
        self.note = None if parameter.equivalent is None else note()
        """The equivalent in the other convention, where there is one."""
        allowed = "" if parameter.kind == "text" else f"\n{typographic(parameter.range_text()).capitalize()}."
        self._plays = pins is not None and parameter.kind in ("integer", "real")
        how = (_COMPARE_TIP if self._comparable else "") + (_ANIMATE_TIP if self._plays else "")
        self.setToolTip(as_tooltip(f"{parameter.help}{allowed}{how}"))

    @property
    def is_made(self) -> bool:
        """Whether there is a control yet."""
        return self._control is not None

    @property
    def control(self) -> Control:
        """What the parameter is set by."""
        return self._control or self.make()

    def make(self) -> Control:
        """Make the control, which there is none of yet."""
        self._control = control_of(self.parameter)
        self._lay_out(self._control)
        self._made(self)
        return self._control

    def _lay_out(self, control: Control) -> None:
        pin = [] if self._pins is None else [PinButton(self._pins, self.parameter.name, self.parameter.label)]
        layout = lay_out(QVBoxLayout(self), margins=(0, 0, 0, 4), spacing=1)
        label = plain_label(self.parameter.label)
        label.setBuddy(control)
        if isinstance(control, ClassesControl):
            layout.addWidget(control)
        elif isinstance(control, FlagControl):
            lay_out(layout, lay_out(QHBoxLayout(), (control, 1), *pin), margins=None)
        elif isinstance(control, GradualControl):  # a slider wants the whole width
            lay_out(layout, lay_out(QHBoxLayout(), (label, 1), *pin), control, margins=None)
        else:  # a short list of names leaves room for its label
            lay_out(layout, lay_out(QHBoxLayout(), (label, 2), (control, 3), *pin, spacing=8), margins=None)
        if self.note is not None:
            layout.addWidget(self.note)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer to compare values, and to play them."""
        if self._comparable or self._plays:
            menu = QMenu(self, toolTipsVisible=True)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            for text, tip, ask in _COMPARE_ENTRIES if self._comparable else ():
                add_entry(menu, text, tip, partial(self.compared.emit, ask))
            if self._plays:
                add_entry(menu, *_ANIMATE_ENTRY, self.animated.emit)
            menu.popup(event.globalPos())


def _in_the_other_convention(owner: Declared, parameter: Parameter, n: int, pairs: tuple[int, ...]) -> str:
    if parameter.equivalent is None or n == 0:
        return ""
    usual = parameter.equivalent(owner, n)
    told = {m: parameter.equivalent(owner, m) for m in pairs}
    if all(words == usual for words in told.values()):
        return usual
    return "\n".join(f"{words} for a pair of {m:,} samples" for m, words in told.items())


class ParameterForm(QWidget):
    """A control for each declared parameter; those that have no effect just now are not shown.

    `moved(name, value)` says that a control was moved by hand; `released` that the hand let go, after a choice at once;
    keys and wheel never do. `refused` carries the sentence about a typed value that can't be taken. `compared(name,
    ask)` says that values of a parameter are to be compared, and whether the hand is to choose them; `animated(name)`
    that it is to be played.
    """

    moved = Signal(str, object)
    released = Signal()
    refused = Signal(str)
    compared = Signal(str, bool)
    animated = Signal(str)

    def __init__(self, pins: Pins | None = None, parent: QWidget | None = None) -> None:
        """With `pins`, there is a pin beside each control of one line."""
        super().__init__(parent)
        self._pins = pins
        self._shown: tuple[Declared, tuple[int, ...], Classes, Collection[str] | None] | None = None
        self._told: tuple[Declared, int, Classes, tuple[int, ...]] | None = None
        """Whose values are shown, of a fit on how many samples, of which classes and pairs of them."""
        self._counted = self._of_classes = False
        self.comparable = False
        """Whether a right click offers to lay values out in several canvases."""
        self._choices: Mapping[str, tuple[str, ...]] = {}
        self.rows: dict[str, _Row] = {}
        """Label and control of each parameter that is set here."""
        self._none = note("note", "There is nothing to set: the samples alone decide.")
        self._none.hide()
        self._layout = lay_out(QVBoxLayout(self), self._none, spacing=2)

    def offer(self, choices: Mapping[str, tuple[str, ...]]) -> None:
        """Offer a list of words in the place of a line for texts, by their names; an empty text means the first."""
        if choices != self._choices:
            self._choices, self._shown = choices, None

    def show_values(
        self,
        owner: Declared,
        n: int,
        classes: Classes = (),
        pairs: tuple[int, ...] = (),
        among: Collection[str] | None = None,
    ) -> None:
        """Show the parameters of `owner`, or those `among` them; `classes` are for what each class has.

        The equivalents are those of a fit on n samples, or on so many as the smallest and the largest of the `pairs` of
        classes have, where each pair has a model of its own.
        """
        if self._shown is None or type(owner) is not type(self._shown[0]):
            self._build(owner)
        shown = owner, (n, *pairs) if self._counted else (), tuple(classes) if self._of_classes else (), among
        if shown == self._shown:
            return
        self._shown, self._told = shown, (owner, n, classes, pairs)
        for row in self.rows.values():
            seen = owner.matters(row.parameter) and (among is None or row.parameter.name in among)
            if row.is_made:
                self._show_value(row)
            elif seen:
                row.make()
            row.setVisible(seen)

    def _show_value(self, row: _Row) -> None:
        assert self._told is not None
        (owner, n, classes, pairs), control = self._told, row.control
        if isinstance(control, ClassesControl):
            control.show_classes(classes)
        value, options = getattr(owner, row.parameter.name), self._choices.get(row.parameter.name)
        control.show_value(options[0] if options and value == "" else value)
        if row.note is not None:
            words = _in_the_other_convention(owner, row.parameter, n, pairs)
            row.note.setText(typographic(words))
            row.note.setVisible(bool(words))

    @property
    def held(self) -> bool:
        """Whether a slider is being dragged."""
        return any(slider.isSliderDown() for slider in self.findChildren(QSlider))

    def _build(self, owner: Declared) -> None:
        self._counted = any(parameter.equivalent is not None for parameter in owner.parameters())
        self._of_classes = any(parameter.kind == "per class" for parameter in owner.parameters())
        for row in self.rows.values():
            row.hide()
            row.deleteLater()
        self.rows = {}
        self._none.setVisible(not owner.parameters())
        for parameter in owner.parameters():
            if options := self._choices.get(parameter.name):
                parameter = replace(parameter, kind="choice", options=options)
            pins = self._pins if parameter.kind in PINNABLE else None
            row = _Row(parameter, pins, self.comparable, self._made)
            self.rows[parameter.name] = row
            self._layout.addWidget(row)
            row.compared.connect(partial(self.compared.emit, parameter.name))
            row.animated.connect(partial(self.animated.emit, parameter.name))

    def _made(self, row: _Row) -> None:
        """Listen to the control of a row that has one now, and show its value."""
        control = row.control
        self._show_value(row)
        control.moved.connect(partial(self._moved, row))
        if isinstance(control, GradualControl):
            control.released.connect(self.released)
            control.refused.connect(self.refused)
        # Where Tab goes is settled by age otherwise, and this is younger than what stands below the form.
        QWidget.setTabOrder(self._stop_before(row), control)

    def _stop_before(self, row: _Row) -> QWidget:
        """Where Tab stops before it comes to a row."""
        made = [other for other in self.rows.values() if other.is_made]
        at = made.index(row)
        if at > 0:
            return made[at - 1].control
        start = made[1].control if len(made) > 1 else self
        widget = start.previousInFocusChain() or start
        while widget is not start and not widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            widget = widget.previousInFocusChain() or start
        return widget

    def _moved(self, row: _Row, value: Any) -> None:
        self.moved.emit(row.parameter.name, value)
        if not isinstance(row.control, GradualControl):
            self.released.emit()
