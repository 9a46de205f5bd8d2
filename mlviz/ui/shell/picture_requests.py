"""When the window asks the worker for pictures, and whether drafts will do."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from mlviz.scene.history import Store
from mlviz.ui.canvas.panel_grid import PanelGrid
from mlviz.ui.shell.worker_link import WorkerLink
from mlviz.ui.sideplots.tabs import SideTabs


class PictureRequests(QObject):
    """Asks for pictures of the present scene: once a change, and once more at rest where only drafts were asked for.

    The first change of a gesture is asked for as it is, since it may be the only one: a click. Those after it are asked
    for as drafts.
    """

    def __init__(self, store: Store, link: WorkerLink, panels: PanelGrid, sides: SideTabs) -> None:
        super().__init__(panels)
        self._store, self._link, self._panels, self._sides = store, link, panels, sides
        self._drafts = False
        # Several canvases change size in one go: one request for all of them.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.ask)
        panels.resized.connect(self._soon.start)

    def ask(self) -> None:
        """Ask for pictures of the scene as it is."""
        self._drafts = self._store.going_on
        sizes = [canvas.area_size() for canvas in self._panels.canvases]
        front = self._panels.current, self._sides.in_sight
        self._link.request(self._store.scene, sizes, self._drafts, front)

    def rest(self) -> None:
        """The gesture is over: ask for exact pictures if those asked for last are drafts."""
        if self._drafts:
            self.ask()
