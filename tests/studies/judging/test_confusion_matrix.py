"""The confusion matrix against scikit-learn's and against what the model predicts."""

import numpy as np
import pytest
from sklearn import metrics

from mlviz.draw.layer import Names
from mlviz.numerics.scoring.confusion import MEASURES
from mlviz.studies import Samples
from mlviz.studies.judging.confusion_matrix import ConfusionMatrix
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

CELLS = ("counts", "% of class", "% of prediction", "% of all")


@sweep("method, name, weighted", ["lda", "knn", "svm"], ["iris", "penguins"], [False, True])
def test_every_score_is_that_of_scikit_learn(name, method, weighted):
    X, y = table(name)
    weight = RNG.uniform(0.1, 3, len(y)) if weighted else None
    result = asked("confusion-matrix", pipeline(method), X, y, sample_weight=weight)
    model = pipeline(method).fit(X, y, 0, weight)
    predicted, options = model.predict(X), {"sample_weight": weight}
    classes, told = np.unique(y), values(result)
    expected = metrics.confusion_matrix(y, predicted, **options)
    close([column(result, f"taken for class {code}")[: len(classes)] for code in classes], expected.T)
    parts = ("precision", "recall", "F1", "support")
    close(
        [column(result, part)[: len(classes)] for part in parts],
        metrics.precision_recall_fscore_support(y, predicted, **options),
    )
    for average in ("macro", "micro", "weighted"):
        row = column(result, "class").tolist().index(average)
        *scores, _ = metrics.precision_recall_fscore_support(y, predicted, average=average, **options)
        close([column(result, part)[row] for part in parts[:3]], scores)
    close(told["accuracy"], metrics.accuracy_score(y, predicted, **options))
    close(told["balanced accuracy"], metrics.balanced_accuracy_score(y, predicted, **options))
    close(told["kappa"], metrics.cohen_kappa_score(y, predicted, **options))
    if hasattr(model.inner, "predict_proba"):
        probabilities = model.predict_proba(X)
        close(told["log loss"], metrics.log_loss(y, probabilities, **options))
        close(told["Brier score"], metrics.brier_score_loss(y, probabilities, **options))
        assert ("added up over the classes" in result.facts()["Brier score"].help) == (len(classes) > 2)
    else:
        assert "log loss" not in told and "Brier score" not in told


def test_of_two_classes_the_scores_are_those_of_the_second():
    X, y = table("iris", (1, 2))
    result = asked("confusion-matrix", pipeline("qda"), X, y)
    predicted, told = pipeline("qda").fit(X, y).predict(X), values(result)
    options = {"pos_label": 2}
    for name, score in (
        ("precision", metrics.precision_score(y, predicted, **options)),
        ("recall", metrics.recall_score(y, predicted, **options)),
        ("F1", metrics.f1_score(y, predicted, **options)),
        ("specificity", metrics.recall_score(y, predicted, pos_label=1)),
        ("false positive rate", 1 - metrics.recall_score(y, predicted, pos_label=1)),
    ):
        close(told[f"{name} of class 2"], score)
    assert set(MEASURES) == {name.removesuffix(" of class 2") for name in told if name.endswith(" of class 2")}


@sweep("method, classes", CLASSIFIERS, [(0, 1), (-7, 3), ("no", "yes"), (-2, 0, 5), ("a", "b", "c")])
def test_a_cell_holds_the_samples_that_are_taken_so(method, classes):
    X, y = overlapping(60, classes)
    result = asked("confusion-matrix", pipeline(method), X, y, rows=np.arange(60) * 3)
    predicted = pipeline(method).fit(X, y).predict(X)
    (plot,) = result.plots()
    (words,) = (mark for mark in plot.marks if mark.role == "label")
    assert len(plot.areas) == len(classes) ** 2 == len(words.words)
    actual = [word for _, word in plot.y_ticks]
    answers = [word for _, word in plot.x_ticks]
    assert actual == answers == [f"class {code}" for code in sorted(classes)]
    for area, word, place in zip(plot.areas, words.words, words.xy, strict=True):
        x0, x1, y0, y1 = area.limits
        assert x0 < place[0] < x1 and y0 < place[1] < y1
        names = dict(plot.y_ticks)[place[1]], dict(plot.x_ticks)[place[0]]
        chosen, answered = (sorted(classes)[actual.index(name)] for name in names)
        expected = np.flatnonzero((y == chosen) & (predicted == answered))
        assert area.rows.tolist() == (expected * 3).tolist() and int(word) == len(expected)
        assert area.label.startswith(f"class {chosen}, taken for class {answered}: {len(expected)}, ")


@pytest.mark.parametrize("cells", CELLS)
def test_shares_in_the_cells_add_up(cells):
    X, y = table("iris")
    result = asked("confusion-matrix", pipeline("nearest-centroid"), X, y, {"cells": cells})
    (words,) = marks(result, "label")
    told = np.reshape([float(word.removesuffix("\u00a0%")) for word in words.words], (3, 3))
    counts = metrics.confusion_matrix(y, pipeline("nearest-centroid").fit(X, y).predict(X))
    sums = {
        "counts": counts / 100,
        "% of class": counts / counts.sum(axis=1, keepdims=True),
        "% of prediction": counts / counts.sum(axis=0),
        "% of all": counts / counts.sum(),
    }
    np.testing.assert_allclose(told, 100 * sums[cells], rtol=5e-3)


def test_rejected_samples_have_a_column_of_their_own():
    X, y = overlapping(200, (0, 1))
    decided = pipeline("logistic", rule="costs", reject=True, reject_cost=0.3)
    result = asked("confusion-matrix", decided, X, y)
    predicted = decided.fit(X, y).predict(X)
    out, told = predicted == -1, values(result)
    assert out.any()
    close(column(result, "rejected")[:2], [np.sum(out & (y == code)) for code in (0, 1)])
    close(told["rejected"], out.mean())
    close(told["accuracy"], (predicted == y).mean())
    close(told["error"], ((predicted != y) & ~out).mean())
    (plot,) = result.plots()
    assert [word for _, word in plot.x_ticks] == ["class 0", "class 1", "rejected"]
    assert np.sort(np.concatenate([area.rows for area in plot.areas if "rejected" in area.label])).tolist() == (
        np.flatnonzero(out).tolist()
    )


def test_many_classes_with_long_names_stay_legible():
    X, y = overlapping(240, range(12))
    names = Names(tuple(f"the class number {code}" for code in range(12)))
    result = asked("confusion-matrix", pipeline("lda"), X, y, names=names)
    (plot,) = result.plots()
    assert all(len(word) <= 5 for _, word in plot.x_ticks)
    (words,) = marks(result, "label")
    counts = metrics.confusion_matrix(y, pipeline("lda").fit(X, y).predict(X))
    assert list(words.words) == [str(count) for count in counts.flat if count]
    rows, columns = np.nonzero(counts)
    np.testing.assert_array_equal(words.xy, np.column_stack((columns, len(counts) - 1 - rows)))
    assert column(result, "class").tolist() == [*names.classes, "macro", "micro", "weighted"]


@pytest.mark.parametrize("unknown", [-1, 1, 7])
def test_samples_of_a_class_that_the_method_has_not_seen_are_wrong(unknown):
    X, y = overlapping(60, (0, 3))
    test = Samples(X, np.where(np.arange(60) % 10 == 0, unknown, y))
    decided = pipeline("logistic", rule="costs", reject=True, reject_cost=0.3)
    result = asked("confusion-matrix", decided, X, y, test=test)
    predicted = decided.fit(X, y).predict(X)
    chosen = np.isin(predicted, (0, 3))
    told = values(result)
    close(told["accuracy"], ((predicted == test.y) & chosen).mean())
    close(told["error"], ((predicted != test.y) & chosen).mean())
    probabilities = np.zeros((60, 3))
    probabilities[:, np.searchsorted(np.unique([0, 3, unknown]), (0, 3))] = decided.fit(X, y).predict_proba(X)
    own = probabilities[np.arange(60), np.searchsorted(np.unique([0, 3, unknown]), test.y)]
    close(told["log loss"], -np.log(np.clip(own, np.finfo(float).eps, None)).mean())


def test_a_file_that_says_shares_opens():
    assert ConfusionMatrix.from_json({"cells": "shares"}).cells == "% of class"
