"""Samples and methods by which the judging studies are tested, and what they answer."""

import numpy as np

from mlviz.algorithms import registry
from mlviz.data.tables.shipped import load_shipped
from mlviz.pipeline.pipeline import Pipeline
from mlviz.studies import registry as studies

IDS = ("calibration", "confusion-matrix", "precision-recall", "roc", "score-histogram")
ON_ONE_THRESHOLD = ("calibration", "precision-recall", "roc", "score-histogram")
CLASSIFIERS = [key for key, kind in registry().items() if "classification" in kind.tasks]
RNG = np.random.default_rng(20)


def pipeline(method, **decision):
    plain = Pipeline(registry()[method]())
    return plain.with_decision(**decision) if decision else plain


def asked(study, pipeline, X, y, settings=(), **more):
    """The last answer."""
    *_, last = studies()[study](**dict(settings)).run(pipeline, X, y, **more)
    assert last.complete
    return last


def overlapping(n, classes, seed=0):
    """Samples of classes that can't be told apart without errors."""
    rng = np.random.default_rng(seed)
    codes = np.arange(n) % len(classes)
    angle = 2 * np.pi * codes / len(classes)
    return rng.normal(size=(n, 2)) + 1.2 * np.column_stack((np.cos(angle), np.sin(angle))), np.asarray(classes)[codes]


def table(name, classes=None):
    """Two columns of a shipped table, and the classes, or some of them."""
    data = load_shipped(name)
    kept = np.isin(data.labels, classes if classes is not None else data.labels)
    return data.X[kept][:, :2], data.labels[kept]


def column(result, name):
    found = result.table()
    return np.array(found.columns[found.names.index(name)])


def values(result):
    return {name: fact.value for name, fact in result.facts().items()}


def marks(result, role):
    return [mark for plot in result.plots() for mark in plot.marks if mark.role == role]


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
