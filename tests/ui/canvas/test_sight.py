"""Samples that are in sight stay so when a canvas takes another shape."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlviz.data.dataset import Dataset
from mlviz.draw.plot import visible_limits
from mlviz.scene.scene import MAX_LIMIT
from mlviz.ui.paint.scene_view import kept_in_sight
from mlviz.ui.shell.menu import command_functions

LIMITS = (-4.0, 4.0, -4.0, 4.0)
SIZES = st.tuples(st.integers(60, 2000), st.integers(60, 2000))


def in_sight(places, limits):
    x0, x1, y0, y1 = limits
    return ((places >= (x0, y0)) & (places <= (x1, y1))).all(axis=1)


@given(SIZES, SIZES, st.lists(st.tuples(st.floats(-60, 60), st.floats(-60, 60)), max_size=20))
def test_whatever_the_shapes_and_the_samples(old, new, points):
    places = np.array(points, dtype=float).reshape(-1, 2)
    before, after = visible_limits(LIMITS, *old, True), visible_limits(LIMITS, *new, True)
    limits = kept_in_sight(LIMITS, before, after, places)
    seen = in_sight(places, before)
    assert in_sight(places[seen], visible_limits(limits, *new, True)).all()
    assert (limits == LIMITS) == in_sight(places[seen], after).all()
    assert limits[0] <= -4 and limits[1] >= 4 and limits[2] <= -4 and limits[3] >= 4


def test_limits_stay_within_what_a_scene_may_have():
    far = np.array([[1.5 * MAX_LIMIT, 0.0]])
    limits = (-MAX_LIMIT, MAX_LIMIT, -MAX_LIMIT, MAX_LIMIT)
    kept = kept_in_sight(limits, visible_limits(limits, 900, 300, True), visible_limits(limits, 300, 900, True), far)
    assert kept == limits


@pytest.mark.parametrize("equal", [True, False])
def test_a_new_canvas_cuts_nothing_off(qtbot, window, equal):
    x0, x1, y0, y1 = window.canvas.frame().limits
    xy = np.array([(x0 + 0.1, 0.0), (0.0, y0 + 0.1), (x1 - 0.1, y1 - 0.1), (x1 + 9.0, 0.0)])
    scene = window.store.scene
    window.store.push(scene.replace(dataset=Dataset(xy, np.zeros(4, int))).with_view(equal=equal), "points")
    seen = in_sight(xy, window.canvas.frame().limits)
    assert seen.sum() >= 1 and not seen[3]
    for _ in range(3):
        command_functions.add_panel(window)
        qtbot.wait(50)
        for canvas in window.panels.canvases:
            assert (in_sight(xy, canvas.frame().limits) >= seen).all()
    if not equal:
        assert window.store.scene.view.limits == scene.view.limits
    else:
        assert seen.sum() == 3 and window.store.scene.view.limits != scene.view.limits
