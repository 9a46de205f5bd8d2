"""Data at one click, drawing again, and the switch of the legend."""

import itertools

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from mlviz.algorithms import registry as methods
from mlviz.data.generators.catalog import Blobs, Generator, Moons, UniformNoise, generators
from mlviz.picture import draw
from mlviz.scene import edits
from mlviz.scene.defaults import first_scene
from mlviz.scene.scene import roles
from mlviz.ui.datasets.examples import EXAMPLES
from mlviz.ui.datasets.preset_rows import CLASSES, GROUPS_APART, TABLES, VALUES
from mlviz.ui.figure import figure
from mlviz.ui.paint.layers import NoticeLayer
from mlviz.ui.paint.scene_view import hint_of
from mlviz.ui.paint.stack import stack
from mlviz.ui.paint.words import notice_box
from tests.sweep import share
from tests.ui.shell.test_calm import answer

pytestmark = pytest.mark.slow


def test_one_click_on_an_empty_canvas_draws(window):
    for name in CLASSES | VALUES:
        assert window.presets.rows.isVisible(), name
        window.presets.rows.buttons[name].click()
        assert window.store.scene.dataset.source == generators()[name]().generate(0).source
        assert not window.presets.rows.isVisible(), name
        assert window.canvas.hasFocus(), name
        window.store.undo()
        assert window.presets.rows.isVisible() and not len(window.store.scene.dataset), name


@pytest.mark.parametrize("name", GROUPS_APART)
def test_a_clustering_method_is_given_groups_that_lie_apart(window, name):
    window.store.push(edits.with_method(window.store.scene, 0, "dbscan"), "method")
    window.presets.draw_preset(name)
    assert window.store.scene.dataset.source == GROUPS_APART[name].generate(0).source
    window.store.push(edits.with_method(window.store.scene, 0, "knn"), "method")
    window.presets.draw_preset(name)
    assert window.store.scene.dataset.source == generators()[name]().generate(0).source


@pytest.mark.parametrize("how", ["light", "dark", "presented", "two canvases"])
def test_the_presets_stay_within_the_axes_below_the_words_and_apart(window, how):
    """At any size: what has no room is left out. Also where the axes are low, since the side plots are open."""
    window.appearance.set_theme("dark" if how == "dark" else "light")
    assert window.appearance.style.theme == ("dark" if how == "dark" else "light")
    if how == "two canvases":
        window.store.push(edits.with_another_panel(window.store.scene, 0), "canvas")
    sizes = (1024, 768), (640, 480), (800, 600), (1024, 600), (1280, 800), (1600, 1000)
    window.presets.draw_preset("blobs")
    answer(window)
    for size, sides in share(itertools.product(sizes, (False, True)), how):
        window.appearance.sides_wanted = sides
        window.show_parts()
        window.resize(*size)
        window.store.push(edits.without_samples(window.store.scene), "clear data")
        if how == "presented":
            window.presentation.show(True)
            window.showNormal()
            window.resize(*size)
        QApplication.processEvents()
        assert_presets_have_room(window, size, sides, how)
        if how == "presented":
            window.presentation.show(False)
        window.store.undo()
    window.appearance.set_theme("light")
    window.appearance.sides_wanted = False
    window.show_parts()


def assert_presets_have_room(window, size, sides, how):
    row, large = window.presets.rows, size[0] > 1000 and size[1] > 700 and how in ("light", "dark")
    assert window.sides.isVisible() == (sides and how != "presented")
    shown = [button for button in (*row.buttons.values(), row.tour) if button.isVisible()]
    boxes = [button.geometry().translated(row.pos()) for button in shown]
    assert len(shown) == len(row.buttons) + 1 or not large
    assert not any(a.intersects(b) for a, b in itertools.combinations(boxes, 2))
    assert len({(box.width(), box.height()) for box in boxes}) <= 1
    for box, button in zip(boxes, shown, strict=True):
        words = button.fontMetrics().height() + (0 if button is row.tour else button.iconSize().height())
        assert row.rect().contains(button.geometry()) and box.height() >= words
    for index, canvas in enumerate(window.panels.canvases):
        axes = canvas.frame().area.translated(canvas.mapTo(window.panels, QPointF()))
        hint = hint_of(window.store.scene, index)
        words = notice_box(axes, hint, Qt.AlignmentFlag.AlignVCenter, window.panels.canvas_style).toRect()
        assert not any(box.intersects(words) for box in boxes)
        assert how == "two canvases" or all(axes.toRect().contains(box) for box in boxes)


def test_presets_stand_aside_where_a_method_draws_before_the_first_sample(window):
    """Nine tenths of the axes are left to it; another method has all presets again."""
    rows, methods_aside = window.presets.rows, (("gp", True), ("svm", False), ("bayesian-linear", True))
    for size, (method, aside) in itertools.product(((1024, 768), (1280, 800)), methods_aside):
        window.resize(*size)
        window.store.push(edits.with_method(window.store.scene, 0, method), "method")
        QApplication.processEvents()
        shown = {name for name, button in rows.buttons.items() if button.isVisible()}
        assert shown == (set(rows.buttons) - set(CLASSES) if aside else set(rows.buttons))
        axes = window.canvas.frame().area.translated(window.canvas.mapTo(window.panels, QPointF()))
        assert (rows.height() < axes.height() / 10) == aside
        assert (rows.geometry().bottom() > axes.bottom() - 10) == aside


@pytest.mark.parametrize(("method", "draws"), [("gp", True), ("svm", False)])
def test_the_words_of_an_empty_canvas_leave_the_middle_to_a_method_that_draws_there(window, method, draws):
    window.store.push(edits.with_method(window.store.scene, 0, method), "method")
    answer(window)
    (words,) = [layer for layer in stack(window.canvas._content()) if isinstance(layer, NoticeLayer)]
    frame, marks = window.canvas.frame(), window.canvas.picture.plot.marks
    box = notice_box(frame.area, words.words, words.where, window.panels.canvas_style)
    assert bool(marks) == draws == (box.center().y() < frame.area.top() + frame.area.height() / 4)


def test_an_empty_canvas_speaks_of_classes_only_where_they_are_seen():
    for method in methods():
        scene = edits.with_method(first_scene(), 0, method)
        words, task = hint_of(scene, 0), roles(scene, scene.panels[0]).task
        assert words.startswith("Click to add a point."), method
        assert ("next class" in words) == (task != "regression"), method


def test_the_pictures_of_the_tables_are_of_the_present_theme(qtbot, window):
    """Also where the theme has changed while there were samples."""
    window.presets.draw_preset("blobs")
    window.appearance.set_theme("dark")
    window.store.push(edits.without_samples(window.store.scene), "clear data")
    ground = window.presets.rows.buttons["moons"].icon().pixmap(30).toImage().pixelColor(15, 3)

    def pictured(name):
        image = window.presets.rows.buttons[name].icon().pixmap(30).toImage()
        return not image.isNull() and image.pixelColor(15, 28).lightness() < 100

    assert ground.lightness() < 100
    qtbot.waitUntil(lambda: all(map(pictured, TABLES)))


def test_a_click_beside_a_preset_adds_a_point_and_what_can_be_clicked_has_a_frame(window):
    QApplication.processEvents()
    row, picture = window.presets.rows, window.grab().toImage()
    for button in row.buttons.values():
        corner = button.mapTo(window, QPoint())
        box = QRect(corner, button.size())
        for at in (QPoint(box.left(), box.center().y()), QPoint(box.right(), box.center().y())):
            assert window.childAt(at) is button
            assert picture.pixelColor(at) == button.palette().placeholderText().color()
        for at in (box.topRight() + QPoint(3, 9), box.bottomLeft() + QPoint(9, 2), box.topLeft() - QPoint(3, -9)):
            assert window.childAt(at) is window.canvas
    gap = row.buttons["blobs"].geometry().topRight() + QPoint(3, 20)
    QTest.mouseClick(
        window.canvas, Qt.MouseButton.LeftButton, pos=window.canvas.mapFrom(window, row.mapTo(window, gap))
    )
    assert len(window.store.scene.dataset) == 1


@pytest.mark.parametrize("name", TABLES)
def test_a_shipped_table_is_one_click_away(qtbot, window, name):
    button = window.presets.rows.buttons[name]
    qtbot.waitUntil(lambda: not button.icon().isNull())
    button.click()
    assert len(window.store.scene.dataset) > 100 and not window.presets.rows.isVisible()


def test_a_table_of_ones_own_is_too(window, monkeypatch):
    asked = []
    monkeypatch.setattr(window.documents, "ask_open", lambda **how: asked.append(how))
    window.presets.rows.buttons["table"].click()
    assert asked == [{"tables": True}]


def test_no_name_of_a_preset_is_cut(window):
    for button in window.presets.rows.buttons.values():
        words = button.fontMetrics().horizontalAdvance(button.text())
        assert words <= button.width() - 4, button.text()


def test_the_window_begins_with_the_linear_kernel_and_the_method_with_its_own(window):
    algorithm = window.store.scene.panels[0].pipeline.algorithm
    assert algorithm.kernel == "linear" and type(algorithm)().kernel == "gaussian"


def test_examples_are_one_choice_away(window):
    menu = next(a.menu() for a in window.actions_.menu("Data").actions() if a.text() == "E&xamples")
    for example in EXAMPLES:
        action = next(action for action in menu.actions() if action.text() == example.title)
        action.trigger()
        data, generator = window.store.scene.dataset, example.generator
        assert data.source == example.samples().source and np.array_equal(data.X, example.samples().X)
        if isinstance(generator, Generator):
            many = example.clustering or generator.task == "classification"
            assert (len(set(data.labels.tolist())) > 1) == bool(many)
        algorithm = window.store.scene.panels[0].pipeline.algorithm
        assert example.settings.items() <= algorithm.to_json().items() | {
            (p.name, getattr(algorithm, p.name)) for p in algorithm.parameters()
        }
        assert algorithm.id == (example.clustering or algorithm.id)
        assert window.status.currentMessage() == action.toolTip() == example.about
        window.store.undo()
        assert not len(window.store.scene.dataset)


def test_the_menu_lists_the_kinds_by_what_they_are_for(window):
    menu = next(a.menu() for a in window.actions_.menu("Data").actions() if a.text() == "&Generate")
    entries = [action.text() for action in menu.actions()]
    assert entries[0] == "Classes" and "Values to predict" in entries
    assert entries.index("spirals...") < entries.index("Values to predict") < entries.index("steps with noise...")
    assert len(entries) == len(generators()) + 2
    assert not any(a.icon().isNull() for a in menu.actions() if not a.isSeparator())


def test_the_dialog_starts_where_that_kind_was_left(window, monkeypatch):
    window.presets.draw(Moons(noise=0.5).generate(7))
    window.presets.draw(Blobs().generate(0))
    opened = []
    monkeypatch.setattr(
        "mlviz.ui.datasets.presets.GeneratorDialog.exec", lambda dialog: opened.append(dialog.dataset.source)
    )
    window.presets.ask_generator(Moons)
    assert opened == [Moons(noise=0.5, seed=7)]


def test_drawing_again_works_after_edits_and_after_clearing(make_window):
    window = make_window()
    again = window.actions_.action("next seed")
    assert not again.isEnabled()
    window.presets.draw(Moons(noise=0.1).generate(4))
    store = window.store
    store.push(store.scene.replace(dataset=store.scene.dataset.erase([0])), "erase")
    assert store.scene.dataset.source is None and again.isEnabled()
    again.trigger()
    np.testing.assert_array_equal(store.scene.dataset.X, Moons(noise=0.1).generate(5).X)
    store.push(edits.without_samples(store.scene), "clear data")
    again.trigger()
    assert store.scene.dataset.source == Moons(noise=0.1, seed=6)
    store.undo()
    store.undo()
    assert store.scene.dataset.source == Moons(noise=0.1, seed=5)


def test_a_table_is_not_drawn_again(window):
    window.presets.draw(Moons().generate(4))
    window.presets.open_shipped("iris")
    assert not window.actions_.action("next seed").isEnabled()
    window.store.undo()
    assert window.actions_.action("next seed").isEnabled()


def test_the_largest_seed_is_followed_by_the_first(window):
    window.presets.draw(Moons().generate(2**31 - 1))
    window.actions_.action("next seed").trigger()
    assert window.store.scene.dataset.source.seed == 0


def test_uniform_noise_of_one_class_brings_a_method_for_clusters(window):
    window.presets.draw(UniformNoise(classes=1).generate(0))
    assert window.sidebar.panel.pipeline.algorithm.id == "kmeans"


def test_the_legend_can_be_switched_off_on_the_canvas_and_in_presentations(qtbot, window):
    window.presets.draw(Blobs().generate(0))
    window.canvas.grab()
    QApplication.processEvents()  # a new window has its sizes from here on
    with_legend, switch = window.canvas.grab().toImage(), window.actions_.action("legend")
    assert switch.isChecked()
    switch.trigger()
    assert not (switch.isChecked() or window.appearance.style.legend) and window.canvas.grab().toImage() != with_legend
    window.presentation.show(True)
    assert not window.appearance.style.legend
    window.presentation.show(False)
    switch.trigger()
    qtbot.waitUntil(lambda: window.canvas.grab().toImage() == with_legend)


@pytest.mark.parametrize("legend", [True, False])
def test_a_figure_has_its_legend_or_not(window, tmp_path, legend):
    window.presets.draw(Blobs().generate(0))
    scene, style, size = window.store.scene, figure.Style(legend=legend), (700, 500)
    pictures = draw(scene, figure.plot_sizes(size, scene, style))
    figure.export(tmp_path / "figure.svg", pictures, scene, size, style)
    drawn = (tmp_path / "figure.svg").read_text().partition("</desc>")[2]
    assert (">decision boundary<" in drawn) == legend


def test_generated_data_are_not_standardized_because_a_table_was(window):
    window.sidebar.chooser.choose("pca")
    window.presets.open_shipped("iris")
    assert window.store.scene.panels[0].pipeline.preprocessing == "standardize"
    window.presets.draw_preset("blobs")
    assert window.store.scene.panels[0].pipeline.preprocessing == "none"
