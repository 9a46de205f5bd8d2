"""What the lens, bias and variance, stability and influence tell and draw, each computed once more without them."""

import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_allclose

from mlviz.algorithms import registry as methods
from mlviz.algorithms.base import CannotFit
from mlviz.data.generators.catalog import HillRegression, generators
from mlviz.draw.layer import Context
from mlviz.draw.numbers import share
from mlviz.numerics.grid import Grid
from mlviz.picture import draw
from mlviz.pipeline.decisions import NATURAL_DECISION
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from mlviz.studies import registry
from mlviz.studies.question import Samples

STUDIES = {name: registry()[name] for name in ("variance-lens", "bias-variance", "stability", "influence")}
CLASSES = generators()["moons"](n_samples=40, noise=0.3).generate(4)
VALUES = generators()["sine"](n_samples=30).generate(2)
LINE = np.linspace(-4, 4, 81)


def last(study, pipeline, X, y, **more):
    result = None
    for result in study.run(pipeline, X, y, **more):
        assert result.done <= result.total
    assert result.complete
    return result


def of(method, **values):
    return Pipeline(methods()[method](**values))


def context(X, y, task, **places):
    return Context(X=X, y=y, rows=np.arange(len(X)), algorithm=None, task=task, **places)


def drawn(result, task="regression", **places):
    question = result.question
    study = next(kind for kind in STUDIES.values() if type(result).__name__.startswith(_stem(kind)))
    (overlay,) = study.overlays
    return {mark.role: mark for mark in overlay.draw(result, context(question.X, question.y, task, **places))}


def _stem(kind):
    return {"variance-lens": "Lens", "bias-variance": "BiasVariance"}.get(kind.id, kind.__name__)


def pieces(xy):
    ends = np.flatnonzero(np.isnan(xy[:, 0]))
    return np.split(xy[~np.isnan(xy[:, 0])], ends - np.arange(len(ends)))


@pytest.mark.parametrize("method", ["knn", "kernel-ridge", "parzen"])
def test_the_curves_of_the_lens_are_those_of_fits_on_fresh_samples_and_the_middle_one_is_their_mean(method):
    X, y = VALUES.X[:, :1], VALUES.X[:, 1]
    result = last(STUDIES["variance-lens"](fits=7), of(method), X, y, source=VALUES.source)
    marks = drawn(result, line=LINE)
    curves = pieces(marks["bundle"].xy)
    assert len(curves) == 7 and result.facts()["samples"].value == "fresh samples"
    assert_allclose(marks["bundle mean"].xy[:, 1], np.mean([curve[:, 1] for curve in curves], axis=0), rtol=1e-12)
    for curve, model in zip(curves, result.bundle.models, strict=True):
        sample = model.training
        assert len(sample.X) == 30 and not np.array_equal(sample.X, X)
        again = of(method).fit(sample.X, sample.y)
        assert_allclose(curve[:, 1], again.predict(LINE[:, None]), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("method", ["lda", "logistic", "svm", "qda"])
def test_the_boundaries_of_the_lens_part_what_each_fit_predicts(method):
    result = last(STUDIES["variance-lens"](samples="bootstrap", fits=5), of(method), CLASSES.X, CLASSES.labels)
    grid = Grid.over((-4, 4, -4, 4), 160, 160)
    marks = drawn(result, "classification", grid=grid)
    places = marks["bundle"].xy[np.isfinite(marks["bundle"].xy[:, 0])]
    reach = 8 / 79
    sides = [
        [model.predict(places + step) for step in reach * np.array([(1, 0), (-1, 0), (0, 1), (0, -1)])]
        for model in result.bundle.models
    ]
    assert np.any([np.ptp(side, axis=0) > 0 for side in sides], axis=0).all()
    nodes = grid.points()
    votes = np.mean([model.predict(nodes) for model in result.bundle.models], axis=0)
    middle = marks["bundle mean"].xy
    middle = middle[np.isfinite(middle[:, 0])]
    for place in middle[:: max(1, len(middle) // 10)]:
        near = votes[np.hypot(*(nodes - place).T) < 2 * reach]
        assert near.min() < 0.5 < near.max()


def test_of_features_of_the_inputs_the_picture_has_the_boundary_of_each_fit():
    study, pipeline = STUDIES["stability"](), of("logistic").replace(preprocessing="features")
    data = generators()["circles"](n_samples=30, noise=0.2).generate(1)
    (picture,) = draw(Scene(data, (Panel(pipeline, studies=(study,)),)), [(400, 400)])
    (bundle,) = (mark for mark in picture.plot.marks if mark.role == "bundle")
    places = bundle.xy[np.isfinite(bundle.xy[:, 0])]
    fits = [pipeline.fit(np.delete(data.X, i, axis=0), np.delete(data.labels, i)) for i in range(len(data.X))]
    steps = 8 / 79 * np.array([(1, 0), (-1, 0), (0, 1), (0, -1)])
    sides = np.array([[fit.predict(places + step) for step in steps] for fit in fits])
    changes = np.ptp(sides, axis=1) > 0
    assert changes.any(axis=0).all() and changes.any(axis=1).all()


def test_a_bootstrap_does_not_depend_on_the_order_of_the_points():
    order = np.random.default_rng(0).permutation(len(CLASSES))
    lens = STUDIES["variance-lens"](samples="bootstrap", fits=3)
    first = last(lens, of("lda"), CLASSES.X, CLASSES.labels)
    second = last(lens, of("lda"), CLASSES.X[order], CLASSES.labels[order])
    for one, other in zip(first.bundle.models, second.bundle.models, strict=True):
        assert_allclose(one.decision_function(CLASSES.X), other.decision_function(CLASSES.X), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("method", "name"), [("knn", ""), ("kernel-ridge", "lambda"), ("kernel-ridge", "sigma")])
@pytest.mark.parametrize("inputs", ["drawn anew", "as they are"])
def test_bias_variance_and_noise_add_up_to_the_risk_that_is_measured(method, name, inputs):
    study = STUDIES["bias-variance"](hyperparameter=name, values=4, fits=25, inputs=inputs)
    X, y = VALUES.X[:, :1], VALUES.X[:, 1]
    result = last(study, of(method), X, y, source=VALUES.source, seed=3)
    table = dict(zip(*result.table(), strict=True))
    parts = np.array([table[name] for name in ("bias squared", "variance", "noise")])
    assert_allclose(parts.sum(axis=0), table["sum"], rtol=1e-12)
    assert set(table["noise"]) == {0.4**2}
    off = np.abs(np.subtract(table["sum"], table["measured risk"]))
    assert (off < 3 * np.array(table["standard error"])).all()
    if method == "knn" and inputs == "as they are":
        assert (
            np.abs(np.subtract(table["exact risk"], table["measured risk"])) < 3 * np.array(table["standard error"])
        ).all()


@pytest.mark.parametrize("method", ["knn", "kernel-ridge", "parzen", "linear-regression"])
def test_over_the_plane_they_add_up_too_and_the_bundle_lies_where_the_fits_say_one_value(method):
    study = STUDIES["bias-variance"](values=3, fits=12)
    data = HillRegression().generate(0)
    pipeline = of(method, **({"basis": "polynomial"} if method == "linear-regression" else {}))
    result = last(study, pipeline, data.X[:, :2], data.X[:, 2], source=data.source, seed=3)
    table = dict(zip(*result.table(), strict=True))
    assert_allclose(
        np.sum([table[name] for name in ("bias squared", "variance", "noise")], axis=0), table["sum"], rtol=1e-12
    )
    off = np.abs(np.subtract(table["sum"], table["measured risk"]))
    assert (off < 3 * np.array(table["standard error"])).all()
    grid = Grid.over((-4, 4, -4, 4), 80, 80)
    seen = context(data.X[:, :2], data.X[:, 2], "regression", grid=grid)
    bundle = result.bundle()
    thin, thick = bundle.marks(seen, NATURAL_DECISION, "fits", "their mean")
    level = float(thick.label.removeprefix("where their mean is ").replace("−", "-"))
    assert thin.label == f"fits, where they say {thick.label.removeprefix('where their mean is ')}"
    if method in ("kernel-ridge", "linear-regression"):  # of the others the fields jump, or nearly
        places = thick.xy[np.isfinite(thick.xy[:, 0])]
        said = np.mean([model.predict(places) for model in bundle.models], axis=0)
        assert_allclose(said, level, atol=0.03)


def test_bias_and_variance_are_those_of_the_predictions():
    study = STUDIES["bias-variance"](values=3, fits=6)
    X, y = VALUES.X[:, :1], VALUES.X[:, 1]
    result = last(study, of("knn"), X, y, source=VALUES.source)
    fits = result.fits
    truth = VALUES.source.regression_function(fits.X_test[:, 0])
    for v, k in enumerate(fits.axis.values):
        told = np.array(
            [
                of("knn", n_neighbors=k).fit(model.training.X, model.training.y).predict(fits.X_test)
                for model in fits.models[v]
            ]
        )
        apart, variance = ((told.mean(axis=0) - truth) ** 2).mean(), told.var(axis=0, ddof=1).mean()
        unbiased = max(apart - variance / len(told), 0.0)
        assert_allclose(result.table().columns[1][v], unbiased, rtol=1e-9, atol=1e-12)
        assert_allclose(result.table().columns[2][v], apart + told.var(axis=0).mean() - unbiased, rtol=1e-9)


def test_of_classifiers_the_mean_error_is_told_and_no_sum():
    study = STUDIES["bias-variance"](values=3, fits=5)
    result = last(study, of("knn"), CLASSES.X, CLASSES.labels, source=CLASSES.source)
    table = dict(zip(*result.table(), strict=True))
    assert "sum" not in table
    fits = result.fits
    told = [np.mean([(model.predict(fits.X_test) != fits.y_test).mean() for model in models]) for models in fits.models]
    assert_allclose(table["test error"], told, rtol=1e-12)


@pytest.mark.parametrize("method", ["lda", "svm", "knn", "kernel-ridge"])
def test_the_influence_of_a_point_is_how_far_the_fit_changes_without_it(method):
    data = VALUES if method == "kernel-ridge" else CLASSES
    X, y = (data.X[:, :1], data.X[:, 1]) if data is VALUES else (data.X, data.labels)
    result = last(STUDIES["influence"](), of(method), X, y, rows=np.arange(len(X)) + 5)
    whole = of(method).fit(X, y)
    low, high = X.min(axis=0), X.max(axis=0)
    at = X
    if data is CLASSES:
        (x0, y0), (x1, y1) = low - 0.1 * (high - low), high + 0.1 * (high - low)
        at = Grid.over((x0, x1, y0, y1), 40, 40).points()
    for place in (0, 7, 19):
        rest = np.delete(np.arange(len(X)), place)
        change = of(method).fit(X[rest], y[rest]).predict(at) - whole.predict(at)
        told = (change != 0).mean() if data is CLASSES else np.sqrt((change**2).mean())
        assert_allclose(result.influences[list(result.places).index(place)], told, rtol=1e-7, atol=1e-9)
    points, values = result.table().columns
    assert sorted(points) == [row + 6 for row in range(len(X))] and values == result.influences


def test_the_tints_are_on_their_points_and_the_ghost_is_the_fit_without_the_one_at_the_cursor():
    result = last(STUDIES["influence"](), of("lda"), CLASSES.X, CLASSES.labels, rows=np.arange(40))
    grid, probe = Grid.over((-4, 4, -4, 4), 120, 120), CLASSES.X[11] + 1e-3
    marks = drawn(result, "classification", grid=grid, probe=probe)
    tints = marks["influence tint"]
    assert_allclose(tints.xy, CLASSES.X[tints.rows])
    known = dict(zip(result.rows.tolist(), result.influences, strict=True))
    shares = np.array([known[row] for row in tints.rows.tolist()]) / max(result.influences)
    assert_allclose(tints.strength / 255, shares, atol=0.5 / 255)
    assert tints.label == f"influence of each point, 0 to {share(max(result.influences))}"
    assert marks["selection"].rows.tolist() == [11]
    rest = np.delete(np.arange(40), 11)
    without = of("lda").fit(CLASSES.X[rest], CLASSES.labels[rest])
    xy = marks["ghost"].xy
    assert_allclose(without.decision_function(xy[np.isfinite(xy[:, 0])]), 0, atol=2e-2)


def test_moved_points_move_by_the_spread_of_the_points():
    near = last(STUDIES["stability"](change="moved", distance=1e-6), of("lda"), CLASSES.X, CLASSES.labels)
    far = last(STUDIES["stability"](change="moved", distance=2.0), of("lda"), CLASSES.X, CLASSES.labels)
    assert max(near.influences) <= 2 / 1600 < max(far.influences)


@pytest.mark.parametrize("name", STUDIES)
def test_where_there_is_nothing_to_be_told_a_sentence_says_why(name):
    study = STUDIES[name]()
    for n in (0, 1):
        with pytest.raises(CannotFit):
            last(study, of("lda"), CLASSES.X[:n], CLASSES.labels[:n])
    with pytest.raises(CannotFit):
        last(study, of("kmeans"), CLASSES.X, None)


def test_the_source_draws_other_samples_of_the_same_truth():
    source = generators()["blobs"](n_samples=3000).generate(5).source
    drawn = source.further(77)
    means = [drawn.X[drawn.labels == code].mean(axis=0) for code in range(3)]
    assert_allclose(means, source.means(), atol=0.1)
    assert not np.array_equal(drawn.X, source.generate(5).X)


def test_a_study_of_a_held_out_set_says_nothing_else_than_without_it():
    lens = STUDIES["stability"]()
    test = Samples(CLASSES.X[:5], CLASSES.labels[:5])
    one = last(lens, of("lda"), CLASSES.X, CLASSES.labels)
    other = last(lens, of("lda"), CLASSES.X, CLASSES.labels, test=test)
    assert one.influences == other.influences and dataclasses.is_dataclass(one)
