from itertools import pairwise

import numpy as np
import pytest
import sklearn.cluster
from sklearn.neighbors import KernelDensity

from mlviz.algorithms.clustering.mean_shift import MeanShift
from mlviz.algorithms.clustering.mean_shift.model import MOST_SAMPLES
from mlviz.draw.layer import Context
from mlviz.numerics.density import mean_shift as solver
from mlviz.numerics.grid import Grid
from tests.sweep import each

GRID = Grid(np.linspace(-4, 4, 41), np.linspace(-4, 4, 37))
OVERLAYS = {overlay.id: overlay for overlay in MeanShift.overlays}


def clouds(n=120, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 2)) * 0.5 + rng.choice([-2, 0, 2], size=(n, 2))


def steps(algorithm, X):
    return list(algorithm.steps(X, None, np.random.default_rng(0)))


def mean_about(x, X, weights, h, kernel):
    """The formula itself."""
    squared = ((X - x) ** 2).sum(axis=1)
    k = weights * (np.exp(-squared / (2 * h * h)) if kernel == "gaussian" else squared <= h * h)
    return k @ X / k.sum()


@pytest.mark.parametrize("kernel", solver.KERNELS)
def test_a_round_moves_each_climber_to_the_weighted_mean(kernel):
    X, weights = clouds(60), np.random.default_rng(1).uniform(0.2, 3, 60)
    *models, last = MeanShift(0.7, kernel).steps(X, None, np.random.default_rng(0), weights)
    order = np.lexsort(X.T[::-1])
    np.testing.assert_allclose(models[0].climbers, X[order], atol=1e-14)
    for before, now in pairwise(models[:7]):
        heirs = now.samples.walk[now.rounds].heirs
        for climber, place in enumerate(now.climbers):
            first = int(np.flatnonzero(heirs == climber)[0])
            expected = mean_about(before.climbers[first], X, weights, 0.7, kernel)
            # What has arrived stays.
            assert np.abs(place - expected).max() < 1e-12 or np.abs(place - before.climbers[first]).max() < 1e-12
    # How far the last round goes hangs on the last digits: it may carry a climber to one that has arrived.
    assert last.finished and not last.samples.walk[-1].climbing and 0 <= last.largest_shift < 0.7
    for mode in last.modes:
        np.testing.assert_allclose(mean_about(mode, X, weights, 0.7, kernel), mode, atol=1e-8)


def test_modes_of_the_flat_kernel_are_those_of_scikit_learn():
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X, h = clouds(30, seed), float(rng.uniform(0.5, 2))
        model, theirs = MeanShift(h, "flat").fit(X), sklearn.cluster.MeanShift(bandwidth=h).fit(X)
        order = np.lexsort(theirs.cluster_centers_.T[::-1])
        assert len(order) == len(model.modes)
        # Theirs stops once a place moves by less than a thousandth of the bandwidth.
        np.testing.assert_allclose(model.modes, theirs.cluster_centers_[order], atol=5e-3 * h)
        nearest = ((X[:, None] - model.modes) ** 2).sum(axis=2).argmin(axis=1)
        np.testing.assert_array_equal(order[nearest], theirs.labels_)


@pytest.mark.parametrize("h", [0.3, 0.8, 1.5])
def test_modes_of_the_gaussian_kernel_are_the_maxima_of_the_density(h):
    for seed in range(2):
        X = clouds(80, seed)
        model = MeanShift(h).fit(X)
        density = KernelDensity(bandwidth=h, rtol=1e-12).fit(X)
        angle = np.linspace(0, 2 * np.pi, 16, endpoint=False)
        ring = 0.02 * h * np.column_stack((np.cos(angle), np.sin(angle)))
        for mode in model.modes:
            np.testing.assert_allclose(mean_about(mode, X, np.ones(80), h, "gaussian"), mode, atol=1e-11)
            assert density.score_samples(mode + ring).max() < density.score_samples(mode[None])[0]
        gaps = np.linalg.norm(model.modes[:, None] - model.modes, axis=2) + 9 * np.eye(len(model.modes))
        assert gaps.min() > h


@pytest.mark.parametrize("h", [0.5, 1.0])
def test_each_sample_is_in_the_cluster_of_the_mode_that_it_climbs_to(h):
    X = clouds(60, 2)
    model = MeanShift(h).fit(X)
    places = X
    for _ in range(500):
        k = np.exp(-((places[:, None] - X) ** 2).sum(axis=2) / (2 * h * h))
        places = k @ X / k.sum(axis=1, keepdims=True)
    gaps = np.linalg.norm(places[:, None] - model.modes, axis=2)
    assert gaps.min(axis=1).max() < 0.01
    np.testing.assert_array_equal(gaps.argmin(axis=1), model.labels)
    np.testing.assert_array_equal(model.predict(X), model.labels)


def test_a_saddle_is_no_mode():
    X = np.array([(-2.0, 0), (0, 0), (2.0, 0)])
    model = MeanShift(1.0).fit(X, sample_weight=[5, 0.1, 5])
    assert len(model.modes) == 2 and model.labels[0] == 0 and model.labels[2] == 1
    np.testing.assert_allclose(model.modes[:, 1], 0, atol=1e-12)


def test_modes_closer_than_the_bandwidth_are_one_and_the_densest_stays():
    places = np.array([(0.0, 0), (0.8, 0), (1.6, 0), (5, 0)])
    kept, codes = solver.merged(places, np.array([2.0, 3.0, 1.0, 1.0]))
    assert kept.tolist() == [1, 3] and codes.tolist() == [0, 0, 0, 1]
    kept, codes = solver.merged(places, np.array([3.0, 1.0, 2.0, 1.0]))
    assert kept.tolist() == [0, 2, 3] and codes.tolist() == [0, 0, 1, 2]


@pytest.mark.parametrize("kernel", solver.KERNELS)
def test_colours_do_not_depend_on_the_order_of_the_rows(kernel):
    X, order = clouds(150, 3), np.random.default_rng(0).permutation(150)
    model, shuffled = (MeanShift(0.6, kernel).fit(rows) for rows in (X, X[order]))
    np.testing.assert_array_equal(shuffled.labels, model.labels[order])
    np.testing.assert_array_equal(shuffled.modes, model.modes)
    assert len(model.modes) > 2 and (np.diff(model.modes[:, 0]) >= 0).all()


def test_pictures():
    X, algorithm = clouds(), MeanShift(0.6)
    models = steps(algorithm, X)
    last, way = models[-1], models[len(models) // 2]
    drawn = {}
    for model in (way, last):
        context = Context(X, None, np.arange(120) + 7, algorithm, "clustering", grid=GRID, field=model.on_grid(GRID))
        drawn[model.stage] = {id: overlay.draw(model, context) for id, overlay in OVERLAYS.items()}
    assert not drawn["shift"]["modes"] and not drawn["shift"]["regions"] and not drawn["modes"]["climbers"]
    (shade,) = drawn["modes"]["regions"]
    np.testing.assert_array_equal(shade.classes, last.on_grid(GRID))
    (dots,) = drawn["shift"]["climbers"]
    np.testing.assert_array_equal(dots.xy, way.climbers)
    (cross,) = drawn["modes"]["modes"]
    np.testing.assert_array_equal(cross.xy, last.modes)
    for mark in drawn["modes"]["assignment"]:
        assert (last.labels[mark.rows - 7] == int(mark.role.split()[1])).all()
    assert sum(len(mark.rows) for mark in drawn["modes"]["assignment"]) == 120
    assert drawn["modes"]["density"]
    # Every path goes on from where it was, up to where climbers are at last.
    start, end = last.paths()
    there = {tuple(place) for place in np.round(np.vstack((X, end)), 9).tolist()}
    assert all(tuple(place) in there for place in np.round(start, 9).tolist())
    (lines,) = drawn["modes"]["paths"]
    assert 0 < len(lines.start) <= len(start)
    flat = MeanShift(0.6, "flat")
    context = Context(X, None, np.arange(120), flat, "clustering", grid=GRID)
    assert not OVERLAYS["density"].draw(flat.fit(X), context) and OVERLAYS["density"].idle(flat, 0)


def test_some_of_very_many_samples_climb_for_all_and_it_is_said():
    X = np.random.default_rng(0).normal(size=(4000, 2))
    X[2000:] += 8
    model = MeanShift(1.0).fit(X)
    assert (
        model.caveat == f"with {MOST_SAMPLES:,} of 4,000 different samples, drawn at random" and len(model.modes) == 2
    )
    np.testing.assert_array_equal(model.labels, np.repeat([0, 1], 2000))
    order = np.random.default_rng(1).permutation(4000)
    np.testing.assert_array_equal(MeanShift(1.0).fit(X[order]).labels, model.labels[order])


def test_degenerate_samples():
    assert MeanShift().fit([[3.0, 1.0]]).modes.tolist() == [[3.0, 1.0]]
    assert len(MeanShift(1e-9).fit(clouds(50)).modes) == 50 and len(MeanShift(1e9).fit(clouds(50)).modes) == 1
    far = MeanShift().fit([[0.0, 0.0], [1e140, 0.0], [1e140, 0.5]])
    assert far.labels.tolist() == [0, 1, 1]
    copies = MeanShift(window="flat").fit(np.zeros((9, 2)))
    assert copies.labels.tolist() == [0] * 9 and copies.facts()["samples per cluster"] == "9"


def test_what_is_said_of_a_place_is_the_shift_from_there():
    X = clouds()
    model, x = MeanShift(0.8).fit(X), np.array([0.7, -0.9])
    told = model.explain(x)
    shift = mean_about(x, X, np.ones(120), 0.8, "gaussian") - x
    assert told.sentence == (
        f"cluster {model.predict(x[None])[0] + 1}, that of the nearest sample: "
        f"the shift from here is {np.hypot(*shift):.3g} long."
    )
    *rims, arrow = told.marks
    np.testing.assert_allclose(arrow.end[0] - arrow.start[0], shift, rtol=1e-9)
    assert [round(float(np.linalg.norm(rim.xy[0] - x)), 9) for rim in rims] == [0.8, 1.6]
    nothing = MeanShift(0.1, "flat").fit(X).explain(np.array([30.0, 30.0]))
    assert "the shift from here is 0 long" in nothing.sentence


def test_the_lines_of_code_are_for_the_flat_kernel_which_scikit_learn_knows():
    X, algorithm = clouds(30, 4), MeanShift(0.8, "flat")
    model = algorithm.fit(X)
    lines, left = algorithm.code(model), {}
    exec("\n".join((*lines.imports, f"model = {lines.steps[0]}")), left)
    found = getattr(left["model"].fit(X), lines.result)
    np.testing.assert_allclose(found[np.lexsort(found.T[::-1])], model.modes, atol=5e-3)
    assert MeanShift().code(model) is None


@pytest.mark.parametrize("kernel", solver.KERNELS)
def test_a_draft_has_the_modes_that_some_samples_climb_to(kernel):
    X = np.concatenate([clouds(40, 1) * 0.3 + at for at in ((-3, 0), (3, 0), (0, 3))])
    algorithm = MeanShift(1.5, kernel)
    exact = algorithm.fit(X)
    draft = algorithm.follower().update(algorithm, X, None, None, np.inf)
    assert len(draft.samples.starts) == 60 and len(exact.modes) == 3
    np.testing.assert_allclose(draft.modes, exact.modes, atol=1e-9 if kernel == "gaussian" else 0.3)
    np.testing.assert_array_equal(draft.labels, exact.labels)
    late = algorithm.follower().update(algorithm, X, None, None, -np.inf)
    assert late.rounds == 0 and late.labels.shape == (120,)


@each("d, apart", [1, 2, 8], [0, 50 * solver._ROOMY])
def test_summits_do_not_depend_on_samples_out_of_reach(d, apart):
    """With these the means are summed from each place on, without them by products of matrices."""
    rng = np.random.default_rng(0)
    Z, weights = rng.normal(0, 1.5, (80, d)), rng.uniform(0.5, 2, 80)
    more = np.vstack((Z, np.full((1, d), apart))) if apart else Z
    found = solver.summits(Z, more, np.ones(len(more)))
    gaps = Z - found[:, None]
    W = np.exp(-0.5 * (gaps**2).sum(axis=2))
    assert np.abs(np.einsum("kn,knd->kd", W, gaps) / W.sum(axis=1)[:, None]).max() < 1e-12
    W = solver.kernel_weights(Z, Z, "gaussian") * weights
    W /= W.sum(axis=1, keepdims=True)
    for one, other in zip(solver._moments(Z, Z, W), solver._moments_by_products(Z, Z, W), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)
