"""Changes by the same hand in quick succession: one step of undo until it rests."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, QTimer

from mlviz.scene import edits
from mlviz.scene.history import Store
from mlviz.scene.scene import Scene

_REST_MS = 800
"""Keys, wheel and typing are one step of undo until the hand rests this long."""


class Burst:
    """Makes one history entry of changes of the same subject; another subject, or a rest, begins another entry."""

    def __init__(self, store: Store, parent: QObject) -> None:
        """The clock goes with its `parent`: nobody is told of a rest who is gone."""
        self._store = store
        self._subject: object = None
        self._key: object = None
        self._rest = QTimer(parent, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self.settle)

    def key(self, subject: object = None, held: bool = False) -> object:
        """The merge key of a change that is made now; while something is `held`, the hand does not come to rest."""
        if self._key is None or subject != self._subject:
            self._subject, self._key = subject, object()
        if held:
            self._rest.stop()
        else:
            self._rest.start()
        return self._key

    def set_value(self, panel: int, path: str, value: Any, held: bool = False) -> None:
        """Set what stands at a path of a panel; what is only looked at has no history."""
        self._take(edits.with_value(self._store.scene, panel, path, value), panel, path, held)

    def step_value(self, panel: int, path: str, steps: int) -> None:
        """Move the number at a path of a panel by whole steps."""
        self._take(edits.stepped(self._store.scene, panel, path, steps), panel, path)

    def settle(self) -> None:
        """The hand rests: what comes next is another step of undo."""
        self._rest.stop()
        key, self._key = self._key, None
        if key is not None:
            self._store.settle(key)

    def _take(self, scene: Scene, panel: int, path: str, held: bool = False) -> None:
        if path == "view.step":
            self._store.look(scene)
        elif scene is not self._store.scene:
            self._store.push(scene, edits.name_of_change(scene, panel, path), self.key((panel, path), held))
