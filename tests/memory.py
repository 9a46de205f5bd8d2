"""Memory over many drags in the real window: ``python -m tests.memory [N]`` prints the curve and a verdict."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QElapsedTimer, QEvent, QEventLoop, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.scene.scene import Panel
from tests.closing import close_without_asking

DRAGS = 10_000
EVERY = 250
"""Drags between two measurements; then the next method has its turn."""
FLAT = 1.0
"""Growth in MB per 1,000 drags, over the last half, that is still called flat."""
MOVES = 3


def resident(pid: int) -> float:
    """The resident memory of a process, MB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def samples(n: int = 120) -> Dataset:
    """Two overlapping classes."""
    rng = np.random.default_rng(1)
    labels = np.arange(n) % 2
    return Dataset(np.where(labels[:, None] == 0, -1.0, 1.0) + rng.normal(0, 1, (n, 2)), labels)


def _mouse(canvas: Any, kind: QEvent.Type, place: QPointF, held: Qt.MouseButton) -> None:
    moving = kind == QEvent.Type.MouseMove
    button = Qt.MouseButton.NoButton if moving else Qt.MouseButton.LeftButton
    plain = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(canvas, QMouseEvent(kind, place, canvas.mapToGlobal(place), button, held, plain))
    QApplication.processEvents()


def drag(window: Any, rng: np.random.Generator) -> None:
    """Take hold of a sample and put it somewhere near the middle."""
    canvas, scene = window.canvas, window.store.scene
    row = int(rng.integers(len(scene.dataset)))
    start, end = canvas.frame().to_pixels([scene.dataset.X[row, list(scene.axis_columns)], rng.normal(0, 1.2, 2)])
    _mouse(canvas, QEvent.Type.MouseButtonPress, QPointF(*start), Qt.MouseButton.LeftButton)
    for k in range(1, MOVES + 1):
        _mouse(canvas, QEvent.Type.MouseMove, QPointF(*(start + (end - start) * k / MOVES)), Qt.MouseButton.LeftButton)
    _mouse(canvas, QEvent.Type.MouseButtonRelease, QPointF(*end), Qt.MouseButton.NoButton)


def settle(window: Any, milliseconds: int = 3000) -> None:
    """Wait until the worker has answered."""
    clock = QElapsedTimer()
    clock.start()
    loop = QEventLoop()
    while window.link.busy and clock.elapsed() < milliseconds:
        loop.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)


def use(window: Any, method: str) -> None:
    """Let the method have its turn, on the samples there are."""
    scene = window.store.scene
    pipeline = scene.panels[0].pipeline.replace(algorithm=registry()[method]())
    window.store.push(scene.with_panel(0, Panel(pipeline)), "measure")
    window.store.settle()
    # The controls of the method before are deleted by a running event loop only.
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def slope(drags: list[int], megabytes: list[float]) -> float:
    """MB per 1,000 drags over the last half, by least squares."""
    half = len(drags) // 2
    return float(np.polyfit(np.array(drags[half:]) / 1000, megabytes[half:], 1)[0])


def main() -> int:
    """Drag, measure, print; returns 1 where memory grows."""
    from mlviz.ui.app import make_application
    from mlviz.ui.shell.window import MainWindow

    count = int(sys.argv[1]) if len(sys.argv) > 1 else DRAGS
    make_application([])
    window = MainWindow()
    window.resize(1000, 700)
    window.show()
    window.store.push(window.store.scene.replace(dataset=samples()), "measure")
    window.hand.tool = "move"
    rng, methods = np.random.default_rng(0), list(registry())
    at: list[int] = []
    curves: tuple[list[float], list[float]] = ([], [])
    print("drags  window MB  worker MB  steps of undo  method")
    for k in range(0, count, EVERY):
        method = methods[k // EVERY % len(methods)]
        use(window, method)
        for _ in range(min(EVERY, count - k)):
            drag(window, rng)
        settle(window)
        at.append(min(k + EVERY, count))
        for curve, pid in zip(curves, (os.getpid(), window.link._worker.pid), strict=True):
            curve.append(resident(pid))
        steps = len(window.store._past)
        print(f"{at[-1]:5d}  {curves[0][-1]:9.1f}  {curves[1][-1]:9.1f}  {steps:13d}  {method}", flush=True)
    close_without_asking(window)
    growth = [slope(at, curve) if len(at) >= 4 else float("nan") for curve in curves]
    flat = all(g <= FLAT for g in growth)
    verdict = "flat" if flat else "GROWING"
    print(f"over the last half, MB per 1,000 drags: window {growth[0]:+.2f}, worker {growth[1]:+.2f}: {verdict}")
    return 0 if flat else 1


# The worker process imports the main module anew: only the first run measures.
if __name__ == "__main__":
    raise SystemExit(main())
