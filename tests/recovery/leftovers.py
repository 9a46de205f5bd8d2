"""What a new window finds of a program that was killed."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

from tests.closing import close_without_asking

if TYPE_CHECKING:
    from mlviz.scene.scene import Scene
    from mlviz.ui.shell.window import MainWindow

Recovered = tuple[str, float, int]
"""The digest of what was recovered, when its copy was written, and how many files are left in the end."""


def digest(scene: Scene) -> str:
    """Tells unsaved work from any other."""
    from mlviz.scene.files import scene_file

    document = scene_file.to_json(scene)
    del document["view"]
    return hashlib.sha256(json.dumps(document).encode()).hexdigest()[:16]


def recovered(window: MainWindow, folder: Path) -> Recovered:
    """What a new window with that folder of copies finds on its canvas, where the hand says Recover; it is closed."""
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from mlviz.ui.documents.recovery import RecoveryDialog

    asked = []

    def answer() -> None:
        for widget in QApplication.topLevelWidgets():
            if isinstance(widget, RecoveryDialog) and widget.isVisible():
                asked.append(widget.left[0].copy.when)
                widget._recover()

    timer = QTimer(interval=20, timeout=answer)
    timer.start()
    window.recovery.offer()
    unsaved = digest(window.store.scene) if window.documents.modified else ""
    close_without_asking(window)
    return unsaved, asked[0] if asked else 0.0, len(list((folder / "copies").iterdir()))
