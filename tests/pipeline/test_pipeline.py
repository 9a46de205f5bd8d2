"""Preprocessing, several classes and following the hand, on methods small enough to check by eye."""

import dataclasses
import pickle

import numpy as np
import pytest
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from mlviz.algorithms import registry
from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.traits import Traits
from mlviz.numerics.grid import Grid
from mlviz.pipeline import binary_tasks
from mlviz.pipeline.binary_tasks import BinaryModel
from mlviz.pipeline.multiclass import OneVsOne, OneVsRest
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.preprocessing.standardize import Standardize
from mlviz.pipeline.rating import HeldOut, rated
from tests.pipeline.nearest_centre import CountingFollower, Followed, Mean, NearestCentre
from tests.sweep import each, trials

GRID = Grid.over((-4, 4, -3, 3), 17, 11)


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2, 5], 15)
    return rng.normal(size=(60, 2)) * (1, 0.2) + 2 * np.array([(0, 0), (1, 0), (0, 1), (1, 1)])[y % 4], y


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("offset", [0.0, 1e6])
@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9, 1e200])
def test_standardizing_is_standard_scaler(weighted, offset, unit):
    rng = np.random.default_rng(1)
    X = (rng.normal(size=(30, 3)) * (1, 5, 0.1) + offset) * unit
    X[:, 1] = X[0, 1]
    weights = rng.uniform(0.1, 3, 30) if weighted else None
    found = Standardize().learn(X, weights)
    z = found.to_model(X)
    np.testing.assert_allclose(np.average(z, axis=0, weights=weights), 0, atol=1e-8)
    np.testing.assert_allclose(np.average(z[:, [0, 2]] ** 2, axis=0, weights=weights), 1, rtol=1e-6)
    if unit == 1:
        expected = StandardScaler().fit(X, sample_weight=weights)
        np.testing.assert_allclose(found.scale, 1 / expected.scale_, rtol=1e-8)
    assert found.scale[1] == 1
    np.testing.assert_allclose(found.to_user(z), X, rtol=1e-8)


def test_two_classes_are_plain(data):
    X, y = data
    X, y = X[y < 2], y[y < 2]
    for scheme in ("auto", "direct", "one-vs-rest", "one-vs-one"):
        model = Pipeline(NearestCentre(), multiclass=scheme).fit(X, y)
        assert model.parts == ()
        assert model.decision_function(X).shape == (30,)


def test_direct_on_a_binary_method_says_what_to_choose(data):
    with pytest.raises(
        CannotFit, match="There are 4 classes, and nearest centre tells two classes apart: choose one-vs-one"
    ):
        Pipeline(NearestCentre(), multiclass="direct").fit(*data)


PAIRS = ("class 0 / class 1", "class 0 / class 2", "class 1 / class 2")


class Same(LinearSVC):
    """The tests' nearest-centre classifier behind scikit-learn's interface."""

    def fit(self, X, y):
        self.model_ = NearestCentre().fit(X, y)
        self.classes_ = self.model_.classes
        return self

    def decision_function(self, X):
        return self.model_.decision_function(X)

    def predict(self, X):
        return self.model_.predict(X)


@pytest.mark.parametrize(
    ("scheme", "oracle"), [("one-vs-one", OneVsOneClassifier), ("one-vs-rest", OneVsRestClassifier)]
)
@pytest.mark.parametrize("preprocessing", ["none", "standardize"])
def test_several_classes_agree_with_scikit_learn(data, scheme, oracle, preprocessing):
    X, y = data
    model = Pipeline(NearestCentre(), preprocessing, scheme).fit(X, y)
    scaler = StandardScaler(with_mean=preprocessing == "standardize", with_std=preprocessing == "standardize").fit(X)
    expected = oracle(Same()).fit(scaler.transform(X), y)
    places = GRID.points()
    np.testing.assert_allclose(model.decision_function(places), expected.decision_function(scaler.transform(places)))
    np.testing.assert_array_equal(model.predict(places), expected.predict(scaler.transform(places)))
    np.testing.assert_array_equal(model.classes, [0, 1, 2, 5])
    assert model.field == "decision_function"
    np.testing.assert_allclose(model.on_grid(GRID).reshape(-1, 4), model.decision_function(places))
    grid32 = model.on_grid(GRID, np.float32)
    np.testing.assert_allclose(grid32.reshape(-1, 4), model.decision_function(places), rtol=1e-4, atol=1e-4)


def test_parts_name_their_classes_and_rows(data):
    X, y = data
    pairs = Pipeline(NearestCentre()).fit(X, y)
    assert isinstance(pairs.inner, OneVsOne)
    assert [(p.negative, p.positive) for p in pairs.parts] == [(0, 1), (0, 2), (0, 5), (1, 2), (1, 5), (2, 5)]
    for part in pairs.parts:
        assert isinstance(part, BinaryModel)
        np.testing.assert_array_equal(y[part.rows], part.y)
        np.testing.assert_array_equal(part.model.classes, [part.negative, part.positive])
    rest = Pipeline(NearestCentre(), multiclass="one-vs-rest").fit(X, y)
    assert isinstance(rest.inner, OneVsRest)
    assert [(p.negative, p.positive, len(p.rows)) for p in rest.parts] == [(None, c, 60) for c in (0, 1, 2, 5)]


def test_every_step_of_several_classes_is_usable(data, monkeypatch):
    X, y = data
    assert len(list(Pipeline(NearestCentre()).steps(X, y))) == 1  # so few samples are not worth an interruption
    monkeypatch.setattr(binary_tasks, "_ENOUGH", 1)
    steps = list(Pipeline(NearestCentre()).steps(X, y))
    assert len(steps) == 12
    for step in steps:
        assert set(step.predict(X)) <= {0, 1, 2, 5}
        assert step.facts()["binary models"] == len(step.parts)
    last = Pipeline(NearestCentre()).fit(X, y)
    np.testing.assert_array_equal(steps[-1].decision_function(X), last.decision_function(X))


class Hesitant(NearestCentre):
    """Yields each model twice, to be interrupted in between."""

    traits = Traits(multiclass=False)

    def steps(self, *given):
        for model in super().steps(*given):
            yield from (model, model)


def test_models_that_come_again_are_the_same_pipeline_model(data):
    X, y = data
    for rows in (y < 2, y > -1):
        models = list(Pipeline(Hesitant()).steps(X[rows], y[rows]))
        assert len({id(model) for model in models}) == len(models) // 2
        assert all(a is b for a, b in zip(models[::2], models[1::2], strict=True))


def test_facts(data):
    X, y = data
    facts = Pipeline(NearestCentre(), "standardize").fit(X, y).facts()
    each = [f"wrong in class {c}" for c in np.unique(y)]
    assert list(facts) == ["training error", *each, "binary models", "length", "units"]
    assert 0 <= facts["training error"] < 0.5 and facts["length"].low < facts["length"].high
    assert len(str(facts["length"])) <= len("7.2e-17 to 8.4e-16")
    model = Pipeline(Mean()).fit(X, X[:, 1])
    assert model.facts() == {"training RMSE": pytest.approx(X[:, 1].std())}
    weighted = Pipeline(Mean()).fit([[0.0], [1.0]], [0.0, 4.0], sample_weight=[3, 1])
    assert weighted.facts()["training RMSE"] == pytest.approx(np.sqrt(3))


def test_samples_of_weight_zero_are_dropped(data):
    X, y = data
    weights = np.where(y == 5, 0.0, 2.0)
    model = Pipeline(NearestCentre(), "standardize").fit(X, y, sample_weight=weights)
    without = Pipeline(NearestCentre(), "standardize").fit(X[y != 5], y[y != 5])
    np.testing.assert_array_equal(model.classes, [0, 1, 2])
    np.testing.assert_array_equal(model.training.rows, np.flatnonzero(y != 5))
    np.testing.assert_allclose(model.decision_function(X), without.decision_function(X))


def test_explanations_are_on_the_users_axes(data):
    X, y = data
    for scheme in ("one-vs-one", "one-vs-rest"):
        told = Pipeline(NearestCentre(), "standardize", scheme).fit(X, y).explain([1.5, -0.5])
        np.testing.assert_allclose(told.marks[0].xy, [[1.5, -0.5]])


def test_a_model_has_the_words_of_its_algorithm_only(data):
    X, _ = data
    model = Pipeline(Mean()).fit(X, X[:, 1])
    assert hasattr(model, "predict") and not hasattr(model, "decision_function") and not hasattr(model, "coef")
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict(X), model.predict(X))


@each("algorithm, preprocessing", [NearestCentre(), Followed()], ["none", "standardize"])
def test_following_gives_what_a_fit_gives(data, algorithm, preprocessing):
    X, y = data
    rng = np.random.default_rng(2)
    pipeline = Pipeline(algorithm, preprocessing)
    follower = pipeline.follower()
    for _ in trials(30):
        X = X.copy()
        X[rng.integers(len(X))] += rng.normal(size=2)
        y = y.copy()
        y[rng.integers(len(y))] = rng.integers(4)
        if rng.random() < 0.2:
            pipeline = pipeline.replace(algorithm=algorithm.replace(shrink=rng.uniform(0.5, 1.5)))
        draft, model = follower.update(pipeline, X, y), pipeline.fit(X, y)
        np.testing.assert_allclose(draft.decision_function(X), model.decision_function(X), atol=1e-12)


def test_only_the_pairs_that_changed_are_fitted_again(data):
    X, y = data
    pipeline = Pipeline(Followed())
    follower = pipeline.follower()
    follower.update(pipeline, X, y)
    moved = X.copy()
    moved[y == 5] += 0.1
    CountingFollower.calls = 0
    follower.update(pipeline, moved, y)
    assert CountingFollower.calls == 3
    follower.update(pipeline, moved[y != 5], y[y != 5])
    assert CountingFollower.calls == 3


def test_a_draft_may_stop_at_the_deadline(data):
    X, y = data
    y = np.minimum(y, 1)
    late = Pipeline(NearestCentre()).follower().update(Pipeline(NearestCentre()), X, y, deadline=0.0)
    assert (late.decision_function(X) == 0).all()


def test_with_dear_predictions_errors_are_counted_for_some_samples_and_said():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(6000, 2)), rng.integers(0, 2, 6000)
    weights = rng.uniform(0.5, 2, 6000)
    model = Pipeline(NearestCentre()).fit(X, y, sample_weight=weights)
    assert model.evaluated_rows is None and len(model.rating.predicted) == 6000
    dear = dataclasses.replace(model, inner=dataclasses.replace(model.inner))
    object.__setattr__(dear.inner, "cost", 5000)
    rows = dear.evaluated_rows
    assert len(rows) == 4000
    np.testing.assert_array_equal(dear.rating.predicted, model.rating.predicted[rows])
    wrong = np.average(dear.rating.predicted != y[rows], weights=weights[rows])
    assert dear.facts()["training error"] == pytest.approx(wrong)
    assert dear.facts()["errors counted on"] == "4,000 of 6,000 samples, drawn at random"
    assert "errors counted on" not in model.facts()


def test_of_very_many_held_out_samples_some_are_judged_and_said():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(6000, 2)), rng.integers(0, 2, 6000)
    weights = rng.uniform(0.5, 2, 6000)
    *_, model = Pipeline(NearestCentre()).steps(X[:50], y[:50], held_out=HeldOut(X, y, np.arange(6000)))
    assert model.test_rating.rows is None
    dear = dataclasses.replace(model, inner=dataclasses.replace(model.inner))
    object.__setattr__(dear.inner, "cost", 5000)
    rows = dear.test_rating.rows
    assert len(rows) == 4000
    predicted = model.predict(X[rows])
    assert dear.facts()["test error"] == pytest.approx(np.mean(predicted != y[rows]))
    assert dear.facts()["test errors counted on"] == "4,000 of 6,000 samples, drawn at random"
    assert rated(dear, X, y, weights).error == pytest.approx(np.average(predicted != y[rows], weights=weights[rows]))
    order = rng.permutation(6000)
    assert rated(dear, X[order], y[order]).error == pytest.approx(dear.test_rating.named[1]), "whatever their order"


def test_the_stage_is_that_of_the_last_part_that_moved():
    y = np.repeat([0, 1, 2], 8)
    X = np.random.default_rng(0).normal(0, 0.3, (24, 2)) + np.array([[0, 0], [1, 0], [8, 8]])[y]
    for scheme, names in (
        ("one-vs-one", PAIRS),
        ("one-vs-rest", ("class 0 / rest", "class 1 / rest", "class 2 / rest")),
    ):
        models = list(Pipeline(registry()["perceptron"](), multiclass=scheme).steps(X, y))
        assert models[0].stage == "start"
        former, named = None, set()
        for model in models:
            parts = model.parts
            moved = [i for i, part in enumerate(parts) if former is None or part.model is not former[i].model]
            assert [i for i, part in enumerate(parts) if part.moved] == moved
            stage = parts[moved[-1]].model.stage
            if len({part.model.stage for part in parts}) > 1:
                assert model.stage == f"{names[moved[-1]]}: {stage}"
                named.add(moved[-1])
            else:
                assert model.stage == stage
            former = parts
        assert len(named) > 1


def test_class_weights_and_costs_make_room_for_each_other():
    plain = Pipeline(registry()["logistic"]())
    costs = plain.with_decision(rule="costs", cost_fp=3.0)
    weighs = costs.with_weights(balance="balanced")
    assert (weighs.weights.balance, weighs.decision.rule, weighs.decision.cost_fp) == ("balanced", "natural", 3.0)
    back = weighs.with_decision(rule="costs")
    assert (back.weights.balance, back.decision.rule) == ("none", "costs")
    shifted = weighs.with_decision(rule="threshold")
    assert (shifted.weights.balance, shifted.decision.threshold) == ("balanced", 0.0)
