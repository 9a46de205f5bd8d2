"""Tour and hints in the window: made when they are wanted for the first time, and shown where nothing is in the way."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QRect, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QWidget

from mlviz.scene.change import Change
from mlviz.ui.canvas.common_legend import legend_told
from mlviz.ui.canvas.panel_grid import PanelGrid
from mlviz.ui.desk import Desk

_HINTS = "hints"
"""The name under which it is kept whether they are wanted."""
_REST_MS = 700
"""A hint comes when the hand and the pictures have been at rest for so long."""
_APART_MS = 20_000
"""The next one comes at least so long after it."""


class Guide(QObject):
    """Starts the tour, and looks for hints when the hand rests.

    Nothing of it lies on the way from a press to its picture: `rest` is started when a picture has been shown.
    """

    def __init__(
        self,
        desk: Desk,
        panels: PanelGrid,
        action: Callable[[str], QAction],
        written: Callable[[str], str],
        find: Callable[[str], tuple[QWidget, QRect]],
    ) -> None:
        """`action` answers the action of a command, `written` puts keys into words, `find` where a control is."""
        super().__init__(desk.parent)
        self._desk, self._panels = desk, panels
        self._action, self._written, self._find = action, written, find
        self._seen = desk.store.scene
        self._moved: set[str] = set()
        self.hinting = desk.preferences.kept(_HINTS) != "off"
        """Whether hints are wanted."""
        self.tour: Any = None
        self.line: Any = None
        """What shows tour and hints; None before they are needed."""
        self.rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self.rest.timeout.connect(self._look)
        self._pause = QTimer(self, singleShot=True, interval=_APART_MS)
        self._pause.timeout.connect(self._look)

    @property
    def touring(self) -> bool:
        """Whether the tour is on."""
        return self.tour is not None and not self.tour.isHidden()

    def start_tour(self) -> None:
        """Begin the tour, from its first step."""
        if self.tour is None:
            from mlviz.ui.guide.tour import Tour

            self.tour = Tour(self._desk, self._panels, self._action, self._written, self._find)
        self.hide_hint()
        self.tour.start()

    def leave_tour(self) -> bool:
        """Leave the tour; whether it was on."""
        was = self.touring
        if was:
            self.tour.leave()
        return was

    def toggle_hints(self) -> None:
        """Show hints from now on, or none."""
        self.hinting = not self.hinting
        self._desk.preferences.keep(_HINTS, "" if self.hinting else "off")
        self.hide_hint()

    def show_hints_again(self) -> None:
        """Show those again, too, that were shown, each at its time."""
        self._made_line().forget()
        self._pause.stop()
        self._desk.say("Each hint will be shown once more, when there is something to say.")
        if not self.hinting:
            self._action("hints").trigger()

    def hide_hint(self) -> None:
        """Put away the hint that is shown."""
        if self.line is not None:
            self.line.hide()

    def note(self, name: str) -> None:
        """The control of a hyperparameter was moved."""
        self._moved.add(name)

    def _made_line(self) -> Any:
        if self.line is None:
            from mlviz.ui.guide.hint_line import HintLine

            self.line = HintLine(self._panels, self._desk.preferences, self._written)
        return self.line

    def _look(self) -> None:
        """Show a hint where one applies; what happens while nothing may be shown is looked at later."""
        if not self.hinting or self._pause.isActive() or self.touring or self._busy():
            return
        from mlviz.ui.guide.hints import Moment

        scene, canvas = self._desk.store.scene, self._panels.canvas
        picture = canvas.picture
        explained = picture is not None and picture.explanation is not None
        change, moved = Change(self._seen, scene), frozenset(self._moved)
        moment = Moment(change, self._panels.current, moved, explained, partial(legend_told, canvas))
        self._seen = scene
        self._moved.clear()
        if self._made_line().offer(moment):
            self._pause.start()

    def _busy(self) -> bool:
        held = self._desk.store.gesturing or any(canvas.busy for canvas in self._panels.canvases)
        asked = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        return held or asked is not None or self._action("present").isChecked()
