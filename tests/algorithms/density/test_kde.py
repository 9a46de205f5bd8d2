"""Kernel density estimates: against scikit-learn's and formulas, widths by rules and by likelihood, what is drawn."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.neighbors import KernelDensity as Oracle

from mlviz.algorithms import CannotFit
from mlviz.algorithms.density.kde import MOST_SAMPLES, KernelDensityEstimation
from mlviz.algorithms.density.kde.pictures import (
    contours,
    curve_chart,
    density_field,
    height,
    likelihood_chart,
    outliers,
)
from mlviz.draw.layer import Context
from mlviz.numerics.density.kernel_density import (
    KERNELS,
    KernelDensity,
    canonical_ratio,
    kernel_constants,
    values_of,
)
from mlviz.numerics.density.kernel_width import LeftOutLikelihood
from mlviz.numerics.grid import Grid
from tests.sweep import each

NAMES = {"gaussian": "gaussian", "epanechnikov": "epanechnikov", "uniform": "tophat", "triangular": "linear"}
GRID = Grid.over((-4, 4, -3, 3), 90, 70)


def cloud(n, d=2, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def oracle(kernel, width, X, weights=None):
    # One leaf: bounds of a tree, added and subtracted, would leave 1e-10 of rounding in the far tails.
    return Oracle(kernel=NAMES[kernel], bandwidth=width, rtol=0, atol=0, leaf_size=10_000).fit(X, sample_weight=weights)


def context_of(X, algorithm, model, grid=GRID):
    field = None if grid is None else model.on_grid(grid, np.float32)
    rows = np.arange(len(X)) + 7
    return Context(X, None, rows, algorithm, "density estimation", grid=grid, field=field, fine=True)


@each("kernel, d", KERNELS, [1, 2, 4, 6])
def test_at_samples_and_next_to_them_and_about_their_rims_it_is_the_sum_of_the_kernels(kernel, d):
    """Samples spread over hundreds of widths: where a kernel has a tip or ends, rounding of distances tells most."""
    rng = np.random.default_rng(d)
    X, weights, width = 3.0 * cloud(200, d), rng.uniform(0.2, 3.0, 200), 0.02
    ways = rng.normal(size=(200, d))
    ways *= width / np.linalg.norm(ways, axis=1, keepdims=True)
    places = np.vstack([X + share * ways for share in (0, 1e-7, 1e-3, 0.05, 0.3, 1 - 1e-6, 1 + 1e-6)])
    squares = (((places[:, None] - X) / width) ** 2).sum(axis=2)
    constant = kernel_constants(kernel, d).factor / width**d / weights.sum()
    expected = constant * values_of(kernel, squares) @ weights
    found = KernelDensityEstimation(kernel=kernel, width=width).fit(X, sample_weight=weights).density(places)
    np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-9 * expected.max())


@pytest.mark.parametrize("d", [1, 2, 5])
@pytest.mark.parametrize("kernel", NAMES)
def test_the_density_is_scikit_learns(kernel, d):
    X, places = cloud(150, d), 1.5 * cloud(60, d, 1)
    weights = np.random.default_rng(2).uniform(0.2, 3.0, len(X))
    model = KernelDensityEstimation(kernel=kernel, width=0.8).fit(X, sample_weight=weights)
    expected = oracle(kernel, 0.8, X, weights).score_samples(places)
    np.testing.assert_allclose(model.score_samples(places), expected, rtol=1e-10)
    np.testing.assert_allclose(model.density(places), np.exp(expected), rtol=1e-10)
    assert model.score_samples(X) @ weights == pytest.approx(model.log_likelihood, rel=1e-12)


@pytest.mark.parametrize("kernel", NAMES)
def test_each_sample_left_out_is_told_by_a_fit_to_all_others(kernel):
    X = cloud(25)
    model = KernelDensityEstimation(kernel=kernel, width=0.7).fit(X)
    expected = [oracle(kernel, 0.7, np.delete(X, i, axis=0)).score_samples(X[i : i + 1])[0] for i in range(len(X))]
    np.testing.assert_allclose(model.left_out_log_densities, expected, rtol=1e-10)
    assert model.left_out_log_likelihood == pytest.approx(sum(expected), rel=1e-10)


def test_a_weight_of_two_leaves_one_of_two_equal_samples_out():
    X = cloud(12)
    double = KernelDensityEstimation().fit(X, sample_weight=np.full(12, 2.0))
    twice = KernelDensityEstimation().fit(np.repeat(X, 2, axis=0))
    np.testing.assert_allclose(np.repeat(double.left_out_log_densities, 2), twice.left_out_log_densities, rtol=1e-12)


def test_kernels_that_scikit_learn_does_not_have_and_their_constants_are_those_of_textbooks():
    (at,) = KernelDensity(np.zeros((1, 1)), np.ones(1), "biweight", 2.0).log_density(np.array([[1.0]]))
    assert np.exp(at) == pytest.approx(15 / 16 * (1 - 0.25) ** 2 / 2, rel=1e-14)
    (at,) = KernelDensity(np.zeros((1, 2)), np.ones(1), "biweight", 1.0).log_density(np.array([[0.3, 0.4]]))
    assert np.exp(at) == pytest.approx(3 / np.pi * 0.75**2, rel=1e-14)
    for d, ball in ((1, 2.0), (2, np.pi), (3, 4 / 3 * np.pi)):
        # Silverman (1986), equation 4.15: what the best width for normal samples is in units of n^(-1/(d + 4)).
        expected = (8 / ball * (d + 4) * (2 * np.sqrt(np.pi)) ** d) ** (1 / (d + 4))
        assert canonical_ratio("epanechnikov", d) * (4 / (d + 2)) ** (1 / (d + 4)) == pytest.approx(expected, rel=1e-12)
        assert kernel_constants("epanechnikov", d).second_moment == pytest.approx(1 / (d + 4), rel=1e-12)


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_field_is_the_density_and_its_integral_is_one(kernel):
    X = cloud(80)
    model = KernelDensityEstimation(kernel=kernel, width=0.6).fit(X)
    expected = model.density(GRID.points()).reshape(GRID.shape)
    np.testing.assert_allclose(model.on_grid(GRID), expected, atol=1e-13)
    np.testing.assert_allclose(model.on_grid(GRID, np.float32), expected, atol=1e-6 * expected.max())
    # A kernel that jumps is summed up with an error of about one in the nodes along its rim; smooth ones far better.
    assert model.integral == pytest.approx(1, abs=1e-3 if kernel == "uniform" else 1e-5)
    line = KernelDensityEstimation(kernel=kernel, width=0.6).fit(X[:, :1])
    assert line.integral == pytest.approx(1, abs=2e-2 if kernel == "uniform" else 1e-3)
    assert KernelDensityEstimation(kernel=kernel, width=1e-6).fit(X).integral is None


@each("weights, kernel", [(0.5, 2.0), (0.7, 0.7), (1.0, 1.0)], [kernel for kernel in KERNELS if kernel != "gaussian"])
def test_kernels_that_end_are_summed_up_to_their_rims_for_any_width(kernel, weights):
    """On a lattice many samples are just a width from a node; others are out of sight, or reach none, or all."""
    lattice = np.array([(i, j) for i in range(-6, 7) for j in range(-6, 7)]) * 0.4
    X = np.concatenate((lattice, cloud(40), [(9.0, 0.0), (0.0, 1e9)]))
    weights = np.random.default_rng(2).uniform(*weights, len(X))
    even, uneven = Grid.over((-4, 4, -3, 3), 41, 31), Grid(np.linspace(0, 2, 40) ** 2, np.sort(cloud(30, 1)[:, 0]))
    far = Grid.over((100, 101, 50, 51), 5, 4)  # no kernel reaches it
    for grid in (even, uneven, Grid(np.array([0.1]), even.y), far):
        gaps = np.linalg.norm(grid.points()[:, None] - X, axis=2).min(axis=1).reshape(grid.shape)
        for width in (1e-3, 0.05, 0.4, 0.8, 3.0, 40.0):
            model = KernelDensityEstimation(kernel=kernel, width=width).fit(X, sample_weight=weights)
            expected = model.density(grid.points()).reshape(grid.shape)
            field, short = model.on_grid(grid), model.on_grid(grid, np.float32)
            np.testing.assert_allclose(field, expected, rtol=0, atol=1e-12 * expected.max())
            np.testing.assert_allclose(short, expected, rtol=0, atol=1e-6 * expected.max())
            beyond = gaps > width * (1 + 1e-6)  # on the rim itself a value of 0 may have rounding
            assert (field[beyond] == 0).all() and (short[beyond] == 0).all()


@pytest.mark.parametrize("d", [1, 3])
def test_rules_of_thumb_are_scikit_learns_times_the_spread(d):
    X = cloud(90, d) * 3.0
    spread = np.sqrt(X.var(axis=0).mean())
    for rule, theirs in (("Scott's rule", "scott"), ("Silverman's rule", "silverman")):
        width = Oracle(bandwidth=theirs).fit(X).bandwidth_ * spread
        assert KernelDensityEstimation(selection=rule).fit(X).width == pytest.approx(width, rel=1e-12)
        wider = KernelDensityEstimation(selection=theirs, kernel="biweight").fit(X).width
        assert wider == pytest.approx(width * canonical_ratio("biweight", d), rel=1e-12)
        assert KernelDensityEstimation(width=0.3).fit(X).facts()[rule] == pytest.approx(width, rel=1e-12)


def test_the_likeliest_width_of_two_points_is_a_formula():
    # Each has the density exp(-r^2 / 2h^2) / h^d up to a factor, which is largest at h = r / sqrt(d).
    for d in (1, 2, 3):
        X = np.zeros((2, d))
        X[1, 0] = 1.7
        model = KernelDensityEstimation(selection="likelihood").fit(X)
        assert model.width == pytest.approx(1.7 / np.sqrt(d), rel=1e-5)


@pytest.mark.parametrize("kernel", KERNELS)
def test_no_other_width_is_likelier(kernel):
    X = np.concatenate((cloud(40), 0.3 * cloud(40, seed=1) + 4))
    model = KernelDensityEstimation(kernel=kernel, selection="likelihood").fit(X)
    others = [KernelDensityEstimation(kernel=kernel, width=float(h)).fit(X) for h in np.geomspace(0.05, 20, 150)]
    best = max(other.left_out_log_likelihood for other in others)
    assert model.left_out_log_likelihood >= best - 1e-3 * len(X) ** 0.5
    assert f"h = {model.width:.3g}" in model.caveat


def test_the_curve_over_the_width_is_the_likelihood_and_the_present_width_can_be_dragged():
    X = cloud(60)
    for kernel in ("gaussian", "triangular"):
        algorithm = KernelDensityEstimation(kernel=kernel, width=1.9)
        model = algorithm.fit(X)
        plot = likelihood_chart.draw(model, context_of(X, algorithm, model))
        curve, largest, now = (mark.xy for mark in plot.marks)
        for width, value in curve[:: len(curve) // 7]:
            exact = KernelDensityEstimation(kernel=kernel, width=float(width)).fit(X).left_out_log_likelihood
            assert value == pytest.approx(exact, rel=1e-9)
        assert now.tolist() == [[1.9, pytest.approx(model.left_out_log_likelihood, rel=1e-12)]]
        assert largest[0, 1] == curve[:, 1].max()
        (handle,) = plot.handles
        assert handle.path == "algorithm.width" and handle.values[handle.at] == 1.9
    assert likelihood_chart.draw(*_alone(algorithm)) is None


def _alone(algorithm):
    X = np.zeros((3, 2))
    model = algorithm.fit(X)
    return model, context_of(X, algorithm, model)


def test_a_sample_far_from_all_others_is_an_outlier_and_its_own_kernel_does_not_hide_it():
    X = np.vstack((cloud(60), (9.0, 9.0)))
    algorithm = KernelDensityEstimation()
    model = algorithm.fit(X)
    assert model.is_outlier[-1] and model.is_outlier.sum() <= 3
    assert model.score_samples(X)[-1] > model.outlier_level
    assert model.facts()["outliers"] == model.is_outlier.sum()
    *_, ringed = outliers.draw(model, context_of(X, algorithm, model))
    assert ringed.rows.tolist() == (np.flatnonzero(model.is_outlier) + 7).tolist()
    assert KernelDensityEstimation().fit(X[:1]).is_outlier is None


@pytest.mark.parametrize("kernel", KERNELS)
def test_of_what_the_estimate_draws_the_outlier_share_has_a_small_density(kernel):
    model = KernelDensityEstimation(kernel=kernel, outlier_share=0.2, width=0.4).fit(cloud(40))
    drawn = model.estimate.draw(20_000, np.random.default_rng(9))
    # The level comes from 500 draws: one standard deviation is 0.018.
    share = np.mean(model.score_samples(drawn) < model.outlier_level)
    # A density that jumps has few values: more than the share may have the least of them, which is not small then.
    assert share == (0 if kernel == "uniform" else pytest.approx(0.2, abs=0.055))
    spread = kernel_constants(kernel, 2).second_moment * model.width**2
    assert drawn.var(axis=0) == pytest.approx(model.X.var(axis=0) + spread, rel=0.05)


def test_shade_and_contours_tell_the_density():
    X = cloud(60)
    algorithm = KernelDensityEstimation()
    model = algorithm.fit(X)
    context = context_of(X, algorithm, model)
    (shade,) = density_field.draw(model, context)
    top = np.exp(model.drawn_log_densities[-1])
    inside = context.field < top
    np.testing.assert_allclose((shade.strength[inside] - 128.0) / 127 * top, context.field[inside], atol=top / 127)
    (lines,) = contours.draw(model, context)
    heights = model.density(lines.xy[np.isfinite(lines.xy[:, 0])])
    wanted = np.concatenate([decade * np.array((1, 2, 5)) for decade in 10.0 ** np.arange(-4, 0)])
    assert np.abs(heights[:, None] / wanted - 1).min(axis=1).max() < 0.02


@pytest.mark.parametrize("kernel", KERNELS)
def test_with_one_input_the_curve_is_the_sum_of_its_kernels(kernel):
    X = cloud(20, 1)
    algorithm = KernelDensityEstimation(kernel=kernel)
    model = algorithm.fit(X)
    plot = curve_chart.draw(model, context_of(X, algorithm, model, None))
    heaps, curve = (mark.xy for mark in plot.marks[:2])
    parts = heaps[np.isfinite(heaps[:, 0]), 1].reshape(20, -1)
    np.testing.assert_allclose(parts.sum(axis=0), curve[:, 1], atol=1e-14)
    assert sum((b - a)[0] * (a + b)[1] / 2 for a, b in pairwise(curve)) == pytest.approx(1, abs=2e-3)
    line = np.linspace(-3, 3, 61)
    _, drawn = height.draw(
        model, Context(X, None, np.arange(20), algorithm, "density estimation", line=line, height=(1, 6))
    )
    density = model.density(line[:, None])
    np.testing.assert_allclose(drawn.xy[:, 1], 1 + 0.4 * 5 * density / density.max())
    assert drawn.label == f"density of x1, 0 to {density.max():.3g}"
    assert curve_chart.draw(KernelDensityEstimation().fit(cloud(5)), context_of(X, algorithm, model, None)) is None


@pytest.mark.parametrize(
    ("kernel", "d", "within"), [("gaussian", 2, 1e-3), ("biweight", 2, 5e-3), ("uniform", 1, 0.03)]
)
def test_many_samples_are_told_on_a_lattice_which_the_caption_says(kernel, d, within):
    X = cloud(MOST_SAMPLES + 1, d)
    model = KernelDensityEstimation(kernel=kernel).fit(X)
    places = cloud(200, d, 5)
    exact = np.exp(KernelDensity(X, np.ones(len(X)), kernel, 0.5).log_density(places))
    np.testing.assert_allclose(model.density(places), exact, atol=within * exact.max())
    assert model.caveat == "on a lattice, 0.0312 apart"
    assert model.gridded.table.sum() * model.gridded.spacing.prod() == pytest.approx(1, rel=1e-12)
    alone = KernelDensityEstimation(kernel=kernel).fit(np.vstack((X, np.full(d, 9.0))))
    assert alone.is_outlier[-1] and alone.is_outlier.sum() < 0.02 * len(X)
    if d == 2:
        expected = model.density(GRID.points()).reshape(GRID.shape)
        np.testing.assert_allclose(model.on_grid(GRID), expected, atol=1e-14)


def test_where_widths_have_no_limit_there_is_a_sentence():
    with pytest.raises(CannotFit, match="at one place"):
        KernelDensityEstimation(selection="scott").fit(np.ones((5, 2)))
    with pytest.raises(CannotFit, match="has an equal one"):
        KernelDensityEstimation(selection="likelihood").fit(np.repeat(cloud(5), 2, axis=0))
    assert LeftOutLikelihood(cloud(3), np.ones(3), "uniform").at(1e-3) == -np.inf


@each("kernel, d", ["gaussian", "epanechnikov", "triangular"], [1, 2, 3])
def test_the_outlier_line_does_not_rest_on_few_draws(kernel, d):
    X = np.random.default_rng(4).normal(size=(60, d))
    model = KernelDensityEstimation(kernel=kernel, outlier_share=0.01).fit(X)
    drawn = model.estimate.draw(40_000, np.random.default_rng(8))
    below = np.mean(model.score_samples(drawn) < model.outlier_level)
    # Of 40,000 draws the share has a standard error of 0.0005; in three inputs the line is a quantile of 500 draws.
    assert below == pytest.approx(0.01, abs=0.002 if d < 3 else 0.012)


def test_the_likelihood_of_some_of_the_samples_has_the_height_of_all():
    X = np.random.default_rng(5).normal(size=(1500, 2))
    algorithm = KernelDensityEstimation(width=0.4)
    model = algorithm.fit(X)
    plot = likelihood_chart.draw(model, context_of(X, algorithm, model))
    (now,) = (mark.xy for mark in plot.marks if mark.role == "now")
    assert "estimated by 600 of 1,500 samples, drawn at random" in plot.title
    # The mean over 600 samples of a logarithm whose deviation is about 1 has a standard error of 0.04.
    assert now[0, 1] == pytest.approx(model.left_out_log_likelihood, abs=0.15 * len(X))


@each("kernel, kind", KERNELS, ["cloud", "lattice", "far away"])
def test_densities_in_many_inputs_by_products(kernel, kind):
    """Against one distance after the other; on a lattice many samples are just where kernels end."""
    rng = np.random.default_rng(0)
    X, places = rng.normal(size=(300, 5)), rng.normal(size=(400, 5)) * np.linspace(0.5, 3, 400)[:, None]
    if kind == "lattice":
        X, places = np.rint(2 * X) / 2, np.rint(2 * places) / 2
    if kind == "far away":
        X, places = X + 1e6, np.vstack((places + 1e6, places * 1e9))
    estimate = KernelDensity(X, rng.uniform(0.5, 2, 300), kernel, 1.0)
    steps = np.clip(places[:, None] - X, -1e140, 1e140)
    with np.errstate(divide="ignore"):
        expected = values_of(kernel, (steps**2).sum(axis=2))
        if kernel == "gaussian":
            squares = (steps**2).sum(axis=2)
            least = squares.min(axis=1, keepdims=True)
            expected = np.log(np.exp(-(squares - least) / 2) @ estimate.weights) - least[:, 0] / 2
        else:
            expected = np.log(expected @ estimate.weights)
    np.testing.assert_allclose(estimate.log_density(places) - estimate.log_unit, expected, rtol=1e-12, atol=1e-11)
