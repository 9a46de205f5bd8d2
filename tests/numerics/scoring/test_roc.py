import numpy as np
import pytest
from sklearn import metrics

from mlviz.numerics.scoring.confusion import class_scores, confusion_matrix
from mlviz.numerics.scoring.roc import least_cost, line_through_square, threshold_curve


def case(kind, n=200):
    """Whether samples are positive, their scores and weights."""
    rng = np.random.default_rng(3)
    positive = rng.random(n) < 0.3
    scores = rng.normal(size=n) + positive
    weight = rng.uniform(0, 3, n) * (rng.random(n) < 0.9) if "weighted" in kind else None
    if "ties" in kind:
        scores = np.round(scores)
    if "even" in kind:
        scores = np.zeros(n)
    return positive, scores, weight


cases = pytest.mark.parametrize("kind", ["plain", "ties", "weighted", "weighted, ties", "even", "even, weighted"])


def confusion_at(cut, positive, scores, weight):
    """The confusion of the classes 0 and 1 where the scores above the cut mean 1."""
    return confusion_matrix(positive.astype(int), (scores > cut).astype(int), np.arange(2), weight)


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@cases
def test_curves_are_scikit_learns(kind):
    positive, scores, weight = case(kind)
    curve = threshold_curve(positive, scores, weight)
    rates = metrics.roc_curve(positive, scores, sample_weight=weight, drop_intermediate=False)
    for found, expected in zip(
        (curve.false_positive_rate, curve.true_positive_rate, curve.thresholds), rates, strict=True
    ):
        close(found, expected)
    precision, recall, thresholds = metrics.precision_recall_curve(positive, scores, sample_weight=weight)
    close(curve.precision[::-1], precision)
    close(curve.true_positive_rate[::-1], recall)
    close(curve.thresholds[:0:-1], thresholds)
    close(curve.auc, metrics.roc_auc_score(positive, scores, sample_weight=weight))
    close(curve.average_precision, metrics.average_precision_score(positive, scores, sample_weight=weight))


@cases
def test_the_area_counts_pairs(kind):
    positive, scores, weight = case(kind)
    weight = np.ones(len(scores)) if weight is None else weight
    gaps = scores[positive][:, None] - scores[~positive]
    pairs = np.outer(weight[positive], weight[~positive])
    close(threshold_curve(positive, scores, weight).auc, (pairs * ((gaps > 0) + (gaps == 0) / 2)).sum() / pairs.sum())


@cases
def test_a_cut_parts_the_samples_as_its_point_does(kind):
    positive, scores, weight = case(kind)
    curve = threshold_curve(positive, scores, weight)
    assert np.isfinite(curve.cuts).all()
    for index, cut in enumerate(curve.cuts.tolist()):
        assert curve.index_at(cut) == index
        confusion = confusion_at(cut, positive, scores, weight)
        close(confusion.counts[:, 1], [curve.false_positives[index], curve.true_positives[index]])
        found = class_scores(confusion)
        close(found["recall"][1], curve.true_positive_rate[index])
        close(found["false positive rate"][1], curve.false_positive_rate[index])
        if index:
            close(found["precision"][1], curve.precision[index])


def test_a_cut_between_neighbouring_and_between_infinite_scores():
    scores = np.array([np.inf, 1 + 2**-52, 1.0, 1e308, -1e308, -np.inf])
    curve = threshold_curve(np.array([True, False] * 3), scores)
    taken = [int((scores > cut).sum()) for cut in curve.cuts]
    assert taken == [0, 1, 2, 3, 4, 5, 5]  # Nothing is below minus infinity.
    two = threshold_curve(np.array([True, False]), np.array([np.inf, -np.inf]))
    assert two.cuts[1] == -np.inf and two.auc == 1


def test_whole_weights_are_repeated_samples():
    positive, scores, _ = case("ties")
    weight = np.random.default_rng(0).integers(0, 4, len(scores))
    curve = threshold_curve(positive, scores, weight)
    repeated = threshold_curve(np.repeat(positive, weight), np.repeat(scores, weight))
    close(curve.true_positives, repeated.true_positives)
    close((curve.auc, curve.average_precision), (repeated.auc, repeated.average_precision))


@pytest.mark.parametrize("positive", [np.zeros(3, bool), np.ones(3, bool), np.zeros(0, bool)])
def test_one_class_alone_has_no_curve(positive):
    curve = threshold_curve(positive, np.arange(float(len(positive))))
    assert np.isnan(curve.auc)
    assert np.isnan(curve.average_precision) == (not positive.any())
    assert np.isnan(curve.true_positive_rate).all() == (not positive.any())
    assert least_cost(curve, 1.0, 2.0)[0] == (3 if positive.any() else 0)


@cases
@pytest.mark.parametrize(("cost_fp", "cost_fn"), [(1, 1), (1, 5), (3, 1), (1, 40)])
def test_no_point_costs_less_than_the_best_one_nor_is_above_the_line_of_its_cost(kind, cost_fp, cost_fn):
    positive, scores, weight = case(kind)
    curve = threshold_curve(positive, scores, weight)
    index, cost = least_cost(curve, cost_fp, cost_fn)
    p = curve.positive_share
    costs = []
    for cut in curve.cuts:
        (_, fp), (fn, _) = (row / row.sum() for row in confusion_at(cut, positive, scores, weight).counts)
        costs.append(cost_fp * (1 - p) * fp + cost_fn * p * fn)
    close(cost, min(costs))
    close(cost, costs[index])
    rise, run = cost_fp * (1 - p), cost_fn * p
    x, y = curve.false_positive_rate, curve.true_positive_rate
    ends = line_through_square(np.array([x[index], y[index]]), np.array([run, rise]))
    # The line goes through its point, and all others are below it.
    (x0, y0), (x1, y1) = ends
    close(run * (y1 - y0), rise * (x1 - x0))
    close(run * (y[index] - y0), rise * (x[index] - x0))
    assert (run * (y - y0) - rise * (x - x0)).max() < 1e-12
    close((ends.min(), ends.max()), (0, 1))


def test_costs_of_nothing():
    positive, scores, _ = case("plain")
    curve = threshold_curve(positive, scores)
    assert least_cost(curve, 1.0, 0.0)[0] == 0
    index, cost = least_cost(curve, 0.0, 1.0)
    assert curve.true_positive_rate[index] == 1 and cost == 0
    assert least_cost(curve, 0.0, 0.0) == (0, 0.0)
    corner = np.zeros(2)
    np.testing.assert_array_equal(line_through_square(corner, np.array([0.0, 1.0])), [[0, 0], [0, 1]])
    assert np.isnan(line_through_square(corner, corner)).all()


def test_of_equally_good_points_the_first_is_taken():
    # One error in five each, after 3 samples and after 5, by sums that differ in the last digit: the later is less.
    curve = threshold_curve(np.array([True, True, True, False, True]), -np.arange(5.0))
    assert least_cost(curve, 1.0, 1.0)[0] == 3
