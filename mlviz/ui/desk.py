"""What the parts around the canvas work on, handed to each of them as one value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from mlviz.interaction.tool_state import ToolState
from mlviz.scene.history import Store
from mlviz.ui.paint.axes import Style
from mlviz.ui.widgets.preferences import Preferences


@dataclass(frozen=True)
class Desk:
    """The scene, the hand, the preferences, and how to be heard; no part finds another one through it.

    `style` answers how pictures are painted at present. `say` says a sentence in passing; `complain` says what went
    wrong and waits until it is read. Dialogs belong to `parent`.
    """

    store: Store
    hand: ToolState
    preferences: Preferences
    style: Callable[[], Style]
    say: Callable[[str], None]
    complain: Callable[[str], None]
    parent: QWidget
