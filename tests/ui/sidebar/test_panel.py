"""The side panel of every method: its controls and layers change the scene, and undo takes that back."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QSlider

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import SineRegression
from mlviz.picture import draw
from mlviz.pipeline.decisions import Decision
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.weights import Weights
from mlviz.scene.chance import owes_to_chance
from mlviz.scene.defaults import default_scene
from mlviz.scene.scene import Panel, Scene
from mlviz.ui.controls.number_control import GradualControl, NumberControl
from mlviz.ui.paint.scene_view import samples_of
from tests.pipeline.predictive_line import PredictiveLine
from tests.sweep import of_families, share
from tests.ui.samples import with_points

pytestmark = pytest.mark.slow

METHODS = registry()


@pytest.mark.parametrize("method", of_families(METHODS))
def test_every_control_of_every_method_moves_the_scene_and_undo_takes_it_back(kept_window, method):
    window = kept_window
    window.store.reset(default_scene())
    with_points(window)
    window.sidebar.chooser.choose(method)
    assert window.sidebar.panel.pipeline.algorithm == METHODS[method]()
    shared = (
        (window.sidebar.pipeline, type(window.sidebar.panel.pipeline)),
        (window.sidebar.weights.form, Weights),
        (window.sidebar.decision.form, Decision),
    )
    own = (window.sidebar.hyperparameters, METHODS[method])
    for form, kind in (own, *shared):
        assert tuple(form.rows) == tuple(p.name for p in kind.parameters())
        for parameter in kind.parameters():
            before, control = window.store.scene, form.rows[parameter.name].control
            if isinstance(control, GradualControl):
                # A text has a slider for each number in it, a number a class one for each class.
                slider = next(iter(control.findChildren(QSlider)), None)
                if slider is None:
                    continue  # a text without numbers yet
                slider.setSliderDown(True)
                ticks = (0, slider.maximum() // 2, slider.maximum())
                for tick in ticks if slider.value() < slider.maximum() else ticks[::-1]:
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


@pytest.mark.parametrize("method", of_families(METHODS))
def test_every_layer_can_be_switched_off_and_on(kept_window, method):
    window = kept_window
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
    control = window.sidebar.hyperparameters.rows["C"].control
    control.slider.setSliderDown(True)
    before = len(window.link.requests)
    for place in (10, 12, 14):
        control.slider.setSliderPosition(place)
    control.slider.setSliderDown(False)
    # The first change may have been the only one.
    assert [draft for *_, draft in window.link.requests[before:]] == [False, True, True, False]
    assert window.link.requests[-1][0] is window.store.scene is window.link.requests[-2][0]


def test_a_method_with_several_tasks_lets_one_choose(window):
    window.sidebar.chooser.choose("knn")
    tasks = window.sidebar.chooser.tasks
    assert tasks.isEnabled() and tasks.currentText() == "classification"
    tasks.setCurrentText("regression")
    assert window.sidebar.panel.target == "x2"
    window.store.undo()
    assert tasks.currentText() == "classification"
    window.sidebar.chooser.choose("svm")
    assert not tasks.isEnabled() and tasks.currentText() == "classification"


def test_a_method_without_hyperparameters_says_so_and_leaves_the_classes_their_colours(qtbot, window):
    with_points(window)
    note = window.sidebar.hyperparameters.findChild(QLabel, "note")
    assert not note.isVisible()
    window.sidebar.chooser.choose("nearest-centroid")
    assert note.isVisible() and not window.sidebar.hyperparameters.rows
    window.sidebar.chooser.choose("pca")
    assert not note.isVisible() and not window.sidebar.hyperparameters.rows["angle"].isVisible()
    assert not window.sidebar.pipeline.rows["multiclass"].isVisible()
    scene = window.store.scene
    window.canvas.setFocus()
    qtbot.keyClick(window.canvas, Qt.Key.Key_Up)
    assert window.store.scene is scene
    np.testing.assert_array_equal(samples_of(scene, 0).labels, scene.dataset.labels)
    window.presets.draw(SineRegression().generate(0))
    assert window.sidebar.panel.pipeline.algorithm.id == "pca"


def test_what_is_said_under_C_is_what_the_facts_say_of_each_pair_of_classes(window):
    labels = np.repeat([0, 1, 2], (8, 12, 20))
    X = np.random.default_rng(3).normal(labels[:, None], 1.0, (40, 2))
    for scheme, sizes in (("one-vs-one", (20, 32)), ("one-vs-rest", ())):
        panel = Panel(Pipeline(METHODS["svm"](C=1.0), multiclass=scheme))
        window.store.reset(Scene(Dataset(X, labels), (panel,)))
        told = window.sidebar.hyperparameters.rows["C"].note.text().splitlines()
        (picture,) = draw(window.store.scene, [(60, 60)], 10)
        fact = picture.facts["lambda"].value
        if not sizes:
            assert told == [f"λ = 1/(2 C n) = {fact:.3g}"]
            continue
        assert told == [f"λ = 1/(2 C n) = {1 / (2 * n):.3g} for a pair of {n} samples" for n in sizes]
        assert (fact.high, fact.low) == pytest.approx([1 / (2 * n) for n in sizes])


@pytest.mark.parametrize("classes", [2, 3])
def test_a_layer_that_draws_nothing_just_now_says_why_below_its_name(window, classes):
    points = np.random.default_rng(0).normal(size=(30, 2))
    window.sidebar.show_results(True)
    for method in share(METHODS.values(), f"{classes} classes", 2):
        panel = Panel(Pipeline(method()), hidden=())
        window.store.reset(Scene(Dataset(points, np.arange(30) % classes), (panel,)))
        layers, notes = window.sidebar.layers, window.sidebar.layers.notes
        parts = {overlay.id: overlay.parts for overlay in panel.overlays}
        several = window.sidebar.panel.pipeline.pair_sizes(np.arange(30) % classes) and classes > 2
        for name, box in layers.boxes.items():
            where = method.id, name
            assert notes[name].isHidden() != bool(notes[name].text()), where
            assert box.isEnabled() or notes[name].text() == box.toolTip(), where
            if box.isEnabled():
                assert bool(notes[name].text()) == bool(parts[name] == "probe" and several and box.isChecked()), where


def test_the_method_stays_in_sight_while_the_panel_scrolls(window):
    with_points(window)
    window.sidebar.show_results(True)
    window.resize(1000, 500)
    QApplication.processEvents()
    chooser, bar = window.sidebar.chooser, window.sidebar.scrolled.verticalScrollBar()
    before = chooser.mapTo(window, chooser.rect().topLeft())
    bar.setValue(bar.maximum())
    QApplication.processEvents()
    assert bar.maximum() > 0 and chooser.isVisible() and not chooser.visibleRegion().isEmpty()
    assert chooser.mapTo(window, chooser.rect().topLeft()) == before
    layers, facts = (
        part.mapTo(window, part.rect().topLeft()).y() for part in (window.sidebar.layers, window.sidebar.facts)
    )
    assert layers < facts


def test_where_values_have_a_distribution_the_decision_is_about_these(kept_window):
    window = kept_window
    window.store.reset(default_scene())
    with_points(window)
    scene = window.store.scene
    form = window.sidebar.decision
    for method, target, shown in (
        (METHODS["lda"](), None, ["rule"]),
        (METHODS["kernel-ridge"](), "x2", None),
        (PredictiveLine(), "x2", ["level", "asymmetric"]),
        (METHODS["lda"](), None, ["rule"]),
    ):
        panel = Panel(Pipeline(method), target=target)
        window.store.push(scene.replace(panels=(panel,)), "try")
        assert form.isHidden() == (shown is None)
        if shown is not None:
            form.open()
            assert [name for name, row in form.form.rows.items() if not row.isHidden()] == shown
            assert form.head.text() == "Decision"
    decided = Panel(Pipeline(PredictiveLine(), decision=Decision(asymmetric=True)), target="x2")
    window.store.push(scene.replace(panels=(decided,)), "try")
    shown = [name for name, row in form.form.rows.items() if not row.isHidden()]
    assert shown == ["level", "asymmetric", "cost_below", "cost_above"]


def test_another_start_is_the_next_seed_and_one_step_of_undo(kept_window):
    window, offered = kept_window, set()
    for method in (*of_families(METHODS), "kmeans"):
        window.store.reset(default_scene())
        window.sidebar.chooser.choose(method)
        random = owes_to_chance(window.store.scene, 0)
        offered.add(random)
        assert window.sidebar.seed.isVisibleTo(window.sidebar) == random
        command = window.actions_.action("another start")
        assert command.isEnabled() == random
        if random:
            before = window.store.scene
            window.sidebar.seed.button.click()
            assert window.store.undo_what == "another start"
            window.sidebar.start_again()
            assert window.store.scene.seed == before.seed + 2 and window.store.scene.panels == before.panels
            assert window.sidebar.seed.findChild(QLabel).text() == f"seed {before.seed + 2}"
            window.store.undo()
            assert window.store.scene.seed == before.seed + 1
            assert window.sidebar.seed.findChild(QLabel).text() == f"seed {before.seed + 1}"
    assert offered == {True, False}
