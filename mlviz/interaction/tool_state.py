"""The hand: which tool it holds, the class it draws, how wide its brush is, and what it has selected. No Qt."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlviz.data.dataset import KEYED_CLASSES, Dataset

Rows = NDArray[np.intp]
Place = tuple[float, float]

RADII = (4.0, 200.0)
"""The narrowest and the widest brush, logical pixels."""


class ToolState:
    """Shared by all canvases of a window; `listen` is told of every change, `follow` of the cursor's.

    The selection belongs to one data set: it is empty for any other, so that no edit from elsewhere (undo, a preset)
    can leave it pointing at the wrong samples.
    """

    def __init__(self) -> None:
        self._tool = "pen"
        self._code = 0
        self._radius = 24.0
        self._cursor: Place | None = None
        self._selected: Rows = np.empty(0, dtype=np.intp)
        self._selected_in = ""
        self._pinned = False
        self._listeners: list[Callable[[], None]] = []
        self._followers: list[Callable[[], None]] = []

    def listen(self, listener: Callable[[], None]) -> None:
        """Call `listener()` after every change of tool, class, radius, pin or selection."""
        self._listeners.append(listener)

    def follow(self, follower: Callable[[], None]) -> None:
        """Call `follower()` whenever the cursor moves: far more often than anything else changes."""
        self._followers.append(follower)

    @property
    def tool(self) -> str:
        """The id of the active tool."""
        return self._tool

    @tool.setter
    def tool(self, tool: str) -> None:
        if tool != self._tool:
            self._tool = tool
            self._tell()

    @property
    def code(self) -> int:
        """The active class: the code that a click adds."""
        return self._code

    @code.setter
    def code(self, code: int) -> None:
        if not 0 <= code < KEYED_CLASSES:
            raise ValueError(f"a class code is 0 to {KEYED_CLASSES - 1}, not {code}")
        if code != self._code:
            self._code = code
            self._tell()

    @property
    def next_code(self) -> int:
        """The class after the active one; the first after the last."""
        return (self._code + 1) % KEYED_CLASSES

    @property
    def radius(self) -> float:
        """The radius of the brush, eraser and relabel brush, logical pixels."""
        return self._radius

    @radius.setter
    def radius(self, radius: float) -> None:
        radius = min(max(radius, RADII[0]), RADII[1])
        if radius != self._radius:
            self._radius = radius
            self._tell()

    @property
    def pinned(self) -> bool:
        """Whether the probe stays where it is instead of following the cursor."""
        return self._pinned

    @pinned.setter
    def pinned(self, pinned: bool) -> None:
        if pinned != self._pinned:
            self._pinned = pinned
            self._tell()

    @property
    def cursor(self) -> Place | None:
        """The place under the mouse, shared by the canvases; None when it is elsewhere."""
        return self._cursor

    @cursor.setter
    def cursor(self, place: Place | None) -> None:
        if place != self._cursor:
            self._cursor = place
            for follower in self._followers:
                follower()

    def selection(self, dataset: Dataset) -> Rows:
        """The selected rows of that data set, ascending; empty unless it is the one they were selected in."""
        return self._selected if dataset.key == self._selected_in else np.empty(0, dtype=np.intp)

    def select(self, rows: ArrayLike, dataset: Dataset) -> None:
        """Select these rows of that data set instead."""
        self._selected = np.unique(np.asarray(rows, dtype=np.intp))
        self._selected_in = dataset.key
        self._tell()

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()
