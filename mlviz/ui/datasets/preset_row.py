"""Data at one click: small pictures on the empty canvas."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from mlviz.data.generators.catalog import generators
from mlviz.ui.datasets.generator_list import SIZE, thumbnail
from mlviz.ui.widgets.parts import lay_out, tool_button

PRESETS = ("blobs", "two-gaussians", "moons", "circles", "spirals", "xor", "checkerboard", "linear", "sine", "step")
"""The generators offered, by id."""
_GAP = 2
_HEIGHT = 0.7
"""Where the middle of the row is, as a share of the height: below the words on an empty canvas, above its axis."""
_BESIDE = 70
"""Room left and right of the row, pixels."""


class PresetRow(QWidget):
    """A button for each preset, in the lower part of its parent."""

    def __init__(self, parent: QWidget, choose: Callable[[str], None]) -> None:
        super().__init__(parent)
        self._under = parent
        self.buttons: dict[str, QToolButton] = {}
        for name in PRESETS:
            kind = generators()[name]
            what = f"Draw {kind.label}"
            button = tool_button(kind.label, what, f"{what}\n{kind.about()}", partial(choose, name))
            button.setAutoRaise(True)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
            button.setIconSize(QSize(SIZE, SIZE))
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self.buttons[name] = button
        lay_out(QHBoxLayout(self), *self.buttons.values(), spacing=_GAP)
        parent.installEventFilter(self)

    def show_icons(self, theme: str) -> None:
        """Take the small pictures of a theme."""
        for name, button in self.buttons.items():
            button.setIcon(thumbnail(name, theme))
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep its place when the parent changes its size, and stay on top of what is added to it."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._place()
        return False

    def _place(self) -> None:
        """In the middle, with as many buttons as there is room for."""
        parent, room = self._under, self._under.width() - 2 * _BESIDE
        for button in self.buttons.values():
            room -= button.sizeHint().width() + _GAP
            button.setVisible(room >= 0)
        self.adjustSize()
        self.move((parent.width() - self.width()) // 2, round(_HEIGHT * parent.height() - self.height() / 2))
        self.raise_()
