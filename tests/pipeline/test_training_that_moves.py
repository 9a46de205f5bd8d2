"""Under the hand, samples that only move are given to the algorithm as if they were looked at anew."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.algorithms.base import CannotFit
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.training import Training
from tests.sweep import sweep

RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 2))
CODES, VALUES, NAMES = np.arange(30) % 3, X[:, 0] + RNG.normal(size=30), np.array(["a", "b"] * 15)
TARGETS = {"codes": CODES, "values": VALUES, "names": NAMES, "none": None}


def the_same(one: Training, other: Training) -> None:
    for name in [field.name for field in dataclasses.fields(Training)] + ["given", "caveats", "effective_weights"]:
        ours, theirs = getattr(one, name), getattr(other, name)
        if name == "transform":
            assert type(ours) is type(theirs)
            np.testing.assert_array_equal(ours.to_model(one.X), theirs.to_model(one.X))
        elif name == "problems":
            assert len(ours) == len(theirs)
        else:
            np.testing.assert_equal(ours, theirs, err_msg=name)


@sweep(
    "method, settings, target",
    ["svr", "knn", "lda", "svm", "kmeans"],
    [{}, {"preprocessing": "standardize"}, {"multiclass": "one-vs-one"}],
    TARGETS,
)
def test_moved_samples_are_prepared_as_new_ones(method: str, settings: dict[str, Any], target: str) -> None:
    pipeline, y = Pipeline(registry()[method](), **settings), TARGETS[target]
    try:
        known = pipeline.prepare(X, y)
    except CannotFit:
        return
    moved = X.copy()
    moved[3:5] += 0.5
    found = known.where_samples_move(moved, y)
    if found is not None:
        the_same(found[0], pipeline.prepare(moved, y))
        assert found[1] == slice(3, 5)
    asked, kept = (values is None or values.dtype.name for values in (y, known.y))
    looked_at = "preprocessing" in settings or known.problems or asked != kept
    assert (found is None) == bool(looked_at)


@pytest.mark.parametrize("method", ["svr", "knn", "linear-regression", "gp"])
def test_values_that_move_are_prepared_as_new_ones(method: str) -> None:
    pipeline = Pipeline(registry()[method]())
    known, moved, values = pipeline.prepare(X, VALUES), X.copy(), VALUES.copy()
    moved[3], values[[3, 7]] = 0.5, (-2.0, 4.0)
    found = known.where_samples_move(moved, values)
    assert found is not None and found[1].tolist() == [3, 7]
    the_same(found[0], pipeline.prepare(moved, values))
    values[0] = 9.0  # the caller's own array
    assert found[0].y[0] == VALUES[0]
    assert known.where_samples_move(X, known.y)[1] == slice(0, 0)


def test_whatever_else_is_new_is_looked_at() -> None:
    pipeline = Pipeline(registry()["knn"]())
    known = pipeline.prepare(X, CODES)
    far, unknown = X.copy(), X.copy()
    far[0], unknown[0] = 1e308, np.nan
    values = pipeline.prepare(X, VALUES)
    for value in (1e300, np.nan, np.inf):
        assert values.where_samples_move(X, np.where(np.arange(30) == 2, value, VALUES)) is None
    others: tuple[tuple[Any, Any], ...] = (
        (X[:-1], CODES[:-1]),
        (X[:, :1], CODES),
        (X, CODES.astype(np.float64)),
        (X, CODES[::-1]),
        (X, None),
        (far, CODES),
        (unknown, CODES),
    )
    assert all(known.where_samples_move(*other) is None for other in others)
    assert pipeline.prepare(X, CODES, np.ones(30)).where_samples_move(X, CODES) is None


def test_what_samples_at_one_place_do_not_say_is_not_told_of_others() -> None:
    pipeline = Pipeline(registry()["knn"]())
    known, alike = pipeline.prepare(X, CODES), pipeline.prepare(np.zeros((30, 2)), CODES)
    assert alike.caveats != known.caveats
    moved = alike.where_samples_move(X, CODES)
    assert moved is not None and moved[0].caveats == known.caveats


def test_a_follower_refuses_what_a_fit_refuses_and_goes_on() -> None:
    pipeline = Pipeline(registry()["svr"]())
    follower, moved = pipeline.follower(), X.copy()
    follower.update(pipeline, X, VALUES)
    moved[2] = np.nan
    with pytest.raises(CannotFit, match="not finite"):
        follower.update(pipeline, moved, VALUES)
    moved[2] = 0.3
    found, fitted = follower.update(pipeline, moved, VALUES), pipeline.fit(moved, VALUES)
    np.testing.assert_allclose(found.predict(moved), fitted.predict(moved), atol=1e-7)
    np.testing.assert_array_equal(found.training.X, moved)


def test_a_follower_looks_anew_at_the_samples_for_another_pipeline() -> None:
    svr = registry()["svr"]
    follower = Pipeline(svr()).follower()
    for pipeline in (Pipeline(svr()), Pipeline(svr(C=30.0)), Pipeline(svr(C=30.0), preprocessing="standardize")):
        found, fitted = follower.update(pipeline, X, VALUES), pipeline.fit(X, VALUES)
        np.testing.assert_allclose(found.predict(X), fitted.predict(X), atol=1e-7)
        assert found.training.algorithm == pipeline.algorithm


@pytest.mark.parametrize("method", sorted(id for id, method in registry().items() if method().follower() is not None))
def test_no_places_have_no_predictions_under_the_hand_either(method: str) -> None:
    pipeline, y = Pipeline(registry()[method]()), VALUES if "regression" in registry()[method].tasks else CODES % 2
    follower, moved = pipeline.follower(), X.copy()
    for _ in range(2):
        model = follower.update(pipeline, moved.copy(), y)
        if hasattr(model.inner, "predict"):
            assert len(model.predict(X[:0])) == 0
        moved[2] += 0.1
