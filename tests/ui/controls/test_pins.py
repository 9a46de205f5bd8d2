"""Hyperparameters that are pinned stay at hand in a presentation, in a bar below the canvases."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from mlviz.algorithms import registry
from mlviz.scene import edits
from mlviz.ui.controls.number_control import NumberControl
from mlviz.ui.controls.pinned_bar import MOST
from mlviz.ui.controls.pins import PINNABLE, PinButton, Pins

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
WITH_EACH_KIND = sorted({*{row.kind: name for name, kind in registry().items() for row in kind.parameters()}.values()})
"""Methods that have hyperparameters of all kinds."""


@pytest.fixture
def window(window):
    """The kept window, without the pins that the test has set afterwards: they outlive a scene."""
    yield window
    for name in [*window.pins.names]:
        window.pins.toggle(name)


def pin_of(window, name):
    return window.sidebar.hyperparameters.rows[name].findChild(PinButton)


def present(window):
    window.presentation.show(True)
    QApplication.processEvents()


def choose(window, method, index=0):
    window.store.push(edits.with_method(window.store.scene, index, method), "choose method")
    QApplication.processEvents()


@pytest.mark.parametrize("method", WITH_EACH_KIND)
def test_there_is_a_pin_beside_each_control_of_one_line(kept_window, method):
    window = kept_window
    choose(window, method)
    for name, row in window.sidebar.hyperparameters.rows.items():
        assert row.isAncestorOf(row.control), name  # which is made by now, though it may not be seen
        assert (row.findChild(PinButton) is not None) == (row.parameter.kind in PINNABLE), name
    assert not window.sidebar.pipeline.findChildren(PinButton)


def test_a_pin_is_set_and_let_go_by_a_click_and_kept(make_window, preferences):
    window = make_window()
    for names in (("C",), ()):
        QTest.mouseClick(pin_of(window, "C"), LEFT)
        assert window.pins.names == names == Pins(preferences).names
        assert pin_of(window, "C").isChecked() == bool(names)


def test_what_is_pinned_stands_in_a_bar_of_the_presentation_alone(window):
    present(window)
    assert not window.pinned.isVisible()
    window.presentation.show(False)
    window.pins.toggle("C")
    window.pins.toggle("kernel")
    assert not window.pinned.isVisible()
    present(window)
    assert window.pinned.isVisible() and list(window.pinned.controls) == ["C", "kernel"]
    assert not window.sidebar.isVisible()
    window.presentation.show(False)
    assert not window.pinned.isVisible()


def test_the_bar_moves_the_method_of_the_current_canvas_and_undo_brings_it_back(window):
    window.pins.toggle("C")
    window.actions_.action("add panel").trigger()
    present(window)
    slider = window.pinned.controls["C"].slider
    before = window.store.scene.panels
    QTest.mousePress(slider, LEFT, NONE, slider.rect().center())
    for x in (10, 30, 50):
        QTest.mouseMove(slider, QPoint(slider.width() - x, slider.height() // 2))
    QTest.mouseRelease(slider, LEFT, NONE, QPoint(slider.width() - 50, slider.height() // 2))
    after = window.store.scene.panels
    assert window.current == 1 and after[1].pipeline.algorithm.C > 1 and after[0] == before[0]
    window.store.undo()
    assert window.store.scene.panels == before
    assert window.pinned.controls["C"].field.value == before[1].pipeline.algorithm.C


def test_it_shows_the_values_that_are_set_elsewhere(window):
    window.pins.toggle("C")
    present(window)
    window.actions_.action("more").trigger()
    assert window.pinned.controls["C"].field.value == window.sidebar.panel.pipeline.algorithm.C > 1


def test_it_follows_the_canvas_and_the_canvas_keeps_its_place(window):
    window.pins.toggle("C")
    window.pins.toggle("n_neighbors")
    present(window)
    place = window.canvas.rect().translated(window.canvas.mapTo(window, QPoint()))
    for method, names in (("knn", ["n_neighbors"]), ("lda", []), ("svm", ["C"])):
        choose(window, method)
        assert list(window.pinned.controls) == names
        assert window.canvas.rect().translated(window.canvas.mapTo(window, QPoint())) == place


def test_what_does_not_count_just_now_is_left_out(window):
    window.pins.toggle("sigma")
    window.pins.toggle("kernel")
    present(window)
    assert list(window.pinned.controls) == ["kernel"]
    window.pinned.controls["kernel"].setCurrentText("Gaussian")
    assert list(window.pinned.controls) == ["sigma", "kernel"]


def test_as_many_have_room_as_there_is_for_at_the_least_size(window):
    choose(window, "svm")
    window.store.push(edits.with_value(window.store.scene, 0, "algorithm.kernel", "polynomial"), "kernel")
    for name in ("C", "degree", "coef0", "kernel", "hard_margin"):
        window.pins.toggle(name)
    present(window)
    window.showNormal()
    window.resize(1024, 768)
    QApplication.processEvents()
    assert list(window.pinned.controls) == ["C", "degree", "coef0", "kernel"] and MOST == 4
    for control in window.pinned.controls.values():
        assert window.pinned.rect().contains(control.geometry())
        if isinstance(control, NumberControl):
            assert control.slider.width() >= 50


def test_a_key_pins_the_main_hyperparameter_or_the_one_that_has_the_keyboard(window, qtbot):
    with qtbot.waitActive(window):
        window.activateWindow()
    trigger = window.actions_.action("pin control").trigger
    trigger()
    assert window.pins.names == ("C",)
    window.sidebar.hyperparameters.rows["kernel"].control.setFocus()
    trigger()
    assert window.pins.names == ("C", "kernel")
    trigger()
    assert window.pins.names == ("C",)
    choose(window, "nearest-centroid")
    window.canvas.setFocus()
    trigger()
    assert window.pins.names == ("C",) and "no hyperparameter" in window.status.currentMessage()


def test_a_value_that_cannot_be_taken_is_told_on_the_picture(window):
    window.pins.toggle("C")
    present(window)
    field = window.pinned.controls["C"].field
    field.lineEdit().setText("many")
    field.editingFinished.emit()
    assert "many" in window.presentation.banner.text() and field.value == window.sidebar.panel.pipeline.algorithm.C
