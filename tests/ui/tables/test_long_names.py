"""A name can be as long as a file: nothing lays out all of it, which would take minutes."""

import pytest
from PySide6.QtGui import QAction, QFontMetricsF
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QTableWidget,
    QWidget,
)

from mlviz.algorithms import registry
from mlviz.data.tables.appending import append
from mlviz.data.tables.reading import Format, TableFile
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene import edits
from mlviz.scene.defaults import default_scene
from mlviz.scene.scene import Panel
from mlviz.ui.tables.dialog import AxesDialog, TableDialog
from tests.fuzz.window import Door
from tests.sweep import of_families

MOST = 2000
"""Characters of a text: a sentence may name ten things, each by its ends."""
LONG = "a\u0639" * 4_000
"""Words in turn from left to right and from right to left: the slowest to lay out."""
TABLE = f"{LONG}x,{LONG}y,{LONG}\n1,2,{LONG}1\n3,4,{LONG}2\n2,1,{LONG}1\n{LONG}\n".encode()


def texts(root):
    """Every text that a widget lays out."""
    for widget in (root, *root.findChildren(QWidget)):
        match widget:
            case QLabel() | QAbstractButton() | QLineEdit():
                yield widget, widget.text()
            case QComboBox():
                yield from ((widget, widget.itemText(i)) for i in range(widget.count()))
            case QListWidget():
                yield from ((widget, widget.item(i).text()) for i in range(widget.count()))
            case QPlainTextEdit():
                yield from ((widget, line) for line in widget.toPlainText().split("\n"))
            case QTableWidget():
                cells = [widget.item(i, j) for i in range(widget.rowCount()) for j in range(widget.columnCount())]
                cells += [widget.horizontalHeaderItem(j) for j in range(widget.columnCount())]
                yield from ((widget, cell.text()) for cell in cells if cell is not None)
        yield widget, widget.toolTip()
        yield widget, widget.statusTip()
        yield widget, widget.accessibleName()
        yield widget, widget.accessibleDescription()
        yield widget, widget.windowTitle()
    for action in root.findChildren(QAction):
        yield action, action.text()
        yield action, action.toolTip()


@pytest.fixture
def measured(monkeypatch):
    """The texts that were measured for pictures."""
    found = []
    for name in ("horizontalAdvance", "elidedText"):
        kept = getattr(QFontMetricsF, name)

        def spy(fm, text, *rest, kept=kept):
            found.append(text)
            return kept(fm, text, *rest)

        monkeypatch.setattr(QFontMetricsF, name, spy)
    return found


def too_long(root):
    found = ((type(widget).__name__, type(widget.parent()).__name__, text) for widget, text in texts(root))
    return {(*where, text[:20], len(text)) for *where, text in found if len(text) > MOST}


@pytest.fixture(scope="module")
def door(qapp, tmp_path_factory):
    door = Door(tmp_path_factory.mktemp("door"))
    yield door
    door.close()


@pytest.mark.parametrize("method", of_families(sorted(registry())))
def test_names_of_any_length_are_shown_by_their_ends(door, measured, method):
    window = door.window
    data = TableFile(TABLE).read(Format()).select().dataset
    panel = Panel(Pipeline(registry()[method]()))
    scene = edits.with_dataset(default_scene().replace(panels=(panel,)), data, preprocessing="standardize")
    window.store.push(scene.with_view(probe=(0.1, 0.2)), "long names")
    QApplication.processEvents()
    window.grab()
    assert LONG in data.columns[0] and len(data.class_names) == 2
    assert measured and max(map(len, measured)) <= MOST
    assert too_long(window) == set()


def test_a_table_of_long_names_is_asked_about_by_their_ends(door, qtbot):
    dialog = TableDialog(TableFile(TABLE), "t.csv", door.window, present=door.window.store.scene)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.grab()
    assert too_long(dialog) == set()
    # What was chosen is meant as a whole.
    assert dialog.dataset is not None and set(dialog.axes) <= set(dialog.dataset.columns)
    assert LONG in dialog.axes[0] and dialog.choice.classes == dialog.dataset.class_column
    axes = AxesDialog("Columns on the axes", dialog.dataset.columns, dialog.axes, door.window)
    qtbot.addWidget(axes)
    assert too_long(axes) == set() and axes.axes == dialog.axes


def test_what_is_appended_is_told_by_the_ends_of_its_names():
    more = TableFile(TABLE).read(Format()).select().dataset
    present = TableFile(f"x1,x2,{LONG}3\n1,2,3\n2,1,4\n3,4,4\n".encode()).read(Format()).select(None, "").dataset
    joined, how = append(present, ("x1", "x2"), more, more.columns[:2])
    assert len(joined) == len(present) + len(more)
    assert len(how) <= MOST and "stands in for" in how and "new classes" in how
