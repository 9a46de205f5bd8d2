"""The program with its window: start, unexpected errors, end."""

from __future__ import annotations

import logging
import multiprocessing
import sys
import traceback
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from mlviz.ui.documents.recovery import usual_folder
from mlviz.ui.shell.window import MainWindow
from mlviz.ui.sideplots.loading import loaded
from mlviz.ui.widgets.fonts import qt_to_log
from mlviz.ui.widgets.garbage import GarbageCollector
from mlviz.ui.widgets.icons import app_icon
from mlviz.ui.widgets.whole_errors import make_errors_whole
from mlviz.worker.memory import keep_freed_memory
from mlviz.worker.processors import keep_window_apart

_SWITCH_SECONDS = 2e-4
_SEEN_MS = 300
"""After so many milliseconds the window has been seen, and what it can open without is loaded."""
log = logging.getLogger("mlviz")


def make_application(arguments: list[str]) -> QApplication:
    """The one application object, with name and icon."""
    # The threads that talk to the worker wait this long, and not 5 ms, while the window is at work.
    sys.setswitchinterval(_SWITCH_SECONDS)
    keep_freed_memory()
    qt_to_log()
    make_errors_whole()
    app = QApplication.instance() or QApplication(["mlviz", *arguments])
    assert isinstance(app, QApplication)
    if app.findChild(GarbageCollector) is None:
        GarbageCollector(app)
    app.setApplicationName("mlviz")
    app.setDesktopFileName("mlviz")
    app.setWindowIcon(app_icon())
    return app


def main(path: Path | None = None) -> int:
    """Open the window, with a scene or a table if there is one; returns the exit code when it is closed."""
    multiprocessing.freeze_support()
    keep_window_apart()
    app = make_application([])
    window = MainWindow(copies=usual_folder())
    sys.excepthook = _ExceptionHook(window)
    window.show_first()
    # The window is seen first: a large table takes a moment, and a complaint about it needs a window.
    QTimer.singleShot(0, lambda: window.documents.open(path) if path else window.recovery.offer(again=False))
    QTimer.singleShot(_SEEN_MS, loaded)
    return app.exec()


class _ExceptionHook:
    """What an error that nobody expected comes to: a sentence in the window, the details in the log."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._telling = False

    def __call__(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
            return
        log.error("%s", "".join(traceback.format_exception(kind, error, trace)))
        if self._telling:
            return  # an error in every repaint would open a box on a box
        self._telling = True
        try:
            self._window.complain(
                f"Something went wrong that should not: {kind.__name__}: {error}. Your points are safe; save them, and "
                "undo the last change if this comes back."
            )
        finally:
            self._telling = False
