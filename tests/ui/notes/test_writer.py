"""Words and pen in the window: typed on the picture, at their places on the screen and in files, cleared by one key."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from mlviz.draw import palette
from mlviz.picture import draw
from mlviz.scene import edits
from mlviz.scene.defaults import default_scene
from mlviz.scene.notes import INKS, MAX_NOTES, Note, Stroke
from mlviz.ui.figure.figure import export, headless
from mlviz.ui.paint.axes import Style
from mlviz.ui.paint.words import note_boxes
from mlviz.ui.shell.menu.commands import COMMANDS
from tests.draw.test_palette import contrast
from tests.ui.hands import LEFT, NONE, scene_with
from tests.ui.paint.paper import pixels

AXES = ("x1", "x2")
MARKUP = "a <b>bold</b> &amp; 1 < 2"
KEYS = {command.id: command.keys for command in COMMANDS}


def at(canvas, x, y):
    place = canvas.frame().to_pixels([(x, y)])[0]
    return np.rint(place).astype(int).tolist()


def click(window, x, y, canvas=None):
    canvas = canvas or window.canvas
    QTest.mouseClick(canvas, LEFT, NONE, QPoint(*at(canvas, x, y)))


def write(window, words, x=-1.0, y=1.0, end=Qt.Key.Key_Return):
    click(window, x, y)
    field = window.writer.field
    assert field is not None and QApplication.focusWidget() is field
    QTest.keyClicks(field, words)
    QTest.keyClick(field, end)
    assert window.writer.field is None and QApplication.focusWidget() is window.canvas


@pytest.fixture
def writing(qtbot, window):
    qtbot.waitUntil(lambda: QApplication.focusWidget() is window.canvas)
    QTest.keyClick(window.canvas, Qt.Key.Key_J)
    assert window.hand.tool == "text"
    return window


def test_click_type_return_is_a_note_and_one_step_of_undo(writing):
    before = writing.store.scene
    write(writing, MARKUP)
    (note,) = writing.store.scene.notes
    assert (note.words, note.axes, note.ink) == (MARKUP, AXES, "red")
    assert np.allclose(note.place, (-1, 1), atol=2 * writing.canvas.unit().max())
    assert writing.store.scene.dataset is before.dataset and writing.store.undo_what == "write text"
    assert writing.isWindowModified()
    writing.store.undo()
    assert writing.store.scene.notes == () and writing.store.undo_what is None and not writing.isWindowModified()


def test_what_is_typed_is_no_command(writing):
    """Every key of a command that is a letter, a digit, Space, an arrow or Delete is the field's alone."""
    before = writing.store.scene
    single = [key for keys in KEYS.values() for key in keys if "+" not in key and not key.startswith("F")]
    click(writing, 0, 0)
    field = writing.writer.field
    for key in {*single, *"123456789"} - {"PgUp", "PgDown"}:
        name = {"Backspace": "Backspace", "Space": "Space"}.get(key, key)
        code = getattr(Qt.Key, f"Key_{name}", None) or {"[": Qt.Key.Key_BracketLeft, "]": Qt.Key.Key_BracketRight}[key]
        QTest.keyClick(field, code)
    assert writing.writer.field is field and writing.hand.tool == "text" and writing.hand.code == 0
    assert writing.store.scene is before and not writing.hand.pinned


def test_escape_takes_back_what_was_typed_and_nothing_typed_is_nothing(writing):
    before = writing.store.scene
    write(writing, "words", end=Qt.Key.Key_Escape)
    write(writing, "   ")
    assert writing.store.scene is before and writing.hand.tool == "text"


def test_who_clicks_elsewhere_or_takes_another_tool_has_written(writing):
    click(writing, -1, 1)
    QTest.keyClicks(writing.writer.field, "first")
    click(writing, 1, -2)
    assert [note.words for note in writing.store.scene.notes] == ["first"] and writing.writer.field is not None
    QTest.keyClicks(writing.writer.field, "second")
    writing.actions_.action("tool ink").trigger()
    assert [note.words for note in writing.store.scene.notes] == ["first", "second"] and writing.writer.field is None


def test_a_double_click_changes_words_and_empty_ones_are_removed(writing):
    write(writing, "words")
    for wanted in ("other", ""):
        for _ in range(2):
            click(writing, -0.9, 1)
        field = writing.writer.field
        assert field.text() == writing.store.scene.notes[0].words and field.hasSelectedText()
        QTest.keyClick(field, Qt.Key.Key_Delete)
        QTest.keyClicks(field, wanted)
        QTest.keyClick(field, Qt.Key.Key_Return)
        assert [note.words for note in writing.store.scene.notes] == [wanted] * bool(wanted)
    assert writing.store.undo_what == "remove text"
    writing.store.undo()
    writing.store.undo()
    assert [note.words for note in writing.store.scene.notes] == ["words"]


def test_delete_removes_the_selected_words_alone(writing):
    write(writing, "one")
    write(writing, "two", 1, -2)
    click(writing, 1.1, -2)
    QTest.keyClick(writing.canvas, Qt.Key.Key_Delete)
    assert [note.words for note in writing.store.scene.notes] == ["one"]
    assert not writing.actions_.action("delete").isEnabled()


def test_the_keyboard_alone_writes(writing):
    QTest.keyClick(writing.canvas, Qt.Key.Key_Return)
    QTest.keyClick(writing.canvas, Qt.Key.Key_Return)
    QTest.keyClicks(writing.writer.field, "words")
    QTest.keyClick(writing.writer.field, Qt.Key.Key_Return)
    assert [note.words for note in writing.store.scene.notes] == ["words"]


def test_each_key_once_more_is_another_ink(writing):
    inks = []
    for key in (Qt.Key.Key_J, Qt.Key.Key_J, Qt.Key.Key_J, Qt.Key.Key_I, Qt.Key.Key_I):
        QTest.keyClick(writing.canvas, key)
        inks.append((writing.hand.tool, writing.hand.ink))
    assert inks == [("text", "blue"), ("text", "plain"), ("text", "red"), ("ink", "red"), ("ink", "blue")]


def test_one_key_clears_all_and_undo_brings_it_back(writing):
    write(writing, "words")
    QTest.keyClick(writing.canvas, Qt.Key.Key_I)
    click(writing, 1, -2)
    kept = writing.store.scene.notes, writing.store.scene.strokes
    assert len(kept[0]) == len(kept[1]) == 1
    QTest.keyClick(writing.canvas, Qt.Key.Key_C)
    assert (writing.store.scene.notes, writing.store.scene.strokes) == ((), ())
    assert not writing.actions_.action("clear notes").isEnabled()
    writing.store.undo()
    assert (writing.store.scene.notes, writing.store.scene.strokes) == kept


def test_it_all_works_in_a_presentation(writing):
    writing.hand.tool = "pen"
    writing.presentation.show(True)
    QTest.keyClick(writing.canvas, Qt.Key.Key_J)
    assert writing.presentation.banner.isVisible() and "red ink" in writing.presentation.banner.text()
    write(writing, "words b e f")
    QTest.keyClick(writing.canvas, Qt.Key.Key_I)
    click(writing, 1, -2)
    assert (len(writing.store.scene.notes), len(writing.store.scene.strokes)) == (1, 1)
    QTest.keyClick(writing.canvas, Qt.Key.Key_C)
    QTest.keyClick(writing.canvas, Qt.Key.Key_Escape)
    assert writing.appearance.presenting and writing.hand.tool == "pen"
    QTest.keyClick(writing.canvas, Qt.Key.Key_Escape)
    assert not writing.appearance.presenting and not writing.store.scene.notes


def test_too_many_are_refused_in_words(writing):
    note = Note(AXES, (0.0, 0.0), "words")
    writing.store.push(writing.store.scene.replace(notes=(note,) * MAX_NOTES), "write text")
    click(writing, -3, 3)
    assert writing.writer.field is None and "200 texts" in writing.status.currentMessage()


def test_the_worker_is_not_asked_for_them(writing):
    asked = len(writing.link.requests)
    write(writing, "words")
    QTest.keyClick(writing.canvas, Qt.Key.Key_I)
    click(writing, 1, -2)
    QTest.keyClick(writing.canvas, Qt.Key.Key_C)
    assert len(writing.link.requests) == asked


# Where they are, on the screen and in files

BLUE = Note(AXES, (-2.0, 1.0), MARKUP, "blue")
LINE = Stroke(AXES, ((-3.0, -2.0), (0.0, -3.0), (3.0, -2.0)), "red")


def differing(before, after):
    """Left, right, top and bottom of the pixels that differ."""
    rows, columns = np.nonzero((before != after).any(axis=-1))
    return columns.min(), columns.max(), rows.min(), rows.max()


def boxes_of(frame, style):
    """Where the words and the line are to be, each left, right, top, bottom."""
    ((_, box),) = note_boxes(frame, [BLUE], style)
    line = frame.to_pixels(LINE.curve)
    low, high = line.min(axis=0), line.max(axis=0)
    return (box.left(), box.right(), box.top(), box.bottom()), (low[0], high[0], low[1], high[1])


@pytest.mark.parametrize(("theme", "panels"), [("light", 1), ("dark", 2)])
def test_they_are_at_their_places_on_every_canvas(make_window, theme, panels):
    scene = scene_with([(0, 0), (1, 1)])
    window = make_window(scene if panels == 1 else edits.with_another_panel(scene, 0))
    window.appearance.set_theme(theme)
    for canvas in window.panels.canvases:
        frame, style = canvas.frame(), window.appearance.style.for_panels(panels)
        before = pixels(canvas.grab().toImage())
        for noted, where in zip(({"notes": (BLUE,)}, {"strokes": (LINE,)}), boxes_of(frame, style), strict=True):
            window.store.push(window.store.scene.replace(**noted), "")
            found = differing(before, pixels(canvas.grab().toImage()))
            window.store.undo()
            # The letters end a little before their card, which nobody sees on the bare canvas.
            assert np.allclose(found, where, atol=8 if "notes" in noted else 4), (noted, found, where)


@pytest.mark.parametrize("limits", [(-4, 4, -4, 4), (-3, 6, -3.5, 3)])
def test_they_go_with_the_view_and_are_gone_where_their_place_is(staged, limits):
    window = staged(scene_with([(0, 0), (1, 1)]).replace(notes=(BLUE,)))
    window.store.look(window.store.scene.with_view(limits=limits))
    ((_, box),) = note_boxes(window.canvas.frame(), window.store.scene.notes, window.appearance.style)
    x, y = window.canvas.frame().to_pixels([BLUE.place])[0]
    assert abs(box.left() - x) < 1 and box.top() < y < box.bottom()
    window.store.look(window.store.scene.with_view(limits=(5, 9, 5, 9)))
    assert note_boxes(window.canvas.frame(), window.store.scene.notes, window.appearance.style) == []


def test_long_words_stay_within_the_axes_and_go_on_below(staged):
    window = staged()
    frame, style = window.canvas.frame(), window.appearance.style
    for place in ((3.9, 3.9), (-3.9, -3.9), (3.9, -3.9), (0.0, 0.0)):
        ((_, box),) = note_boxes(frame, [Note(AXES, place, "words and words " * 31)], style)
        assert frame.area.contains(box) and box.height() > 100


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
@pytest.mark.parametrize("ink", INKS)
def test_every_ink_can_be_read_on_every_ground(theme, ink):
    """Words have a card of which a tenth is what lies below: the tint of any class, another mark, or the canvas."""
    style = Style(theme=theme)
    letters, card = style.ink(f"{ink} ink").line, style.colors.canvas
    grounds = [card, *(palette.class_colour(number, theme) for number in range(9)), style.colors.text]
    for ground in grounds:
        below = [0.9 * a + 0.1 * b for a, b in zip(card[:3], ground[:3], strict=True)]
        assert contrast(letters, below) >= 4.5, (ground, contrast(letters, below))


def test_a_file_shows_them_where_the_screen_does(tmp_path):
    headless()
    scene, style, size = default_scene(), Style(), (640, 520)
    pictures = draw(scene, [(500, 400)])
    for name, noted in (("none", {}), ("notes", {"notes": (BLUE,)}), ("strokes", {"strokes": (LINE,)})):
        export(tmp_path / f"{name}.png", pictures, scene.replace(**noted), size, style)
    images = {path.stem: pixels_of(path) for path in tmp_path.glob("*.png")}
    words, line = (differing(images["none"], images[name]) for name in ("notes", "strokes"))
    # A unit is as long in both directions, and the line is 6 units wide and half a unit high (its corner is cut).
    unit = (line[1] - line[0] - 3) / 6
    assert np.isclose(words[0], line[0] + unit, atol=3)
    assert np.isclose((words[2] + words[3]) / 2, line[2] - 3 * unit, atol=4)


def pixels_of(path):
    return pixels(QImage(str(path)))


def test_a_file_of_vectors_has_the_words_as_they_are(tmp_path):
    headless()
    scene = default_scene().replace(notes=(BLUE,), strokes=(LINE,))
    export(tmp_path / "a.svg", draw(scene, [(500, 400)]), scene, (640, 520), Style())
    tree = ET.parse(tmp_path / "a.svg")
    written = ["".join(element.itertext()) for element in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert any(MARKUP in words for words in written), written
