"""What is offered to be tried is there to be seen: clustering methods find the groups that it draws."""

import re

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from mlviz.algorithms import registry
from mlviz.data.generators.catalog import Moons, generators
from mlviz.scene.defaults import default_scene
from mlviz.scene.edits import with_method
from mlviz.scene.trace import fit_of
from mlviz.scene.trying import in_words, tried
from mlviz.ui.datasets.preset_rows import GROUPS_APART

CHAINING = {"spectral": {}, "dbscan": {}, "hierarchical": {"linkage": "single", "n_clusters": 2}}
"""The methods that are meant for clusters without a centre."""


def agreement(method, trial):
    scene = tried(with_method(default_scene(), 0, method), 0, trial)
    fit = fit_of(scene, 0)
    return adjusted_rand_score(scene.dataset.labels, fit.pipeline.fit(fit.X, None, fit.seed).inner.labels)


def told(method, k):
    """What is fitted in a trial, and its last model."""
    fit = fit_of(tried(with_method(default_scene(), 0, method), 0, registry()[method].trials[k]), 0)
    return fit, list(fit.steps())[-1]


def rmse(method, k):
    fit, model = told(method, k)
    return np.sqrt(np.mean((fit.y - model.predict(fit.X)) ** 2))


OFFERED = [(method, k) for method, kind in registry().items() for k, one in enumerate(kind.trials) if one.data]


@pytest.mark.parametrize(("method", "k"), OFFERED)
def test_what_is_offered_can_be_fitted_and_is_told_in_a_sentence(method, k):
    kind = registry()[method]
    fit = fit_of(tried(with_method(default_scene(), 0, method), 0, kind.trials[k]), 0)
    assert len(fit.X) and next(iter(fit.steps())) is not None
    words = in_words(kind.trials[k], kind)
    assert (
        words.startswith("Draw ") and words.endswith(".") and len(re.findall(" and (?:set|choose|switch) ", words)) <= 1
    )


def test_components_of_rings_and_of_circles_are_as_they_are_said_to_be():
    fit, model = told("kernel-pca", 0)
    labels = tried(with_method(default_scene(), 0, "kernel-pca"), 0, registry()["kernel-pca"].trials[0]).dataset.labels
    third = model.inner.transform(fit.X)[:, 2]
    inner, outer = third[labels == 1], third[labels == 0]
    assert inner.min() > outer.max() or inner.max() < outer.min()
    _, turning = told("pca", 1)
    assert 0.5 <= turning.inner.facts()["explained by 1"] < 0.55


def test_clusters_are_as_they_are_said_to_be():
    _, model = told("kernel-kmeans", 1)
    far = 50 * np.array([(1.0, 0.0), (0.0, 1.0), (-1.0, 0.2), (0.3, -1.0), (-1.0, -1.0)])
    assert len(np.unique(model.predict(far))) == 1
    assert told("spectral", 2)[1].inner.facts()["largest gap after"] == 3
    assert told("hierarchical", 2)[1].inner.facts()["inversions"] > 0
    assert told("mean-shift", 1)[1].inner.facts()["clusters"] > 2


def test_curves_are_as_they_are_said_to_be():
    fit, model = told("quantile-regression", 1)
    assert (fit.y > model.predict(fit.X) + 1e-6).mean() <= 1 / 20
    fit, model = told("svr", 2)
    residual = fit.y - model.predict(fit.X)
    assert (residual > 1e-6).sum() == (residual < -1e-6).sum()
    # A curve that bends to its points leaves much less of them than one that follows the sine.
    for method, bent in (("gp", 2), ("kernel-ridge", 1), ("rbf-network", 1)):
        assert rmse(method, bent) < 0.6 * rmse(method, 0), method
    assert told("gp", 2)[1].inner.predict_std(fit.X)[0].max() < 0.02
    assert np.ptp(told("logistic", 1)[1].predict_proba(told("logistic", 1)[0].X)[:, 0]) < 0.4


@pytest.mark.parametrize("method", CHAINING)
def test_each_method_meant_for_moons_has_a_trial_in_which_it_finds_them(method):
    trials = [trial for trial in registry()[method].trials if trial.data == "moons"]
    assert trials
    for trial in trials:
        assert agreement(method, trial) > 0.95
        assert "moons (n = 200, noise = 0.15)" in in_words(trial, registry()[method]).replace("samples", "n")


@pytest.mark.parametrize("method", CHAINING)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_moons_that_are_apart_are_found_by_the_defaults(method, seed):
    data = Moons(n_samples=200, noise=0.1).generate(seed)
    labels = registry()[method](**CHAINING[method]).fit(data.X, None).labels
    assert adjusted_rand_score(data.labels, labels) > 0.75


@pytest.mark.parametrize(("drawn", "finding"), [("moons", {*CHAINING}), ("circles", {"spectral", "hierarchical"})])
def test_of_the_preset_for_clustering_methods_the_defaults_of_these_find_the_groups(drawn, finding):
    data = GROUPS_APART[drawn].generate(0)
    usual = generators()[drawn]().generate(0)
    both = {method: CHAINING.get(method, {}) for method in (*CHAINING, "kmeans", "gmm")}
    both |= {"kmeans": {"n_clusters": 2}, "gmm": {"n_components": 2}}
    found = {
        method: [adjusted_rand_score(one.labels, registry()[method](**how).fit(one.X).labels) for one in (data, usual)]
        for method, how in both.items()
    }
    assert {method for method, (apart, _) in found.items() if apart > 0.99} == finding, found
    assert max(usual for _, usual in found.values()) < 0.6, "the preset of classes has no groups to be found"
