"""The validation curve against scikit-learn's, by every scheme, and for every hyperparameter of every method."""

import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.model_selection import validation_curve
from sklearn.svm import SVC

from mlviz.algorithms import CannotFit, registry
from mlviz.data.generators.catalog import Blobs, Moons, SineRegression
from mlviz.pipeline.pipeline import Pipeline
from mlviz.studies import registry as studies
from mlviz.studies.question import Question, Samples
from tests.studies.validation.wrapped import WrappedClassifier, WrappedRegressor
from tests.sweep import chosen, each

ValidationCurve = studies()["validation-curve"]
MOONS = Moons(n_samples=60, noise=0.35).generate(1)
BLOBS = Blobs(n_samples=60).generate(1)
SINE = SineRegression(n_samples=40).generate(1)


def last(study, pipeline, X, y, **more):
    *_, result = study.run(pipeline, X, y, **more)
    return result


def answer(study, pipeline, X, y):
    """The last result, or why there is none."""
    try:
        return last(study, pipeline, X, y), ""
    except CannotFit as error:
        return None, str(error)


def curve(method, X, y, preprocessing="none", seed=0, sample_weight=None, **settings):
    pipeline = Pipeline(registry()[method](), preprocessing)
    return last(ValidationCurve(**settings), pipeline, X, y, seed=seed, sample_weight=sample_weight)


def oracle(result, estimator, X, y, scoring, **more):
    axis = result.axis
    estimator.set_params(name=axis.parameter.name)
    return validation_curve(
        estimator,
        X,
        y,
        param_name="value",
        param_range=list(axis.values),
        cv=result.folding.folds,
        scoring=scoring,
        **more,
    )


@each("scheme, preprocessing", ["V-fold", "hold-out", "Monte Carlo", "leave-one-out"], ["none", "standardize"])
def test_errors_are_those_of_scikit_learns_validation_curve(scheme, preprocessing):
    X, y = BLOBS.X[::3] * (1, 30), BLOBS.labels[::3]
    result = curve("lda", X, y, preprocessing, scheme=scheme, values=3, folds=4)
    training, test = oracle(result, WrappedClassifier("lda", preprocessing), X, y, "accuracy")
    assert_allclose(result.training, 1 - training, atol=1e-12)
    assert_allclose(result.test, 1 - test, atol=1e-12)
    assert len(result.axis.values) == 3 and result.complete


def test_of_values_the_mean_of_squares_is_shown_as_its_root():
    X, y = SINE.X[:, :1], SINE.X[:, 1]
    result = curve("kernel-ridge", X, y, values=6, folds=5)
    training, test = oracle(result, WrappedRegressor("kernel-ridge"), X, y, "neg_mean_squared_error")
    assert_allclose(result.training, -training, atol=1e-12)
    assert_allclose(result.test, -test, atol=1e-12)
    column = result.table().columns[result.table().names.index("test RMSE")]
    assert_allclose(column, np.sqrt(-test.mean(axis=1)), atol=1e-12)


def test_log_loss_is_scikit_learns():
    result = curve("logistic", MOONS.X, MOONS.labels, values=4, folds=4, score="log loss")
    training, test = oracle(result, WrappedClassifier("logistic"), MOONS.X, MOONS.labels, "neg_log_loss")
    assert_allclose(result.training, -training, atol=1e-12)
    assert_allclose(result.test, -test, atol=1e-12)


def test_densities_are_judged_by_their_likelihood():
    result = curve("gmm", BLOBS.X, None, values=3, low="1", high="3", folds=3)
    for which, count in enumerate(result.axis.values):
        for fold, (training, test) in enumerate(result.folding.folds):
            model = Pipeline(registry()["gmm"](n_components=count)).fit(BLOBS.X[training])
            assert_allclose(-result.test[which, fold], model.score_samples(BLOBS.X[test]).mean(), atol=1e-12)
    assert result.best is not None and "log-likelihood" in str(result.facts())


def test_weights_count_in_fits_and_errors():
    weights = np.random.default_rng(0).integers(0, 4, len(MOONS.X)).astype(float)
    result = curve("svm", MOONS.X, MOONS.labels, values=5, folds=3, sample_weight=weights)
    X, y, w = MOONS.X[weights > 0], MOONS.labels[weights > 0], weights[weights > 0]
    for which, C in enumerate(result.axis.values):
        for fold, (training, test) in enumerate(result.folding.folds):
            model = SVC(C=C, gamma=0.5, tol=1e-9).fit(X[training], y[training], sample_weight=w[training])
            assert_allclose(result.test[which, fold], 1 - model.score(X[test], y[test], w[test]), atol=1e-12)


@each(
    "given, varied",
    [(2, "none"), (3, "standardize")],
    [("gaussian", "C"), ("linear", "C"), ("gaussian", "sigma"), ("polynomial", "degree")],
)
def test_machines_found_together_predict_what_each_predicts_by_itself(given, varied):
    (classes, preprocessing), (kernel, name) = given, varied
    data = {2: MOONS, 3: BLOBS}[classes]
    pipeline = Pipeline(registry()["svm"](kernel=kernel), preprocessing)
    X, y = data.X * (1, 3), data.labels
    result = last(ValidationCurve(values=4, folds=2, hyperparameter=name), pipeline, X, y)
    for which, one in enumerate(result.axis.pipelines(pipeline)):
        for fold, (training, test) in enumerate(result.folding.folds):
            model = one.fit(X[training], y[training])
            assert_allclose(result.test[which, fold], (model.predict(X[test]) != y[test]).mean(), atol=1e-12)
            assert_allclose(
                result.training[which, fold], (model.predict(X[training]) != y[training]).mean(), atol=1e-12
            )


def test_folds_are_shared_between_methods_and_hyperparameters():
    one = curve("svm", MOONS.X, MOONS.labels, values=3)
    other = curve("knn", MOONS.X, MOONS.labels, values=5)
    for (a, b), (c, d) in zip(one.folding.folds, other.folding.folds, strict=True):
        assert np.array_equal(a, c) and np.array_equal(b, d)


@pytest.mark.parametrize("method", ["svm", "knn", "lda"])
def test_shuffled_samples_have_the_same_curve(method):
    order = np.random.default_rng(5).permutation(len(BLOBS.X))
    one = curve(method, BLOBS.X, BLOBS.labels, values=4, seed=3)
    other = curve(method, BLOBS.X[order], BLOBS.labels[order], values=4, seed=3)
    assert_allclose(one.test, other.test, atol=1e-12)


def test_the_present_value_is_a_handle_and_the_curve_does_not_rest_on_it():
    study, svm = ValidationCurve(values=5), registry()["svm"]
    assert study.rests_on(Pipeline(svm(C=7.0))) == study.rests_on(Pipeline(svm(C=70.0)))
    assert study.rests_on(Pipeline(svm(sigma=2.0))) != study.rests_on(Pipeline(svm(sigma=3.0)))
    result = curve("svm", MOONS.X, MOONS.labels, values=5).of_panel(Pipeline(svm(C=7.25)))
    (handle,) = result.plots()[0].handles
    assert (handle.path, handle.kind, handle.values[handle.at]) == ("algorithm.C", "upright", 7.25)
    assert np.array_equal(handle.points[:, 0], handle.values) and (np.diff(handle.values) > 0).all()


def test_best_and_simplest_are_offered():
    result = curve("svm", MOONS.X, MOONS.labels, values=7)
    mean = result.test.mean(axis=1)
    values = result.axis.values
    best, simplest = (offer.settings for offer in result.offers())
    # A small C is the calm machine: of equal ones the smallest is best.
    assert best == (("algorithm.C", values[int(np.argmin(mean))]),)
    error = result.test.std(axis=1, ddof=1) / np.sqrt(result.test.shape[1])
    within = mean <= mean.min() + error[int(np.argmin(mean))] + 1e-12
    assert simplest == (("algorithm.C", values[int(np.argmax(within))]),)


def test_choices_are_categories_to_be_clicked():
    result = curve("svm", MOONS.X, MOONS.labels, folds=3, hyperparameter="kernel")
    (plot,) = result.plots()
    assert plot.x_ticks is not None and len(plot.areas) == len(plot.x_ticks) and not plot.handles
    assert plot.areas[1].settings == (("algorithm.kernel", "linear"),)


HYPERPARAMETERS = chosen(
    [(method, name) for method, kind in registry().items() for name in ("", *(p.name for p in kind.parameters()))]
)


@pytest.mark.parametrize("method", registry())
def test_every_hyperparameter_has_a_curve_or_a_sentence(method):
    kind = registry()[method]
    pipeline = Pipeline(kind())
    if not ValidationCurve().applies(pipeline):
        with pytest.raises(CannotFit, match="needs a method that predicts classes or values"):
            next(ValidationCurve().run(pipeline, BLOBS.X, BLOBS.labels))
        return
    X, y = (SINE.X[:, :1], SINE.X[:, 1]) if kind.tasks == ("regression",) else (BLOBS.X[::2], BLOBS.labels[::2])
    for name in [name for other, name in HYPERPARAMETERS if other == method]:
        study = ValidationCurve(values=2, folds=2, hyperparameter=name)
        result, sentence = answer(study, pipeline, X, y)
        if result is None:
            assert sentence.endswith(".")
            continue
        assert np.isfinite(result.test).any() and result.complete and result.table().columns
        assert np.isfinite(result.plots()[0].limits).all() and result.facts()


@pytest.mark.parametrize("scheme", ["V-fold", "hold-out", "Monte Carlo", "leave-one-out"])
@pytest.mark.parametrize("method", ["svm", "knn", "kernel-ridge", "gmm"])
def test_degenerate_samples_have_a_sentence(method, scheme):
    for count in (1, 2, 3):
        X, y = np.arange(2.0 * count).reshape(-1, 2), np.zeros(count, dtype=int)
        study = ValidationCurve(scheme=scheme, values=3)
        result, sentence = answer(study, Pipeline(registry()[method]()), X, y)
        assert result.complete if result is not None else sentence.endswith(".")


def test_results_come_early_and_stay_as_they_were():
    results = []
    for result in ValidationCurve(values=5).run(Pipeline(registry()["lda"]()), BLOBS.X, BLOBS.labels):
        if not results or result is not results[-1][0]:
            results.append((result, result.test.copy()))
    assert all(np.array_equal(result.test, test, equal_nan=True) for result, test in results)
    done = [result.done for result, _ in results]
    assert done == sorted(done) and done[-1] == results[-1][0].total == 50
    # All values are tried in one fold before the second fold.
    assert np.isfinite(results[5][1][:, 0]).all() and np.isnan(results[5][1][:, 1:]).all()


def test_samples_held_out_in_the_scene_are_those_of_hold_out():
    X, y = MOONS.X, MOONS.labels
    study = ValidationCurve(values=3, scheme="hold-out")
    question = Question(Pipeline(registry()["svm"]()), X[:40], y[:40], test=Samples(X[40:], y[40:]))
    *_, result = study.steps(question)
    for which, pipeline in enumerate(result.axis.pipelines(question.pipeline)):
        predicted = pipeline.fit(X[:40], y[:40]).predict(X[40:])
        assert_allclose(result.test[which, 0], (predicted != y[40:]).mean(), atol=1e-12)


def test_bad_names_and_ranges_are_told():
    cases = [
        (dict(hyperparameter="depth"), "no hyperparameter 'depth'"),
        (dict(hyperparameter="degree"), "makes no difference now"),
        (dict(low="5", high="2"), "none lie between"),
        (dict(low="0"), "begin above 0"),
    ]
    for settings, told in cases:
        with pytest.raises(CannotFit, match=told):
            curve("svm", MOONS.X, MOONS.labels, **settings)
    assert dataclasses.replace(ValidationCurve(), low="1e-3").low == "1e-3"
