"""Every regression over the plane: one scale for bar, shade and samples, whatever the samples are."""

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import HillRegression, RippleRegression, SaddleRegression
from mlviz.draw.marks import Field, Text
from mlviz.draw.numbers import plain
from mlviz.picture import draw
from mlviz.scene import edits
from mlviz.scene.defaults import default_scene
from mlviz.scene.splits import edits as splits
from mlviz.scene.values import OVER_PLANE, scale_of_target
from mlviz.scene.values.edits import with_values
from mlviz.ui.paint.scene_view import samples_of
from tests.sweep import sweep

REGRESSIONS = [name for name, method in registry().items() if "regression" in method.tasks]
SAMPLES = {
    "one point": ([(0, 0)], [0.5]),
    "one place": ([(1, 1), (1, 1)], [0, 1]),
    "equal values": ([(0, 0), (1, 1)], [3, 3]),
    "values of 1e9": ([(0, 0), (1, 1), (1, 0)], [1e9, 2e9, -1e9]),
    "values near 1e9": ([(0, 0), (1, 1), (2, 1)], [1e9, 1e9 + 1, 1e9 + 2]),
    "tiny values": ([(0, 0), (1, 1), (2, 1)], [1e-9, -2e-9, 0]),
    "on a line": ([(0, 0), (1, 0), (2, 0)], [1, 2, 3]),
    "far inputs": ([(1e9, 0), (1e9 + 1, 1)], [0, 1]),
    "an equal input with other values": ([(0, 0), (0, 0), (1, 2)], [-1, 1, 0]),
}


def given(method, places, values):
    data = Dataset(np.array(places, dtype=float), np.zeros(len(places), dtype=int))
    scene = edits.with_method(default_scene().replace(dataset=data), 0, method)
    scene = edits.with_task(scene, 0, OVER_PLANE)
    return scene.replace(dataset=with_values(scene.dataset, np.arange(len(places)), values, "y"))


@sweep("method, case", REGRESSIONS, SAMPLES)
def test_samples_bar_and_shade_have_one_scale(method, case):
    scene = given(method, *SAMPLES[case])
    (picture,) = draw(scene, [(120, 90)], 120)
    scale, samples = scale_of_target(scene, "y"), samples_of(scene, 0)
    np.testing.assert_array_equal(samples.shades, scale.shades(SAMPLES[case][1]))
    if picture.message:
        assert picture.message.endswith(".")
        assert samples.entries(())[0].label == f"y, {scale}"
        return
    (field,) = [mark for mark in picture.plot.marks if isinstance(mark, Field) and mark.role == "value"]
    assert field.label == f"prediction and targets, {scale}"
    assert [entry.label for entry in samples.entries(picture.plot.marks)].count(field.label) == 1
    for mark in picture.plot.marks:
        assert np.isfinite(mark.places()).all() or mark.rows is not None or mark.role == "value line"


@sweep("method, generator", REGRESSIONS, [HillRegression(), SaddleRegression(), RippleRegression()])
def test_the_test_error_is_that_of_the_held_out_values(method, generator):
    scene = edits.with_method(edits.with_drawn(default_scene(), generator.generate(2)), 0, method)
    scene = splits.split(scene, 0.25, 3)
    (picture,) = draw(scene, [(60, 60)], 60)
    data = scene.dataset
    inner, outer = data.X[data.training], data.X[data.test]
    model = scene.panels[0].pipeline.fit(inner[:, :2], inner[:, 2], scene.seed)
    wanted = np.sqrt(np.mean((model.predict(outer[:, :2]) - outer[:, 2]) ** 2))
    assert picture.facts["test RMSE"].value == pytest.approx(wanted, rel=1e-9)
    assert samples_of(scene, 0).held_out.sum() == len(outer)


@pytest.mark.parametrize("method", REGRESSIONS)
def test_a_hidden_layer_leaves_the_scale_in_the_legend(method):
    scene = edits.with_method(edits.with_drawn(default_scene(), HillRegression().generate(2)), 0, method)
    (picture,) = draw(edits.with_layer(scene, 0, "value field", False), [(60, 60)], 60)
    labels = [entry.label for entry in samples_of(scene, 0).entries(picture.plot.marks)]
    assert labels[0] == f"y, {scale_of_target(scene, 'y')}"


@pytest.mark.parametrize("offset", [0.0, 300.0, 2000.0, 123_456.0, -1e6])
@pytest.mark.parametrize("method", REGRESSIONS)
def test_numbers_on_lines_of_equal_value_differ_and_are_their_levels(method, offset):
    scene = given(method, [(0, 0), (1, 0), (0, 1), (1, 1)], offset + np.arange(4.0))
    (picture,) = draw(scene, [(320, 240)], 60)
    texts = [mark for mark in picture.plot.marks if isinstance(mark, Text) and mark.role.endswith("line")]
    for text in texts:
        assert len(set(text.words)) == len(text.words)
        levels = np.array([float(plain(word)) for word in text.words])
        # Levels are multiples of their step, and each is read as its own.
        step = np.diff(np.sort(levels)).min(initial=np.inf)
        if text.role == "value line" and np.isfinite(step):
            away = np.abs(levels / step - np.round(levels / step))
            assert away.max() < 0.1
            if method == "linear-regression":
                model = scene.panels[0].pipeline.fit(scene.dataset.X[:, :2], offset + np.arange(4.0), seed=0)
                assert np.abs(model.predict(text.xy) - levels).max() < 0.1 * step
