"""Kill the real program at random moments and see what comes back: `python -m tests.kill9 [N]`.

A window without a screen makes random gestures and reports each finished one with a digest of what is unsaved then.
It is killed with signal 9, alone, together with its worker, after its worker was killed or stopped alone, or in the
middle of a stroke that has no end, of which each change is reported, with the worker stopped. A new window is started,
recovers what it is offered, and the digest of that is looked up among the reports.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.recovery.leftovers import Recovered, digest, recovered

if TYPE_CHECKING:
    from mlviz.ui.shell.window import MainWindow

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.pop("MLVIZ_METHODS", None)
MODES = ("window", "both", "worker first", "worker stopped", "in a stroke")
PATIENCE = 30.0


@dataclass
class Report:
    """A finished gesture: what is unsaved after it, and when that was."""

    digest: str
    at: float
    worker: int


@dataclass
class Trial:
    """What became of one program."""

    mode: str
    gestures: int
    lost: list[float] = field(default_factory=list)
    """Seconds between the end of each gesture that is lost and the kill."""
    wrong: str = ""
    orphan: float = 0.0
    """How many seconds the worker lived longer than the window."""


class Driver:
    """The hand in the window that is going to be killed."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.window = real_window(folder)
        self.folder, self.chance = folder, random.Random(seed)

    def run(self) -> None:
        """Gestures for ever, a report after each."""
        while True:
            self.gesture()
            self.report()
            self.rest(self.chance.choice((0.0, 0.005, 0.03, 0.1)))

    def stroke_for_ever(self) -> None:
        """A point is dragged, and never let go; a report after each movement."""
        self.window.hand.tool = "pen"
        for _ in self.moves(itertools.count()):
            self.report()
            self.rest(0.02)

    def rest(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.window_events()

    def report(self) -> None:
        worker = self.window.link._worker
        unsaved = digest(self.window.store.scene) if self.window.documents.modified else ""
        print(json.dumps([unsaved, time.time(), worker.pid if worker else 0]), flush=True)

    def window_events(self) -> None:
        from PySide6.QtWidgets import QApplication

        QApplication.processEvents()
        time.sleep(0.001)

    def gesture(self) -> None:
        chance, store = self.chance, self.window.store
        kind = chance.choices(("click", "stroke", "undo", "redo", "method", "draw", "save"), (8, 8, 3, 1, 1, 1, 1))[0]
        if kind in ("click", "stroke"):
            self.window.hand.tool = chance.choice(("pen", "brush", "eraser", "move", "relabel"))
            self.stroke(0 if kind == "click" else chance.randrange(1, 12))
        elif kind == "undo":
            store.undo()
        elif kind == "redo":
            store.redo()
        elif kind == "method":
            self.window.sidebar.chooser.choose(chance.choice(("svm", "knn", "kmeans", "linear-regression")))
        elif kind == "draw":
            self.window.presets.draw_preset(chance.choice(("moons", "blobs", "two-gaussians")))
        else:
            self.window.documents._write(self.folder / "scene.mlviz")

    def stroke(self, moves: int) -> None:
        for _ in self.moves(range(moves)):
            self.window_events()

    def moves(self, moves: Iterable[int]) -> Iterator[int]:
        """Press somewhere, move so often, let go."""
        from PySide6.QtCore import QEvent, QPoint, Qt

        from tests.ui.hands import mouse

        canvas, left, no = self.window.canvas, Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
        keys = Qt.KeyboardModifier.NoModifier

        def somewhere() -> QPoint:
            return QPoint(self.chance.randrange(80, canvas.width() - 20), self.chance.randrange(20, 400))

        mouse(canvas, QEvent.Type.MouseButtonPress, somewhere(), left, left, keys)
        for number in moves:
            mouse(canvas, QEvent.Type.MouseMove, somewhere(), no, left, keys)
            yield number
        mouse(canvas, QEvent.Type.MouseButtonRelease, somewhere(), left, no, keys)


def real_window(folder: Path, **how: Any) -> MainWindow:
    from PySide6.QtCore import QSettings

    from mlviz.ui.app import make_application
    from mlviz.ui.shell.window import MainWindow
    from mlviz.ui.widgets.preferences import Preferences

    make_application([])
    settings = QSettings(str(folder / "preferences.ini"), QSettings.Format.IniFormat)
    window = MainWindow(preferences=Preferences(settings), copies=folder / "copies", **how)
    window.show()
    return window


def recover(folder: Path) -> None:
    """Start the program, say Recover when it asks, print what is on the canvas, and close it."""
    from tests.ui.conftest import SilentLink

    print(json.dumps(recovered(real_window(folder, link=SilentLink()), folder)), flush=True)  # it needs no worker


class Program:
    """A driven window in a process of its own, and what it reports."""

    def __init__(self, folder: Path, seed: int, mode: str) -> None:
        command = [sys.executable, "-m", "tests.kill9", "--drive", str(folder), str(seed), mode]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self._pipe = self.process.stdout
        self.reports = [Report("", 0.0, 0)]
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *failure: object) -> None:
        self.process.kill()  # whatever has failed, nothing goes on

    def wait_for_gestures(self, count: int) -> None:
        end = time.monotonic() + PATIENCE
        while len(self.reports) <= count and time.monotonic() < end and self.process.poll() is None:
            time.sleep(0.001)

    def kill(self, worker: bool) -> float:
        """Kill the window, before it the worker if wanted; returns when."""
        if worker:
            self.signal_worker(signal.SIGKILL)
        self.process.kill()
        at = time.time()
        self.process.wait()
        return at

    def signal_worker(self, number: int) -> None:
        worker = self.reports[-1].worker
        assert worker > 0, "the window has reported nothing"  # 0 would mean this very process and its like
        with contextlib.suppress(ProcessLookupError):  # replaced since the last report
            os.kill(worker, number)

    def wait_for_the_worker(self) -> float:
        """When its worker is gone, which holds the other end of the pipe as long as it lives."""
        self._reader.join(PATIENCE)
        if self._reader.is_alive():
            return float("inf")
        self._pipe.close()
        return time.time()

    def _read(self) -> None:
        for line in self._pipe:
            self.reports.append(Report(*json.loads(line)))


def in_another_process(folder: Path) -> Recovered:
    """What a program that is started anew recovers."""
    command = [sys.executable, "-m", "tests.kill9", "--recover", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE)
    found, when, left = json.loads(done.stdout)
    return found, when, left


def trial(mode: str, seed: int, recovering: Callable[[Path], Recovered] = in_another_process) -> Trial:
    """Drive, kill, recover, compare."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        with Program(Path(name), seed, mode) as program:
            program.wait_for_gestures(chance.randrange(1, 40))
            time.sleep(chance.uniform(0.0, 0.3))
            if mode == "worker first":
                program.signal_worker(signal.SIGKILL)
                time.sleep(chance.uniform(0.0, 2.0))
            if mode in ("worker stopped", "in a stroke"):
                program.signal_worker(signal.SIGSTOP)
                time.sleep(chance.uniform(0.3, 2.0 if mode == "worker stopped" else 6.0))
            at = program.kill(worker=mode == "both")
            if mode in ("worker stopped", "in a stroke"):
                program.signal_worker(signal.SIGKILL)
            orphan = program.wait_for_the_worker() - at
        found, when, litter = recovering(Path(name))
    result = Trial(mode, len(program.reports) - 1, orphan=orphan)
    digests = [report.digest for report in program.reports]
    if found in digests:
        last = len(digests) - 1 - digests[::-1].index(found)
        result.lost = [at - report.at for report in program.reports[last + 1 :]]
    elif when < program.reports[-1].at:  # else it is the gesture whose report was never written
        result.wrong = "what was recovered was never there"
    if litter:
        result.wrong = f"{litter} files are left"
    return result


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("count", nargs="?", type=int, default=30)
    parser.add_argument("--drive", nargs=3)
    parser.add_argument("--recover")
    options = parser.parse_args()
    if options.drive:
        folder, seed, mode = options.drive
        driver = Driver(Path(folder), int(seed))
        (driver.stroke_for_ever if mode == "in a stroke" else driver.run)()
    elif options.recover:
        recover(Path(options.recover))
    else:
        tell([trial(MODES[number % len(MODES)], number) for number in range(options.count)])


def tell(trials: list[Trial]) -> None:
    for mode in MODES:
        of = [t for t in trials if t.mode == mode]
        lost = [age for t in of for age in t.lost]
        oldest = f", the oldest ended {1e3 * max(lost):.0f} ms before the kill" if lost else ""
        print(
            f"{mode}: {len(of)} kills, {sum(t.gestures for t in of)} gestures, {len(lost)} lost{oldest}; "
            f"the worker outlived the window by at most {1e3 * max((t.orphan for t in of), default=0.0):.0f} ms"
        )
    print("wrong:", dict(Counter(t.wrong for t in trials if t.wrong)) or "nothing")


if __name__ == "__main__":
    main()
