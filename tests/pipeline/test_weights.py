"""Class weights and resampling, against scikit-learn and by counting."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression as SklearnLogistic
from sklearn.svm import SVC
from sklearn.utils.class_weight import compute_sample_weight

from mlviz.algorithms import registry
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.weights import Weights, drawn_rows
from mlviz.scene.defaults import default_scene
from mlviz.scene.trace import fit_of
from mlviz.spec import BadValue
from tests.pipeline.nearest_centre import Mean, NearestCentre, NearestCentreModel
from tests.sweep import each, sweep, trials

BALANCED = Weights(balance="balanced")
KINDS = ("none", "balanced", "by hand", "subsample", "upsample")


def imbalanced(counts=(80, 12), seed=0):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat(np.arange(len(counts)), counts))
    return rng.normal(size=(len(y), 2)) + 1.3 * np.column_stack((np.cos(2 * y), np.sin(2 * y))), y


@pytest.mark.parametrize("seed", trials(30))
def test_balanced_weights_are_those_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    X, y = imbalanced(rng.integers(1, 40, rng.integers(1, 6)), seed)
    np.testing.assert_allclose(BALANCED.of(X, y, None, 0), compute_sample_weight("balanced", y))
    # Weights of samples count as copies of them.
    copies = rng.integers(1, 4, len(y))
    repeated = compute_sample_weight("balanced", np.repeat(y, copies))
    ends = np.cumsum(copies) - 1
    np.testing.assert_allclose(BALANCED.of(X, y, copies.astype(float), 0), copies * repeated[ends])


@each("weights, data", [BALANCED, Weights(balance="by hand", class_weight=(0.5, 4.0))], ["made", "breast cancer"])
def test_machines_and_probabilities_agree_with_scikit_learn(weights, data):
    X, y = imbalanced()
    if data == "breast cancer":
        X, y = load_breast_cancer(return_X_y=True)
        X = (X[:, [0, 1]] - X[:, [0, 1]].mean(axis=0)) / X[:, [0, 1]].std(axis=0)
    theirs = "balanced" if weights is BALANCED else {0: 0.5, 1: 4.0}
    model = Pipeline(registry()["svm"](C=3.0, sigma=1.5), weights=weights).fit(X, y)
    expected = SVC(C=3.0, gamma=1 / (2 * 1.5**2), class_weight=theirs, tol=1e-8).fit(X, y)
    np.testing.assert_allclose(model.decision_function(X), expected.decision_function(X), atol=2e-5)
    total = weights.of(X, y, None, 0).sum()
    model = Pipeline(registry()["logistic"](lambda_=0.02), weights=weights).fit(X, y)
    expected = SklearnLogistic(C=1 / (2 * 0.02 * total), class_weight=theirs, tol=1e-12, max_iter=5000).fit(X, y)
    np.testing.assert_allclose(model.decision_function(X), expected.decision_function(X), atol=1e-5)


def test_of_several_classes_every_pair_is_weighted_by_the_whole():
    X, y = load_iris(return_X_y=True)
    X, y = X[:, :2], np.where(np.arange(150) % 5 == 0, y, 0)
    model = Pipeline(registry()["svm"](), weights=BALANCED).fit(X, y)
    theirs = SVC(gamma=0.5, class_weight="balanced", decision_function_shape="ovo", tol=1e-8).fit(X, y)
    ours = np.stack([part.model.decision_function(X) for part in model.parts], axis=1)
    np.testing.assert_allclose(np.abs(ours), np.abs(theirs.decision_function(X)), atol=2e-5)
    theirs = SVC(gamma=0.5, class_weight="balanced", break_ties=True, tol=1e-8).fit(X, y)
    np.testing.assert_array_equal(model.predict(X), theirs.predict(X))


@pytest.mark.parametrize("kind", ["subsample", "upsample"])
@pytest.mark.parametrize("counts", [(80, 12), (7, 7), (1, 30, 4), (5,)])
def test_what_is_drawn_makes_the_classes_equal_and_goes_by_places_alone(kind, counts):
    X, y = imbalanced(counts)
    drawing = Weights(balance=kind)
    copies = drawing.of(X, y, None, 3)
    assert (copies == np.rint(copies)).all()
    wanted = max(counts) if kind == "upsample" else min(counts)
    assert np.bincount(y, copies).tolist() == [wanted] * len(counts)
    if kind == "upsample":
        assert (copies >= 1).all()
    order = np.random.default_rng(1).permutation(len(y))
    np.testing.assert_array_equal(drawing.of(X[order], y[order], None, 3), copies[order])
    moved = X.copy()
    moved[0] += 5
    assert (drawing.of(moved, y, None, 3) != copies).sum() <= 2
    if len(set(counts)) > 1 and max(counts) > 60:
        assert (drawing.of(X, y, None, 4) != copies).any()


def test_errors_are_counted_on_all_samples_whatever_is_drawn():
    X, y = imbalanced()
    for kind in KINDS:
        model = Pipeline(NearestCentre(), weights=Weights(balance=kind)).fit(X, y)
        assert model.rating.named[1] == pytest.approx(np.mean(model.predict(X) != y))
        assert len(model.training.given[0]) == len(X)


@pytest.mark.parametrize("labels", [[0, 1, 2], [1, 2, 3], [0, 2, 3], [-1, 1, 3], [90, 91, 99], ["a", "b", "c"]])
def test_by_hand_goes_by_the_order_of_the_classes_whatever_they_are_called(labels):
    weights = Weights(balance="by hand", class_weight=(1.0, 50.0, 5.0, 7.0))
    assert weights.of(np.zeros((3, 1)), np.array(labels), None, 0).tolist() == [1, 50, 5]


def test_a_class_of_a_data_set_keeps_its_weight_where_another_has_no_samples():
    weights = Weights(balance="by hand", class_weight=(1.0, 50.0, 5.0, 7.0))
    scene = default_scene()
    dataset = scene.dataset.add([[0.0, 0.0], [1.0, 1.0]], 1).add([[2.0, 0.0], [3.0, 1.0]], 3)
    panel = dataclasses.replace(scene.panels[0], pipeline=Pipeline(NearestCentre(), weights=weights))
    fit = fit_of(scene.replace(dataset=dataset, panels=(panel,)), 0)
    model = list(fit.steps())[-1]
    assert model.training.effective_weights.tolist() == [50, 50, 7, 7]


@sweep(
    "n_classes, multiclass, labels",
    [2, 3],
    ["direct", "one-vs-one", "one-vs-rest"],
    [[1, 2, 3], [7, 9, 30], [-1, 1, 4], ["a", "b", "c"], [0, 2, 3]],
)
def test_every_value_per_class_goes_by_the_order_of_the_classes(labels, multiclass, n_classes):
    X, codes = imbalanced((30, 20, 12)[:n_classes])
    values = (1.0, 50.0, 0.2)[:n_classes]
    for pipeline, name in per_class_pipelines():
        if n_classes > 2 and multiclass == "direct" and pipeline.algorithm.not_direct():
            continue
        asked = pipeline.replace(multiclass=multiclass)
        set_by_hand = asked.replace(**{name[0]: getattr(asked, name[0]).replace(**{name[1]: values})})
        plain, coded, named = (
            p.fit(X, y) for p, y in [(asked, codes), (set_by_hand, codes), (set_by_hand, np.array(labels)[codes])]
        )
        assert (coded.predict(X) != plain.predict(X)).any(), "the values count"
        np.testing.assert_array_equal(named.predict(X), np.array(labels)[coded.predict(X)])
        np.testing.assert_allclose(named.decision_function(X), coded.decision_function(X))


def per_class_pipelines():
    """A pipeline for every hyperparameter that has a value per class, set so that it matters, and where it stands."""
    found = [(Pipeline(registry()["logistic"](), weights=Weights(balance="by hand")), ("weights", "class_weight"))]
    for cls in registry().values():
        for parameter in cls.parameters():
            if parameter.kind == "per class":
                name, values = parameter.when
                found.append((Pipeline(cls(**{name: values[0]})), ("algorithm", parameter.name)))
    assert len(found) > 3
    return found


@pytest.mark.parametrize("scheme", ["direct", "one-vs-one", "one-vs-rest"])
def test_a_class_of_a_data_set_keeps_its_prior_where_another_has_no_samples(scheme):
    X, codes = imbalanced((30, 20, 12))
    dataset = default_scene().dataset
    for code in range(3):
        dataset = dataset.add(X[codes == code], code + 1)  # no samples of the first class
    lda = registry()["lda"](prior="priors by hand", priors=(9.0, 1.0, 50.0, 0.2))
    scene = default_scene()
    panel = dataclasses.replace(scene.panels[0], pipeline=Pipeline(lda, multiclass=scheme))
    fit = fit_of(scene.replace(dataset=dataset, panels=(panel,)), 0)
    model = list(fit.steps())[-1]
    direct = Pipeline(lda.replace(priors=(1.0, 50.0, 0.2)), multiclass=scheme).fit(X, codes)
    np.testing.assert_array_equal(model.predict(X), direct.predict(X) + 1)
    assert "1:50:0.2" in fit.pipeline.algorithm.caption(3)


def test_one_against_the_rest_has_the_priors_of_the_rest_together():
    X, codes = imbalanced((30, 20, 12))
    lda = registry()["lda"](prior="priors by hand", priors=(1.0, 3.0, 4.0))
    model = Pipeline(lda, multiclass="one-vs-rest").fit(X, codes)
    assert [part.model.priors.round(9).tolist() for part in model.parts] == [[7 / 8, 1 / 8], [5 / 8, 3 / 8], [0.5, 0.5]]
    # So do priors whose sum is more than a prior may be.
    for name in ("lda", "qda", "naive-bayes"):
        method = registry()[name](prior="priors by hand")
        parts = (
            [part.model.priors for part in Pipeline(given, multiclass="one-vs-rest").fit(X, codes).parts]
            for given in (method.replace(priors=(1e9, 1e9, 5e8)), method.replace(priors=(1.0, 1.0, 0.5)))
        )
        np.testing.assert_allclose(*parts, rtol=1e-12)


def test_more_classes_than_weights_count_one():
    weights = Weights(balance="by hand", class_weight=(3.0,))
    assert weights.of(np.zeros((150, 1)), np.arange(150), None, 0).tolist() == [3] + [1] * 149


@dataclass(frozen=True)
class Repeating(NearestCentre):
    """The nearest centre that can't weigh."""

    traits = dataclasses.replace(NearestCentre.traits, weighted=False)

    def steps(self, X, y, rng, sample_weight=None):
        assert sample_weight is None
        low, high = (X[y == c].mean(axis=0) for c in np.unique(y))
        yield NearestCentreModel(np.unique(y), 2 * (high - low), float(low @ low - high @ high))


def test_a_method_that_cannot_weigh_is_given_copies():
    X, y = imbalanced((30, 6))
    for kind in ("subsample", "upsample"):
        copies, weighed = (Pipeline(kind_of(), weights=Weights(balance=kind)) for kind_of in (Repeating, NearestCentre))
        np.testing.assert_allclose(copies.fit(X, y).decision_function(X), weighed.fit(X, y).decision_function(X))
    model = Pipeline(Repeating(), weights=BALANCED).fit(X, y)
    given = model.training.given[1]
    assert np.bincount(given).tolist() == [30, 30]
    assert model.rating.named[1] == pytest.approx(np.mean(model.predict(X) != y))
    plain = Pipeline(Repeating()).fit(X, y)
    assert plain.training.resampled_rows is None
    several = Pipeline(Repeating(), weights=BALANCED).fit(*imbalanced((20, 5, 9)))
    assert np.abs(np.bincount(several.training.given[1]) - 20).max() <= 3


@pytest.mark.parametrize("seed", trials(20))
def test_copies_are_as_many_as_the_weights_on_average(seed):
    rng = np.random.default_rng(seed)
    X, weights = rng.normal(size=(4000, 2)), rng.choice([0.0, 1.0, 1.6, 3.3], 4000)
    copies = np.bincount(drawn_rows(X, weights, seed), minlength=4000)
    for weight in np.unique(weights):
        assert copies[weights == weight].mean() == pytest.approx(weight, abs=0.08)
    assert len(drawn_rows(X, np.where(np.arange(4000) == 0, 1e-9, 1.0), seed)) <= 20.1 * 4000


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("method", ["svm", "logistic", "knn"])
def test_following_gives_what_a_fit_gives(kind, method):
    X, y = imbalanced((40, 9, 15))
    rng = np.random.default_rng(0)
    pipeline = Pipeline(registry()[method](), weights=Weights(balance=kind, class_weight=(1.0, 3.0)))
    follower = pipeline.follower()
    for _ in range(12):
        X, y = X.copy(), y.copy()
        X[rng.integers(len(X))] += rng.normal(size=2)
        y[rng.integers(len(y))] = rng.integers(3)
        draft, model = follower.update(pipeline, X, y), pipeline.fit(X, y)
        words = "predict_proba" if method == "knn" else "decision_function"
        np.testing.assert_allclose(getattr(draft, words)(X), getattr(model, words)(X), atol=2e-3)


def test_weights_leave_values_and_groups_alone():
    X, _ = imbalanced()
    model = Pipeline(Mean(), weights=BALANCED).fit(X, X[:, 1])
    assert model.facts() == {"training RMSE": pytest.approx(X[:, 1].std())} and not model.training.weighed


def test_costs_count_once():
    from mlviz.pipeline.decisions import Decision

    with pytest.raises(BadValue, match="would count the same costs twice"):
        Pipeline(NearestCentre(), weights=BALANCED, decision=Decision(rule="costs"))
    Pipeline(NearestCentre(), weights=BALANCED, decision=Decision(rule="threshold"))
    with pytest.raises(BadValue, match="class_weight"):
        Weights(class_weight=(0.0,))
