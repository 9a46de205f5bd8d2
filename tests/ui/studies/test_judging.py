"""The studies that judge a method, in the window: one handle moves all, and a cell lights its samples."""

import numpy as np
import pytest

from mlviz.algorithms import registry as methods
from mlviz.data.generators.catalog import generators
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from tests.studies.judging.cases import IDS, ON_ONE_THRESHOLD


@pytest.fixture
def judged(staged):
    data = generators()["two-gaussians"](n_samples=80).generate(1)
    window = staged(Scene(data, (Panel(Pipeline(methods()["logistic"]())),)))
    answer(window)
    menu = window.actions_.menu("Study")
    for label in ("Confusion matrix", "ROC curve", "Precision-recall curve", "Calibration curve", "Score histogram"):
        menu.aboutToShow.emit()
        next(action for action in menu.actions() if action.text() == label).trigger()
    answer(window)
    return window


def answer(window):
    """Show what the worker would answer, and return it."""
    (picture,) = draw(window.store.scene, [(400, 300)])
    window._show_picture(picture)
    window._show_numbers()
    return picture


def handles(picture):
    """The thresholds at which the handles of the studies stand."""
    return [h.values[h.at] for answer in picture.studies for plot in answer.plots for h in plot.handles]


def test_a_drag_of_one_handle_moves_all_of_them_and_is_one_step_of_undo(judged):
    assert sorted(study.id for study in judged.store.scene.panels[0].studies) == list(IDS)
    assert handles(answer(judged)) == [0.0] * len(ON_ONE_THRESHOLD)
    before = judged.store.scene
    for value, finished in ((0.4, False), (0.8, False), (1.2, True)):
        judged.sides.dragged.emit("decision.threshold", value, finished)
        assert handles(answer(judged)) == [value] * len(ON_ONE_THRESHOLD)
    assert judged.sidebar.decision.form.rows["threshold"].control.field.text() == "1.2"
    judged.store.undo()
    assert judged.store.scene.panels == before.panels


def test_a_click_on_a_cell_selects_its_samples(judged):
    picture = draw(judged.store.scene, [(400, 300)])[0]
    (plot,) = next(answer.plots for answer in picture.studies if answer.study.id == "confusion-matrix")
    for area in plot.areas:
        judged.sides.picked.emit(area)
        selected = judged.hand.selection(judged.store.scene.dataset)
        assert np.sort(selected).tolist() == np.sort(area.rows).tolist()
    assert sum(len(area.rows) for area in plot.areas) == 80
