import itertools

import numpy as np
import pytest
import sklearn.cluster

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.clustering.kmeans import KMeans
from mlviz.draw.layer import Context
from mlviz.draw.marks import Field, Lines, Points, Segments
from mlviz.numerics.density.kmeans_starts import draw_centers
from mlviz.numerics.density.lloyd import SortedSamples, assign, update
from mlviz.numerics.grid import Grid
from tests.sweep import each, trials

GRID = Grid(np.linspace(-4, 4, 31), np.linspace(-4, 4, 29))
INITS = ("k-means++", "random points", "farthest point")


def blobs(n=150, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 2)) * 0.7 + rng.choice([-2, 0, 2], size=(n, 2))


def steps(algorithm, X, seed=0, sample_weight=None):
    return list(algorithm.steps(X, None, np.random.default_rng(seed), sample_weight))


def of_stage(models, stage):
    return [m for m in models if m.stage == stage]


@each("init, k, weighted", INITS, [1, 3, 7], [False, True])
def test_agrees_with_scikit_learn_from_the_same_start(init, k, weighted):
    X = blobs()
    weight = np.random.default_rng(1).uniform(0, 2, len(X)) if weighted else None
    models = steps(KMeans(k, init), X, sample_weight=weight)
    start = of_stage(models, "seeding")[-1].centers
    oracle = sklearn.cluster.KMeans(k, init=start, n_init=1, tol=0, max_iter=1000).fit(X, sample_weight=weight)
    last = models[-1]
    np.testing.assert_allclose(last.centers, oracle.cluster_centers_, atol=1e-12)
    np.testing.assert_allclose(last.inertia, oracle.inertia_, rtol=1e-12)
    np.testing.assert_array_equal(last.labels, oracle.labels_)
    np.testing.assert_array_equal(last.predict(X), last.labels)
    np.testing.assert_allclose(last.transform(X), oracle.transform(X), atol=1e-12)


@pytest.mark.parametrize("init", INITS)
def test_steps_alternate_and_inertia_falls(init):
    models = steps(KMeans(4, init), blobs())
    assert [m.stage for m in models[:4]] == ["seeding"] * 4
    assert [len(m.centers) for m in models[:4]] == [1, 2, 3, 4]
    moving = models[4:]
    assert [m.stage for m in moving] == ["assignment", "update"] * (len(moving) // 2) + ["assignment"]
    assert np.isnan([m.objective for m in models[:4]]).all()
    inertia = np.array([m.objective for m in moving])
    assert (np.diff(inertia) <= 1e-12 * inertia[0]).all()
    assert moving[-1].settled and not moving[-2].settled
    assert moving[-1].trail.shape == (len(moving) // 2 + 1, 4, 2)
    np.testing.assert_array_equal(moving[-1].trail[0], models[3].centers)


def test_seeding_keeps_the_names_of_the_clusters():
    models = of_stage(steps(KMeans(5), blobs()), "seeding")
    final = models[-1]
    assert (np.diff(final.centers[:, 0]) >= 0).all()
    for model in models:
        np.testing.assert_array_equal(model.centers, final.centers[model.clusters])
        assert set(model.labels) <= set(model.clusters)
        assert set(np.unique(model.on_grid(GRID))) <= set(model.clusters)


def test_chances_of_the_next_centre():
    X = blobs()
    first, second = steps(KMeans(3), X)[:2]
    squared = ((X - first.centers[0]) ** 2).sum(axis=1)
    np.testing.assert_allclose(first.seeding_chances, squared / squared.sum(), rtol=1e-12)
    new = next(c for c in second.centers if not (c == first.centers[0]).all())
    assert first.seeding_chances[(new == X).all(axis=1)] > 0
    far = steps(KMeans(2, "farthest point"), X)
    assert np.argmax(((X - far[0].centers[0]) ** 2).sum(axis=1)) == np.argmax(far[0].seeding_chances)


def test_plus_plus_draws_by_squared_distance():
    samples = SortedSamples.of(np.array([[0.0], [1.0], [3.0]]), np.array([1.0, 1.0, 2.0]))
    rng = np.random.default_rng(0)
    drawn = np.array([draw_centers(samples, 2, "k-means++", rng)[0] for _ in trials(8000)])
    assert abs((drawn[:, 0] == 2).mean() - 0.5) < 0.03
    after_zero = drawn[drawn[:, 0] == 0, 1]
    assert abs((after_zero == 2).mean() - 18 / 19) < 0.03


def test_restarts_show_their_results_and_the_best_is_played():
    X = blobs(seed=3)
    models = steps(KMeans(6, "random points", n_init=8), X)
    tries = of_stage(models, "restart")
    assert len(tries) == 8 and models[8].stage == "seeding"
    assert min(m.inertia for m in tries) == pytest.approx(models[-1].inertia, rel=1e-12)
    assert max(m.inertia for m in tries) > models[-1].inertia * 1.001


@pytest.mark.parametrize("init", INITS)
def test_order_of_rows_does_not_matter(init):
    X = blobs()
    shuffle = np.random.default_rng(0).permutation(len(X))
    a, b = KMeans(4, init).fit(X, seed=2), KMeans(4, init).fit(X[shuffle], seed=2)
    np.testing.assert_array_equal(a.centers, b.centers)
    np.testing.assert_array_equal(a.labels[shuffle], b.labels)


@pytest.mark.parametrize("init", INITS)
def test_weights_are_copies(init):
    X = blobs(60)
    times = np.random.default_rng(0).integers(0, 4, 60)
    weighted = KMeans(4, init).fit(X, seed=1, sample_weight=times)
    repeated = KMeans(4, init).fit(np.repeat(X, times, axis=0), seed=1)
    np.testing.assert_allclose(weighted.centers, repeated.centers, atol=1e-12)
    np.testing.assert_allclose(weighted.inertia, repeated.inertia)
    np.testing.assert_array_equal(np.repeat(weighted.labels, times), repeated.labels)


def test_empty_clusters_move_to_the_farthest_samples():
    samples = SortedSamples.of(np.array([[0.0], [1.0], [10.0], [11.0], [99.0]]), np.array([1.0, 1.0, 1.0, 1.0, 0.0]))
    centers = np.array([[4.0], [-50.0], [-60.0]])
    labels, gaps = assign(samples, centers)
    assert (labels == 0).all()
    np.testing.assert_allclose(update(samples, labels, gaps, 3), [[5.5], [11.0], [0.0]])


@pytest.mark.parametrize("k", [2, 5, 9])
def test_grid_equals_predict(k):
    model = KMeans(k).fit(blobs())
    expected = model.predict(GRID.points()).reshape(GRID.shape)
    for dtype in (np.float64, np.float32):
        np.testing.assert_array_equal(model.on_grid(GRID, dtype), expected)


def test_many_samples_are_assigned_centre_by_centre_alike():
    X = blobs(4000)
    samples = SortedSamples.of(X, np.ones(4000))
    centers = X[:6]
    labels, gaps = assign(samples, centers)
    squared = ((X[samples.rows][:, None] - centers) ** 2).sum(axis=-1)
    np.testing.assert_array_equal(labels, squared.argmin(axis=1))
    np.testing.assert_allclose(gaps, squared.min(axis=1), rtol=1e-14)


@pytest.mark.parametrize("init", ["k-means++", "random points", "farthest point"])
@pytest.mark.parametrize("restarts", [1, 3])
def test_of_fewer_places_than_clusters_each_is_a_cluster(init, restarts):
    """A lecturer expects to see as many as there are; the line under the picture says why there are no more."""
    for X, weights, k in (
        ([[1.0, 2.0]] * 6, None, 1),
        ([[1.0, 2.0], [0.0, 0.0], [0.0, 0.0], [5.0, 5.0]], [1, 1, 1, 0], 2),
        ([[0.0], [1.0], [1.0], [7.0], [7.0]], None, 3),
    ):
        algorithm = KMeans(4, init=init, n_init=restarts)
        models = list(
            algorithm.steps(np.array(X), None, np.random.default_rng(0), None if weights is None else np.array(weights))
        )
        assert max(len(model.centers) for model in models) == len(models[-1].centers) == k
        assert models[-1].inertia == 0
        assert all(f"only {k} cluster" in model.caveat and "k = 4" in model.caveat for model in models)
        assert f"KMeans({k}, init=" in algorithm.code(models[-1]).steps[0]
    assert not KMeans(2).fit([[0.0, 1.0], [1.0, 0.0]]).caveat


def test_hopeless_data_are_refused_with_a_sentence():
    with pytest.raises(CannotFit, match="too far apart"):
        KMeans(2).fit([[0.0], [1e200]])
    assert KMeans(2).fit([[0.0, 1.0], [1.0, 0.0]]).inertia == 0


def test_pictures():
    X = blobs()
    rows = np.arange(len(X)) + 7
    drawn = {}
    for model in steps(KMeans(3), X):
        field = model.on_grid(GRID)
        context = Context(X, None, rows, KMeans(3), "clustering", grid=GRID, field=field)
        drawn[model.stage] = {o.id: o.draw(model, context) for o in KMeans.overlays}
    assert not drawn["assignment"]["chances"]
    last = drawn["assignment"]
    shade, edges = last["regions"]
    assert isinstance(shade, Field) and set(np.unique(shade.classes)) == {0, 1, 2}
    assert isinstance(edges, Lines)
    dots = last["assignment"]
    assert sum(len(m.xy) for m in dots) == len(X) and {m.role for m in dots} == {"member 0", "member 1", "member 2"}
    assert all(isinstance(m, Points) and np.array_equal(m.xy, X[m.rows - 7]) for m in dots)
    assert sum(len(m.start) for m in last["links"] if isinstance(m, Segments)) == len(X)
    (trail,) = last["trails"]
    assert np.isnan(trail.xy).all(axis=1).sum() == 2
    np.testing.assert_array_equal(last["centers"][0].xy, KMeans(3).fit(X).centers)


def test_the_chance_of_each_pick_is_told_the_first_one_too():
    X = np.random.default_rng(3).normal(size=(40, 2))
    weights = np.random.default_rng(4).integers(1, 4, 40).astype(float)
    for given in (None, weights):
        share = np.full(40, 1 / 40) if given is None else weights / weights.sum()
        models = list(KMeans(3).steps(X, None, np.random.default_rng(1), given))
        former, chances = np.empty((0, 2)), share
        for model in models[:3]:
            (new,) = [c for c in model.centers.tolist() if c not in former.tolist()]
            (row,) = np.flatnonzero((new == X).all(axis=1))
            assert model.facts()["chance of the newest centre"] == pytest.approx(chances[row], rel=1e-12)
            former = model.centers
            squared = ((X[:, None] - former) ** 2).sum(axis=2).min(axis=1) * share
            chances = squared / squared.sum()
        assert "chance of the newest centre" not in models[3].facts()


def test_discs_show_the_chances_while_seeding():
    X = blobs()
    model = steps(KMeans(3), X)[0]
    context = Context(X, None, np.arange(len(X)), KMeans(3), "clustering", grid=GRID, field=model.on_grid(GRID))
    overlay = next(o for o in KMeans.overlays if o.id == "chances")
    (discs,) = overlay.draw(model, context)
    assert discs.size.max() == 3 and len(discs.rows) == (model.seeding_chances > 0).sum()


def test_explanation_names_the_two_nearest_centres():
    model = KMeans(3).fit(blobs())
    place = np.array([0.5, 0.5])
    explanation = model.explain(place)
    nearest = int(model.predict(place[None])[0])
    assert explanation.sentence.startswith(f"cluster {nearest + 1}:")
    np.testing.assert_array_equal(explanation.marks[0].start[0], model.centers[nearest])
    assert KMeans(1).fit(blobs()).explain(place).sentence.count("cluster") == 1


def test_of_many_samples_some_compare_the_restarts_and_it_is_said():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(12_000, 2)) + 5.0 * rng.integers(0, 3, (12_000, 2))
    models = list(KMeans(9, n_init=8).steps(X, None, np.random.default_rng(1)))
    restarts = [model for model in models if model.stage == "restart"]
    told = "restarts drawn from and compared by 2,000 of 12,000 samples, drawn at random"
    assert all(model.caveat == told for model in models[len(restarts) :])
    seeding = [model for model in models if model.stage == "seeding"]
    assert all(np.count_nonzero(model.chances) <= 5000 for model in seeding[:-1])
    for model, following in itertools.pairwise(seeding):
        new = next(center for center in following.centers if not (model.centers == center).all(axis=1).any())
        assert following.drawn_with in model.seeding_chances[(new == X).all(axis=1)]
    # What is played is k-means of all samples, from a start among them, and hardly worse than the best start of all.
    ended, places = models[-1], models[-1].samples.columns.T
    whole = [KMeans(9).fit(X, seed=seed).inertia for seed in range(8)]
    assert ended.settled and ended.inertia <= np.median(whole)
    expected = [places[ended.assigned == j].mean(axis=0) for j in range(9)]
    np.testing.assert_allclose(ended.centers, expected, rtol=0, atol=1e-12)
    few = list(KMeans(9, n_init=8).steps(X[:5000], None, np.random.default_rng(1)))
    assert few[-1].caveat == ""
    assert few[-1].inertia == pytest.approx(min(model.inertia for model in few if model.stage == "restart"), rel=1e-12)


def test_of_very_many_samples_the_last_steps_are_left_out_and_it_is_said(monkeypatch):
    X = np.random.default_rng(4).normal(size=(6000, 3))
    whole = list(KMeans(8).steps(X, None, np.random.default_rng(0)))
    assert whole[-1].settled and not any(model.caveat for model in whole)
    monkeypatch.setattr("mlviz.algorithms.clustering.kmeans._MOST_WORK", 1_000_000)
    played = list(KMeans(8).steps(X, None, np.random.default_rng(0)))
    last = played[-1]
    assert 0.1 * len(whole) < len(played) < 0.9 * len(whole)
    assert last.stage == "assignment" and not last.settled and not any(model.caveat for model in played[:-1])
    assert last.caveat == f"stopped after {sum(model.stage == 'assignment' for model in played)} assignments"
    np.testing.assert_array_equal(last.centers, whole[len(played) - 1].centers)
    np.testing.assert_array_equal(last.labels, last.predict(X))
    assert last.inertia == pytest.approx(((X - last.centers[last.labels]) ** 2).sum(), rel=1e-12)
    assert last.inertia == pytest.approx(whole[-1].inertia, rel=0.02)
    # Few samples are followed to the end.
    assert KMeans(8).fit(X[:500]).settled


def test_more_restarts_than_there_is_time_for_are_left_out_and_it_is_said(monkeypatch):
    X = np.random.default_rng(3).normal(size=(300, 2))
    assert not list(KMeans(5, n_init=30).steps(X, None, np.random.default_rng(0)))[-1].caveat
    monkeypatch.setattr("mlviz.algorithms.clustering.kmeans._RESTARTED", 1_000_000)
    models = list(KMeans(5, n_init=1000).steps(X, None, np.random.default_rng(0)))
    restarts = [model for model in models if model.stage == "restart"]
    assert 1 < len(restarts) < 100
    told = f"{len(restarts)} of 1,000 restarts were made: more would take too long"
    assert all(model.caveat == told for model in models[len(restarts) :])
    assert models[-1].inertia == pytest.approx(min(model.inertia for model in restarts), rel=1e-12)


def test_restarts_are_drawn_from_all_samples_where_those_drawn_have_too_few_places():
    X = np.vstack((np.zeros((20_000, 2)), np.random.default_rng(0).normal(size=(20, 2))))
    model = KMeans(9, n_init=3).fit(X)
    assert len(model.centers) == 9 and model.settled
