import numpy as np

from mlviz.algorithms.clustering.dbscan import DBSCAN
from mlviz.numerics.grid import Grid
from tests.sweep import each


@each("d, weighted", [2, 5], [False, True])
def test_core_samples_of_many_are_shown_as_they_are_found(d, weighted, monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(700, d)) * 0.3 + 3.0 * rng.integers(0, 3, (700, 1))
    weights = rng.uniform(0.3, 2.0, 700) if weighted else None
    algorithm = DBSCAN(0.4, 6)
    at_once = list(algorithm.steps(X, None, rng, weights))
    assert at_once[0].stage == "core samples"
    monkeypatch.setattr("mlviz.numerics.pauses.ENTRIES", 1000)
    steps = list(algorithm.steps(X, None, rng, weights))
    search, rest = steps[: -len(at_once)], steps[-len(at_once) :]
    assert len(search) > 3
    for model, alike in zip(rest, at_once, strict=True):
        assert (model.stage, model.caveat) == (alike.stage, alike.caveat)
        np.testing.assert_array_equal(model.labels, alike.labels)
    ended, before = steps[-1].samples, 0
    for model in search:
        samples = model.samples
        assert model.stage == "search for core samples" and not model.finished and model.n_clusters == 0
        assert model.caveat == f"{len(samples.places):,} of 700 different samples asked so far whether they are core"
        np.testing.assert_array_equal(samples.core, ended.core & (samples.group >= 0))
        np.testing.assert_array_equal(samples.places[samples.group[samples.group >= 0]], X[samples.group >= 0])
        assert before < len(samples.places) < len(ended.places) or weighted
        before = len(samples.places)
        assert (model.labels == -1).all() and (model.predict(X[:9]) == -1).all()
    model = search[0]
    asked, left = np.flatnonzero(model.samples.core)[0], np.flatnonzero(model.samples.group < 0)[0]
    assert "a core sample, " in model.explain(X[asked]).sentence
    assert "not among those of which core samples were sought" in model.explain(X[left]).sentence
    assert (model.on_grid(Grid.over((-1, 1, -1, 1), 9, 9)) == -1).all() or d > 2
