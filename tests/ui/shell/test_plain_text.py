"""Names and words from files are shown as they are: nothing in the window takes them for markup, or loads a picture."""

import json
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QLabel,
    QListWidget,
    QMessageBox,
    QTableWidget,
    QTextEdit,
    QWidget,
)

import mlviz
from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.data.tables.reading import TableFile
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.recovery.copies import Copy
from mlviz.recovery.slots import CopySlot, LeftoverCopy
from mlviz.scene.defaults import default_scene
from mlviz.scene.files import scene_file
from mlviz.scene.scene import Panel, Scene, View
from mlviz.ui.documents.recovery import RecoveryDialog
from mlviz.ui.documents.saving import ask_about_change
from mlviz.ui.shell import help_pages
from mlviz.ui.tables.dialog import AxesDialog, TableDialog
from mlviz.ui.tables.points_table import PointsTable
from mlviz.ui.widgets.dialogs import confirm
from mlviz.ui.widgets.parts import as_tooltip

MARK = "<b>x</b>"
NASTY = f'{MARK}<img src="file:///x"><a href="file:///x">y</a>'
FILE = "<b>x<img src=x>.mlviz"
NEEDLES = ("<b>", "<img", "<a ")


def raw(text):
    """Whether the words from outside stand in the text as they are, and Qt would take it for markup."""
    return any(needle in text for needle in NEEDLES) and GuiQt.mightBeRichText(text)


def rendered(top):
    """The widgets that would show markup from outside as such, and what."""
    found = []
    for widget in (top, *top.findChildren(QWidget)):
        name = f"{type(widget).__name__} {widget.accessibleName() or widget.objectName()}"
        if isinstance(widget, QLabel) and widget.textFormat() != Qt.TextFormat.PlainText and raw(widget.text()):
            found.append((name, widget.text()))
        if isinstance(widget, QMessageBox) and widget.textFormat() != Qt.TextFormat.PlainText:
            found += [(name, text) for text in (widget.text(), widget.informativeText()) if raw(text)]
        if (
            isinstance(widget, QTextEdit)
            and "<b>" not in widget.toPlainText()
            and MARK[3:4] + "\ufffc" in widget.toPlainText()
        ):
            found.append((name, widget.toPlainText()))
        found += [(f"tooltip of {name}", tip) for tip in (widget.toolTip(), widget.whatsThis()) if raw(tip)]
        if isinstance(widget, QListWidget):
            items = [widget.item(i) for i in range(widget.count())]
            found += [(f"tooltip in {name}", item.toolTip()) for item in items if raw(item.toolTip())]
        if isinstance(widget, QTableWidget):
            cells = [widget.item(i, j) for i in range(widget.rowCount()) for j in range(widget.columnCount())]
            found += [(f"tooltip in {name}", cell.toolTip()) for cell in cells if cell and raw(cell.toolTip())]
    found += [("tooltip of an action", a.toolTip()) for a in top.findChildren(QAction) if raw(a.toolTip())]
    return found


def nasty_data():
    X = np.random.default_rng(0).normal(size=(24, 3))
    columns = (f"{NASTY}1", f"{NASTY}2", "<b>third</b>")
    return Dataset(X, np.arange(24) % 3, columns, class_column=NASTY, class_names=(NASTY, "<b>b</b>", "<i>c</i>"))


def nasty_scene(method, **settings):
    pipeline = Pipeline(registry()[method](**settings))
    return Scene(nasty_data(), (Panel(pipeline, hidden=()),), view=View(probe=(0.2, 0.1)))


@pytest.fixture
def asked(monkeypatch):
    """What is said of each dialog that is asked meanwhile, which is then given up."""
    told = []

    def look():
        for dialog in QApplication.topLevelWidgets():
            if isinstance(dialog, QDialog) and dialog.isVisible() and dialog.isModal():
                told.append((rendered(dialog), " ".join(label.text() for label in dialog.findChildren(QLabel))))
                QTimer.singleShot(0, dialog, dialog.reject)

    timer = QTimer(interval=10)
    timer.timeout.connect(look)
    timer.start()
    yield told
    timer.stop()


METHODS = {
    "lda": {"prior": "priors by hand"},
    "svm": {},
    "logistic": {},
    "knn": {},
    "l1-svm": {},
    "kernel-rls": {},
    "kmeans": {},
    "linear-regression": {},
    "pca": {},
}


@pytest.mark.parametrize("method", METHODS)
def test_names_of_classes_and_columns_are_plain_in_the_window(window, method):
    scene = nasty_scene(method, **METHODS[method])
    window.store.reset(scene)
    (picture,) = draw(scene, [(100, 80)], 10)
    window.link.pictured.emit(picture)
    window.status.show_place(window.canvas.axes, (0.2, 0.1))
    window.presentation.say(NASTY)
    window.say(f"Saved as {NASTY}")
    QApplication.processEvents()
    assert picture.message is None
    assert not rendered(window)


def test_the_walk_finds_markup(qtbot):
    top = QWidget()
    qtbot.addWidget(top)
    label, plain, tip = QLabel(NASTY, top), QLabel(NASTY, top, textFormat=Qt.TextFormat.PlainText), QLabel("a", top)
    tip.setToolTip(f"of {NASTY}")
    assert label.parent() is plain.parent()
    assert [text for _, text in rendered(top)] == [NASTY, f"of {NASTY}"]
    label.setText("&lt;b&gt;x")
    tip.setToolTip("")
    assert not rendered(top)


def test_a_sentence_about_a_file_is_plain(window, asked):
    window.complain(f"{FILE} was not opened: algorithm is {NASTY!r}.")
    assert len(asked) == 1 and not asked[0][0]


def test_a_scene_with_an_unknown_method_is_refused_in_plain_words(window, asked, tmp_path):
    content = json.dumps(scene_file.to_json(default_scene()))
    method = default_scene().panels[0].pipeline.algorithm.id
    assert f'"{method}"' in content
    path = Path(tmp_path, FILE)
    path.write_text(content.replace(f'"{method}"', json.dumps(NASTY)))
    window.documents.open(path)
    assert len(asked) == 1 and FILE in asked[0][1] and not asked[0][0]


@pytest.mark.parametrize("what", ["confirm", "changed on disk", "unsaved changes"])
def test_questions_about_a_file_are_plain(window, asked, what):
    if what == "confirm":
        confirm(window, "Replace", f"{FILE} exists already. Replace it?")
    elif what == "changed on disk":
        ask_about_change(window, Path(FILE))
    else:
        window.store.push(nasty_scene("svm"), "points")
        window.documents.path = Path(FILE)
        window.documents.may_discard()
    assert len(asked) == 1 and FILE in asked[0][1] and not asked[0][0]


def dialog_of(name, window, tmp_path):
    table = f'"{NASTY}1","{NASTY}2",{MARK}\n1,2,{MARK}\n3,4,{NASTY}\n5,,{MARK}\n'.replace('="file:///x"', "=x").encode()
    if name == "table":
        scene = Scene(nasty_data(), (Panel(Pipeline(registry()["lda"]())),), view=View(axes=(f"{NASTY}1", f"{NASTY}2")))
        return TableDialog(TableFile(table), FILE, window, scene)
    if name == "axes":
        return AxesDialog("Columns", list(nasty_data().columns), nasty_data().columns[:2], window)
    if name == "points":
        return PointsTable(window.desk)
    if name == "words":
        return help_pages.Page("Words", help_pages.words_page(f"There are 3 of {NASTY}."), window)
    slot = CopySlot.new(tmp_path / "copies")
    left = [LeftoverCopy(slot, Copy(default_scene(), f"/{FILE}/{FILE}", "", 100.0))]
    return RecoveryDialog(left, Path(FILE), window)


def test_dialogs_show_what_is_in_files_as_it_is(make_window, qtbot, tmp_path):
    window = make_window()
    window.store.reset(nasty_scene("svm"))
    for name in ("table", "axes", "points", "words", "recovery"):
        dialog = dialog_of(name, window, tmp_path)
        qtbot.addWidget(dialog)
        dialog.show()
        QApplication.processEvents()
        assert not rendered(dialog), name


def test_the_question_for_a_class_name_is_plain(window, asked):
    window.store.reset(nasty_scene("svm"))
    window.hand.code = 0
    window.actions_.action("rename class").trigger()
    assert len(asked) == 1 and MARK in asked[0][1] and not asked[0][0]


def test_the_banner_of_a_presentation_is_plain(window):
    window.presentation.show(True)
    window.presentation.say(NASTY)
    assert window.presentation.banner.text() == NASTY and not rendered(window)


def test_labels_are_made_in_one_place():
    for path in Path(mlviz.__file__).parent.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        assert "QLabel(" not in source or path.name == "parts.py", path
        for silent in ("QMessageBox.warning(", "QMessageBox.question(", "QInputDialog.get", "QMessageBox.information("):
            assert silent not in source, f"{path}: dialogs are shown by `ask`, which takes nothing for markup"


@pytest.mark.parametrize("text", ["<qt><img src=x>", "<b>x</b>", "a < b", "plain"])
def test_no_tooltip_is_taken_for_one_of_ours(text):
    shown = as_tooltip(text)
    assert not raw(shown) and (shown == text) == ("<" not in text)
