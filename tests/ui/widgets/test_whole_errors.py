"""An error in a method that Qt calls below a call from Python is told; it does not end the program without a word."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow
SCRIPT = """
__name__ = "mlviz.tried"
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

class Before(QWidget):
    def event(self, event):
        return super().event(event)

    def focusInEvent(self, event):
        [][len(sys.argv)]

from mlviz.ui.app import make_application

class After(Before):
    def focusInEvent(self, event):
        int("no number")

told = []
sys.excepthook = lambda kind, error, trace: told.append(f"{kind.__name__}: {error}")
app = make_application([])
app.setQuitOnLastWindowClosed(False)
window, parts = QWidget(), [Before(), QWidget(), After()]
layout = QVBoxLayout(window)
for part in parts:
    layout.addWidget(part)
window.show()
window.activateWindow()
parts[1].setFocus()
for wait, part in enumerate(parts):
    QTimer.singleShot(10 * wait, part.setFocus)
    QTimer.singleShot(10 * wait + 5, parts[1].setFocus)
QTimer.singleShot(100, app.quit)
app.exec()
print(*sorted({line.rpartition(": ")[2] for line in told}), sep="; ")
"""


def test_an_error_below_a_call_from_python_is_told():
    ran = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip() == "'no number'; list index out of range"


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="errors are whole by themselves")
def test_each_method_in_place_of_one_of_qts_is_mended_once():
    script = (
        "from mlviz.ui import app; app.make_application([]); app.make_application([])\n"
        "from mlviz.ui.canvas.canvas import Canvas\n"
        "from mlviz.ui.canvas.panel_view import PanelView\n"
        "for method in (Canvas.event, Canvas.keyPressEvent, PanelView.paintEvent, PanelView.in_words):\n"
        "    print(hasattr(method, '__wrapped__'), hasattr(getattr(method, '__wrapped__', None), '__wrapped__'))"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["True", "False"] * 3 + ["False", "False"]


def test_what_else_a_class_is_made_from_is_told_of_it():
    script = (
        "from PySide6.QtCore import QObject; from mlviz.ui import app; app.make_application([])\n"
        "class Told:\n"
        "    def __init_subclass__(cls): print(cls.__name__)\n"
        "class Both(QObject, Told): pass"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["Both"]
