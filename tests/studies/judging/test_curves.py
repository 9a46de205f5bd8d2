"""ROC and precision-recall curves against scikit-learn's, and what is drawn against what is told."""

import numpy as np
import pytest
from sklearn import metrics

from mlviz.numerics.scoring.auc import delong
from mlviz.studies.judging.curves import MOST_POINTS
from tests.studies.judging.cases import (
    CLASSIFIERS,
    RNG,
    asked,
    close,
    column,
    marks,
    overlapping,
    pipeline,
    table,
    values,
)
from tests.sweep import sweep


def scores_of(method, X, y, weight=None):
    """What a curve is about, (n,) or (n, k): probabilities of several classes where there are some."""
    model = pipeline(method).fit(X, y, 0, weight)
    classes = np.unique(y)
    if len(classes) == 2 and hasattr(model.inner, "decision_function"):
        return model.decision_function(X)
    if hasattr(model.inner, "predict_proba"):
        found = model.predict_proba(X)
        return found[:, 1] if len(classes) == 2 else found
    return model.decision_function(X)


def curves_of(result, columns):
    """The points (m, 2) of each class's curve as the table has them."""
    points = np.column_stack([column(result, name) for name in columns])
    if "class" not in result.table().names:
        return [points]
    whose = column(result, "class")
    return [points[whose == name] for name in dict.fromkeys(whose.tolist())]


@sweep(
    "method, name, classes, weighted",
    ["qda", "knn", "svm"],
    ["iris", "penguins"],
    [(0, 1), (1, 2), (0, 1, 2)],
    [False, True],
)
def test_curves_are_those_of_scikit_learn(name, method, classes, weighted):
    X, y = table(name, classes)
    weight = RNG.uniform(0.1, 3, len(y)) if weighted else None
    scores, options = scores_of(method, X, y, weight), {"sample_weight": weight}
    told_classes = np.unique(y)[1:] if len(classes) == 2 else np.unique(y)
    each = [scores] if len(classes) == 2 else list(scores.T)
    roc = asked("roc", pipeline(method), X, y, sample_weight=weight)
    purity = asked("precision-recall", pipeline(method), X, y, sample_weight=weight)
    rates = curves_of(roc, ("false positive rate", "true positive rate"))
    shares = curves_of(purity, ("recall", "precision"))
    assert len(rates) == len(shares) == len(told_classes)
    areas, precisions = [], []
    for code, score, rate, share in zip(told_classes, each, rates, shares, strict=True):
        x, up, _ = metrics.roc_curve(y == code, score, drop_intermediate=False, **options)
        close(rate, np.column_stack((x, up)))
        precision, recall, _ = metrics.precision_recall_curve(y == code, score, **options)
        close(share, np.column_stack((recall, precision))[::-1])
        areas.append(metrics.roc_auc_score(y == code, score, **options))
        precisions.append(metrics.average_precision_score(y == code, score, **options))
    if len(classes) == 2:
        close(values(roc)["AUC"], areas[0])
        close(values(purity)["average precision"], precisions[0])
    else:
        close(values(roc)["mean AUC"], np.mean(areas))
        close(values(purity)["mean average precision"], np.mean(precisions))
        close([values(roc)[f"AUC of class {code}"] for code in classes], areas)
        if method != "svm" and weight is None:
            close(np.mean(areas), metrics.roc_auc_score(y, scores, multi_class="ovr"))


@sweep("method, classes", CLASSIFIERS, [(0, 1), (-7, 3), ("no", "yes"), (0, 1, 2), (-5, 2, 4)])
def test_the_area_under_what_is_drawn_is_what_is_told(method, classes):
    X, y = overlapping(80, classes)
    roc, purity = (asked(study, pipeline(method), X, y) for study in ("roc", "precision-recall"))
    roles = ["curve"] if len(classes) == 2 else [f"class {code}" for code in classes]
    areas, precisions = [], []
    for role in roles:
        (line,) = marks(roc, role)
        areas.append(np.trapezoid(line.xy[:, 1], line.xy[:, 0]))
        (steps,) = marks(purity, role)
        assert ((np.diff(steps.xy, axis=0) == 0).any(axis=1)).all(), "steps go across or up"
        precisions.append(np.trapezoid(steps.xy[:, 1], steps.xy[:, 0]))
    close(values(roc).get("AUC", values(roc).get("mean AUC")), np.mean(areas))
    told = values(purity)
    close(told.get("average precision", told.get("mean average precision")), np.mean(precisions))


@pytest.mark.parametrize("decision", [{}, {"threshold": 0.3}, {"rule": "costs", "cost_fn": 4.0}], ids=str)
@pytest.mark.parametrize("method", ["logistic", "knn"])
def test_the_point_of_the_threshold_is_what_the_model_predicts(method, decision):
    X, y = overlapping(90, (0, 1))
    decided = pipeline(method, **decision)
    predicted = decided.fit(X, y).predict(X)
    found, false = ((predicted == 1)[y == code].mean() for code in (1, 0))
    roc, purity = (asked(study, decided, X, y) for study in ("roc", "precision-recall"))
    close(marks(roc, "now")[0].xy, [(false, found)])
    close(values(roc)["true positive rate"], found)
    close(values(roc)["false positive rate"], false)
    precision = metrics.precision_score(y, predicted)
    close(marks(purity, "now")[0].xy, [(found, precision)])
    close(values(purity)["precision"], precision)
    close(values(purity)["F1"], metrics.f1_score(y, predicted))
    close(values(purity)["base rate"], (y == 1).mean())


def test_the_interval_of_the_area_is_delong_s_where_each_sample_counts_once():
    X, y = overlapping(70, (0, 1))
    told = values(asked("roc", pipeline("lda"), X, y))
    expected = delong(y == 1, pipeline("lda").fit(X, y).decision_function(X)).interval()
    close((told["AUC, lower end"], told["AUC, upper end"]), expected)
    assert expected[0] < told["AUC"] < expected[1]
    weighted = values(asked("roc", pipeline("lda"), X, y, sample_weight=np.full(70, 2.0)))
    assert "AUC, lower end" not in weighted


def cost_of(decision, y, predicted):
    return np.mean(decision.cost_fp * ((y == 0) & (predicted == 1)) + decision.cost_fn * ((y == 1) & (predicted == 0)))


@pytest.mark.parametrize("costs", [(1.0, 1.0), (1.0, 5.0), (3.0, 0.5), (1e-3, 1e3), (1e3, 1e-3)])
def test_costs_are_counted_and_equal_along_the_line(costs):
    X, y = overlapping(150, (0, 0, 1))
    decided = pipeline("logistic", rule="costs", cost_fp=costs[0], cost_fn=costs[1])
    model, result = decided.fit(X, y), asked("roc", decided, X, y)
    told = values(result)
    close(told["mean cost"], cost_of(decided.decision, y, model.predict(X)))
    (line,), (point,) = marks(result, "offset"), marks(result, "now")
    share = np.mean(y == 1)
    along = costs[1] * share * (1 - line.xy[:, 1]) + costs[0] * (1 - share) * line.xy[:, 0]
    close(along, told["mean cost"])
    assert line.xy[0, 0] <= point.xy[0, 0] <= line.xy[1, 0]
    scores = model.decision_function(X)
    every = [cost_of(decided.decision, y, scores > threshold) for threshold in (-np.inf, *scores)]
    close(told["lowest cost"], min(every))
    for offer in result.offers():
        ((path, threshold),) = offer.settings
        assert path == "decision.threshold" and abs(threshold) > 1e-6
        adopted = decided.with_decision(threshold=threshold)
        close(cost_of(decided.decision, y, adopted.fit(X, y).predict(X)), min(every))
        assert asked("roc", adopted, X, y).offers() == ()
    assert bool(result.offers()) == (told["lowest cost"] < told["mean cost"] - 1e-12)


def test_the_ends_of_a_reject_band_lie_on_the_curve():
    X, y = overlapping(200, (0, 1))
    decided = pipeline("logistic", rule="costs", reject=True, reject_cost=0.3)
    predicted = decided.fit(X, y).predict(X)
    (ends,) = (mark for mark in marks(asked("roc", decided, X, y), "offset") if mark.label != "equal cost at 1 : 1")
    sure = [(predicted == 1)[y == code].mean() for code in (0, 1)]
    maybe = [(predicted != 0)[y == code].mean() for code in (0, 1)]
    close(ends.xy, [maybe, sure])


def test_of_very_many_samples_the_curve_is_drawn_by_some_points():
    X, y = overlapping(30_000, (0,) * 19 + (1,))
    decided = pipeline("lda", threshold=-1.234)
    roc, purity = (asked(study, decided, X, y) for study in ("roc", "precision-recall"))
    scores = decided.fit(X, y).decision_function(X)
    close(values(roc)["AUC"], metrics.roc_auc_score(y, scores))
    (line,) = marks(roc, "curve")
    assert len(line.xy) <= MOST_POINTS + 1
    np.testing.assert_allclose(np.trapezoid(line.xy[:, 1], line.xy[:, 0]), values(roc)["AUC"], atol=2e-4)
    for result in (roc, purity):
        (plot,) = result.plots()
        (handle,) = plot.handles
        assert handle.values[handle.at] == -1.234 and len(result.table().columns[0]) == len(handle.points)
