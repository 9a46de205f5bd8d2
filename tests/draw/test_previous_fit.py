import numpy as np
import pytest

from mlviz.draw.marks import Arrows, Ellipses, Field, Lines, Points, Polygons, Segments, Text
from mlviz.draw.plot import GHOST_LABEL, ghost

XY = np.array([[0.0, 1.0], [2.0, 3.0]])
KINDS = {
    Lines: lambda role: Lines(role, XY, label="x"),
    Points: lambda role: Points(role, XY, np.ones(2), label="x"),
    Arrows: lambda role: Arrows(role, XY, XY + 1, label="x"),
    Ellipses: lambda role: Ellipses(role, XY, np.stack(2 * [np.eye(2)]), label="x"),
    Segments: lambda role: Segments(role, XY, XY + 1, label="x"),
    Polygons: lambda role: Polygons(role, (XY,), label="x"),
    Text: lambda role: Text(role, XY, ("a", "b"), label="x"),
    Field: lambda role: Field(role, XY[:, 0], XY[:, 1], np.zeros((2, 2), np.uint8), label="x"),
}
KEPT = ("boundary", "curve", "center", "component", "ellipse 0", "ellipse 12")
DROPPED = ("margin", "residual", "misclassified", "density", "member 0", "component line", "class 1", "ellipses", "now")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("role", KEPT + DROPPED)
def test_what_says_what_the_fit_was_is_kept(kind, role):
    mark = KINDS[kind](role)
    found = ghost([mark])
    if kind is Field or role in DROPPED:
        assert found == ()
        return
    (shadow,) = found
    assert type(shadow) is kind and shadow.role == "ghost" and shadow.label == GHOST_LABEL
    for name in set(vars(mark)) - {"role", "label"}:
        assert getattr(shadow, name) is getattr(mark, name)
    assert mark.role == role and mark.label == "x"


def test_the_order_stays():
    marks = [KINDS[Points]("center"), KINDS[Lines]("margin"), KINDS[Lines]("boundary")]
    assert [type(mark) for mark in ghost(marks)] == [Points, Lines]


def test_a_ghost_has_one_colour():
    (shadow,) = ghost([Points("center", XY, mix=np.eye(2, dtype=np.float32))])
    assert shadow.mix is None
