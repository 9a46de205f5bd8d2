"""Several numbers of one parameter: a row for each, with its label before a slider and an exact field."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from mlviz.spec import Parameter
from mlviz.ui.controls.number_control import GradualControl, NumberControl
from mlviz.ui.widgets.parts import lay_out

_LABEL_PX = 84
"""Width of the label before a slider."""


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

    def held(self) -> bool:
        """Whether one of the sliders is being dragged."""
        return any(slider.held() for slider in self.sliders)

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
