import itertools

import numpy as np
import pytest
from scipy.optimize import linprog, minimize
from sklearn.datasets import load_diabetes
from sklearn.linear_model import HuberRegressor, QuantileRegressor

from mlviz.algorithms.linear.linear_regression import LinearRegression
from mlviz.algorithms.regression.lp_regression import LpRegression
from mlviz.data.dataset import Dataset
from mlviz.draw.marks import Lines, Points
from mlviz.numerics.residuals import concave_powers
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from tests.sweep import each, share, trials


def wave(n=40, d=1, seed=0, noise=0.3):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, (n, d))
    return X, np.sin(X).sum(axis=1) + noise * rng.standard_t(2, n)


def objective(algorithm, X, y, w, b, weights=None):
    r = np.abs(y - X @ w - b)
    if algorithm.loss == "power":
        losses = r**algorithm.power
    else:
        losses = np.where(r <= algorithm.delta, r**2, 2 * algorithm.delta * r - algorithm.delta**2)
    ridge = algorithm.lambda_ * w @ w if algorithm.penalty == "L2" else 0.0
    return np.average(losses, weights=weights) + ridge


def picture(X, y, step=None, **settings):
    data = Dataset(np.column_stack((X, y)), np.zeros(len(X), dtype=int), ("x1", "x2"))
    scene = Scene(data, (Panel(Pipeline(LpRegression(**settings)), inputs=("x1",), target="x2", hidden=()),))
    (drawn,) = draw(scene.with_view(step=step), [(400, 300)])
    return drawn


def absolute(X, y):
    """The smallest mean of absolute residuals, by SciPy's linear program."""
    n, d = X.shape
    A = np.column_stack((np.ones(n), X, np.eye(n), -np.eye(n)))
    cost = np.concatenate((np.zeros(d + 1), np.full(2 * n, 1 / n)))
    return linprog(cost, A_eq=A, b_eq=y, bounds=[(None, None)] * (d + 1) + [(0, None)] * (2 * n)).fun


@pytest.mark.parametrize("seed", trials(6))
@pytest.mark.parametrize(("n", "d"), [(3, 1), (12, 1), (50, 2), (200, 5)])
def test_absolute_residuals_are_those_of_the_linear_program(n, d, seed):
    X, y = wave(n, d, seed)
    model = LpRegression().fit(X, y)
    assert objective(LpRegression(), X, y, model.coef, model.intercept) == pytest.approx(absolute(X, y), rel=1e-11)
    assert model.facts()["objective"] == pytest.approx(absolute(X, y), rel=1e-11)
    assert model.facts()["samples on the curve"] >= d + 1
    assert model.facts()["duality gap"] < 1e-11
    median = QuantileRegressor(quantile=0.5, alpha=0).fit(X, y)
    np.testing.assert_allclose(model.predict(X), median.predict(X), atol=1e-7)


def test_absolute_residuals_of_samples_on_a_lattice_are_least_too():
    rng = np.random.default_rng(3)
    for _ in trials(20):
        X, y = rng.integers(0, 5, (30, 1)) * 1.0, rng.integers(0, 3, 30) * 1.0
        model = LpRegression().fit(X, y)
        assert model.objective == pytest.approx(absolute(X, y), rel=1e-11)
        assert model.gap < 1e-11


@pytest.mark.parametrize("epsilon", [1.01, 1.35, 3.0])
def test_huber_is_scikit_learns_at_the_scale_that_it_finds(epsilon):
    X, y = load_diabetes(return_X_y=True)
    X = X / X.std(axis=0)
    theirs = HuberRegressor(epsilon=epsilon, alpha=0.0, tol=1e-10, max_iter=10_000).fit(X, y)
    # Theirs divides residuals by a scale that is learned, too: r^2 up to epsilon times the scale.
    model = LpRegression(loss="Huber", delta=float(epsilon * theirs.scale_)).fit(X, y)
    np.testing.assert_allclose(model.coef, theirs.coef_, atol=2e-3 * np.abs(theirs.coef_).max())
    ours = objective(
        LpRegression(loss="Huber", delta=float(epsilon * theirs.scale_)), X, y, model.coef, model.intercept
    )
    other = LpRegression(loss="Huber", delta=float(epsilon * theirs.scale_))
    assert ours <= objective(other, X, y, theirs.coef_, theirs.intercept_) * (1 + 1e-12)
    assert model.facts()["duality gap"] < 1e-11
    assert model.facts()["gradient norm"] < 1e-8


@each(
    "penalty, settings",
    ["none", "L2"],
    [
        *({"power": p} for p in (1.05, 1.1, 1.3, 1.5, 1.9, 2.0, 2.5, 3.0, 4.0, 8.0)),
        *({"loss": "Huber", "delta": delta} for delta in (0.01, 0.3, 5.0)),
    ],
)
def test_convex_losses_are_least(settings, penalty):
    X, y = wave(60, 2)
    algorithm = LpRegression(penalty=penalty, lambda_=0.05, **settings)
    model = algorithm.fit(X, y)
    value = objective(algorithm, X, y, model.coef, model.intercept)
    assert model.objective == pytest.approx(value, rel=1e-12)
    start = LinearRegression().fit(X, y)
    best = minimize(
        lambda v: objective(algorithm, X, y, v[1:], v[0]),
        np.append(start.intercept, start.coef),
        method="Nelder-Mead",
        options={"xatol": 1e-9, "fatol": 1e-13, "maxiter": 4000},
    )
    assert value <= best.fun * (1 + 1e-10)
    assert model.facts()["duality gap"] < 1e-11
    if settings.get("power", 2) >= 1.3:  # nearer to 1 the slopes of tiny residuals are rounding
        assert model.facts()["gradient norm"] < 1e-7


def test_the_gap_is_that_of_a_function_that_is_not_the_minimum():
    X, y = wave(40)
    steps = list(LpRegression(power=1.5).steps(X, y, np.random.default_rng(0)))
    assert steps[0].gap is None and steps[0].stage == "least squares"
    assert steps[-1].gap < 1e-12 and steps[-1].stage == "minimum"
    assert steps[0].objective > steps[-1].objective
    assert steps[0].gradient_norm > 1e-3


def test_squares_are_linear_regression():
    X, y = wave(30, 2)
    for settings in ({}, {"penalty": "L2"}, {"basis": "polynomial", "degree": 4, "penalty": "L2", "lambda_": 1e-3}):
        models = LpRegression(power=2.0, **settings).fit(X, y), LinearRegression(**settings).fit(X, y)
        np.testing.assert_allclose(*(model.predict(X) for model in models), atol=1e-12)
    far = LpRegression(loss="Huber", delta=1e6).fit(X, y)
    np.testing.assert_allclose(far.predict(X), LinearRegression().fit(X, y).predict(X), atol=1e-9)


def test_with_fewer_samples_than_terms_it_is_the_shortest_of_the_functions_through_all():
    X, y = wave(5)
    for power in (0.5, 1.0, 1.5, 4.0):
        model = LpRegression(power=power, basis="polynomial", degree=9).fit(X, y)
        expected = LinearRegression(basis="polynomial", degree=9).fit(X, y)
        np.testing.assert_allclose(model.coef, expected.solution.coef, atol=1e-9)
        assert model.facts()["samples on the curve"] == 5


def test_large_powers_make_the_largest_residual_small():
    X, y = wave(40)
    A = np.column_stack((np.ones(40), X))
    sides = np.column_stack((np.vstack((A, -A)), -np.ones(80)))
    least = linprog((0, 0, 1), A_ub=sides, b_ub=np.append(y, -y), bounds=[(None, None)] * 2 + [(0, None)]).fun
    former = np.inf
    for power in (4.0, 16.0, 100.0):
        largest = LpRegression(power=power).fit(X, y).largest
        # The mean of |r|^p is between the largest's n-th part and itself.
        assert least <= largest <= least * 40 ** (1 / power)
        assert largest < former
        former = largest


@pytest.mark.parametrize("power", [0.3, 0.5, 0.9])
@pytest.mark.parametrize("seed", trials(3))
def test_below_one_the_best_line_through_two_samples_is_the_global_minimum(power, seed):
    X, y = wave(20, seed=seed)
    algorithm = LpRegression(power=power)
    model = algorithm.fit(X, y)
    values = []
    for i, j in itertools.combinations(range(20), 2):
        slope = (y[i] - y[j]) / (X[i, 0] - X[j, 0])
        r = np.abs(y - y[i] - slope * (X[:, 0] - X[i, 0]))
        r[[i, j]] = 0
        values.append(np.mean(r**power))
    assert model.objective == pytest.approx(min(values), rel=1e-9)
    assert model.facts()["minimum"] == "global: the best of all 190 functions through 2 of the samples"
    assert model.caveat == ""
    # Nowhere else is less: from many places downhill.
    rng = np.random.default_rng(seed)
    for _ in trials(30):
        start = rng.normal(0, 1.5, 2)
        found = minimize(lambda v: objective(algorithm, X, y, v[1:], v[0]), start, method="Nelder-Mead")
        assert found.fun >= model.objective - 1e-9
    if power > 0.5:
        return  # the minima are so narrow that numbers hardly tell them
    # And each line through two samples is a local minimum.
    i, j = 3, 11
    slope = (y[i] - y[j]) / (X[i, 0] - X[j, 0])
    there = np.array([y[i] - slope * X[i, 0], slope])
    here = objective(algorithm, X, y, there[1:], there[0])
    for angle in np.linspace(0, 2 * np.pi, 60):
        moved = there + 1e-9 * np.array([np.cos(angle), np.sin(angle)])
        assert objective(algorithm, X, y, moved[1:], moved[0]) > here - 1e-12


def test_of_many_samples_the_best_that_is_found_is_told_as_local(monkeypatch):
    X, y = wave(90, seed=4)
    best = LpRegression(power=0.5).fit(X, y)
    monkeypatch.setattr(concave_powers, "MOST_COMPARED", 0)
    model = LpRegression(power=0.5).fit(X, y)
    assert model.facts()["minimum"].startswith("local: the best found from 10")
    assert model.caveat == "a local minimum"
    assert model.objective == pytest.approx(best.objective, rel=1e-9)  # here it is the global one, all the same
    assert model.facts()["samples on the curve"] >= 2


def test_with_a_penalty_a_minimum_below_one_is_better_than_its_starts():
    X, y = wave(40)
    algorithm = LpRegression(power=0.5, penalty="L2", lambda_=0.1)
    model = algorithm.fit(X, y)
    assert "local" in model.facts()["minimum"]
    for start in (LpRegression(power=1.0, penalty="L2", lambda_=0.1), LpRegression(power=2.0)):
        other = start.fit(X, y)
        assert model.objective <= objective(algorithm, X, y, other.coef, other.intercept) + 1e-12


@pytest.mark.parametrize(
    "settings", [{"power": 1.0}, {"power": 1.4}, {"power": 4.0}, {"loss": "Huber"}, {"power": 1.0, "penalty": "L2"}]
)
def test_reweighting_goes_down_to_the_minimum(settings):
    X, y = wave(50)
    steps = list(LpRegression(**settings).steps(X, y, np.random.default_rng(0)))
    values = [model.objective for model in steps]
    assert len(steps) > 5
    assert max(np.diff(values)) < 1e-12 * values[0]
    assert values[-2] == pytest.approx(values[-1], rel=2e-3)
    np.testing.assert_allclose(steps[0].predict(X), LinearRegression(
        penalty=settings.get("penalty", "none")).fit(X, y).predict(X), atol=1e-10)  # fmt: skip


def test_an_outlier_moves_squares_and_leaves_absolute_values():
    X, y = wave(30, noise=0.1)
    spoilt = y.copy()
    spoilt[np.argmax(X[:, 0])] += 50

    def moved(**settings):
        before, after = (LpRegression(**settings).fit(X, values) for values in (y, spoilt))
        return float(np.abs(before.predict(X) - after.predict(X)).max())

    squares, absolutes, huber = moved(power=2.0), moved(power=1.0), moved(loss="Huber", delta=0.3)
    assert squares > 2 and absolutes < 0.4 and huber < 0.4
    assert moved(power=4.0) > 1.5 * squares and moved(power=0.5) < 0.4


@pytest.mark.parametrize("settings", [{"power": 0.5}, {"power": 1.0}, {"loss": "Huber"}, {"power": 2.0}])
def test_a_lever_point_far_enough_off_turns_the_line_with_any_loss(settings):
    X, y = wave(30, noise=0.1)
    X, y = np.vstack((X, [[1e6]])), np.append(y, -1e6)
    assert LpRegression(**settings).fit(X, y).coef[0] == pytest.approx(-1, abs=1e-3)


def test_breakdown_is_what_an_adversary_needs():
    x = np.arange(11.0)[:, None]
    y = 0.1 * np.sin(7 * x[:, 0])
    fact = LpRegression().fit(x, y).facts()["breakdown"]
    # The four farthest to the right of the second place weigh 10 + 9 + 8 + 7 of 56 parts about x = 0 ...
    fewest = int(fact.split()[0])
    worst = 0
    for k, expected in ((fewest, True), (fewest - 1, False)):
        far = 0.0
        for rows in itertools.combinations(range(11), k):
            for pivot in (0.0, 5.0, 10.0):
                spoilt = y.copy()
                spoilt[list(rows)] += 1e6 * (x[list(rows), 0] - pivot)
                far = max(far, float(np.abs(LpRegression().fit(x, spoilt).predict(x)).max()))
            if far > 1e5:
                break
        assert (far > 1e3) == expected
        worst = max(worst, far)
    assert LpRegression(power=1.5).fit(x, y).facts()["breakdown"] == "1 of 11 targets"
    assert LpRegression(penalty="L2").fit(x, y).facts()["breakdown"] == "6 of 11 targets"


def test_weights_are_repeated_samples_in_every_loss():
    X, y = wave(25)
    weights = np.random.default_rng(1).integers(0, 4, 25)
    for settings in ({"power": 0.5}, {"power": 1.0}, {"power": 3.0}, {"loss": "Huber"}):
        counted = LpRegression(**settings).fit(X, y, sample_weight=weights)
        repeated = LpRegression(**settings).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
        np.testing.assert_allclose(counted.predict(X), repeated.predict(X), atol=1e-8)


@pytest.mark.parametrize("n", [30, 300, 5001])
def test_shuffled_samples_change_nothing_below_one(n):
    X, y = wave(n)
    order = np.random.default_rng(3).permutation(n)
    every = ({"power": 0.5}, {"power": 0.4, "basis": "polynomial"}, {"power": 0.5, "penalty": "L2"})
    for settings in share(every, n, 1 if n < 5000 else 3):
        models = LpRegression(**settings).fit(X, y), LpRegression(**settings).fit(X[order], y[order])
        np.testing.assert_allclose(models[0].predict(X), models[1].predict(X), atol=1e-7)


def test_units_and_places_far_off_change_nothing():
    X, y = wave(40)
    for settings in ({"power": 0.5}, {"power": 1.0}, {"power": 1.5}, {"power": 8.0}):
        expected = LpRegression(**settings).fit(X, y).predict(X)
        far = LpRegression(**settings).fit(1e-9 * X + 1e3, 1e9 * y - 1e12)
        np.testing.assert_allclose((far.predict(1e-9 * X + 1e3) + 1e12) / 1e9, expected, atol=2e-3)
        large = LpRegression(**settings).fit(1e9 * X, 1e-9 * y)
        np.testing.assert_allclose(1e9 * large.predict(1e9 * X), expected, atol=1e-8)


def test_the_other_losses_stand_beside_and_the_samples_on_the_loss():
    X, y = wave(30)
    drawn = picture(X, y, power=1.0)
    lines = {mark.role: mark for mark in drawn.plot.marks if isinstance(mark, Lines)}
    assert {"power 2", "power 4", "Huber's loss", "curve"} <= set(lines) and "power 1" not in lines
    for role, settings in (
        ("power 2", {"power": 2.0}),
        ("power 4", {"power": 4.0}),
        ("Huber's loss", {"loss": "Huber"}),
    ):
        xy = lines[role].xy
        np.testing.assert_allclose(xy[:, 1], LpRegression(**settings).fit(X, y).predict(xy[:, :1]), atol=1e-9)
    model = LpRegression().fit(X, y)
    met = next(mark for mark in drawn.plot.marks if mark.role == "sample met")
    assert sorted(met.rows.tolist()) == np.flatnonzero(np.abs(y - model.predict(X)) < 1e-12).tolist()
    loss = next(plot for plot in drawn.sides if plot.id == "loss")
    (points,) = (mark for mark in loss.marks if isinstance(mark, Points))
    np.testing.assert_allclose(np.sort(points.xy[:, 0]), np.sort(y - model.predict(X)), atol=1e-12)
    np.testing.assert_allclose(points.xy[:, 1], np.abs(points.xy[:, 0]))
    (handle,) = loss.handles
    assert handle.path == "algorithm.power" and handle.values[handle.at] == 1.0
    np.testing.assert_allclose(handle.points[:, 1], handle.points[0, 0] ** handle.values, rtol=1e-12)
    (handle,) = next(plot for plot in picture(X, y, loss="Huber", delta=0.2).sides if plot.id == "loss").handles
    assert handle.path == "algorithm.delta" and handle.points[handle.at, 0] == 0.2


def test_weights_of_samples_are_those_of_the_squares():
    X, y = wave(30)
    model = LpRegression(loss="Huber", delta=0.2).fit(X, y)
    r = np.abs(y - model.predict(X))
    np.testing.assert_allclose(model.sample_weights, np.minimum(1, 0.2 / r), rtol=1e-9)
    # Squares with these weights have the same minimum.
    again = LinearRegression().fit(X, y, sample_weight=model.sample_weights)
    np.testing.assert_allclose(again.predict(X), model.predict(X), atol=1e-8)
    rings = next(m for m in picture(X, y, loss="Huber", delta=0.2).plot.marks if m.role == "sample weight")
    np.testing.assert_allclose(
        rings.size**2 / rings.size.max() ** 2, model.sample_weights[np.argsort(rings.rows)], rtol=1e-9
    )


@pytest.mark.parametrize(("power", "target"), [(0.05, 0.0), (0.05, 1e-160), (1.0, 0.0), (100.0, 1e9)])
def test_weights_of_samples_are_shares_at_the_ends_of_numbers_too(power, target):
    model = LpRegression(power=power, penalty="L2", lambda_=1e12).fit([[0.0], [1.0]], [target, -target])
    np.testing.assert_array_equal(model.sample_weights, [1.0, 1.0])


@pytest.mark.parametrize("unit", [1e-302, 1e-160, 1e-40])
@pytest.mark.parametrize("delta", [0.5, 1e9])
def test_targets_far_below_hubers_bend_are_fitted_by_least_squares(unit, delta):
    X, y = wave(30)
    model = LpRegression(loss="Huber", delta=delta).fit(X, y * unit)
    squares = LinearRegression().fit(X, y)
    np.testing.assert_allclose(model.predict(X) / unit, squares.predict(X), rtol=0, atol=1e-9)
    assert model.gradient_norm < 1e-9


@pytest.mark.parametrize("settings", [{}, {"power": 3.0, "penalty": "L2"}, {"loss": "Huber", "delta": 0.2}])
def test_a_line_drawn_by_hand_is_rated_by_the_same_objective(settings):
    X, y = wave(30)
    algorithm = LpRegression(**settings)
    told, w, b = algorithm.line_objective(), np.array([0.3]), 0.1
    expected = objective(algorithm, X, y, w, b)
    assert told.of(X @ w + b, w, y, np.ones(30)) == pytest.approx(expected, rel=1e-12)
    assert algorithm.fit(X, y).objective < expected
    assert LpRegression(basis="polynomial").line_objective() is None


def hard(kind, n, d):
    """Samples on which solvers fail."""
    rng = np.random.default_rng(7)
    X = rng.normal(size=(n, d))
    y, weights = X.sum(axis=1) + rng.normal(size=n), None
    match kind:
        case "outlier":
            y[0] = 1e6
        case "lever":
            X[0] = 1e6
        case "lattice":
            X, y = np.round(X), np.round(y)
        case "signs":
            X, y = np.sign(X), np.sign(y)
        case "most on a line":
            y = X.sum(axis=1)
            y[: n // 5 + 1] += 3
        case "weights":
            weights = 10.0 ** rng.uniform(-6, 6, n)
        case "far off":
            X, y = X + 1e6, y + 1e6
        case "tiny":
            X, y = 1e-9 * X, 1e-9 * y
    return X, y, weights


@pytest.mark.parametrize("n", [3, 12])
@pytest.mark.parametrize(
    "kind", ["outlier", "lever", "lattice", "signs", "most on a line", "weights", "far off", "tiny"]
)
def test_the_gap_is_closed_on_hard_samples(kind, n):
    convex = [{"power": p} for p in (1.0, 1.01, 1.5, 10.0, 100.0)] + [
        {"loss": "Huber", "delta": d} for d in (0.01, 100.0)
    ]
    bases = ({}, {"basis": "polynomial", "degree": 4})
    penalties = ({}, {"penalty": "L2"}, {"penalty": "L2", "lambda_": 100.0})
    tried = itertools.product((*convex, {"power": 0.5}), bases, penalties)
    for settings, basis, penalty in share(tried, f"{kind} {n}", 12):
        X, y, weights = hard(kind, n, 1 + n % 2)
        model = LpRegression(**settings, **basis, **penalty).fit(X, y, sample_weight=weights)
        assert np.isfinite(model.predict(X)).all()
        assert model.gap is None or model.gap < 1e-5, (settings, basis, penalty)


def test_the_stack_loss_of_brownlee_has_the_published_coefficients():
    air = [80, 80, 75, 62, 62, 62, 62, 62, 58, 58, 58, 58, 58, 58, 50, 50, 50, 50, 50, 56, 70]
    water = [27, 27, 25, 24, 22, 23, 24, 24, 23, 18, 18, 17, 18, 19, 18, 18, 19, 19, 20, 20, 20]
    acid = [89, 88, 90, 87, 87, 87, 93, 93, 87, 80, 89, 88, 82, 93, 89, 86, 72, 79, 80, 82, 91]
    loss = [42, 37, 37, 28, 18, 18, 19, 20, 15, 14, 14, 13, 11, 12, 8, 7, 8, 8, 9, 15, 15]
    X, y = np.column_stack((air, water, acid)).astype(float), np.array(loss, dtype=float)
    model = LpRegression().fit(X, y)
    # Koenker, Quantile Regression (2005), and the manual of his program.
    np.testing.assert_allclose(
        [model.intercept, *model.coef], [-39.68985507, 0.83188406, 0.57391304, -0.06086957], atol=5e-9
    )
    squares = LpRegression(power=2.0).fit(X, y)
    np.testing.assert_allclose([squares.intercept, *squares.coef], [-39.9197, 0.7156, 1.2953, -0.1521], atol=5e-5)


@pytest.mark.parametrize("seed", trials(6))
@pytest.mark.parametrize("d", [1, 2])
def test_absolute_residuals_tell_whether_other_functions_are_as_good(d, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (6 + seed, d)).astype(float)
    y = rng.integers(0, 4, len(X)).astype(float) if seed % 2 else rng.normal(size=len(X))
    model = LpRegression(power=1.0).fit(X, y)
    # How far each parameter can go at the least sum, by linear programs.
    A = np.column_stack((X, np.ones(len(X))))
    n, q = A.shape
    system = np.hstack((A, np.eye(n), -np.eye(n)))
    cost, bounds = np.append(np.zeros(q), np.ones(2 * n)), [(None, None)] * q + [(0, None)] * (2 * n)
    least = linprog(cost, A_eq=system, b_eq=y, bounds=bounds).fun
    widest = 0.0
    for j in range(q):
        aim = np.eye(len(cost))[j]
        ends = [
            linprog(s * aim, A_ub=[cost], b_ub=[least + 1e-10], A_eq=system, b_eq=y, bounds=bounds) for s in (1, -1)
        ]
        assert all(end.status in (0, 3) for end in ends)
        widest = max(widest, np.inf if any(end.status == 3 for end in ends) else -ends[1].fun - ends[0].fun)
    if np.linalg.matrix_rank(A) == q:
        assert model.told.startswith("one of several") == (widest > 1e-6)


def test_of_equal_inputs_no_function_is_counted():
    X, y = np.array([[0.0], [0.0], [1.0]]), np.array([0.0, 1.0, 2.0])
    assert LpRegression(power=0.5).fit(X, y).facts()["minimum"] == (
        "global: the best of all 2 functions through 2 of the samples"
    )


def test_a_function_through_many_samples_in_a_line_is_counted_once():
    X = np.array([[0.0], [1.0], [2.0], [3.0], [1.5]])
    y = np.array([0.0, 1.0, 2.0, 3.0, 0.0])
    # The line through four samples, and one through each of these and the fifth.
    assert LpRegression(power=0.5).fit(X, y).facts()["minimum"] == (
        "global: the best of all 5 functions through 2 of the samples"
    )


def test_the_median_of_an_even_number_is_any_value_in_the_middle():
    """The inputs are one place: there is a constant alone, whose best values are all between the two middle targets."""
    for n in (4, 5, 6, 7):
        model = LpRegression(power=1.0).fit(np.zeros((n, 1)), np.arange(float(n)) ** 2)
        several = n % 2 == 0
        assert model.told.startswith("one of several") == several
        assert model.caveat == ("one of several minima" if several else "")
        low, high = (((n - 1) // 2) ** 2, (n // 2) ** 2)
        assert low - 1e-9 <= model.intercept <= high + 1e-9
