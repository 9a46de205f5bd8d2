"""Where decisions and binary models leave things open, and what settings have changed, as marks."""

import dataclasses
import time

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.draw.palette import THEMES, ink, opacities, theme_colors
from mlviz.picture import draw
from mlviz.pipeline.decisions import Decision, log_odds
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.weights import Weights
from mlviz.scene.scene import Panel, Scene, View
from mlviz.scene.trace import fit_of
from mlviz.worker import Engine, Request

rng = np.random.default_rng(0)
LABELS = np.repeat([0, 1], (60, 40))
TWO = Dataset(rng.normal(0, 0.9, (100, 2)) + 1.6 * LABELS[:, None], LABELS)
THREE = Dataset(rng.normal(0, 0.7, (90, 2)) + np.array([(0, 1.3), (1.3, -1), (-1.3, -1)])[np.arange(90) % 3],
                np.arange(90) % 3)  # fmt: skip
COSTS = Decision(rule="costs", cost_fp=1.0, cost_fn=4.0, reject=True, reject_cost=0.3)
VIEW = View(limits=(-4, 5, -4, 5))


def picture(method, data=TWO, view=VIEW, hidden=None, values=None, nodes=150, **pipeline):
    pipeline = Pipeline(registry()[method](**(values or {})), **pipeline)
    scene = Scene(data, (Panel(pipeline, hidden=hidden),), view=view)
    return draw(scene, [(300, 300)], nodes)[0], pipeline.fit(data.X, data.labels), scene


def named(picture, role):
    found = [mark for mark in picture.plot.marks if mark.role == role]
    assert len(found) <= 1
    return found[0] if found else None


def drawn(mark):
    return mark.xy[np.isfinite(mark.xy[:, 0])]


@pytest.mark.parametrize("preprocessing", ["none", "standardize"])
def test_the_boundary_is_where_the_score_is_the_threshold(preprocessing):
    decision = Decision(rule="threshold", threshold=0.6)
    shown, model, _ = picture("svm", decision=decision, preprocessing=preprocessing)
    np.testing.assert_allclose(model.decision_function(drawn(named(shown, "boundary"))), 0.6, atol=5e-3)
    np.testing.assert_allclose(model.decision_function(drawn(named(shown, "natural boundary"))), 0.0, atol=5e-3)
    wrong = np.flatnonzero((model.decision_function(TWO.X) > 0.6) != TWO.labels)
    np.testing.assert_array_equal(named(shown, "misclassified").rows, wrong)
    region = named(shown, "region")
    places = np.stack(np.meshgrid(region.x, region.y), axis=-1).reshape(-1, 2)
    assert np.mean(region.classes.ravel() == model.predict(places)) > 0.999
    assert "threshold 0.6 on the score" in shown.caption and shown.facts["positive class"].value == "class 2"


@pytest.mark.parametrize("method", ["logistic", "svm", "lda", "knn", "parzen"])
def test_a_natural_boundary_that_is_the_decision_boundary_is_not_drawn_twice(method):
    weighs = method != "svm"  # which has no probability to weigh
    for cost in (1.0, 3.0):
        same = Decision(rule="costs", cost_fp=cost, cost_fn=cost) if weighs else Decision(rule="threshold")
        shown, _, _ = picture(method, decision=same)
        assert named(shown, "boundary") is not None and named(shown, "natural boundary") is None
    other = Decision(rule="costs", cost_fn=2.0) if weighs else Decision(rule="threshold", threshold=0.2)
    shown, _, _ = picture(method, decision=other)
    assert named(shown, "natural boundary") is not None


@pytest.mark.parametrize("method", ["logistic", "knn"])
def test_between_the_rims_of_the_doubt_no_class_is_chosen(method):
    shown, model, _ = picture(method, decision=COSTS)
    cover = named(shown, "doubt")
    places = np.stack(np.meshgrid(cover.x, cover.y), axis=-1).reshape(-1, 2)
    rejected = model.predict(places) == -1
    assert cover.cover and cover.strength.shape == (150, 150)
    assert np.mean((cover.strength.ravel() > 0) == rejected) > 0.999
    wrong = np.flatnonzero(model.predict(TWO.X) == 1 - TWO.labels)
    np.testing.assert_array_equal(named(shown, "misclassified").rows, wrong)
    parting = named(shown, "threshold")
    assert parting.label == "threshold p = 0.2"
    if method == "logistic":
        np.testing.assert_allclose(model.decision_function(drawn(parting)), log_odds(0.2), atol=1e-3)
        rims = model.decision_function(drawn(named(shown, "boundary")))
        low, high = log_odds(0.3 / 4), log_odds(1 - 0.3)
        assert np.minimum(abs(rims - low), abs(rims - high)).max() < 1e-3
        assert (abs(rims - low) < 1e-3).any() and (abs(rims - high) < 1e-3).any()
    assert "costs 1 : 4, rejection 0.3, threshold at probability 0.2" in shown.caption and "rejected" in shown.caption


def test_a_rim_where_the_score_jumps_is_where_the_decision_changes():
    shown, model, _ = picture("knn", decision=COSTS, nodes=300)
    rims = drawn(named(shown, "boundary"))
    step = 9 / 299 / 500
    changes = np.zeros(len(rims), dtype=bool)
    for offset in ([step, 0], [0, step]):
        changes |= model.predict(rims + offset) != model.predict(rims - np.array(offset))
    assert changes.mean() > 0.97


def test_the_threshold_of_probabilities():
    for threshold in (0.0, 0.3, 0.5, 1.0, 2.0):
        shown, model, _ = picture("knn", decision=Decision(rule="threshold", threshold=threshold))
        region = named(shown, "region")
        places = np.stack(np.meshgrid(region.x, region.y), axis=-1).reshape(-1, 2)
        np.testing.assert_array_equal(region.classes.ravel(), model.predict(places))


@pytest.mark.parametrize("multiclass", ["one-vs-rest", "one-vs-one", "auto"])
@pytest.mark.parametrize("method", ["svm", "logistic"])
def test_areas_that_no_class_or_several_claim(method, multiclass):
    values = {"kernel": "linear"} if method == "svm" else {}
    shown, model, _ = picture(method, THREE, multiclass=multiclass, values=values)
    covers = [named(shown, "no class"), named(shown, "several classes")]
    if not model.parts:
        assert covers == [None, None]
        return
    region = named(shown, "region")
    places = np.stack(np.meshgrid(region.x, region.y), axis=-1).reshape(-1, 2)
    signed = np.stack([part.model.decision_function(places) for part in model.parts])
    if multiclass == "one-vs-rest":
        vote_counts = (signed > 0).sum(axis=0)
    else:
        votes = np.zeros((3, len(places)))
        for part, score in zip(model.parts, signed, strict=True):
            votes[part.positive] += score > 0
            votes[part.negative] += score <= 0
        vote_counts = (votes == votes.max(axis=0)).sum(axis=0)
    labels = "ambiguous: no class", "ambiguous: several classes"
    for cover, label, expected in zip(covers, labels, (vote_counts == 0, vote_counts > 1), strict=True):
        found = np.zeros(len(places)) if cover is None else cover.strength.ravel() > 0
        assert np.mean(found == expected) > 0.999
        if multiclass == "one-vs-rest":
            assert expected.any() and cover.label == label
    for theme in THEMES:  # told apart from each other, and from the paper
        none, several, paper = (
            ink("no class", theme).fill,
            ink("several classes", theme).fill,
            theme_colors(theme).canvas,
        )
        assert min(abs(none[0] - several[0]), abs(several[0] - paper[0])) > 40


def test_ambiguity_is_told_where_one_points():
    _, model, _ = picture("svm", THREE, multiclass="one-vs-rest", values={"kernel": "linear"})
    assert model.explain([0.0, 0.0]).sentence.endswith("No class has a positive score here: ambiguous.")
    corners = np.stack(np.meshgrid(np.linspace(-9, 9, 40), np.linspace(-9, 9, 40)), axis=-1).reshape(-1, 2)
    twice = corners[(model.decision_function(corners) > 0).sum(axis=1) == 2][0]
    assert model.explain(twice).sentence.endswith("2 classes have positive scores here: ambiguous.")
    clear = corners[(model.decision_function(corners) > 0).sum(axis=1) == 1][0]
    assert "ambiguous" not in model.explain(clear).sentence


def test_tied_votes_are_told():
    # Three classes on a ring of three thin arms: each beats its neighbour in the middle.
    for seed in range(40):
        some = np.random.default_rng(seed)
        labels = np.arange(12) % 3
        X = some.normal(0, 1.0, (12, 2)) + np.array([(0, 1), (1, -0.6), (-1, -0.6)])[labels]
        data = Dataset(X, labels)
        shown, model, _ = picture("svm", data, values={"kernel": "linear", "C": 100.0})
        cover = named(shown, "several classes")
        if cover is not None:
            row, column = np.argwhere(cover.strength > 0)[len(np.argwhere(cover.strength > 0)) // 2]
            told = model.explain([cover.x[column], cover.y[row]]).sentence
            (predicted,) = model.predict([[cover.x[column], cover.y[row]]])
            assert told.startswith(f"3 classes win 1 of 2 votes each: ambiguous, and class {predicted} is predicted, ")
            return
    pytest.fail("no tie in 40 data sets")


def test_samples_left_out_are_marked():
    shown, model, _ = picture("svm", weights=Weights(balance="subsample"))
    rows = named(shown, "left out").rows
    assert len(rows) == 20 and (TWO.labels[rows] == 0).all()
    assert (model.training.effective_weights[rows] == 0).all()
    assert "subsampled to 80; n = 100" in shown.caption
    assert named(picture("svm", weights=Weights(balance="upsample"))[0], "left out") is None


def test_overlays_are_listed_where_they_make_sense():
    def listed(**settings):
        return {o.id for o in Panel(Pipeline(registry()["svm"](), **settings)).overlays} & {
            o.id for o in Panel(Pipeline(registry()["kmeans"]())).possible_overlays
        } - {"regions"}

    assert listed(multiclass="one-vs-one") == {"ambiguous"} == listed()
    assert listed(decision=COSTS) == {"ambiguous", "doubt", "natural boundary"}
    assert listed(preprocessing="standardize", weights=Weights(balance="subsample")) == {
        "ambiguous",
        "unstandardized",
        "left out",
    }
    assert listed(preprocessing="whiten") == {"ambiguous", "unwhitened"}
    direct = Pipeline(registry()["logistic"]())
    assert "ambiguous" not in {o.id for o in direct.overlays}
    assert "ambiguous" in {o.id for o in direct.replace(multiclass="one-vs-rest").overlays}
    ids = [o.id for o in Pipeline(registry()["svm"](), decision=COSTS).overlays]
    assert ids.index("regions") < ids.index("doubt") < ids.index("boundary")


@pytest.mark.parametrize(("method", "target"), [("logistic", None), ("linear-regression", None)])
def test_the_fit_without_standardization_is_drawn_beside(method, target):
    data = Dataset(TWO.X * (1, 100), TWO.labels)
    values = {"lambda_": 1.0} if method == "logistic" else {"penalty": "L2", "lambda_": 1.0}
    view = View(limits=(-4, 5, -400, 500), equal=False)
    shown, model, scene = picture(method, data, view, hidden=(), values=values, preprocessing="standardize")
    line = drawn(named(shown, "unstandardized"))
    plain = Pipeline(scene.panels[0].pipeline.algorithm)
    if method == "logistic":
        other = plain.fit(data.X, data.labels)
        np.testing.assert_allclose(other.decision_function(line), 0, atol=2e-2)
        assert np.abs(model.decision_function(line)).max() > 0.1
    else:
        other = plain.fit(data.X[:, :1], data.X[:, 1])
        np.testing.assert_allclose(other.predict(line[:, :1]), line[:, 1], rtol=1e-9)
    assert named(picture(method, data, view, values=values, preprocessing="standardize")[0], "unstandardized") is None
    assert named(picture(method, data, view, hidden=(), values=values)[0], "unstandardized") is None


def pictures(engine, request):
    engine.submit(request)
    found = []
    while engine.busy:
        found += engine.advance(0.0)
        time.sleep(engine.seconds_until_work() or 0)
    return found


def test_while_the_hand_moves_nothing_is_fitted_beside():
    _, _, scene = picture("svm", hidden=(), preprocessing="standardize")
    engine = Engine()
    drafts = pictures(engine, Request(1, scene, ((300, 300),), draft=True))
    assert all(named(shown, "unstandardized") is None for shown in drafts)
    first, *rest = pictures(engine, Request(2, scene, ((300, 300),)))
    assert named(first, "unstandardized") is None and named(rest[-1], "unstandardized") is not None
    moved = scene.with_view(limits=(-5, 5, -5, 5))
    assert named(pictures(engine, Request(3, moved, ((300, 300),)))[0], "unstandardized") is not None


def test_a_moved_threshold_fits_nothing():
    _, _, scene = picture("logistic", decision=COSTS)
    engine = Engine()
    pictures(engine, Request(1, scene, ((300, 300),)))
    panel = scene.panels[0]
    other = panel.pipeline.replace(decision=Decision(rule="threshold", threshold=1.0))
    changed = scene.with_panel(0, dataclasses.replace(panel, pipeline=other))
    assert fit_of(changed, 0).key == fit_of(scene, 0).key
    weighed = panel.pipeline.replace(decision=Decision(), weights=Weights(balance="balanced"))
    weighed = scene.with_panel(0, dataclasses.replace(panel, pipeline=weighed))
    assert fit_of(weighed, 0).key != fit_of(scene, 0).key
    engine.submit(Request(2, changed, ((300, 300),)))
    assert engine._jobs[0].trace.finished
    (shown, *_) = engine.advance(0.0)
    assert "threshold 1 on the log odds" in shown.caption and named(shown, "doubt") is None


def test_opacities_are_premultiplied():
    table = opacities((200, 100, 0, 255))
    assert table[0] == 0 and table[255] == 0xFFC86400
    assert table[128] >> 24 == 128 and (table[128] >> 16 & 255) == 200 * 128 // 255
