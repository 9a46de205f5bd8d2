"""Where a score is far too small for single precision, the region painted is still what is predicted there."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.draw.marks import Field
from mlviz.picture.render import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.defaults import default_scene
from mlviz.scene.trace import fit_of
from tests.sweep import chosen, sweep

PLACES = np.array([[-1.5, 0.0], [1.5, 0.5], [0.0, 2.0], [2.0, -2.0], [-3.0, -3.1], [3.4, 3.3]])

LABELS = (0, 1, 0, 1, 0, 1), (0, 1, 2, 1, 0, 2)


def narrow():
    """Every method for classes that has a width, with small ones of every kernel or window, and labels."""
    for name, cls in sorted(registry().items()):
        keys = {p.key: p for p in cls.parameters()}
        width = next((key for key in ("sigma", "width") if key in keys), None)
        shape = next((key for key in ("kernel", "window") if key in keys), None)
        if width is None or shape is None or "classification" not in cls.tasks:
            continue
        for option in keys[shape].options:
            for value in (0.01, 0.05):
                if cls.parameter(width).valid[0] is None or cls.parameter(width).valid[0] <= value:
                    yield from ((name, shape, option, width, value, labels) for labels in LABELS)


@pytest.mark.parametrize(("name", "shape", "option", "width", "value", "labels"), chosen(narrow(), fewest=4))
def test_the_region_is_what_is_predicted_however_small_the_score(name, shape, option, width, value, labels):
    scene = default_scene()
    pipeline = Pipeline(registry()[name](**{shape: option, width: value}), multiclass="one-vs-rest")
    panel = dataclasses.replace(scene.panels[0], pipeline=pipeline)
    scene = scene.replace(dataset=Dataset(PLACES, np.array(labels)), panels=(panel,))
    (picture,) = draw(scene, [(300, 240)], 60)
    region = next(mark for mark in picture.plot.marks if isinstance(mark, Field) and mark.classes is not None)
    nodes = np.stack(np.meshgrid(region.x, region.y), axis=-1)
    model = list(fit_of(scene, 0).steps())[-1]
    predicted = model.predict(nodes.reshape(-1, 2)).reshape(region.classes.shape)
    painted = region.strength > 0
    wrong = painted & (region.classes != predicted)
    if model.field == "predict_proba":
        assert painted.all() and not wrong.any()
        return
    scores = np.asarray(model.decision_function(nodes.reshape(-1, 2)))
    if len(set(labels)) == 2:
        assert not wrong.any()
        assert (scores.reshape(predicted.shape)[~painted] == 0).all(), "only where nothing is said nothing is painted"
    else:
        assert_only_what_is_equal_has_no_class(scores.reshape(*predicted.shape, -1), painted, wrong)


def assert_only_what_is_equal_has_no_class(scores, painted, wrong):
    """Scores (ny, nx, k) lead by no more than rounding where no class is painted, or another one."""
    *_, second, first = np.sort(scores, axis=-1).transpose(2, 0, 1)
    lead = (first - second) / np.maximum(np.abs(first), np.finfo(float).tiny)
    assert lead[~painted].max(initial=0) <= 1e-15
    assert (first - second)[wrong].max(initial=0) <= 1e-15 * np.abs(scores).max()


CLOUD = np.random.default_rng(0).normal(0, 1.2, (60, 2))


@sweep(
    "name, way, sigma",
    ["svm", "kernel-rls", "kernel-perceptron", "kernel-logistic", "smo"],
    ["one-vs-rest", "one-vs-one"],
    [0.01, 0.1],
)
def test_several_classes_have_a_region_wherever_one_of_them_leads(name, way, sigma):
    """On as many nodes as a window has; offsets are nearly alike, and what leads is far below single precision."""
    scene = default_scene()
    pipeline = Pipeline(registry()[name](kernel="gaussian", sigma=sigma), multiclass=way)
    data = Dataset(CLOUD, np.random.default_rng(1).integers(0, 3, len(CLOUD)))
    scene = scene.replace(dataset=data, panels=(dataclasses.replace(scene.panels[0], pipeline=pipeline),))
    (picture,) = draw(scene, [(400, 320)], 200)
    region = next(mark for mark in picture.plot.marks if mark.role == "region")
    nodes = np.stack(np.meshgrid(region.x, region.y), axis=-1)
    model = list(fit_of(scene, 0).steps())[-1]
    predicted = model.predict(nodes.reshape(-1, 2)).reshape(region.classes.shape)
    painted = region.strength > 0
    wrong = painted & (region.classes != predicted)
    if way == "one-vs-rest":
        scores = model.decision_function(nodes.reshape(-1, 2)).reshape(*predicted.shape, -1)
        assert_only_what_is_equal_has_no_class(scores, painted, wrong)
        told = "the largest scores are equal in the part without colour"
        assert (told in picture.caption) == (not painted.all() and painted.any())
        return
    # A class that wins a pair by nothing is not painted, nor one whose scores lead by nothing where votes are equal.
    signed = [part.model.decision_function(nodes.reshape(-1, 2)) for part in model.parts]
    votes = np.sort(model.inner.votes(signed), axis=0)
    pairs = np.min(np.abs(signed), axis=0)
    scores = np.sort(model.decision_function(nodes.reshape(-1, 2)), axis=1)
    lead = np.where(votes[-1] > votes[-2], pairs, np.minimum(pairs, scores[:, -1] - scores[:, -2]))
    assert lead.reshape(predicted.shape)[~painted].max(initial=0) <= 1e-15
    assert wrong.mean() < 1e-3
