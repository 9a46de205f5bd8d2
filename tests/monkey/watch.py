"""What must hold while the monkey plays: nothing raises, nothing is said on the error channels, nothing leaks."""

import contextlib
import gc
import os
import sys
import threading
import time
import warnings
from collections import Counter
from pathlib import Path

import shiboken6
from PySide6.QtCore import QEvent, QObject, QtMsgType, qInstallMessageHandler
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from mlviz.scene.files import scene_file

PATIENCE = 60
"""Seconds until every panel must have its answer; loaded machines are slow."""


class Failure(AssertionError):
    """Something that must not happen did."""


@contextlib.contextmanager
def caught():
    """Collect every complaint of Python, threads and Qt as text."""
    complaints = []

    def note(kind, error, trace):
        import traceback

        complaints.append("".join(traceback.format_exception(kind, error, trace)))

    def qt(kind, context, message):
        # The platform without a screen has no windows to raise and no size hints to pass on, and says so.
        if kind != QtMsgType.QtDebugMsg and not message.startswith("This plugin does not support"):
            complaints.append(f"Qt: {message}")

    kept = sys.excepthook, sys.unraisablehook, threading.excepthook
    sys.excepthook = note
    sys.unraisablehook = lambda told: note(told.exc_type, told.exc_value, told.exc_traceback)
    threading.excepthook = lambda told: note(told.exc_type, told.exc_value, told.exc_traceback)
    former = qInstallMessageHandler(qt)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            yield complaints
    finally:
        qInstallMessageHandler(former)
        sys.excepthook, sys.unraisablehook, threading.excepthook = kept


def check_now(window):
    """Store, canvases, selection and side panel agree."""
    scene = window.store.scene
    if len(window.panels.canvases) != len(scene.panels):
        raise Failure(f"{len(window.panels.canvases)} canvases for {len(scene.panels)} panels")
    if not 0 <= window.current < len(scene.panels):
        raise Failure(f"panel {window.current} of {len(scene.panels)} is current")
    rows = window.hand.selection(scene.dataset)
    if len(rows) and not 0 <= rows.min() <= rows.max() < len(scene.dataset):
        raise Failure(f"selected rows up to {rows.max()} of {len(scene.dataset)}")
    shown = window.sidebar.chooser.methods.currentText()
    label = scene.panels[window.current].pipeline.algorithm.label
    if label not in shown:
        raise Failure(f"{shown!r} is shown for {label!r}")


def check_rested(window, folder: Path):
    """Every panel has the answer to the newest request, and the scene survives a file."""
    window.player.pause()
    window.store.settle()
    QApplication.processEvents()
    end = time.monotonic() + PATIENCE
    while window.link.busy:
        QTest.qWait(5)
        if time.monotonic() > end:
            raise Failure("no answer from the worker")
    for index in range(len(window.panels.canvases)):
        picture = window.pictures.get(index)
        if picture is None or picture.key != window.store.scene.dataset.key:
            raise Failure(f"canvas {index} shows an old picture")
        if picture.message is not None and "unexpectedly" in picture.message:
            raise Failure(picture.message)
    path = folder / "kept.mlviz"
    scene_file.save(window.store.scene, path)
    again = scene_file.load(path)
    if not same(again, window.store.scene):
        raise Failure("the scene changed on its way through a file")


def written(scene):
    """The panels as a scene file has them: pins hold arrays, which have no equality."""
    return scene_file.to_json(scene)["panels"]


def same(scene, other):
    """Whether two scenes hold the same samples, methods and seed."""
    a, b = scene.dataset, other.dataset
    arrays = (
        all((getattr(a, n) == getattr(b, n)).all() for n in ("X", "labels", "held_out", "active"))
        if len(a) == len(b) and a.X.shape == b.X.shape
        else False
    )
    return arrays and a.columns == b.columns and written(scene) == written(other) and scene.seed == other.seed


def census(window):
    """What is alive: objects and bytes that a leak would make grow."""
    for _ in range(3):
        QApplication.processEvents()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        gc.collect()
    qt = Counter(
        "QWidget" if isinstance(o, QWidget) else "QObject"
        for o in gc.get_objects()
        if isinstance(o, QObject) and shiboken6.isValid(o)
    )
    worker = window.link._worker
    return {
        "objects": len(gc.get_objects()),
        "widgets": len(QApplication.allWidgets()),
        "Qt objects": sum(qt.values()),
        "threads": threading.active_count(),
        "window MB": resident(os.getpid()),
        "worker MB": resident(worker.pid) if worker is not None and worker.pid else 0,
    }


def resident(pid):
    """Megabytes of memory that a process holds."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 2**20)
