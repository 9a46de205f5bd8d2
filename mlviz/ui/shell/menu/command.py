"""One thing that can be done in the window, and the menus where such things stand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QKeySequence

from mlviz.ui.shell.window_parts import WindowParts

MENUS = {
    "File": "&File",
    "Edit": "&Edit",
    "Data": "&Data",
    "View": "&View",
    "Study": "&Study",
    "Help": "&Help",
    "Edit/Tool": "&Tool",
    "Data/Training and test": "Trai&ning and test",
    "Edit/Active class": "Active c&lass or value",
    "Data/Break it": "&Break it",
    "View/Playback": "Pla&yback",
    "View/Main hyperparameter": "&Main hyperparameter",
    "View/Theme": "&Theme",
    "View/Compare": "&Compare",
}
"""The titles of the menus, each at its path."""


@dataclass(frozen=True)
class Command:
    """One thing that can be done.

    `menu` is a path such as "Edit/Active class"; a command with `line` has a line above it. The first of `keys` is the
    one shown. `enabled` and `checked` look at the window. `bare` marks keys that a remote clicker may send by itself:
    they rest in presentation mode.
    """

    id: str
    text: str
    menu: str
    tip: str
    run: Callable[[WindowParts], object]
    keys: tuple[str, ...] = ()
    icon: str | None = None
    line: bool = False
    toolbar: bool = False
    bare: bool = False
    enabled: Callable[[WindowParts], bool] | None = None
    checked: Callable[[WindowParts], bool] | None = None

    @property
    def name(self) -> str:
        """The text without the signs of a menu."""
        return self.text.replace("&", "").rstrip(".")

    @property
    def native_keys(self) -> list[str]:
        """The keys as the system writes them."""
        return [QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) for key in self.keys]
