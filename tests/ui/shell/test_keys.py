"""A key does one thing, told on the help page, whatever has the keyboard: what the menu's entry does."""

import itertools

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QLineEdit

from mlviz.data.dataset import Dataset
from mlviz.scene import edits
from mlviz.studies.values import main_parameter
from mlviz.ui.shell import key_routing
from mlviz.ui.shell.actions import Actions
from mlviz.ui.shell.help_pages import shortcuts_page
from mlviz.ui.shell.menu.commands import COMMANDS
from mlviz.ui.shell.player import BUTTONS
from tests.ui.hands import NONE

# A limit of the platform without a screen, whenever a list pops up.
pytestmark = pytest.mark.qt_log_ignore("does not support grabbing the keyboard")
KEYS = [(command.id, key) for command in COMMANDS for key in command.keys]
ARROWS = ("Left", "Right", "Up", "Down")
ENDS = ("Home", "End", "PgUp", "PgDown")
PLACES = {
    "canvas": (lambda window: window.canvas, ()),
    "canvas with points selected": (lambda window: window.canvas, ARROWS),
    "layer": (lambda window: next(iter(window.sidebar.layers.boxes.values())), ("Space",)),
    "slider": (lambda window: window.sidebar.hyperparameters.rows["C"].control.slider, (*ARROWS, *ENDS)),
    "method": (lambda window: window.sidebar.chooser.methods, (*ARROWS, *ENDS, "Space")),
    "tool": (lambda window: window.player.buttons["step"], ("Space",)),
    "side plots": (lambda window: window.sides.tabs.tabBar(), ("Left", "Right")),
}
"""What has the keyboard, and which keys of commands are its own there."""


def with_points(window):
    X = np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)])
    window.store.push(window.store.scene.replace(dataset=Dataset(X, [0, 0, 1, 1])), "points")
    return window


def press(widget, key):
    combination = QKeySequence(key)[0]
    QTest.keyClick(widget, combination.key(), combination.keyboardModifiers())


@pytest.fixture
def ran(monkeypatch):
    """The ids of the commands that were run, one after the other; what they do is not done."""
    ids = []
    monkeypatch.setattr(Actions, "_run", lambda actions, command, *_: ids.append(command.id))
    return ids


def test_every_key_runs_its_command_once_wherever_the_keyboard_is(qtbot, ran, make_window, monkeypatch):
    window = with_points(make_window())
    monkeypatch.setattr(window.actions_, "refresh", lambda: None)  # each command can be used, as said below
    with qtbot.waitActive(window):
        window.activateWindow()
    for place, (find, own) in PLACES.items():
        widget = find(window)
        widget.show()
        widget.setFocus()
        assert_runs(window, ran, place, widget, own)


def assert_runs(window, ran, place, widget, own):
    selected = "selected" in place
    for name, key in KEYS:
        window.hand.select([0, 1] if selected else [], window.store.scene.dataset)
        window.actions_.action(name).setEnabled(True)
        ran.clear()
        press(widget, key)
        assert ran == ([] if key in own else [name]), (place, key)
        if isinstance(widget, QComboBox):
            widget.hidePopup()  # Space has opened it


def fields(window):
    """The fields in sight in which something is typed."""
    lines = [line for line in window.findChildren(QLineEdit) if not isinstance(line.parent(), QAbstractSpinBox)]
    return [field for field in (*window.findChildren(QAbstractSpinBox), *lines) if field.isVisible()]


@pytest.mark.parametrize(("method", "presenting"), [("svm", False), ("svm", True), ("kmeans", True)])
def test_who_has_typed_has_the_keys_of_the_canvas_again(qtbot, ran, make_window, monkeypatch, method, presenting):
    window = with_points(make_window())
    monkeypatch.setattr(window.actions_, "refresh", lambda: None)
    window.sidebar.chooser.choose(method)
    if method == "svm":  # with a line of text
        window.store.push(edits.with_value(window.store.scene, 0, "algorithm.kernel", "expression"), "kernel")
    if presenting:
        window.pins.toggle(main_parameter(window.sidebar.panel.pipeline.algorithm))
        window.presentation.show(True)
    with qtbot.waitActive(window):
        window.activateWindow()
    found = fields(window)
    assert found
    for field, end in itertools.product(found, ("Return", "Enter", "Escape")):
        field.setFocus()
        QTest.keyClicks(field, "7")
        press(field, end)
        assert QApplication.focusWidget() is window.canvas, (field.accessibleName(), end)
        assert window.appearance.presenting is presenting
        for name, key in KEYS:
            if key in ("Home", "Right", "Up", "B", "Space"):
                window.actions_.action(name).setEnabled(True)
                ran.clear()
                press(QApplication.focusWidget(), key)
                assert ran == [name] or (presenting and key == "B" and not ran), (field.accessibleName(), end, key)


FRENCH = ("&", "é", '"', "'", "(", "-", "è", "_", "ç")
CZECH = ("+", "ě", "š", "č", "ř", "ž", "ý", "á", "í")
US = tuple("123456789")


def key_at(place, text, keys=NONE, kind=QEvent.Type.ShortcutOverride):
    """A key in that place of the digit row, as X11 and Wayland tell it."""
    return QKeyEvent(kind, ord(text.upper()), keys, 10 + place, 0, 0, text)


def test_the_digit_row_chooses_classes_by_place_on_any_keyboard(qtbot, ran, make_window, monkeypatch):
    window, typed = with_points(make_window()), []
    with qtbot.waitActive(window):
        window.activateWindow()
    for where, layout in itertools.product(PLACES, (FRENCH, CZECH)):
        widget = PLACES[where][0](window)
        widget.setFocus()
        ran.clear()
        typed.clear()
        if isinstance(widget, QComboBox):
            monkeypatch.setattr(type(widget.view()), "keyboardSearch", lambda view, letters: typed.append(letters))
        for place, text in enumerate(layout):
            for kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
                QApplication.sendEvent(widget, key_at(place, text, kind=kind))
        assert ran == [f"class {number}" for number in range(1, 10)] and not typed, (where, layout)
        if isinstance(widget, QComboBox):
            QTest.keyClick(widget, "z")  # no command has it
            assert typed == ["z"]


def test_what_is_typed_or_has_a_meaning_of_its_own_is_no_digit(ran, make_window):
    window = with_points(make_window())
    field = QLineEdit(window)
    for place, text in enumerate(FRENCH):
        QApplication.sendEvent(field, key_at(place, text))
    for keys in (
        Qt.KeyboardModifier.ShiftModifier,
        Qt.KeyboardModifier.ControlModifier,
        Qt.KeyboardModifier.AltModifier,
    ):
        QApplication.sendEvent(window.canvas, key_at(0, "&", keys))
    for place, text in enumerate(US):  # the shortcut of the command takes them
        QApplication.sendEvent(window.canvas, key_at(place, text))
    QApplication.sendEvent(window.canvas, key_at(1, "["))  # as programmers' layouts have it
    assert ran == []


@pytest.mark.parametrize(
    ("system", "codes"),
    [("linux", range(10, 19)), ("win32", range(2, 11)), ("darwin", (18, 19, 20, 21, 23, 22, 26, 28, 25))],
)
def test_each_system_has_its_own_names_for_the_places_of_keys(system, codes):
    for number, code in enumerate(codes, start=1):
        scan, virtual = (0, code) if system == "darwin" else (code, 0)
        event = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Egrave, NONE, scan, virtual, 0, "è")
        assert key_routing.digit_at(event, system) == number


def test_every_menu_entry_runs_its_command_once(ran, make_window):
    window = make_window()
    for command in COMMANDS:
        action = window.actions_.action(command.id)
        action.setEnabled(True)
        ran.clear()
        action.trigger()
        assert ran == [command.id]


def test_the_help_page_tells_every_key():
    page = shortcuts_page(COMMANDS, ())
    for _, key in KEYS:
        assert QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) in page


def test_the_buttons_of_the_playback_name_the_keys_of_its_commands():
    first = {command.id: command.keys[0] for command in COMMANDS if command.keys}
    assert [first[name.replace("-", " ")] for name, *_ in BUTTONS] == [key for _, _, key, _ in BUTTONS]


def by_key(window, name, key):
    window.canvas.setFocus()
    press(window.canvas, key)


def by_key_in_the_sidebar(window, name, key):
    box = next(iter(window.sidebar.layers.boxes.values()))
    box.setFocus()
    press(box, key)


def by_keypad(window, name, key):
    window.canvas.setFocus()
    QTest.keyClick(window.canvas, QKeySequence(key)[0].key(), Qt.KeyboardModifier.KeypadModifier)


def by_menu(window, name, key):
    window.actions_.action(name).trigger()


@pytest.mark.parametrize("way", [by_key, by_key_in_the_sidebar, by_keypad, by_menu])
def test_a_digit_makes_a_class_the_active_one_and_moves_the_selected_points_into_it(window, way):
    with_points(window).hand.select([0, 3], window.store.scene.dataset)
    way(window, "class 3", "3")
    assert window.hand.code == 2
    assert window.store.scene.dataset.labels.tolist() == [2, 0, 1, 2]
    assert window.hand.selection(window.store.scene.dataset).tolist() == [0, 3]
    assert window.store.undo_what == "relabel points"
    window.hand.select([], window.store.scene.dataset)
    way(window, "class 5", "5")
    assert window.hand.code == 4
    assert window.store.scene.dataset.labels.tolist() == [2, 0, 1, 2]


@pytest.mark.parametrize("key", ["Delete", "Backspace"])
@pytest.mark.parametrize("way", [by_key, by_key_in_the_sidebar, by_menu])
def test_delete_removes_the_selected_points_and_nothing_else(window, way, key):
    with_points(window)
    way(window, "delete", key)
    assert len(window.store.scene.dataset) == 4
    window.hand.select([0, 3], window.store.scene.dataset)
    way(window, "delete", key)
    assert window.store.scene.dataset.X.tolist() == [[1, 0], [0, 1]]
    window.store.undo()
    assert len(window.store.scene.dataset) == 4


@pytest.mark.parametrize("way", [by_key, by_key_in_the_sidebar])
def test_escape_lets_go_of_one_thing_after_the_other_and_then_leaves_the_presentation(window, way):
    with_points(window).hand.select([0, 3], window.store.scene.dataset)
    window.canvas.toggle_pin()
    way(window, "", "Escape")
    assert not window.hand.pinned and len(window.hand.selection(window.store.scene.dataset)) == 2
    way(window, "", "Escape")
    assert len(window.hand.selection(window.store.scene.dataset)) == 0
    window.presentation.show(True)
    way(window, "", "Escape")
    assert not window.appearance.presenting


@pytest.mark.parametrize("way", [by_key, by_key_in_the_sidebar, by_menu])
def test_the_main_hyperparameter_moves_while_the_panels_are_hidden(window, way):
    window.appearance.toggle_sidebar()
    before = window.store.scene
    for name, key in (("more", "Up"), ("more", "Up"), ("less", "Down")):
        way(window, name, key)
    assert edits.value_at(window.store.scene, 0, "algorithm.C") == 2.0
    window.store.undo()  # in quick succession they were one step
    assert window.store.scene.panels == before.panels


def test_a_handle_can_be_of_the_decision_and_of_the_playback(window):
    with_points(window)
    window.store.push(edits.with_value(window.store.scene, 0, "decision.rule", "threshold"), "rule")
    for value, finished in ((0.5, False), (1.0, False), (1.5, True)):
        window.sides.dragged.emit("decision.threshold", value, finished)
        assert window.store.scene.panels[0].pipeline.decision.threshold == value
        assert window.store.gesturing is not finished
    assert window.sidebar.decision.form.rows["threshold"].control.field.text() == "1.5"
    window.store.undo()
    assert window.store.scene.panels[0].pipeline.decision.threshold == 0.0
    window.sides.dragged.emit("view.step", 2.0, True)
    assert window.store.scene.view.step == 2 and window.store.undo_what == "rule"
