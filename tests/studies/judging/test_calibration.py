"""Calibration curves against scikit-learn's, and score histograms against a count."""

import numpy as np
import pytest
from sklearn import metrics
from sklearn.calibration import calibration_curve

from mlviz.algorithms import CannotFit
from mlviz.numerics.scoring.shares import wilson_interval
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


@pytest.mark.parametrize("strategy", [("equal width", "uniform"), ("equal numbers", "quantile")], ids=lambda s: s[0])
@pytest.mark.parametrize("name", ["iris", "penguins"])
@pytest.mark.parametrize("method", ["logistic", "naive-bayes"])
def test_bins_are_those_of_scikit_learn(method, name, strategy):
    X, y = table(name, (1, 2))
    result = asked("calibration", pipeline(method), X, y, {"strategy": strategy[0], "bins": 7})
    probability = pipeline(method).fit(X, y).predict_proba(X)[:, 1]
    observed, predicted = calibration_curve(y == 2, probability, n_bins=7, strategy=strategy[1])
    (points,), (line,), (bars,) = marks(result, "bin"), marks(result, "curve"), marks(result, "residual")
    close(points.xy, np.column_stack((predicted, observed)))
    close(line.xy, points.xy)
    close((column(result, "predicted"), column(result, "observed")), points.xy.T)
    count = column(result, "samples")
    low, high = wilson_interval(observed, count)
    close(
        np.concatenate((bars.start, bars.end)), np.concatenate([np.column_stack((predicted, e)) for e in (low, high)])
    )
    assert (np.diff(points.size[np.argsort(count)]) >= 0).all()
    told = values(result)
    close(told["calibration error"], np.abs(observed - predicted) @ count / count.sum())
    close(told["Brier score"], metrics.brier_score_loss(y == 2, probability))
    close(told["log loss"], metrics.log_loss(y == 2, probability))


def test_the_samples_of_a_bin_light_up():
    X, y = overlapping(90, (0, 1))
    result = asked("calibration", pipeline("logistic"), X, y, {"bins": 5}, rows=np.arange(90) + 7)
    (plot,) = result.plots()
    probability = pipeline("logistic").fit(X, y).predict_proba(X)[:, 1]
    for area in plot.areas:
        low, high = area.limits[:2]
        assert area.rows.tolist() == (np.flatnonzero((probability > low) & (probability <= high)) + 7).tolist()
    assert sum(len(area.rows) for area in plot.areas) == 90


def test_weights_count_in_the_bins_and_several_classes_have_a_line_each():
    X, y = table("iris")
    weight = RNG.uniform(0, 2, len(y))
    result = asked("calibration", pipeline("lda"), X, y, {"bins": 4}, sample_weight=weight)
    proba = pipeline("lda").fit(X, y, 0, weight).predict_proba(X)
    for code in range(3):
        number = np.clip(np.ceil(proba[:, code] * 4) - 1, 0, 3).astype(int)
        filled = [bin for bin in range(4) if (number == bin).any()]
        inside = [number == bin for bin in filled]
        expected = [[np.average(of[one], weights=weight[one]) for of in (proba[:, code], y == code)] for one in inside]
        close(marks(result, f"class {code}")[0].xy, expected)
    assert not any(plot.handles or plot.areas for plot in result.plots())


@pytest.mark.parametrize("method", CLASSIFIERS)
def test_only_probabilities_are_calibrated(method):
    X, y = overlapping(60, (0, 1))
    if hasattr(pipeline(method).fit(X, y).inner, "predict_proba"):
        assert np.isfinite(values(asked("calibration", pipeline(method), X, y))["calibration error"])
    else:
        with pytest.raises(CannotFit, match="gives scores and no probabilities"):
            asked("calibration", pipeline(method), X, y)


def bars_of(result, code):
    """Left, right, bottom and top of the bars of a class."""
    (bars,) = marks(result, f"class {code}")
    corners = np.array(bars.vertices)
    return np.column_stack((corners.min(axis=1), corners.max(axis=1)))[:, [0, 2, 1, 3]]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("method", CLASSIFIERS)
def test_bars_are_as_high_as_there_are_samples(method, weighted):
    X, y = overlapping(70, (-1, 5))
    weight = RNG.integers(0, 4, 70).astype(float) if weighted else None
    result = asked("score-histogram", pipeline(method), X, y, {"bins": 8}, sample_weight=weight)
    model, counts = pipeline(method).fit(X, y, 0, weight), np.ones(70) if weight is None else weight
    scored = hasattr(model.inner, "decision_function")
    scores = model.decision_function(X) if scored else model.predict_proba(X)[:, 1]
    kept = counts > 0
    ends = np.append(column(result, "from"), column(result, "to")[-1])
    close(ends, np.linspace(0, 1, 9) if not scored else np.linspace(scores[kept].min(), scores[kept].max(), 9))
    ends[[0, -1]] += (-1e-9, 1e-9)  # rounding of scores puts none outside
    for code in (-1, 5):
        expected, _ = np.histogram(scores[kept & (y == code)], ends, weights=counts[kept & (y == code)])
        close(column(result, f"class {code}"), expected)
        bars = bars_of(result, code)
        close(bars[:, 3], expected[expected > 0])
        assert (bars[:, 2] == 0).all()
        close(bars[:, :2], np.column_stack((column(result, "from"), column(result, "to")))[expected > 0])
    (plot,) = result.plots()
    left, right = plot.limits[:2]
    assert left <= plot.handles[0].points[:, 0].min() < plot.handles[0].points[:, 0].max() <= right
    predicted, told = model.predict(X), values(result)
    close(told["false positives"], counts[(y == -1) & (predicted == 5)].sum())
    close(told["false negatives"], counts[(y == 5) & (predicted == -1)].sum())
    (plot,) = result.plots()
    for area in plot.areas:
        number = np.searchsorted(column(result, "from"), area.limits[0])
        inside = (scores >= ends[number]) & (scores < ends[number + 1])
        assert area.rows.tolist() == np.flatnonzero(inside & kept).tolist()


@pytest.mark.parametrize("method", ["lda", "knn", "svm"])
def test_of_several_classes_the_lead_of_the_own_one_is_counted(method):
    X, y = table("iris")
    result = asked("score-histogram", pipeline(method), X, y, {"bins": 10})
    model = pipeline(method).fit(X, y)
    scores = model.predict_proba(X) if hasattr(model.inner, "predict_proba") else model.decision_function(X)
    own = scores[np.arange(len(y)), y]
    lead = own - np.where(np.eye(3)[y] > 0, -np.inf, scores).max(axis=1)
    ends = np.append(column(result, "from"), column(result, "to")[-1])
    base = np.zeros(10)
    for code in range(3):
        counts, _ = np.histogram(lead[y == code], ends)
        bars = bars_of(result, code)
        close(bars[:, 2:], np.column_stack((base, base + counts))[counts > 0])
        base += counts
    assert values(result)["of"] == 150
    close(values(result)["wrong"], (model.predict(X) != y).sum())


def test_the_scores_without_a_class_are_shaded():
    X, y = overlapping(200, (0, 1))
    decided = pipeline("logistic", rule="costs", reject=True, reject_cost=0.3)
    (band,) = marks(asked("score-histogram", decided, X, y), "no class")
    low, high = decided.decision.reject_band
    close(np.unique(band.vertices[0][:, 0]), np.log([low / (1 - low), high / (1 - high)]))
