"""The table of the points: read, edited, pasted into, by keyboard, and in step with the canvas."""

import numpy as np
import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QPushButton

from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import Moons
from mlviz.data.tables import editing
from mlviz.data.tables.editing import BadCell
from mlviz.ui.tables.points_table import PointsTable
from tests.closing import close_without_asking

pytestmark = pytest.mark.slow

DATA = Dataset([[0.5, 1.0], [2.0, 3.25], [4.0, 5.0]], [0, 1, 0], class_names=("oak", "elm"))
CHECK = Qt.ItemDataRole.CheckStateRole


@pytest.fixture
def table(window):
    window.store.push(window.store.scene.replace(dataset=DATA), "points")
    window.actions_.action("points").trigger()
    found = window.findChild(PointsTable)
    found.window_ = window
    return found


def data(table):
    return table.model.dataset


def shown(table, role=Qt.ItemDataRole.DisplayRole):
    model = table.model
    return [[model.index(i, j).data(role) for j in range(model.columnCount())] for i in range(model.rowCount())]


def go(table, row, column):
    select = QItemSelectionModel.SelectionFlag.ClearAndSelect
    table.view.selectionModel().setCurrentIndex(table.model.index(row, column), select)


def paste(table, text):
    QGuiApplication.clipboard().setText(text)
    table.paste()


def names(dataset):
    return [dataset.class_name(code) for code in dataset.labels]


def test_it_shows_every_point_with_class_and_marks(table):
    assert [row[:3] for row in shown(table)] == [["0.5", "1", "oak"], ["2", "3.25", "elm"], ["4", "5", "oak"]]
    headers = [table.model.headerData(j, Qt.Orientation.Horizontal) for j in range(5)]
    assert headers == ["x1", "x2", "class", "held out", "switched off"]
    assert [row[3:] for row in shown(table, CHECK)] == [[Qt.CheckState.Unchecked] * 2] * 3
    assert not table.model.index(0, 2).data(Qt.ItemDataRole.DecorationRole).isNull()


def test_long_numbers_are_shortened_but_not_lost(table):
    table.model.setData(table.model.index(0, 0), repr(0.1 + 0.2))
    assert table.model.index(0, 0).data() == "0.3"
    assert table.model.index(0, 0).data(Qt.ItemDataRole.EditRole) == "0.30000000000000004"
    table.model.setData(table.model.index(0, 1), "7000001.5")
    assert table.model.index(0, 1).data() == "7000001.5"


def test_a_cell_is_typed_by_keyboard_and_undone(table, qtbot):
    go(table, 1, 0)
    qtbot.keyClick(table.view, Qt.Key.Key_F2)
    editor = table.view.findChild(QLineEdit)
    editor.selectAll()
    qtbot.keyClicks(editor, "-1,75")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: data(table).X[1].tolist() == [-1.75, 3.25])
    assert table.window_.store.undo_what == "edit point"
    qtbot.keyClick(table.view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert data(table).X[1].tolist() == [2.0, 3.25]
    qtbot.keyClick(table.view, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert data(table).X[1].tolist() == [-1.75, 3.25]


@pytest.mark.parametrize(
    ("column", "text", "sentence"),
    [
        (0, "abc", "The column x1 has numbers, and “abc” is no number."),
        (1, " ", "The column x2 has numbers, and there is no number."),
        (1, "inf", "The column x2 has numbers, and “inf” is no number."),
        (2, "", "Every sample has a class; type its name."),
    ],
)
def test_a_bad_entry_gives_a_sentence_and_the_old_value_stays(table, column, text, sentence):
    before = data(table)
    assert not table.model.setData(table.model.index(0, column), text)
    assert table.problem.text() == sentence and data(table) is before
    assert table.model.setData(table.model.index(0, 0), "7")
    assert table.problem.text() == ""


def test_the_same_value_is_no_edit(table):
    what = table.window_.store.undo_what
    assert table.model.setData(table.model.index(0, 0), "0,50")
    assert table.window_.store.undo_what == what


def test_classes_go_by_name_new_ones_too(table):
    table.model.setData(table.model.index(0, 2), "elm")
    table.model.setData(table.model.index(1, 2), "  new   one ")
    assert names(data(table)) == ["elm", "new one", "oak"]
    assert data(table).class_names == ("oak", "elm", "new one")


def test_marks_are_ticked_with_space(table, qtbot):
    go(table, 1, 3)
    qtbot.keyClick(table.view, Qt.Key.Key_Space)
    go(table, 2, 4)
    qtbot.keyClick(table.view, Qt.Key.Key_Space)
    assert data(table).held_out.tolist() == [False, True, False]
    assert data(table).active.tolist() == [True, True, False]
    qtbot.keyClick(table.view, Qt.Key.Key_Space)
    assert data(table).active.all()


def test_marks_leave_the_samples_as_they_were_drawn():
    drawn = Moons(n_samples=6).generate(0)
    assert editing.with_cell(drawn, 1, 3, "yes").source == editing.with_cell(drawn, 1, 4, "yes").source == drawn.source
    assert editing.with_cell(drawn, 1, 0, "3").source is None and editing.with_cell(drawn, 1, 2, "oak").source is None


def test_a_block_is_pasted_at_the_cursor_and_makes_new_rows(table, qtbot):
    go(table, 2, 0)
    QGuiApplication.clipboard().setText("1,5\t-2\tash\r\n7\t8,25\toak\r\n")
    qtbot.keyClick(table.view, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert data(table).X.tolist() == [[0.5, 1], [2, 3.25], [1.5, -2], [7, 8.25]]
    assert names(data(table)) == ["oak", "elm", "ash", "oak"]
    assert table.window_.store.undo_what == "paste 2 rows"
    table.window_.store.undo()
    assert data(table) is DATA


def test_a_part_of_the_columns_is_pasted_and_the_rest_is_the_mean(table):
    table.window_.hand.code = 1
    go(table, 2, 1)
    paste(table, "x2\n10\n20\n")
    assert data(table).X.tolist() == [[0.5, 1], [2, 3.25], [4, 10], [6.5 / 3, 20]]
    assert names(data(table)) == ["oak", "elm", "oak", "elm"]


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("1\t2\toak\nx\t3\toak\n", 0, "Line 2 of the block: the column x1 has numbers, and “x” is no number."),
        ("1\t2\n3\n", 0, "Line 2 of the block has 1 of 2 cells; fill it up."),
        ("1\t2\n", 4, "The block has 2 columns; from switched off on there is room for 1."),
        ("perhaps\n", 3, "Line 1 of the block: held out is yes or no, not “perhaps”."),
        ("", 0, "There is no table on the clipboard."),
    ],
)
def test_a_bad_block_changes_nothing(table, text, column, words):
    go(table, 0, column)
    before = data(table)
    paste(table, text)
    assert table.problem.text() == words and data(table) is before


def test_the_first_points_are_pasted_into_an_empty_table(window):
    window.actions_.action("points").trigger()
    table = window.findChild(PointsTable)
    paste(table, "1\t2\n3\t4\n")
    assert window.store.scene.dataset.X.tolist() == [[1, 2], [3, 4]]


def test_what_is_copied_can_be_pasted(table, qtbot):
    table.view.selectAll()
    qtbot.keyClick(table.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    text = QGuiApplication.clipboard().text()
    assert text.splitlines()[1] == "2\t3.25\telm\tno\tno"
    assert editing.with_pasted_cells(DATA, 0, 0, text)[0] is DATA


def test_rows_are_added_and_deleted(table, qtbot):
    qtbot.keyClick(table.view, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert data(table).X[3].tolist() == [6.5 / 3, 9.25 / 3] and table.view.currentIndex().row() == 3
    go(table, 1, 1)
    qtbot.keyClick(table.view, Qt.Key.Key_Delete)
    assert data(table).X[:, 0].tolist() == [0.5, 4, 6.5 / 3]
    assert table.view.currentIndex().row() == 1
    table.view.selectAll()
    table.delete_rows()
    table.delete_rows()
    assert len(data(table)) == 0 and table.model.rowCount() == 0


def test_delete_inside_a_cell_removes_a_letter_only(table, qtbot):
    go(table, 0, 0)
    qtbot.keyClick(table.view, Qt.Key.Key_F2)
    editor = table.view.findChild(QLineEdit)
    editor.setCursorPosition(0)
    qtbot.keyClick(editor, Qt.Key.Key_Delete)
    assert editor.text() == ".5" and len(data(table)) == 3


def test_the_selection_is_that_of_the_canvas_both_ways(table):
    hand = table.window_.hand
    hand.select([0, 2], DATA)
    chosen = {index.row() for index in table.view.selectionModel().selectedIndexes()}
    assert chosen == {0, 2}
    go(table, 1, 0)
    assert hand.selection(DATA).tolist() == [1]
    table.view.selectAll()
    assert hand.selection(DATA).tolist() == [0, 1, 2]


def test_it_follows_the_canvas(table):
    store = table.window_.store
    store.push(store.scene.replace(dataset=DATA.move([0], [[9.0, 8.0]])), "move")
    assert shown(table)[0][:2] == ["9", "8"]
    store.push(store.scene.replace(dataset=DATA.add([[1.0, 1.0]], 0)), "add")
    assert table.model.rowCount() == 4
    store.undo()
    store.undo()
    assert table.model.rowCount() == 3 and shown(table)[0][:2] == ["0.5", "1"]


def test_closing_the_window_closes_it(table):
    close_without_asking(table.window_)
    assert not table.isVisible()


def test_every_button_can_be_reached(table):
    assert all(
        button.text() and button.focusPolicy() & Qt.FocusPolicy.TabFocus for button in table.findChildren(QPushButton)
    )


def test_a_class_too_many_is_refused():
    many = Dataset(np.zeros((100, 2)), np.arange(100))
    with pytest.raises(BadCell, match="100 classes already"):
        editing.with_cell(many, 0, 2, "one more")


def test_a_scattered_selection_is_told_to_the_view_near_the_rows_seen_only(table):
    """Qt takes long over each piece of a selection: 50,000 pieces kept the window silent for 0.4 s."""
    store, hand, view = table.window_.store, table.window_.hand, table.view
    data = Dataset(np.zeros((100_000, 2)), np.zeros(100_000, int))
    store.push(store.scene.replace(dataset=data), "many")
    every_other = np.arange(0, 100_000, 2)
    hand.select(every_other, data)

    def pieces():
        return len(view.selectionModel().selection())

    def selected(row):
        return view.selectionModel().isSelected(table.model.index(row, 0))

    assert pieces() < 1000 and selected(0) and not selected(1)
    view.scrollToBottom()
    assert pieces() < 1000 and selected(99_998) and not selected(99_999)
    view.selectionModel().select(table.model.index(99_999, 0), QItemSelectionModel.SelectionFlag.Toggle)
    assert np.array_equal(hand.selection(data), [*every_other, 99_999])
    table.copy()
    assert QGuiApplication.clipboard().text().count("\n") == 100_000
    go(table, 99_999, 0)
    assert hand.selection(data).tolist() == [99_999]
    hand.select(every_other, data)
    table.delete_rows()
    assert len(store.scene.dataset) == 50_000 and pieces() < 2
    view.scrollToBottom()
    assert pieces() < 2
