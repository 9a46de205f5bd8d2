"""Naming the classes: button, context menu, key; legend, file and undo."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog, QMenu

from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import Blobs
from mlviz.draw import legend
from mlviz.scene.files import scene_file


@pytest.fixture
def typing(monkeypatch):
    """What is typed when a name is asked for; keeps what was asked."""
    asked = []

    def answer(name, agree=True):
        def answer_dialog(dialog):
            asked.append((dialog.labelText(), dialog.textValue()))
            dialog.setTextValue(name)
            return agree

        monkeypatch.setattr(QInputDialog, "exec", answer_dialog)
        return asked

    return answer


def names(window):
    return window.store.scene.dataset.class_names


def test_a_name_is_kept_with_the_samples_and_their_source():
    data = Blobs().generate(0)
    named = data.rename(1, "ill")
    assert named.class_names == ("class 1", "ill") and named.names() == ("class 1", "ill", "class 3")
    assert named.key != data.key and named.source == data.source and named.X is not None
    assert named.rename(1, "").class_names == ()
    assert named.rename(0, "well").rename(1, "class 2").class_names == ("well",)
    assert Dataset.empty().rename(3, "d").class_name(3) == "d"


def test_a_double_click_on_a_class_renames_it_undoably(qtbot, window, typing, tmp_path):
    window.presets.draw(Blobs().generate(0))
    asked = typing("  healthy   people ")
    button = window.actions_.classes.buttons[1]
    qtbot.mouseDClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(asked))
    assert asked == [("Name of class 2 (empty for the usual one):", "class 2")]
    assert names(window) == ("class 1", "healthy people")
    assert button.accessibleName() == "healthy people" and "healthy people" in button.toolTip()
    assert window.actions_.action("class 2").text() == "Class &2: healthy people"
    data = window.store.scene.dataset
    assert [entry.label for entry in legend.entries((), data.labels, data.names())][1] == "healthy people"
    scene_file.save(window.store.scene, tmp_path / "named.mlviz")
    assert scene_file.load(tmp_path / "named.mlviz").dataset.class_names == names(window)
    window.store.undo()
    assert names(window) == () and window.actions_.action("class 2").text() == "Class &2"


def test_the_context_menu_of_a_class_renames_it(window, typing, monkeypatch):
    monkeypatch.setattr(QMenu, "popup", lambda *_: None)
    asked = typing("b")
    button = window.actions_.classes.buttons[2]
    button.customContextMenuRequested.emit(button.rect().center())
    (menu,) = window.actions_.classes.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly)
    assert [action.text() for action in menu.actions()] == ["Rename class 3...", "Colour of class 3"]
    menu.actions()[0].trigger()
    menu.close()
    assert asked and names(window) == ("class 1", "class 2", "b")


def test_the_key_renames_the_active_class(window, typing):
    typing("a & b")
    window.hand.code = 0
    window.actions_.action("rename class").trigger()
    assert names(window) == ("a & b",)
    assert window.actions_.action("class 1").text() == "Class &1: a && b"


def test_a_name_that_is_taken_is_refused_in_a_sentence(window, typing, monkeypatch):
    said = []
    monkeypatch.setattr(window, "complain", said.append)
    typing("class 3")
    window.actions_.action("rename class").trigger()
    assert said == ["Another class is called class 3 already. Choose another name."] and names(window) == ()
    typing("other", agree=False)
    window.actions_.action("rename class").trigger()
    typing("class 1")
    window.actions_.action("rename class").trigger()
    assert window.store.undo_what is None


def test_an_empty_name_is_the_usual_one(window, typing):
    typing("well")
    window.actions_.action("rename class").trigger()
    typing("  ")
    window.actions_.action("rename class").trigger()
    assert names(window) == ()


def test_the_names_stay_when_the_data_are_drawn_again(window, typing):
    window.presets.draw(Blobs().generate(0))
    typing("well")
    window.actions_.action("rename class").trigger()
    window.actions_.action("next seed").trigger()
    assert names(window) == ("well",) and window.store.scene.dataset.source == Blobs(seed=1)


def test_tips_and_what_was_said_in_passing_do_not_outlive_what_they_are_about(window):
    tip = window.actions_.action("class 2").statusTip
    assert tip() == "New points belong to class 2; selected points are moved to it."
    window.say(tip())
    window.store.push(window.store.scene.replace(dataset=Blobs().generate(0).rename(1, "ill")), "draw")
    assert window.status.currentMessage() == ""
    assert tip() == "New points belong to ill; selected points are moved to it."
    window.say("passing")
    window.store.look(window.store.scene.with_view(probe=(1.0, 1.0)))
    assert window.status.currentMessage() == "passing"
