"""The hand: which tool it holds, the class it draws, how wide its brush is, and what it has selected. No Qt."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from mlviz.data.dataset import KEYED_CLASSES, Dataset
from mlviz.numerics.arrays import Rows
from mlviz.scene.notes import INKS, Ink, Note

Place = tuple[float, float]
Value = TypeVar("Value")

_RADII = (4.0, 200.0)
"""The narrowest and the widest brush, logical pixels."""


class _ToldAttribute(Generic[Value]):
    """An attribute of the hand: whoever `listeners` names is told when it has another value."""

    def __init__(self, first: Value, listeners: str, admit: Callable[[Value], Value] = lambda value: value) -> None:
        """`admit` gives the value to be taken for one that is set, or raises."""
        self._first, self._listeners, self._admit = first, listeners, admit

    def __set_name__(self, owner: type[ToolState], name: str) -> None:
        self._name = f"_{name}"

    def __get__(self, hand: ToolState, owner: type[ToolState]) -> Value:
        value: Value = hand.__dict__.get(self._name, self._first)
        return value

    def __set__(self, hand: ToolState, value: Value) -> None:
        admitted = self._admit(value)
        if admitted != self.__get__(hand, type(hand)):
            hand.__dict__[self._name] = admitted
            for listener in getattr(hand, self._listeners):
                listener()


def _keyed(code: int) -> int:
    if not 0 <= code < KEYED_CLASSES:
        raise ValueError(f"a class code is 0 to {KEYED_CLASSES - 1}, not {code}")
    return code


def _finite(value: float | None) -> float | None:
    if value is not None and not math.isfinite(value):
        raise ValueError(f"a value is a finite number, not {value}")
    return value


NOTE_TOOLS = ("text", "ink")
"""The tools that put something over the picture."""


@dataclass(frozen=True)
class Writing:
    """Words are being written at a place of a panel's canvas, in the place of an old note if there is one."""

    panel: int
    place: Place
    old: Note | None = None


class ToolState:
    """Shared by all canvases of a window; `listen` is told of every change, `follow` of the cursor's.

    The selection belongs to one data set: it is empty for any other, so that no edit from elsewhere (undo, a preset)
    can leave it pointing at the wrong samples.
    """

    tool = _ToldAttribute("pen", "_listeners")
    """The id of the active tool."""
    code = _ToldAttribute(0, "_listeners", _keyed)
    """The active class: the code that a click adds."""
    value = _ToldAttribute[float | None](None, "_listeners", _finite)
    """The value over the plane of a point that is clicked; None until one is chosen: the middle of the scale."""
    value_column: str | None = None
    """The column for which it was chosen: values of another one have another scale. None for any."""
    radius = _ToldAttribute(24.0, "_listeners", lambda radius: min(max(radius, _RADII[0]), _RADII[1]))
    """The radius of the brush, eraser and relabel brush, logical pixels."""
    pinned = _ToldAttribute(False, "_listeners")
    """Whether the probe stays where it is instead of following the cursor."""
    cursor = _ToldAttribute[Place | None](None, "_followers")
    """The place under the mouse, shared by the canvases; None when it is elsewhere."""

    ink = _ToldAttribute[Ink](INKS[0], "_listeners")
    """The ink of texts and pen."""
    note = _ToldAttribute[Note | None](None, "_listeners")
    """The note that is selected."""
    writing = _ToldAttribute[Writing | None](None, "_listeners")
    """Where words are being written; None where none are."""
    refusal = _ToldAttribute("", "_listeners")
    """A sentence on why the last gesture has done nothing; empty where it has done something."""

    def __init__(self) -> None:
        self._selected: Rows = np.empty(0, dtype=np.intp)
        self._selected_in = ""
        self._pointed: tuple[Rows, str] = self._selected, ""
        self._listeners: list[Callable[[], None]] = []
        self._followers: list[Callable[[], None]] = []

    def listen(self, listener: Callable[[], None]) -> None:
        """Call `listener()` after every change of tool, class, radius, pin or selection."""
        self._listeners.append(listener)

    def follow(self, follower: Callable[[], None]) -> None:
        """Call `follower()` whenever the cursor moves: far more often than anything else changes."""
        self._followers.append(follower)

    def next_code(self, dataset: Dataset) -> int:
        """The class after the active one of those that have points, the first after the last.

        Where fewer than two have points, the first two count as well: no click makes a third class by accident.
        """
        codes: set[int] = set(np.unique(dataset.labels).tolist())
        others = (codes if len(codes) > 1 else codes | {0, 1}) - {self.code}
        return min(others, key=lambda code: (code < self.code, code))

    def selection(self, dataset: Dataset) -> Rows:
        """The selected rows of that data set, ascending; empty unless it is the one they were selected in."""
        return self._selected if dataset.key == self._selected_in else np.empty(0, dtype=np.intp)

    def pointed(self, dataset: Dataset) -> Rows:
        """The rows of that data set that a side plot is pointed at for, ascending; empty for any other data set."""
        rows, key = self._pointed
        return rows if dataset.key == key else np.empty(0, dtype=np.intp)

    def point_at(self, rows: ArrayLike, dataset: Dataset) -> None:
        """Point at these rows of that data set instead."""
        self._pointed = np.unique(np.asarray(rows, dtype=np.intp)), dataset.key
        for follower in self._followers:
            follower()

    def let_go(self, dataset: Dataset) -> bool:
        """Let go of one thing: the selected note, a tool that writes, selected samples; whether there was anything."""
        if self.note is not None:
            self.note = None
        elif self.tool in NOTE_TOOLS:
            self.tool = "pen"
        elif len(self.selection(dataset)):
            self.select((), dataset)
        else:
            return False
        return True

    def select(self, rows: ArrayLike, dataset: Dataset) -> None:
        """Select these rows of that data set instead."""
        self._selected = np.unique(np.asarray(rows, dtype=np.intp))
        self._selected_in = dataset.key
        for listener in self._listeners:
            listener()
