"""Which seed the random numbers of a picture come from, and a button for the next one."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from mlviz.draw.numbers import typographic
from mlviz.scene.chance import owes_to_chance
from mlviz.scene.scene import Scene
from mlviz.ui.widgets.parts import lay_out, plain_label, tool_button

_TIP = (
    "Take the next seed: what is left to chance, such as where centres start, which sample comes next, which functions "
    "are drawn or into which folds samples are dealt, comes out differently."
)


class SeedRow(QWidget):
    """Shown where the picture owes something to chance."""

    pressed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._seed = plain_label()
        self.button = tool_button("Another start", "Another start", _TIP, self.pressed.emit)
        lay_out(QHBoxLayout(self), (self._seed, 1), self.button)

    def show_seed(self, scene: Scene, index: int) -> None:
        """Show the seed of the scene, if the picture of panel `index` depends on it."""
        self.setVisible(owes_to_chance(scene, index))
        self._seed.setText(typographic(f"seed {scene.seed}"))
