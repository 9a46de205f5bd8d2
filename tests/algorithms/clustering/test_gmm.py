import csv
import itertools
import time
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture as Oracle

from mlviz.algorithms import registry
from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.clustering import gmm
from mlviz.algorithms.clustering.gmm import GaussianMixture
from mlviz.assets import asset
from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import Blobs
from mlviz.draw.layer import Context
from mlviz.draw.marks import Ellipses, Field, Lines, Points
from mlviz.draw.overlays.gaussians import MOST_LEVELS, levels
from mlviz.numerics.density.gaussian_mixture import (
    LEAST_EIGENVALUE,
    SamplesInUnits,
    expectation,
    maximization,
    moments_expected,
)
from mlviz.numerics.density.mixture_starts import drawn_start
from mlviz.numerics.grid import Grid
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from mlviz.worker import Engine, Request
from tests.sweep import each, share, trials

START = "start by k-means"
KINDS = ("full", "diagonal", "spherical", "tied")
RANDOM = ("random means", "random responsibilities")
GRID = Grid(np.linspace(-4, 4, 31), np.linspace(-5, 5, 29))


def theirs(kind):
    return {"diagonal": "diag"}.get(kind, kind)


def cloud(n=200, d=2, seed=0):
    """Three overlapping groups, each stretched in another way."""
    rng = np.random.default_rng(seed)
    group = np.arange(n) % 3
    turned = rng.normal(size=(3, d, d)) * 0.4 + 0.5 * np.eye(d)
    return np.einsum("nij,nj->ni", turned[group], rng.normal(size=(n, d))) + 2.0 * rng.normal(size=(3, d))[group]


def steps(algorithm, X, seed=0, sample_weight=None):
    return list(algorithm.steps(X, None, np.random.default_rng(seed), sample_weight))


def of_stage(models, stage):
    return [m for m in models if m.stage == stage]


def full(oracle, k, d):
    """The oracle's covariances as matrices (k, d, d)."""
    found = np.asarray(oracle.covariances_)
    match oracle.covariance_type:
        case "full":
            return found
        case "tied":
            return np.repeat(found[None], k, axis=0)
        case "diag":
            return found[:, :, None] * np.eye(d)
        case _:
            return found[:, None, None] * np.eye(d)


def after(oracle, start, rounds, X):
    """The oracle after that many rounds from a mixture, without any floor."""
    kind = oracle.covariance_type
    precisions = np.linalg.inv(start.covariances)
    shaped = {
        "full": precisions,
        "tied": precisions[0],
        "diag": np.diagonal(precisions, axis1=1, axis2=2),
        "spherical": precisions[:, 0, 0],
    }[kind]
    oracle.set_params(weights_init=start.weights, means_init=start.means, precisions_init=shaped, max_iter=rounds)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return oracle.fit(X)


@each("kind, d", KINDS, [1, 2, 4])
def test_every_step_is_that_of_scikit_learn(kind, d):
    X = cloud(d=d) * 3.0 + 50.0
    models = steps(GaussianMixture(3, kind), X)
    start = of_stage(models, START)[-1]
    assert models[models.index(start) + 1].stage == "expectation"
    for rounds, model in list(enumerate(of_stage(models, "maximization"), start=1))[:12:3]:
        oracle = after(Oracle(3, covariance_type=theirs(kind), reg_covar=0, tol=0), start, rounds, X)
        np.testing.assert_allclose(model.weights, oracle.weights_, atol=1e-10)
        np.testing.assert_allclose(model.means, oracle.means_, atol=1e-9)
        np.testing.assert_allclose(model.covariances, full(oracle, 3, d), atol=1e-9)
        np.testing.assert_allclose(model.objective, oracle.score(X) * len(X), rtol=1e-11)


@pytest.mark.parametrize("kind", KINDS)
def test_the_words_are_those_of_scikit_learn(kind):
    X = cloud()
    model = GaussianMixture(3, kind).fit(X)
    oracle = after(Oracle(3, covariance_type=theirs(kind), reg_covar=0, tol=0), model, 1, X)
    places = GRID.points()
    np.testing.assert_allclose(model.score_samples(places), oracle.score_samples(places), rtol=1e-4)
    np.testing.assert_allclose(model.predict_proba(places), oracle.predict_proba(places), atol=1e-3)
    np.testing.assert_array_equal(model.labels, oracle.predict(X))
    np.testing.assert_array_equal(model.predict(X), model.labels)
    np.testing.assert_allclose(model.predict_proba(X), model.responsibilities, atol=1e-12)
    np.testing.assert_allclose(model.log_likelihood, oracle.score(X) * len(X), rtol=1e-9)
    assert model.n_parameters == oracle._n_parameters()
    np.testing.assert_allclose(model.aic, oracle.aic(X), rtol=1e-9)
    np.testing.assert_allclose(model.bic, oracle.bic(X), rtol=1e-9)
    facts = model.facts()
    assert facts["AIC"] == model.aic and facts["BIC"] == model.bic and facts["converged"] is True


@pytest.mark.parametrize("kind", KINDS)
def test_steps_take_turns_and_the_likelihood_never_falls(kind):
    for seed, k in itertools.product(trials(4), (1, 3, 6)):
        models = steps(GaussianMixture(k, kind), cloud(90, seed=seed), seed=seed)
        first = len(of_stage(models, START))
        assert first >= 1 and np.isnan([m.objective for m in models[:first]]).all()
        moving = models[first:]
        assert [m.stage for m in moving] == (["expectation", "maximization"] * len(moving))[: len(moving)]
        rises = np.diff([m.objective for m in moving])
        assert rises.min(initial=0.0) >= -1e-11 * abs(moving[-1].objective)
        assert moving[-1].settled and moving[-1].stage == "expectation"
        assert moving[-1].trail.shape == (len(moving) // 2 + 1, k, 2)
        np.testing.assert_array_equal(moving[-1].trail[-1], moving[-1].means)


@each("init, kind", RANDOM, KINDS)
def test_from_a_random_start_every_step_is_that_of_scikit_learn(kind, init):
    X = cloud() * 3.0 + 50.0
    models = steps(GaussianMixture(3, kind, init=init), X, seed=5)
    start = models[0]
    assert start.stage == "expectation" and start.walked == 1
    if init == "random means":
        assert all(np.isclose(mean, X, rtol=1e-13).all(axis=1).any() for mean in start.means)
        np.testing.assert_array_equal(start.weights, 1 / 3)
        one = after(Oracle(1, covariance_type=theirs(kind), reg_covar=0, tol=0), GaussianMixture(1, kind).fit(X), 1, X)
        np.testing.assert_allclose(start.covariances, np.repeat(full(one, 1, 2), 3, axis=0), rtol=1e-10)
    else:
        spread = np.abs(start.means - X.mean(axis=0)).max()
        assert 0 < spread < 0.2 * X.std(axis=0).max()  # each mean is that of all samples, but for chance
    for rounds, model in list(enumerate(of_stage(models, "maximization"), start=1))[:8:3]:
        oracle = after(Oracle(3, covariance_type=theirs(kind), reg_covar=0, tol=0), start, rounds, X)
        np.testing.assert_allclose(model.means, oracle.means_, atol=1e-8)
        np.testing.assert_allclose(model.covariances, full(oracle, 3, 2), atol=1e-8)
        np.testing.assert_allclose(model.objective, oracle.score(X) * len(X), rtol=1e-10)


@pytest.mark.parametrize("init", RANDOM)
def test_a_random_start_depends_on_the_seed_alone_and_weights_are_copies(init):
    X, times = cloud(40), np.random.default_rng(0).integers(0, 4, 40)
    method, shuffle = GaussianMixture(3, init=init), np.random.default_rng(1).permutation(40)
    first, other = (steps(method, X, seed)[0] for seed in (1, 2))
    np.testing.assert_allclose(steps(method, X[shuffle], 1)[0].means, first.means, rtol=1e-12)
    assert np.abs(first.means - other.means).max() > 1e-3
    weighted, repeated = steps(method, X, 3, times.astype(float)), steps(method, np.repeat(X, times, axis=0), 3)
    np.testing.assert_allclose(weighted[0].means, repeated[0].means, rtol=1e-10)
    np.testing.assert_allclose(weighted[0].covariances, repeated[0].covariances, rtol=1e-9, atol=1e-12)


def test_one_diagonal_for_all_components_is_the_closed_form_and_the_likelihood_never_falls():
    """Each variance is the mean of the squared distances from the means, weighted by the responsibilities."""
    for d, seed in itertools.product((1, 2, 3), range(3)):
        X, weights = cloud(d=d, seed=seed) * 2.0 + 9.0, np.random.default_rng(seed).uniform(0.5, 2.0, 200)
        models = steps(GaussianMixture(3, "tied diagonal"), X, seed, weights)
        for model in of_stage(models, "maximization")[:6]:
            shares = model.responsibilities * weights[:, None]
            np.testing.assert_allclose(model.weights, shares.sum(axis=0) / weights.sum(), rtol=1e-10)
            np.testing.assert_allclose(model.means, (shares.T @ X) / shares.sum(axis=0)[:, None], rtol=1e-10)
            squares = (X[:, None] - model.means) ** 2
            variances = np.einsum("nk,nkj->j", shares, squares) / weights.sum()
            np.testing.assert_allclose(model.covariances, np.repeat(np.diag(variances)[None], 3, axis=0), rtol=1e-9)
        rises = np.diff([m.objective for m in models if np.isfinite(m.objective)])
        assert rises.min() >= -1e-11 * abs(models[-1].objective)
        assert models[-1].n_parameters == 2 + 3 * d + d
        assert GaussianMixture(3, "tied diagonal").code(models[-1]) is None


def test_more_restarts_than_there_is_time_for_are_left_out_and_it_is_said(monkeypatch):
    monkeypatch.setattr("mlviz.algorithms.clustering.gmm._RESTARTED", 10_000_000)
    X = cloud(60)
    for init in ("start by k-means", *RANDOM):
        models = steps(GaussianMixture(2, init=init, n_init=1000), X)
        made = len(of_stage(models, "restart"))
        assert 1 < made < 100
        assert models[-1].caveat.endswith(f"{made} of 1,000 restarts were made: more would take too long")
        best = max(model.log_likelihood for model in of_stage(models, "restart"))
        assert models[-1].log_likelihood == pytest.approx(best, rel=1e-12)
    assert "restarts" not in steps(GaussianMixture(2, n_init=2), X)[-1].caveat


def test_a_maximization_step_shows_the_responsibilities_that_led_to_it():
    models = steps(GaussianMixture(3), cloud())
    expected, moved = of_stage(models, "expectation")[0], of_stage(models, "maximization")[0]
    np.testing.assert_array_equal(moved.responsibilities, expected.responsibilities)
    start = of_stage(models, START)[-1]
    assert set(np.unique(np.rint(start.responsibilities))) == {0.0, 1.0}
    np.testing.assert_allclose(start.responsibilities.sum(axis=1), 1.0)


def test_one_component_is_the_gaussian_of_the_samples():
    X = cloud()
    model = GaussianMixture(1).fit(X)
    np.testing.assert_allclose(model.means[0], X.mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(model.covariances[0], np.cov(X.T, bias=True), atol=1e-12)
    centred = X - X.mean(axis=0)
    square = (centred @ np.linalg.inv(np.cov(X.T, bias=True)) * centred).sum(axis=1)
    expected = -0.5 * (square + np.linalg.slogdet(2 * np.pi * np.cov(X.T, bias=True))[1])
    np.testing.assert_allclose(model.score_samples(X), expected, atol=1e-11)


def test_old_faithful():
    """R's mclust prints for its model VVV with two components: -1130.264, 11 parameters, BIC 2322.192, 175 and 97."""
    with asset("data", "faithful.csv").open(encoding="utf-8") as file:
        X = np.array([[float(cell) for cell in row] for row in itertools.islice(csv.reader(file), 1, None)])
    model = GaussianMixture(2).fit(X)
    np.testing.assert_allclose(model.log_likelihood, -1130.264, atol=5e-4)
    assert model.n_parameters == 11
    np.testing.assert_allclose(model.bic, 2322.192, atol=5e-4)
    assert np.bincount(model.labels).tolist() == [97, 175]
    np.testing.assert_allclose(model.means, [[2.04, 54.5], [4.29, 80.0]], rtol=2e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_weights_are_copies(kind):
    X, times = cloud(80), np.random.default_rng(0).integers(0, 4, 80)
    weighted = GaussianMixture(3, kind).fit(X, sample_weight=times)
    repeated = GaussianMixture(3, kind).fit(np.repeat(X, times, axis=0))
    for name in ("weights", "means", "covariances", "log_likelihood", "bic"):
        np.testing.assert_allclose(getattr(weighted, name), getattr(repeated, name), atol=1e-6, rtol=1e-8)
    assert weighted.responsibilities.shape == (80, 3)


@pytest.mark.parametrize("kind", KINDS)
def test_scale_and_offset_change_nothing_but_the_units(kind):
    X = np.round(cloud(), 6)
    plain = GaussianMixture(3, kind).fit(X)
    every = ((1e-9, 0.0), (1e9, 0.0), (1.0, 1e6), (1e-150, 0.0), (1e150, 0.0))
    for scale, offset in share(every, kind, 2):
        moved = GaussianMixture(3, kind).fit(X * scale + offset)
        np.testing.assert_allclose((moved.means - offset) / scale, plain.means, atol=1e-4, err_msg=str((scale, offset)))
        np.testing.assert_allclose(moved.weights, plain.weights, atol=1e-5)
        expected = plain.log_likelihood - 2 * len(X) * np.log(scale)
        np.testing.assert_allclose(moved.log_likelihood, expected, rtol=1e-8)


def test_no_component_collapses_and_the_likelihood_still_rises():
    X = np.vstack((cloud(40), np.repeat([[7.0, 7.0]], 5, axis=0)))
    for kind in KINDS:
        models = steps(GaussianMixture(4, kind), X)
        assert np.diff([m.objective for m in models if np.isfinite(m.objective)]).min() >= -1e-9
        in_units = models[-1].covariances / np.multiply.outer(X.std(axis=0), X.std(axis=0))
        assert np.linalg.eigvalsh(in_units).min() >= LEAST_EIGENVALUE * (1 - 1e-6)
    on_it = GaussianMixture(4).fit(X).predict([[7.0, 7.0]])[0]
    narrow = GaussianMixture(4).fit(X).covariances[on_it] / X.std(axis=0) ** 2
    np.testing.assert_allclose(np.diagonal(narrow), LEAST_EIGENVALUE, rtol=1e-6)


def test_of_draws_of_blobs_nearly_all_end_in_the_best_optimum():
    short = 0
    for seed in trials(50):
        X = Blobs().generate(seed).X
        found = GaussianMixture(3).fit(X).log_likelihood
        best = max(found, GaussianMixture(3, n_init=5).fit(X, seed=1).log_likelihood)
        short += found < best - 0.01
        if seed == 0:
            assert found == pytest.approx(-276.18, abs=0.01)
    assert short <= 2


def test_restarts_show_their_results_and_the_best_is_played():
    X = cloud(120, seed=5)
    models = steps(GaussianMixture(6, n_init=8), X)
    tries = of_stage(models, "restart")
    assert len(tries) == 8 and models[8].stage == START
    found = [m.log_likelihood for m in tries]
    assert max(found) == pytest.approx(models[-1].log_likelihood, rel=1e-9)
    assert min(found) < models[-1].log_likelihood - 1.0


@pytest.mark.parametrize("kind", KINDS)
def test_grid_equals_mirror(kind):
    model = GaussianMixture(4, kind).fit(cloud())
    places = GRID.points()
    expected = model.score_samples(places).reshape(GRID.shape)
    np.testing.assert_allclose(model.on_grid(GRID), expected, rtol=1e-9)
    single = model.on_grid(GRID, np.float32)
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, expected, rtol=1e-5)
    shares = model.predict_proba(places).T.reshape(4, *GRID.shape)
    np.testing.assert_allclose(model.shares_on_grid(GRID), shares, atol=1e-9)


def test_diag_is_another_word_for_diagonal():
    assert GaussianMixture(covariance_type="diag") == GaussianMixture(covariance_type="diagonal")
    assert registry()["gmm"].from_json({"covariance_type": "diag"}).covariance_type == "diagonal"


def test_hopeless_data_are_refused_with_a_sentence():
    with pytest.raises(CannotFit, match="only 1 distinct sample; a Gaussian mixture with k = 3 needs at least 3"):
        GaussianMixture(3).fit([[1.0, 2.0]] * 6)
    with pytest.raises(CannotFit, match="only 2 distinct samples"):
        GaussianMixture(3).fit([[1.0, 2.0], [0.0, 0.0], [0.0, 0.0], [5.0, 5.0]], sample_weight=[1, 1, 1, 0])
    with pytest.raises(CannotFit, match="too far apart to compute variances"):
        GaussianMixture(2).fit([[1e300, 2], [-1e300, 3], [1e299, 4], [5e299, 1]])
    with pytest.raises(CannotFit, match="too large to compute with"):
        GaussianMixture(2).fit([[1.7e308, 2], [-1.7e308, 3], [0.0, 4]])
    assert np.isfinite(GaussianMixture(2).fit(np.array([[0, 1], [1, 0], [3, 3], [5, 5]]) * 1.9e152).covariances).all()
    assert GaussianMixture(1).fit([[1.0, 2.0]] * 6).means.tolist() == [[1.0, 2.0]]


def moved_by_a_round(model, X):
    """How far a round of the oracle moves the means, in units of the samples' spread, and the weights."""
    oracle = Oracle(len(model.weights), covariance_type=theirs(model.covariance_type), reg_covar=0, tol=0)
    after(oracle, model, 1, X)
    moved = np.abs((oracle.means_ - model.means) / X.std(axis=0)).max()
    return max(moved, np.abs(oracle.weights_ - model.weights).max())


def edited(X, edit, rng):
    """The samples after a person's edit: one added, one erased, or one moved."""
    match edit % 4:
        case 0:
            return np.vstack((X, rng.normal(size=(1, 2)) * 2))
        case 1:
            return np.delete(X, rng.integers(len(X)), axis=0)
    X = X.copy()
    X[rng.integers(len(X))] += 0.3 * rng.normal(size=2)
    return X


@pytest.mark.parametrize("kind", KINDS)
def test_following_edits_ends_where_em_from_the_last_mixture_does(kind):
    """What is equal: the draft, and the oracle's EM on the new samples from the mixture of the draft before.

    Mixtures with a collapsed component are left out: the oracle has no floor.
    """
    X, rng, pipeline = cloud(60), np.random.default_rng(4), Pipeline(GaussianMixture(3, kind))
    follower = pipeline.follower()
    last = follower.update(pipeline, X).inner
    np.testing.assert_allclose(last.means, GaussianMixture(3, kind).fit(X).means, atol=1e-9)
    compared = 0
    for edit in trials(32):
        X = edited(X, edit, rng)
        now = follower.update(pipeline, X).inner
        assert now.settled
        if not (now.mixture.collapsed or last.mixture.collapsed):
            compared += 1
            assert moved_by_a_round(now, X) < 1e-4
            if edit % 20 == 0:
                oracle = Oracle(3, covariance_type=theirs(kind), reg_covar=0, tol=1e-11)
                after(oracle, last, 1000, X)
                np.testing.assert_allclose(now.log_likelihood, oracle.score(X) * len(X), atol=1e-5)
        last = now
    assert compared > 0.75 * len(trials(32))


def test_a_collapsed_component_is_freed_by_a_new_start():
    X = np.vstack((cloud(40), np.repeat([[7.0, 7.0]], 5, axis=0)))
    pipeline = Pipeline(GaussianMixture(4))
    follower = pipeline.follower()
    assert follower.update(pipeline, X).inner.mixture.collapsed
    X[-5:] = cloud(5, seed=9)
    freed = follower.update(pipeline, X).inner
    found, expected = (one[np.argsort(one[:, 0])] for one in (freed.means, GaussianMixture(4).fit(X).means))
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_a_draft_stops_at_its_deadline_and_goes_on_with_the_next():
    X, pipeline = cloud(1500), Pipeline(GaussianMixture(5))
    follower = pipeline.follower()
    found = [follower.update(pipeline, X + 0.0, None, None, time.perf_counter()).inner for _ in range(5)]
    likelihoods = [m.log_likelihood for m in found]
    assert (np.diff(likelihoods) > 0).all() and not found[-1].settled
    changed = follower.update(Pipeline(GaussianMixture(5, "tied")), X, None, None, time.perf_counter()).inner
    np.testing.assert_array_equal(changed.covariances[0], changed.covariances[4])
    assert len(follower.update(Pipeline(GaussianMixture(2)), X).inner.weights) == 2
    with pytest.raises(CannotFit):
        follower.update(pipeline, X[:2])
    assert len(follower.update(pipeline, X).inner.weights) == 5


def drawn(model, X, grid=GRID):
    context = Context(X, None, np.arange(len(X)) + 7, GaussianMixture(3), "clustering", grid, field=model.on_grid(grid))
    return {overlay.id: overlay.draw(model, context) for overlay in GaussianMixture.overlays}


def test_pictures():
    X = cloud()
    models = steps(GaussianMixture(3), X)
    model = models[-1]
    marks = drawn(model, X)
    (shade,) = marks["regions"]
    assert isinstance(shade, Field)
    np.testing.assert_array_equal(shade.classes.ravel(), model.predict(GRID.points()))
    lead = np.sort(model.predict_proba(GRID.points()), axis=1)
    assert np.corrcoef(shade.strength.ravel(), lead[:, -1] - lead[:, -2])[0, 1] > 0.999
    dots = marks["responsibilities"]
    assert sum(len(m.xy) for m in dots) == len(X)
    for m in dots:
        assert isinstance(m, Points) and np.array_equal(m.xy, X[m.rows - 7])
        np.testing.assert_allclose(m.mix, model.responsibilities[m.rows - 7], atol=1e-6)
    (trail,) = marks["trails"]
    assert np.isnan(trail.xy).all(axis=1).sum() == 2
    np.testing.assert_array_equal(marks["means"][0].xy, model.means)
    assert not drawn(models[0], X)["trails"]


def test_ellipses_are_1_2_and_3_sigma():
    model = GaussianMixture(3).fit(cloud())
    ellipses = drawn(model, cloud())["ellipses"]
    assert len(ellipses) == 3 and [m.label for m in ellipses] == ["1, 2, 3 sigma", "", ""]
    for j, mark in enumerate(ellipses):
        assert isinstance(mark, Ellipses) and mark.role == f"ellipse {j}"
        for sigma, center, axes in zip((1, 2, 3), mark.center, mark.axes, strict=True):
            np.testing.assert_array_equal(center, model.means[j])
            np.testing.assert_allclose(axes @ axes.T, sigma**2 * model.covariances[j], atol=1e-10)


def test_contours_stand_at_round_densities():
    X = np.random.default_rng(0).normal(size=(200, 2)) + 3.0 * (np.arange(200) % 2)[:, None]
    model = GaussianMixture(2).fit(X)
    (lines,) = drawn(model, X, Grid.over((-6, 6, -6, 6), 200, 200))["density"]
    assert isinstance(lines, Lines)
    places = lines.xy[np.isfinite(lines.xy[:, 0])]
    wanted = levels(model.log_densities)
    assert 2 <= len(wanted) <= MOST_LEVELS
    mantissa = np.exp(wanted) / 10 ** np.floor(wanted / np.log(10) + 1e-9)
    assert np.isclose(mantissa[:, None], [1, 2, 5]).any(axis=1).all()
    off = np.abs(model.score_samples(places)[:, None] - wanted).min(axis=1)
    assert off.max() < 0.05
    assert len(levels(np.array([-1e5, 600.0]))) <= MOST_LEVELS
    assert len(levels(np.array([2.0, 2.0]))) <= 1


def test_explanation_names_the_components_that_account_for_a_place():
    X = cloud()
    model = GaussianMixture(3).fit(X)
    middle = model.means[:2].mean(axis=0)
    told = model.explain(middle)
    share = model.predict_proba(middle[None])[0]
    first = int(np.argmax(share))
    said = "more than 99.9" if share[first] > 0.9995 else f"{100 * share[first]:.3g}"
    assert told.sentence.startswith(f"component {first + 1} gives {said} % of the density here")
    assert f"log-density is {model.score_samples(middle[None])[0]:.3g}." in told.sentence
    np.testing.assert_array_equal(told.marks[0].start[0], model.means[first])
    assert GaussianMixture(3).fit(X[:, :1]).explain(X[0, :1]).marks == ()


def test_a_gesture_goes_on_from_the_model_on_the_screen():
    """With another seed and restarts, following from nothing would show another local maximum."""
    X = cloud(120, seed=5)
    algorithm = GaussianMixture(6, n_init=8)
    exact = algorithm.fit(X, seed=3)
    panel = Panel(Pipeline(algorithm), target=None)
    scene = Scene(Dataset(X, np.zeros(len(X), dtype=int)), (panel,), 3)
    engine = Engine()
    for request, dataset in enumerate((scene.dataset, scene.dataset.move([0], X[:1] + 1e-3))):
        engine.submit(Request(request, scene.replace(dataset=dataset), ((300, 200),), draft=request == 1))
        while not engine.answered:
            pictures = engine.advance(0.0)
        assert pictures[-1].draft == (request == 1)
        assert pictures[-1].facts["log-likelihood"].value == pytest.approx(exact.log_likelihood, abs=0.1)
    follower = GaussianMixture(6).follower()
    alone = follower.update(algorithm, X, None, None, float("inf"))
    assert abs(alone.log_likelihood - exact.log_likelihood) > 1.0
    follower.start_from(exact)
    np.testing.assert_allclose(follower.update(algorithm, X, None, None, 0.0).means, exact.means, atol=1e-3)


def test_of_many_samples_some_compare_the_restarts_and_it_is_said():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5500, 2)) + 6.0 * rng.integers(0, 4, (5500, 1))
    for init in ("start by k-means", "random means", "random responsibilities"):
        models = list(GaussianMixture(4, n_init=3, init=init).steps(X, None, np.random.default_rng(1)))
        played = [model for model in models if model.stage != "restart"]
        told = "restarts drawn from and compared by 2,000 of 5,500 samples, drawn at random, after "
        assert len(models) - len(played) >= 3 and all(told in model.caveat for model in played)
        # What is played is EM of all samples.
        former, last = [model for model in played if model.stage == "maximization"][-1], models[-1]
        responsibilities = expectation(last.data, former.former)[0]
        expected = maximization(last.data, responsibilities, "full")
        np.testing.assert_allclose(last.mixture.means, expected.means, rtol=0, atol=1e-12)
        np.testing.assert_allclose(last.mixture.covariances, expected.covariances, rtol=0, atol=1e-12)
        assert last.log_likelihood == pytest.approx(last.log_densities.sum(), rel=1e-12)
    assert not GaussianMixture(2, n_init=3).fit(X[:5000]).caveat


@pytest.mark.parametrize("n", [99, 100, 101])
def test_restarts_have_fewer_rounds_only_where_that_is_said(n, monkeypatch):
    given, rounds = [], gmm.em_rounds
    monkeypatch.setattr(gmm, "em_rounds", lambda *how: (given.append(how[4:]), rounds(*how))[1])
    monkeypatch.setattr(gmm, "_ALL_COMPARED", 100)
    monkeypatch.setattr(gmm, "_MOST_COMPARED", 80)
    monkeypatch.setattr(gmm, "_JUDGED", 1)  # as if there were very many restarts
    X = np.random.default_rng(0).normal(size=(n, 2)) + 4.0 * np.arange(n)[:, None] % 3
    caveat = GaussianMixture(3, n_init=2).fit(X).caveat
    fewer = [most for most in given if most and most[0] < gmm.ROUNDS]
    assert bool(fewer) == ("rounds at most" in caveat) == (n > 100)


def test_rounds_take_some_samples_at_a_time_and_find_the_sums_of_all():
    rng = np.random.default_rng(2)
    data = SamplesInUnits.of(rng.normal(size=(9000, 3)), rng.uniform(0, 2, 9000))
    mixture = drawn_start(data, 4, "full", "start by k-means", rng).mixture
    moments, likelihood = moments_expected(data, mixture)
    responsibilities, expected = expectation(data, mixture)
    np.testing.assert_allclose(moments, responsibilities @ data.weighted.T, rtol=1e-12, atol=1e-10)
    assert likelihood == pytest.approx(expected, rel=1e-13)


def test_as_many_samples_as_are_compared_are_not_some_of_many(monkeypatch):
    """Their restarts are followed to the end, though restarts of some of many would be judged after few rounds."""
    X = np.random.default_rng(0).normal(size=(120, 2))
    method = GaussianMixture(4, n_init=2, init="random means")
    ends = []
    for most in (5000, 120):
        monkeypatch.setattr("mlviz.algorithms.clustering.gmm._MOST_COMPARED", most)
        monkeypatch.setattr("mlviz.algorithms.clustering.gmm._JUDGED", 1)
        models = list(method.steps(X, None, np.random.default_rng(1)))
        assert not models[-1].caveat
        ends.append([model.log_likelihood for model in models if model.stage == "restart"])
    assert len(ends[0]) == 2 and ends[0] == ends[1]
