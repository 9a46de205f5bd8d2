"""The real window: commands, controls, panels, files."""

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QLabel, QMessageBox, QSlider

from mlviz.algorithms import registry
from mlviz.assets import asset
from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import Blobs, SineRegression
from mlviz.pipeline.decisions import Decision
from mlviz.pipeline.weights import Weights
from mlviz.scene import edits
from mlviz.scene.edits import main_parameter
from mlviz.scene.files import scene_file
from mlviz.ui.controls.form import Gradual
from mlviz.ui.controls.number_control import NumberControl
from mlviz.ui.paint.scene_view import samples_of
from mlviz.ui.shell.commands import COMMANDS

pytestmark = pytest.mark.slow

METHODS = registry()


def some_points(n=30, seed=0):
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 2
    return Dataset(rng.normal(0, 1, (n, 2)) + 2 * labels[:, None], labels)


def with_points(window, n=30):
    window.store.push(window.store.scene.replace(dataset=some_points(n)), "points")
    return window


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


@pytest.mark.parametrize("method", METHODS)
def test_every_control_of_every_method_moves_the_scene_and_undo_takes_it_back(qtbot, window, method):
    with_points(window)
    window.sidebar.chooser.choose(method)
    assert window.sidebar.panel.pipeline.algorithm == METHODS[method]()
    forms = (
        (window.sidebar.hyperparameters, METHODS[method]),
        (window.sidebar.pipeline, type(window.sidebar.panel.pipeline)),
        (window.sidebar.weights.form, Weights),
        (window.sidebar.decision.form, Decision),
    )
    for form, kind in forms:
        assert form.names() == tuple(p.name for p in kind.parameters())
        for parameter in kind.parameters():
            before, control = window.store.scene, form.control(parameter.name)
            if isinstance(control, Gradual):
                # A text has a slider for each number in it, a number a class one for each class.
                slider = next(iter(control.findChildren(QSlider)))
                slider.setSliderDown(True)
                for tick in (0, slider.maximum() // 2, slider.maximum()):
                    slider.setSliderPosition(tick)
                assert window.store.gesturing
                slider.setSliderDown(False)
            elif parameter.kind == "choice":
                control.setCurrentIndex(1)
            else:
                control.click()
            assert window.store.scene.panels != before.panels
            assert not window.store.gesturing
            window.store.undo()
            assert window.store.scene.panels == before.panels
            shown = control.field.lineEdit().text() if isinstance(control, NumberControl) else None
            assert shown is None or float(shown) == parameter.default
    window.store.undo()
    window.store.undo()
    assert window.store.undo_what is None or method == "svm"


@pytest.mark.parametrize("method", METHODS)
def test_every_layer_can_be_switched_off_and_on(window, method):
    window.sidebar.chooser.choose(method)
    for name, box in window.sidebar.layers.boxes.items():
        was = not window.sidebar.panel.hides(name)
        assert box.isChecked() == was
        if not box.isEnabled():
            assert box.toolTip().endswith(".")
            continue
        box.click()
        assert window.sidebar.panel.hides(name) == was
        window.store.undo()
        assert box.isChecked() == was


def test_a_drag_of_a_slider_asks_for_drafts_and_then_for_the_exact_picture(window):
    with_points(window)
    control = window.sidebar.hyperparameters.control("C")
    control.slider.setSliderDown(True)
    control.slider.setSliderPosition(10)
    assert window.link.requests[-1][2]
    control.slider.setSliderDown(False)
    scene, _, draft = window.link.requests[-1]
    assert not draft and scene is window.store.scene


def test_a_method_with_several_tasks_lets_one_choose(window):
    window.sidebar.chooser.choose("knn")
    tasks = window.sidebar.chooser.tasks
    assert tasks.isVisible() and tasks.currentText() == "classification"
    tasks.setCurrentText("regression")
    assert window.sidebar.panel.target == "x2"
    window.store.undo()
    assert tasks.currentText() == "classification"
    window.sidebar.chooser.choose("svm")
    assert not tasks.isVisible()


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
    qtbot.waitUntil(lambda: not window.store.gesturing, timeout=3000)
    window.store.undo()
    assert getattr(window.sidebar.panel.pipeline.algorithm, name) == before


def test_a_method_without_hyperparameters_says_so_and_leaves_the_classes_their_colours(qtbot, window):
    with_points(window)
    note = window.sidebar.hyperparameters.findChild(QLabel, "note")
    assert not note.isVisible()
    window.sidebar.chooser.choose("pca")
    assert note.isVisible() and not window.sidebar.hyperparameters.names()
    assert not window.sidebar.pipeline.row("multiclass").isVisible()
    scene = window.store.scene
    window.canvas.setFocus()
    press(qtbot, window, Qt.Key.Key_Up)
    assert window.store.scene is scene
    np.testing.assert_array_equal(samples_of(scene, 0).labels, scene.dataset.labels)
    window.presets.draw(SineRegression().generate(0))
    assert window.sidebar.panel.pipeline.algorithm.id == "pca"


def test_arrows_belong_to_the_control_that_has_the_keyboard(qtbot, window):
    slider = window.sidebar.hyperparameters.control("sigma").slider
    slider.setFocus()
    before, at = window.sidebar.panel.pipeline.algorithm, slider.value()
    qtbot.keyClick(slider, Qt.Key.Key_Up)
    after = window.sidebar.panel.pipeline.algorithm
    assert slider.value() == at + 1 and after.C == before.C and after.sigma > before.sigma


def test_undo_is_the_windows_while_nothing_is_typed(qtbot, window):
    field = window.sidebar.hyperparameters.control("C").field
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "7")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert window.sidebar.panel.pipeline.algorithm.C == 7
    qtbot.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.sidebar.panel.pipeline.algorithm.C == 1


def test_clear_data_and_reset_method_are_two_things_and_one_undo_each(window):
    with_points(window)
    window.sidebar.hyperparameters.control("C").field.lineEdit().setText("5")
    window.sidebar.hyperparameters.control("C").field.editingFinished.emit()
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
        assert len(window.canvases) == count == len(window.link.requests[-1][1])
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
    assert len(window.canvases) == 6


def test_presentation_shows_the_canvas_alone_and_escape_leaves_it(qtbot, window):
    window.canvas.setFocus()
    press(qtbot, window, Qt.Key.Key_F5)
    assert window.presenting and not window.menuBar().isVisible() and not window.sidebar.isVisible()
    assert window.style_now.text == 1.6
    press(qtbot, window, Qt.Key.Key_B)
    assert window.hand.tool == "pen"
    press(qtbot, window, Qt.Key.Key_Up)
    assert window.sidebar.panel.pipeline.algorithm.C == 2
    press(qtbot, window, Qt.Key.Key_Escape)
    assert not window.presenting and window.menuBar().isVisible() and window.sidebar.isVisible()


def test_draw_again_takes_the_next_seed(window):
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
    places = scene.places()
    assert scene.panels[0].pipeline.preprocessing == "standardize" and not scene.view.equal
    assert x0 < places[:, 0].min() and places[:, 0].max() < x1 and y0 < places[:, 1].min() and places[:, 1].max() < y1
    window.store.undo()
    assert len(window.store.scene.dataset) == 30


def test_a_scene_saved_and_opened_again_is_the_same(window, tmp_path, monkeypatch):
    with_points(window)
    window.sidebar.chooser.choose("knn")
    assert window.documents.modified and window.isWindowModified()
    target = tmp_path / "lecture"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    window.actions_.action("save").trigger()
    path = tmp_path / "lecture.mlviz"
    assert path.exists() and not window.isWindowModified() and "lecture.mlviz" in window.windowTitle()
    saved = window.store.scene
    window.documents.new()
    assert len(window.store.scene.dataset) == 0 and window.store.undo_what is None
    window.documents.open(path)
    opened = window.store.scene
    np.testing.assert_array_equal(opened.dataset.X, saved.dataset.X)
    np.testing.assert_array_equal(opened.dataset.labels, saved.dataset.labels)
    assert opened.panels == saved.panels and opened.seed == saved.seed and not window.documents.modified
    assert window.preferences.recent == (path.resolve(),)


def test_a_bad_file_gives_one_sentence_and_changes_nothing(window, tmp_path, monkeypatch):
    with_points(window)
    before, said = window.store.scene, []
    monkeypatch.setattr(window, "complain", said.append)
    for name, content in (("bad.mlviz", '{"format": 99}'), ("empty.csv", ""), ("words.csv", "a,b\nx,y\n")):
        path = tmp_path / name
        path.write_text(content)
        window.documents.open(path)
        assert said[-1].startswith(name) and "\n" not in said[-1]
    window.documents.open(tmp_path / "missing.csv")
    assert len(said) == 4 and window.store.scene is before


@pytest.mark.parametrize(
    ("answer", "closed"),
    [(QMessageBox.StandardButton.Cancel, False), (QMessageBox.StandardButton.Discard, True)],
)
def test_unsaved_changes_are_asked_about(window, monkeypatch, answer, closed):
    with_points(window)
    monkeypatch.setattr(QMessageBox, "exec", lambda _: answer)
    window.documents.new()
    assert (len(window.store.scene.dataset) == 0) == closed
    with_points(window)
    assert window.close() == closed


def test_a_dropped_scene_opens(qtbot, window, tmp_path):
    path = tmp_path / "dropped.mlviz"
    scene_file.save(window.store.scene.replace(dataset=some_points(5)), path)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    no_keys = Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, no_keys))
    qtbot.waitUntil(lambda: len(window.store.scene.dataset) == 5)


def test_the_data_are_written_as_a_table(window, tmp_path, monkeypatch):
    with_points(window)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "points"), ""))
    window.actions_.action("save table").trigger()
    lines = (tmp_path / "points.csv").read_text().splitlines()
    assert lines[0] == "x1,x2,class" and len(lines) == 31


def test_themes_change_the_look_and_are_remembered(window, preferences):
    for name in ("dark", "light", "system"):
        window.actions_.action(f"theme {name}").trigger()
        assert preferences.theme == name and window.actions_.action(f"theme {name}").isChecked()
    window.set_theme("dark")
    assert window.style_now.theme == "dark"


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
    qtbot.waitUntil(
        lambda: 0 in window.pictures and window.pictures[0].facts.get("training error") is not None, timeout=20000
    )
    qtbot.waitUntil(lambda: any(mark.role == "region" for mark in window.pictures[0].plot.marks), timeout=20000)
    assert "training error" in window.sidebar.facts.text()
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
    qtbot.waitUntil(lambda: "boundary" in shown_roles(canvas), timeout=20000)
    assert window.status.count.text() == "5 points"
    before = window.store.scene
    qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=pixel(2, 1))
    for x in (2.4, 2.8, 3.0):
        qtbot.mouseMove(canvas, pixel(x, 1))
    assert window.store.gesturing
    qtbot.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=pixel(3, 1))
    assert not window.store.gesturing
    np.testing.assert_allclose(window.store.scene.dataset.X[3], (3, 1), atol=0.03)
    qtbot.waitUntil(lambda: not canvas.picture.draft and canvas.picture.finished, timeout=5000)
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
    qtbot.waitUntil(lambda: canvas.picture is not None and canvas.picture.finished, timeout=20000)
    qtbot.mouseMove(canvas, canvas.rect().center())
    qtbot.waitUntil(lambda: window.status.here.text().startswith("here (W pins): "), timeout=5000)
    assert window.status.place.text().startswith("x1 ")


def test_the_toolbar_has_a_button_for_each_class_in_use_and_one_more(window):
    bar = window.actions_.classes
    assert [button.isVisible() for button in bar.buttons] == [True] * 3 + [False] * 6
    bar.more.click()
    assert window.hand.code == 3 and bar.buttons[3].isVisible() and bar.buttons[3].isChecked()
    for _ in range(5):
        bar.more.click()
    assert window.hand.code == 8 and not bar.more.isVisible()


def test_a_canvas_goes_while_the_playback_stands_on_a_step(make_window):
    window = make_window()
    scene = edits.with_method(window.store.scene, 0, "kmeans")
    window.store.push(scene.replace(dataset=scene.dataset.add([(0, 0), (1, 1), (2, 0), (3, 1)], 0)), "points")
    window.store.push(edits.with_another_panel(window.store.scene, 0), "add canvas")
    window.store.look(window.store.scene.with_view(step=0))
    window.store.undo()
    assert len(window.canvases) == len(window.store.scene.panels) == 1
    assert window.store.scene.view.step is None
    assert window.sidebar.panel is window.store.scene.panels[0]


def test_presentation_keeps_the_current_canvas(qtbot, make_window):
    window = make_window()
    window.store.push(edits.with_another_panel(window.store.scene, 0), "add canvas")
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
    window.panels.canvases[1].setFocus()
    assert window.current == 1
    window.sidebar.chooser.methods.setFocus()
    window.present(True)
    window.present(False)
    assert window.current == 1


def test_controls_take_the_keyboard_by_tab_alone_so_that_the_mouse_leaves_it_to_the_canvas(window):
    controls = [*window.sidebar.findChildren(QComboBox), *window.findChildren(QSlider)]
    assert len(controls) > 5
    assert {control.focusPolicy() for control in controls} == {Qt.FocusPolicy.TabFocus}
