"""Scenes in which methods fail: their menu, and the line that says what to look at and which method does better."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QVBoxLayout

from mlviz.draw.tasks import Task
from mlviz.scene.change import Change
from mlviz.scene.failures import Failure, failure_of, failures, failures_of
from mlviz.scene.failures.failure import beside, failing
from mlviz.scene.scene import Scene
from mlviz.ui.canvas.panel_grid import PanelGrid
from mlviz.ui.desk import Desk
from mlviz.ui.widgets.parts import add_entry, add_submenu, lay_out, plain_label, tool_button

TASKS: dict[Task, str] = {
    "classification": "&Classes",
    "regression": "&Values to predict",
    "clustering": "C&lusters",
    "density estimation": "&Densities",
    "decomposition": "Dimensionality &reduction",
}
"""The menus of all failures."""
_TEXT_PX, _PRESENTED_PX = 13, 20
"""Size of the line's letters, and in a presentation, where they are read from the last row."""


class BreakIt(QObject):
    """Shows a failure at a click, and beside it what does better at another.

    The line stands above the canvases as long as its samples do, also while a hand moves some of them: nothing may jump
    under it. It goes when other samples come, and undo brings it back with its own.
    """

    forgotten = Signal()
    """The line was closed."""

    def __init__(self, desk: Desk, panels: PanelGrid, column: QVBoxLayout, menu: QMenu) -> None:
        """The line comes first in the column of the canvases, the failures below what the menu has already."""
        super().__init__(panels)
        self._desk, self._panels, self._menu = desk, panels, menu
        self._offered: list[QAction] = []
        self._below: QAction | None = None
        """What stands in the menu for the present method, and the heading below it, once the menu was opened."""
        self._lines: dict[str, tuple[Failure, str, int]] = {}
        """The key of a data set -> the failure that it shows, with the method that fails and the seed."""
        self._current: tuple[Failure, str, int] | None = None
        """What is shown at present."""
        self.frame = QFrame()
        self.frame.setObjectName("card")
        self.label = plain_label("", wordWrap=True)
        tip = "Put the method that does better on a canvas of its own, with the same points."
        self.better = tool_button("Show it beside", "Show the better method beside", tip, self.put_beside)
        self.close = tool_button("×", "Close the line", "Hide this line; the points stay.", self._forget)
        for button in (self.better, self.close):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # after a click the keys still belong to the canvas
        lay_out(QHBoxLayout(self.frame), (self.label, 1), self.better, self.close, margins=(10, 3, 4, 3), spacing=6)
        self.frame.hide()
        column.insertWidget(0, self.frame)
        menu.aboutToShow.connect(self._fill)
        desk.store.listen(self._follow)

    @property
    def shown(self) -> Failure | None:
        """The failure that is shown."""
        return None if self._current is None else self._current[0]

    @property
    def missing(self) -> bool:
        """Whether there is something better that could be put beside it."""
        return self._current is not None and self._with_better(*self._current) is not self._desk.store.scene

    def show(self, failure: Failure) -> None:
        """Show the present method failing, or another one where it does not fail."""
        scene = failing(self._desk.store.scene, self._panels.current, failure)
        method = scene.panels[0].pipeline.algorithm.id
        self._push(scene, failure, method, failure.seed, f"break it: {failure.title}")
        self._panels.canvas.setFocus()

    def show_named(self, name: str) -> None:
        """Show the failure of that id."""
        self.show(failure_of(name))

    def show_next(self) -> None:
        """Show the next failure of the current canvas's method, after the last one the first again."""
        ours = failures_of(self._method)
        if not ours:
            self._desk.say("There is no example in which this method fails.")
            return
        now = next((k for k, failure in enumerate(ours) if failure is self.shown), -1)
        self.show(ours[(now + 1) % len(ours)])

    def draw_again(self) -> bool:
        """Draw the samples of the failure with the next seed, whatever stands on the canvases; whether one is shown."""
        if self._current is None:
            return False
        failure, method, seed = self._current
        scene = self._desk.store.scene
        drawn = scene.replace(dataset=failure.samples(seed + 1))
        self._push(drawn, failure, method, seed + 1, f"draw {failure.title} again")
        self._desk.say(f"{failure.title}, seed {seed + 1}")
        return True

    def put_beside(self) -> bool:
        """Show what does better on a canvas beside it; whether it was not there."""
        if self._current is None or not self.missing:
            return False
        self._desk.store.push(self._with_better(*self._current), "show the better method beside")
        self._panels.canvas.setFocus()
        return True

    def enlarge(self, presented: bool) -> None:
        """Take the size of letters of a presentation, or the usual one."""
        for part in (self.label, self.better, self.close):
            font = part.font()
            font.setPixelSize(_PRESENTED_PX if presented else _TEXT_PX)
            part.setFont(font)

    @property
    def _method(self) -> str:
        return self._desk.store.scene.panels[self._panels.current].pipeline.algorithm.id

    def _with_better(self, failure: Failure, method: str, _: int) -> Scene:
        return beside(self._desk.store.scene, self._panels.current, failure, method)

    def _push(self, scene: Scene, failure: Failure, method: str, seed: int, what: str) -> None:
        self._lines[scene.dataset.key] = failure, method, seed
        self._desk.store.push(scene, what)

    def _forget(self) -> None:
        self._lines.pop(self._desk.store.scene.dataset.key, None)
        self._current = None
        self._show_line()
        self.forgotten.emit()

    def _follow(self, change: Change) -> None:
        key = self._desk.store.scene.dataset.key
        if change.none:
            # The hand rests: what it made of the samples still shows the failure.
            if self._current is not None:
                self._lines[key] = self._current
                self._show_line()
        elif not self._desk.store.gesturing:
            if change.samples:
                # Held out, switched off or in another class, they are still the samples of the failure.
                if self._current is not None and change.new.dataset.X is change.old.dataset.X:
                    self._lines.setdefault(key, self._current)
                self._current = self._lines.get(key)
            if change.samples or (change.panels and self._current is not None):
                self._show_line()

    def _show_line(self) -> None:
        """Say what to look at, as long as a canvas has the method that fails."""
        seen = False
        if self._current is not None:
            failure, method, _ = self._current
            self.label.setText(failure.line(method))
            self.better.setVisible(self.missing)
            seen = any(panel.pipeline.algorithm.id == method for panel in self._desk.store.scene.panels)
        self.frame.setVisible(seen)

    def _fill(self) -> None:
        """Offer the failures of the present method; below them are all, by what they are about."""
        if self._below is None:
            self._below = self._menu.addSection("All methods")
            for task, title in TASKS.items():
                entries = add_submenu(self._menu, title)
                for failure in failures():
                    if failure.task == task:
                        self._offer(entries, failure)
        for action in self._offered:
            self._menu.removeAction(action)
            action.deleteLater()
        method = self._desk.store.scene.panels[self._panels.current].pipeline.algorithm
        ours = [self._offer(self._menu, failure) for failure in failures_of(method.id)]
        self._menu.insertActions(self._below, ours)
        self._offered = [self._menu.insertSection(ours[0], method.label), *ours] if ours else []

    def _offer(self, menu: QMenu, failure: Failure) -> QAction:
        return add_entry(menu, failure.title, f"Look at {failure.look}.", partial(self.show, failure))
