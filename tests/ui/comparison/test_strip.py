"""The table under the canvases: closed until asked for, in step with the hand, its rows lead to the canvases."""

import csv
import io

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from mlviz.algorithms import registry
from mlviz.picture import draw
from mlviz.picture.comparison import compared
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene import comparing, edits
from mlviz.scene.defaults import default_scene
from mlviz.scene.scene import Panel
from tests.sweep import share
from tests.ui.samples import some_points

KEY = Qt.Key


def scene_of(*methods):
    panels = tuple(Panel(Pipeline(registry()[method]())) for method in methods)
    return default_scene().replace(dataset=some_points(30), panels=panels)


def answer(window, fits=None):
    """Show what the worker would answer, and what follows a moment later; `fits` are not made again."""
    pictures = draw(window.store.scene, [(120, 90)] * len(window.store.scene.panels), 8, "facts", fits=fits)
    for picture in pictures:
        window.link.pictured.emit(picture)
    window.comparison._write()
    return compared(window.store.scene, dict(enumerate(pictures)))


def shown(window):
    table = window.comparison.table
    return [[table.item(row, k).text() for k in range(table.columnCount())] for row in range(table.rowCount())]


def head_of(window):
    table = window.comparison.table
    return [table.horizontalHeaderItem(k).text() for k in range(table.columnCount())]


@pytest.fixture
def opened(staged):
    """The kept window on three canvases with the table open, in the order of the canvases."""
    window = staged(scene_of("svm", "knn", "lda"))
    if window.comparison.table is None or not window.comparison.table.isVisible():
        window.actions_.action("comparison").trigger()
    window.comparison.table.horizontalHeader().sectionClicked.emit(0)
    return window


def test_it_is_closed_until_asked_for_and_stays_as_it_was_left(make_window):
    window = make_window(scene_of("svm", "knn"))
    assert window.comparison.isVisible() and window.comparison.table is None
    window.comparison.head.click()
    assert window.comparison.table.isVisible()
    other = make_window(scene_of("svm", "knn"))
    assert other.comparison.table.isVisible()
    other.actions_.action("comparison").trigger()
    assert not other.comparison.table.isVisible()
    assert make_window(scene_of("svm", "knn")).comparison.table is None


def test_a_single_canvas_has_no_strip(staged):
    window = staged(scene_of("svm"))
    assert not window.comparison.isVisible()
    window.actions_.action("add panel").trigger()
    assert window.comparison.isVisible()
    window.actions_.action("remove panel").trigger()
    assert not window.comparison.isVisible()


def test_the_table_on_the_screen_is_the_pure_one(opened):
    table = answer(opened)
    assert head_of(opened)[1:] == [column.name for column in table.columns]
    for row, words in zip(table.rows, shown(opened), strict=True):
        assert words[0] == f"{row.panel + 1}  {row.name}"
        assert words[1:] == ["–" if fact is None else str(fact) for fact in row.cells]


def test_a_click_on_a_head_orders_and_one_on_a_row_goes_to_its_canvas(opened):
    pure = answer(opened)
    table = opened.comparison.table
    section = head_of(opened).index("fit time")
    for falling in (False, True):
        table.horizontalHeader().sectionClicked.emit(section)
        assert [row.panel for row in table.rows] == [row.panel for row in pure.ordered(section - 1, falling)]
    last = table.rows[2].panel
    at = table.visualItemRect(table.item(2, 0)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert opened.current == last
    opened.panels.choose((last + 1) % 3)
    assert table.rows[table._marked].panel == opened.current
    table.horizontalHeader().sectionClicked.emit(0)
    assert [row.panel for row in table.rows] == [0, 1, 2]


def test_keys_go_through_the_rows_and_order_them(opened):
    answer(opened)
    table = opened.comparison.table
    opened.activateWindow()
    table.setFocus()
    table.setCurrentCell(0, 0)
    for key, current in ((KEY.Key_Down, 1), (KEY.Key_Down, 2), (KEY.Key_Up, 1)):
        QTest.keyClick(table, key)
        assert opened.current == current and table.hasFocus()
    table.setCurrentCell(1, 1)
    QTest.keyClick(table, KEY.Key_Return)
    assert table._by == head_of(opened)[1]


def test_rows_keep_their_places_under_the_hand(opened):
    answer(opened)
    table = opened.comparison.table
    table.order_by(head_of(opened).index("fit time"))
    rng = np.random.default_rng(0)
    for _ in range(6):
        before = [row.panel for row in table.rows]
        data = opened.store.scene.dataset
        moved = data.move([0], rng.normal(0, 0.3, (1, 2)))
        opened.store.push(opened.store.scene.replace(dataset=moved), "move", merge="hand")
        answer(opened)
        assert [row.panel for row in table.rows] == before
    opened.store.settle()
    pure = answer(opened)
    place = [column.name for column in pure.columns].index("fit time")
    assert [row.panel for row in table.rows] == [row.panel for row in pure.ordered(place)]


def test_pictures_do_not_wait_for_the_table(opened, qtbot):
    answer(opened)
    written = []
    table = opened.comparison.table
    original = table.show_comparison
    table.show_comparison = lambda *args: (written.append(1), original(*args))
    pictures = draw(opened.store.scene, [(120, 90)] * 3, 8)
    for _ in range(40):
        for picture in pictures:
            opened.link.pictured.emit(picture)
    assert not written
    qtbot.waitUntil(lambda: bool(written))
    assert len(written) <= 2  # of 120 pictures


def test_another_method_in_a_canvas_moves_nothing(opened):
    fits = {}
    answer(opened, fits)
    table = opened.comparison.table

    def places():
        return [part.geometry() for part in (*opened.panels.canvases, table, opened.comparison, opened.player)]

    before = places()
    for method in share(registry(), "strip", 2):
        opened.store.push(edits.with_method(opened.store.scene, 1, method), "method")
        answer(opened, fits)
        QApplication.processEvents()
        assert places() == before, method


@pytest.mark.parametrize("separator", ["clipboard", "file"])
def test_the_table_can_be_taken_along(opened, monkeypatch, tmp_path, separator):
    pure = answer(opened)
    opened.comparison.table.order_by(1)
    target = tmp_path / "table.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args, **options: (str(target), ""))
    if separator == "file":
        opened.comparison.ask_save()
        text = target.read_text("utf-8")
    else:
        opened.comparison.copy()
        mime = QApplication.clipboard().mimeData()
        text = bytes(mime.data("text/csv").data()).decode()
        assert mime.text() == text.replace(",", "\t") or "\t" in mime.text()
    rows = pure.ordered(0)
    assert [line[0] for line in csv.reader(io.StringIO(text))][1:] == [str(row.panel + 1) for row in rows]
    assert text == pure.text(rows)


def test_six_values_are_six_rows(opened):
    scene = opened.store.scene
    values = comparing.spread(scene, 0, "algorithm.C")
    opened.store.push(comparing.with_values(scene, 0, "algorithm.C", values), "compare C")
    answer(opened)
    assert len(shown(opened)) == 6 and head_of(opened)[1] == "C"


def test_in_a_presentation_the_table_is_as_large_as_all_words(opened):
    answer(opened)
    usual = opened.comparison.table.fontMetrics().height()
    opened.presentation.show(True)
    table = opened.comparison.table
    assert table.isVisible() and not opened.comparison.head.isVisible()
    assert table.fontMetrics().height() >= 1.5 * usual
    assert table.height() >= table.wanted_height(3)
    opened.comparison.toggle()
    assert not opened.comparison.isVisible()
