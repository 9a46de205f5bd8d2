"""A surface drawn by hand, by values at places, is judged as the method's own is, kept, hidden and described."""

import json

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.algorithms.drawn import HasLineObjective
from mlviz.data.generators.catalog import SaddleRegression
from mlviz.draw.marks import Field, Lines, Text
from mlviz.picture import draw
from mlviz.picture.attempts.marks import attempt_marks
from mlviz.picture.description import summary
from mlviz.scene import edits
from mlviz.scene.attempts import edits as attempt_edits
from mlviz.scene.defaults import default_scene
from mlviz.scene.files import scene_file
from mlviz.scene.files.strict_json import BadScene
from mlviz.scene.splits import edits as splits
from mlviz.scene.values import OVER_PLANE, scale_of_target, value_column
from tests.ui.hands import SHIFT, Desk

REGRESSIONS = [name for name, method in registry().items() if "regression" in method.tasks]
PLACES, SLOPES = np.array([(-2.0, -1.0), (2.0, -1.0), (0.0, 2.0)]), np.array([0.5, -0.25])


def scene_of(method="linear-regression", places=PLACES, values=None, **settings):
    """Values over the plane, some held out, with the plane 0.1 + SLOPES x drawn by three of its values."""
    scene = edits.with_drawn(default_scene(), SaddleRegression(n_samples=60).generate(2))
    scene = edits.with_task(edits.with_method(scene, 0, method), 0, OVER_PLANE)
    scene = edits.with_settings(splits.split(scene, 0.3), 0, settings)
    values = 0.1 + places @ SLOPES if values is None else values
    return attempt_edits.with_drawn(scene, 0, "surface", places, values)


@pytest.mark.parametrize("method", REGRESSIONS)
def test_errors_are_those_of_the_plane_whatever_the_method(method):
    scene = scene_of(method)
    (picture,) = draw(scene, [(200, 150)], 60)
    (score,) = picture.scores
    found, data = {measure.name: measure for measure in score.measures}, scene.dataset
    residuals = data.X[:, data.column(value_column(scene, 0))] - 0.1 - data.X[:, :2] @ SLOPES
    for name, mask in (("training RMSE", data.training), ("test RMSE", data.test)):
        assert found[name].drawn == pytest.approx(np.sqrt(np.mean(residuals[mask] ** 2)))
        assert found[name].own == pytest.approx(picture.facts[name].value)


@pytest.mark.parametrize("method", ["linear-regression", "svr", "quantile-regression", "lp-regression"])
def test_the_objective_is_never_below_that_of_the_method(method):
    kind = registry()[method]
    settings = {"kernel": "linear"} if any(p.name == "kernel" for p in kind.parameters()) else {}
    scene = scene_of(method, **settings)
    assert isinstance(scene.panels[0].pipeline.algorithm, HasLineObjective)
    (score,) = draw(scene, [(200, 150)], 60)[0].scores
    (measure,) = score.measures[2:]
    assert measure.own <= measure.drawn * (1 + 1e-9), "the method minimises it"
    if method == "linear-regression":
        assert measure.drawn == pytest.approx(score.measures[0].drawn ** 2)
    bent = scene_of(method, np.vstack((PLACES, (0, 0))), np.array([0.0, 0.0, 0.0, 1.0]), **settings)
    assert len(draw(bent, [(200, 150)], 60)[0].scores[0].measures) == 2, "no function of the method"


def test_it_is_drawn_while_the_answer_is_hidden_and_told_in_words():
    scene = attempt_edits.hiding(scene_of(), True)
    (picture,) = draw(scene, [(200, 150)], 60)
    (field,) = [mark for mark in picture.plot.marks if isinstance(mark, Field)]
    scale, nodes = scale_of_target(scene, value_column(scene, 0)), np.meshgrid(field.x, field.y)
    plane = 0.1 + SLOPES[0] * nodes[0] + SLOPES[1] * nodes[1]
    assert np.abs(field.strength.astype(int) - scale.shades(plane)).max() <= 1
    marks = attempt_marks(scene, 0)
    for text in [mark for mark in marks if isinstance(mark, Text)]:
        told = [float(word.replace("−", "-")) for word in text.words]
        np.testing.assert_allclose(0.1 + text.xy @ SLOPES, told, atol=0.02)
    assert any(isinstance(mark, Lines) and len(mark.xy) for mark in marks)
    (levels,) = [mark.xy for mark in marks if isinstance(mark, Lines) and mark.label == "equal value of the attempt"]
    values = (0.1 + levels @ SLOPES)[np.isfinite(levels[:, 0])]
    np.testing.assert_allclose(values, np.round(values * 2) / 2, atol=1e-6)
    # A canvas three times as wide as high shows three times the limits across, where axes have equal units.
    left, right, low, high = scene.view.limits
    for column, (least, most) in enumerate(((left, right), (low, high))):
        assert np.nanmin(levels[:, column]) < least - (most - least)
        assert np.nanmax(levels[:, column]) > most + (most - least)
    assert "Attempt 1 gives" in summary(scene, 0, picture)
    assert "plane goes through three" in attempt_edits.what_to_draw(scene, 0)


def test_it_comes_back_from_a_file_and_belongs_to_its_column():
    scene = scene_of()
    document = json.loads(json.dumps(scene_file.to_json(scene)))
    assert scene_file.from_json(document).attempts == scene.attempts
    column = value_column(scene, 0)
    assert scene.attempts[0].axes == (*scene.axes, column)
    for broken in ({"values": [1.0]}, {"values": [1.0, 2.0, 1e200]}, {"kind": "curve"}):
        with pytest.raises(BadScene, match=r"attempts\[0\]"):
            scene_file.from_json({**document, "attempts": [{**document["attempts"][0], **broken}]})


def test_the_hand_gives_values_moves_places_and_undoes_each(qtbot):
    desk = Desk(qtbot, PLACES, np.zeros(3, dtype=int), "linear-regression")
    desk.store.push(edits.with_task(desk.store.scene, 0, OVER_PLANE), "task")
    desk.hand.tool = "attempt"
    for place, value in (((-1, -1), 0.5), ((1, -1), -0.5), ((0, 1), 1.0)):
        desk.hand.value = value
        desk.click(*place)
    (attempt,) = desk.store.scene.attempts
    assert attempt.kind == "surface" and attempt.values == (0.5, -0.5, 1.0)
    assert desk.store.undo_what == "give value" and len(desk.data) == 3
    desk.drag((0, 1), (0, 2))
    (moved,) = desk.store.scene.attempts
    assert moved.values == attempt.values and moved.lines[0][2][1] == pytest.approx(2, abs=0.05)
    assert desk.store.undo_what == "move value"
    desk.hand.value = 2.0
    desk.click(1, -1)
    assert desk.store.scene.attempts[0].values == (0.5, 2.0, 1.0)
    desk.click(2, 2, keys=SHIFT)
    assert [len(one.values) for one in desk.store.scene.attempts] == [3, 1]
    for _ in range(3):
        desk.store.undo()
    assert desk.store.scene.attempts == (attempt,)


@pytest.mark.parametrize("values", [(-1.0, 1.0, 0.0), (0.5, 2.0, -0.25)])
def test_no_number_is_written_both_at_a_place_and_on_the_line_through_it(values):
    words = [
        word for mark in attempt_marks(scene_of(values=values), 0) if isinstance(mark, Text) for word in mark.words
    ]
    assert len(set(words)) == len(words) > len(values), words
