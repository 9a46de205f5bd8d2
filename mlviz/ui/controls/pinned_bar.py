"""The bar of a presentation: the controls of those hyperparameters that the lecturer has pinned."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from mlviz.algorithms import Algorithm
from mlviz.scene.history import Store
from mlviz.ui.controls.form import Control, control_of
from mlviz.ui.controls.number_control import GradualControl, NumberControl
from mlviz.ui.controls.pins import PINNABLE, Pins
from mlviz.ui.widgets.burst import Burst
from mlviz.ui.widgets.parts import enlarged_font, lay_out, plain_label

MOST = 4
"""So many have room beside each other."""
_HEIGHT = 44
"""It is as high whatever stands in it, pixels: the canvases above keep their place when the method changes."""
_FIELD = 112
"""Width of the number beside a slider, pixels."""


class PinnedBar(QWidget):
    """Label and control of each pinned hyperparameter that the method of the current canvas has."""

    refused = Signal(str)
    """A sentence about what can't be taken."""

    def __init__(self, store: Store, burst: Burst, pins: Pins) -> None:
        super().__init__(accessibleName="Pinned hyperparameters")
        self._store, self._burst, self._pins = store, burst, pins
        self._index = 0
        self._built: tuple[type[Algorithm], tuple[str, ...]] | None = None
        self._factor = 1.0
        self._parts: list[QWidget] = []
        self.controls: dict[str, Control] = {}
        """The controls, by the names of what they set."""
        self._layout = lay_out(QHBoxLayout(self), margins=(10, 2, 10, 2), spacing=8)
        self.setFixedHeight(_HEIGHT)
        self.hide()

    def show_panel(self, index: int) -> None:
        """Show what the method of panel `index` has of those that are pinned."""
        self._index = index
        if self.isHidden():
            return
        algorithm = self._store.scene.panels[index].pipeline.algorithm
        known = {p.name: p for p in algorithm.parameters() if p.kind in PINNABLE and algorithm.matters(p)}
        names = tuple(name for name in self._pins.names if name in known)[:MOST]
        if self._built != (type(algorithm), names):
            self._built = type(algorithm), names
            self._build(algorithm, names)
        for name, control in self.controls.items():
            control.show_value(getattr(algorithm, name))

    def enlarge(self, factor: float) -> None:
        """Show words and numbers so many times as large as usual."""
        self._factor, self._built = factor, None
        self.show_panel(self._index)

    def _build(self, algorithm: Algorithm, names: tuple[str, ...]) -> None:
        for gone in self._parts:
            gone.hide()
            gone.deleteLater()
        self._parts, self.controls = [], {}
        font = enlarged_font(self._factor)
        for name in names:
            parameter = algorithm.parameter(name)
            control = self.controls[name] = control_of(parameter)
            label = plain_label("" if parameter.kind == "flag" else parameter.label)
            parts: list[QWidget] = [label, control]
            if isinstance(control, NumberControl):
                control.field.setFixedWidth(_FIELD)
                parts.append(control.field)
            if isinstance(control, GradualControl):
                control.released.connect(self._burst.settle)
                control.refused.connect(self.refused)
            control.moved.connect(partial(self._moved, name))
            for part in parts:
                part.setFont(font)
            self._parts += [label, control]
            lay_out(self._layout, label, (control, 1), margins=None)

    def _moved(self, name: str, value: Any) -> None:
        control = self.controls[name]
        held = isinstance(control, NumberControl) and control.slider.isSliderDown()
        self._burst.set_value(self._index, f"algorithm.{name}", value, held)
        if not isinstance(control, GradualControl):
            self._burst.settle()
