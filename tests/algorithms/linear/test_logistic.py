"""Logistic regression against scikit-learn, and its certificate."""

import time

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression as Oracle

from mlviz.algorithms import CannotFit, registry
from mlviz.algorithms.linear.logistic import LogisticFollower, LogisticRegression
from mlviz.data.tables import shipped
from mlviz.draw.layer import Context, Names
from mlviz.draw.marks import Lines, Text
from mlviz.draw.overlays import probabilities
from mlviz.numerics.grid import Grid
from tests.sweep import each, sweep, trials


def oracle(X, y, lambda_, weights=None):
    total = len(X) if weights is None else weights.sum()
    fitted = Oracle(C=1 / (2 * total * lambda_), solver="newton-cholesky", tol=1e-12, max_iter=1000)
    return fitted.fit(X, y, sample_weight=weights)


def groups(k, n=60, d=2, seed=0, apart=1.5):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % k
    return rng.normal(size=(n, d)) + apart * rng.normal(size=(k, d))[y], y


def objective(model, X, y, lambda_, weights=None):
    """The objective from its definition, by the model's own words."""
    shares = np.full(len(X), 1 / len(X)) if weights is None else weights / weights.sum()
    at = np.searchsorted(model.classes, y)
    return -shares @ np.log(model.predict_proba(X)[np.arange(len(X)), at]) + lambda_ * (model.coef**2).sum()


def test_it_is_installed():
    assert registry()["logistic"] is LogisticRegression


@sweep("d, weighted, lambda_, k", [1, 2, 4], [False, True], [1e-4, 0.01, 1.0], [2, 3, 5])
def test_it_agrees_with_scikit_learn(k, lambda_, weighted, d):
    X, y = groups(k, d=d, seed=k + d)
    w = np.random.default_rng(1).uniform(0.2, 3, len(X)) if weighted else None
    model, other = LogisticRegression(lambda_).fit(X, y, sample_weight=w), oracle(X, y, lambda_, w)
    np.testing.assert_allclose(np.atleast_2d(model.coef), other.coef_, atol=1e-7 * np.abs(other.coef_).max())
    np.testing.assert_allclose(np.atleast_1d(model.intercept), other.intercept_, atol=1e-6)
    np.testing.assert_allclose(model.predict_proba(X), other.predict_proba(X), atol=1e-7)
    np.testing.assert_array_equal(model.predict(X), other.predict(X))
    assert model.objective == pytest.approx(objective(model, X, y, lambda_, w), rel=1e-10)
    assert model.gradient_norm < 1e-10


@pytest.mark.parametrize("name", ["iris", "penguins"])
def test_real_data(name):
    data = shipped.load_shipped(name)
    model, other = LogisticRegression(1e-3).fit(data.X, data.labels), oracle(data.X, data.labels, 1e-3)
    np.testing.assert_allclose(model.predict_proba(data.X), other.predict_proba(data.X), atol=1e-5)
    assert model.gradient_norm < 1e-10


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # it gives up where classes separate
def test_random_problems_are_solved_no_worse_than_by_scikit_learn():
    rng = np.random.default_rng(7)
    worst = 0.0
    for seed in trials(120):
        k, n, d = int(rng.integers(2, 5)), int(rng.integers(6, 60)), int(rng.integers(1, 4))
        lambda_ = 10.0 ** rng.uniform(-5, 1)
        X, y = groups(k, max(n, k), d, seed, apart=float(rng.uniform(0, 6)))
        match seed % 4:
            case 1:
                X = np.rint(X)
            case 2:
                X[:, -1] = X[:, 0]
            case 3:
                X = X * 10.0 ** rng.uniform(-2, 2)
        model, other = LogisticRegression(lambda_).fit(X, y), oracle(X, y, lambda_)
        likely = np.clip(other.predict_proba(X), 1e-300, 1)[np.arange(len(X)), y]
        theirs = -np.log(likely).mean() + lambda_ * (other.coef_**2).sum()
        worst = max(worst, (objective(model, X, y, lambda_) - theirs) / theirs)
        assert model.gradient_norm < 1e-8
    assert worst < 1e-9


def test_softmax_of_two_classes_is_the_binary_problem_at_half_the_penalty():
    X, y = groups(2, seed=3)
    binary = LogisticRegression(0.05).fit(X, y)
    # A third class of next to no weight leaves the softmax of the other two.
    far = LogisticRegression(0.1).fit(np.vstack((X, [[0.0, 0.0]])), np.append(y, 2), sample_weight=[*[1.0] * 60, 1e-13])
    P = far.predict_proba(X)
    np.testing.assert_allclose(P[:, 1] / (P[:, 0] + P[:, 1]), binary.predict_proba(X)[:, 1], atol=1e-6)


def test_the_objective_falls_with_every_step_and_ends_in_few():
    X, y = groups(3, 90)
    values = [model.objective for model in LogisticRegression(1e-3).steps(X, y, np.random.default_rng(0))]
    assert (np.diff(values) < 1e-15).all() and 4 <= len(values) <= 12
    assert values[0] == pytest.approx(np.log(3))


def test_separable_classes_at_a_tiny_penalty():
    X = np.array([[-2.0, 0], [-1, 1], [1, 0], [2, 1]])
    model = LogisticRegression(1e-12).fit(X, [0, 0, 1, 1])
    assert model.gradient_norm < 1e-12 and not model.caveat
    assert (model.predict(X) == [0, 0, 1, 1]).all()


@each("k, scale, lambda_", [2, 3, 5], [1e6, 1e9], [1e-6, 1e-12])
def test_a_perfect_fit_is_not_made_more_perfect(k, scale, lambda_):
    y = np.repeat(np.arange(k), 20)
    around = np.column_stack((np.cos(2 * np.pi * y / k), np.sin(2 * np.pi * y / k)))
    X = 3 * around + np.random.default_rng(0).normal(scale=0.2, size=(20 * k, 2))
    models = list(LogisticRegression(lambda_).steps(X * scale, y, np.random.default_rng(0)))
    assert len(models) < 40 and not models[-1].caveat and models[-1].objective < 1e-13
    assert (models[-1].predict(X * scale) == y).all()


@pytest.mark.parametrize("k", [2, 3])
def test_more_inputs_than_samples(k):
    X, y = groups(k, 40, 300, seed=4)
    X, lambda_ = X + 100, 1e-3
    model = LogisticRegression(lambda_).fit(X, y)
    assert model.coef.shape == ((300,) if k == 2 else (3, 300))
    assert model.objective == pytest.approx(objective(model, X, y, lambda_), rel=1e-9)
    wrong = (np.eye(k)[y] - model.predict_proba(X)) / len(X)
    slope = 2 * lambda_ * model.coef - (wrong[:, 1] @ X if k == 2 else wrong.T @ X)
    assert np.abs(slope).max() < 1e-10 and np.abs(wrong.sum(axis=0)).max() < 1e-12
    times = np.append(np.ones(6, int), np.random.default_rng(0).integers(0, 3, 34))
    weighted = LogisticRegression(lambda_).fit(X, y, sample_weight=times)
    repeated = LogisticRegression(lambda_).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_allclose(weighted.coef, repeated.coef, atol=1e-9)


@pytest.mark.parametrize("k", [2, 3])
def test_units_that_have_no_squares(k):
    X, y = groups(k)
    large, plain = LogisticRegression(1e-6).fit(1e160 * X, y), LogisticRegression(1e-12).fit(X, y)
    np.testing.assert_allclose(large.predict_proba(1e160 * X), plain.predict_proba(X), atol=1e-6)
    tiny = LogisticRegression(1e-6).fit(1e-160 * X, y)
    np.testing.assert_allclose(tiny.predict_proba(1e-160 * X), np.full((len(X), k), 1 / k), atol=1e-12)


def test_a_constant_column_has_no_weight():
    X, y = groups(2, 1000, d=1)
    both = np.column_stack((np.full(1000, 1e6 + 0.1), X))
    model, plain = LogisticRegression(1e-12).fit(both, y), LogisticRegression(1e-12).fit(X, y)
    assert model.coef[0] == 0
    np.testing.assert_allclose(model.predict_proba(both), plain.predict_proba(X), atol=1e-9)


def test_one_class_is_answered_with_a_sentence():
    with pytest.raises(CannotFit, match="All samples are of one class"):
        LogisticRegression().fit([[0.0, 0], [1, 1]], [1, 1])


def test_a_drag_ends_where_a_fit_from_nothing_does():
    rng = np.random.default_rng(2)
    X, y = groups(3, 40, seed=5)
    follower, algorithm, worst = LogisticFollower(), LogisticRegression(), 0.0
    for _ in trials(200):
        row = rng.integers(len(X))
        match rng.integers(5):
            case 0 | 1:
                X[row] += rng.normal(size=2)
            case 2:
                y[row] = rng.integers(3)
            case 3:
                X, y = np.vstack((X, rng.normal(size=(1, 2)))), np.append(y, rng.integers(4))
            case 4:
                algorithm = LogisticRegression(10.0 ** rng.uniform(-5, 0))
        draft = follower.update(algorithm, X, y, None, time.perf_counter() + 60)
        exact = algorithm.fit(X, y)
        worst = max(worst, float(np.abs(draft.predict_proba(X) - exact.predict_proba(X)).max()))
    assert worst < 1e-7


def test_a_drag_goes_on_from_the_last_weights_unless_they_have_become_wrong():
    X, y = groups(2, 40)
    algorithm, follower = LogisticRegression(1e-4), LogisticFollower()
    first = follower.update(algorithm, X, y, None, time.perf_counter() + 60)
    again = follower.update(algorithm, X + 1e-6, y, None, time.perf_counter() + 60)
    assert again.iterate.steps <= 2 < first.iterate.steps
    turned = follower.update(algorithm, X, 1 - y, None, time.perf_counter() + 60)
    assert turned.iterate.steps == algorithm.fit(X, 1 - y).iterate.steps


def picture(k):
    X, y = groups(k, 60, seed=1)
    model = LogisticRegression().fit(X, y)
    grid = Grid.over((-4.0, 4.0, -4.0, 4.0), 81, 81)
    field = model.on_grid(grid, np.float32)
    context = Context(X, y, np.arange(60), LogisticRegression(), "classification", grid=grid, field=field, fine=True)
    return model, context


def test_contours_lie_where_the_probability_is_what_they_say():
    model, context = picture(2)
    lines, words = probabilities.contours.draw(model, context)
    assert isinstance(lines, Lines) and isinstance(words, Text)
    xy = lines.xy[np.isfinite(lines.xy[:, 0])]
    P = model.predict_proba(xy)[:, 1]
    assert np.abs(P - np.round(P, 1)).max() < 1e-4
    assert {round(float(p), 1) for p in P} == {0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9}
    for place, word in zip(words.xy, words.words, strict=True):
        assert model.predict_proba(place[None])[0, 1] == pytest.approx(float(word), abs=1e-3)


def test_numbers_stand_on_their_lines_where_no_other_is_near():
    X, y = groups(2, 60, seed=1)
    grid = Grid.over((-4.0, 4.0, -4.0, 4.0), 81, 81)
    told = {}
    for lambda_ in (1.0, 1e-2, 1e-8):
        model = LogisticRegression(lambda_).fit(X + 6 * y[:, None] * (lambda_ < 1e-6), y)
        context = Context(X, y, np.arange(60), LogisticRegression(), "classification", grid=grid,
                          field=model.on_grid(grid), names=Names(("no", "yes")), fine=True)  # fmt: skip
        lines, words = probabilities.contours.draw(model, context)
        ends = "0.2 … 0.8" if lambda_ == 1.0 else "0.1 … 0.9"
        assert words.centered and lines.label == f"probability of yes: {ends}"
        told[lambda_] = set(words.words)
    assert len(told[1.0]) >= 4 and told[1e-8] <= {"0.1", "0.9"} and "0.1" in told[1e-8]


def test_contours_of_several_classes_are_those_of_the_likeliest():
    model, context = picture(4)
    lines, _ = probabilities.contours.draw(model, context)
    P = model.predict_proba(lines.xy[np.isfinite(lines.xy[:, 0])]).max(axis=1)
    assert np.quantile(np.abs(P - np.round(P, 1)), 0.95) < 0.005


@pytest.mark.parametrize("k", [2, 3])
def test_the_shade_is_by_how_much_the_likeliest_leads(k):
    model, context = picture(k)
    (field,) = probabilities.regions.draw(model, context)
    P = np.sort(model.predict_proba(context.grid.points()), axis=1)
    lead = (P[:, -1] - P[:, -2]).reshape(context.grid.shape)
    np.testing.assert_allclose(field.strength, 50 + 140 * lead, atol=1.01)
    np.testing.assert_array_equal(field.classes, model.predict(context.grid.points()).reshape(context.grid.shape))


def test_a_place_is_explained_by_probabilities():
    model, _ = picture(2)
    p = model.predict_proba(np.array([[0.5, 0.5]]))[0]
    sentence = model.explain(np.array([0.5, 0.5])).sentence
    assert f"class {p.argmax()} with probability {p.max():.3g}" in sentence and "f(x) = " in sentence
