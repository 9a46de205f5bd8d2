import itertools
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import multivariate_normal
from sklearn.datasets import load_diabetes
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, DotProduct
from sklearn.linear_model import BayesianRidge

from mlviz.algorithms.linear.linear_regression import LinearRegression
from mlviz.algorithms.regression.bayesian_linear import SHOWN_SINGLY, BayesianLinear
from mlviz.data.dataset import Dataset
from mlviz.draw.marks import Ellipses, Lines, Points, Polygons, Segments
from mlviz.numerics.linalg.gaussian_weights import LEAST_NOISE, SampleSpectrum
from mlviz.picture import draw
from mlviz.pipeline.decisions import Decision
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from tests.sweep import each

NORMAL = "normal prior of b"
BOTH = "both by evidence"


def wave(n=40, d=1, seed=0, noise=0.3):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, (n, d))
    return X, np.sin(X).sum(axis=1) + 0.7 + noise * rng.normal(size=n)


def models(algorithm, X, y, weights=None):
    return list(algorithm.steps(X, y, np.random.default_rng(0), weights))


def monomials(X, degree):
    """Powers 1, u, u^2, ... of the input mapped to [-1, 1]."""
    u = (2 * X[:, 0] - X.max() - X.min()) / np.ptp(X)
    return np.column_stack([u**k for k in range(degree + 1)])


def exactly(A, B):
    """The solution of A x = B in fractions, by elimination."""
    rows = [[*a, *b] for a, b in zip(A, B, strict=True)]
    for k in range(len(rows)):
        rows[k] = [value / rows[k][k] for value in rows[k]]
        for i in range(len(rows)):
            if i != k:
                rows[i] = [value - rows[i][k] * of_pivot for value, of_pivot in zip(rows[i], rows[k], strict=True)]
    return np.array([[float(value) for value in row[len(rows) :]] for row in rows])


def picture(X, y, step=None, **settings):
    algorithm = BayesianLinear(**settings)
    data = Dataset(np.column_stack((X, y)), np.zeros(len(X), dtype=int), ("x1", "x2"))
    scene = Scene(data, (Panel(Pipeline(algorithm), inputs=("x1",), target="x2"),)).with_view(step=step)
    (drawn,) = draw(scene, [(400, 300)])
    return drawn


@pytest.mark.parametrize(("noise", "tau"), [(0.5, 1.0), (0.05, 10.0), (3.0, 0.1)])
def test_the_posterior_is_the_closed_form_in_exact_fractions(noise, tau):
    X, y = wave()
    model = BayesianLinear(basis="polynomial", degree=7, noise=noise, tau=tau, offset=NORMAL).fit(X, y)
    rows = [[Fraction(value) for value in row] for row in monomials(X, 7).tolist()]
    sigma, prior = Fraction(noise) ** 2, Fraction(tau) ** 2
    A = [[sum(r[i] * r[j] for r in rows) / sigma + (i == j) / prior for j in range(8)] for i in range(8)]
    right = [sum(r[i] * Fraction(t) for r, t in zip(rows, y.tolist(), strict=True)) / sigma for i in range(8)]
    solved = exactly(A, [[value, *(Fraction(i == j) for j in range(8))] for i, value in enumerate(right)])
    m, S = solved[:, 0], solved[:, 1:]
    np.testing.assert_allclose(model.posterior.mean, m, atol=1e-11 * np.abs(m).max())
    np.testing.assert_allclose(model.posterior.covariance, S, atol=1e-11 * np.abs(S).max())


@pytest.mark.parametrize("d", [1, 2, 5])
def test_the_band_is_that_of_a_gaussian_process_with_the_kernel_of_the_prior(d):
    X, y = wave(60, d)
    model = BayesianLinear(noise=0.4, tau=0.8, offset=NORMAL).fit(X, y)
    process = GaussianProcessRegressor(ConstantKernel(0.8**2) * DotProduct(1.0), alpha=0.4**2, optimizer=None)
    places = np.random.default_rng(1).uniform(-9, 9, (50, d))
    mean, std = process.fit(X, y).predict(places, return_std=True)
    np.testing.assert_allclose(model.predict(places), mean, atol=1e-10)
    of_function, of_target = model.predict_std(places)
    np.testing.assert_allclose(of_function, std, atol=1e-7)  # theirs is the root of a difference
    np.testing.assert_allclose(of_target, np.hypot(of_function, 0.4), rtol=1e-14)
    assert model.facts()["log evidence"] == pytest.approx(process.log_marginal_likelihood_value_, rel=1e-9)


def test_with_a_flat_offset_it_is_scikit_learns_bayesian_ridge():
    X, y = load_diabetes(return_X_y=True)
    X = X / X.std(axis=0)
    noise, tau = 54.0, 20.0
    model = BayesianLinear(noise=noise, tau=tau, offset="flat prior of b").fit(X, y)
    # Hyperpriors so strong that they hold both precisions where they are.
    held = BayesianRidge(
        alpha_1=1e12, alpha_2=1e12 * noise**2, lambda_1=1e12, lambda_2=1e12 * tau**2, alpha_init=noise**-2,
        lambda_init=tau**-2, max_iter=1,
    ).fit(X, y)  # fmt: skip
    assert held.alpha_ == pytest.approx(noise**-2, rel=1e-8)
    np.testing.assert_allclose(model.coef, held.coef_, rtol=1e-6)
    np.testing.assert_allclose(model.posterior.covariance[1:, 1:], held.sigma_, rtol=1e-5, atol=1e-6)
    mean, std = held.predict(X, return_std=True)
    np.testing.assert_allclose(model.predict(X), mean, rtol=1e-6)
    # Theirs takes the offset for known.
    ours = np.hypot(*(np.sqrt(part) for part in (model.predict_std(X)[1] ** 2 - noise**2 / len(X), 0.0)))
    np.testing.assert_allclose(ours, std, rtol=1e-6)


def test_the_most_probable_weights_are_those_of_ridge_regression():
    X, y = wave(30, 2)
    for offset in ("normal prior of b", "flat prior of b"):
        centred = X - X.mean(axis=0), y - y.mean()
        model = BayesianLinear(noise=0.6, tau=0.3, offset=offset).fit(*centred)
        lambda_ = 0.6**2 / (30 * 0.3**2)
        assert model.facts()["ridge's λ"] == pytest.approx(lambda_, rel=1e-12)
        ridge = LinearRegression(penalty="L2", lambda_=lambda_).fit(*centred)
        np.testing.assert_allclose(model.coef, ridge.coef, atol=1e-13)
        assert model.intercept == pytest.approx(0, abs=1e-14)
    # A flat offset needs no centring, nor do monomials.
    for settings in ({}, {"basis": "polynomial", "degree": 4}):
        model = BayesianLinear(noise=0.6, tau=0.3, offset="flat prior of b", **settings).fit(X, y)
        ridge = LinearRegression(penalty="L2", lambda_=lambda_, **settings).fit(X, y)
        np.testing.assert_allclose(model.predict(X), ridge.predict(X), atol=1e-12)


@pytest.mark.parametrize("n", [3, 12, 40])
def test_the_evidence_is_the_density_of_the_targets(n):
    X, y = wave(n)
    for noise, tau in itertools.product((0.1, 1.0), (0.3, 5.0)):
        model = BayesianLinear(basis="polynomial", degree=5, noise=noise, tau=tau, offset=NORMAL).fit(X, y)
        A = monomials(X, 5)
        expected = multivariate_normal(np.zeros(n), noise**2 * np.eye(n) + tau**2 * A @ A.T).logpdf(y)
        assert model.facts()["log evidence"] == pytest.approx(expected, rel=1e-10)
        flat = BayesianLinear(basis="polynomial", degree=5, noise=noise, tau=tau, offset="flat prior of b").fit(X, y)
        # Along n - 1 directions that leave the mean out.
        Q = np.linalg.qr(np.column_stack((np.ones(n), np.eye(n)[:, 1:])))[0][:, 1:]
        cov = noise**2 * np.eye(n - 1) + tau**2 * Q.T @ A[:, 1:] @ A[:, 1:].T @ Q
        expected = multivariate_normal(np.zeros(n - 1), cov).logpdf(Q.T @ y)
        assert flat.facts()["log evidence"] == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("offset", ["normal prior of b", "flat prior of b"])
def test_what_is_chosen_by_evidence_has_the_largest_one(offset):
    X, y = wave(50, noise=0.2)
    settings = {"basis": "polynomial", "degree": 6, "offset": offset}

    def minus(logs):
        return -BayesianLinear(noise=np.exp(logs[0]), tau=np.exp(logs[1]), **settings).fit(X, y).log_evidence

    best = minimize(minus, (-1.0, 0.0), method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12})
    model = BayesianLinear(evidence=BOTH, **settings).fit(X, y)
    assert model.log_evidence >= -best.fun - 1e-9
    assert np.log([model.samples.noise, model.samples.prior]) == pytest.approx(best.x, abs=1e-5)
    one = minimize(lambda log: minus((log[0], np.log(2.0))), (-1.0,), method="Nelder-Mead", options={"xatol": 1e-9})
    model = BayesianLinear(evidence="noise by evidence", tau=2.0, **settings).fit(X, y)
    assert model.samples.prior == 2.0
    assert np.log(model.samples.noise) == pytest.approx(one.x[0], abs=1e-5)


def test_samples_without_noise_are_told():
    x = np.linspace(-1, 1, 9)[:, None]
    model = BayesianLinear(evidence=BOTH).fit(x, 2 * x[:, 0] + 1)
    assert "no noise" in model.caveat
    assert model.samples.noise == pytest.approx(LEAST_NOISE * np.std(2 * x), rel=1e-6)
    np.testing.assert_allclose(model.predict(x), 2 * x[:, 0] + 1, atol=1e-9)
    zero = BayesianLinear(evidence=BOTH).fit(x, 0 * x[:, 0])
    assert "as given" in zero.caveat and (zero.samples.noise, zero.samples.prior) == (0.5, 1.0)
    assert BayesianLinear().fit(x, x[:, 0]).caveat == ""


@pytest.mark.parametrize("basis", ["linear", "polynomial", "splines", "Gaussian bumps", "Fourier", "Haar wavelets"])
def test_inputs_that_are_all_alike_tell_of_the_noise_alone(basis):
    for n in range(2, 20):
        y = np.random.default_rng(n).normal(size=n)
        model = BayesianLinear(evidence=BOTH, tau=3.0, basis=basis).fit(np.full((n, 1), 2.1), y)
        assert model.samples.noise == pytest.approx(y.std(ddof=1), rel=1e-9)
        assert model.samples.prior == 3.0


def test_of_noise_and_prior_with_equal_evidence_the_least_noise_is_chosen():
    y = np.array([0.3, 1.0])
    for distance in np.linspace(1.0, 1.02, 30):
        model = BayesianLinear(evidence=BOTH).fit([[0.0], [distance]], y)
        assert model.samples.noise == pytest.approx(LEAST_NOISE * y.std(), rel=1e-6)
        assert model.samples.prior == pytest.approx(0.7 / distance, rel=1e-6)


@pytest.mark.parametrize("offset", ["normal prior of b", "flat prior of b"])
def test_the_samples_come_one_by_one(offset):
    X, y = wave(12)
    steps = models(BayesianLinear(offset=offset), X, y)
    assert [model.count for model in steps] == list(range(13))
    assert (steps[0].stage, steps[-1].stage) == ("prior", "after 12 of 12 samples")
    np.testing.assert_array_equal(steps[0].predict(X), 0)
    expected = np.hypot(1, X[:, 0]) if offset == NORMAL else np.full(12, np.inf)
    np.testing.assert_allclose(steps[0].predict_std(X)[0], expected, rtol=1e-14)
    for model in steps[1:]:
        # What the first samples alone say, and what Bayes' rule makes of the step before.
        alone = BayesianLinear(offset=offset).fit(X[: model.count], y[: model.count])
        np.testing.assert_allclose(model.posterior.mean, alone.posterior.mean, atol=1e-12)
    for before, after in itertools.pairwise(steps):
        if before.count:
            phi = np.append(1.0, X[before.count])
            S = before.posterior.covariance
            gain = S @ phi / (0.25 + phi @ S @ phi)
            mean = before.posterior.mean + gain * (y[before.count] - phi @ before.posterior.mean)
            np.testing.assert_allclose(after.posterior.mean, mean, atol=1e-12)
            np.testing.assert_allclose(after.posterior.covariance, S - np.outer(gain, phi @ S), atol=1e-12)


def test_of_many_samples_more_come_in_a_step():
    X, y = wave(5000)
    counts = [model.count for model in models(BayesianLinear(), X, y)]
    assert counts[: SHOWN_SINGLY + 1] == list(range(SHOWN_SINGLY + 1))
    assert counts[-1] == 5000 and len(counts) < SHOWN_SINGLY + 80


def test_the_functions_drawn_are_from_the_posterior_and_move_smoothly():
    X, y = wave(10)
    algorithm = BayesianLinear(basis="polynomial", degree=4, offset=NORMAL)
    model = algorithm.fit(X, y)
    spectrum = SampleSpectrum.of_samples(model.samples.design, y, np.ones(10), False)
    weights = spectrum.posterior(0.5, 1.0)
    many = weights.drawn(np.random.default_rng(0).standard_normal((200_000, 5)))
    np.testing.assert_allclose(np.cov(many.T), weights.covariance, atol=0.01 * weights.covariance.max())
    np.testing.assert_allclose(many.mean(axis=0), weights.mean, atol=0.01)
    former, far = model.functions(X), 0.0
    for step in np.linspace(0.01, 1, 100):
        moved = X.copy()
        moved[4] += step * (2.9 - X[4])  # inside the range, past other samples
        drawn = algorithm.fit(moved, y).functions(X)
        far = max(far, float(np.abs(drawn - former).max()))
        former = drawn
    assert far < 0.08  # the whole way is about 2


def test_contours_are_those_of_prior_likelihood_and_posterior():
    X, y = wave(20)
    drawn = picture(X, y, step=3, offset=NORMAL)
    plot = next(plot for plot in drawn.sides if plot.id == "weight plane")
    marks = {mark.role: mark for mark in plot.marks}
    model = BayesianLinear(offset=NORMAL).fit(X[:3], y[:3])

    def at_rim(ellipse, middle, covariance):
        places = np.array(Ellipses.outlines(ellipse, 12))[0] - middle
        squared = (places @ np.linalg.inv(covariance) * places).sum(axis=1)
        np.testing.assert_allclose(squared, 4, rtol=1e-9)  # two standard deviations

    at_rim(marks["prior"], np.zeros(2), np.eye(2))
    at_rim(marks["posterior"], model.posterior.mean, model.posterior.covariance)
    A = np.column_stack((np.ones(3), X[:3]))
    at_rim(marks["likelihood"], np.linalg.lstsq(A, y[:3])[0], 0.25 * np.linalg.inv(A.T @ A))
    stripe = marks["last likelihood"]
    assert isinstance(stripe, Polygons)
    off = np.abs(stripe.vertices[0] @ (1.0, X[2, 0]) - y[2])  # |b + w x - y| is 2 sigma along the sides
    assert off.max() == pytest.approx(1.0, rel=1e-9)
    assert "last likelihood" not in {mark.role for mark in picture(X, y).sides[0].marks}


@pytest.mark.parametrize("offset", [NORMAL, "flat prior of b"])
def test_weights_of_two_inputs_are_shown_whatever_the_offset_is(offset):
    X, y = wave(20, 2)
    data = Dataset(np.column_stack((X, y)), np.zeros(20, dtype=int), ("x1", "x2", "value"))
    algorithm = BayesianLinear(offset=offset)
    scene = Scene(data, (Panel(Pipeline(algorithm), inputs=("x1", "x2"), target="value"),)).with_view(step=5)
    (drawn,) = draw(scene, [(400, 300)])
    marks = {mark.role: mark for mark in drawn.sides[0].marks}
    model = algorithm.fit(X[:5], y[:5])
    places = np.array(marks["posterior"].outlines(12))[0] - model.coef
    inverse = np.linalg.inv(model.posterior.covariance[1:, 1:])
    np.testing.assert_allclose((places @ inverse * places).sum(axis=1), 4, rtol=1e-9)
    assert isinstance(marks["last likelihood"], Polygons)  # one sample leaves a direction open


def test_bars_and_evidence_tell_the_numbers_and_the_prior_can_be_dragged():
    X, y = wave(20)
    sides = {plot.id: plot for plot in picture(X, y, basis="polynomial", tau=2.0).sides}
    model = BayesianLinear(basis="polynomial", tau=2.0).fit(X, y)
    assert "weight plane" not in sides
    (whisker,) = (mark for mark in sides["weights"].marks if isinstance(mark, Segments))
    std = np.sqrt(model.posterior.covariance.diagonal()[1:])
    np.testing.assert_allclose(whisker.end[:, 1] - whisker.start[:, 1], 4 * std, rtol=1e-12)
    for id, field in (("evidence of tau", "tau"), ("evidence of sigma", "noise")):
        (handle,) = sides[id].handles
        assert handle.path == f"algorithm.{field}"
        at = BayesianLinear(basis="polynomial", **{"tau": 2.0, field: float(handle.values[7])}).fit(X, y)
        assert handle.points[7, 1] == pytest.approx(at.log_evidence, rel=1e-12)
    assert not any(p.handles for p in picture(X, y, evidence=BOTH).sides if p.id.startswith("evidence"))


def test_what_has_not_come_is_marked():
    X, y = wave(20)
    marks = {mark.role: mark for mark in picture(X, y, step=4).plot.marks}
    assert isinstance(marks["left out"], Points) and isinstance(marks["drawn function"], Lines)
    assert marks["left out"].rows.tolist() == list(range(4, 20))
    assert marks["visited"].rows.tolist() == [3]
    assert {"left out", "visited"}.isdisjoint(mark.role for mark in picture(X, y).plot.marks)


def test_with_a_flat_prior_there_are_no_first_functions_and_its_contour_is_open():
    X, y = wave(20)
    drawn = picture(X, y, step=0)
    assert not {"band", "drawn function"} & {mark.role for mark in drawn.plot.marks}
    assert "no functions yet: the prior of b is flat" in drawn.caption
    assert {"band", "drawn function"} <= {mark.role for mark in picture(X, y, step=1).plot.marks}
    assert "prior of b is flat" not in picture(X, y, step=1).caption
    (prior,) = drawn.sides[0].marks
    assert prior.role == "prior" and np.abs(prior.xy[np.isfinite(prior.xy[:, 1]), 1]) == pytest.approx(2.0)


def test_far_off_inputs_keep_their_digits():
    X, y = wave(30)
    for offset in ("normal prior of b", "flat prior of b"):
        model = BayesianLinear(offset=offset, basis="polynomial").fit(X, y)
        far = BayesianLinear(offset=offset, basis="polynomial").fit(X + 1e6, y)
        np.testing.assert_allclose(far.predict(X + 1e6), model.predict(X), atol=1e-7)
        np.testing.assert_allclose(far.predict_std(X + 1e6)[0], model.predict_std(X)[0], atol=1e-7)
    line = BayesianLinear(offset="flat prior of b").fit(X, y)
    far = BayesianLinear(offset="flat prior of b").fit(X + 1e6, y)
    np.testing.assert_allclose(far.predict_std(X + 1e6)[0], line.predict_std(X)[0], rtol=1e-7)


@pytest.mark.parametrize("step", [0, 1])
def test_without_a_distribution_nothing_is_decided_for(step):
    X, y = wave(10)
    data = Dataset(np.column_stack((X, y)), np.zeros(len(X), dtype=int), ("x1", "x2"))
    pipeline = Pipeline(BayesianLinear(), decision=Decision(asymmetric=True, cost_below=3.0))
    scene = Scene(data, (Panel(pipeline, inputs=("x1",), target="x2"),)).with_view(step=step, probe=(0.5, 0.0))
    (drawn,) = draw(scene, [(400, 300)])
    assert ("is decided for" in drawn.caption) == ("decided quantile" in drawn.facts) == (step > 0)
    assert ("at any height" in drawn.explanation.sentence) == ("gives none here" in drawn.caption) == (step == 0)


@pytest.mark.parametrize("basis", ["linear", "polynomial", "Gaussian bumps"])
def test_before_the_first_sample_functions_are_from_the_prior(basis):
    def empty(**settings):
        panel = Panel(Pipeline(BayesianLinear(tau=2.0, basis=basis, **settings)), inputs=("x1",), target="x2")
        (drawn,) = draw(Scene(Dataset.empty(), (panel,), 3), [(400, 300)])
        return {mark.role: mark for mark in drawn.plot.marks}

    marks = empty(offset=NORMAL)
    assert marks["drawn function"].label.endswith("functions drawn from the prior")
    lines = np.split(marks["drawn function"].xy, np.flatnonzero(np.isnan(marks["drawn function"].xy[:, 0])))
    assert len(lines) == 20
    at = np.array([line[np.isfinite(line[:, 0])] for line in lines])
    if basis == "linear":
        slopes = (at[:, -1, 1] - at[:, 0, 1]) / (at[:, -1, 0] - at[:, 0, 0])
        heights = at[:, 0, 1] - slopes * at[:, 0, 0]
        straight = heights[:, None] + slopes[:, None] * at[..., 0]
        np.testing.assert_allclose(at[..., 1], straight, atol=1e-9)
        normal = np.random.default_rng(3).standard_normal((20, 2))
        np.testing.assert_allclose(np.column_stack((heights, slopes)), 2 * normal, atol=1e-9)
        band, half = marks["band"].vertices[0], len(marks["band"].vertices[0]) // 2
        expected = 1.959964 * 2 * np.hypot(1, band[:half, 0])
        np.testing.assert_allclose(np.abs(band[:half, 1]), expected, rtol=1e-6)
    assert not empty() and not empty(offset=NORMAL, evidence=BOTH)


@each(
    "offset, tau, columns",
    ["flat prior of b", "normal prior of b"],
    [0.1, 1.0, 3.0, 10.0, 100.0],
    [("x1", "x2"), ("x1", "x2", "value")],
)
def test_the_posterior_is_no_speck_beside_a_prior_that_is_out_of_sight(columns, tau, offset):
    draw_from = np.random.default_rng(2)
    X = draw_from.normal(size=(40, len(columns)))
    X[:, -1] = 0.4 * X[:, 0] - 0.1 + draw_from.normal(0, 0.3, 40)
    panel = Panel(Pipeline(BayesianLinear(tau=tau, offset=offset)), inputs=columns[:-1], target=columns[-1])
    (picture,) = draw(Scene(Dataset(X, np.zeros(40, dtype=int), columns), (panel,)), ((300, 200),), 20)
    (plot,) = (side for side in picture.sides if side.id == "weight plane")
    x0, x1, y0, y1 = plot.limits
    (ellipse,) = (mark.places() for mark in plot.marks if mark.role == "posterior")
    share = np.ptp(ellipse, axis=0) / (x1 - x0, y1 - y0)
    prior_seen = 4 * tau <= min(x1 - x0, y1 - y0)
    assert share.min() > (0.03 if prior_seen else 0.1), (share, plot.limits)
