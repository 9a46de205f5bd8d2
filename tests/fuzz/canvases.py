"""A monkey that changes how many canvases there are, by every way there is, while one of them has the keyboard.

`python -m tests.fuzz.canvases --seconds 60 --seed N`: nothing is raised, as many canvases as panels stand after each
action, and every request has a size for each panel.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from mlviz.scene.scene import MAX_PANELS
from mlviz.ui.shell.window import MainWindow
from tests.fuzz.oracle import Outcome
from tests.fuzz.window import Door
from tests.ui.hands import LEFT, NONE, mouse

ACTIONS_A_ROUND = 25
Action = Callable[[MainWindow, Random], None]


def _command(window: MainWindow, name: str) -> None:
    window.actions_.action(name).trigger()


def new(window: MainWindow, rng: Random) -> None:
    """The command New; the question about changes is answered by whoever answers questions."""
    _command(window, "new")


def open_scene(window: MainWindow, rng: Random) -> None:
    """Open a scene with any number of canvases."""
    n = rng.randint(1, MAX_PANELS)
    points = [[rng.uniform(-4, 4), rng.uniform(-4, 4)] for _ in range(rng.randint(0, 6))]
    path = window.documents.folder / f"{n}.mlviz"
    path.write_text(json.dumps({"format": 1, "points": points, "panels": [{"algorithm": "knn"}] * n}))
    window.documents.open(path)


def undo(window: MainWindow, rng: Random) -> None:
    """Back, or forth again."""
    for _ in range(rng.randint(1, 5)):
        rng.choice([window.store.undo, window.store.undo, window.store.redo])()


def add(window: MainWindow, rng: Random) -> None:
    """One canvas more or several."""
    for _ in range(rng.randint(1, 3)):
        _command(window, "add panel")


def remove(window: MainWindow, rng: Random) -> None:
    """One canvas less."""
    _command(window, "remove panel")


def focus(window: MainWindow, rng: Random) -> None:
    """Give a canvas the keyboard, the middle one often."""
    canvases = window.panels.canvases
    rng.choice([*canvases, canvases[len(canvases) // 2]]).setFocus(Qt.FocusReason.OtherFocusReason)


def click_at_edge(window: MainWindow, rng: Random) -> None:
    """Points near the edges of what a canvas shows."""
    canvas = rng.choice(window.panels.canvases)
    area = canvas.frame().area.toRect().adjusted(8, 8, -8, -8)
    for corner in (area.topLeft(), area.topRight(), area.bottomLeft(), area.bottomRight()):
        QTest.mouseClick(canvas, LEFT, NONE, corner)


def change_in_gesture(window: MainWindow, rng: Random) -> None:
    """Hold a point, and change the canvases while it is held."""
    canvas = rng.choice(window.panels.canvases)
    at, nothing = QPoint(canvas.width() // 2, canvas.height() // 2), Qt.MouseButton.NoButton
    mouse(canvas, QEvent.Type.MouseButtonPress, at, LEFT, LEFT, NONE)
    mouse(canvas, QEvent.Type.MouseMove, at + QPoint(20, 5), nothing, LEFT, NONE)
    rng.choice((add, remove, undo, new, next_canvas))(window, rng)
    if canvas in window.panels.canvases:
        mouse(canvas, QEvent.Type.MouseButtonRelease, at, LEFT, nothing, NONE)


def next_canvas(window: MainWindow, rng: Random) -> None:
    """The keyboard goes to the next canvas."""
    _command(window, "next panel")


def resize(window: MainWindow, rng: Random) -> None:
    """Another size, the smallest included."""
    window.resize(
        *rng.choice(
            ((1000, 700), (1000, 1000), (1000, 1000), (900, 1200), (640, 480), (1, 1), (1900, 400), (500, 1000))
        )
    )


def hover(window: MainWindow, rng: Random) -> None:
    """The mouse over a canvas."""
    canvas, nothing = rng.choice(window.panels.canvases), Qt.MouseButton.NoButton
    at = QPoint(rng.randint(0, canvas.width()), rng.randint(0, canvas.height()))
    mouse(canvas, QEvent.Type.MouseMove, at, nothing, nothing, NONE)


def rest(window: MainWindow, rng: Random) -> None:
    """Let events come to their end."""
    QApplication.processEvents()


ACTIONS: dict[Action, int] = {
    **{new: 6, open_scene: 10, undo: 12, add: 16, remove: 6, focus: 16, click_at_edge: 16, change_in_gesture: 6},
    **{next_canvas: 4, resize: 8, hover: 4, rest: 12},
}
"""Action -> how often."""


def round_of(door: Door, seed: str) -> tuple[Outcome, list[str]]:
    """Some actions on one window; what came of them, and which they were."""
    rng, done = Random(seed), list[str]()
    window = door.window
    window.documents.folder = door.folder

    def act() -> None:
        window.activateWindow()
        for _ in range(ACTIONS_A_ROUND):
            [action] = rng.choices(list(ACTIONS), list(ACTIONS.values()))
            done.append(action.__name__)
            action(window, rng)
            if len(window.panels.canvases) != len(window.store.scene.panels):
                raise AssertionError(f"{len(window.panels.canvases)} canvases, {len(window.store.scene.panels)} panels")
            if not 0 <= window.panels.current < len(window.panels.canvases):
                raise AssertionError(f"canvas {window.panels.current} of {len(window.panels.canvases)} is current")
            if door.blamed:
                return

    return door.tried(act, Random(f"answers {seed}")), done


def main() -> None:
    """Rounds until the time is over; prints each cause once, with its round."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.canvases", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        door = Door(Path(folder), answers=False)
        causes, end, number = Counter[str](), time.monotonic() + given.seconds, 0
        while time.monotonic() < end:
            seed = f"{given.seed}/{number}"
            outcome, done = round_of(door, seed)
            number += 1
            for fault in outcome.faults:
                if not causes[fault.cause]:
                    print(f"{fault.cause}\n  round {seed}: {', '.join(done)}\n{fault.detail}")
            causes.update({fault.cause for fault in outcome.faults})
        door.close()
    print(f"{number:,} rounds of {ACTIONS_A_ROUND} actions")
    print("\n".join(f"  {n:6,}  {cause}" for cause, n in causes.most_common()))
    raise SystemExit(bool(causes))


if __name__ == "__main__":
    main()
