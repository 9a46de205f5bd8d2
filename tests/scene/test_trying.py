"""What is offered to be tried is there to be seen: clustering methods find the groups that it draws."""

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
