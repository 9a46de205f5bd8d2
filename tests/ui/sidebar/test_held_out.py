"""Points are held out in the side panel, by keys and from the menu; the picture follows, and one undo takes it back."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import Moons
from mlviz.scene import edits
from mlviz.scene.defaults import default_scene
from mlviz.scene.splits import edits as splits
from mlviz.scene.splits import held_count
from mlviz.ui.shell.menu import command_functions
from tests.ui.samples import with_points

SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def drawn(window):
    window.store.reset(edits.with_drawn(default_scene(), Moons(n_samples=80).generate(1)))
    return window


def held_out(window):
    return window.store.scene.dataset.held_out


def test_the_slider_splits_while_it_moves_and_undo_takes_all_of_it_back(qtbot, drawn):
    form = drawn.sidebar.held_out
    control = form.form.rows["share"].control
    control.slider.setSliderDown(True)
    counts = []
    for share in (0.1, 0.4, 0.25):
        control.slider.setSliderPosition(control.field.scale.tick(share))
        assert drawn.store.gesturing
        counts.append(int(held_out(drawn).sum()))
    control.slider.setSliderDown(False)
    assert counts == [8, 32, 20] and not drawn.store.gesturing
    qtbot.waitUntil(lambda: form.head.text() == "Training and test: 20 of 80 held out")
    assert drawn.status.count.text() == "80 points, 20 held out"
    drawn.store.undo()
    assert not held_out(drawn).any() and form.head.text() == "Training and test"
    assert float(control.field.lineEdit().text()) == 0


def test_seed_and_shares_of_classes_split_anew(drawn):
    form = drawn.sidebar.held_out.form
    form.moved.emit("share", 0.25)
    first = held_out(drawn).copy()
    form.moved.emit("seed", 3)
    second = held_out(drawn).copy()
    form.moved.emit("stratified", True)
    np.testing.assert_array_equal(second, splits.split(drawn.store.scene, 0.25, 3).dataset.held_out)
    np.testing.assert_array_equal(held_out(drawn), splits.split(drawn.store.scene, 0.25, 3, True).dataset.held_out)
    assert (first != second).any() and first.sum() == second.sum()


@pytest.mark.parametrize("n", [7, 30, 77])
@pytest.mark.parametrize("count", [1, 2, 5])
def test_the_share_of_what_was_marked_by_hand_is_shown_as_a_round_number(window, n, count):
    with_points(window, n)
    window.store.push(window.store.scene.replace(dataset=window.store.scene.dataset.with_held_out(range(count))), "x")
    shown = float(window.sidebar.held_out.form.rows["share"].control.field.lineEdit().text())
    assert held_count(shown, n) == count and len(f"{shown:g}") <= 5


def test_keys_exchange_split_anew_and_hold_out_the_selection(drawn):
    def press(key, modifiers=Qt.KeyboardModifier.NoModifier):
        QTest.keyClick(drawn.canvas, key, modifiers)

    press(Qt.Key.Key_T, SHIFT)
    first = held_out(drawn).copy()
    assert first.sum() == 24, "three in ten where none is held out"
    press(Qt.Key.Key_T)
    np.testing.assert_array_equal(held_out(drawn), ~first)
    press(Qt.Key.Key_T)
    np.testing.assert_array_equal(held_out(drawn), first)
    press(Qt.Key.Key_T, SHIFT)
    assert held_out(drawn).sum() == 24 and (held_out(drawn) != first).any()
    press(Qt.Key.Key_A, SHIFT)
    assert not held_out(drawn).any()
    drawn.hand.select([3, 4], drawn.store.scene.dataset)
    press(Qt.Key.Key_H, SHIFT)
    press(Qt.Key.Key_O, SHIFT)
    data = drawn.store.scene.dataset
    assert np.flatnonzero(data.held_out).tolist() == np.flatnonzero(~data.active).tolist() == [3, 4]
    assert data.source is not None, "the points are still those that were drawn"
    drawn.actions_.action("all on").trigger()
    assert drawn.store.scene.dataset.active.all()
    for key, tool in ((Qt.Key.Key_H, "hold-out"), (Qt.Key.Key_O, "switch-off")):
        press(key)
        assert drawn.hand.tool == tool


def test_a_second_sample_is_another_one_each_time(drawn):
    first = drawn.store.scene.dataset.X
    samples = []
    for _ in range(3):
        drawn.actions_.action("second sample").trigger()
        data = drawn.store.scene.dataset
        assert len(data) == 160 and held_out(drawn).tolist() == [False] * 80 + [True] * 80
        np.testing.assert_array_equal(data.X[:80], first)
        samples.append(data.X[80:].tobytes())
    assert len(set(samples)) == 3
    drawn.actions_.action("next seed").trigger()
    assert len(drawn.store.scene.dataset) == 160 and held_out(drawn).sum() == 80


def test_a_column_is_asked_for_and_its_value_holds_out(drawn, monkeypatch):
    marks = np.arange(20) % 5 == 0
    X = np.column_stack((np.linspace(0, 1, 20), np.linspace(1, 3, 20) ** 2, marks))
    drawn.store.reset(default_scene().replace(dataset=Dataset(X, np.arange(20) % 2, ("a", "b", "test"))))
    offered = []

    def answer(dialog):
        offered.extend(dialog.comboBoxItems())
        dialog.setTextValue("test = 1")
        return True

    monkeypatch.setattr(command_functions, "ask", answer)
    drawn.actions_.action("split by column").trigger()
    assert offered == ["test = 0", "test = 1", "class = class 1", "class = class 2"]
    assert held_out(drawn).tolist() == marks.tolist()


def test_what_can_not_be_done_can_not_be_chosen(window):
    actions = window.actions_
    names = ("swap split", "no split", "all on", "hold out selected", "switch off selected", "new split")
    assert not any(actions.action(name).isEnabled() for name in names)
    with_points(window)
    assert actions.action("new split").isEnabled() and not actions.action("swap split").isEnabled()


def test_the_part_of_the_side_panel_opens_from_the_menu_when_the_panels_are_hidden(qtbot, drawn):
    drawn.appearance.toggle_sidebar()
    drawn.actions_.action("split").trigger()
    assert drawn.sidebar.isVisible() and drawn.sidebar.held_out.form.isVisible()
