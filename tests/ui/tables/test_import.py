"""Tables on their way into the window: the dialog, the clipboard, what is dropped, and what is written."""

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog

from mlviz.data.dataset import Dataset
from mlviz.data.tables.reading import Format, TableFile, read_table, write_table
from mlviz.scene.defaults import default_scene
from mlviz.ui.tables import importer
from mlviz.ui.tables.dialog import TableDialog

TABLE = b"name,length,width,kind\na,1.5,2,wolf\nb,2.5,,fox\nc,3,4,fox\nd,4,5,wolf\n"
POINTS = Dataset([[0.0, 0.0], [1.0, 2.0]], [0, 1])


@pytest.fixture
def ask(qtbot):
    def make(content=TABLE, present=None, **more):
        dialog = TableDialog(TableFile(content), "animals.csv", present=present, **more)
        qtbot.addWidget(dialog)
        return dialog

    return make


def ok(dialog):
    return dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)


def cells(preview, row):
    return [preview.item(row, j).text() for j in range(preview.columnCount()) if preview.item(row, j)]


def test_it_asks_for_axes_and_class_and_says_what_is_left_out(ask):
    dialog = ask()
    assert dialog.axes == ("length", "width") and dialog.classes.currentText() == "kind"
    said = dialog.notes.toPlainText()
    assert said.startswith("3 samples in 2 classes of 4 rows.")
    assert "1 row skipped without a number in width, in line 3." in said
    assert len(dialog.dataset) == 3 and set(dialog.dataset.class_names) == {"wolf", "fox"}
    dialog.classes.setCurrentIndex(0)
    assert len(set(dialog.dataset.labels.tolist())) == 1


def test_the_preview_shows_the_file_and_dims_what_is_skipped(ask):
    dialog = ask(b"# by hand\nu,v,k\n1.50,2,x\n3\nNA,4,y\n5,6,y\n")
    preview = dialog.preview
    assert [preview.verticalHeaderItem(i).text() for i in range(5)] == ["1", "3", "4", "5", "6"]
    assert cells(preview, 0) == ["# by hand"] and cells(preview, 1) == ["1.50", "2", "x"]
    struck = [preview.item(i, 0).font().strikeOut() for i in range(5)]
    assert struck == [True, False, True, False, False]
    assert preview.item(3, 0).font().bold() and preview.item(3, 1).font().strikeOut()
    assert preview.item(3, 0).toolTip() == "Skipped without a number in u"
    assert not preview.item(4, 2).icon().isNull() and preview.item(3, 2).icon().isNull()


def test_what_was_found_is_named_and_can_be_overruled(ask):
    dialog = ask("größe;breite\n1,5;2\n2,5;3\n".encode("cp1252"))
    row = dialog.format
    found = [box.currentText() for box in row.boxes.values()]
    assert found == [
        "Windows-1252 (Western) (found)", "Semicolon (found)", "Comma: 1,5 (found)", "Names the columns (found)",
        "Usual marks (NA, ?, -)", "Row is skipped", "By spelling: 1, 01",
    ]  # fmt: skip
    assert row.wanted == Format()
    row.boxes["header"].setCurrentIndex(row.boxes["header"].findData(False))
    assert dialog.table.columns == ("column 1", "column 2") and row.wanted == Format(header=False)
    row.boxes["header"].setCurrentIndex(0)
    row.boxes["separator"].setCurrentIndex(row.boxes["separator"].findData("\t"))
    assert not ok(dialog).isEnabled() and "two columns of numbers" in dialog.notes.toPlainText()
    assert dialog.dataset is None
    row.boxes["separator"].setCurrentIndex(0)
    assert ok(dialog).isEnabled() and len(dialog.dataset) == 2


def test_columns_without_a_tick_are_dropped_and_cost_no_row(ask):
    dialog = ask(b"id,u,v,w,k\n1,1,2,3,x\n2,4,5,,y\n3,6,7,8,x\n4,8,8,8,y\n")
    assert dialog.columns.kept == ("u", "v", "w")
    assert dialog.dataset.columns == ("u", "v", "w") and len(dialog.dataset) == 3
    dialog.columns.item(3).setCheckState(Qt.CheckState.Unchecked)
    assert dialog.dataset.columns == ("u", "v") and len(dialog.dataset) == 4
    dialog.x_axis.setCurrentText("w")
    assert dialog.columns.kept == ("u", "v", "w") and len(dialog.dataset) == 3
    dialog.y_axis.setCurrentText("w")
    assert not ok(dialog).isEnabled() and "same column" in dialog.notes.toPlainText()


def test_replace_or_append(ask):
    dialog = ask(present=default_scene().replace(dataset=POINTS), code=1)
    assert len(dialog.dataset) == 3 and not dialog.append.isChecked()
    dialog.append.setChecked(True)
    assert dialog.append.isChecked() and ok(dialog).text() == "&Append"
    data = dialog.dataset
    assert data.X.tolist() == [[0, 0], [1, 2], [1.5, 2], [3, 4], [4, 5]]
    assert [data.class_name(code) for code in data.labels] == ["class 1", "class 2", "wolf", "fox", "wolf"]
    assert "length goes onto x1 and width onto x2; new classes: wolf, fox." in dialog.notes.toPlainText()
    dialog.classes.setCurrentIndex(0)
    assert dialog.dataset.labels.tolist() == [0, 1, 1, 1, 1]


def test_nothing_to_append_to_is_no_question(ask):
    assert not ask(present=default_scene()).append.isVisibleTo(None)


def test_it_works_by_keyboard_and_every_control_has_a_name(ask, qtbot):
    dialog = ask()
    dialog.show()
    for widget in (dialog.preview, dialog.columns, dialog.x_axis, dialog.y_axis, dialog.classes, dialog.notes):
        assert widget.accessibleName()
    qtbot.keyClick(dialog.x_axis, Qt.Key.Key_Return)
    assert dialog.result() == TableDialog.DialogCode.Accepted


def test_it_fits_an_old_projector(ask):
    dialog = ask(",".join(f"a rather long name {i}" for i in range(200)).encode() + b"\n" + b",".join([b"1"] * 200))
    assert dialog.minimumSizeHint().width() <= 1000 and dialog.minimumSizeHint().height() <= 700


def big(n=60_000):
    rng = np.random.default_rng(0)
    return "u,v,k\n" + "".join(f"{x:.6f},{y:.6f},{'xyz'[i % 3]}\n" for i, (x, y) in enumerate(rng.normal(size=(n, 2))))


def test_a_long_table_is_read_beside_the_window(ask, qtbot):
    dialog = ask(big().encode())
    assert dialog.reader.busy and not ok(dialog).isEnabled()
    assert dialog.notes.toPlainText() == "Reading animals.csv ..."
    qtbot.waitUntil(lambda: not dialog.reader.busy)
    assert ok(dialog).isEnabled() and len(dialog.dataset) == 60_000


def test_reading_can_be_given_up(ask):
    dialog = ask(big().encode())
    process = dialog.reader._process
    dialog.reject()
    assert not dialog.reader.busy and not process.is_alive()


def test_a_reading_that_dies_is_said_in_a_sentence(ask, qtbot):
    dialog = ask(big().encode())
    dialog.reader._process.kill()
    qtbot.waitUntil(lambda: not dialog.reader.busy)
    assert "too large for the memory" in dialog.notes.toPlainText() and not ok(dialog).isEnabled()


def paste(window, qtbot, text, n):
    QGuiApplication.clipboard().setText(text)
    window.actions_.action("paste").trigger()
    qtbot.waitUntil(lambda: len(window.store.scene.dataset) == n)
    return window.store.scene.dataset


def test_points_from_a_spreadsheet_are_appended_at_once(window, qtbot):
    window.hand.code = 2
    data = paste(window, qtbot, "1,5\t2\n3\t4,25\n", 2)
    assert data.X.tolist() == [[1.5, 2], [3, 4.25]] and data.labels.tolist() == [2, 2]
    assert window.store.undo_what == "paste 2 samples"
    data = paste(window, qtbot, "x2\tx1\tkind\n50\t5\tclass 1\n70\t7\tnew\n", 4)
    assert data.X[2:].tolist() == [[5, 50], [7, 70]]  # by their names
    assert [data.class_name(code) for code in data.labels[2:]] == ["class 1", "new"]
    x0, x1, _, y1 = window.store.scene.view.limits
    assert x0 < 1.5 and x1 > 7 and y1 > 70
    window.store.undo()
    assert len(window.store.scene.dataset) == 2


def test_text_that_is_not_clear_asks(window, qtbot, monkeypatch):
    asked = []
    monkeypatch.setattr(TableDialog, "exec", lambda dialog: bool(asked.append(dialog.windowTitle())))
    for text in ("1\t2\t3\n4\t5\t6\n", "1\t2\n3\n4\t5\n", "1\tx\n2\ty\n"):
        window.importing.take_text(text)
    assert asked == ["Table: the clipboard"] * 3 and len(window.store.scene.dataset) == 0


def test_an_empty_clipboard_is_no_error(window, qtbot):
    QGuiApplication.clipboard().clear()
    window.actions_.action("paste").trigger()
    assert "no table" in window.status.currentMessage()


def test_files_and_text_can_be_dropped(window, qtbot, monkeypatch, tmp_path):
    said, opened = [], []
    monkeypatch.setattr(window, "complain", said.append)
    monkeypatch.setattr(window.documents, "open", opened.append)
    data = QMimeData()
    data.setText("1 2\n3 4\n")
    assert window.importing.takes(data)
    window.importing.take(data)
    qtbot.waitUntil(lambda: len(window.store.scene.dataset) == 2)
    files = [tmp_path / "a.csv", tmp_path / "b.csv"]
    data.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    window.importing.take(data)
    assert said == ["These are 2 files; one at a time can be opened."]
    data.setUrls([QUrl.fromLocalFile(str(files[0]))])
    window.importing.take(data)
    qtbot.waitUntil(lambda: opened == files[:1])
    assert not window.importing.takes(QMimeData())


def test_a_table_is_opened_and_its_columns_are_chosen_anew(window, monkeypatch, tmp_path):
    path = tmp_path / "animals.csv"
    path.write_bytes(TABLE)
    monkeypatch.setattr(TableDialog, "exec", lambda _: True)
    window.documents.open(path)
    assert window.store.scene.axes == ("length", "width")
    assert all(panel.pipeline.preprocessing == "standardize" for panel in window.store.scene.panels)
    assert not window.documents.modified

    def swap(dialog):
        assert dialog.classes.currentText() == "kind" and not dialog.append.isVisibleTo(dialog)
        dialog.x_axis.setCurrentText("width")
        dialog.y_axis.setCurrentText("length")
        dialog.classes.setCurrentIndex(0)
        return True

    monkeypatch.setattr(TableDialog, "exec", swap)
    window.importing.ask_columns()
    assert window.store.scene.axes == ("width", "length")
    assert window.store.scene.dataset.class_names == ()


def test_a_file_is_appended(window, monkeypatch, tmp_path):
    path = tmp_path / "animals.csv"
    path.write_bytes(TABLE)
    window.store.push(window.store.scene.replace(dataset=POINTS), "points")

    def append(dialog):
        dialog.append.setChecked(True)
        return True

    monkeypatch.setattr(TableDialog, "exec", append)
    window.documents.open(path)
    assert len(window.store.scene.dataset) == 5 and window.store.undo_what == "append animals.csv"
    assert window.documents.modified


@pytest.mark.parametrize(("name", "words"), [("empty.csv", "empty"), ("gone.csv", "No such file")])
def test_a_file_that_is_no_table_is_said(window, monkeypatch, tmp_path, name, words):
    said = []
    monkeypatch.setattr(window, "complain", said.append)
    monkeypatch.setattr(TableDialog, "exec", lambda _: False)
    (tmp_path / "empty.csv").write_bytes(b"\n\n")
    window.documents.open(tmp_path / name)
    assert len(said) == 1 and said[0].startswith(f"{name} was not opened") and words in said[0]


def test_what_is_saved_is_read_again_to_the_last_bit(window, monkeypatch, tmp_path):
    path = tmp_path / "points.csv"
    rng = np.random.default_rng(1)
    names = ("plain", "a, b", 'say "yes"', "=1+1", "-x", "@home", "été")
    X = np.concatenate((rng.normal(size=(40, 2)) * 10.0 ** rng.integers(-300, 300, (40, 1)), [[0.1 + 0.2, -0.0]]))
    held_out, active = np.arange(41) % 3 == 0, np.arange(41) % 5 != 0
    data = Dataset(X, np.arange(41) % 7, ("a;b", 'c "d"'), "kind", names, held_out, active)
    window.store.push(window.store.scene.replace(dataset=data), "points")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path.with_suffix("")), ""))
    window.actions_.action("save table").trigger()
    again = read_table(path).dataset()
    assert again.columns == data.columns and again.class_column == "kind"
    np.testing.assert_array_equal(again.X, X)
    np.testing.assert_array_equal(again.held_out, held_out)
    np.testing.assert_array_equal(again.active, active)
    assert [again.class_name(code) for code in again.labels] == [names[code] for code in data.labels]


def test_marks_are_columns_only_where_some_samples_have_them(tmp_path):
    write_table(POINTS, tmp_path / "points.csv")
    assert (tmp_path / "points.csv").read_text() == "x1,x2,class\n0.0,0.0,class 1\n1.0,2.0,class 2\n"


def test_every_column_in_the_choosers_can_be_on_an_axis(ask):
    names = [f"c{j}" for j in range(1100)]  # of which a thousand are kept
    content = "\n".join([",".join(names), *(",".join(str(i * j % 7) for j in range(1100)) for i in range(4))]).encode()
    for present in (None, default_scene().replace(dataset=POINTS)):
        dialog = ask(content, present)
        for chosen in (("c1050", "c0"), ("c999", "c1099")):
            dialog.x_axis.setCurrentText(chosen[0])
            dialog.y_axis.setCurrentText(chosen[1])
            dialog.append.setChecked(present is not None)
            assert dialog.axes == chosen and ok(dialog).isEnabled()
            if present is None:
                scene = importer.with_columns(default_scene(), dialog.dataset, dialog.axes)
                assert scene.axes == chosen
            else:
                assert len(dialog.dataset) == len(POINTS) + 4
