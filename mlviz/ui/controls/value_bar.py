"""The value of a point in the toolbar, where points have values: a slider, an exact field, and the colour they give."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from mlviz.interaction.tool_state import ToolState
from mlviz.interaction.values import shown_value
from mlviz.scene.scene import Scene
from mlviz.scene.values import scale_of, value_column
from mlviz.spec import Parameter
from mlviz.spec.outside import shortened, told
from mlviz.ui.controls.number_control import NumberControl
from mlviz.ui.paint.samples import shaded_icon
from mlviz.ui.widgets.parts import as_tooltip, lay_out, plain_label

_ICON_PX = 24
_SLIDER_PX, _NAME_PX = 110, 56
_HELP = "the value of the points that are clicked and painted, and of the selected ones"
_TIP = (
    "The value of new points, and of the selected ones.\nDigits choose it too: 1 the low end of the scale, 9 the high."
)


class ValueBar(QWidget):
    """Follows the hand; `choose(value, held)` is called with what is set, `released` when the slider is let go."""

    def __init__(self, choose: Callable[[float, bool], object], released: Callable[[], object]) -> None:
        super().__init__()
        self._theme = ""
        self._shown: tuple[object, ...] = ()
        self._parameter = Parameter("value", "real", 0.0, _HELP, "value", (-1.0, 1.0))
        self.sign = plain_label(indent=0)
        self.name = plain_label()
        self.control = NumberControl(self._parameter)
        self.control.slider.setFixedWidth(_SLIDER_PX)
        self.name.setBuddy(self.control.field)
        for part in (self, self.control.slider, self.control.field):
            part.setToolTip(as_tooltip(_TIP))
        lay_out(QHBoxLayout(self), self.sign, self.name, self.control, spacing=4).addStretch(1)
        self.control.moved.connect(lambda value: choose(value, self.held))
        self.control.released.connect(released)

    @property
    def held(self) -> bool:
        """Whether the hand holds the slider."""
        return self.control.slider.isSliderDown()

    def show_value(self, scene: Scene, hand: ToolState, index: int) -> bool:
        """Show the value of the hand, or of what is selected; whether points have values at all."""
        name, value = value_column(scene, index), shown_value(scene, hand, index)
        if name is None or value is None or name not in scene.dataset.columns:
            return False
        scale = scale_of(scene.dataset, name)
        shown = name, value, scale, self._theme, self.held
        # While the slider is held its ends stay: they are not to move away from the hand.
        if shown != self._shown and self._theme:
            self._shown = shown
            if not self.held:
                self.control.set_soft((scale.low, scale.high))
                self.control.show_value(value)
            elided = Qt.TextElideMode.ElideRight
            self.name.setText(self.name.fontMetrics().elidedText(shortened(name), elided, _NAME_PX))
            self.setAccessibleName(f"{told(name)} of new points")
            self.sign.setPixmap(shaded_icon(int(scale.shades(value)), self._theme).pixmap(_ICON_PX, _ICON_PX))
        return True

    def show_icons(self, theme: str) -> None:
        """Take the colours of a theme."""
        self._theme = theme
