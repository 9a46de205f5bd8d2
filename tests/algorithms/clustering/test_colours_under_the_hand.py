"""While one sample is dragged, a cluster keeps its name, and so its colour, as long as its other samples stay in it."""

import time

import numpy as np
import pytest
from sklearn.cluster import KMeans as Oracle

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import generators
from mlviz.numerics.scoring.agreement import names_kept
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from mlviz.worker.engine import Engine
from mlviz.worker.jobs import Request
from tests.sweep import trials

TURN = np.linspace(0, 2 * np.pi, 201)
COUNT = {"kmeans": "n_clusters", "gmm": "n_components"}


def path(seed):
    """200 moves through all of the view and back."""
    return 3.5 * np.column_stack((np.sin(2 * TURN + seed), np.cos(3 * TURN)))


def renamed(before, after):
    """The names of clusters (n,) that all their samples have kept and that are called otherwise now."""
    return [
        code
        for code in np.unique(before)
        if len(now := np.unique(after[before == code])) == 1
        and np.array_equal(after == now[0], before == code)
        and now[0] != code
    ]


@pytest.mark.parametrize("method", COUNT)
@pytest.mark.parametrize(("shape", "seed", "k"), [("blobs", 0, 5), ("blobs", 1, 5), ("moons", 2, 5)])
def test_while_one_moves_no_cluster_whose_other_samples_stay_changes_its_colour(method, shape, seed, k):
    X, held = generators()[shape](n_samples=60).generate(seed).X, int(np.random.default_rng(seed).integers(60))
    others = np.arange(60) != held
    pipeline = Pipeline(registry()[method](**{COUNT[method]: k}))
    follower, shown = pipeline.follower(), pipeline.fit(X)
    follower.start_from(pipeline.algorithm, shown)
    for place in path(seed)[: len(trials(200))]:
        X = X.copy()
        X[held] = place
        before, shown = shown.inner.labels[others], follower.update(pipeline, X)
        assert renamed(before, shown.inner.labels[others]) == []


def test_centres_go_on_where_they_were_as_in_scikit_learn():
    rng, X = np.random.default_rng(3), generators()["moons"](n_samples=80).generate(3).X
    pipeline = Pipeline(registry()["kmeans"](n_clusters=4))
    follower = pipeline.follower()
    last = follower.update(pipeline, X).inner
    np.testing.assert_allclose(last.centers, pipeline.fit(X).inner.centers)
    for _ in trials(30):
        X = X.copy()
        X[rng.integers(80)] = rng.uniform(-4, 4, 2)
        now = follower.update(pipeline, X).inner
        oracle = Oracle(4, init=last.centers, n_init=1, tol=0).fit(X)
        np.testing.assert_allclose(now.centers, oracle.cluster_centers_, atol=1e-9)
        assert now.settled and np.array_equal(now.labels, oracle.labels_)
        last = now
    fewer = follower.update(pipeline, np.repeat(X[:3], 4, axis=0)).inner
    assert len(fewer.centers) == 3 and "only 3 clusters" in fewer.caveat
    assert len(follower.update(pipeline, X).inner.centers) == 4


def test_a_step_on_the_way_stays_in_sight_under_the_hand():
    data = generators()["blobs"](n_samples=40).generate(1)
    scene = Scene(data, (Panel(Pipeline(registry()["kmeans"]())),)).with_view(step=1)
    engine, pictures = Engine(), []
    for number, draft in enumerate((False, True)):
        moved = Dataset(data.X + 0.01 * number, data.labels)
        engine.submit(Request(number, scene.replace(dataset=moved), ((100, 100),), draft=draft))
        while engine.busy:
            pictures += engine.advance(0.0)
            time.sleep(engine.seconds_until_work() or 0)
    assert pictures[-1].draft and pictures[-1].step == pictures[0].step == 1


def test_clusters_alike_keep_their_names():
    former = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2])
    assert names_kept(former, np.array([2, 2, 2, 0, 0, 0, 1, 1, 1]), 3).tolist() == [1, 2, 0]
    assert names_kept(former, np.array([1, 1, 0, 2, 2, 2, 2, 2, 0]), 3)[1] == 0
    assert sorted(names_kept(former, np.zeros(9, dtype=int), 3)) == [0, 1, 2]
