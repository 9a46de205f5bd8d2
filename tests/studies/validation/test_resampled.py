"""Learning curve and optimism against scikit-learn and plain fits."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.model_selection import learning_curve

from mlviz.algorithms import CannotFit, registry
from mlviz.data.generators.catalog import Blobs, Moons, SineRegression
from mlviz.pipeline.pipeline import Pipeline
from mlviz.studies import registry as studies
from mlviz.studies.question import Question, Samples
from tests.studies.validation.wrapped import WrappedClassifier
from tests.sweep import sweep

LearningCurve, Optimism = studies()["learning-curve"], studies()["optimism"]
BLOBS = Blobs(n_samples=60).generate(1)
MOONS = Moons(n_samples=60, noise=0.35).generate(1)
SINE = SineRegression(n_samples=30).generate(1)


def last(study, method, X, y, preprocessing="none", **more):
    *_, result = study.run(Pipeline(registry()[method](), preprocessing), X, y, **more)
    return result


@pytest.mark.parametrize("preprocessing", ["none", "standardize"])
def test_a_learning_curve_is_scikit_learns(preprocessing):
    X, y = BLOBS.X * (1, 30), BLOBS.labels
    result = last(LearningCurve(sizes=4, repeats=3), "lda", X, y, preprocessing)
    # The largest set of each repeat has the others as its first samples.
    folds = result.folding.folds[len(result.sizes) - 1 :: len(result.sizes)]
    sizes, training, test = learning_curve(
        WrappedClassifier("lda", preprocessing, "shrinkage", 0.0), X, y, train_sizes=result.sizes, cv=folds
    )[:3]
    assert_allclose(sizes, result.sizes)
    assert_allclose(result.training, 1 - training, atol=1e-12)
    assert_allclose(result.test, 1 - test, atol=1e-12)


def test_every_class_is_learned_from_and_larger_sets_hold_the_smaller_ones():
    y = np.where(np.arange(60) < 4, 0, BLOBS.labels + 1)
    result = last(LearningCurve(sizes=6, repeats=5), "nearest-centroid", BLOBS.X, y)
    count = len(result.sizes)
    for repeat in range(5):
        sets = [set(training.tolist()) for training, _ in result.folding.folds[repeat * count : (repeat + 1) * count]]
        assert [len(one) for one in sets] == result.sizes.tolist()
        assert all(one <= other for one, other in pairwise(sets))
        assert all(len(set(y[list(one)].tolist())) == 4 for one in sets)


def test_samples_held_out_in_the_scene_are_judged():
    X, y = MOONS.X, MOONS.labels
    question = Question(Pipeline(registry()["lda"]()), X[:40], y[:40], test=Samples(X[40:], y[40:]))
    *_, result = LearningCurve(sizes=3, repeats=2).steps(question)
    model = question.pipeline.fit(X[:40], y[:40])
    assert_allclose(result.test[-1], (model.predict(X[40:]) != y[40:]).mean(), atol=1e-12)


@pytest.mark.parametrize("draw", ["hold-out", "bootstrap"])
@pytest.mark.parametrize("method", ["svm", "lda"])
def test_optimism_is_that_of_plain_fits(draw, method):
    X, y = MOONS.X, MOONS.labels
    result = last(Optimism(draw=draw, repeats=12), method, X, y)
    gaps = []
    for training, test in result.folding.folds:
        model = Pipeline(registry()[method]()).fit(X[training], y[training])
        wrong = [(model.predict(X[rows]) != y[rows]).mean() for rows in (training, test)]
        gaps.append(wrong[1] - wrong[0])
    assert_allclose(result.table().columns[3], gaps, atol=1e-12)
    assert_allclose(result.facts()["mean optimism"].value, np.mean(gaps), atol=1e-12)


def test_of_densities_optimism_is_what_the_likelihood_loses():
    result = last(Optimism(repeats=10), "gmm", BLOBS.X, None)
    model = Pipeline(registry()["gmm"]()).fit(BLOBS.X[result.folding.folds[0][0]])
    training, test = (model.score_samples(BLOBS.X[rows]).mean() for rows in result.folding.folds[0])
    assert_allclose(result.table().columns[3][0], training - test, atol=1e-12)


@pytest.mark.parametrize("study", [LearningCurve(sizes=3, repeats=3), Optimism(repeats=4)])
def test_shuffled_samples_have_the_same_answer(study):
    order = np.random.default_rng(5).permutation(len(BLOBS.X))
    one = last(study, "knn", BLOBS.X, BLOBS.labels, seed=3)
    other = last(study, "knn", BLOBS.X[order], BLOBS.labels[order], seed=3)
    assert_allclose(one.test, other.test, atol=1e-12)
    assert_allclose(one.training, other.training, atol=1e-12)


@sweep("method, study", registry(), [LearningCurve(sizes=3, repeats=2), Optimism(repeats=2)])
def test_every_method_has_an_answer_or_a_sentence(method, study):
    kind = registry()[method]
    X, y = (SINE.X[:, :1], SINE.X[:, 1]) if kind.tasks == ("regression",) else (BLOBS.X, BLOBS.labels)
    cases = [(X, y), *((X[:count], np.zeros_like(y[:count])) for count in (1, 2, 3))]
    for some, target in cases:
        try:
            result, sentence = last(study, method, some, target), ""
        except CannotFit as error:
            result, sentence = None, str(error)
        if result is None:
            assert sentence.endswith(".")
        else:
            assert result.complete and result.plots() and result.facts() and result.table().columns


def test_fits_that_could_not_be_made_are_told():
    X = np.repeat([(0.0, 0.0), (1.0, 2.0), (3.0, 1.0)], (1, 1, 6), axis=0)
    result = last(Optimism(draw="bootstrap", repeats=12), "gmm", X, None)
    missing = int(np.isnan(result.training).sum())
    assert 0 < missing < 12 and result.facts()["not fitted"].value.startswith(f"{missing} fits: There are only 2")


@pytest.mark.parametrize("id", ["learning-curve", "optimism", "validation-curve", "heat-map"])
def test_infinite_losses_of_test_samples_leave_those_of_training_samples_as_they_are(id):
    fields = {parameter.name for parameter in studies()[id].parameters()}
    few = {"values": 3, "sizes": 3, "repeats": 3, "folds": 3}
    study = studies()[id](**{name: value for name, value in few.items() if name in fields})
    *_, result = study.run(Pipeline(registry()["kde"](kernel="epanechnikov", width=0.1)), BLOBS.X, None)
    assert np.isinf(result.test).any() and np.isfinite(result.training).all()


def test_draws_of_infinite_loss_are_told_and_the_training_loss_is_that_of_the_fit():
    kde = registry()["kde"](kernel="epanechnikov", width=0.1)
    *_, result = Optimism(repeats=10).run(Pipeline(kde), BLOBS.X, None)
    assert result.facts()["draws of infinite loss"].value == np.isinf(result.test).sum() == 10
    for loss, (training, _) in zip(result.training, result.folding.folds, strict=True):
        assert_allclose(-loss, Pipeline(kde).fit(BLOBS.X[training]).score_samples(BLOBS.X[training]).mean(), atol=1e-12)
