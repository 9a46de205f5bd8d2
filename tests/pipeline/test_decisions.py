"""Thresholds, costs and the reject option, by hand and by trying all decisions."""

from __future__ import annotations

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.pipeline.decisions import (
    NATURAL_DECISION,
    Decision,
    ScoreThreshold,
    log_odds,
    outcomes,
    rejected_of,
    score_threshold_of,
)
from mlviz.pipeline.pipeline import Pipeline
from tests.pipeline.nearest_centre import NearestCentre
from tests.sweep import trials


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(5)
    y = np.repeat([0, 1], (70, 50))
    return rng.normal(size=(120, 2)) + 1.2 * y[:, None], y


def cheapest(decision, p, classes=(0, 1), rejected=-1):
    """The cheapest decision for probabilities p (n,) of the second class, by the expected costs of all."""
    costs = [decision.cost_fn * p, decision.cost_fp * (1 - p)]
    if decision.reject:
        costs.append(np.full(len(p), decision.reject_cost))
    return np.array([*classes, rejected])[np.argmin(costs, axis=0)]


@pytest.mark.parametrize("seed", trials(200))
def test_the_decision_is_the_cheapest_one(seed):
    rng = np.random.default_rng(seed)
    fp, fn, c = np.exp(rng.normal(0, 1.5, 3))
    decision = Decision(rule="costs", cost_fp=fp, cost_fn=fn, reject=bool(rng.random() < 0.6), reject_cost=c)
    p = rng.uniform(0, 1, 2000)
    unit = ("log odds", "probability")[seed % 2]
    score = np.log(p / (1 - p)) if unit == "log odds" else p
    threshold = fp / (fp + fn)
    doubt = decision.reject_band
    if unit == "log odds":
        threshold, doubt = log_odds(threshold), doubt and (log_odds(doubt[0]), log_odds(doubt[1]))
    decided = ScoreThreshold(unit, threshold, doubt).decide(score, np.array([0, 1]))
    np.testing.assert_array_equal(decided, cheapest(decision, p))
    rejects = decision.reject_band is not None
    assert (-1 in decided) == rejects or c > 0.9 * decision.dearest_rejection
    assert rejects == (decision.reject and c < fp * fn / (fp + fn))


def test_at_its_ends_there_is_no_doubt_and_at_the_threshold_the_first_class():
    scores, classes = np.array([0.2, 0.25, 0.3, 0.5, 0.7, 0.75]), np.array([0, 1])
    assert ScoreThreshold("probability", 0.5, (0.25, 0.7)).decide(scores, classes).tolist() == [0, 0, -1, -1, 1, 1]
    assert ScoreThreshold("probability", 0.5).decide(scores, classes).tolist() == [0, 0, 0, 0, 1, 1]


def test_outcomes_by_hand():
    y = np.array([0, 0, 0, 0, 1, 1, 1, 0])
    decided = np.array([0, 1, -1, 0, 1, 0, 0, 1])
    costs = Decision(rule="costs", cost_fp=2.0, cost_fn=7.0, reject=True, reject_cost=0.5)
    found = outcomes(costs, decided, y, np.array([0, 1]), None)
    assert {name: fact.value for name, fact in found.items()} == {
        "false positives": 2,
        "false positive rate": 2 / 5,
        "false negatives": 2,
        "false negative rate": 2 / 3,
        "mean cost": (2 * 2 + 2 * 7 + 0.5) / 8,
        "share rejected": 1 / 8,
    }
    weights = np.array([1, 3, 1, 1, 1, 0.5, 1, 1])
    told = outcomes(NATURAL_DECISION, decided, y, np.array([0, 1]), weights)
    found = {name: fact.value for name, fact in told.items()}
    assert list(found) == ["false positives", "false positive rate", "false negatives", "false negative rate"]
    assert found["false positives"] == 4 and found["false negatives"] == 1.5
    assert found["false positive rate"] == pytest.approx(4 / 7)
    assert "false negative rate" not in outcomes(NATURAL_DECISION, decided[:4], y[:4], np.array([0, 1]), None)


def test_costs_on_probabilities_and_on_log_odds(data):
    X, y = data
    decision = Decision(rule="costs", cost_fp=1.0, cost_fn=4.0, reject=True, reject_cost=0.3)
    for method in (registry()["logistic"](), registry()["knn"](n_neighbors=9)):
        model = Pipeline(method, decision=decision).fit(X, y)
        p = model.predict_proba(X)[:, 1]
        np.testing.assert_array_equal(model.predict(X), cheapest(decision, p))
        facts = model.facts()
        assert facts["Bayes threshold"] == pytest.approx(0.2)
        assert facts["training error"] == pytest.approx(np.mean(model.predict(X) == 1 - y))
        assert facts["share rejected"] == pytest.approx(np.mean(model.predict(X) == -1))
        assert model.caveat == ""
        natural = model.deciding(NATURAL_DECISION)
        np.testing.assert_array_equal(natural.predict(X), model.inner.predict(X))
        assert natural.inner is model.inner and "threshold" not in natural.facts()


@pytest.mark.parametrize("preprocessing", ["none", "standardize"])
def test_a_threshold_is_in_the_units_of_the_score(data, preprocessing):
    X, y = data
    for method, word in (("svm", "decision_function"), ("knn", "predict_proba")):
        decision = Decision(rule="threshold", threshold=0.3)
        model = Pipeline(registry()[method](), preprocessing, decision=decision).fit(X, y)
        scores = getattr(model, word)(X)
        scores = scores if scores.ndim == 1 else scores[:, 1]
        np.testing.assert_array_equal(model.predict(X), np.where(scores > 0.3, 1, 0))
        np.testing.assert_array_equal(model.rating.predicted, model.predict(X))
        assert model.facts()["threshold"] == 0.3


def test_the_natural_threshold_changes_nothing(data):
    X, y = data
    for method in ("svm", "logistic", "knn"):
        pipeline = Pipeline(registry()[method]())
        decision = pipeline.decision_with(rule="threshold")
        assert decision.threshold == (0.5 if method == "knn" else 0.0)
        moved = pipeline.replace(decision=decision).fit(X, y)
        np.testing.assert_array_equal(moved.predict(X), pipeline.fit(X, y).predict(X))
        assert pipeline.decision_with(rule="threshold", threshold=2.0).threshold == 2.0
        assert pipeline.decision_with(cost_fp=2.0).threshold == 0.0


def test_what_cannot_be_decided_as_wished_is_told(data):
    X, y = data
    costs = Decision(rule="costs", cost_fn=5.0)
    machine = Pipeline(registry()["svm"](), decision=costs).fit(X, y)
    assert (
        machine.caveat
        == "costs need probabilities, which support vector machine does not give, so it decides by itself"
    )
    np.testing.assert_array_equal(machine.predict(X), machine.inner.predict(X))
    assert "mean cost" not in machine.facts() and machine.score_threshold is None
    three = np.where(X[:, 0] > 2, 2, y)
    for decision, word in ((costs, "costs"), (Decision(rule="threshold"), "thresholds")):
        model = Pipeline(registry()["logistic"](), decision=decision).fit(X, three)
        assert model.caveat == f"{word} decide between two classes only, so the method decides by itself"
    dear = Decision(rule="costs", reject=True, reject_cost=0.5)
    model = Pipeline(registry()["logistic"](), decision=dear).fit(X, y)
    assert model.caveat == "a rejection never pays: it would have to cost less than 0.5"
    assert set(model.predict(X)) == {0, 1}

    class Silent:
        classes = np.array([0, 1])

    assert score_threshold_of(Decision(rule="threshold"), Silent(), "it") == (
        None,
        "it has no score, so it decides by itself",
    )


def test_a_decision_is_told_where_one_points(data):
    X, y = data
    model = Pipeline(NearestCentre(), decision=Decision(rule="threshold", threshold=100.0)).fit(X, y)
    told = model.explain(X[-1]).sentence
    score = model.decision_function(X[-1:])[0]
    assert told == f"because The score {score:.3g} is not above the threshold 100: class 0 is chosen."
    decision = Decision(rule="costs", reject=True, reject_cost=0.49)
    model = Pipeline(registry()["logistic"](), decision=decision).fit(X, y)
    grid = np.linspace(-2, 4, 4001)[:, None] * [1, 1]
    doubtful = grid[model.predict(grid) == -1][0]
    told = model.explain(doubtful).sentence
    assert " The log odds " in told and told.endswith(": no class is chosen.")


def test_no_class_has_a_name_of_its_own():
    assert rejected_of(np.array([0, 3])) == -1
    assert rejected_of(np.array([-1, 1])) == -2
    assert rejected_of(np.array(["no", "yes"])) == "rejected"
    decided = ScoreThreshold("score", 0.0, (-1.0, 1.0)).decide(np.array([-2.0, 0.5, 2.0]), np.array(["no", "yes"]))
    assert decided.tolist() == ["no", "rejected", "yes"]


def test_settings_that_matter_are_shown():
    def matter(task="classification", **values):
        decision = Decision(**values)
        about = decision.about(task)
        return [p.name for p in decision.parameters() if decision.matters(p) and p.name in about]

    assert matter() == ["rule"]
    assert matter(rule="threshold", reject=True) == ["rule", "threshold"]
    assert matter(rule="costs") == ["rule", "cost_fp", "cost_fn", "reject"]
    assert matter(rule="costs", reject=True) == ["rule", "cost_fp", "cost_fn", "reject", "reject_cost"]
