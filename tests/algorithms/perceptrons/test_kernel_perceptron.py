import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import Perceptron as Oracle

from mlviz.algorithms import CannotFit
from mlviz.algorithms.perceptrons.kernel_perceptron import MOST_SAMPLES, KernelPerceptron
from mlviz.algorithms.perceptrons.perceptron import Perceptron
from mlviz.draw.layer import Context
from mlviz.draw.overlays import online
from mlviz.numerics.grid import Grid
from tests.sweep import each, trials

GRID = Grid.over((-4, 4, -4, 4), 33, 31)
KERNELS = (
    {"kernel": "gaussian", "sigma": 0.7},
    {"kernel": "laplacian", "sigma": 1.5},
    {"kernel": "polynomial", "degree": 2},
    {"kernel": "linear"},
)


def moons(rng, n, noise=0.3):
    y = np.arange(n) % 2
    angle = rng.uniform(0, np.pi, n)
    X = np.column_stack((np.cos(angle) + y - 0.5, np.where(y, -1, 1) * np.sin(angle) + 0.3 * y))
    return X + noise * rng.normal(size=X.shape), y


def by_hand(K, y, epochs, orders=None):
    """The mistakes on each sample, by the definition."""
    signs, alpha = np.where(y, 1, -1), np.zeros(len(y), dtype=int)
    for epoch in range(epochs):
        before = alpha.sum()
        for i in range(len(y)) if orders is None else orders[epoch]:
            if signs[i] * ((alpha * signs) @ (K[i] + 1)) <= 0:
                alpha[i] += 1
        if alpha.sum() == before:
            break
    return alpha


@pytest.mark.parametrize("values", KERNELS, ids=lambda v: v["kernel"])
def test_counts_mistakes_as_the_definition_does_on_random_problems(values):
    rng = np.random.default_rng(0)
    for _ in trials(50):
        X, y = moons(rng, int(rng.integers(2, 40)))
        algorithm = KernelPerceptron(order="given order", max_iter=int(rng.integers(1, 15)), **values)
        model = algorithm.fit(X, y)
        K = algorithm.kernel_function().matrix(X, X)
        alpha = by_hand(K, y, algorithm.max_iter)
        np.testing.assert_array_equal(model.counts, alpha)
        signed = alpha * np.where(y, 1, -1)
        np.testing.assert_allclose(model.decision_function(X), (K + 1) @ signed, atol=1e-9)
        assert model.expansion.offset == signed.sum() and model.facts()["mistakes"] == alpha.sum()


def test_random_order_follows_the_seed():
    X, y = moons(np.random.default_rng(1), 40)
    algorithm = KernelPerceptron(max_iter=6, sigma=0.5)
    rng = np.random.default_rng(5)
    alpha = by_hand(algorithm.kernel_function().matrix(X, X), y, 6, [rng.permutation(40) for _ in range(6)])
    np.testing.assert_array_equal(algorithm.fit(X, y, seed=5).counts, alpha)


@each("load, values", [load_iris, load_breast_cancer], KERNELS[:2])
def test_is_scikit_learns_perceptron_in_the_kernels_features_on_real_data(load, values):
    X, y = load(return_X_y=True)
    X, y = (X - X.mean(axis=0)) / X.std(axis=0), np.minimum(y, 1)
    X, y = np.unique(np.column_stack((X, y)), axis=0)[:, :-1], np.unique(np.column_stack((X, y)), axis=0)[:, -1] > 0
    algorithm = KernelPerceptron(order="given order", max_iter=20, **(values | {"sigma": 3.0}))
    model = algorithm.fit(X, y)
    power, basis = np.linalg.eigh(algorithm.kernel_function().matrix(X, X))
    features = basis * np.sqrt(np.maximum(power, 0))
    oracle = Oracle(eta0=1.0, shuffle=False, max_iter=20, tol=None).fit(features, y)
    np.testing.assert_allclose(model.decision_function(X), oracle.decision_function(features), atol=1e-6)


def test_with_the_linear_kernel_it_is_the_perceptron():
    rng = np.random.default_rng(2)
    for seed in trials(40):
        X, y = moons(rng, 30, 0.5)
        dual = KernelPerceptron(kernel="linear", max_iter=9).fit(X, y, seed=seed)
        primal = Perceptron(learning_rate=1.0, max_iter=9).fit(X, y, seed=seed)
        np.testing.assert_array_equal(dual.counts, primal.counts)
        np.testing.assert_allclose(dual.decision_function(X), primal.decision_function(X), atol=1e-9)


def test_a_narrow_gaussian_separates_whatever_differs():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(60, 2)), rng.integers(0, 2, 60)
    model = KernelPerceptron(sigma=0.05).fit(X, y)
    assert (model.predict(X) == y).all() and not model.caveat


def test_far_from_all_samples_nobody_has_a_say():
    X = np.array([[-1.0, 0.0], [1.0, 0.0]])
    model = KernelPerceptron(sigma=0.05, order="given order").fit(X, [0, 1])
    far = np.array([[90.0, 0.0], [3.0, 3.0]])
    assert (model.decision_function(far) == model.expansion.offset).all()


def test_what_never_ends_is_stopped_and_told():
    X, y = np.tile([[0.0, 1.0]], (6, 1)), np.arange(6) % 2
    model = KernelPerceptron(max_iter=3).fit(X, y)
    assert model.caveat == "stopped after 3 epochs, with mistakes to the last"


def test_too_many_samples_are_thinned_and_told():
    X, y = moons(np.random.default_rng(4), MOST_SAMPLES + 500)
    model = KernelPerceptron(max_iter=2).fit(X, y)
    assert "3,000 of 3,500 samples, drawn at random" in model.caveat
    assert np.mean(model.predict(X) == y) > 0.8
    again = KernelPerceptron(max_iter=2).fit(X, y)
    np.testing.assert_array_equal(model.counts, again.counts)


def test_the_picture_and_why():
    X, y = moons(np.random.default_rng(5), 40)
    algorithm = KernelPerceptron()
    models = list(algorithm.steps(X, y, np.random.default_rng(0)))
    here = Context(X, y, np.arange(40), algorithm, "classification", grid=GRID)
    mistake = next(m for m in models if m.visit and m.visit.mistake and online.former_boundary.draw(m, here))
    (line,) = online.former_boundary.draw(mistake, here)
    before = mistake.counts.copy()
    before[mistake.visit.row] -= 1
    on_line = line.xy[np.isfinite(line.xy[:, 0])]
    f = (algorithm.kernel_function().matrix(on_line, X) + 1) @ (before * np.where(y, 1, -1))
    assert np.abs(f).max() < 0.1 < np.abs(mistake.decision_function(on_line)).max()
    (rings,) = online.mistaken.draw(models[-1], here)
    np.testing.assert_array_equal(np.argsort(rings.size), np.argsort(models[-1].counts[rings.rows]))
    told = models[-1].explain(np.array([0.2, 0.1]))
    assert f"a sum over {len(models[-1].support)} samples with mistakes" in told.sentence
    parts = models[-1].dual_coef * (
        algorithm.kernel_function().matrix(np.array([[0.2, 0.1]]), X[models[-1].support])[0] + 1
    )
    assert f"{parts[np.argmax(np.abs(parts))]:+.3g}" in told.sentence
    ends = told.marks[0].end
    assert len(ends) == 3 and all((end == X).all(axis=1).any() for end in ends)
    assert "nothing is learned" in models[0].explain(np.array([0.0, 0.0])).sentence


def test_values_too_large_are_refused():
    with pytest.raises(CannotFit, match="standardize"):
        KernelPerceptron(kernel="polynomial", degree=9).fit(1e40 * np.eye(2), [0, 1])
