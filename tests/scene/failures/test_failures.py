"""Every method has samples with which it fails: in numbers, and what is named as better does better."""

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.picture import draw
from mlviz.scene import edits
from mlviz.scene.defaults import default_scene
from mlviz.scene.failures import failure_of, failures, failures_of
from mlviz.scene.failures.failure import beside, failing
from mlviz.scene.scene import MAX_PANELS, roles
from mlviz.studies import registry as studies
from tests.scene.failures.figures import figure
from tests.sweep import chosen

CASES = [(failure, setup) for failure in failures() for setup in failure.breaks]
NAMES = [f"{failure.id}-{setup.method}" for failure, setup in CASES]
TRIED = chosen([(setup.method, failure.id) for failure, setup in CASES], fewest=1)
SOME = [(failure, setup) for failure, setup in CASES if (setup.method, failure.id) in TRIED]
"""Each method fails in some of them, and each failure is shown by some method of each family."""
SOME_NAMES = [f"{failure.id}-{setup.method}" for failure, setup in SOME]
SEEDS = 2
"""So many further draws: a failure is no chance of one of them."""


def shown(failure, method):
    return failing(edits.with_method(default_scene(), 0, method), 0, failure)


def test_every_method_fails_somewhere():
    assert [method for method in registry() if not failures_of(method)] == []


@pytest.mark.parametrize(("failure", "setup"), CASES, ids=NAMES)
def test_the_failure_shows_in_numbers_and_the_cure_works(failure, setup):
    broken, better = (figure(failure, one, failure.seed) for one in (setup, failure.cure(setup.method)))
    assert broken > 1.4 * better and broken > better + 0.05, (broken, better)


@pytest.mark.parametrize(("failure", "setup"), CASES, ids=NAMES)
def test_what_does_better_does_the_same_task(failure, setup):
    for method in (setup.method, failure.cure(setup.method).method):
        assert failure.task in registry()[method].tasks, method


@pytest.mark.slow
@pytest.mark.parametrize(("failure", "setup"), SOME, ids=SOME_NAMES)
def test_no_failure_is_a_chance_of_its_seed(failure, setup):
    seeds = range(failure.seed + 1, failure.seed + 1 + SEEDS)
    broken, better = (
        np.mean([figure(failure, one, seed) for seed in seeds]) for one in (setup, failure.cure(setup.method))
    )
    assert broken > better, (broken, better)


@pytest.mark.parametrize(("failure", "setup"), SOME, ids=SOME_NAMES)
def test_the_scene_shows_the_method_failing_and_the_better_one_beside_it(failure, setup):
    scene = shown(failure, setup.method)
    assert [panel.pipeline for panel in scene.panels] == [setup.pipeline]
    assert roles(scene, scene.panels[0]).task == failure.task
    x0, x1, y0, y1 = scene.view.limits
    places = scene.dataset.X[:, :2]
    assert ((places > (x0, y0)) & (places < (x1, y1))).all()

    both = beside(scene, 0, failure, setup.method)
    assert [panel.pipeline for panel in both.panels] == [setup.pipeline, failure.cure(setup.method).pipeline]
    assert both.dataset is scene.dataset
    assert beside(both, 1, failure, setup.method) is both
    for picture in draw(both, [(200, 150)] * 2, 24):
        assert not picture.message
    former, latter = (roles(both, panel) for panel in both.panels)
    assert former.inputs == latter.inputs and former.target == latter.target


@pytest.mark.parametrize(("failure", "setup"), CASES, ids=NAMES)
def test_the_line_says_where_to_look_and_names_what_does_better(failure, setup):
    line = failure.line(setup.method)
    cure = failure.cure(setup.method)
    assert line.startswith("Look at ") and line.endswith(".") and ": " in failure.look
    assert registry()[cure.method].label in line.partition(". Better: ")[2]
    assert not failure.look.endswith(".") and len(line) <= 190
    settings = ((registry()[cure.method]().parameter(name), value) for name, value in cure.settings.items())
    for parameter, value in settings:
        if parameter.kind == "choice" and parameter.shown(value) != value:
            assert f"= {value}" not in line, "it names a choice as its control does"
    if cure.method == setup.method:
        assert "," in line.partition(". Better: ")[2], "it says what is otherwise"


def test_ids_and_titles_are_told_apart():
    for told in (lambda failure: failure.id, lambda failure: failure.title):
        assert len({told(failure) for failure in failures()}) == len(failures())
    assert all(failure_of(failure.id) is failure for failure in failures())


def test_a_method_that_does_not_fail_gives_way_to_one_that_does_and_is_remembered():
    scene = edits.with_method(default_scene(), 0, "knn")
    scene = edits.with_settings(scene, 0, {"n_neighbors": 9})
    failed = failing(scene, 0, failure_of("xor"))
    assert failed.panels[0].pipeline == failure_of("xor").breaks[0].pipeline
    assert edits.with_method(failed, 0, "knn").panels[0].pipeline.algorithm.n_neighbors == 9


def test_the_better_method_takes_the_last_canvas_where_there_is_no_room():
    scene = shown(failure_of("xor"), "lda")
    while len(scene.panels) < MAX_PANELS:
        scene = edits.with_another_panel(scene, 0)
    both = beside(scene, MAX_PANELS - 1, failure_of("xor"), "lda")
    assert len(both.panels) == MAX_PANELS and both.panels[-1].pipeline.algorithm.id == "svm"


def test_what_was_asked_of_the_canvas_goes_on_where_its_method_fails():
    scene = edits.with_method(default_scene(), 0, "kmeans")
    for name in ("elbow", "silhouette"):
        scene = edits.with_study(scene, 0, studies()[name]())
    for failure in failures_of("kmeans"):
        assert failing(scene, 0, failure).panels[0].studies == scene.panels[0].studies
