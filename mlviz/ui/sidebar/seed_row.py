"""Which seed the random numbers of a fit come from, and a button for the next one."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from mlviz.draw.numbers import typographic
from mlviz.scene.scene import Scene
from mlviz.ui.widgets.parts import lay_out, plain_label, tool_button

_TIP = "What is left to chance, such as where centres start or which sample comes next, falls otherwise: the next seed."


class SeedRow(QWidget):
    """Shown where the method leaves something to chance."""

    pressed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._seed = plain_label()
        self.button = tool_button("Another start", "Another start", _TIP, self.pressed.emit)
        lay_out(QHBoxLayout(self), (self._seed, 1), self.button)

    def show_seed(self, scene: Scene, index: int) -> None:
        """Show the seed of the scene, if the method of panel `index` needs one."""
        algorithm = scene.panels[index].pipeline.algorithm
        self.setVisible(algorithm.traits.random(algorithm))
        self._seed.setText(typographic(f"seed {scene.seed}"))
