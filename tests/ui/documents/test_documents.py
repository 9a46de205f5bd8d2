"""Scenes and tables are opened, saved and dropped on the window."""

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog, QMessageBox

from mlviz.scene.attempts import attempt_of
from mlviz.scene.files import scene_file
from mlviz.scene.notes import Note, Stroke
from tests.ui.samples import some_points, with_points

pytestmark = pytest.mark.slow


def test_a_scene_saved_and_opened_again_is_the_same(window, tmp_path, monkeypatch):
    with_points(window)
    window.sidebar.chooser.choose("knn")
    assert window.documents.modified and window.isWindowModified()
    target = tmp_path / "lecture"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    window.actions_.action("save").trigger()
    path = tmp_path / "lecture.mlviz"
    assert path.exists() and not window.isWindowModified() and "lecture.mlviz" in window.windowTitle()
    saved = window.store.scene
    window.documents.new()
    assert len(window.store.scene.dataset) == 0 and window.store.undo_what is None
    window.documents.open(path)
    opened = window.store.scene
    np.testing.assert_array_equal(opened.dataset.X, saved.dataset.X)
    np.testing.assert_array_equal(opened.dataset.labels, saved.dataset.labels)
    assert opened.panels == saved.panels and opened.seed == saved.seed and not window.documents.modified
    recent = window.preferences.recent
    assert recent.index(path.resolve()) == 0 and recent.count(path.resolve()) == 1


def test_a_bad_file_gives_one_sentence_and_changes_nothing(window, tmp_path, monkeypatch):
    with_points(window)
    before, said = window.store.scene, []
    monkeypatch.setattr(window, "complain", said.append)
    for name, content in (("bad.mlviz", '{"format": 99}'), ("empty.csv", ""), ("words.csv", "a,b\nx,y\n")):
        path = tmp_path / name
        path.write_text(content)
        window.documents.open(path)
        assert said[-1].startswith(name) and "\n" not in said[-1]
    window.documents.open(tmp_path / "missing.csv")
    assert len(said) == 4 and window.store.scene is before


@pytest.mark.parametrize(
    ("answer", "closed"),
    [(QMessageBox.StandardButton.Cancel, False), (QMessageBox.StandardButton.Discard, True)],
)
def test_unsaved_changes_are_asked_about(window, monkeypatch, answer, closed):
    with_points(window)
    monkeypatch.setattr(QMessageBox, "exec", lambda _: answer)
    window.documents.new()
    assert (len(window.store.scene.dataset) == 0) == closed
    with_points(window)
    assert window.close() == closed


def test_a_dropped_scene_opens(qtbot, window, tmp_path):
    path = tmp_path / "dropped.mlviz"
    scene_file.save(window.store.scene.replace(dataset=some_points(5)), path)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    no_keys = Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, no_keys))
    qtbot.waitUntil(lambda: len(window.store.scene.dataset) == 5)


def test_the_data_are_written_as_a_table(window, tmp_path, monkeypatch):
    with_points(window)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "points"), ""))
    window.actions_.action("save table").trigger()
    lines = (tmp_path / "points.csv").read_text().splitlines()
    assert lines[0] == "x1,x2,class" and len(lines) == 31


@pytest.mark.parametrize(
    "drawn",
    [
        {"attempts": (attempt_of("boundary", ("x1", "x2"), [(0, 0), (1, 1)]),)},
        {"notes": (Note(("x1", "x2"), (0.0, 0.0), "words"),)},
        {"strokes": (Stroke(("x1", "x2"), ((0.0, 0.0),)),)},
        {"seed": 7},
        {"colours": (1, 0, 2, 3, 4, 5, 6, 7, 8)},
    ],
    ids=lambda drawn: next(iter(drawn)),
)
def test_whatever_a_file_keeps_is_asked_about_before_it_is_lost(window, drawn):
    assert not window.documents.modified
    window.store.push(window.store.scene.replace(**drawn), "draw")
    assert window.documents.modified and window.isWindowModified()
    window.store.undo()
    assert not window.documents.modified


@pytest.mark.parametrize(("content", "link"), [('{"format": 1, "panels": []}', ": panels is"), ("{}", ". The file is")])
def test_what_is_wrong_in_a_scene_begins_a_sentence_or_goes_on_with_its_place(
    window, monkeypatch, tmp_path, content, link
):
    said = []
    monkeypatch.setattr(window, "complain", said.append)
    (tmp_path / "a.mlviz").write_text(content)
    window.documents.open(tmp_path / "a.mlviz")
    assert len(said) == 1 and said[0].startswith(f"a.mlviz was not opened{link}")
