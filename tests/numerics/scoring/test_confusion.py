import warnings

import numpy as np
import pytest
from sklearn import metrics

from mlviz.numerics.scoring.confusion import (
    AVERAGES,
    MEASURES,
    accuracy,
    average_scores,
    balanced_accuracy,
    class_scores,
    cohen_kappa,
    confusion_matrix,
    confusion_shares,
    error_rate,
    rejection_rate,
)
from tests.sweep import each


def case(k, weighted, kind, n=200):
    """Classes, targets, predictions and weights; class 1 is missing where the kind says so."""
    rng = np.random.default_rng(k)
    y, predicted = rng.integers(k, size=(2, n))
    predicted = np.where(rng.random(n) < 0.5, y, predicted)
    if "not in y" in kind:
        y[y == 1] = 0
    if "not predicted" in kind:
        predicted[predicted == 1] = 0
    if "rejected" in kind:
        predicted[rng.random(n) < 0.2] = -1
    return np.arange(k), y, predicted, rng.uniform(0, 3, n) if weighted else None


KINDS = ("all", "not in y", "not predicted", "not in y, not predicted", "rejected", "rejected, not in y")


def cases(*ks):
    return each("k, weighted, kind", ks, (False, True), KINDS)


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@cases(2, 5)
def test_scores_are_scikit_learns(k, weighted, kind):
    classes, y, predicted, weight = case(k, weighted, kind)
    confusion = confusion_matrix(y, predicted, classes, weight)
    close(confusion.table, metrics.confusion_matrix(y, predicted, labels=[*classes, -1], sample_weight=weight)[:k])
    options = {"labels": classes, "sample_weight": weight, "zero_division": np.nan}
    found = class_scores(confusion)
    assert tuple(found) == (*MEASURES, "support")
    *scores, support = metrics.precision_recall_fscore_support(y, predicted, **options)
    close(found["support"], support)
    for name, expected in zip(("precision", "recall", "F1"), scores, strict=True):
        close(found[name], expected)
    for average in AVERAGES:
        *scores, _ = metrics.precision_recall_fscore_support(y, predicted, average=average, **options)
        averages = average_scores(confusion, average)
        close([averages[name] for name in ("precision", "recall", "F1")], scores)
        assert averages["support"] == pytest.approx(len(y) if weight is None else weight.sum(), rel=1e-12)
    close(accuracy(confusion), metrics.accuracy_score(y, predicted, sample_weight=weight))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # It warns of a class that is predicted only, and of a kappa without a value.
        balanced = metrics.balanced_accuracy_score(y, predicted, sample_weight=weight)
        kappa = metrics.cohen_kappa_score(y, predicted, sample_weight=weight)
    close(balanced_accuracy(confusion), balanced)
    close(cohen_kappa(confusion), kappa)


@cases(3, 5)
def test_rates_of_negatives_are_those_of_each_class_against_the_others(k, weighted, kind):
    classes, y, predicted, weight = case(k, weighted, kind)
    confusion = confusion_matrix(y, predicted, classes, weight)
    found = class_scores(confusion)
    tables = metrics.multilabel_confusion_matrix(y, predicted, labels=classes, sample_weight=weight)
    (tn, fp), _ = np.moveaxis(tables, 0, -1)
    close(found["specificity"], tn / (tn + fp))
    close(found["false positive rate"], fp / (tn + fp))
    close(average_scores(confusion, "micro")["specificity"], tn.sum() / (tn + fp).sum())
    close(average_scores(confusion, "macro")["false positive rate"], np.mean(fp / (tn + fp)))
    close(average_scores(confusion, "weighted")["specificity"], np.average(tn / (tn + fp), weights=confusion.actual))


@pytest.mark.parametrize("k", [2, 5])
def test_the_report_is_scikit_learns(k):
    classes, y, predicted, weight = case(k, True, "all")
    report = metrics.classification_report(y, predicted, sample_weight=weight, output_dict=True)
    confusion = confusion_matrix(y, predicted, classes, weight)
    close(report["accuracy"], accuracy(confusion))
    scores = class_scores(confusion)
    for name, theirs in (("precision", "precision"), ("recall", "recall"), ("F1", "f1-score"), ("support", "support")):
        close(scores[name], [report[str(code)][theirs] for code in classes])
        for average in ("macro", "weighted"):
            close(average_scores(confusion, average)[name], report[f"{average} avg"][theirs])


def test_rejected_samples_lower_recall_and_no_precision():
    y, predicted = np.array([0, 0, 0, 1, 1, 1]), np.array([0, 0, -1, 1, 0, -1])
    confusion = confusion_matrix(y, predicted, np.array([0, 1]))
    np.testing.assert_array_equal(confusion.table, [[2, 0, 1], [1, 1, 1]])
    scores = class_scores(confusion)
    close(scores["precision"], [2 / 3, 1])
    close(scores["recall"], [2 / 3, 1 / 3])
    assert accuracy(confusion) == 0.5 and error_rate(confusion) == 1 / 6 and rejection_rate(confusion) == 1 / 3
    close(confusion_shares(confusion, "actual"), np.array([[2, 0, 1], [1, 1, 1]]) / 3)
    close(confusion_shares(confusion, "predicted"), [[2 / 3, 0, 0.5], [1 / 3, 1, 0.5]])
    close(confusion_shares(confusion, "all"), np.array([[2, 0, 1], [1, 1, 1]]) / 6)


def test_names_and_other_codes_are_classes_too():
    y, predicted = np.array(["b", "a", "c"]), np.array(["b", "rejected", "a"])
    confusion = confusion_matrix(y, predicted, np.array(["a", "b", "c"]), rejected="rejected")
    np.testing.assert_array_equal(confusion.table, [[0, 0, 0, 1], [0, 1, 0, 0], [1, 0, 0, 0]])
    codes = confusion_matrix(np.array([-1, 1]), np.array([-1, -2]), np.array([-1, 1]), rejected=-2)
    np.testing.assert_array_equal(codes.table, [[1, 0, 0], [0, 0, 1]])


def test_an_unknown_class_is_told():
    with pytest.raises(ValueError, match="not among those"):
        confusion_matrix(np.array([0, 2]), np.array([0, 0]), np.array([0, 1]))
    with pytest.raises(ValueError, match="not among those"):
        confusion_matrix(np.array([0, 1]), np.array([0, 7]), np.array([0, 1]))


@pytest.mark.parametrize("k", [0, 1, 2])
def test_nothing_to_score_has_no_value(k):
    nothing = np.zeros(0, dtype=int)
    confusion = confusion_matrix(nothing, nothing, np.arange(k))
    for scores in (class_scores(confusion), *(average_scores(confusion, average) for average in AVERAGES)):
        assert all(np.isnan(scores[name]).all() for name in MEASURES)
    for score in (accuracy, error_rate, rejection_rate, balanced_accuracy, cohen_kappa):
        assert np.isnan(score(confusion))
    assert np.isnan(confusion_shares(confusion, "actual")).all()


def test_one_class_taken_for_itself_has_no_kappa_and_no_specificity():
    confusion = confusion_matrix(np.zeros(5, int), np.zeros(5, int), np.arange(1), np.full(5, 0.1))
    assert np.isnan(cohen_kappa(confusion)) and np.isnan(class_scores(confusion)["specificity"])
    assert accuracy(confusion) == balanced_accuracy(confusion) == 1
