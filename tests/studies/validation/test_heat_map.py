"""The heat map: each cell is a point of a validation curve, and can be clicked."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from mlviz.algorithms import CannotFit, registry
from mlviz.data.generators.catalog import Moons, SineRegression
from mlviz.draw.marks import Field, Points, Text
from mlviz.pipeline.pipeline import Pipeline
from mlviz.studies import registry as studies

HeatMap, ValidationCurve = studies()["heat-map"], studies()["validation-curve"]
MOONS = Moons(n_samples=60, noise=0.35).generate(1)
SINE = SineRegression(n_samples=30).generate(1)


def last(study, pipeline, X, y):
    *_, result = study.run(pipeline, X, y)
    return result


@pytest.mark.parametrize("preprocessing", ["none", "standardize"])
def test_a_row_of_cells_is_a_validation_curve(preprocessing):
    pipeline = Pipeline(registry()["svm"](), preprocessing)
    result = last(HeatMap(values=4, folds=3), pipeline, MOONS.X, MOONS.labels)
    assert (result.across.name, result.up.name) == ("C", "sigma") and result.complete
    for row, sigma in enumerate(result.up.values):
        study = ValidationCurve(values=4, folds=3)
        curve = last(study, Pipeline(registry()["svm"](sigma=sigma), preprocessing), MOONS.X, MOONS.labels)
        assert_allclose(result.test[row], curve.test, atol=1e-12)
        assert_allclose(result.training[row], curve.training, atol=1e-12)


def test_a_click_on_a_cell_sets_both_values():
    result = last(HeatMap(values=3, folds=3), Pipeline(registry()["svm"]()), MOONS.X, MOONS.labels)
    (plot,) = result.plots()
    assert len(plot.areas) == 9
    for area in plot.areas:
        column, row = (area.limits[0] + area.limits[1]) / 2, (area.limits[2] + area.limits[3]) / 2
        values = result.across.values[int(column)], result.up.values[int(row)]
        assert area.settings == (("algorithm.C", values[0]), ("algorithm.sigma", values[1]))
    (field,) = (mark for mark in plot.marks if isinstance(mark, Field))
    assert_allclose(field.cells, result.test.mean(axis=2))
    assert field.cells[result.best] == field.cells.min()
    assert result.offers()[0].settings == result.settings(*result.best)


def test_the_present_values_are_marked_and_the_map_does_not_rest_on_them():
    study, svm = HeatMap(values=3, folds=3), registry()["svm"]
    assert study.rests_on(Pipeline(svm(C=3.0, sigma=2.0))) == study.rests_on(Pipeline(svm()))
    assert study.rests_on(Pipeline(svm(kernel="linear"))) != study.rests_on(Pipeline(svm()))
    result = last(study, Pipeline(svm()), MOONS.X, MOONS.labels)
    (plot,) = result.of_panel(Pipeline(svm(C=result.across.values[1], sigma=0.05))).plots()
    (present,) = (mark for mark in plot.marks if isinstance(mark, Points) and mark.label == "present values")
    assert_allclose(present.xy, [[1.0, 0.0]])


@pytest.mark.parametrize("method", registry())
def test_every_method_has_a_map_or_a_sentence(method):
    kind = registry()[method]
    X, y = (SINE.X[:, :1], SINE.X[:, 1]) if kind.tasks == ("regression",) else (MOONS.X, MOONS.labels)
    try:
        result = last(HeatMap(values=2, folds=2), Pipeline(kind()), X, y)
    except CannotFit as error:
        result, sentence = None, str(error)
    if result is None:
        assert sentence.endswith(".")
    else:
        assert np.isfinite(result.test).any() and result.facts() and result.table().columns and result.plots()


def test_cells_whose_value_is_not_known_have_no_words():
    study = HeatMap(values=3, folds=3)
    results = study.run(Pipeline(registry()["svm"]()), MOONS.X, MOONS.labels)
    result = next(one for one in results if 0 < np.isfinite(one.means).sum() < one.means.size)
    known = np.isfinite(result.means)
    (plot,) = result.plots()
    (words,) = (mark for mark in plot.marks if isinstance(mark, Text))
    assert len(words.words) == known.sum() and all(words.words)
    rows, columns = np.nonzero(known)
    assert_allclose(words.xy, np.column_stack((columns, rows)))


def test_a_bar_says_which_ink_is_which_value_where_no_numbers_stand_in_the_cells():
    (named,) = last(HeatMap(values=3, folds=3), Pipeline(registry()["svm"]()), MOONS.X, MOONS.labels).plots()
    assert sum(isinstance(mark, Field) for mark in named.marks) == 1 and named.limits == (-0.5, 2.5, -0.5, 2.5)
    result = last(HeatMap(values=8, folds=3), Pipeline(registry()["svm"]()), MOONS.X, MOONS.labels)
    (plot,) = result.plots()
    cells, bar = (mark for mark in plot.marks if isinstance(mark, Field))
    (words,) = (mark for mark in plot.marks if isinstance(mark, Text))
    low, high = cells.cells.min(), cells.cells.max()
    assert [float(word.removesuffix(" %")) for word in words.words] == pytest.approx([100 * high, 100 * low], rel=6e-3)
    # Beside the cells, and each ink of them at the height of its value.
    assert bar.x.min() > 7.5 and plot.limits[1] > words.xy[:, 0].max() > bar.x.max()
    along = np.interp(bar.y, (bar.y[0], bar.y[-1]), (low, high))
    assert_allclose(np.interp(cells.cells, along, bar.strength[:, 0].astype(float)), cells.strength, atol=2)
