"""Pictures for export, drawn by a process of their own.

The live worker draws for the screen and drops what is out of date; an export wants one scene at its own size, to the
end, however long that takes. So it has a process for itself: the window stays usable, and what is written is to the
last digit what the command line writes.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from multiprocessing.pool import AsyncResult, Pool
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from mlviz.picture import PanelPicture, draw
from mlviz.scene.scene import Scene

POLL_MS = 30


class ExportProcess(QObject):
    """Draws one scene; `drawn` carries the pictures, `failed` a sentence."""

    drawn = Signal(object)
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool: Pool | None = None
        self._result: AsyncResult[list[PanelPicture]] | None = None
        self._timer = QTimer(self, interval=POLL_MS)
        self._timer.timeout.connect(self._look)

    @property
    def busy(self) -> bool:
        """Whether a drawing is under way."""
        return self._pool is not None

    def start(self, scene: Scene, sizes: Sequence[tuple[int, int]]) -> None:
        """Draw a scene; a drawing under way is given up."""
        self.stop()
        self._pool = multiprocessing.get_context("spawn").Pool(1)
        self._result = self._pool.apply_async(draw, (scene, tuple(sizes)))
        self._timer.start()

    def stop(self) -> None:
        """Give up; nothing is left running."""
        self._timer.stop()
        pool, self._pool, self._result = self._pool, None, None
        if pool is not None:
            pool.terminate()
            pool.join()

    def _look(self) -> None:
        if self._result is None or not self._result.ready():
            return
        result: Any = self._result
        self.stop()
        try:
            pictures = result.get()
        except Exception as error:  # whatever went wrong over there is told, not raised here
            self.failed.emit(f"The picture could not be drawn: {error}")
        else:
            self.drawn.emit(pictures)
