"""What a canvas asks the model about: the place under the cursor, or the pinned one; and the line of the slice."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer

from mlviz.interaction.tool_state import Place, ToolState
from mlviz.ui.canvas.panel_view import PanelView
from mlviz.ui.paint.explanation_card import Pinned, pinned

_HOVER_MS = 16


class Probe:
    """Tells where the cursor is, at most once a frame; while the probe is pinned it rests."""

    def __init__(self, view: PanelView, hand: ToolState, hovered: Callable[[Place | None], None]) -> None:
        """`hovered` hears of the place under the cursor."""
        self._view, self._hand, self._hovered = view, hand, hovered
        self._soon = QTimer(view, singleShot=True, interval=_HOVER_MS)
        self._soon.timeout.connect(self._tell)

    @property
    def sliced(self) -> bool:
        """Whether there is a line of the slice, and its tool in the hand."""
        return self._hand.tool == "slice" and self._view.store.scene.view.slice is not None

    def hover(self, place: Place | None) -> None:
        """The cursor, the mouse's or the keyboard's, is at that place."""
        self._hand.cursor = place if self._view.axes.shared else None
        if not self._soon.isActive():
            self._soon.start()

    def tell(self) -> None:
        """Tell again where the cursor is: what is to be seen may have changed."""
        self._soon.start()

    def toggle_pin(self) -> None:
        """Keep the probe where the cursor is, in the middle where there is none, or let it follow the cursor again."""
        hand, store = self._hand, self._view.store
        hand.pinned = not hand.pinned
        if hand.pinned:
            x0, x1, y0, y1 = self._view.frame().limits
            store.look(store.scene.with_view(probe=hand.cursor or ((x0 + x1) / 2, (y0 + y1) / 2)))
        self.tell()

    def pinned(self) -> Pinned | None:
        """What is said about the pinned place; None where nothing is pinned."""
        return pinned(self._view.store.scene, self._view.picture) if self._hand.pinned else None

    def _tell(self) -> None:
        if not self._hand.pinned:
            self._hovered(self._hand.cursor)
