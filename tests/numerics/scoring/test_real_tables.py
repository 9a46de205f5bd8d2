"""All scores of a method on real tables, with weights, against scikit-learn's of the same predictions."""

import numpy as np
import pytest
from sklearn import datasets, metrics
from sklearn.calibration import calibration_curve
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import cross_val_score

from mlviz.numerics.scoring.confusion import accuracy, average_scores, balanced_accuracy, cohen_kappa, confusion_matrix
from mlviz.numerics.scoring.folds import leave_one_out, monte_carlo, v_fold
from mlviz.numerics.scoring.probabilities import brier_score, calibration, log_loss
from mlviz.numerics.scoring.roc import threshold_curve

TABLES = {"iris": datasets.load_iris, "wine": datasets.load_wine, "breast cancer": datasets.load_breast_cancer}
tables = pytest.mark.parametrize("name", TABLES)


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def held_out(name):
    """Two columns of the table, so that there are errors and ties; what is predicted of held-out samples; weights."""
    X, y = TABLES[name](return_X_y=True)
    X = X[:, :2]
    ((training, test),) = monte_carlo(X, y, np.random.default_rng(0), 0.5, 1)
    model = LinearDiscriminantAnalysis().fit(X[training], y[training])
    weight = np.random.default_rng(1).uniform(0, 2, len(test))
    return y[test], model.predict(X[test]), model.predict_proba(X[test]), np.unique(y), weight


@tables
def test_every_score(name):
    y, predicted, probabilities, classes, weight = held_out(name)
    confusion = confusion_matrix(y, predicted, classes, weight)
    options = {"sample_weight": weight}
    close(confusion.counts, metrics.confusion_matrix(y, predicted, **options))
    for ours, theirs in (
        (accuracy, metrics.accuracy_score),
        (balanced_accuracy, metrics.balanced_accuracy_score),
        (cohen_kappa, metrics.cohen_kappa_score),
    ):
        close(ours(confusion), theirs(y, predicted, **options))
    for average in ("macro", "micro", "weighted"):
        *expected, _ = metrics.precision_recall_fscore_support(y, predicted, average=average, **options)
        close([average_scores(confusion, average)[name] for name in ("precision", "recall", "F1")], expected)
    close(log_loss(y, probabilities, classes, weight), metrics.log_loss(y, probabilities, **options))
    binary = probabilities[:, 1] if len(classes) == 2 else probabilities
    close(brier_score(y, probabilities, classes, weight), metrics.brier_score_loss(y, binary, **options))


@tables
def test_every_curve_of_each_class(name):
    y, _, probabilities, classes, weight = held_out(name)
    for code in classes:
        positive, score = y == code, probabilities[:, code]
        curve = threshold_curve(positive, score, weight)
        fpr, tpr, _ = metrics.roc_curve(positive, score, sample_weight=weight, drop_intermediate=False)
        close((curve.false_positive_rate, curve.true_positive_rate), (fpr, tpr))
        precision, recall, _ = metrics.precision_recall_curve(positive, score, sample_weight=weight)
        close((curve.precision[::-1], curve.true_positive_rate[::-1]), (precision, recall))
        close(curve.auc, metrics.roc_auc_score(positive, score, sample_weight=weight))
        close(curve.average_precision, metrics.average_precision_score(positive, score, sample_weight=weight))
        bins = calibration(positive, score, 7)
        filled = bins.count > 0
        close((bins.observed[filled], bins.predicted[filled]), calibration_curve(positive, score, n_bins=7))


@tables
def test_folds_are_such_as_scikit_learn_takes(name):
    X, y = TABLES[name](return_X_y=True)
    rng = np.random.default_rng(0)
    for folds in (v_fold(X, y, rng, 5), monte_carlo(X, y, rng, 0.2, 3), leave_one_out(X)[:3]):
        expected = []
        for training, test in folds:
            model = LinearDiscriminantAnalysis().fit(X[training], y[training])
            expected.append(accuracy(confusion_matrix(y[test], model.predict(X[test]), np.unique(y))))
        close(cross_val_score(LinearDiscriminantAnalysis(), X, y, cv=folds), expected)
