"""Weights and targets near the ends of floating point: every method has an answer, or a sentence."""

import numpy as np
import pytest

from mlviz.algorithms import CannotFit, registry
from mlviz.algorithms.checking import computable
from mlviz.numerics.distances import FARTHEST_COMPUTABLE, length_of, pairwise
from mlviz.numerics.grid import Grid
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.preprocessing import preprocessings
from mlviz.scene.scene import MAX_LIMIT
from tests.sweep import sweep

RNG = np.random.default_rng(0)
X = np.vstack((RNG.normal(-1, 1, (12, 2)), RNG.normal(1, 1, (12, 2))))
Y = np.repeat([0, 1], 12)
W = 2.0 ** -RNG.integers(0, 4, 24)
"""Powers of two: dividing them by the largest loses no digit."""
METHODS = sorted(registry())
REGRESSIONS = [name for name in METHODS if "regression" in registry()[name].tasks]


def fitted(method, weights, preprocessing="none"):
    algorithm = registry()[method]()
    y = Y if "classification" in algorithm.tasks else X[:, 0] ** 2
    return Pipeline(algorithm, preprocessing).fit(X, y, 0, weights)


def answer_of(model):
    """What the method says of the places X."""
    words = ("transform", "predict", "score_samples")
    return getattr(model, next(word for word in words if hasattr(model.inner, word)))(X)


@sweep("method, scale", METHODS, [2.0**-1071, 2.0**-1000, 2.0**-40, 2.0**40, 2.0**1000, 2.0**1023])
def test_the_unit_of_extreme_weights_does_not_matter(method, scale):
    ordinary, extreme = fitted(method, W), fitted(method, W * scale)
    np.testing.assert_array_equal(answer_of(ordinary), answer_of(extreme))


@sweep("method, preprocessing", METHODS, ["none", "standardize", "whiten"])
def test_weights_may_differ_by_all_that_floats_can(method, preprocessing):
    weights = np.where(np.arange(24) % 3, 5e-324, 1.7e308)
    model = fitted(method, weights, preprocessing)
    assert np.isfinite(answer_of(model)).all()
    assert len(model.training.X) == 24


def test_weights_of_ordinary_size_stay_as_they_are():
    for weights in ([1.0, 2.0, 0.0], [1e-9, 1e-12, 1e-9], [1e9, 3.0, 1e-5]):
        np.testing.assert_array_equal(computable(np.array(weights)), weights)
    np.testing.assert_array_equal(computable(np.array([0.0, 5e-324])) > 0, [False, True])


@pytest.mark.parametrize("method", REGRESSIONS)
def test_targets_are_computable_or_refused(method):
    pipeline = Pipeline(registry()[method]())
    with pytest.raises(CannotFit, match="too large to compute with"):
        pipeline.fit(X, 1e300 * X[:, 0])
    model = pipeline.fit(X, 0.1 * FARTHEST_COMPUTABLE * np.tanh(X[:, 0]))
    assert np.isfinite(model.predict(X)).all() and np.isfinite(model.rating.named[1])


@pytest.mark.parametrize("preprocessing", ["none", "standardize", "whiten"])
def test_a_mixture_has_its_densities_whatever_the_preprocessing(preprocessing):
    model = fitted("gmm", None, preprocessing)
    given = model.training.transform.to_model(X)
    np.testing.assert_array_equal(model.score_samples(X), model.inner.score_samples(given))


@pytest.mark.parametrize("weight", [1e6, 1e100, 1e300, 1e-6])
def test_steps_do_not_grow_with_the_unit_of_the_weights(weight):
    """Two samples of weight 1e6 would otherwise be drawn 4e7 times."""
    given = np.array([[0.0, 0.0], [1.0, 1.0]]), np.array([0, 1])
    model = registry()["svm-sgd"]().fit(*given, sample_weight=[weight, weight])
    assert 40 <= model.steps <= 400 and (model.predict(given[0]) == given[1]).all()


UNITS = [(1.0, 1.0), (1e100, 1e100), (1e-300, 1.0), (1e100, 1e-300), (1e-150, 1e-160)]
PLACES = (1.0, 1e100, 1e160, 1e300, 1.7e308)
ANSWERS = ("predict", "decision_function", "predict_proba", "transform")


@sweep("method, preprocessing, units", METHODS, preprocessings(), UNITS)
def test_far_places_have_an_answer_and_no_warning(method, preprocessing, units):
    """Warnings are errors here; in the program they fill the log."""
    algorithm = registry()[method]()
    if any(parameter.name == "max_iter" for parameter in algorithm.parameters()):
        algorithm = algorithm.replace(max_iter=3)
    y = Y if "classification" in algorithm.tasks else X[:, 0]
    try:
        model = Pipeline(algorithm, preprocessing).fit(X * units, y)
    except CannotFit:
        return
    assert model.facts() is not None
    for far in PLACES:
        places = np.array([(far, far), (-far, far / 3), (0.0, far)])
        for answer in ANSWERS:
            if hasattr(model.inner, answer):
                assert not np.isnan(getattr(model, answer)(places)).any()
        if far <= MAX_LIMIT:
            told = model.explain(places[0])
            assert told is None or "nan" not in told.sentence
            if model.inner.field:  # components have no field
                assert not np.isnan(model.on_grid(Grid.over((-far, far, -far, far), 5, 5))).any()


def test_lengths_beyond_the_squares_are_told():
    assert length_of(np.array([3e200, 4e200])) == pytest.approx(5e200)
    far = pairwise(np.array([[3e200, 4e200], [0.0, 1.0]]), np.zeros((1, 2)))
    np.testing.assert_allclose(far, [[5e200], [1.0]])
