"""One threshold: where its handles stand in the four studies, and that setting it moves everything."""

import numpy as np
import pytest

from mlviz.data.dataset import Dataset
from mlviz.picture import draw
from mlviz.pipeline.weights import Weights
from mlviz.scene.edits import with_study, with_value
from mlviz.scene.scene import Panel, Scene, View
from mlviz.studies import registry
from tests.studies.judging.cases import CLASSIFIERS, IDS, ON_ONE_THRESHOLD, asked, overlapping, pipeline
from tests.sweep import chosen

ANSWERING = [
    (method, study)
    for method in CLASSIFIERS
    for study in ON_ONE_THRESHOLD
    if study != "calibration" or method in ("kernel-logistic", "knn", "lda", "logistic", "naive-bayes", "parzen", "qda")
]


def handle_of(result):
    (handle,) = (handle for plot in result.plots() for handle in plot.handles)
    assert handle.path == "decision.threshold" and handle.values.shape == (len(handle.points),)
    assert np.isfinite(handle.points).all() and np.isfinite(handle.values).all()
    return handle


@pytest.mark.parametrize(("method", "study"), chosen(ANSWERING))
def test_what_a_handle_sets_is_predicted_and_stands_where_it_was_let_go(method, study):
    X, y = overlapping(50, (-3, 4))
    plain = pipeline(method)
    first = handle_of(asked(study, plain, X, y))
    model = plain.fit(X, y)
    natural = 0.0 if hasattr(model.inner, "decision_function") else 0.5
    assert first.values[first.at] == natural
    scores = model.decision_function(X) if natural == 0.0 else model.predict_proba(X)[:, 1]
    assert ((scores > natural) == (model.predict(X) == 4)).all(), "the method parts the classes there by itself"
    assert (np.diff(first.values if first.kind == "upright" else -first.values) >= 0).all()
    for at in np.linspace(0, len(first.values) - 1, 4).astype(int).tolist():
        moved = plain.with_decision(threshold=float(first.values[at]))
        predicted = model.deciding(moved.decision).predict(X)
        assert ((predicted == 4) == (scores > first.values[at])).all()
        found = asked(study, moved, X, y)
        handle = handle_of(found)
        assert handle.values[handle.at] == first.values[at]
        np.testing.assert_allclose(handle.points[handle.at][0], first.points[at][0], rtol=1e-9, atol=1e-9)
        if handle.kind == "point":
            rates = [np.mean(predicted[y == code] == 4) for code in (4, -3)]
            precision = np.mean(y[predicted == 4] == 4) if (predicted == 4).any() else 1.0
            expected = rates[::-1] if study == "roc" else (rates[0], precision)
            np.testing.assert_allclose(handle.points[handle.at], expected, atol=1e-12)


def scene_of(method, study_ids=IDS, classes=2, **changes):
    X, labels = overlapping(60, range(classes))
    scene = Scene(Dataset(X, labels), (Panel(pipeline(method).replace(**changes)),), view=View(limits=(-4, 4, -4, 4)))
    for study in study_ids:
        scene = with_study(scene, 0, registry()[study]())
    return scene


def thresholds(scene):
    """What stands at the present threshold in each study, and the legend's words for it."""
    (picture,) = draw(scene, [(300, 300)], 60)
    found = {}
    for one in picture.studies:
        assert not one.message, one.message
        for plot in one.plots:
            for handle in plot.handles:
                found[one.study.id] = handle.values[handle.at]
    words = {mark.label for one in picture.studies for plot in one.plots for mark in plot.marks if mark.role == "now"}
    counts = [
        area.label for one in picture.studies for area in one.plots[0].areas if one.study.id == "confusion-matrix"
    ]
    return found, words, counts, picture


@pytest.mark.parametrize("method", ["logistic", "knn"])
def test_one_drag_moves_all_and_the_boundary(method):
    scene = scene_of(method)
    natural, shares = (0.5, ("", "")) if method == "knn" else (0.0, (" (p = 0.5)", " (p = 0.679)"))
    found, words, before, picture = thresholds(scene)
    assert found == dict.fromkeys(ON_ONE_THRESHOLD, natural) and words == {f"threshold {natural:g}{shares[0]}"}
    moved = with_value(scene, 0, "decision.threshold", 0.75)
    assert moved.panels[0].pipeline.decision.rule == "threshold"
    found, words, after, other = thresholds(moved)
    assert found == dict.fromkeys(ON_ONE_THRESHOLD, 0.75) and words == {f"threshold 0.75{shares[1]}"}
    assert before != after
    boundary, former = (next(mark.xy for mark in one.plot.marks if mark.role == "boundary") for one in (other, picture))
    assert boundary.shape != former.shape or not np.allclose(boundary, former, equal_nan=True)


def test_a_drag_takes_over_from_costs_and_leaves_class_weights():
    scene = with_value(scene_of("logistic"), 0, "decision.cost_fn", 4.0)
    scene = with_value(scene, 0, "decision.rule", "costs")
    assert thresholds(scene)[0] == dict.fromkeys(ON_ONE_THRESHOLD, -np.log(4.0))
    decision = with_value(scene, 0, "decision.threshold", -0.5).panels[0].pipeline.decision
    assert (decision.rule, decision.threshold, decision.cost_fn) == ("threshold", -0.5, 4.0)
    weighed = with_value(scene_of("logistic", weights=Weights("balanced")), 0, "decision.threshold", -0.5)
    assert weighed.panels[0].pipeline.weights.balance == "balanced"


def test_several_classes_have_no_threshold():
    found, words, _, _ = thresholds(scene_of("lda", classes=3))
    assert found == {} and words == set()


def test_what_is_computed_of_the_scores_is_kept_while_the_threshold_moves():
    X, y = overlapping(50, (0, 1))
    model = pipeline("logistic").fit(X, y)
    study, found = registry()["roc"](), []
    for threshold in (-0.5, 0.5):
        decided = pipeline("logistic", threshold=threshold)
        *_, first = study.run(decided, X, y)
        found.append(study.judge(model.deciding(decided.decision), first.question))
    assert found[0].scored is found[1].scored and found[0].operating != found[1].operating
