"""The sweep behind every preprocessing: what is drawn is what is predicted, and what is told names its units."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from mlviz.algorithms import CannotFit, registry
from mlviz.draw.marks import Field, Lines
from mlviz.numerics.grid import Grid
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.preprocessing import preprocessings
from mlviz.scene.canvas_axes import axes_of, fitted_limits
from mlviz.testing.check import answers, cases, degenerate, ordinary
from mlviz.testing.pictures import check_mark, check_picture, scene_of
from tests.sweep import chosen, sweep

EVERY = [case for cls in registry().values() for case in cases(cls)]
EACH = sweep("case, preprocessing", EVERY, sorted(preprocessings()))
ASKEW = sweep("case, preprocessing", EVERY, [one.id for one in preprocessings().values() if not one.aligned])


def words_of(case, preprocessing, name):
    return case, f"{case.task} {case.d}d", preprocessing, name


DEGENERATE = [words_of(*pair, name) for pair in ASKEW.args[1] for name, _, _ in degenerate(pair[0])]
FITTED, DRAWN = chosen(DEGENERATE, fewest=8), chosen(DEGENERATE, fewest=4)
"""Degenerate samples behind a preprocessing: each family meets all, each method so many."""


def shown(case, X, y, preprocessing, **changes):
    """The scene, as the program would show it."""
    scene = scene_of(case, X, y, preprocessing=preprocessing, **changes)
    return scene.with_view(limits=fitted_limits(scene)) if preprocessings()[preprocessing].projects else scene


def unsure(model, places):
    """(n,) where single precision can't tell the scores of the best two classes apart."""
    if hasattr(model, "decision_function") and (scores := model.decision_function(places)).ndim == 2:
        second, first = np.sort(scores, axis=1)[:, -2:].T
        return first - second <= 1e-6 * np.abs(scores).max()
    return np.zeros(len(places), dtype=bool)


def check_regions(field, model, places):
    """The classes of the field are those predicted, and places in no cluster have no colour."""
    said = model.predict(places)
    wrong = np.where(said < 0, field.strength.ravel() > 0, said != field.classes.ravel())
    assert np.mean(wrong[~unsure(model, places)]) < 0.01


@EACH
def test_the_field_is_that_of_the_places(case, preprocessing):
    """Also where the grid is askew for the model: a node's answer is what the pipeline says at its place."""
    if case.d != 2:
        pytest.skip("no field over one input")
    X, y = ordinary(case)
    X = X @ np.array([(2.0, 0.5), (0.0, 0.7)]) + (3.0, -1.0)
    model = Pipeline(case.algorithm(), preprocessing).fit(X, y)
    if model.field is None:
        pytest.skip("no field")
    grid = Grid.over((-3.0, 6.0, -4.0, 3.0), 9, 7)
    transform = model.training.transform
    word = model.inner.field
    expected = getattr(model.inner, word)(transform.from_canvas(grid.points()))
    field = model.on_grid(grid)
    expected = np.asarray(expected).reshape(field.shape)
    assert_allclose(field, expected, atol=1e-6 * max(1.0, float(np.abs(expected).max())))
    if not preprocessings()[preprocessing].projects and hasattr(model, word):
        assert_allclose(np.asarray(getattr(model, word)(grid.points())).reshape(field.shape), expected, rtol=1e-9)


@ASKEW
def test_what_is_drawn_is_what_is_predicted(case, preprocessing):
    X, y = ordinary(case)
    scene = shown(case, X, y, preprocessing)
    picture = check_picture(scene.with_view(probe=(0.3, -0.2)), preprocessing)
    for mark in () if picture.explanation is None else picture.explanation.marks:
        check_mark(mark, picture.plot, len(X))
    axes = axes_of(scene, 0)
    assert (picture.plot.x_label, picture.plot.y_label) == axes.names
    model = Pipeline(case.algorithm(), preprocessing).fit(X, None if case.task == "clustering" else y)
    project = axes.projection.to_user if axes.projection else np.asarray
    for mark in picture.plot.marks:
        if isinstance(mark, Field) and mark.role == "region" and mark.classes is not None:
            check_regions(mark, model, project(Grid(mark.x, mark.y).points()))
        if isinstance(mark, Lines) and mark.role == "curve":
            assert_allclose(model.predict(mark.xy[:, :1]), mark.xy[:, 1], atol=1e-9 * np.abs(mark.xy).max())


@EACH
def test_what_is_told_says_whose_units_it_has(case, preprocessing):
    X, y = ordinary(case)
    model = Pipeline(case.algorithm(), preprocessing).fit(X, y)
    units = model.training.transform.units
    assert model.facts().get("units", "") == units
    # There are features of two inputs, none of one.
    assert bool(units) == (preprocessing not in (("none",) if case.d == 2 else ("none", "features")))
    plain, told = case.algorithm().fit(X, y).explain(X[0]), model.explain(X[0])
    if plain is not None and plain.measured and units:
        assert told is not None and told.sentence.endswith(f"Measured in {units.removeprefix('of ')}.")


@ASKEW
def test_degenerate_samples_give_sane_marks(case, preprocessing):
    for name, X, y in degenerate(case):
        if words_of(case, preprocessing, name) in DRAWN:
            check_picture(shown(case, X, y, preprocessing), name, may_refuse=True)


@ASKEW
def test_degenerate_samples_give_a_model_or_a_sentence(case, preprocessing):
    refused = {}
    for name, X, y in degenerate(case):
        if words_of(case, preprocessing, name) not in FITTED:
            continue
        try:
            model = Pipeline(case.algorithm(), preprocessing).fit(X, y)
        except CannotFit as error:
            refused[name] = str(error)
            continue
        assert np.isfinite(answers(model, X, case)).all(), name
        told = model.explain(X[0])
        assert told is None or "nan" not in told.sentence, name
        assert not any(isinstance(value, float) and math.isnan(value) for value in model.facts().values()), name
    assert ("no sample" in refused) == (words_of(case, preprocessing, "no sample") in FITTED)
    assert all(sentence.endswith(".") for sentence in refused.values())
    assert not {"on a lattice", "pairs of duplicates", "codes that are not 0 and 1"} & set(refused), refused


@sweep(
    "case, multiclass", [case for case in EVERY if case.task == "classification"], ["auto", "one-vs-rest", "one-vs-one"]
)
def test_several_classes_behind_whitened_inputs(case, multiclass):
    X, _ = ordinary(case, 60)
    y = np.arange(60) % 5
    X = (X + 2 * np.column_stack((np.cos(y), np.sin(y)))) @ np.array([(3.0, 1.0), (0.0, 0.5)])
    scene = shown(case, X, y, "whiten", multiclass=multiclass)
    picture = check_picture(scene.with_view(probe=(1.0, 0.5)), multiclass)
    model = Pipeline(case.algorithm(), "whiten", multiclass).fit(X, y)
    field = next(mark for mark in picture.plot.marks if mark.role == "region")
    check_regions(field, model, Grid(field.x, field.y).points())
    boundary = next(mark.xy for mark in picture.plot.marks if mark.role == "boundary")
    boundary = boundary[np.isfinite(boundary).all(axis=1)]
    # On either side of the boundary, within a cell of the picture's grid, there is another class.
    reach = max(np.ptp(field.x) / (len(field.x) - 1), np.ptp(field.y) / (len(field.y) - 1))
    around = reach * np.column_stack((np.cos(np.arange(12)), np.sin(np.arange(12))))
    near = (boundary[:, None] + around).reshape(-1, 2)
    classes = model.predict(near).reshape(len(boundary), -1)
    sure = ~unsure(model, near).reshape(classes.shape).all(axis=1)
    assert sure.any()
    # All but the tips of slivers that are thinner than a cell.
    assert np.mean((classes != classes[:, :1]).any(axis=1)[sure]) > 0.9
