"""The hand on knots, centres and widths of a basis: it moves them on the canvas, whatever its tool."""

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.algorithms.bases import BasisMethod
from mlviz.algorithms.basis_pictures import basis_places
from mlviz.draw.marks import Points
from mlviz.numerics.number_lists import read_places
from mlviz.picture import draw
from mlviz.scene import edits
from tests.ui.hands import Desk

POINTS = [(-2, -1), (-1, 1), (0, 0.2), (0.7, 1.2), (1, -1), (1.5, 0.3), (2, 1), (2.4, 2)]
METHODS = [name for name, method in registry().items() if issubclass(method, BasisMethod)]
LEVEL, LOWER = -1 - 0.035 * 3, -1 - 0.07 * 3


def desk_of(qtbot, settings, method="linear-regression", preprocessing="none", tool="pen"):
    desk = Desk(qtbot, POINTS, None, method)
    scene = edits.with_value(desk.store.scene, 0, "pipeline.preprocessing", preprocessing)
    desk.store.push(edits.with_settings(scene, 0, settings), "start")
    desk.hand.tool = tool
    return desk


def algorithm(desk):
    return desk.store.scene.panels[0].pipeline.algorithm


@pytest.mark.parametrize("tool", ["pen", "move", "eraser"])
def test_a_drag_moves_a_knot_in_one_step_of_undo(qtbot, tool):
    desk = desk_of(qtbot, {"basis": "splines", "knot_places": "-1 0.5 1.2"}, tool=tool)
    data = desk.data
    desk.drag((0.5, LEVEL), (0.9, LEVEL))
    np.testing.assert_allclose(read_places(algorithm(desk).knot_places), [-1, 0.9, 1.2], atol=0.03)
    assert desk.store.undo_what == "move knots" and desk.data is data
    desk.drag((0.9, LEVEL), (3.5, LEVEL))
    places = read_places(algorithm(desk).knot_places)
    assert places[1] < 1.2 and places[1] > 1.19, "it stays between its neighbours"
    desk.store.undo()
    desk.store.undo()
    assert algorithm(desk).knot_places == "-1 0.5 1.2"


def test_knots_that_were_evenly_spaced_are_by_hand_once_they_are_dragged(qtbot):
    desk = desk_of(qtbot, {"basis": "splines", "n_knots": 1})
    desk.drag((0.2, LEVEL), (0.6, LEVEL))
    assert algorithm(desk).knots == "knots by hand"
    np.testing.assert_allclose(read_places(algorithm(desk).knot_places), [0.6], atol=0.03)


@pytest.mark.parametrize("preprocessing", ["none", "standardize"])
def test_centres_and_the_width_of_bumps(qtbot, preprocessing):
    desk = desk_of(qtbot, {"basis": "Gaussian bumps", "center_places": "-1 1", "width": 0.5}, "bayesian-linear")
    x = np.array(POINTS)[:, 0]
    scale, shift = (x.std(), x.mean()) if preprocessing == "standardize" else (1.0, 0.0)
    desk.store.push(edits.with_value(desk.store.scene, 0, "pipeline.preprocessing", preprocessing), "start")
    desk.drag((scale * 1 + shift, LEVEL), (scale * 1.3 + shift, LEVEL))
    np.testing.assert_allclose(read_places(algorithm(desk).center_places), [-1, 1.3], atol=0.05)
    desk.drag((scale * (-1 + 0.5) + shift, LOWER), (scale * (-1 + 0.9) + shift, LOWER))
    assert algorithm(desk).width == pytest.approx(0.9, abs=0.05)
    assert desk.store.undo_what == "move width"


def test_beside_them_and_where_they_are_hidden_the_tool_in_the_hand_works(qtbot):
    desk = desk_of(qtbot, {"basis": "splines", "knot_places": "0.5"})
    desk.click(-0.5, LEVEL)
    assert len(desk.data) == len(POINTS) + 1
    desk.store.push(edits.with_layer(desk.store.scene, 0, "basis places", False), "hide")
    desk.drag((0.5, float(np.min(desk.data.X[:, 1])) - 0.1), (1.0, LEVEL))
    assert algorithm(desk).knot_places == "0.5"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("basis", ["splines", "Gaussian bumps", "polynomial"])
def test_what_is_drawn_is_where_the_hand_takes_hold(qtbot, method, basis):
    desk = desk_of(qtbot, {"basis": basis}, method, "standardize")
    (picture,) = draw(desk.store.scene, [(300, 200)])
    drawn = [mark for mark in picture.plot.marks if isinstance(mark, Points) and mark.role == "basis place"]
    if basis == "polynomial":
        assert not drawn
        return
    X, y = np.array(POINTS)[:, :1], np.array(POINTS)[:, 1]
    found = basis_places(algorithm(desk), (X - X.mean()) / X.std(), y)
    wanted = found.places * X.std() + X.mean()
    np.testing.assert_allclose(drawn[0].xy, np.column_stack((wanted, np.full(len(wanted), LEVEL))), atol=1e-9)
