"""Samples that are held out or switched off: a fit does not see them, and every method is judged by the former."""

import math

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.pipeline.decisions import Decision
from mlviz.pipeline.rating import rated
from mlviz.pipeline.weights import Weights
from mlviz.scene.trace import Trace, fit_of
from mlviz.testing.check import cases, ordinary
from mlviz.testing.pictures import scene_of
from tests.sweep import chosen

CASES = [
    pytest.param(case, id=f"{name}-{case}") for name, method in sorted(registry().items()) for case in cases(method)
]
JUDGED = chosen(
    (case, classes, balance)
    for method in registry().values()
    for case in cases(method)
    for classes, balance in ((2, "none"), (2, "balanced"), (2, "subsample"), (4, "none"))
    if case.task == "classification" or (classes, balance) == (2, "none")
)
DECISIONS = (
    Decision(),
    Decision(rule="threshold", threshold=0.3),
    Decision(rule="costs", cost_fp=1.0, cost_fn=3.0, reject=True, reject_cost=0.2),
)
CODES = np.array([3, 0, 7, 1, 5])
"""What the classes 0, 1, 2, ... become: codes with gaps, in another order."""


def split_scene(case, n=60, seed=0, classes=2, **how):
    """A scene of the case with some samples held out, some switched off, and some of them both."""
    X, y = ordinary(case, n, seed)
    if case.task == "classification":
        y = CODES[np.asarray(y) if classes == 2 else np.arange(n) % classes]
    scene = scene_of(case, X, y, **how)
    lot = np.random.default_rng(seed).permutation(n)
    data = scene.dataset.with_held_out(lot[:20]).with_active(np.sort(lot[8:]))
    return scene.replace(dataset=data)


def steps_of(scene):
    """The fit of the only panel, and its models at the first, a middle and the last step."""
    fit = fit_of(scene, 0)
    trace = Trace(fit)
    trace.advance(math.inf)
    assert trace.error is None, trace.error
    return fit, [trace.model(step) for step in sorted({0, trace.n_steps // 2, trace.n_steps - 1})]


def told_by_hand(model, X, y):
    """The error on samples as anybody would count it who has nothing but `predict`."""
    predicted = model.predict(X)
    if model.training.is_classes:
        return "test error", sum(p != t and p in model.classes for p, t in zip(predicted, y, strict=True)) / len(y)
    return "test RMSE", math.sqrt(
        sum((p - t) ** 2 for p, t in zip(predicted.tolist(), y.tolist(), strict=True)) / len(y)
    )


@pytest.mark.parametrize(("case", "classes", "balance"), JUDGED, ids=str)
def test_the_test_error_is_that_of_predict_on_what_was_held_out(case, classes, balance):
    scene = split_scene(case, classes=classes, weights=Weights(balance=balance))
    fit, models = steps_of(scene)
    data = scene.dataset
    rows = np.flatnonzero(data.held_out & data.active)
    assert fit.test.rows.tolist() == rows.tolist() and len(rows) == 12
    assert not np.isin(fit.rows, np.flatnonzero(data.held_out | ~data.active)).any()
    inputs = data.X[rows][:, [data.column(name) for name in fit.roles.inputs]]
    np.testing.assert_array_equal(fit.test.X, inputs)
    for model in models:
        if fit.y is None:
            density = hasattr(model.inner, "score_samples")
            assert (model.test_rating.named is not None) == density
            if density:
                assert model.test_rating.named[1] == pytest.approx(np.mean(model.score_samples(inputs)))
            continue
        y = data.labels[rows] if case.task == "classification" else data.X[rows, data.column(fit.roles.target)]
        for decision in DECISIONS if scene.panels[0].pipeline.weights.balance == "none" else DECISIONS[:2]:
            decided = model.deciding(decision)
            name, value = told_by_hand(decided, inputs, y)
            assert decided.test_rating.named == (name, pytest.approx(value, rel=1e-9, abs=1e-12))
            assert decided.facts()[name] == decided.test_rating.named[1]
            assert list(decided.facts()).index(name) == 1, "it stands right beside the training error"
            assert rated(decided, inputs, y).error == pytest.approx(value, rel=1e-9, abs=1e-12)
            training = told_by_hand(decided, fit.X, fit.y)[1]
            assert decided.rating.named[1] == pytest.approx(training, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("case", CASES)
def test_a_fit_is_the_same_as_without_the_samples_that_take_no_part(case):
    scene = split_scene(case, seed=1)
    data = scene.dataset
    without = scene.replace(dataset=data.erase(np.flatnonzero(~data.training)))
    (fit, with_them), (alone, models) = steps_of(scene), steps_of(without)
    np.testing.assert_array_equal(fit.X, alone.X)
    assert alone.test is None and len(with_them) == len(models)
    everywhere = np.vstack((fit.X, fit.test.X))
    for one, other in zip(with_them, models, strict=True):
        assert other.test_rating is None
        assert {name: value for name, value in one.facts().items() if name in other.facts()} == pytest.approx(
            other.facts(), nan_ok=True
        )
        for word in ("predict", "decision_function", "predict_proba", "score_samples", "transform"):
            if hasattr(one.inner, word):
                np.testing.assert_array_equal(getattr(one, word)(everywhere), getattr(other, word)(everywhere))


@pytest.mark.parametrize("classes", [2, 4])
def test_outcomes_of_held_out_samples_are_counted_by_class(classes):
    (case,) = cases(registry()["lda"])
    scene = split_scene(case, n=200, classes=classes)
    unknown = scene.dataset.relabel(np.flatnonzero(scene.dataset.held_out)[:3], 8)
    scene = scene.replace(dataset=unknown.with_active(np.arange(200)))
    fit, (*_, model) = steps_of(scene)
    predicted, facts = model.predict(fit.test.X), model.facts()
    for code in np.unique(fit.test.y).tolist() if classes > 2 else [8]:
        mine = fit.test.y == code
        assert facts[f"test errors in class {code}"] == f"{int((predicted[mine] != code).sum())} of {int(mine.sum())}"
    if classes == 2:
        first, second = model.classes
        for name, one, other in (("positive", first, second), ("negative", second, first)):
            taken = int(((fit.test.y == one) & (predicted == other)).sum())
            assert facts[f"test false {name}s"] == taken
            assert facts[f"test false {name} rate"] == taken / (fit.test.y == one).sum()
