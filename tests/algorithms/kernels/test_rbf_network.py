import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import load_diabetes
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.kernels.rbf_network import RBFNetwork
from mlviz.algorithms.kernels.rbf_network.centers import MOST_CENTERS
from mlviz.data.dataset import Dataset
from mlviz.numerics.linalg.dual_ridge import solved_in_kernel
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene, View
from mlviz.testing.pictures import check_picture
from tests.sweep import each, sweep

BASES = {
    "gaussian": lambda r: np.exp(-(r**2) / 2),
    "inverse multiquadric": lambda r: 1 / np.sqrt(1 + r**2),
    "multiquadric": lambda r: np.sqrt(1 + r**2),
    "thin plate": lambda r: r**2 * np.log(np.maximum(r, 1e-150)),
}
SAMPLES = {"centers": "all samples"}


def wave(n=60, d=1, seed=0, noise=0.2):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, (n, d))
    return X, np.sin(1.5 * X).sum(axis=1) + noise * rng.normal(size=n)


def design(algorithm, X, C, sigma):
    """The basis functions, by one loop."""
    phi = np.array([[BASES[algorithm.basis](np.linalg.norm(x - c) / sigma) for c in C] for x in X])
    return phi / phi.sum(axis=1, keepdims=True) if algorithm.normalized else phi


@sweep("centers, d, normalized, basis", ["k-means", "all samples"], [1, 2], [False, True], BASES)
def test_it_is_ridge_regression_on_the_basis_functions(basis, normalized, d, centers):
    if normalized and "inverse" not in basis and basis != "gaussian":
        pytest.skip("it does not fall to 0")
    X, y = wave(50, d)
    algorithm = RBFNetwork(basis=basis, normalized=normalized, centers=centers, sigma=0.7, lambda_=1e-3)
    model = algorithm.fit(X, y)
    C = model.centers
    assert len(C) == (10 if centers == "k-means" else 50)
    theirs = Ridge(alpha=50 * 1e-3, solver="svd").fit(design(algorithm, X, C, 0.7), y)
    places = np.random.default_rng(1).uniform(-4, 4, (40, d))
    expected = theirs.predict(design(algorithm, places, C, 0.7))
    np.testing.assert_allclose(model.predict(places), expected, atol=1e-8 * max(1, np.abs(expected).max()))
    np.testing.assert_allclose(model.coef, theirs.coef_, atol=1e-7 * np.abs(theirs.coef_).max())
    assert model.facts()["offset"] == pytest.approx(theirs.intercept_, abs=1e-7)
    assert model.facts()["gradient norm"] < 1e-11
    loss = np.mean((y - theirs.predict(design(algorithm, X, C, 0.7))) ** 2) + 1e-3 * theirs.coef_ @ theirs.coef_
    assert model.facts()["objective"] == pytest.approx(loss, rel=1e-8)


@pytest.mark.parametrize("real", [False, True])
def test_it_is_scikit_learns_kmeans_and_ridge(real):
    X, y = wave(200, 2)
    if real:
        X, y = load_diabetes(return_X_y=True)
        X = X[:, [2, 8]] * 20
    algorithm = RBFNetwork(n_clusters=7, lambda_=0.01)
    model = algorithm.fit(X, y)
    theirs = make_pipeline(
        KMeans(7, init=model.centers, n_init=1, tol=0),
        FunctionTransformer(BASES["gaussian"]),
        Ridge(alpha=len(X) * 0.01),
    ).fit(X, y)
    np.testing.assert_allclose(theirs[0].cluster_centers_, model.centers, atol=1e-10)
    np.testing.assert_allclose(model.predict(X), theirs.predict(X), atol=1e-7)


def test_with_all_samples_as_centres_it_is_kernel_ridge_with_the_squared_kernel():
    X, y = wave(40)
    model = RBFNetwork(**SAMPLES, sigma=0.6, lambda_=0.01).fit(X, y)
    K = np.exp(-((X - X.T) ** 2) / (2 * 0.36))
    found = solved_in_kernel(K @ K, y[:, None], np.full(40, 1 / 40), 0.01)[0]
    np.testing.assert_allclose(model.predict(X), K @ K @ found.coef + found.offset, atol=1e-9)


def test_normalized_it_is_a_weighted_mean_and_its_weights_add_up_to_nothing():
    X, y = wave(60, 2)
    model = RBFNetwork(normalized=True, sigma=0.5).fit(X, y)
    assert model.coef.sum() == pytest.approx(0, abs=1e-10)
    far = np.array([(1e3, 0.0), (-1e5, 1e5)])
    nearest = np.argmin(((far[:, None] - model.centers) ** 2).sum(axis=2), axis=1)
    np.testing.assert_allclose(model.predict(far), model.coef[nearest] + model.intercept, atol=1e-12)
    assert "of the sum here" in model.explain(X[0]).sentence


def test_the_width_by_rule_is_the_mean_distance_of_each_centre_to_the_nearest_other():
    X, y = wave(80, 2)
    model = RBFNetwork(width="mean distance", n_clusters=6).fit(X, y)
    apart = np.linalg.norm(model.centers[:, None] - model.centers, axis=2) + np.diag([np.inf] * 6)
    assert model.width == model.facts()["width"] == pytest.approx(apart.min(axis=1).mean(), rel=1e-12)
    assert RBFNetwork(width="mean distance", n_clusters=1).fit(X, y).width > 0


def test_two_classes_are_minus_and_plus_one_and_several_have_a_function_each():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(90, 2)) + np.repeat([(0, 0), (3, 0), (0, 3)], 30, axis=0)
    for k in (2, 3):
        y = np.minimum(np.repeat(np.arange(3), 30), k - 1)
        model = RBFNetwork(lambda_=0.01).fit(X, y)
        theirs = RidgeClassifier(alpha=90 * 0.01).fit(design(RBFNetwork(), X, model.network.places, 1.0), y)
        np.testing.assert_array_equal(
            model.predict(X), theirs.predict(design(RBFNetwork(), X, model.network.places, 1.0))
        )
        scores = theirs.decision_function(design(RBFNetwork(), X, model.network.places, 1.0))
        # Theirs of several classes are on -1 and 1.
        np.testing.assert_allclose(model.decision_function(X), scores if k == 2 else (scores + 1) / 2, atol=1e-8)


def test_what_is_left_out_is_what_a_fit_without_it_says():
    X, y = wave(30)
    n, errors = 30, []
    model = RBFNetwork(**SAMPLES, lambda_=0.01).fit(X, y)
    F = design(RBFNetwork(), X, model.centers, 1.0)
    for i in range(n):
        rest = np.arange(n) != i
        errors.append(y[i] - Ridge(alpha=n * 0.01).fit(F[rest], y[rest]).predict(F[i : i + 1])[0])
    assert model.facts()["leave-one-out RMSE"] == pytest.approx(np.sqrt(np.mean(np.square(errors))), rel=1e-7)


def test_a_place_with_several_samples_has_one_centre_and_whole_weights_are_repeated_rows():
    X, y = wave(20)
    times = np.random.default_rng(2).integers(0, 4, 20)
    for values in (SAMPLES, {"n_clusters": 5}):
        weighted = RBFNetwork(**values).fit(X, y, sample_weight=times)
        repeated = RBFNetwork(**values).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
        np.testing.assert_allclose(weighted.predict(X), repeated.predict(X), atol=1e-9)
    assert len(RBFNetwork(**SAMPLES).fit(np.vstack((X, X)), np.append(y, y)).centers) == 20


def test_what_was_too_much_is_told():
    X, y = wave(1200)
    model = RBFNetwork(**SAMPLES).fit(X, y)
    assert len(model.centers) == MOST_CENTERS
    assert model.caveat == "centres are 500 of 1,200 different samples, drawn at random"
    assert RBFNetwork(**SAMPLES).code(model) is None
    few = RBFNetwork(n_clusters=9).fit(X[:4], y[:4])
    assert few.caveat == "only 4 centres, since no more samples differ"
    with pytest.raises(CannotFit):
        RBFNetwork(basis="thin plate", sigma=1e-9).fit(1e140 * X, y)


def test_far_and_wide_samples_are_fitted_as_near_ones():
    X, y = wave(50, 2)
    near = RBFNetwork(lambda_=1e-4).fit(X, y)
    for scale, shift in ((1.0, 1e6), (1e9, 0.0), (1e-9, 0.0)):
        other = RBFNetwork(lambda_=1e-4, sigma=scale).fit(scale * X + shift, y)
        np.testing.assert_allclose(other.predict(scale * X + shift), near.predict(X), atol=1e-6)


def pictured(algorithm, X, y, d=1):
    columns = ("x1", "x2", "value")[: d + 1]
    data = Dataset(np.column_stack((X, y)), np.zeros(len(X), dtype=int), columns)
    panel = Panel(Pipeline(algorithm), inputs=columns[:d], target=columns[-1], hidden=())
    (picture,) = draw(Scene(data, (panel,), 0, View(limits=(-4.0, 4.0, -4.0, 4.0))), [(300, 200)])
    return picture


def test_bumps_add_up_to_the_curve_and_centres_stand_on_the_offset():
    X, y = wave(60)
    picture = pictured(RBFNetwork(n_clusters=6), X, y)
    model = RBFNetwork(n_clusters=6).fit(X, y)
    marks = {mark.role: mark for mark in picture.plot.marks}
    bumps = marks["basis"].xy.reshape(-1, 2)
    bumps = bumps[np.isfinite(bumps[:, 0])].reshape(6, -1, 2)
    total = (bumps[:, :, 1] - model.intercept).sum(axis=0) + model.intercept
    np.testing.assert_allclose(total, model.predict(bumps[0, :, :1]), atol=1e-9)
    np.testing.assert_allclose(marks["basis center"].xy[:, 0], model.centers[:, 0])
    np.testing.assert_allclose(marks["basis center"].xy[:, 1], model.intercept)


def test_circles_have_the_width_as_radius_and_the_width_can_be_dragged():
    X, y = wave(60, 2)
    picture = pictured(RBFNetwork(n_clusters=6, sigma=0.8), X, y, 2)
    (circles,) = [mark for mark in picture.plot.marks if mark.role == "reach of a centre"]
    np.testing.assert_allclose(np.linalg.norm(circles.axes, axis=1), 0.8)
    (profile,) = [plot for plot in picture.sides if plot.id == "profile"]
    (handle,) = profile.handles
    assert handle.path == "algorithm.sigma" and handle.values[handle.at] == pytest.approx(0.8)
    by_rule = pictured(RBFNetwork(width="mean distance"), X, y, 2)
    assert not next(plot for plot in by_rule.sides if plot.id == "profile").handles


def test_weights_stand_as_bars():
    X, y = wave(60)
    (weights,) = [plot for plot in pictured(RBFNetwork(n_clusters=6), X, y).sides if plot.id == "weights"]
    (bars,) = [mark for mark in weights.marks if mark.role == "bar"]
    heights = [bar[np.argmax(np.abs(bar[:, 1])), 1] for bar in bars.vertices]
    np.testing.assert_allclose(heights, RBFNetwork(n_clusters=6).fit(X, y).coef)


@each(
    "basis, width, apart",
    RBFNetwork.parameter("basis").options,
    RBFNetwork.parameter("width").options,
    [2e-300, 5e-324],
)
def test_centres_as_near_as_numbers_can_be_are_drawn(basis, width, apart):
    data = Dataset([[3.0, apart], [1.0, 0.0]], [0, 0])
    method = RBFNetwork(centers="all samples", basis=basis, width=width)
    check_picture(Scene(data, (Panel(Pipeline(method), target="x1"),)), basis, may_refuse=True)
