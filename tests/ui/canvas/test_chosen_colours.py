"""Choosing the colour of a class in the window: menu, key, canvas, side plots, icons, undo and file."""

import numpy as np
import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QMenu

from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import Blobs
from mlviz.data.tables.reading import TableFile
from mlviz.data.tables.shipped import load_shipped
from mlviz.draw import palette
from mlviz.picture.render import draw
from mlviz.scene import edits
from mlviz.scene.files import opening, scene_file
from mlviz.ui.paint.samples import class_icon
from mlviz.ui.tables.dialog import TableDialog

# A limit of the platform without a screen, whenever a menu pops up.
pytestmark = pytest.mark.qt_log_ignore("does not support (grabbing the keyboard|propagateSizeHints|raise)")
FAR = Dataset(np.array([(-2.0, 0.0), (2.0, 0.0), (0.0, 2.0)]), [0, 1, 2])
RED, PINK = 6, 3


def swatches(window, code, monkeypatch):
    """The entries of the menu of a class's colours."""
    monkeypatch.setattr(QMenu, "popup", lambda *_: None)
    bar = window.actions_.classes
    bar.buttons[code].customContextMenuRequested.emit(bar.buttons[code].rect().center())
    menu = bar.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly)[-1]
    return menu.actions()[-1].menu().actions()


def sample_colours(canvas):
    """The colours at the places of the samples, as painted on the screen."""
    image = canvas.grab().toImage()
    places = canvas.frame().to_pixels(canvas.axes.places(canvas.store.scene.dataset))
    scale = image.devicePixelRatio()
    return [image.pixelColor(round(x * scale), round(y * scale)).getRgb() for x, y in places.tolist()]


def pixmap(icon):
    return icon.pixmap(QSize(24, 24)).toImage()


def test_the_menu_of_a_class_offers_nine_looks_and_the_choice_is_seen_at_once(window, monkeypatch):
    window.store.push(window.store.scene.replace(dataset=FAR), "points")
    asked = len(window.link.requests)
    entries = swatches(window, 1, monkeypatch)
    assert [entry.text() for entry in entries] == [
        "Blue circle (now class 1)",
        "Orange square",
        "Green triangle (now class 3)",
        *("Pink diamond", "Yellow star", "Sky blue triangle down", "Red hexagon", "Brown plus", "Grey cross"),
    ]
    assert [entry.isChecked() for entry in entries].index(True) == 1 and all(entry.toolTip() for entry in entries)
    assert pixmap(entries[RED].icon()) == pixmap(class_icon(RED, "light"))
    entries[RED].trigger()
    theme = window.appearance.style.theme
    assert sample_colours(window.canvas) == [palette.class_colour(number, theme) for number in (0, RED, 2)]
    button = window.actions_.classes.buttons[1]
    assert pixmap(button.icon()) == pixmap(class_icon(RED, theme)) and "red hexagon" in button.toolTip()
    assert len(window.link.requests) == asked, "nothing is fitted or drawn anew"
    assert window.documents.modified and window.store.undo_what == "choose colour of class 2"
    assert "red hexagon" in window.canvas.in_words()
    window.store.undo()
    assert sample_colours(window.canvas) == [palette.class_colour(number, theme) for number in (0, 1, 2)]
    assert pixmap(button.icon()) == pixmap(class_icon(1, theme))
    window.store.redo()
    swatches(window, 0, monkeypatch)[RED].trigger()
    assert sample_colours(window.canvas) == [palette.class_colour(number, theme) for number in (RED, 0, 2)]
    swatches(window, 0, monkeypatch)[RED].trigger()
    assert window.store.scene.colours == (6, 0, 2, 3, 4, 5, 1, 7, 8), "what it has already changes nothing"


def test_the_key_opens_the_menu_and_arrows_choose(qtbot, window):
    with qtbot.waitActive(window):
        window.activateWindow()
    window.hand.code = 1
    QTest.keyClick(window.canvas, Qt.Key.Key_F2, Qt.KeyboardModifier.ShiftModifier)
    menu = QApplication.activePopupWidget()
    assert menu.accessibleName() == "Colour of class 2"
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return):
        QTest.keyClick(menu, key)
    assert window.store.scene.colours == (0, 3, 2, 1, 4, 5, 6, 7, 8)


def test_side_plots_weights_and_points_table_follow(window):
    scene = edits.with_method(edits.with_drawn(window.store.scene, Blobs().generate(0)), 0, "lda")
    window.store.push(scene, "points")
    (picture,) = draw(scene, [(300, 300)], resolution=60)
    window.sides.show_plots(picture.sides)
    window.importing.show_points()
    model = window.importing._points.findChild(type(window.importing._points.model))
    cell = model.index(int(np.flatnonzero(scene.dataset.labels == 1)[0]), len(scene.dataset.columns))
    changed = []
    model.dataChanged.connect(lambda *_: changed.append(True))
    window.store.push(edits.with_class_colour(window.store.scene, 1, RED), "colour")
    assert changed and pixmap(model.data(cell, Qt.ItemDataRole.DecorationRole)) == pixmap(class_icon(RED, "light"))
    styles = {pane._style.colours for pane in window.sides.plots.values()}
    assert styles == {window.store.scene.colours}
    weights = edits.with_value(window.store.scene, 0, "weights.balance", "by hand")
    window.store.push(weights, "weights")
    control = window.sidebar.weights.form.rows["class_weight"].control
    assert control.names[1]._symbol.pixmap().toImage() == class_icon(RED, "light").pixmap(QSize(18, 18)).toImage()


def test_a_class_renamed_to_a_colour_gets_it_in_one_step_of_undo(window, monkeypatch):
    window.store.push(window.store.scene.replace(dataset=FAR), "points")
    monkeypatch.setattr(QInputDialog, "exec", lambda dialog: (dialog.setTextValue("rot"), True)[1])
    window.hand.code = 0
    window.actions_.action("rename class").trigger()
    assert palette.class_number(0, window.store.scene.colours) == RED
    assert window.link.requests[-1][0].dataset.class_names == ("rot",)
    window.store.undo()
    assert window.store.scene.colours == () and window.store.scene.dataset.class_names == ()


def test_colours_stay_with_the_names_of_the_classes(window):
    window.presets.draw(Blobs().generate(0))
    window.store.push(edits.with_class_colour(window.store.scene, 0, RED), "colour")
    chosen = window.store.scene.colours
    window.actions_.action("next seed").trigger()
    assert window.store.scene.colours == chosen
    window.presets.draw_preset("moons")
    assert window.store.scene.colours == chosen, "the classes have the names they had"
    window.presets.open_shipped("iris")
    assert window.store.scene.colours == (), "these are other classes"
    window.store.undo()
    assert window.store.scene.colours == chosen


def test_small_pictures_of_examples_show_what_would_be_drawn(window):
    usual = pixmap(window.presets.rows.buttons["moons"].icon())
    window.store.push(edits.with_class_colour(window.store.scene, 0, RED), "colour")
    assert pixmap(window.presets.rows.buttons["moons"].icon()) != usual
    window.store.push(edits.with_dataset(window.store.scene, load_shipped("iris")), "iris")
    assert pixmap(window.presets.rows.buttons["moons"].icon()) == usual


TABLE = b"a,b,kind\n1,2,lila\n2,1,rot\n3,5,rot\n4,4,lila\n5,1,oak\n"


def test_a_table_of_colours_opens_in_them_as_the_dialog_shows(qtbot, window, tmp_path):
    path = tmp_path / "colours.csv"
    path.write_bytes(TABLE)
    dialog = TableDialog(TableFile(TABLE), path.name, window, window.store.scene)
    names = dialog.dataset.class_names
    icons = dialog._icons()
    shown = edits.with_dataset(window.store.scene, dialog.dataset)
    for code, name in enumerate(names):
        assert pixmap(icons[name]) == pixmap(class_icon(palette.class_number(code, shown.colours), "light"))
    assert palette.class_number(names.index("lila"), shown.colours) == PINK
    assert palette.class_number(names.index("rot"), shown.colours) == RED
    assert opening.load(path).scene.colours == shown.colours
    dialog.deleteLater()


def test_appended_classes_have_the_colours_that_the_dialog_shows(window):
    window.store.push(edits.with_class_colour(window.store.scene.replace(dataset=FAR.rename(2, "lila")), 0, PINK), "a")
    dialog = TableDialog(TableFile(TABLE), "more", window, window.store.scene)
    dialog.append.setChecked(True)
    joined = edits.with_samples(window.store.scene, dialog.dataset)
    assert dialog.dataset.class_names == ("class 1", "class 2", "lila", "rot", "oak")
    assert joined.colours == (PINK, 1, 2, RED, 4, 5, 0, 7, 8), "a class that was there keeps what was chosen"
    icons = dialog._icons()
    for code, name in enumerate(dialog.dataset.class_names):
        assert pixmap(icons[name]) == pixmap(class_icon(palette.class_number(code, joined.colours), "light"))
    dialog.deleteLater()


def test_a_window_opens_with_the_colours_of_its_scene(make_window, window):
    scene = edits.with_class_colour(window.store.scene.replace(dataset=FAR), 2, PINK)
    first = make_window(scene)
    assert sample_colours(first.canvas)[2] == palette.class_colour(PINK, first.appearance.style.theme)
    assert (
        first.presets.rows.buttons["blobs"].icon().cacheKey() != window.presets.rows.buttons["blobs"].icon().cacheKey()
    )


def test_a_saved_scene_comes_back_in_its_colours(window, tmp_path):
    window.store.push(edits.with_class_colour(window.store.scene.replace(dataset=FAR), 2, PINK), "colour")
    before = sample_colours(window.canvas)
    scene_file.save(window.store.scene, tmp_path / "scene.mlviz")
    window.store.reset(window.store.scene.replace(colours=()))
    assert sample_colours(window.canvas) != before
    window.documents.may_discard = lambda: True
    window.documents.open(tmp_path / "scene.mlviz")
    assert sample_colours(window.canvas) == before
