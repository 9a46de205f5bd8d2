"""Lines are where what they stand for is so: the boundary where the prediction changes, contours on their levels."""

import re

import numpy as np
import pytest

from mlviz.draw.marks import Lines, Text
from tests.truth.scenes import Case, classifications, seen
from tests.truth.test_regions import ground, nodes, settled

NEAR = 0.4
"""How far from its place a vertex may be, in cells of the grid: lines are traced as if fields were straight in one."""
JUMPING = 1.1
"""The same of votes, which are equal in whole areas."""
AROUND = np.array([(np.cos(a), np.sin(a)) for a in np.linspace(0, 2 * np.pi, 16, endpoint=False)])


def cell_of(shown):
    """The width and height of a cell on the canvas, whose axes may be components."""
    (region,) = [mark for mark in shown.marks if mark.role in ("region", "density field") and not mark.cover]
    return np.array([region.x[1] - region.x[0], region.y[1] - region.y[0]])


def vertices(marks):
    xy = np.concatenate([np.empty((0, 2)), *(mark.xy for mark in marks if isinstance(mark, Lines))])
    return xy[np.isfinite(xy).all(axis=1)]


def places_along(marks):
    """Places so near to each other on all lines that none is missed: a straight line is its two ends."""
    pieces = [np.concatenate((mark.xy[:-1], mark.xy[1:]), axis=1) for mark in marks if isinstance(mark, Lines)]
    lines = np.concatenate([np.empty((0, 4)), *pieces])
    share = np.linspace(0, 1, 100)[:, None, None]
    xy = (lines[:, :2] + share * (lines[:, 2:] - lines[:, :2])).reshape(-1, 2)
    return xy[np.isfinite(xy).all(axis=1)]


def changes_at(predict, places, cell, share):
    """Whether more than one class is predicted in a circle about each place."""
    if not len(places):
        return np.zeros(0, dtype=bool)
    around = (places[:, None] + share * cell * AROUND).reshape(-1, 2)
    said = predict(around).reshape(len(places), -1)
    return (said != said[:, :1]).any(axis=1)


def cells_off(function, places, level, cell):
    """How many cells each place is from where the function is at the level, by its slope there."""
    step = 0.02 * cell
    slopes = [(function(places + step * way) - function(places - step * way)) / 0.04 for way in np.eye(2)]
    slope = np.hypot(*slopes)  # a cell
    return np.abs(function(places) - level) / np.maximum(slope, 1e-9 * np.abs(slope).max(initial=1e-300))


@pytest.mark.parametrize("case", classifications(), ids=str)
def test_the_boundary_is_where_the_prediction_changes(case):
    shown = seen(case)
    places = vertices(shown.with_role("boundary"))
    changing = changes_at(shown.predict, places, cell_of(shown), JUMPING if case.method == "knn" else NEAR)
    # Where several lines meet a vertex may be in the open middle between votes.
    assert changing.mean() > 0.95 if len(places) else len(np.unique(shown.predict(nodes(ground(shown, "region"))))) == 1


@pytest.mark.parametrize("case", classifications(), ids=str)
def test_wherever_the_prediction_changes_is_a_boundary(case):
    shown = seen(case)
    region, cell = ground(shown, "region"), cell_of(shown)
    places = nodes(region)
    said = shown.predict(places).reshape(region.classes.shape)
    sure = settled(shown, places).reshape(said.shape)
    where = places.reshape(*said.shape, 2)
    lines = places_along(shown.with_role("boundary"))
    low, high, all_ = slice(None, -1), slice(1, None), slice(None)
    for f, s in (((low, all_), (high, all_)), ((all_, low), (all_, high))):
        crossing = (said[f] != said[s]) & sure[f] & sure[s]
        middles = (where[f][crossing] + where[s][crossing]) / 2
        away = [np.abs((middle - lines) / cell).max(axis=1).min(initial=np.inf) for middle in middles]
        assert not away or np.mean(np.array(away) < JUMPING) > 0.97


NATURAL = classifications(lambda case: case.decision in ("threshold", "costs", "reject"))


@pytest.mark.parametrize("case", NATURAL, ids=str)
def test_the_natural_boundary_is_where_the_method_itself_changes(case):
    shown = seen(case)
    places = vertices(shown.with_role("natural boundary"))
    own = shown.model.natural or shown.model
    changing = changes_at(lambda xy: own.predict(shown.to_inputs(xy)), places, cell_of(shown), NEAR)
    assert not len(places) or changing.mean() > 0.97


PROBED = (0.15, 0.2)
TWO = classifications(lambda case: case.codes in ("0 1", "1 2") and case.decision == "natural")


def score_of(shown):
    return lambda xy: np.asarray(shown.model.decision_function(shown.to_inputs(xy)))


@pytest.mark.parametrize("case", TWO, ids=str)
def test_margins_and_targets_are_where_the_score_is_one(case):
    shown = seen(case, PROBED)
    places = vertices(shown.with_role("margin"))
    if len(places):
        score = score_of(shown)
        off = [cells_off(score, places, level, cell_of(shown)) for level in (-1.0, 1.0)]
        assert np.minimum(*off).max() < NEAR


@pytest.mark.parametrize("case", classifications(), ids=str)
def test_probability_contours_have_the_probability_of_their_number(case):
    shown = seen(case, PROBED)
    lines = shown.with_role("probability")
    if shown.model.parts or not lines:
        return
    texts = [mark for mark in lines if isinstance(mark, Text)]
    (label,) = [mark.label for mark in lines if mark.label]
    model, cell = shown.model, cell_of(shown)

    def chance(xy):
        return model.predict_proba(shown.to_inputs(xy))

    if "likeliest" in label:

        def odds(xy):
            p = chance(xy).max(axis=1)
            return np.log(p / (1 - p))
    else:
        name = re.match(r"probability of (.*?)(?: against .*)?: ", label)[1]
        k = [shown.data.class_name(code) for code in model.classes.tolist()].index(name)

        def odds(xy):
            return np.log(chance(xy)[:, k] / (1 - chance(xy)[:, k]))

    levels = [p for p in np.arange(1, 10) / 10]
    places = vertices(lines)
    off = [cells_off(odds, places, np.log(p / (1 - p)), cell) for p in levels]
    # At ridges of the largest of several probabilities, straight lines between nodes cut corners.
    assert (np.min(off, axis=0) < NEAR).mean() > (0.9 if "likeliest" in label else 0.999)
    for mark in texts:
        for word, place in zip(mark.words, mark.xy, strict=True):
            p = float(word)
            assert cells_off(odds, place[None], np.log(p / (1 - p)), cell)[0] < 1.2
    if "likeliest" in label:
        return
    shown_levels = re.findall(r"0\.\d", label.rpartition(":")[2])
    on = [p for p, near in zip(levels, off, strict=True) if (near < 0.2).mean() > 0.02]
    assert np.isclose(min(on), float(shown_levels[0])) and np.isclose(max(on), float(shown_levels[-1]))


DENSITIES = [Case(name, codes) for name in ("lda", "qda", "naive-bayes") for codes in ("1 2", "names")]


@pytest.mark.parametrize("case", [*DENSITIES, Case("gmm", task="clustering"), Case("kde", task="clustering")], ids=str)
def test_density_contours_are_on_round_densities_and_the_outlier_line_on_its_level(case):
    shown = seen(case)
    cell = cell_of(shown)

    def density(xy):
        return shown.model.inner.score_samples(xy)

    places = vertices(shown.with_role("density"))
    assert len(places)
    at = density(places) / np.log(10)
    rounded = np.log10(np.multiply.outer(10.0 ** np.arange(-9, 4), (1, 2, 5)).ravel()) * np.log(10)
    nearest = rounded[np.abs(at[:, None] * np.log(10) - rounded).argmin(axis=1)]
    assert (
        np.array(
            [cells_off(density, place[None], level, cell)[0] for place, level in zip(places, nearest, strict=True)]
        ).max()
        < 1
    )
    levels = np.unique(np.round(nearest, 6))
    assert 2 <= len(levels) <= 7
    for mark in shown.with_role("outlier line"):
        assert cells_off(density, vertices([mark]), shown.model.inner.outlier_level, cell).max() < NEAR


@pytest.mark.parametrize("window", ["box", "triangular"])
def test_the_reach_of_windows_is_where_the_nearest_sample_is_a_width_away(window):
    shown = seen(Case("parzen", values=(("window", window), ("width", 0.6))))
    places = vertices(shown.with_role("reach"))

    def nearest(xy):
        return np.linalg.norm(xy[:, None] - shown.X, axis=2).min(axis=1)

    assert len(places) and (cells_off(nearest, places, 0.6, cell_of(shown)) < NEAR).mean() > 0.9


def test_in_the_doubt_the_threshold_is_where_the_classes_would_part():
    shown = seen(Case("logistic", decision="reject"))
    (line,) = shown.with_role("threshold")
    p = shown.model.predict_proba(vertices([line]))[:, 1]
    assert abs(float(line.label.rpartition("= ")[2]) - 2 / 3.5) < 1e-3
    np.testing.assert_allclose(p, 2 / 3.5, atol=5e-3)


def test_targets_of_least_squares_are_where_the_score_is_one():
    shown = seen(Case("kernel-rls", values=(("lambda_", 1e-4),)))
    places = vertices(shown.with_role("margin"))
    off = [cells_off(score_of(shown), places, level, cell_of(shown)) for level in (-1.0, 1.0)]
    assert len(places) and np.minimum(*off).max() < NEAR


def test_cell_borders_are_as_far_from_two_centres():
    shown = seen(Case("kmeans", task="clustering"))
    places = vertices(shown.with_role("cell"))
    away = np.sort(np.linalg.norm(places[:, None] - shown.model.inner.centers, axis=2), axis=1)
    assert len(places)
    np.testing.assert_allclose(away[:, 0], away[:, 1], atol=1e-6)


def test_the_exact_boundary_of_the_descent_is_the_machines():
    shown = seen(Case("svm-sgd"), PROBED)
    places = vertices(shown.with_role("exact boundary"))
    machine = shown.model.inner.problem.exact
    assert len(places)
    assert cells_off(machine.decision_function, places, 0.0, cell_of(shown)).max() < 1e-3
