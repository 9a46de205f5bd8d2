import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.kernel_ridge import KernelRidge as SklearnKernelRidge
from sklearn.metrics.pairwise import laplacian_kernel, polynomial_kernel, rbf_kernel

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.kernels import parameters
from mlviz.algorithms.kernels.kernel_ridge import MOST_TERMS_SHOWN, KernelRidge, kernel_terms_overlay
from mlviz.algorithms.kernels.parameters import MOST_SAMPLES
from mlviz.data.dataset import Dataset
from mlviz.draw.layer import Context
from mlviz.numerics.grid import Grid
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from tests.sweep import trials

KERNELS = ("gaussian", "linear", "polynomial", "laplacian")


def wave(n=60, d=1, seed=0, noise=0.2):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, (n, d))
    return X, np.sin(1.5 * X).sum(axis=1) + noise * rng.normal(size=n)


def gram(algorithm, A, B):
    match algorithm.kernel:
        case "linear":
            return A @ B.T
        case "polynomial":
            return polynomial_kernel(A, B, degree=algorithm.degree, gamma=1, coef0=algorithm.coef0)
        case "laplacian":
            return laplacian_kernel(A, B, gamma=1 / algorithm.sigma)
        case _:
            return rbf_kernel(A, B, gamma=1 / (2 * algorithm.sigma**2))


def direct(algorithm, X, y, weights=None):
    """Coefficients and offset by one dense solve of the bordered system, the trace of its hat matrix."""
    weights = np.ones(len(X)) if weights is None else weights
    n, D = len(X), algorithm.lambda_ * weights.sum() / weights
    matrix = np.zeros((n + 1, n + 1))
    matrix[:n, :n] = gram(algorithm, X, X) + np.diag(D)
    matrix[:n, n] = matrix[n, :n] = 1
    inverse = np.linalg.inv(matrix)
    a = inverse @ np.append(y, 0)
    return a[:n], a[n], n - D @ inverse.diagonal()[:n]


def objective(algorithm, X, y, a, b):
    K = gram(algorithm, X, X)
    return float(np.mean((y - K @ a - b) ** 2) + algorithm.lambda_ * a @ K @ a)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("d", [1, 2])
def test_it_solves_the_bordered_system(kernel, d):
    X, y = wave(60, d)
    algorithm = KernelRidge(lambda_=0.003, kernel=kernel, sigma=0.7, coef0=0.5)
    model = algorithm.fit(X, y)
    a, b, trace = direct(algorithm, X, y)
    places = np.random.default_rng(1).uniform(-4, 4, (50, d))
    expected = gram(algorithm, places, X) @ a + b
    np.testing.assert_allclose(model.predict(places), expected, atol=1e-9 * np.abs(expected).max())
    np.testing.assert_allclose(model.dual_coef, a, atol=1e-9 * np.abs(a).max())
    assert model.dual_coef.sum() == pytest.approx(0, abs=1e-9 * np.abs(a).sum())
    facts = model.facts()
    assert facts["effective parameters"] == pytest.approx(trace, rel=1e-8)
    assert facts["objective"] == pytest.approx(objective(algorithm, X, y, a, b), rel=1e-9)
    assert facts["|f|"] == pytest.approx(np.sqrt(a @ gram(algorithm, X, X) @ a), rel=1e-8)
    assert facts["residual of the equations"] < 1e-11
    if kernel != "linear":
        assert facts["offset"] == pytest.approx(b, abs=1e-8)


@pytest.mark.parametrize("kernel", KERNELS)
def test_it_is_scikit_learns_on_the_centred_kernel(kernel):
    X, y = wave(80, 2)
    algorithm = KernelRidge(lambda_=0.01, kernel=kernel, degree=2)
    H = np.eye(len(X)) - 1 / len(X)
    K = gram(algorithm, X, X)
    theirs = SklearnKernelRidge(alpha=len(X) * 0.01, kernel="precomputed").fit(H @ K @ H, H @ y)
    model = algorithm.fit(X, y)
    np.testing.assert_allclose(model.dual_coef, theirs.dual_coef_, atol=1e-9 * np.abs(model.dual_coef).max())
    np.testing.assert_allclose(model.predict(X), theirs.predict(H @ K @ H) + y.mean(), atol=1e-9)
    assert f"{len(X) * 0.01:g}" in algorithm.parameter("lambda").equivalent(algorithm, len(X))


def test_the_linear_kernel_gives_ridge_regression():
    X, y = wave(50, 3)
    X += [0, 100, 1e5]
    model = KernelRidge(lambda_=0.1, kernel="linear").fit(X, y)
    centred = X - X.mean(axis=0)
    w = np.linalg.solve(centred.T @ centred / 50 + 0.1 * np.eye(3), centred.T @ (y - y.mean()) / 50)
    np.testing.assert_allclose(model.coef, w, atol=1e-10)
    np.testing.assert_allclose(X @ model.coef + model.intercept, model.predict(X), atol=1e-9)
    assert KernelRidge().fit(X, y).coef is None


@pytest.mark.parametrize("kernel", KERNELS)
def test_whole_weights_are_repeated_rows_and_large_ones_exact(kernel):
    X, y = wave(30, 2)
    weights = np.random.default_rng(2).integers(0, 4, 30).astype(float)
    algorithm = KernelRidge(lambda_=0.02, kernel=kernel, degree=2)
    model = algorithm.fit(X, y, sample_weight=weights)
    repeated = algorithm.fit(np.repeat(X, weights.astype(int), axis=0), np.repeat(y, weights.astype(int)))
    np.testing.assert_allclose(model.predict(X), repeated.predict(X), atol=1e-9)
    for key in ("objective", "|f|", "effective parameters"):
        assert model.facts()[key] == pytest.approx(repeated.facts()[key], rel=1e-8)
    kept = weights > 0
    a, b, _ = direct(algorithm, X[kept], y[kept], weights[kept])
    np.testing.assert_allclose(model.predict(X), gram(algorithm, X, X[kept]) @ a + b, atol=1e-9)
    heavy = algorithm.fit(X, y, sample_weight=np.where(np.arange(30) == 4, 1e8, 1.0))
    assert heavy.predict(X[4:5])[0] == pytest.approx(heavy.expansion.at(X[4:5])[0], abs=1e-12)


@pytest.mark.parametrize("kernel", ["gaussian", "polynomial"])
def test_the_leave_one_out_error_is_that_of_fits_without_each_sample(kernel):
    X, y = wave(25, 2)
    n = len(X)
    errors = []
    for i in range(n):
        rest = np.arange(n) != i
        # Without one sample, the same n lambda is a larger lambda.
        model = KernelRidge(lambda_=0.01 * n / (n - 1), kernel=kernel).fit(X[rest], y[rest])
        errors.append(y[i] - model.predict(X[i : i + 1])[0])
    facts = KernelRidge(lambda_=0.01, kernel=kernel).fit(X, y).facts()
    assert facts["leave-one-out RMSE"] == pytest.approx(np.sqrt(np.mean(np.square(errors))), rel=1e-8)


def random_problem(seed):
    """Anything from two samples to sixty, on a line, in clumps, doubled, tiny or huge; a tiny or a large lambda."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2, 60)), int(rng.integers(1, 4))
    X = rng.normal(size=(n, d))
    match seed % 5:
        case 1:
            X = X[rng.integers(0, max(1, n // 3), n)]
        case 2:
            X[:, 1:] = X[:, :1] * np.arange(2, d + 1)
        case 3:
            X = np.rint(X)
    y = rng.normal(size=n) * 10 ** rng.uniform(-3, 3) + rng.choice([0, 1e3])
    kernel = KERNELS[seed % 4]
    return (
        KernelRidge(
            lambda_=10 ** rng.uniform(-8, 1),
            kernel=kernel,
            sigma=10 ** rng.uniform(-1, 1),
            degree=int(rng.integers(1, 5)),
        ),
        X,
        y,
    )


@pytest.mark.parametrize("seed", trials(200))
def test_no_dense_solve_has_a_smaller_objective(seed):
    algorithm, X, y = random_problem(seed)
    model = algorithm.fit(X, y)
    a, b, _ = direct(algorithm, X, y)
    fitted = model.predict(X)
    np.testing.assert_allclose(model.expansion.at(X), fitted, atol=1e-6 * np.ptp(y))
    theirs = objective(algorithm, X, y, a, b)
    spread = float(np.var(y)) or 1.0
    assert model.objective <= theirs + 1e-7 * spread
    found = float(np.mean((y - fitted) ** 2) + algorithm.lambda_ * model.norm**2)
    assert model.objective == pytest.approx(found, rel=1e-6, abs=1e-12 * spread)
    assert model.residual < 1e-6
    assert -1e-6 <= model.parameters - 1 <= len(X) - 1 + 1e-6


def test_real_data():
    table = load_diabetes()
    X, y = table.data * 10, table.target
    for kernel in KERNELS:
        algorithm = KernelRidge(lambda_=1e-3, kernel=kernel, sigma=2.0, degree=2)
        a, b, trace = direct(algorithm, X, y)
        model = algorithm.fit(X, y)
        np.testing.assert_allclose(model.predict(X), gram(algorithm, X, X) @ a + b, atol=1e-8 * np.abs(y).max())
        assert model.parameters == pytest.approx(trace, rel=1e-7)


def test_samples_at_one_place_are_averaged():
    model = KernelRidge(lambda_=1e-9).fit([[0.0], [0.0], [5.0]], [1.0, 2.0, 4.0])
    np.testing.assert_allclose(model.predict([[0.0], [5.0]]), [1.5, 4.0], atol=1e-6)
    assert model.residual < 1e-7


def test_with_hardly_a_penalty_the_curve_meets_all_samples_and_with_a_huge_one_none():
    X, y = wave(12)
    assert np.abs(KernelRidge(lambda_=1e-12, sigma=0.3).fit(X, y).predict(X) - y).max() < 1e-5
    flat = KernelRidge(lambda_=1e9).fit(X, y)
    np.testing.assert_allclose(flat.predict(X), y.mean(), atol=1e-6)
    assert flat.parameters == pytest.approx(1, abs=1e-6)


def test_places_far_from_the_origin_lose_nothing():
    X, y = wave(40, 2)
    for kernel in ("gaussian", "laplacian", "linear"):
        near, far = (KernelRidge(lambda_=1e-4, kernel=kernel).fit(X + shift, y) for shift in (0, 1e6))
        np.testing.assert_allclose(far.predict(X + 1e6), near.predict(X), atol=1e-6)


def test_it_refuses_in_a_sentence():
    X, y = wave(30, 3)
    with pytest.raises(CannotFit, match="no samples"):
        KernelRidge().fit(np.empty((0, 2)), [])
    with pytest.raises(CannotFit, match="standardize"):
        KernelRidge(kernel="polynomial", degree=9).fit(X * 1e30, y)
    with pytest.raises(CannotFit, match="raise it"):
        KernelRidge(lambda_=1e-12, kernel="polynomial", degree=9).fit(100 * np.ones((30, 10)), y)


EDITS = ({}, {"kernel": "laplacian"}, {"lambda_": 1e-6}, {"kernel": "polynomial"}, {"kernel": "linear"})


@pytest.mark.parametrize("settings", EDITS, ids=str)
def test_following_edits_gives_what_a_fit_gives(settings):
    rng = np.random.default_rng(3)
    X, y = wave(40, 2)
    algorithm = KernelRidge(**settings)
    follower = algorithm.follower()
    places = rng.uniform(-4, 4, (30, 2))
    row = 0
    for _ in trials(120):
        X, y = X.copy(), y.copy()
        match rng.integers(10):
            case 0:
                row = rng.integers(len(X))
            case 1:
                X, y = np.insert(X, row, rng.normal(size=2), axis=0), np.insert(y, row, rng.normal())
            case 2 if len(X) > 20:
                X, y = np.delete(X, row, axis=0), np.delete(y, row)
                row = rng.integers(len(X))
            case 3:
                y[rng.integers(len(X))] += rng.normal()
            case 4:
                several = rng.choice(len(X), int(rng.integers(2, 12)), replace=False)
                X[several] += 0.1
            case 5:
                algorithm = algorithm.replace(lambda_=float(np.clip(algorithm.lambda_ * rng.choice([0.5, 2]), 1e-6, 1)))
            case 6:
                algorithm = algorithm.replace(sigma=float(rng.uniform(0.3, 3)))
        X[row] += rng.normal(scale=0.2, size=2)
        draft, exact = follower.update(algorithm, X, y, None, np.inf), algorithm.fit(X, y)
        np.testing.assert_allclose(draft.predict(places), exact.predict(places), atol=1e-7 * max(1, np.abs(y).max()))
        for key, value in exact.facts().items():
            if key != "residual of the equations" and isinstance(value, float):
                assert draft.facts()[key] == pytest.approx(value, rel=1e-4, abs=1e-7), key


def test_a_follower_survives_a_refusal():
    X, y = wave(20, 2)
    follower = KernelRidge().follower()
    follower.update(KernelRidge(), X, y, None, np.inf)
    with pytest.raises(CannotFit):
        follower.update(KernelRidge(), X[:0], y[:0], None, np.inf)
    again = follower.update(KernelRidge(), X, y, None, np.inf)
    np.testing.assert_allclose(again.predict(X), KernelRidge().fit(X, y).predict(X), atol=1e-12)


@pytest.fixture
def many(monkeypatch):
    """How many samples are more than the equations are solved for: fewer here, so that a dense solve takes no time."""
    monkeypatch.setattr(parameters, "MOST_SAMPLES", 500)
    return 600


@pytest.mark.parametrize("d", [1, 2])
def test_very_many_samples_are_met_by_few_centres_nearly_as_by_all(d, many):
    X, y = wave(many, d)
    algorithm = KernelRidge(lambda_=1e-3)
    model = algorithm.fit(X, y)
    a, b, trace = direct(algorithm, X, y)
    places = np.random.default_rng(5).uniform(-3, 3, (200, d))
    expected = gram(algorithm, places, X) @ a + b
    assert np.abs(model.predict(places) - expected).max() < 2e-3 * np.ptp(expected)
    facts = model.facts()
    assert facts["effective parameters"] == pytest.approx(trace, rel=2e-2)
    assert facts["objective"] == pytest.approx(objective(algorithm, X, y, a, b), rel=1e-4)
    squared = np.mean((y - model.predict(X)) ** 2) + 1e-3 * model.norm**2
    assert model.objective == pytest.approx(squared, rel=1e-8)
    assert "as centres" in model.caveat and f"{many} samples" in model.caveat
    order = np.random.default_rng(1).permutation(len(X))
    np.testing.assert_allclose(algorithm.fit(X[order], y[order]).predict(places), model.predict(places), atol=1e-8)


def test_very_many_samples_are_exact_where_the_kernel_has_few_features(many):
    X, y = wave(many, 2)
    algorithm = KernelRidge(kernel="polynomial", degree=4)
    model = algorithm.fit(X, y)
    a, b, _ = direct(algorithm, X, y)
    np.testing.assert_allclose(model.predict(X), gram(algorithm, X, X) @ a + b, atol=1e-6)
    assert not model.caveat and model.facts()["unknowns"] == "15, one for each feature"


def test_many_samples_are_followed_too(many):
    X, y = wave(many, 2)
    follower = KernelRidge().follower()
    follower.update(KernelRidge(), X, y, None, np.inf)
    for step in range(5):
        X, y = X.copy(), y.copy()
        X[7] += 0.3
        y[9 + step] = 30
        draft = follower.update(KernelRidge(), X, y, None, np.inf)
    fit = KernelRidge().fit(X, y)
    assert np.abs(draft.predict(X) - fit.predict(X)).max() < 2e-3 * np.ptp(fit.predict(X))
    assert draft.objective == pytest.approx(fit.objective, rel=1e-4)
    lifted = follower.update(KernelRidge(), X, y + 5, None, np.inf)
    np.testing.assert_allclose(lifted.predict(X), draft.predict(X) + 5, atol=2e-3)


def test_the_field_is_exact_enough_in_single_precision():
    X, y = wave(200, 2)
    grid = Grid.over((-4, 4, -4, 4), 60, 50)
    for lambda_ in (1e-2, 1e-6, 1e-10):
        model = KernelRidge(lambda_=lambda_).fit(X, y)
        exact = model.predict(grid.points()).reshape(50, 60)
        assert np.abs(model.on_grid(grid, np.float32) - exact).max() < 1e-3 * np.ptp(exact)
        np.testing.assert_allclose(model.on_grid(grid), exact, atol=1e-6 * np.abs(exact).max())


def context(X, y, algorithm):
    line = np.linspace(-4, 4, 81)
    return Context(X, y, np.arange(len(X)), algorithm, "regression", line=line)


def test_the_bumps_add_up_to_the_curve():
    X, y = wave(30)
    for kernel in ("gaussian", "laplacian"):
        algorithm = KernelRidge(kernel=kernel)
        model = algorithm.fit(X, y)
        (mark,) = kernel_terms_overlay.draw(model, context(X, y, algorithm))
        curves = np.split(mark.xy, np.flatnonzero(np.isnan(mark.xy[:, 0])))
        assert len(curves) == 30 and mark.label == "bumps"
        heights = np.array([curve[-300:, 1] for curve in curves])
        total = model.expansion.offset + (heights - model.expansion.offset).sum(axis=0)
        np.testing.assert_allclose(total, model.predict(curves[0][:, :1]), atol=1e-8)
    X, y = wave(300)
    (mark,) = kernel_terms_overlay.draw(KernelRidge().fit(X, y), context(X, y, KernelRidge()))
    assert np.isnan(mark.xy).any(axis=1).sum() == MOST_TERMS_SHOWN - 1 and str(MOST_TERMS_SHOWN) in mark.label


def test_a_prediction_is_explained_by_its_terms():
    told = KernelRidge(lambda_=1e-9, sigma=0.1).fit([[-1.0], [1.0]], [3.0, 1.0]).explain(np.array([-1.0]))
    assert told.sentence == "prediction 3 = offset 2 + 1 from the samples; the largest part, 1, from the one at -1."
    np.testing.assert_allclose(told.marks[0].xy, [[-1, 3]], atol=1e-6)
    told = KernelRidge(kernel="linear").fit([[-1.0, 0.0], [1.0, 0.0]], [1.0, -1.0]).explain(np.array([1.0, 0.0]))
    assert told.sentence == "prediction -0.9901 = offset 0 - 0.9901 from the samples." and told.marks == ()


def test_the_caption_says_that_centres_stand_for_all():
    X, y = wave(MOST_SAMPLES + 1)
    scene = Scene(
        Dataset(np.column_stack((X, y)), np.zeros(len(X), dtype=int)), (Panel(Pipeline(KernelRidge()), target="x2"),)
    )
    (picture,) = draw(scene, [(300, 200)])
    assert "of 3,001 samples as centres" in picture.caption
    assert picture.facts["training RMSE"].value == pytest.approx(0.2, abs=0.05)


def test_the_offset_of_the_explanation_is_that_of_the_facts():
    x = np.linspace(10, 20, 30)[:, None]
    model = KernelRidge(lambda_=1e-9, kernel="linear").fit(x, 3 * x[:, 0] + 5)
    told = model.explain(np.array([12.0])).sentence
    assert model.facts()["offset"] == pytest.approx(5, abs=1e-3)
    assert told.startswith("prediction 41 = offset 5 + 36 from the samples")
    model = KernelRidge(lambda_=0.01, kernel="gaussian").fit(x, 3 * x[:, 0] + 5)
    assert f"offset {model.facts()['offset']:.4g} " in model.explain(np.array([12.0])).sentence


@pytest.mark.parametrize(("worn", "kept"), [(1e-12, True), (1e-5, False)])
def test_a_follower_with_a_worn_inverse_starts_anew(worn, kept):
    X, y = wave()
    follower, algorithm = KernelRidge().follower(), KernelRidge()
    for step in (0.0, 0.1):
        X[3] += step
        follower.update(algorithm, X.copy(), y, None, np.inf)
    equations = follower._kept[1]
    equations._inverse *= 1 + worn
    X[3] += 0.1
    model = follower.update(algorithm, X.copy(), y, None, np.inf)
    assert (follower._kept[1] is equations) == kept
    np.testing.assert_allclose(model.predict(X), algorithm.fit(X, y).predict(X), atol=1e-8)
