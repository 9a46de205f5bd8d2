import pickle
import re
import time
import tracemalloc

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.svm import SVC

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.margin.svm import SVM
from mlviz.data.dataset import Dataset
from mlviz.draw.layer import Context
from mlviz.draw.marks import Lines, Points, Segments
from mlviz.draw.overlays import margins
from mlviz.numerics.grid import Grid
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from tests.algorithms.svm_against_libsvm import difference, problems
from tests.sweep import share, trials

pytestmark = pytest.mark.slow

KERNELS = ("gaussian", "linear", "polynomial", "laplacian")


def blobs(n=60, apart=1.5, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    X = rng.normal(size=(n, 2))
    X[y == 1] += apart
    return X, y


def context(model, X, y, **more):
    grid = Grid.over((-4, 6, -4, 6), 101, 101)
    return Context(X, y, np.arange(len(X)) + 100, SVM(), "classification", grid, field=model.on_grid(grid), **more)


@pytest.mark.parametrize("problem", share(problems(), "as good", 2), ids=str)
def test_as_good_as_libsvm(problem):
    found = difference(problem)
    assert found.objective <= 1e-10
    assert found.decision_function <= 1e-6 + found.explained
    assert abs(found.gap) <= 1e-9
    assert found.kkt <= 1e-8


def test_square_in_closed_form():
    X, y = np.array([[0.0, 0.0], [0.0, 1.0], [2.0, 0.0], [2.0, 1.0]]), np.array([0, 0, 1, 1])
    model = SVM(kernel="linear", hard_margin=True).fit(X, y)
    np.testing.assert_allclose(model.coef, [1.0, 0.0], atol=1e-9)
    assert model.intercept == pytest.approx(-1.0)
    assert model.margin == pytest.approx(1.0)
    facts = model.facts()
    assert facts["street width"] == pytest.approx(2.0)
    assert facts["dual objective"] == pytest.approx(0.5)
    assert "lambda" not in facts


def test_fields_agree():
    X, y = blobs()
    model = SVM(C=2.0, kernel="linear").fit(X, y)
    np.testing.assert_allclose(model.decision_function(X), X @ model.coef + model.intercept, atol=1e-12)
    np.testing.assert_array_equal(model.support_vectors, X[model.support])
    np.testing.assert_allclose(model.dual_coef, (model.signs * model.alpha)[model.support])
    assert model.margin == pytest.approx(1 / np.linalg.norm(model.coef))
    assert SVM().fit(X, y).coef is None
    assert model.facts()["lambda"] == pytest.approx(1 / (2 * 2.0 * len(X)))
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))


def test_classes_may_be_anything():
    X, y = blobs()
    names = np.array(["yes", "no"])[y]
    model = SVM().fit(X, names)
    assert set(model.predict(X)) == {"yes", "no"}
    assert ((model.decision_function(X) > 0) == (model.predict(X) == "yes")).all()


@pytest.mark.parametrize("kernel", KERNELS)
def test_weights_are_repetitions(kernel):
    X, y = blobs(30)
    weight = np.arange(30) % 4
    svm = SVM(kernel=kernel, degree=2)
    weighted = svm.fit(X, y, sample_weight=weight)
    repeated = svm.fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_allclose(weighted.decision_function(X), repeated.decision_function(X), atol=1e-6)
    assert (weighted.alpha[weight == 0] == 0).all()


@pytest.mark.parametrize("kernel", KERNELS)
def test_order_of_rows_does_not_matter(kernel):
    X, y = blobs()
    X[:20] = X[20:40]
    p = np.random.default_rng(1).permutation(len(X))
    f, g = (SVM(kernel=kernel, C=10.0).fit(*given).decision_function(X) for given in ((X, y), (X[p], y[p])))
    np.testing.assert_allclose(f, g, atol=1e-9)


def test_offset_is_in_the_middle_where_a_whole_interval_is_optimal():
    X, y = np.array([[-1.0], [1.0], [5.0], [7.0]]), np.array([0, 0, 1, 1])
    model = SVM(C=1e-3, kernel="linear").fit(X, y)  # all samples at the bound, as many of either class
    theirs = SVC(C=1e-3, kernel="linear", tol=1e-10).fit(X, y)
    assert model.intercept == pytest.approx(theirs.intercept_[0], abs=1e-9)


@pytest.mark.parametrize("kernel", ["linear", "polynomial"])
def test_hard_margin_says_when_it_is_impossible(kernel):
    X, y = blobs(100, apart=0.5)
    with pytest.raises(CannotFit, match="separated"):
        SVM(kernel=kernel, degree=2, hard_margin=True).fit(X, y)
    with pytest.raises(CannotFit, match="separated"):  # the same once it has followed the hand to the end
        SVM().follower().update(SVM(kernel=kernel, degree=2, hard_margin=True), X, y, None, float("inf"))


@pytest.mark.parametrize("kernel", KERNELS)
def test_hard_margin_leaves_the_street_empty(kernel):
    X, y = blobs(40, apart=6.0)
    model = SVM(kernel=kernel, hard_margin=True).fit(X, y)
    assert (model.signs * model.decision_function(X)).min() >= 1 - 1e-6
    assert not model.at_bound.any()
    assert abs(model.facts()["relative duality gap"]) < 1e-9
    soft = SVM(kernel=kernel, C=1e6).fit(X, y)
    np.testing.assert_allclose(model.decision_function(X), soft.decision_function(X), atol=1e-5)


def test_one_class_and_three_classes_are_refused():
    X, y = blobs(9)
    with pytest.raises(CannotFit, match="second class"):
        SVM().fit(X, y * 0)
    with pytest.raises(CannotFit, match="second class"):
        SVM().fit(X, y, sample_weight=y)
    with pytest.raises(CannotFit, match="there are 3"):
        SVM().fit(X, np.arange(9) % 3)


def test_lost_digits_are_named():
    X, y = blobs()
    with pytest.raises(CannotFit, match="standardize"):
        SVM(kernel="polynomial").fit(X + 1e6, y)
    with pytest.raises(CannotFit, match="standardize"):
        SVM(kernel="linear").fit(X * 1e150, y)


def waves(n=60, scale=1.0):
    X = np.random.default_rng(3).uniform(-4, 4, (n, 2))
    return scale * X, (2 * np.sin(1.5 * X[:, 0]) > X[:, 1]).astype(int)


@pytest.mark.parametrize("C", [1.0, 1000.0])
@pytest.mark.parametrize("degree", [5, 7, 9])
def test_high_degrees_are_solved_for_the_price_asked(degree, C):
    X, y = waves()
    model = SVM(kernel="polynomial", degree=degree, C=C).fit(X, y)
    theirs = SVC(kernel="poly", degree=degree, gamma=1, coef0=1, C=C, max_iter=1_000_000).fit(X, y)
    beta = np.zeros(len(X))
    beta[theirs.support_] = theirs.dual_coef_[0]
    dual = np.abs(beta).sum() - beta @ model.kernel.matrix(X, X) @ beta / 2
    assert (model.predict(X) == y).all()
    assert model.objective == pytest.approx(dual, rel=1e-5)
    assert model.limit is None
    assert model.caveat == ""
    assert abs(model.facts()["relative duality gap"]) < 1e-9
    assert model.kkt_residual < 1e-8


@pytest.mark.parametrize("C", [1.0, 1000.0])
def test_straight_street_in_data_of_any_scale(C):
    X, y = waves(300, 1e4)
    model = SVM(kernel="linear", C=C).fit(X, y)
    n, sign = len(X), np.where(y, 1.0, -1.0)[:, None]
    slack = linprog(  # without the |w|², which is next to nothing here
        np.r_[np.zeros(3), np.ones(n)],
        A_ub=-np.hstack((sign * X / 1e4, sign, np.eye(n))),
        b_ub=-np.ones(n),
        bounds=[(None, None)] * 3 + [(0, None)] * n,
    )
    assert model.objective == pytest.approx(C * slack.fun, rel=1e-6)
    assert abs(model.facts()["relative duality gap"]) < 1e-9
    np.testing.assert_allclose(model.decision_function(X), X @ model.coef + model.intercept, atol=1e-9)


@pytest.mark.parametrize("settings", [{"kernel": "polynomial", "degree": 9}, {"kernel": "linear"}], ids=str)
def test_fields_agree_with_wide_bounds(settings):
    X, y = waves(60, 1.0 if "degree" in settings else 1e4)
    svm = SVM(C=1000.0, **settings)
    model, side = svm.fit(X, y), np.abs(X).max()
    assert model.feature_sum is not None
    grid = Grid.over((-side, side, -side, side), 30, 20)
    f = model.decision_function(grid.points())
    np.testing.assert_allclose(model.on_grid(grid).ravel(), f, rtol=1e-9, atol=1e-9 * np.abs(f).max())
    np.testing.assert_array_equal(model.on_grid(grid, np.float32), model.on_grid(grid).astype(np.float32))
    at, gradient = model.with_gradient(X)
    np.testing.assert_array_equal(at, model.decision_function(X))
    for j, step in enumerate(1e-6 * side * np.eye(2)):
        slope = (model.decision_function(X + step) - model.decision_function(X - step)) / (2e-6 * side)
        np.testing.assert_allclose(gradient[:, j], slope, rtol=1e-4, atol=1e-4 * np.abs(gradient).max())
    follower = svm.follower()
    assert np.isfinite(follower.update(svm, X, y, None, 0.0).decision_function(X)).all()
    np.testing.assert_allclose(
        follower.update(svm, X, y, None, np.inf).decision_function(X), model.decision_function(X), atol=1e-6
    )


def test_high_degree_in_many_columns():
    rng = np.random.default_rng(0)
    X, y = 3 * rng.normal(size=(60, 4)), np.arange(60) % 2  # 715 features for 60 samples
    model = SVM(kernel="polynomial", degree=9, C=100.0).fit(X, y)
    assert (model.predict(X) == y).all()
    assert abs(model.facts()["relative duality gap"]) < 1e-8
    assert model.caveat == ""


@pytest.mark.parametrize("degree", [3, 9])
def test_hard_margin_of_a_polynomial(degree):
    X, y = waves()
    model = SVM(kernel="polynomial", degree=degree, hard_margin=True).fit(X, y)
    soft = SVM(kernel="polynomial", degree=degree, C=1e4).fit(X, y)
    assert (model.signs * model.decision_function(X)).min() >= 1 - 1e-6
    assert model.objective == pytest.approx(soft.objective, rel=1e-6)


def test_weights_of_all_sizes():
    X, y = blobs(10)
    weight = np.random.default_rng(7).choice([1e-12, 1], 10)
    for kernel in KERNELS:
        model = SVM(kernel=kernel).fit(X, y, sample_weight=weight)
        assert np.isfinite(model.decision_function(X)).all()


def test_all_in_one_place_with_a_wide_bound():
    y = np.array([0, 1, 1])
    assert (SVM(kernel="linear", C=1e6).fit(np.ones((3, 2)), y).predict(np.ones((3, 2))) == 1).all()


def test_memory_does_not_grow_with_the_places():
    X, y = np.random.default_rng(0).normal(size=(1000, 2)), np.arange(1000) % 2
    model, places = SVM(C=0.01).fit(X, y), np.zeros((20_000, 2))
    tracemalloc.start()
    model.decision_function(places)
    model.with_gradient(places)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 80e6  # the whole matrix has 160 MB


def test_a_bound_beyond_computing_is_said():
    X, y = blobs()
    assert "C computed with" not in SVM(C=1000.0).fit(X, y).facts()
    model = SVM(C=1e9).fit(X, y)
    assert "solved for C = 1e+08" in model.caveat
    facts = model.facts()
    assert facts["C computed with"] == 1e8
    assert abs(facts["relative duality gap"]) < 1e-5


def test_too_many_samples_are_thinned_and_said():
    X, y = blobs(4000, apart=4.0)
    model = SVM(kernel="linear").fit(X, y)
    assert model.facts()["fitted on"] == "1,000 of 4,000 samples, drawn at random"
    assert (model.predict(X) == y).mean() > 0.99
    (picture,) = draw(Scene(Dataset(X, y), (Panel(Pipeline(SVM(kernel="linear"))),)), [(100, 100)], resolution=20)
    assert "fitted to 1,000 of 4,000 samples, drawn at random" in picture.caption
    few = SVM(kernel="linear").fit(X, y, sample_weight=np.arange(len(X)) < 100)
    assert few.subsample is None and "fitted on" not in few.facts()


def test_machines_of_several_classes_say_what_they_were_fitted_on():
    X, _ = blobs(4700, apart=4.0)
    y = np.repeat([0, 1, 2], (1500, 1550, 1650))
    X = np.column_stack((8.0 * y, X[:, 1]))
    scene = Scene(Dataset(X, y), (Panel(Pipeline(SVM(kernel="linear"))),))
    (picture,) = draw(scene, [(100, 100)], resolution=20)
    assert picture.caption.endswith(
        "1,000 of 3,050 samples, drawn at random, and similarly for others of the 3 binary models"
    )


FOLLOWED = [
    {},
    {"C": 100.0},
    {"kernel": "linear"},
    {"kernel": "polynomial", "degree": 2},
    {"kernel": "laplacian"},
    {"C": 1e5},
    {"sigma": 0.3, "hard_margin": True},
]


@pytest.mark.parametrize("settings", FOLLOWED, ids=str)
def test_follower_equals_steps_edit_by_edit(settings):
    rng = np.random.default_rng(7)
    (X, y), svm = blobs(40), SVM(**settings)
    follower = svm.follower()
    for _ in trials(60 if settings else 240):
        X, y, svm = edited(X, y, svm, rng)
        follow, fit = outcome(lambda: follower.update(svm, X, y, None, np.inf)), outcome(lambda: svm.fit(X, y))  # noqa: B023
        if isinstance(fit, str):
            assert follow == fit
            continue
        places = np.concatenate((X, rng.normal(size=(20, 2))))
        f, g = follow.decision_function(places), fit.decision_function(places)
        assert np.abs(f - g).max() <= 1e-6 * max(1.0, np.abs(g).max())


def edited(X, y, svm, rng):
    X, y, row = X.copy(), y.copy(), rng.integers(len(X))
    match rng.integers(8):
        case 0 | 1 | 2:
            X[row] += rng.normal(scale=0.3, size=2)
        case 3:
            X, y = np.insert(X, row, rng.normal(size=2), axis=0), np.insert(y, row, rng.integers(2))
        case 4 if (np.bincount(y, minlength=2) > 4).all():
            gone = rng.choice(len(X), 3, replace=False)
            X, y = np.delete(X, gone, axis=0), np.delete(y, gone)
        case 5 if np.bincount(y)[y[row]] > 1:
            y[row] = 1 - y[row]
        case 6:
            svm = svm.replace(C=float(np.clip(svm.C * rng.choice([0.5, 2.0, 30.0]), 0.01, 1e5)))
        case _:
            svm = svm.replace(sigma=float(np.clip(svm.sigma * rng.choice([0.8, 1.25, 3.0]), 0.2, 5.0)))
    return X, y, svm


def outcome(fit):
    try:
        return fit()
    except CannotFit as refusal:
        return str(refusal)


def test_follower_stops_at_the_deadline_and_goes_on_later():
    X, y = blobs(400, apart=0.5)
    svm, (warm, late) = SVM(C=300.0), (SVM().follower(), SVM().follower())
    drafts = [late.update(svm, X, y, None, time.perf_counter()) for _ in range(3)]
    assert all(np.isfinite(draft.decision_function(X)).all() for draft in drafts)
    final = late.update(svm, X, y, None, np.inf).decision_function(X)
    np.testing.assert_allclose(final, warm.update(svm, X, y, None, np.inf).decision_function(X), atol=1e-6)


def test_follower_survives_a_refusal():
    X, y = blobs()
    follower = SVM().follower()
    follower.update(SVM(), X, y, None, np.inf)
    with pytest.raises(CannotFit):
        follower.update(SVM(), X, y * 0, None, np.inf)
    again = follower.update(SVM(), X, y, None, np.inf)
    np.testing.assert_allclose(again.decision_function(X), SVM().fit(X, y).decision_function(X), atol=1e-8)


@pytest.mark.parametrize("kernel", KERNELS)
def test_margin_lines_are_where_f_is_one(kernel):
    X, y = blobs()
    model = SVM(kernel=kernel, C=10.0).fit(X, y)
    (lines,) = margins.margin_lines.draw(model, context(model, X, y))
    assert isinstance(lines, Lines)
    places = lines.xy[np.isfinite(lines.xy).all(axis=1)]
    assert np.abs(np.abs(model.decision_function(places)) - 1).max() < 0.2


def test_margin_lines_of_a_pair_among_several_classes():
    X, y = blobs()
    model = SVM(kernel="linear").fit(X, y)
    around = context(model, X, y)
    of_pair = Context(X, y, around.rows, SVM(), "classification", around.grid, field=np.zeros((101, 101, 3)))
    (alone,), (lines,) = margins.margin_lines.draw(model, around), margins.margin_lines.draw(model, of_pair)
    np.testing.assert_allclose(lines.xy, alone.xy, atol=1e-4)


def test_support_vectors_are_told_apart():
    X, y = blobs()
    model = SVM(kernel="linear").fit(X, y)
    free, bound = margins.support_vectors.draw(model, context(model, X, y))
    assert isinstance(free, Points)
    assert (free.role, bound.role) == ("support vector", "bound support vector")
    np.testing.assert_allclose(np.abs(model.decision_function(free.xy)), 1.0, atol=1e-8)
    assert set(free.rows - 100) | set(bound.rows - 100) == set(model.support)
    assert (model.signs * model.decision_function(X))[bound.rows - 100].max() <= 1 + 1e-8


@pytest.mark.parametrize("kernel", KERNELS)
def test_slack_leads_to_the_margin(kernel):
    X, y = blobs()
    model = SVM(kernel=kernel).fit(X, y)
    (slack,) = margins.slack.draw(model, context(model, X, y))
    assert isinstance(slack, Segments)
    rows = slack.rows - 100
    violators = set(np.flatnonzero(model.slack > 1e-3))
    assert set(rows) <= violators
    assert len(rows) > 0.8 * len(violators)
    np.testing.assert_array_equal(slack.start, X[rows])
    np.testing.assert_allclose(model.decision_function(slack.end), model.signs[rows], atol=2e-3)


def test_slack_of_a_straight_street_is_perpendicular():
    X, y = blobs()
    model = SVM(kernel="linear").fit(X, y)
    (slack,) = margins.slack.draw(model, context(model, X, y))
    length = np.linalg.norm(slack.end - slack.start, axis=1)
    np.testing.assert_allclose(length, model.slack[slack.rows - 100] * model.margin, rtol=1e-6)


def test_hovering_tells_f_and_alpha():
    X, y = blobs()
    model = SVM(kernel="linear").fit(X, y)
    free = next(r for r in model.support if not model.at_bound[r])
    bound, idle = np.flatnonzero(model.at_bound)[0], np.flatnonzero(model.alpha == 0)[0]
    assert f"alpha = {model.alpha[free]:.3g} of C = 1" in model.explain(X[free]).sentence
    assert "at the bound: alpha = C = 1, slack" in model.explain(X[bound]).sentence
    assert "Not a support vector" in model.explain(X[idle]).sentence
    far = model.explain(np.array([50.0, 50.0]))
    assert "alpha" not in far.sentence
    assert "class 1: f(x) = " in far.sentence
    assert "outside the street" in far.sentence


def test_the_terms_that_are_told_add_up():
    X, y = blobs()
    model = SVM(C=3.0).fit(X, y)
    told = model.explain(np.array([0.3, 0.8]))
    numbers = [float(n) for n in re.findall(r"(?:add|class 0|offset) ([+-][\d.e+-]*\d)", told.sentence)]
    assert len(numbers) == 3
    f = float(model.decision_function(np.array([[0.3, 0.8]]))[0])
    assert sum(numbers) == pytest.approx(f, abs=0.1)
    links = told.marks[0]
    assert isinstance(links, Segments)
    assert 1 <= len(links.end) <= 5
    assert {tuple(place) for place in links.end.tolist()} <= {tuple(place) for place in X[model.support].tolist()}


def test_the_way_to_a_straight_boundary_is_shown():
    X, y = blobs()
    model = SVM(kernel="linear").fit(X + 100, y)
    (way, here) = model.explain(np.array([103.0, 99.0])).marks
    np.testing.assert_array_equal(here.xy, way.start)
    np.testing.assert_allclose(model.decision_function(way.end), 0.0, atol=1e-8)
    length = np.linalg.norm(way.end - way.start)
    assert length == pytest.approx(abs(model.decision_function(way.start)[0]) * model.margin)


def test_equivalents_are_shown():
    svm = SVM(C=2.0, sigma=0.5)
    assert svm.parameter("C").equivalent(svm, 100) == "λ = 1/(2 C n) = 0.0025"
    assert svm.parameter("sigma").equivalent(svm, 100) == "γ = 1/(2 σ²) = 2"
    assert not svm.matters(svm.parameter("degree"))
