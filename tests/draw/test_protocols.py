from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from inspect import signature
from types import SimpleNamespace
from typing import Any, get_type_hints

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.draw.layer import Chart, Context, OnField, OnGrid, OnLine, Overlay, overlay
from mlviz.draw.marks import Points
from mlviz.draw.plot import Plot
from mlviz.draw.protocols import HasCenters, HasCoef, HasTrail, needed_by, provides
from mlviz.numerics.grid import Grid
from mlviz.studies import registry as studies

CONTEXT = Context(np.zeros((1, 2)), None, np.zeros(1, dtype=np.intp), None, "clustering")


@dataclass(frozen=True)
class Centered:
    centers: np.ndarray

    @property
    def coef(self) -> np.ndarray:
        raise AssertionError("nobody asked for the value")


@dataclass(frozen=True)
class Combined:
    models: tuple[Any, ...] = ()
    classes: Any = ()

    @property
    def parts(self) -> list[Any]:
        return [SimpleNamespace(model=model, positive=1, negative=0) for model in self.models]

    def decision_function(self, X):
        return X


MODEL = Centered(np.zeros((3, 2)))


def centers(model: HasCenters, context: Context) -> Sequence[Points]:
    return (Points("center", model.centers),)


def several(models: Sequence[HasCenters], context: Context) -> Plot | None:
    return Plot("several", "", "", "", tuple(Points("center", model.centers) for model in models))


def test_what_a_function_needs_is_the_annotation_of_its_first_parameter():
    assert needed_by(centers) is HasCenters and needed_by(several) is HasCenters
    assert needed_by(lambda model, context: ()) is object


@pytest.mark.parametrize(
    ("wanted", "there"),
    [
        (HasCenters, True),
        (HasTrail, False),
        (HasTrail | HasCenters, True),
        (Centered, True),
        (Plot, False),
        (Any, True),
    ],
)
def test_a_model_provides_a_protocol_a_class_or_one_of_several(wanted, there):
    assert provides(MODEL, wanted) == there


def test_properties_are_found_without_computing_them():
    assert provides(MODEL, HasCoef)


def test_an_overlay_draws_nothing_for_a_model_that_lacks_what_it_needs():
    overlay = Overlay("centers", "centres", centers)
    assert len(overlay.draw(MODEL, CONTEXT)) == 1 and overlay.draw(object(), CONTEXT) == ()


def test_a_chart_of_each_binary_model_is_given_all_of_them_at_once():
    chart = Chart("several", "several", several, parts="each")
    assert len(chart.draw(MODEL, CONTEXT).marks) == 1
    assert len(chart.draw(Combined((MODEL, MODEL)), CONTEXT).marks) == 2
    assert chart.draw(Combined((MODEL, object())), CONTEXT) is None
    assert Chart("several", "several", several).draw(object(), CONTEXT) is None


@pytest.mark.parametrize("owner", [*registry().values(), *studies().values()], ids=lambda owner: owner.id)
def test_every_function_that_draws_says_what_it_needs(owner):
    for layer in (*owner.overlays, *getattr(owner, "charts", ())):
        hints = get_type_hints(layer.function)
        model, context = list(signature(layer.function).parameters)[:2]
        assert hints.get(model, Any) is not Any and issubclass(hints[context], Context), layer.id


def of_each(models: Sequence[HasCenters], context: OnLine) -> Plot | None:
    return Plot("each", "", "", "", (Points("line", np.column_stack((context.line, context.line))),))


@pytest.mark.parametrize("model", [MODEL, Combined((MODEL, MODEL))])
def test_a_chart_of_each_binary_model_is_not_drawn_without_what_it_asks_of_the_context(model):
    chart = Chart("each", "each", of_each, parts="each")
    assert chart.draw(model, CONTEXT) is None
    assert chart.draw(model, dataclasses.replace(CONTEXT, line=np.arange(2.0))) is not None


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
