"""A column that is named and not there: a sentence, whatever names it."""

from dataclasses import replace

import pytest

from mlviz.data.dataset import Dataset
from mlviz.picture import draw
from mlviz.scene.canvas_axes import fitted_limits
from mlviz.scene.defaults import default_scene
from mlviz.scene.edits import with_dataset

POINTS = Dataset([[0.0, 0.0, 1.0], [1.0, 2.0, 0.5], [2.0, 0.0, 3.0]], [0, 1, 1], ("a", "b", "c"))


@pytest.mark.parametrize("preprocessing", ["none", "standardize", "principal-components"])
@pytest.mark.parametrize(
    ("axes", "inputs"), [(("a", "gone"), None), (("gone", "x"), ("a", "b")), (None, ("gone", "b"))]
)
def test_a_column_that_is_not_there_is_told_in_the_picture(preprocessing, axes, inputs):
    scene = with_dataset(default_scene(), POINTS, preprocessing=preprocessing).with_view(axes=axes)
    scene = scene.replace(panels=tuple(replace(panel, inputs=inputs) for panel in scene.panels))
    scene = scene.with_view(limits=fitted_limits(scene))
    assert set(scene.axes) <= set(POINTS.columns)
    [picture] = draw(scene, [(300, 200)], 60)
    assert picture.message.startswith("There is no column 'gone'; there are a, b, c.")
