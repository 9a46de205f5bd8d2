import itertools
import math

import numpy as np
import pytest
from sklearn.covariance import empirical_covariance, shrunk_covariance
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.gaussian.lda import LDA
from mlviz.algorithms.gaussian.naive_bayes import NaiveBayes
from mlviz.algorithms.gaussian.qda import QDA
from mlviz.data.dataset import Dataset
from mlviz.draw.layer import Context
from mlviz.draw.marks import Arrows, Ellipses, Lines, Points, Polygons, Segments
from mlviz.numerics.density.gaussian_density import ClassMoments
from mlviz.numerics.grid import Grid
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene, View
from tests.sweep import trials

METHODS = {
    "lda": (LDA, lambda: LinearDiscriminantAnalysis(solver="lsqr")),
    "qda": (QDA, lambda: QuadraticDiscriminantAnalysis(tol=0)),
    "naive-bayes": (NaiveBayes, lambda: GaussianNB(var_smoothing=0)),
}
EVERY = pytest.mark.parametrize(("cls", "oracle"), METHODS.values(), ids=METHODS)


def classes(n=60, k=3, d=2, seed=0, apart=1.5):
    """k overlapping groups, each stretched in another way."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % k
    turned = rng.normal(size=(k, d, d)) * 0.5 + np.eye(d)
    return np.einsum("nij,nj->ni", turned[y], rng.normal(size=(n, d))) + apart * rng.normal(size=(k, d))[y], y


def drawn_from(model, n, rng):
    """n samples of the model's own classes, and the class of each."""
    numbers = rng.choice(len(model.classes), size=n, p=model.priors)
    normal = rng.standard_normal((n, model.means.shape[1]))
    spread = np.einsum("nij,nj->ni", np.linalg.cholesky(model.covariances)[numbers], normal)
    return model.means[numbers] + spread, model.classes[numbers]


def agree(model, oracle, X, atol):
    np.testing.assert_allclose(model.predict_proba(X), oracle.predict_proba(X), atol=atol)
    np.testing.assert_array_equal(model.predict(X), oracle.predict(X))


@EVERY
@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_real_data(cls, oracle, load):
    X, y = load(return_X_y=True)
    agree(cls().fit(X, y), oracle().fit(X, y), X, 1e-7)


@EVERY
def test_random_problems(cls, oracle):
    rng = np.random.default_rng(7)
    worst = 0.0
    for seed in trials(70):
        k, d = int(rng.integers(2, 6)), int(rng.integers(1, 6))
        X, y = classes(int(rng.integers(8 * k, 40 * k)), k, d, seed)
        X = X * 10 ** rng.uniform(-1, 2) + rng.normal(size=d) * 10
        model, theirs = cls().fit(X, y), oracle().fit(X, y)
        assert not model.caveat
        worst = max(worst, float(np.abs(model.predict_proba(X) - theirs.predict_proba(X)).max()))
        np.testing.assert_allclose(model.means, theirs.theta_ if cls is NaiveBayes else theirs.means_, atol=1e-10)
        density = np.log(sum(map(np.exp, theirs.predict_joint_log_proba(X).T))) if cls is NaiveBayes else None
        if density is not None:
            np.testing.assert_allclose(model.score_samples(X), density, atol=1e-9)
    assert worst < 1e-9


@EVERY
@pytest.mark.parametrize("k", [1, 2, 4])
@pytest.mark.parametrize("d", [1, 2, 3])
def test_the_words_are_those_of_gaussians(cls, oracle, k, d):
    X, y = classes(80, k, d, 3)
    model = cls().fit(X, y)
    pooled = sum(np.cov(X[y == c].T, bias=True) * (y == c).mean() for c in range(k)).reshape(d, d)
    joint = []
    for code in range(k):
        mine = X[y == code]
        covariance = np.cov(mine.T, bias=True).reshape(d, d)
        if cls is NaiveBayes:
            covariance = np.diag(np.diag(covariance))
        if cls is LDA:
            covariance = pooled
        np.testing.assert_allclose(model.means[code], mine.mean(axis=0), atol=1e-12)
        np.testing.assert_allclose(model.covariances[code], covariance, atol=1e-12)
        away = X - mine.mean(axis=0)
        square = (away @ np.linalg.inv(covariance) * away).sum(axis=1)
        np.testing.assert_allclose(model.mahalanobis(X)[:, code] ** 2, square, rtol=1e-9)
        joint.append(math.log(len(mine) / 80) - 0.5 * (square + np.linalg.slogdet(2 * np.pi * covariance)[1]))
    joint = np.array(joint)
    scores = joint[1] - joint[0] if k == 2 else joint.T
    np.testing.assert_allclose(model.decision_function(X), scores, atol=1e-10)
    np.testing.assert_allclose(model.score_samples(X), np.log(np.exp(joint).sum(axis=0)), atol=1e-10)
    assert model.facts()["log-likelihood"] == pytest.approx(joint[y, np.arange(80)].sum())
    np.testing.assert_array_equal(model.predict(X), np.argmax(joint, axis=0))


@EVERY
@pytest.mark.parametrize("k", [2, 3])
def test_a_prior_shifts_the_log_odds_by_exactly_its_logarithm(cls, oracle, k):
    X, y = classes(60, k)
    equal = cls(prior="equal").fit(X, y)
    np.testing.assert_array_equal(equal.priors, np.full(k, 1 / k))
    moved = cls(prior="by hand", priors=(1.0, 8.0)).fit(X, y)
    np.testing.assert_allclose(moved.priors, np.array([1, 8, 1])[:k] / (7 + k))
    np.testing.assert_array_equal(moved.covariances, equal.covariances)
    before, after = (np.log(model.predict_proba(X)) for model in (equal, moved))
    np.testing.assert_allclose((after[:, 1] - after[:, 0]) - (before[:, 1] - before[:, 0]), math.log(8), atol=1e-9)
    if k == 2:
        np.testing.assert_allclose(moved.decision_function(X) - equal.decision_function(X), math.log(8), atol=1e-12)
    assert moved.facts()["parameters"] == cls().fit(X, y).facts()["parameters"] - (k - 1)
    assert cls(prior="by hand", priors=(1, 8)).caption().count("1:8") == 1


@EVERY
def test_priors_go_by_the_order_of_the_classes_whatever_they_are_called(cls, oracle):
    X, y = classes(60, 2)
    by_hand = cls(prior="by hand", priors=(1.0, 4.0))
    for low, high in ((1, 2), (1, 3), (7, 9)):
        np.testing.assert_allclose(by_hand.fit(X, np.where(y, high, low)).priors, [0.2, 0.8])
    negative = cls(prior="by hand", priors=(1.0, 9.0)).fit(X, np.where(y, 1, -1))
    np.testing.assert_allclose(negative.priors, [0.1, 0.9])
    named = cls(prior="by hand", priors=(3.0, 1.0)).fit(X, np.array(["b", "a"])[y])
    np.testing.assert_allclose(named.priors, [0.75, 0.25])
    assert set(named.predict(X)) == {"a", "b"}


@EVERY
@pytest.mark.parametrize("k", [2, 3])
def test_priors_are_those_of_scikit_learn(cls, oracle, k):
    X, y = classes(90, k, 3)
    priors = np.array([0.2, 0.5, 0.3])[:k] / sum((0.2, 0.5, 0.3)[:k])
    model = cls(prior="by hand", priors=tuple(priors)).fit(X, y)
    theirs = oracle().set_params(priors=priors).fit(X, y)
    if cls is LDA:  # there the covariances are weighted by the priors
        theirs.covariance_ = model.covariances[0]
        theirs.coef_ = np.linalg.solve(theirs.covariance_, theirs.means_.T).T
        theirs.intercept_ = -0.5 * (theirs.coef_ * theirs.means_).sum(axis=1) + np.log(priors)
        if k == 2:
            theirs.coef_, theirs.intercept_ = np.diff(theirs.coef_, axis=0), np.diff(theirs.intercept_)
    agree(model, theirs, X, 1e-10)


def test_regularization_is_that_of_scikit_learn():
    for seed, share in itertools.product(range(5), (0.01, 0.3, 1.0)):
        X, y = classes(60, 3, 3, seed)
        X = X * [0.1, 1, 30]
        agree(QDA(reg_param=share).fit(X, y), QuadraticDiscriminantAnalysis(reg_param=share).fit(X, y), X, 1e-9)
        theirs = LinearDiscriminantAnalysis(solver="lsqr", shrinkage=share).fit(X, y)
        model = LDA(shrinkage=share).fit(X, y)
        agree(model, theirs, X, 1e-9)
        pooled = shrunk_covariance(empirical_covariance(X - model.means[y], assume_centered=True), share)
        np.testing.assert_allclose(model.covariances[0], pooled, rtol=1e-9)


def test_the_nearest_mean_wins_where_only_a_circle_is_left():
    X, y = classes(60, 3)
    nearest = np.argmin([np.linalg.norm(X - X[y == code].mean(axis=0), axis=1) for code in range(3)], axis=0)
    for algorithm in (QDA(prior="equal", reg_param=1.0), LDA(prior="equal", shrinkage=1.0)):
        np.testing.assert_array_equal(algorithm.fit(X, y).predict(X), nearest)


@pytest.mark.parametrize("d", [1, 2, 5])
def test_linear_scores_and_fisher_directions(d):
    X, y = classes(90, 2, d)
    model, theirs = LDA().fit(X, y), LinearDiscriminantAnalysis(solver="lsqr").fit(X, y)
    np.testing.assert_allclose(model.coef, theirs.coef_[0], rtol=1e-9)
    assert model.intercept == pytest.approx(theirs.intercept_[0])
    np.testing.assert_allclose(X @ model.coef + model.intercept, model.decision_function(X), atol=1e-11)
    # The direction is that of w; within the classes scores vary by 1, and the means are their distance apart.
    (along,) = model.scalings
    np.testing.assert_allclose(along / np.linalg.norm(along), model.coef / np.linalg.norm(model.coef), atol=1e-12)
    scores = model.transform(X)[:, 0]
    within = np.mean([(scores[y == c] - scores[y == c].mean()) ** 2 for c in (0, 1)])
    assert within == pytest.approx(1.0)
    assert scores[y == 1].mean() - scores[y == 0].mean() == pytest.approx(model.distance_of_means)
    assert model.distance_of_means == pytest.approx(math.sqrt(model.coef @ (model.means[1] - model.means[0])))


def test_directions_of_several_classes_are_those_of_scikit_learn():
    X, y = load_wine(return_X_y=True)
    model, theirs = LDA().fit(X, y), LinearDiscriminantAnalysis(solver="eigen").fit(X, y)
    ours, scores = model.transform(X), theirs.transform(X)
    assert ours.shape == (178, 2)
    assert LDA().fit(*classes(60, 4)).scalings.shape == (2, 2)
    for axis in (0, 1):
        assert abs(np.corrcoef(ours[:, axis], scores[:, axis])[0, 1]) == pytest.approx(1, abs=1e-9)
    theirs = LinearDiscriminantAnalysis(solver="lsqr").fit(X, y)
    np.testing.assert_allclose(model.coef, theirs.coef_, rtol=1e-7)
    np.testing.assert_allclose(model.intercept, theirs.intercept_, rtol=1e-7)


def test_the_bayes_error_is_how_often_the_model_errs_in_its_own_world():
    X, y = classes(80, 2)
    model = LDA(prior="equal").fit(X, y)
    assert model.bayes_error == pytest.approx(0.5 * math.erfc(model.distance_of_means / 2 / math.sqrt(2)))
    assert model.facts()["Bayes error of the model"] == model.bayes_error
    for priors in ((1.0, 1.0), (1.0, 6.0), (50.0, 1.0)):
        model = LDA(prior="by hand", priors=priors).fit(X, y)
        drawn, truth = drawn_from(model, 200_000, np.random.default_rng(0))
        assert np.mean(model.predict(drawn) != truth) == pytest.approx(model.bayes_error, abs=2e-3)
    same = LDA(prior="by hand", priors=(1.0, 3.0)).fit([[0.0], [1.0], [0.0], [1.0]], [0, 0, 1, 1])
    assert same.bayes_error == 0.25


@pytest.mark.parametrize("d", [1, 2, 3, 10])
@pytest.mark.parametrize("share", [0.001, 0.01, 0.1])
def test_outliers_of_one_class_are_beyond_the_quantile_of_chi_square(d, share):
    from scipy.special import chdtri

    X, y = classes(200, 1, d)
    model = QDA(outlier_share=share).fit(X, y)
    limit = chdtri(d, share)
    distance = np.linspace(0.2, 3, 400) * math.sqrt(limit)
    places = model.means[0] + distance[:, None] * np.linalg.cholesky(model.covariances[0])[:, 0]
    expected = distance**2 > limit * 1.002
    sure = np.abs(distance**2 / limit - 1) > 0.002
    np.testing.assert_array_equal(model.is_outlier(places)[sure], expected[sure])


@EVERY
@pytest.mark.parametrize("share", [0.01, 0.1])
def test_the_outlier_share_is_that_of_samples_of_the_model(cls, oracle, share):
    for k, d, seed in ((2, 2, 0), (3, 2, 1), (5, 2, 2), (3, 4, 3)):
        X, y = classes(120, k, d, seed)
        model = cls(outlier_share=share).fit(X, y)
        drawn, _ = drawn_from(model, 40_000, np.random.default_rng(5))
        assert model.is_outlier(drawn).mean() == pytest.approx(share, rel=0.15)
        assert model.facts()["outliers"] == model.is_outlier(X).sum()


@EVERY
def test_a_far_place_belongs_to_no_class(cls, oracle):
    X, y = classes(60, 2)
    model = cls().fit(X, y)
    near, far = model.explain(model.means[1]), model.explain(np.array([40.0, -30.0]))
    assert near.sentence.startswith("class 1 with probability 0.") and "far from" not in near.sentence
    assert "Mahalanobis distance 0)" in near.sentence and "prior 0.5" in near.sentence
    assert far.sentence.endswith("far from every class.") and "log p(x) = -" in far.sentence
    (lines,) = near.marks
    assert isinstance(lines, Segments) and (lines.end == model.means[1]).all()
    assert lines.start[0].tolist() == model.means[1].tolist()


@EVERY
def test_one_sample_of_a_class_gets_a_least_width_and_is_told_of(cls, oracle):
    X, y = classes(40, 1)
    X, y = np.vstack((X, [[6.0, 6.0]])), np.append(y, 1)
    model = cls().fit(X, y)
    assert model.predict([[6.0, 6.0]]) == [1]
    if cls is not LDA:  # the pooled covariance serves
        assert model.caveat.startswith("1 of 2 classes has too few samples")
        pooled = np.cov(X[:-1].T, bias=True) * 40 / 41
        np.testing.assert_allclose(np.diag(model.covariances[1]), 1e-6 * np.diag(pooled), rtol=1e-9)
    else:
        assert not model.caveat
    line = np.linspace(-1, 1, 20)[:, None] * [1.0, 1.0]
    model = cls().fit(line + np.random.default_rng(0).normal(size=(20, 1)), np.arange(20) % 2)
    assert bool(model.caveat) == (cls is not NaiveBayes)


@EVERY
def test_scale_and_place_do_not_matter(cls, oracle):
    X, y = classes(60, 3)
    expected = cls().fit(X, y).predict_proba(X)
    for scale, shift in ((1e-9, 0.0), (1e9, 0.0), (1.0, 1e6), (1e-100, 0.0), (1e100, 0.0), (np.array([1e-6, 1e6]), 0)):
        moved = X * scale + shift
        np.testing.assert_allclose(cls().fit(moved, y).predict_proba(moved), expected, atol=1e-7)
    for scale in (1e-200, 1e200):
        with pytest.raises(CannotFit, match="too far apart or too close together"):
            cls().fit(X * scale, y)


@EVERY
def test_weights_are_repeated_rows(cls, oracle):
    X, y = classes(60, 3)
    weights = np.random.default_rng(0).integers(0, 5, 60)
    weighted, repeated = cls().fit(X, y, sample_weight=weights), cls().fit(X.repeat(weights, axis=0), y.repeat(weights))
    np.testing.assert_allclose(weighted.priors, repeated.priors)
    np.testing.assert_allclose(weighted.covariances, repeated.covariances, atol=1e-12)
    assert weighted.log_likelihood == pytest.approx(repeated.log_likelihood)


def picture(algorithm, X, y, hidden=None, **view):
    scene = Scene(Dataset(X, y), (Panel(Pipeline(algorithm), hidden=hidden),), view=View(**view))
    (drawn,) = draw(scene, [(400, 400)], resolution=80)
    return drawn


def marks_of(drawn, kind, role):
    return [mark for mark in drawn.plot.marks if isinstance(mark, kind) and mark.role.startswith(role)]


@EVERY
def test_ellipses_are_one_and_two_standard_deviations(cls, oracle):
    X, y = classes(90, 3)
    model = cls().fit(X, y)
    ellipses = marks_of(picture(cls(), X, y), Ellipses, "ellipse")
    assert [mark.role for mark in ellipses] == ["ellipse 0", "ellipse 1", "ellipse 2"]
    assert [mark.label for mark in ellipses] == ["1, 2 sigma", "", ""]
    for code, mark in enumerate(ellipses):
        for sigma, half in zip((1, 2), mark.axes, strict=True):
            places = model.means[code] + np.vstack((half.T, -half.T))
            np.testing.assert_allclose(model.mahalanobis(places)[:, code], sigma)
        if cls is NaiveBayes:
            assert (np.abs(mark.axes) > 1e-9).sum() == 4
    (crosses,) = marks_of(picture(cls(), X, y), Points, "center")
    np.testing.assert_allclose(crosses.xy, model.means)


@EVERY
def test_the_line_of_outliers_is_where_the_density_is_the_level(cls, oracle):
    X, y = classes(60, 2)
    X[0] = 3.9, -3.9
    model = cls().fit(X, y)
    drawn = picture(cls(), X, y)
    (line,) = marks_of(drawn, Lines, "outlier line")
    at = line.xy[np.isfinite(line.xy[:, 0])]
    np.testing.assert_allclose(model.score_samples(at), model.outlier_level, atol=0.05)
    (rings,) = (mark for mark in marks_of(drawn, Points, "outlier") if mark.role == "outlier")
    np.testing.assert_array_equal(rings.rows, np.flatnonzero(model.is_outlier(X)))
    assert drawn.facts["outliers"].value == len(rings.rows) > 0
    assert not marks_of(drawn, Lines, "density") and not marks_of(drawn, Lines, "probability")
    everything = picture(cls(), X, y, hidden=())
    assert marks_of(everything, Lines, "density") and marks_of(everything, Lines, "probability")


@pytest.mark.parametrize("k", [2, 3])
def test_the_arrow_is_fishers_direction_and_the_feet_are_at_right_angles(k):
    X, y = classes(60, k)
    model = LDA().fit(X, y)
    drawn = picture(LDA(), X, y, hidden=())
    (arrow,) = marks_of(drawn, Arrows, "component")
    along = arrow.end[0] - arrow.start[0]
    w = model.scalings[0]
    assert abs(np.cross(np.append(along, 0), np.append(w, 0))[2]) < 1e-12
    scores = model.transform(model.means)[:, 0]
    np.testing.assert_allclose(
        model.transform(np.vstack((arrow.start, arrow.end)))[:, 0], [scores.min(), scores.max()], atol=1e-12
    )
    (legs,) = marks_of(drawn, Segments, "error")
    np.testing.assert_allclose((legs.end - legs.start) @ w, 0, atol=1e-10)
    np.testing.assert_allclose(model.transform(legs.end)[:, 0], model.transform(X)[:, 0], atol=1e-10)
    feet = marks_of(drawn, Points, "member")
    assert sum(len(mark.xy) for mark in feet) == 60


@pytest.mark.parametrize("k", [2, 3])
def test_the_chart_shows_the_classes_along_the_direction(k):
    X, y = classes(60, k)
    algorithm = LDA(prior="by hand", priors=(1.0, 4.0))
    model = algorithm.fit(X, y)
    (chart,) = picture(algorithm, X, y).sides
    bars = [mark for mark in chart.marks if isinstance(mark, Polygons)]
    areas = [sum(np.ptp(bar[:, 0]) * np.ptp(bar[:, 1]) for bar in mark.vertices) for mark in bars]
    np.testing.assert_allclose(areas, model.priors)
    curves = [mark.xy for mark in chart.marks if isinstance(mark, Lines) and mark.role.startswith("class")]
    np.testing.assert_allclose([np.trapezoid(xy[:, 1], xy[:, 0]) for xy in curves], model.priors, rtol=1e-2)
    thresholds = [mark.xy[0, 0] for mark in chart.marks if mark.role == "boundary"]
    assert len(thresholds) == (k == 2)
    if k == 2:
        heights = [np.interp(thresholds[0], *xy.T) for xy in curves]
        assert heights[0] == pytest.approx(heights[1], rel=2e-2)
        place = model.units.shift + thresholds[0] * model.scalings[0] / (model.scalings[0] @ model.scalings[0])
        assert model.decision_function(place[None])[0] == pytest.approx(0, abs=1e-9)


def test_the_threshold_of_the_chart_is_that_of_the_decision():
    X, y = classes(60, 2)
    model, grid = LDA().fit(X, y), Grid.over((-4, 4, -4, 4), 20, 20)
    context = Context(X=X, y=y, rows=np.arange(60), algorithm=LDA(), task="classification", grid=grid, threshold=1.5)
    chart = LDA.charts[0].draw(model, context)
    (line,) = (mark for mark in chart.marks if mark.role == "boundary")
    place = model.units.shift + line.xy[0, 0] * model.scalings[0] / (model.scalings[0] @ model.scalings[0])
    assert model.decision_function(place[None])[0] == pytest.approx(1.5)


@EVERY
def test_two_means_at_one_place_have_no_direction(cls, oracle):
    X = np.array([[-1.0, 0], [1, 0], [0, 1], [0, -1], [-2, 0], [2, 0], [0, 2], [0, -2]])
    y = np.arange(8) // 4
    drawn = picture(cls(), X, y, hidden=())
    assert drawn.message is None and not marks_of(drawn, Arrows, "component") and not drawn.sides
    assert drawn.facts["distance of means"].value == 0


@EVERY
def test_anatomy_is_left_out_where_binary_models_are_combined(cls, oracle):
    X, y = classes(60, 3)
    scene = Scene(Dataset(X, y), (Panel(Pipeline(cls(), multiclass="one-vs-one"), hidden=()),))
    (drawn,) = draw(scene, [(200, 200)], resolution=40)
    assert drawn.message is None and drawn.plot.marks and not marks_of(drawn, Ellipses, "ellipse")


def test_moments_of_classes_are_those_of_extended_precision():
    for seed in trials(100):
        rng = np.random.default_rng(seed)
        k, d = int(rng.integers(1, 5)), int(rng.integers(1, 5))
        codes = np.sort(np.concatenate((np.arange(k), rng.integers(0, k, 40))))
        scale = 10.0 ** rng.integers(-12, 12, d)
        apart, away = 10.0 ** rng.integers(0, 6), 10.0 ** rng.integers(0, 7)
        X = scale * (rng.normal(size=(len(codes), d)) + apart * rng.normal(size=(k, d))[codes] + away)
        given, weights = X.copy(), rng.uniform(0.1, 3, len(codes))
        moments = ClassMoments.of(X, np.searchsorted(codes, np.arange(k)), weights)
        np.testing.assert_array_equal(X, given)
        assert moments is not None
        digits = 10 * np.finfo(float).eps * float((np.abs(X).max(axis=0) / moments.units.scale).max())
        for c in range(k):
            P, share = X[codes == c].astype(np.longdouble), weights[codes == c].astype(np.longdouble)
            share = share / share.sum()
            centred = (P - share @ P) / moments.units.scale
            np.testing.assert_allclose(
                moments.covariances[c], ((centred.T * share) @ centred).astype(float), atol=digits
            )
            mean = (share @ P - moments.units.shift) / moments.units.scale
            np.testing.assert_allclose(moments.means[c], mean.astype(float), digits, digits)


@pytest.mark.parametrize(("cls", "expected"), [(LDA, 6 + 3), (QDA, 6 + 9), (NaiveBayes, 6 + 6)])
def test_parameters_are_counted(cls, expected):
    X, y = classes(k=3, d=2)
    assert cls(prior="equal").fit(X, y).facts()["parameters"] == expected
    assert cls().fit(X, y).facts()["parameters"] == expected + 2
