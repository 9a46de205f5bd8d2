"""What the monkey can do: each action is a function of the window and a random source, and nothing else."""

import os
import signal

import numpy as np
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QSlider,
    QSpinBox,
    QWidget,
)

from mlviz.scene import edits
from mlviz.scene.scene import MAX_PANELS
from mlviz.ui.shell.menu.commands import COMMANDS
from tests.ui.hands import ALT, CTRL, LEFT, MIDDLE, NONE, RIGHT, SHIFT, mouse, turn_wheel

MOST_POINTS = 1500
"""Above this the monkey clears the canvas: it is to try many things, not to wait for a few."""
LEAVING = frozenset({"close", "quit"})
ANEW = frozenset({"new", "open"})
"""What starts another history: done now and then only, so that undo has a long way back."""
WORDS = ("0", "-1", "3", "0,5", "1e3", "1e400", "nan", "abc", "", "  7 ", "99999999999", "−2", "x" * 300)
TEXTS = (
    "1\t2\n3\t4\n",
    "x\ty\tclass\n1,5\t2\ta\n2\t3\tb\n",
    "no table at all",
    "",
    "1;2\n3\n;;;\n",
    "\x00\x01",
    "a,b\n" + "".join(f"{i},{i * i % 7}\n" for i in range(60)),
)
KEYS = tuple(
    dict.fromkeys(
        (
            *(key for command in COMMANDS if command.id not in LEAVING | ANEW for key in command.keys),
            *("Return", "Escape", "Tab", "W", "G", "Shift+Left", "Ctrl+Return", "Shift+Return"),
        )
    )
)


def tidy(window):
    """Keep the scene small enough for thousands of actions."""
    if len(window.store.scene.dataset) > MOST_POINTS:
        window.store.push(edits.without_samples(window.store.scene), "clear data")


def _canvas(window, rng):
    return rng.choice(window.panels.canvases)


def _pixel(canvas, rng):
    return QPoint(rng.randint(-30, canvas.width() + 30), rng.randint(-30, canvas.height() + 30))


def click(window, rng):
    """Click somewhere with some button."""
    canvas = _canvas(window, rng)
    keys = rng.choice([NONE, NONE, NONE, SHIFT, CTRL, ALT])
    QTest.mouseClick(canvas, rng.choice([LEFT, LEFT, LEFT, RIGHT, MIDDLE]), keys, _pixel(canvas, rng))


def drag(window, rng):
    """Press, move and let go, perhaps with Escape or another button in between."""
    canvas = _canvas(window, rng)
    button, keys = rng.choice([LEFT, LEFT, LEFT, RIGHT, MIDDLE]), rng.choice([NONE, NONE, SHIFT, CTRL, ALT])
    at = _pixel(canvas, rng)
    places = canvas.frame().to_pixels(canvas.axes.places(window.store.scene.dataset))
    if len(places) and rng.random() < 0.6:
        at = QPoint(*np.clip(np.rint(places[rng.randrange(len(places))]), -9999, 9999).astype(int).tolist())
    nothing = Qt.MouseButton.NoButton
    mouse(canvas, QEvent.Type.MouseButtonPress, at, button, button, keys)
    for _ in range(rng.randint(0, 12)):
        if canvas not in window.panels.canvases:
            return
        at = at + QPoint(rng.randint(-60, 60), rng.randint(-60, 60))
        mouse(canvas, QEvent.Type.MouseMove, at, nothing, button, keys)
        chance = rng.random()
        if chance < 0.03:
            QTest.keyClick(canvas, Qt.Key.Key_Escape)
        elif chance < 0.06:
            key(window, rng)
        elif chance < 0.3:
            QApplication.processEvents()
    if canvas in window.panels.canvases and rng.random() < 0.97:
        mouse(canvas, QEvent.Type.MouseButtonRelease, at, button, nothing, keys)


def wheel(window, rng):
    """Turn the wheel somewhere."""
    canvas = _canvas(window, rng)
    turn_wheel(canvas, _pixel(canvas, rng), rng.choice([-3, -1, 1, 3]), rng.choice([NONE, NONE, SHIFT, CTRL]))


def hover(window, rng):
    """Move the mouse over a canvas."""
    canvas, nothing = _canvas(window, rng), Qt.MouseButton.NoButton
    mouse(canvas, QEvent.Type.MouseMove, _pixel(canvas, rng), nothing, nothing, NONE)


def double_click(window, rng):
    """Click twice."""
    canvas = _canvas(window, rng)
    QTest.mouseDClick(canvas, LEFT, NONE, _pixel(canvas, rng))


def key(window, rng):
    """Press some key of the key page, where the keyboard is or on the canvas."""
    target = QApplication.focusWidget() if rng.random() < 0.3 else window.canvas
    sequence = QKeySequence(rng.choice(KEYS))
    if target is not None and sequence.count():
        combination = sequence[0]
        QTest.keyClick(target, combination.key(), combination.keyboardModifiers())


def command(window, rng):
    """Run some command of the menus."""
    chosen = rng.choice([c for c in COMMANDS if c.id not in LEAVING | ANEW])
    window.actions_.action(chosen.id).trigger()


def control(window, rng):
    """Move some control beside or below the canvas."""
    poke(rng, [window.sidebar, window.player, window.sides])


def method(window, rng):
    """Choose some method."""
    _choose(window.sidebar.chooser.methods, rng)


def panel(window, rng):
    """Add, remove or choose a canvas."""
    few = len(window.store.scene.panels) < min(3, MAX_PANELS)
    window.actions_.action(rng.choice(["add panel", "next panel"] if few else ["remove panel", "next panel"])).trigger()


def undo(window, rng):
    """Go back and forth in the history."""
    for _ in range(rng.randint(1, 6)):
        rng.choice([window.store.undo, window.store.undo, window.store.redo])()


def resize(window, rng):
    """Give the window another size."""
    width, height = rng.choice([(1100, 740), (1024, 768), (300, 200), (1, 1), (1920, 1080), (640, 900)])
    window.resize(width, height)


def paste(window, rng):
    """Paste some text."""
    QApplication.clipboard().setText(rng.choice(TEXTS))
    QTest.keyClick(window.canvas, Qt.Key.Key_V, CTRL)


def anew(window, rng):
    """Start with an empty canvas or a file."""
    window.actions_.action(rng.choice(sorted(ANEW))).trigger()


def drop(window, rng):
    """Drop some table on the window, or a file that is none."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(rng.choice(sorted(window.monkey_folder.glob("*.[cd]*")))))])
    where, kinds = QPointF(300, 300), Qt.DropAction.CopyAction
    QApplication.sendEvent(window, QDropEvent(where, kinds, data, LEFT, NONE))


def wait(window, rng):
    """Let the program work for a moment."""
    QTest.qWait(rng.choice([0, 5, 30]))


def kill(window, rng):
    """Kill the worker process."""
    worker = window.link._worker
    if worker is not None and worker.pid:
        os.kill(worker.pid, signal.SIGKILL)


def poke(rng, roots):
    """Change one control inside some widgets at random."""
    kinds = (QAbstractButton, QSlider, QComboBox, QAbstractSpinBox, QLineEdit)
    parts = [w for root in roots for w in root.findChildren(QWidget) if isinstance(w, kinds)]
    parts = [w for w in parts if w.isVisible() and w.isEnabled()]
    if not parts:
        return
    match rng.choice(parts):
        case QAbstractButton() as button:
            button.click()
        case QSlider() as slider:
            _slide(slider, rng)
        case QComboBox() as box:
            _choose(box, rng)
        case QSpinBox() as box:
            box.setValue(rng.choice([box.minimum(), box.value() + 1, box.value() - 1, min(box.maximum(), 700)]))
        case QAbstractSpinBox() as box:
            box.lineEdit().setText(rng.choice(WORDS))
            QTest.keyClick(box, Qt.Key.Key_Return)
        case QLineEdit() as line:
            line.setText(rng.choice(WORDS))


def _choose(box, rng):
    able = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
    rows = [row for row in range(box.count()) if (box.model().index(row, 0).flags() & able) == able]
    if rows:
        box.setCurrentIndex(rng.choice(rows))


def _slide(slider, rng):
    ends = slider.minimum(), slider.maximum()
    if rng.random() < 0.5:
        slider.setValue(rng.choice([*ends, rng.randint(*ends)]))
        return
    slider.setSliderDown(True)
    for _ in range(rng.randint(1, 5)):
        slider.setValue(rng.randint(*ends))
        if rng.random() < 0.3:
            QApplication.processEvents()
    slider.setSliderDown(False)


ACTIONS = {
    click: 220, drag: 200, wheel: 30, hover: 50, double_click: 10, key: 120, command: 80, control: 120, method: 50,
    panel: 30, undo: 12, resize: 20, paste: 10, drop: 10, wait: 80, anew: 1,
}  # fmt: skip
"""Action -> how often."""
