import math
from itertools import pairwise

import numpy as np
import pytest
import sklearn.cluster
from sklearn.datasets import load_iris, load_wine
from sklearn.neighbors import NearestNeighbors

from mlviz.algorithms.clustering.dbscan import DBSCAN
from mlviz.algorithms.clustering.dbscan.model import MOST_ASKED, MOST_VISITED
from mlviz.draw.layer import Context
from mlviz.draw.marks import Field
from mlviz.numerics.distances import pairwise as all_distances
from mlviz.numerics.grid import Grid
from mlviz.numerics.neighbors import dbscan as solver
from mlviz.numerics.neighbors import discs
from tests.sweep import trials

GRID = Grid(np.linspace(-4, 4, 41), np.linspace(-4, 4, 37))
OVERLAYS = {overlay.id: overlay for overlay in DBSCAN.overlays}


def clouds(n=200, seed=0, d=2):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) * rng.choice([0.3, 0.7, 1.5]) + rng.choice([-2, 0, 2], size=(n, d))


def in_order(X):
    return X[np.lexsort(X.T[::-1])]


def oracle(X, eps, min_samples, sample_weight=None):
    """With what rounding may add to eps: on a lattice samples are that far apart."""
    return sklearn.cluster.DBSCAN(eps=eps * solver.TIES, min_samples=min_samples).fit(X, sample_weight=sample_weight)


def steps(algorithm, X):
    return list(algorithm.steps(X, None, np.random.default_rng(0)))


def context(algorithm, X, model):
    return Context(
        X, None, np.arange(len(X)) + 7, algorithm, "clustering", grid=GRID, field=model.on_grid(GRID), plane=(0, 1)
    )


def samples():
    for seed in trials(60):
        rng = np.random.default_rng(seed)
        X = clouds(int(rng.integers(1, 250)), seed, int(rng.integers(1, 5)))
        eps = float(10 ** rng.uniform(-1.3, 0.6))
        if seed % 4 == 0:
            X, eps = np.rint(X * 3) / 10, float(rng.choice([0.1, 0.2, 0.1 * 2**0.5]))
        weights = rng.integers(1, 4, len(X)) if seed % 3 == 0 else None
        yield X, eps, int(rng.integers(1, 12)), weights
    for load in (load_iris, load_wine):
        X = load().data
        for eps in (0.3, 0.8, 1.5, 2.5):
            yield (X - X.mean(axis=0)) / X.std(axis=0), eps, 5, None
    # Two dense squares and the gap between them, of which no list of a few nearest samples knows.
    squares = np.random.default_rng(1).uniform(size=(600, 2)) + np.repeat([[0.0, 0], [1.2, 0]], 300, axis=0)
    yield squares, 0.15, 3, None
    yield squares, 0.3, 3, None


def test_labels_are_those_of_scikit_learn_which_takes_the_rows_in_their_order():
    """So that of a border sample's clusters the first one is the leftmost, as here."""
    for X, eps, min_samples, weights in samples():
        order = np.lexsort(X.T[::-1])
        weights = None if weights is None else weights[order]
        model = DBSCAN(eps, min_samples).fit(X[order], sample_weight=weights)
        theirs = oracle(X[order], eps, min_samples, weights)
        np.testing.assert_array_equal(model.labels, theirs.labels_)
        np.testing.assert_array_equal(np.flatnonzero(model.samples.core), theirs.core_sample_indices_)
        np.testing.assert_array_equal(model.predict(X[order]), model.labels)


def test_a_border_sample_that_two_clusters_reach_is_in_the_first():
    X = np.array([(-1.0, 0), (-1.2, 0), (-1.1, 0.1), (-1.1, -0.1), (0, 0), (1, 0), (1.2, 0), (1.1, 0.1), (1.1, -0.1)])
    for way in (X, X[::-1]):
        model = DBSCAN(1.0, 4).fit(way)
        assert model.labels[4] == 0 and not model.samples.core[4]
        assert model.border.sum() == 1 and model.n_clusters == 2
    mirrored = DBSCAN(1.0, 4).fit(-X)
    assert mirrored.labels[4] == 0 and mirrored.labels[5] == 0


def test_colours_do_not_depend_on_the_order_of_the_rows():
    X = clouds(150, 3)
    model, order = DBSCAN().fit(X), np.random.default_rng(0).permutation(150)
    np.testing.assert_array_equal(DBSCAN().fit(X[order]).labels, model.labels[order])
    firsts = [X[(model.labels == code) & model.samples.core][:, 0].min() for code in range(model.n_clusters)]
    assert model.n_clusters > 3 and (np.diff(firsts) > 0).all()


def test_whole_weights_are_copies_and_parts_of_samples_count_as_parts():
    X = clouds(80, 5)
    times = np.random.default_rng(0).integers(0, 4, 80)
    weighted = DBSCAN().fit(X, sample_weight=times)
    repeated = DBSCAN().fit(np.repeat(X, times, axis=0))
    np.testing.assert_array_equal(np.repeat(weighted.labels, times), repeated.labels)
    assert not weighted.samples.core[times == 0].any()
    parts = DBSCAN(min_samples=1).fit(X, sample_weight=np.full(80, 0.2))
    np.testing.assert_array_equal(parts.labels, DBSCAN(min_samples=5).fit(X).labels)


@pytest.mark.parametrize("eps", [0.1, 0.5, 2.0])
def test_grid_equals_predict(eps, monkeypatch):
    model = DBSCAN(eps).fit(clouds(120, 2))
    expected = model.predict(GRID.points()).reshape(GRID.shape)
    np.testing.assert_array_equal(model.on_grid(GRID, np.float32), expected)
    monkeypatch.setattr(discs, "MOST_SPANS", 0)
    np.testing.assert_array_equal(model.on_grid(GRID), expected)


def test_clusters_grow_one_after_the_other_from_sample_to_sample():
    X = clouds(200, 4)
    algorithm = DBSCAN(0.4)
    models = steps(algorithm, X)
    assert [m.stage for m in models[:2]] == ["core samples", "growth of cluster 1"] and models[-1].stage == "noise"
    assert 20 < len(models) <= 27 and (models[0].labels < 0).all() and models[-1].n_clusters > 2
    shared, last = models[0].samples, models[-1]
    order = shared.order
    taken = set()
    for place in order.tolist():
        label = shared.clusters[place]
        before = [other for other in taken if shared.clusters[other] == label]
        gaps = np.linalg.norm(shared.places[before] - shared.places[place], axis=1)
        assert not before or gaps.min() <= 0.4
        taken.add(place)
    assert (np.diff(shared.clusters[order]) >= 0).all() and len(taken) == (shared.clusters >= 0).sum()
    for former, model in pairwise(models):
        there = former.labels >= 0
        np.testing.assert_array_equal(model.labels[there], former.labels[there])
        assert (model.labels >= 0).sum() > there.sum() or model is last
    np.testing.assert_array_equal(last.labels, algorithm.fit(X).labels)


def test_of_many_samples_each_cluster_grows_at_once():
    X = np.random.default_rng(0).normal(size=(3000, 2)) + 20 * (np.arange(3000)[:, None] // 1000)
    models = steps(DBSCAN(1.0), X)
    assert len(models[0].samples.order) > MOST_VISITED
    assert [m.stage for m in models] == ["core samples", "growth of cluster 1", "growth of cluster 2", "noise"]


def test_every_sample_is_drawn_as_core_border_or_noise():
    X, algorithm = clouds(150, 3), DBSCAN()
    models = steps(algorithm, X)
    shown = context(algorithm, X, models[-1])
    drawn = {id: overlay.draw(models[-1], shown) for id, overlay in OVERLAYS.items()}
    rows = [np.concatenate([mark.rows for mark in drawn[id]]) - 7 for id in ("core", "border", "noise")]
    np.testing.assert_array_equal(np.sort(np.concatenate(rows)), np.arange(150))
    assert all(map(len, rows))
    theirs = oracle(X, 0.5, 5)
    np.testing.assert_array_equal(np.sort(rows[0]), theirs.core_sample_indices_)
    np.testing.assert_array_equal(np.sort(rows[2]), np.flatnonzero(theirs.labels_ < 0))
    for mark in (*drawn["core"], *drawn["border"]):
        assert (models[-1].labels[mark.rows - 7] == int(mark.role.split()[-1])).all()
    (shade,) = drawn["regions"]
    assert isinstance(shade, Field) and ((shade.strength > 0) == (models[-1].on_grid(GRID) >= 0)).all()
    for mark in drawn["links"]:
        assert (np.linalg.norm(mark.start - mark.end, axis=1) <= 0.5).all()
    # Before anything grows, nobody is noise yet, and core samples wait.
    assert not OVERLAYS["noise"].draw(models[0], shown) and not OVERLAYS["border"].draw(models[0], shown)
    (waiting,) = OVERLAYS["core"].draw(models[0], shown)
    assert waiting.role == "not reached yet" and len(waiting.rows) == len(rows[0])


def test_the_chart_has_the_radii_that_hold_enough_samples_and_drags_eps():
    X, algorithm = clouds(150, 3), DBSCAN(0.5, 4)
    model = algorithm.fit(X)
    plot = DBSCAN.charts[0].draw(model, context(algorithm, X, model))
    level, curve, crossing = plot.marks
    expected = np.sort(NearestNeighbors(n_neighbors=4).fit(X).kneighbors(X)[0][:, 3])
    np.testing.assert_allclose(curve.xy[:, 1], expected, rtol=1e-12)
    assert crossing.xy[0].tolist() == [model.samples.core.sum(), 0.5] and (level.xy[:, 1] == 0.5).all()
    (handle,) = plot.handles
    assert handle.path == "algorithm.eps" and handle.values[handle.at] == 0.5
    np.testing.assert_array_equal(handle.points[:, 1], handle.values)
    assert DBSCAN.charts[0].draw(DBSCAN().fit(X[:3]), context(DBSCAN(), X[:3], DBSCAN().fit(X[:3]))) is None


def test_what_is_said_of_a_place_is_who_is_in_the_circle():
    X = np.array([(0.0, 0), (0.3, 0), (0.6, 0), (0.9, 0), (3.0, 0), (3.2, 0)])
    model = DBSCAN(0.4, 3).fit(X)
    said = [model.explain(x).sentence for x in (*X[[1, 0, 4]], np.array([0.45, 0.2]), np.array([2.0, 2.0]))]
    assert said == [
        "cluster 1: a core sample, 3 samples within eps = 0.4, itself included.",
        "cluster 1: a border sample, 2 samples within eps = 0.4, itself included, and a core sample is 0.3 away.",
        "no cluster: noise, 2 samples within eps = 0.4, itself included, none of them core.",
        "cluster 1: 2 samples within eps = 0.4, 2 of them core.",
        "no cluster: no sample within eps = 0.4.",
    ]
    circle, links, _ = model.explain(X[1]).marks
    np.testing.assert_allclose(np.linalg.norm(circle.xy - X[1], axis=1), 0.4)
    assert len(links.start) == 3
    first = steps(DBSCAN(0.4, 3), X)[0]
    assert first.explain(X[1]).sentence.startswith("no cluster yet: a core sample")


def test_degenerate_samples_have_clusters_or_none_and_it_is_said():
    alone = DBSCAN().fit([[0.0, 1.0]])
    assert alone.caveat == "no cluster: no sample has 5 samples within eps = 0.5, itself included"
    assert alone.labels.tolist() == [-1] and DBSCAN(min_samples=1).fit([[0.0, 1.0]]).labels.tolist() == [0]
    copies = DBSCAN().fit(np.zeros((5, 2)))
    assert copies.labels.tolist() == [0] * 5 and not copies.caveat
    assert DBSCAN(1e9).fit(clouds()).n_clusters == 1


def test_the_lines_of_code_give_the_same_labels():
    X = in_order(clouds(150, 3))
    algorithm = DBSCAN(0.4, 3)
    model = algorithm.fit(X)
    lines = algorithm.code(model)
    left = {}
    exec("\n".join((*lines.imports, f"model = {lines.steps[0]}")), left)
    np.testing.assert_array_equal(getattr(left["model"].fit(X), lines.result), model.labels)


def test_places_drawn_by_hand_are_rated_by_the_clusters_they_are_in():
    X = clouds(150, 3)
    model = DBSCAN().fit(X)
    firsts = [int(np.flatnonzero(model.labels == code)[0]) for code in (0, 2)]
    assert model.rating_of(np.vstack((X[firsts], X[firsts[:1]], [(50.0, 50.0)]))) == 2
    assert model.rating == model.n_clusters


def test_of_many_samples_of_many_inputs_some_may_be_core_and_it_is_said():
    """As DBSCAN++ says it: neighbours are counted among all, clusters joined by those drawn, and all may be reached."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(2600, 5)) * 0.4 + 3.0 * rng.integers(0, 3, (2600, 1))
    model = DBSCAN(eps=0.6, min_samples=9).fit(X)
    told = f"core samples sought among {MOST_ASKED:,} of 2,600 different samples, drawn at random"
    assert model.caveat == f"{told}: clusters that others would join may be apart"
    # Of one that was not asked nobody says that it is none.
    near = all_distances(X, X) <= model.samples.radius
    every = near.sum(axis=1) >= 9
    left_out = np.flatnonzero(every & (model.samples.group < 0))[0]
    assert "not among those of which core samples were sought" in model.explain(X[left_out]).sentence
    alone = DBSCAN(eps=1e-3, min_samples=9).fit(X)
    assert alone.caveat.endswith("no cluster: none of them has 9 samples within eps = 0.001, itself included")
    drawn = np.flatnonzero(model.samples.group >= 0)
    assert len(drawn) == MOST_ASKED
    core = drawn[every[drawn]]
    np.testing.assert_array_equal(np.flatnonzero(model.samples.core), core)
    of_core = sklearn.cluster.DBSCAN(eps=model.samples.radius, min_samples=1).fit(X[core]).labels_
    assert 3 <= of_core.max() + 1 == model.n_clusters < 60
    np.testing.assert_array_equal(np.unique(np.stack((of_core, model.labels[core])), axis=1).shape[1], model.n_clusters)
    reached = near[:, core].any(axis=1)
    np.testing.assert_array_equal(model.labels >= 0, reached)
    few = DBSCAN(eps=0.6, min_samples=9).fit(X[:MOST_ASKED])
    assert not few.caveat and (few.samples.group >= 0).all() and "further samples" not in few.facts()
    # What was counted among those that were asked is not told as if it were of all.
    told = [[name for name in fitted.facts() if name.startswith("core samples")] for fitted in (few, model)]
    assert told == [["core samples"], ["core samples found"]] and model.facts()[told[1][0]] == len(core)
    assert "none of them known to be core" in alone.explain(X[drawn[0]]).sentence
    assert "known" not in few.explain(X[0]).sentence and "known to be core" in model.explain(X.mean(axis=0)).sentence
    # Border samples were drawn and are not core; nothing is known of the others.
    border, further = np.isin(np.arange(2600), drawn) & reached, ~np.isin(np.arange(2600), drawn) & reached
    border[core] = False
    np.testing.assert_array_equal(np.stack((model.border, model.further)), np.stack((border, further)))
    assert (model.facts()["border samples"], model.facts()["further samples"]) == (border.sum(), further.sum())
    told = [model.explain(X[np.flatnonzero(which)[0]]).sentence for which in (border, further)]
    assert ": a border sample, " in told[0] and "not among those of which core samples were sought" in told[1]


@pytest.mark.parametrize("d", [4, 8])
def test_of_many_inputs_products_find_the_first_cluster_that_reaches_a_place(d):
    """On a lattice many distances are the radius but for rounding; far away or far from 0 as well."""
    rng = np.random.default_rng(d)
    X = np.unique(rng.integers(0, 3, (300, d)), axis=0).astype(float)
    labels = rng.integers(0, 40, len(X))
    places = np.vstack((rng.integers(-1, 4, (500, d)), np.full((1, d), 1e200))).astype(float)
    for shift, radius in ((0.0, 1.0), (0.0, math.sqrt(2)), (2.0**20, math.sqrt(3)), (0.0, 0.5)):
        reached = all_distances(places, X) <= radius * solver.TIES
        first = np.where(reached, labels, 40).min(axis=1)
        found = solver.Reach(X + shift, labels, radius * solver.TIES).at(places + shift)
        np.testing.assert_array_equal(found, np.where(first < 40, first, -1))


@pytest.mark.parametrize("most", [10**6, 0])
def test_of_very_many_clusters_the_first_that_reaches_a_place_is_found(monkeypatch, most):
    """By lists of pairs, or by a tree for each where these would be too long."""
    monkeypatch.setattr(solver, "_MOST_PAIRS", most)
    rng = np.random.default_rng(0)
    X, labels = rng.integers(0, 30, (900, 2)).astype(float), rng.permutation(900)
    for places in (rng.integers(-2, 33, (500, 2)).astype(float), X[:0], X[:1] + 100):
        reach = solver.Reach(X, labels, math.sqrt(2) * solver.TIES)
        first = np.where(all_distances(places, X) <= reach.radius, labels, 900).min(axis=1)
        np.testing.assert_array_equal(reach.at(places), np.where(first < 900, first, -1))
        assert (reach._by_pairs(places) is None) == (most == 0 and len(places) == 500)
