import numpy as np

from mlviz.draw.marks import Arrows, Ellipses, Field, Lines, Points, Polygons, Segments, Text
from mlviz.draw.plot import Plot, full_limits, visible_limits

A, B = np.array([[1.0, 2.0], [3.0, 5.0]]), np.array([[0.0, -1.0], [2.0, 2.0]])
SCALE, SHIFT = np.array([2.0, -0.5]), np.array([10.0, 1.0])


def moved(xy):
    return xy * SCALE + SHIFT


def test_every_place_is_moved():
    assert np.array_equal(Points("now", A, rows=np.array([0, 1])).moved(SCALE, SHIFT).xy, moved(A))
    assert np.array_equal(Lines("curve", A).moved(SCALE, SHIFT).xy, moved(A))
    assert np.array_equal(Text("path", A, ("a", "b")).moved(SCALE, SHIFT).xy, moved(A))
    mark = Segments("residual", A, B, label="residuals").moved(SCALE, SHIFT)
    assert np.array_equal(mark.start, moved(A))
    assert np.array_equal(mark.end, moved(B))
    assert mark.label == "residuals"
    arrow = Arrows("component", A, B).moved(SCALE, SHIFT)
    assert np.array_equal(arrow.start, moved(A)) and np.array_equal(arrow.end, moved(B))
    assert np.array_equal(Polygons("bar", (A, B)).moved(SCALE, SHIFT).vertices[1], moved(B))


def test_a_moved_field_has_other_nodes_and_keeps_its_values():
    field = Field("value", np.arange(3.0), np.arange(2.0), np.zeros((2, 3), dtype=np.uint8))
    there = field.moved(SCALE, SHIFT)
    assert np.array_equal(there.x, [10, 12, 14])
    assert np.array_equal(there.y, [1, 0.5])
    assert there.strength is field.strength


def test_a_moved_ellipse_has_a_moved_outline():
    axes = np.array([[[1.0, 0.3], [0.2, 0.8]]])
    there = Ellipses("class 0", A[:1], axes).moved(SCALE, SHIFT)
    unit = np.array([0.6, 0.8])
    assert np.allclose(there.center[0] + there.axes[0] @ unit, moved(A[0] + axes[0] @ unit))


def test_full_limits():
    def limits(*marks, **facts):
        return full_limits(Plot("p", "", "", "", marks, **facts))

    assert limits(Lines("curve", A), limits=(0, 1, 2, 3)) == (0, 1, 2, 3)
    x0, x1, y0, y1 = limits(Lines("curve", A), Points("now", np.array([[np.nan, np.inf]])), Segments("path", A, B))
    assert x0 < 0 < 3 < x1
    assert y0 < -1 < 5 < y1
    assert limits(Arrows("component", A, B)) == limits(Segments("path", A, B))
    x0, x1, _, _ = limits(Ellipses("class 0", A[:1], np.array([[[2.0, 0.0], [0.0, 1.0]]])))
    assert x0 < -1
    assert x1 > 3
    x0, x1, _, _ = limits(Lines("curve", np.array([[0.0, 1], [0.01, 1], [100.0, 1]])), x_scale="log")
    assert 0.005 < x0 < 0.01
    assert 100 < x1 < 200
    assert limits() == (0, 1, 0, 1)
    # A plot's own limits are parted too, where rounding has left nothing between them.
    x0, x1, y0, y1 = limits(limits=(0.2, 0.2, -1.92e18, -1.92e18 + 256), x_scale="log")
    assert 0 < x0 < 0.2 < x1
    assert y0 < -2e18
    assert y1 > -1.8e18
    x0, x1, y0, y1 = limits(Points("now", A[:1]))
    assert x0 < 1 < x1
    assert y0 < 2 < y1


def test_equal_axes_are_widened_about_the_middle():
    assert visible_limits((0, 2, 0, 2), 200, 100, True) == (-1, 3, 0, 2)
    assert visible_limits((0, 2, 0, 2), 200, 100, False) == (0, 2, 0, 2)
    assert visible_limits((0, 2, 0, 2), 0, 100, True) == (0, 2, 0, 2)
