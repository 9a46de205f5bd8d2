import numpy as np
import pytest

from mlviz.data.generators import (
    Blobs,
    ClassGenerator,
    Generator,
    LinearRegression,
    RegressionGenerator,
    SineRegression,
    TwoGaussians,
    Xor,
    generators,
)

ALL = pytest.mark.parametrize("kind", generators().values(), ids=list(generators()))


@ALL
def test_same_seed_same_samples(kind: type[Generator]) -> None:
    first, again, other = kind().generate(4), kind().generate(4), kind().generate(5)
    np.testing.assert_array_equal(first.X, again.X)
    np.testing.assert_array_equal(first.labels, again.labels)
    assert not np.array_equal(first.X, other.X)


@ALL
def test_source_answers_for_its_samples(kind: type[Generator]) -> None:
    data = kind(n_samples=30).generate(7)
    assert isinstance(data.source, kind) and data.source.seed == 7
    np.testing.assert_array_equal(data.source.generate(data.source.seed).X, data.X)


@ALL
def test_parameters_survive_json_and_their_ends_draw(kind: type[Generator]) -> None:
    assert (kind.__doc__ or "").strip()
    assert kind.from_json(kind().to_json()) == kind()
    for parameter in kind.parameters():
        for value in (*parameter.soft, *(v for v in parameter.valid if v is not None and not parameter.open_low)):
            if parameter.kind == "integer":
                value = int(value)
            data = kind(**{parameter.name: value}).generate(0)
            assert len(data) == data.source.n_samples
            assert np.isfinite(data.X).all()


@ALL
def test_samples_lie_in_the_view(kind: type[Generator]) -> None:
    data = kind(n_samples=1000).generate(0)
    assert (np.abs(data.X) < 4).mean() > 0.97
    assert np.ptp(data.X[:, 0]) > 4


@pytest.mark.parametrize("kind", [k for k in generators().values() if issubclass(k, ClassGenerator)])
def test_imbalance_is_the_ratio_of_first_to_last(kind: type[ClassGenerator]) -> None:
    counts = np.bincount(kind(n_samples=440, imbalance=10.0).generate(0).labels)
    assert counts[0] / counts[-1] == pytest.approx(10, rel=0.02)
    assert len(kind(n_samples=1).generate(0)) == 1


@pytest.mark.parametrize("kind", [LinearRegression, SineRegression])
def test_regression_function_is_the_mean_of_the_target(kind: type[RegressionGenerator]) -> None:
    data = kind(n_samples=4000, noise=0.5).generate(0)
    residual = data.X[:, 1] - data.source.regression_function(data.X[:, 0])
    assert abs(residual.mean()) < 0.03
    assert residual.std() == pytest.approx(0.5, rel=0.05)
    assert not data.labels.any()


@pytest.mark.parametrize("generator", [Blobs(n_samples=3000), TwoGaussians(n_samples=3000)], ids=["blobs", "two"])
def test_means_are_those_of_the_classes(generator: Blobs | TwoGaussians) -> None:
    data = generator.generate(2)
    source = data.source
    found = [data.X[data.labels == c].mean(axis=0) for c in np.unique(data.labels)]
    np.testing.assert_allclose(found, source.means(), atol=0.1)


def test_xor_is_the_sign_of_the_product() -> None:
    data = Xor(cluster_std=0.1).generate(0)
    np.testing.assert_array_equal(data.labels == 0, data.X.prod(axis=1) > 0)
