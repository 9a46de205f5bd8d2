"""Regressions of more inputs than the axes show: every one has a curve or a field, all other inputs at their means."""

import dataclasses

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.draw.marks import Field, Lines, Segments
from mlviz.draw.value_scale import ValueScale
from mlviz.picture import draw
from mlviz.scene import edits
from mlviz.scene.canvas_axes import fitted_limits
from mlviz.scene.defaults import default_scene
from mlviz.scene.values import scale_of_target

INPUTS = ("a", "b", "c", "d")
REGRESSIONS = [name for name, method in registry().items() if "regression" in method.tasks]
X = np.random.default_rng(4).normal((1, -2, 3, 0), (1, 2, 0.5, 3), (30, 4))
DATA = Dataset(np.column_stack((X, np.sin(X).sum(axis=1))), np.zeros(30, dtype=int), (*INPUTS, "y"))


def scene_of(method, axes, preprocessing="none", inputs=INPUTS, data=DATA):
    scene = edits.with_method(default_scene().replace(dataset=data), 0, method)
    panel = scene.panels[0]
    pipeline = panel.pipeline.replace(preprocessing=preprocessing)
    panel = dataclasses.replace(panel, inputs=inputs, target="y", pipeline=pipeline)
    scene = scene.with_panel(0, panel).with_view(axes=axes, equal=False)
    return scene.with_view(limits=fitted_limits(scene), probe=(1.5, 0.5))


def model_of(scene):
    return scene.panels[0].pipeline.fit(X, DATA.X[:, 4], scene.seed)


def others_at_means(columns, values):
    places = np.tile(X.mean(axis=0), (len(values), 1))
    places[:, columns] = values
    return places


@pytest.mark.parametrize("preprocessing", ["none", "whiten"])
@pytest.mark.parametrize("method", REGRESSIONS)
def test_along_one_input_and_the_target_there_is_a_curve(method, preprocessing):
    scene = scene_of(method, ("b", "y"), preprocessing)
    (picture,) = draw(scene, [(120, 90)], 120)
    (curve,) = [m for m in picture.plot.marks if isinstance(m, Lines) and m.role == "curve"]
    model = model_of(scene)
    np.testing.assert_allclose(curve.xy[:, 1], model.predict(others_at_means([1], curve.xy[:, :1])), atol=1e-6)
    assert "drawn with the inputs not on the axes at their means" in picture.caption
    assert picture.here.value == pytest.approx(model.predict(others_at_means([1], [[1.5]]))[0], abs=1e-6)
    for residual in (m for m in picture.plot.marks if isinstance(m, Segments) and m.role == "residual"):
        # Each ends at what is predicted for the sample itself, not on the curve.
        np.testing.assert_allclose(residual.end[:, 1], model.predict(X[residual.rows]), atol=1e-6)
        np.testing.assert_array_equal(residual.start, DATA.X[residual.rows][:, [1, 4]])


def test_many_inputs_are_counted_in_the_caption_and_four_are_named():
    (picture,) = draw(scene_of("linear-regression", ("b", "y")), [(120, 90)], 120)
    assert "fitted on a, b, c, d, drawn with" in picture.caption
    wide = Dataset(np.column_stack((DATA.X, DATA.X[:, 0] ** 2)), DATA.labels, (*INPUTS, "y", "e"))
    scene = scene_of("linear-regression", ("b", "y"), inputs=(*INPUTS, "e"), data=wide)
    (picture,) = draw(scene, [(120, 90)], 120)
    assert "fitted on 5 inputs, drawn with" in picture.caption


@pytest.mark.parametrize("method", REGRESSIONS)
def test_along_two_inputs_there_is_a_field(method):
    scene = scene_of(method, ("c", "a"), "standardize")
    (picture,) = draw(scene, [(60, 60)], 60)
    (field,) = [m for m in picture.plot.marks if isinstance(m, Field) and m.role == "value"]
    places = np.column_stack((np.tile(field.x, len(field.y)), np.repeat(field.y, len(field.x))))
    wanted = model_of(scene).predict(others_at_means([2, 0], places)).reshape(field.strength.shape)
    scale = scale_of_target(scene, "y")
    shades = ValueScale(scale.low, scale.high).shades(wanted)
    np.testing.assert_allclose(field.strength.astype(int), shades.astype(int), atol=1)  # the field is single precision


def test_two_inputs_of_which_one_axis_is_the_target():
    (picture,) = draw(scene_of("linear-regression", ("b", "y"), inputs=("a", "b")), [(60, 60)], 60)
    assert {"curve", "residual", "band"} <= {m.role for m in picture.plot.marks}


@pytest.mark.parametrize("axes", [("a", "d"), ("y", "b")])
def test_an_axis_that_is_no_input_shows_no_section(axes):
    (picture,) = draw(scene_of("linear-regression", axes, inputs=("b", "c")), [(60, 60)], 60)
    assert not picture.plot.marks and "are not the two axes" in picture.caption


@pytest.mark.parametrize(
    ("method", "axes", "settings"),
    [
        ("linear-regression", ("b", "y"), {"basis": "splines"}),
        ("linear-regression", ("b", "y"), {"basis": "Gaussian bumps"}),
        ("parzen", ("b", "a"), {"window": "box", "width": 2.0}),
    ],
)
def test_what_hyperparameters_say_of_all_inputs_is_not_drawn_as_if_it_were_of_those_shown(method, axes, settings):
    """Neither knots, centres and widths of a basis nor where windows are empty: other inputs have a part in that."""
    scene = scene_of(method, axes, "standardize", ("a", "b", "c"))
    for name, value in settings.items():
        scene = edits.with_value(scene, 0, f"algorithm.{name}", value)
    (picture,) = draw(scene, [(60, 60)], 60)
    roles = {m.role for m in picture.plot.marks}
    assert roles & {"curve", "value"} and not roles & {"basis place", "basis width", "reach"}
