import json

import numpy as np
import pytest

from mlviz.data.generators.catalog import (
    Blobs,
    Checkerboard,
    Circles,
    ClassGenerator,
    Generator,
    HillRegression,
    LinearRegression,
    Moons,
    PolynomialRegression,
    RegressionGenerator,
    RippleRegression,
    SaddleRegression,
    SineRegression,
    Spirals,
    StepRegression,
    TrendRegression,
    TwoGaussians,
    UniformNoise,
    Xor,
    generators,
)
from mlviz.spec import BadValue

ALL = pytest.mark.parametrize("kind", generators().values(), ids=list(generators()))
CLASSES = [kind for kind in generators().values() if issubclass(kind, ClassGenerator)]
VALUES = [kind for kind in generators().values() if issubclass(kind, RegressionGenerator)]
OF_CLASSES = pytest.mark.parametrize("kind", CLASSES, ids=[kind.id for kind in CLASSES])
OF_VALUES = pytest.mark.parametrize("kind", VALUES, ids=[kind.id for kind in VALUES])


def test_every_generator_of_the_catalogue_is_there() -> None:
    assert list(generators()) == [
        "blobs", "two-gaussians", "moons", "circles", "spirals", "xor", "checkerboard", "noise",
        "linear", "sine", "step", "polynomial", "periodic-plus-trend", "hill", "saddle", "ripple",
    ]  # fmt: skip


@ALL
def test_same_seed_same_samples(kind: type[Generator]) -> None:
    first, again, other = kind().generate(4), kind().generate(4), kind().generate(5)
    np.testing.assert_array_equal(first.X, again.X)
    np.testing.assert_array_equal(first.labels, again.labels)
    assert not np.array_equal(first.X, other.X)


@ALL
def test_source_answers_for_its_samples(kind: type[Generator]) -> None:
    data = kind(n_samples=30, outliers=0.1).generate(7)
    assert isinstance(data.source, kind) and data.source.seed == 7
    np.testing.assert_array_equal(data.source.generate(data.source.seed).X, data.X)


@ALL
def test_parameters_survive_json_and_their_ends_draw(kind: type[Generator]) -> None:
    assert (kind.__doc__ or "").strip()
    assert kind.from_json(json.loads(json.dumps(kind(outliers=0.2).to_json()))) == kind(outliers=0.2)
    for parameter in kind.parameters():
        assert parameter.help and parameter.label
        for value in (*parameter.soft, *(v for v in parameter.valid if v is not None and not parameter.open_low)):
            if parameter.kind == "integer":
                value = int(value)
            data = kind().replace(**{parameter.name: value}).generate(0)
            assert len(data) == data.source.n_samples
            assert np.isfinite(data.X).all()


@ALL
def test_samples_lie_in_the_view(kind: type[Generator]) -> None:
    data = kind(n_samples=1000, outliers=0.1).generate(0)
    assert (np.abs(data.X) < 4).mean() > 0.97
    assert np.ptp(data.X[:, 0]) > 4
    assert np.ptp(data.X[:, 1]) > 3


@ALL
def test_one_sample_and_a_hundred_thousand(kind: type[Generator]) -> None:
    assert len(kind(n_samples=1, outliers=1.0).generate(0)) == 1
    assert len(kind(n_samples=100_000, outliers=0.1).generate(0)) == 100_000


@ALL
def test_outliers_leave_all_other_samples_where_they_were(kind: type[Generator]) -> None:
    clean, some, more = (kind(n_samples=200, outliers=share).generate(3) for share in (0.0, 0.05, 0.1))
    np.testing.assert_array_equal(clean.labels, more.labels)
    thrown = [(data.X != clean.X).any(axis=1) for data in (some, more)]
    assert [mask.sum() for mask in thrown] == [10, 20]
    assert thrown[1][thrown[0]].all()
    np.testing.assert_array_equal(some.X[thrown[0]], more.X[thrown[0]])


@OF_CLASSES
def test_outliers_of_classes_lie_on_the_rim_of_the_view(kind: type[ClassGenerator]) -> None:
    data = kind(n_samples=400, outliers=1.0).generate(1)
    distance = np.abs(data.X).max(axis=1)
    assert distance.min() >= 3.3 and distance.max() <= 3.9
    assert (np.bincount((data.X[:, 0] > 0) + 2 * (data.X[:, 1] > 0)) > 60).all()


@OF_VALUES
def test_outliers_of_values_lie_across_the_axis(kind: type[RegressionGenerator]) -> None:
    data = kind(n_samples=400, outliers=1.0).generate(1)
    truth, target = data.source.true_values(data.X[:, :-1]), data.X[:, data.source.target]
    assert (np.abs(target - truth) >= 3).all()
    assert np.abs(target).max() <= 3.9


@OF_CLASSES
def test_imbalance_is_the_ratio_of_first_to_last(kind: type[ClassGenerator]) -> None:
    counts = np.bincount(kind(n_samples=440, imbalance=10.0).generate(0).labels)
    assert counts[0] / counts[-1] == pytest.approx(10, rel=0.02)


@OF_CLASSES
def test_label_noise_gives_exactly_its_share_another_class(kind: type[ClassGenerator]) -> None:
    clean, some, more = (kind(n_samples=200, label_noise=share).generate(3) for share in (0.0, 0.1, 0.3))
    np.testing.assert_array_equal(clean.X, more.X)
    wrong = [data.labels != clean.labels for data in (some, more)]
    assert [mask.sum() for mask in wrong] == [20, 60]
    assert wrong[1][wrong[0]].all()
    assert set(more.labels.tolist()) == set(clean.labels.tolist())


def test_label_noise_chooses_evenly_among_the_other_classes() -> None:
    clean, noisy = (Blobs(n_samples=6000, label_noise=share).generate(0) for share in (0.0, 1.0))
    step = np.bincount((noisy.labels - clean.labels) % 3, minlength=3)
    assert step[0] == 0 and abs(step[1] - step[2]) < 300


def test_label_noise_of_a_single_class_changes_nothing() -> None:
    assert not Blobs(centers=1, label_noise=0.5).generate(0).labels.any()


@pytest.mark.parametrize("single", [Blobs(centers=1), UniformNoise(classes=1), Spirals(arms=1)])
def test_samples_of_a_single_class_are_for_clustering(single: ClassGenerator) -> None:
    assert single.purpose == "clustering" and type(single)().purpose == "classification"
    assert LinearRegression().purpose == "regression"


@OF_VALUES
def test_regression_function_is_the_mean_of_the_target(kind: type[RegressionGenerator]) -> None:
    data = kind(n_samples=4000, noise=0.5).generate(0)
    residual = data.X[:, -1] - data.source.true_values(data.X[:, :-1])
    assert abs(residual.mean()) < 0.03
    assert residual.std() == pytest.approx(0.5, rel=0.05)
    assert not data.labels.any()
    exact = kind(noise=0.0).generate(0)
    np.testing.assert_array_equal(exact.X[:, -1], exact.source.true_values(exact.X[:, :-1]))
    inputs, target = exact.columns[:-1], exact.columns[-1]
    assert exact.source.arrow == f"{inputs[0] if len(inputs) == 1 else '(x1, x2)'} → {target}"


def test_regression_functions_by_hand() -> None:
    x = np.array([-3.5, -1.0, 0.0, 1.75, 3.5])
    for generator, expected in (
        (LinearRegression(slope=2.0, intercept=1.0), 2 * x + 1),
        (SineRegression(amplitude=2.0, period=7.0), 2 * np.sin(2 * np.pi * x / 7)),
        (StepRegression(amplitude=2.0), np.array([-2.0, -2, 2, 2, 2])),
        (StepRegression(amplitude=3.0, steps=3), np.array([-3.0, -1, 1, 3, 3])),
        (PolynomialRegression(amplitude=2.0), 2 * (4 * (x / 3.5) ** 3 - 3 * x / 3.5)),
        (PolynomialRegression(amplitude=2.0, degree=0), np.full(5, 2.0)),
        (TrendRegression(slope=1.0, amplitude=2.0, period=4.0), x + 2 * np.sin(np.pi * x / 2)),
    ):
        np.testing.assert_allclose(generator.regression_function(x), expected, atol=1e-12)


def test_true_values_over_the_plane_by_hand() -> None:
    X = np.array([[0.0, 0.0], [1.3, 1.0], [-1.3, -1.0], [3.5, 3.5], [3.5, -1.75]])
    apart = np.exp(-(2.6**2 + 2.0**2) / 2)
    hill = HillRegression(amplitude=3.0, width=1.0).true_values(X[:3])
    np.testing.assert_allclose(hill, 3 * np.array([0.0, 1 - apart, apart - 1]), atol=1e-12)
    np.testing.assert_allclose(SaddleRegression(amplitude=2.0).true_values(X[[0, 3, 4]]), [0, 2, -1], atol=1e-12)
    ring = np.array([[0.0, 0.0], [1.2, 1.6], [0.0, -4.0], [3.0, 0.0]])
    np.testing.assert_allclose(RippleRegression(amplitude=2.0).true_values(ring), [2, -2, 2, 0], atol=1e-12)


@pytest.mark.parametrize(
    "generator",
    [Blobs(n_samples=3000), TwoGaussians(n_samples=3000, sigma=0.3, sigma_2=1.2)],
    ids=["blobs", "two"],
)
def test_means_and_deviations_are_those_of_the_classes(generator: Blobs | TwoGaussians) -> None:
    data = generator.generate(2)
    source = data.source
    found = [data.X[data.labels == c] for c in np.unique(data.labels)]
    np.testing.assert_allclose([x.mean(axis=0) for x in found], source.means(), atol=0.1)
    sigmas = (0.6, 0.6, 0.6) if isinstance(generator, Blobs) else (0.3, 1.2)
    np.testing.assert_allclose([x.std() for x in (x - x.mean(axis=0) for x in found)], sigmas, rtol=0.05)


def test_a_sigma_alone_is_that_of_both_gaussians() -> None:
    assert TwoGaussians.from_json({"sigma": 0.3}) == TwoGaussians(sigma=0.3, sigma_2=0.3)
    assert TwoGaussians.from_json({"sigma_2": 0.3}) == TwoGaussians(sigma_2=0.3)
    with pytest.raises(BadValue, match=r"^sigma is"):
        TwoGaussians.from_json({"sigma": "wide"})


def test_shapes_without_noise() -> None:
    moons = Moons(noise=0.0).generate(0)
    for code, side in ((0, 1), (1, -1)):
        arc = side * moons.X[moons.labels == code] + (1, 0.5)
        np.testing.assert_allclose(np.hypot(*arc.T), 2)
    circles = Circles(noise=0.0, factor=0.5).generate(0)
    np.testing.assert_allclose(np.hypot(*circles.X.T), np.where(circles.labels == 0, 3, 1.5))
    clouds = Blobs(cluster_std=0.0).generate(0)
    np.testing.assert_array_equal(clouds.X, clouds.source.means()[clouds.labels])


def test_spirals_without_noise_lie_on_their_arms() -> None:
    data = Spirals(noise=0.0, arms=3, n_samples=300).generate(0)
    t = np.hypot(*data.X.T) / 3.5
    assert t.min() >= 0.1 - 1e-9 and t.max() <= 1
    for arm in range(3):
        own = data.labels == arm
        assert own.sum() == 100
        np.testing.assert_allclose(data.source.middle(arm, t[own]), data.X[own], atol=1e-12)


def test_xor_is_the_sign_of_the_product() -> None:
    data = Xor(cluster_std=0.1).generate(0)
    np.testing.assert_array_equal(data.labels == 0, data.X.prod(axis=1) > 0)


@pytest.mark.parametrize("cells", [2, 3, 4, 7])
def test_checkerboard_alternates_and_fills_every_cell(cells: int) -> None:
    data = Checkerboard(cells=cells, n_samples=3000).generate(0)
    cell = np.floor((data.X / 7.2 + 0.5) * cells).astype(int)
    np.testing.assert_array_equal(cell.sum(axis=1) % 2, data.labels)
    assert len(np.unique(cell, axis=0)) == cells**2


def test_classes_of_uniform_noise_say_nothing_about_the_place() -> None:
    data = UniformNoise(n_samples=8000, classes=4).generate(0)
    for code in range(4):
        own = data.X[data.labels == code]
        np.testing.assert_allclose(own.mean(axis=0), 0, atol=0.15)
        np.testing.assert_allclose(own.std(axis=0), 3.6 / np.sqrt(3), rtol=0.05)
