"""The real window: commands, controls, panels, files."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QComboBox, QSlider

from mlviz.assets import asset
from mlviz.data.generators.catalog import Blobs, SineRegression
from mlviz.scene import edits
from mlviz.studies.values import main_parameter
from mlviz.ui.shell.menu.commands import COMMANDS
from tests.ui.hands import NONE, mouse
from tests.ui.samples import told_facts, with_points

pytestmark = pytest.mark.slow


@pytest.fixture
def fresh(make_window):
    """A window of its own: what is new about it is looked at, or what outlives a scene is changed."""
    return make_window()


def shown_roles(canvas):
    return {mark.role for mark in canvas.picture.plot.marks} if canvas.picture is not None else set()


def press(qtbot, window, key, modifiers=Qt.KeyboardModifier.NoModifier):
    qtbot.keyClick(QApplication.focusWidget() or window, key, modifiers)


def test_every_command_has_a_menu_entry_a_tip_and_no_key_means_two_things(window):
    seen = {}
    for command in COMMANDS:
        action = window.actions_.action(command.id)
        assert action in window.actions_.menu(command.menu).actions()
        assert command.tip and command.tip in action.toolTip()
        assert command.keys or command.menu in ("View/Theme", "Help")
        for key in command.keys:
            assert not QKeySequence(key).isEmpty()
            assert seen.setdefault(QKeySequence(key).toString(), command.id) == command.id
        assert command.icon is None or not action.icon().isNull()


def test_keys_choose_tools_classes_and_move_the_main_hyperparameter(qtbot, window):
    window.canvas.setFocus()
    for key, tool in zip("BEMSLRP", ("brush", "eraser", "move", "select", "lasso", "relabel", "pen"), strict=True):
        press(qtbot, window, getattr(Qt.Key, f"Key_{key}"))
        assert window.hand.tool == tool and window.actions_.action(f"tool {tool}").isChecked()
    for number in range(1, 10):
        press(qtbot, window, getattr(Qt.Key, f"Key_{number}"))
        assert window.hand.code == number - 1
        assert window.actions_.action(f"class {number}").isChecked()
    press(qtbot, window, Qt.Key.Key_2, Qt.KeyboardModifier.KeypadModifier)
    assert window.hand.code == 1
    radius = window.hand.radius
    press(qtbot, window, Qt.Key.Key_BracketRight)
    assert window.hand.radius > radius
    name = main_parameter(window.sidebar.panel.pipeline.algorithm)
    before = getattr(window.sidebar.panel.pipeline.algorithm, name)
    press(qtbot, window, Qt.Key.Key_Up)
    press(qtbot, window, Qt.Key.Key_Up)
    assert getattr(window.sidebar.panel.pipeline.algorithm, name) > before
    qtbot.waitUntil(lambda: not window.store.gesturing)
    window.store.undo()
    assert getattr(window.sidebar.panel.pipeline.algorithm, name) == before


def test_arrows_belong_to_the_control_that_has_the_keyboard(qtbot, window):
    slider = window.sidebar.hyperparameters.rows["sigma"].control.slider
    slider.setFocus()
    before, at = window.sidebar.panel.pipeline.algorithm, slider.value()
    qtbot.keyClick(slider, Qt.Key.Key_Up)
    after = window.sidebar.panel.pipeline.algorithm
    assert slider.value() == at + 1 and after.C == before.C and after.sigma > before.sigma


def test_undo_is_the_windows_while_nothing_is_typed(qtbot, window):
    field = window.sidebar.hyperparameters.rows["C"].control.field
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "7")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert window.sidebar.panel.pipeline.algorithm.C == 7
    qtbot.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.sidebar.panel.pipeline.algorithm.C == 1


def test_clear_data_and_reset_method_are_two_things_and_one_undo_each(window):
    with_points(window)
    window.sidebar.hyperparameters.rows["C"].control.field.lineEdit().setText("5")
    window.sidebar.hyperparameters.rows["C"].control.field.editingFinished.emit()
    window.actions_.action("clear data").trigger()
    assert len(window.store.scene.dataset) == 0 and window.sidebar.panel.pipeline.algorithm.C == 5
    window.store.undo()
    window.actions_.action("reset method").trigger()
    assert len(window.store.scene.dataset) == 30 and window.sidebar.panel.pipeline.algorithm.C == 1
    window.store.undo()
    assert window.sidebar.panel.pipeline.algorithm.C == 5


def test_panels_come_and_go_and_each_has_its_own_method(window):
    with_points(window)
    for count in range(2, 7):
        window.actions_.action("add panel").trigger()
        assert len(window.panels.canvases) == count == len(window.link.requests[-1][1])
        assert window.current == count - 1
    assert not window.actions_.action("add panel").isEnabled()
    window.sidebar.chooser.choose("kmeans")
    window.panels.choose(0)
    assert window.sidebar.panel.pipeline.algorithm.id == "svm"
    assert [p.pipeline.algorithm.id for p in window.store.scene.panels] == ["svm"] * 5 + ["kmeans"]
    for _ in range(5):
        window.actions_.action("remove panel").trigger()
    assert window.store.scene.panels[0].pipeline.algorithm.id == "kmeans"
    assert not window.actions_.action("remove panel").isEnabled()
    for _ in range(5):
        window.store.undo()
    assert len(window.panels.canvases) == 6


def test_presentation_shows_the_canvas_alone_and_escape_leaves_it(qtbot, window):
    window.canvas.setFocus()
    press(qtbot, window, Qt.Key.Key_F5)
    assert window.appearance.presenting and not window.menuBar().isVisible() and not window.sidebar.isVisible()
    assert window.appearance.style.text == 1.6
    press(qtbot, window, Qt.Key.Key_B)
    assert window.hand.tool == "pen"
    press(qtbot, window, Qt.Key.Key_Up)
    assert window.sidebar.panel.pipeline.algorithm.C == 2
    press(qtbot, window, Qt.Key.Key_Escape)
    assert not window.appearance.presenting and window.menuBar().isVisible() and window.sidebar.isVisible()


def test_draw_again_takes_the_next_seed(fresh):
    window = fresh
    assert not window.actions_.action("next seed").isEnabled()
    window.store.push(window.store.scene.replace(dataset=Blobs().generate(4)), "draw")
    window.actions_.action("next seed").trigger()
    assert window.store.scene.dataset.source == Blobs().generate(5).source
    np.testing.assert_array_equal(window.store.scene.dataset.X, Blobs().generate(5).X)


def test_regression_data_bring_a_method_that_can_learn_from_them(window):
    window.presets.draw(SineRegression().generate(0))
    assert window.sidebar.panel.pipeline.algorithm.id == "linear-regression"
    window.presets.draw(Blobs().generate(0))
    assert window.sidebar.panel.pipeline.algorithm.id == "svm"
    window.store.undo()
    assert window.sidebar.panel.pipeline.algorithm.id == "linear-regression"


@pytest.mark.parametrize("name", ["iris", "penguins", "faithful", "cars", "huron"])
def test_shipped_data_sets_open_standardized_and_undo_brings_back_what_was(window, name):
    with_points(window)
    window.presets.open_shipped(name)
    scene = window.store.scene
    x0, x1, y0, y1 = scene.view.limits
    places = scene.dataset.X[:, list(scene.axis_columns)]
    assert scene.panels[0].pipeline.preprocessing == "standardize" and not scene.view.equal
    assert x0 < places[:, 0].min() and places[:, 0].max() < x1 and y0 < places[:, 1].min() and places[:, 1].max() < y1
    window.store.undo()
    assert len(window.store.scene.dataset) == 30


def test_themes_change_the_look_and_are_remembered(fresh, preferences):
    window = fresh
    for name in ("dark", "light", "system"):
        window.actions_.action(f"theme {name}").trigger()
        assert preferences.theme == name and window.actions_.action(f"theme {name}").isChecked()
    window.appearance.set_theme("dark")
    assert window.appearance.style.theme == "dark"


def test_every_control_has_a_name_for_those_who_do_not_see_it(window):
    from PySide6.QtWidgets import QAbstractSlider, QAbstractSpinBox, QComboBox, QScrollBar, QToolButton

    for kind in (QAbstractSlider, QAbstractSpinBox, QComboBox, QToolButton):
        for widget in window.findChildren(kind):
            if not isinstance(widget, QScrollBar) and widget.objectName() not in ("qt_toolbar_ext_button",):
                text = widget.text() if isinstance(widget, QToolButton) else ""
                hidden_part = widget.metaObject().className() in ("CloseButton", "QTabBar")
                assert widget.accessibleName() or text or hidden_part or widget.objectName().startswith("qt_"), widget


def test_the_window_fits_an_old_projector(window):
    window.sidebar.chooser.choose("kmeans")
    assert window.minimumSizeHint().width() <= 1024 and window.minimumSizeHint().height() <= 720


@pytest.mark.parametrize("file", ["iris.csv", "penguins.csv"])
def test_a_live_window_shows_field_and_facts_of_a_table(qtbot, make_window, monkeypatch, file):
    from mlviz.ui.tables.dialog import TableDialog

    window = make_window(live=True)
    monkeypatch.setattr(TableDialog, "exec", lambda _: True)
    window.documents.open(asset("data", file))
    qtbot.waitUntil(lambda: 0 in window.pictures and window.pictures[0].facts.get("training error") is not None)
    qtbot.waitUntil(lambda: any(mark.role == "region" for mark in window.pictures[0].plot.marks))
    qtbot.waitUntil(lambda: "training error" in told_facts(window.sidebar.facts))
    assert "fitted in" in window.status.time.text()


def test_click_drag_and_undo_on_the_live_canvas(qtbot, make_window):
    window = make_window(live=True)
    canvas = window.canvas

    def pixel(x, y):
        return QPointF(*canvas.frame().to_pixels(np.array([[x, y]]))[0]).toPoint()

    for x, y in ((-2, -1), (-1, -2), (-1.5, -1.5)):
        qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=pixel(x, y))
    for x, y in ((2, 1), (1, 2)):
        qtbot.mouseClick(canvas, Qt.MouseButton.RightButton, pos=pixel(x, y))
    assert window.store.scene.dataset.labels.tolist() == [0, 0, 0, 1, 1]
    qtbot.waitUntil(lambda: "boundary" in shown_roles(canvas))
    qtbot.waitUntil(lambda: window.status.count.text() == "5 points")
    before = window.store.scene
    qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=pixel(2, 1))
    for x in (2.4, 2.8, 3.0):
        qtbot.mouseMove(canvas, pixel(x, 1))
    assert window.store.gesturing
    qtbot.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=pixel(3, 1))
    assert not window.store.gesturing
    np.testing.assert_allclose(window.store.scene.dataset.X[3], (3, 1), atol=0.03)
    qtbot.waitUntil(lambda: not canvas.picture.draft and canvas.picture.finished)
    qtbot.keyClick(canvas, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.store.scene.dataset is before.dataset
    window.actions_.action("select all").trigger()
    assert window.actions_.action("delete").isEnabled()
    qtbot.keyClick(canvas, Qt.Key.Key_Delete)
    assert len(window.store.scene.dataset) == 0


def test_the_bottom_line_says_what_the_model_thinks_of_the_place_under_the_cursor(qtbot, make_window):
    window = make_window(live=True)
    window.presets.draw(Blobs().generate(0))
    canvas = window.canvas
    qtbot.waitUntil(lambda: canvas.picture is not None and canvas.picture.finished)
    no_button = Qt.MouseButton.NoButton
    mouse(canvas, QEvent.Type.MouseMove, canvas.rect().center(), no_button, no_button, NONE)
    qtbot.waitUntil(lambda: window.status.here.text().startswith("here (W pins): "))
    assert window.status.place.text().startswith("x1 ")


def test_the_toolbar_has_a_button_for_each_class_in_use_and_one_more(window):
    bar = window.actions_.classes
    assert [button.isVisible() for button in bar.buttons] == [True] * 3 + [False] * 6
    bar.more.click()
    assert window.hand.code == 3 and bar.buttons[3].isVisible() and bar.buttons[3].isChecked()
    for _ in range(5):
        bar.more.click()
    assert window.hand.code == 8 and not bar.more.isVisible()


def test_a_canvas_goes_while_the_playback_stands_on_a_step(window):
    scene = edits.with_method(window.store.scene, 0, "kmeans")
    window.store.push(scene.replace(dataset=scene.dataset.add([(0, 0), (1, 1), (2, 0), (3, 1)], 0)), "points")
    window.store.push(edits.with_another_panel(window.store.scene, 0), "add canvas")
    window.store.look(window.store.scene.with_view(step=0))
    window.store.undo()
    assert len(window.panels.canvases) == len(window.store.scene.panels) == 1
    assert window.store.scene.view.step is None
    assert window.sidebar.panel is window.store.scene.panels[0]


def test_presentation_keeps_the_current_canvas(qtbot, window):
    window.store.push(edits.with_another_panel(window.store.scene, 0), "add canvas")
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
    window.panels.canvases[1].setFocus()
    assert window.current == 1
    window.sidebar.chooser.methods.setFocus()
    window.presentation.show(True)
    window.presentation.show(False)
    assert window.current == 1


def test_controls_take_the_keyboard_by_tab_alone_so_that_the_mouse_leaves_it_to_the_canvas(window):
    controls = [*window.sidebar.findChildren(QComboBox), *window.findChildren(QSlider)]
    assert len(controls) > 5
    assert {control.focusPolicy() for control in controls} == {Qt.FocusPolicy.TabFocus}
