"""A function that draws says by annotations what it needs, and is not called without."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlviz.draw.layer import Context, OnField, OnGrid, OnLine, overlay
from mlviz.numerics.grid import Grid

GRID = Grid.over((0.0, 1.0, 0.0, 1.0), 3, 3)


def drawn(function: Any, **given: Any) -> bool:
    context = Context(np.empty((0, 2)), None, np.empty(0, dtype=np.intp), None, "classification", **given)
    return overlay("id", "label")(function).draw(object(), context) == ("drawn",)


def test_nothing_is_drawn_without_what_is_asked_of_the_context():
    def on_grid(model: object, context: OnGrid):
        return ("drawn",)

    def on_field(model: object, where: OnField):
        return ("drawn",)

    def on_line(model: object, context: OnLine):
        return ("drawn",)

    field = np.zeros((3, 3))
    assert [drawn(f) for f in (on_grid, on_field, on_line)] == [False, False, False]
    assert [drawn(f, grid=GRID) for f in (on_grid, on_field, on_line)] == [True, False, False]
    assert [drawn(f, grid=GRID, field=field) for f in (on_grid, on_field, on_line)] == [True, True, False]
    assert [drawn(f, line=np.arange(3.0)) for f in (on_grid, on_field, on_line)] == [False, False, True]


def test_annotations_that_ask_for_nothing_are_drawn_everywhere():
    def plain(model: object, context: Context):
        return ("drawn",)

    def anything(model: Any, context: Any):
        return ("drawn",)

    assert drawn(plain) and drawn(anything) and drawn(lambda model, context: ("drawn",))
