"""Weights, decisions and ways for several classes serve every classifier; the picture shows what is decided."""

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.picture import draw
from mlviz.pipeline.decisions import Decision
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.weights import Weights
from mlviz.scene.scene import Panel, Scene, View
from tests.sweep import sweep

CLASSIFIERS = [name for name, method in registry().items() if method.tasks[0] == "classification"]
COSTS = Decision(rule="costs", cost_fp=3.0, cost_fn=1.0, reject=True, reject_cost=0.3)


def data_of(k, n=50, seed=1):
    rng = np.random.default_rng(seed)
    labels = np.minimum(rng.integers(0, k + 1, n), k - 1)
    return Dataset(rng.normal(0, 0.8, (n, 2)) + 1.1 * np.column_stack((np.cos(2 * labels), np.sin(2 * labels))), labels)


def shown(name, data, **settings):
    pipeline = Pipeline(registry()[name](), **settings)
    scene = Scene(data, (Panel(pipeline),), view=View(limits=(-3, 3, -3, 3)))
    (picture,) = draw(scene, [(60, 60)], 60)
    assert picture.message is None
    return picture, pipeline.fit(data.X, data.labels)


def assert_regions_are_predictions(picture, model):
    region = next(mark for mark in picture.plot.marks if mark.role == "region")
    places = np.stack(np.meshgrid(region.x, region.y), axis=-1).reshape(-1, 2)
    said, classes = model.predict(places), region.classes.ravel()
    doubt = np.zeros(len(places), dtype=bool)
    for mark in picture.plot.marks:
        if mark.role == "doubt":
            doubt = mark.strength.ravel() > 0
    assert np.mean(doubt == (said == -1)) > 0.998
    # Nodes within rounding of a boundary, and votes that are equal, may fall to either side.
    assert np.mean((classes == said) | (said == -1)) > 0.998


@pytest.mark.parametrize("name", CLASSIFIERS)
@pytest.mark.parametrize("decision", [Decision(rule="threshold", threshold=0.4), COSTS], ids=["threshold", "costs"])
def test_two_classes_part_where_the_picture_says(name, decision):
    picture, model = shown(name, data_of(2), decision=decision)
    assert_regions_are_predictions(picture, model)
    probable = hasattr(model.inner, "predict_proba")
    assert ("costs need probabilities" in picture.caption) == (decision is COSTS and not probable)
    assert ("mean cost" in picture.facts) == (decision is COSTS and probable)


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_a_score_beside_probabilities_is_the_log_odds(name):
    _, model = shown(name, data_of(2))
    if hasattr(model.inner, "predict_proba") and hasattr(model.inner, "decision_function"):
        places = np.random.default_rng(0).uniform(-3, 3, (200, 2))
        probability = model.predict_proba(places)[:, 1]
        expected = 1 / (1 + np.exp(-model.decision_function(places)))
        np.testing.assert_allclose(probability, expected, atol=1e-9)


@sweep("name, kind", CLASSIFIERS, ["balanced", "by hand", "subsample", "upsample"])
def test_weights_and_drawn_samples(name, kind):
    weights = Weights(balance=kind, class_weight=(1.0, 3.0))
    for k in (2, 3):
        picture, model = shown(name, data_of(k), weights=weights)
        assert_regions_are_predictions(picture, model)
        assert (
            model.training.weighed
            and weights.in_words(model.training.effective_weights.sum(), len(model.classes)) in picture.caption
        )
        if k == 2:
            assert "false positive rate" in picture.facts


@sweep("name, multiclass", CLASSIFIERS, ["one-vs-rest", "one-vs-one", "direct"], fewest=2)
def test_several_classes(name, multiclass):
    data = data_of(3)
    algorithm = registry()[name]()
    if multiclass == "direct" and algorithm.not_direct():
        return
    picture, model = shown(name, data, multiclass=multiclass)
    assert bool(model.parts) == (multiclass != "direct")
    assert_regions_are_predictions(picture, model)
    told = model.explain(np.array([0.2, 0.1]))
    assert told is None or told.sentence.endswith(".")


@pytest.mark.parametrize("multiclass", ["one-vs-rest", "one-vs-one"])
@pytest.mark.parametrize("name", [n for n in CLASSIFIERS if "margins" in {o.id for o in registry()[n].overlays}])
def test_the_margins_at_the_probe_are_those_of_the_leading_pair(name, multiclass):
    data, probe = data_of(3), np.array([0.3, 0.4])
    pipeline = Pipeline(registry()[name](), multiclass=multiclass)
    scene = Scene(data, (Panel(pipeline),), view=View(limits=(-3, 3, -3, 3), probe=(0.3, 0.4)))
    (picture,) = draw(scene, [(200, 200)], 200)
    (margin,) = (mark for mark in picture.plot.marks if mark.role == "margin")
    model = pipeline.fit(data.X, data.labels)
    first, second = np.argsort(-model.decision_function(probe[None])[0])[:2]
    (part,) = (p for p in model.parts if {p.negative, p.positive} in ({first, second}, {first, None}))
    rims = np.abs(part.model.decision_function(margin.xy[np.isfinite(margin.xy[:, 0])]))
    np.testing.assert_allclose(rims, 1.0, atol=0.02)
