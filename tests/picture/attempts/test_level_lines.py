"""A surface drawn by lines along which it has one value: drawn, judged, kept and described as one of places is."""

import json

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

from mlviz.data.generators.catalog import SaddleRegression
from mlviz.draw.marks import Field, Lines, Points, Text
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

TURN = np.linspace(0, 2 * np.pi, 41)


def ring(radius, middle=(0.0, 0.0)):
    line = np.array(middle) + radius * np.column_stack((np.cos(TURN), np.sin(TURN)))
    line[-1] = line[0]
    return line


UP = np.column_stack((np.linspace(-1.5, -0.5, 30), np.linspace(-3, 3, 30)))
STEP = np.array([1.0, 0.0])
RIDGE = [(UP, -0.5), (UP + STEP, 0.25), (UP + 2 * STEP, 1.0)]
"""Level lines of the plane 0.25 + 0.75 (x1 - x2 / 6)."""


def scene_of(lines=RIDGE, axes=("x1", "x2"), method="linear-regression"):
    scene = edits.with_drawn(default_scene(), SaddleRegression(n_samples=60).generate(2))
    scene = edits.with_task(edits.with_method(scene, 0, method), 0, OVER_PLANE)
    scene = splits.split(scene, 0.3).with_view(axes=axes)
    (first, level), *others = lines
    scene = attempt_edits.with_surface_begun(scene, 0, first, level)
    for line, level in others:
        scene = attempt_edits.with_level_line(scene, 1, line, level)
    return scene


def of_plane(places):
    return 0.25 + 0.75 * (places @ [1.0, -1 / 6])


def test_parallel_lines_mean_their_plane_and_are_judged_by_it():
    scene = scene_of()
    (attempt,), data = scene.attempts, scene.dataset
    asked = np.random.default_rng(0).uniform(-5, 5, (50, 2))
    np.testing.assert_allclose(attempt.surface.predict(asked), of_plane(asked), atol=1e-9)
    (score,) = draw(scene, [(200, 150)])[0].scores
    found, objective = {measure.name: measure for measure in score.measures}, score.measures[2]
    residuals = data.X[:, data.column(value_column(scene, 0))] - of_plane(data.X[:, :2])
    for name, mask in (("training RMSE", data.training), ("test RMSE", data.test)):
        assert found[name].drawn == pytest.approx(np.sqrt(np.mean(residuals[mask] ** 2)))
    assert objective.drawn == pytest.approx(found["training RMSE"].drawn ** 2) and objective.own < objective.drawn


@pytest.mark.parametrize("axes", [("x1", "x2"), ("x2", "x1")])
def test_it_is_told_what_the_method_says_along_the_lines(axes):
    lines = [(ring(1.0, (1.0, 0.5)), 2.0), (ring(2.0, (-1.0, 0.0)), 0.5), (UP[:2], 2.0)]
    scene = scene_of(lines, axes)
    data, order = scene.dataset, [("x1", "x2").index(name) for name in axes]
    target = data.X[:, data.column(value_column(scene, 0))]
    plane = LinearRegression().fit(data.X[data.training][:, order], target[data.training])
    (picture,) = draw(scene, [(200, 150)])
    (score,) = picture.scores
    assert [(one.level, one.count) for one in score.along] == [(2.0, 2), (0.5, 1)]
    # A plane has at the middle of a circle, or of a straight line, its mean along it.
    one, straight, other = plane.predict([(1.0, 0.5), UP[:2].mean(axis=0), (-1.0, 0.0)])
    assert score.along[0].mean == pytest.approx((one + straight) / 2, abs=1e-9)
    assert score.along[1].mean == pytest.approx(other, abs=1e-9)
    steep = np.hypot(*plane.coef_)
    assert score.along[1].off == pytest.approx(np.sqrt((other - 0.5) ** 2 + (2.0 * steep) ** 2 / 2), rel=2e-3)
    told = score.to_json()
    assert told["along"][1] == {"level": 0.5, "lines": 1, "mean": score.along[1].mean, "rms": score.along[1].off}
    assert "along its 2 lines for 2 the method says" in told["sentence"]
    assert "attempt 1: training RMSE" in picture.caption
    places = attempt_edits.with_drawn(scene.replace(attempts=()), 0, "surface", UP, np.zeros(30))
    assert "along" not in draw(places, [(200, 150)])[0].scores[0].to_json()


def test_its_contours_are_those_of_the_values_drawn_and_have_their_numbers_once():
    marks = attempt_marks(scene_of(), 0)
    (levels,) = [mark.xy for mark in marks if isinstance(mark, Lines) and mark.label == "equal value of the attempt"]
    values = of_plane(levels[np.isfinite(levels[:, 0])])
    assert set(np.round(values, 6)) == {-0.5, 0.25, 1.0}
    words = [word for mark in marks if isinstance(mark, Text) for word in mark.words]
    assert sorted(words) == sorted(["−0.5", "0.25", "1"])
    (drawn,) = [mark for mark in marks if isinstance(mark, Lines) and mark.label == "attempt 1"]
    assert np.isnan(drawn.xy[:, 0]).sum() == 2 and not any(isinstance(mark, Points) for mark in marks)
    assert marks.index(drawn) > [mark.label for mark in marks if isinstance(mark, Lines)].index(
        "equal value of the attempt"
    )


def test_it_is_shown_while_the_answer_is_hidden_and_told_in_words():
    scene = attempt_edits.hiding(scene_of([(ring(1.0), -1.0), (ring(3.0), 1.0)]), True)
    (picture,) = draw(scene, [(200, 150)])
    (field,) = [mark for mark in picture.plot.marks if isinstance(mark, Field)]
    scale, nodes = scale_of_target(scene, value_column(scene, 0)), np.stack(np.meshgrid(field.x, field.y), axis=-1)
    away = np.hypot(*np.moveaxis(nodes, -1, 0))
    low, middle = (field.strength[np.abs(away - radius) < 0.05].astype(int) for radius in (1.0, 3.0))
    assert np.abs(low - int(scale.shades(np.array(-1.0)))).max() <= 8
    assert np.abs(middle - int(scale.shades(np.array(1.0)))).max() <= 8
    said = summary(scene, 0, picture)
    assert "line of attempt 1 for −1" in said and "line of attempt 1 for 1" in said
    assert "draw a line along which" in attempt_edits.what_to_draw(scene, 0)


LINES = {
    "one": [(UP, 1.0)],
    "closed": [(ring(1.0), 1.0)],
    "straight": [(np.array([(-1.0, -1.0), (1.0, 1.0)]), 1.0)],
    "level": [(np.array([(-1.0, 0.0), (1.0, 0.0)]), 1.0), (np.array([(-1.0, 2.0), (1.0, 2.0)]), 1.0)],
    "crossing": [(UP, 1.0), (UP * [-1, 1], -1.0)],
    "the same": [(UP, 1.0), (UP, -1.0)],
    "out of sight": [(UP + 100.0, 1.0), (UP - 1e6, 2.0)],
    "tiny": [(1e-9 * UP, 1.0), (1e-9 * UP + 2e-9, 3.0)],
    "there and back": [(np.concatenate((UP, UP[::-1])), 1.0), (UP + STEP, 2.0)],
}


@pytest.mark.parametrize("case", LINES)
def test_lines_that_say_little_or_too_much_still_mean_a_surface(case):
    scene = scene_of(LINES[case], method="kernel-ridge")
    (attempt,) = scene.attempts
    values = attempt.surface.predict(np.random.default_rng(0).uniform(-4, 4, (200, 2)))
    assert np.isfinite(values).all()
    if len({level for _, level in LINES[case]}) == 1:
        np.testing.assert_allclose(values, 1.0, atol=1e-9)
        assert attempt.surface.level
        assert not any(getattr(mark, "label", "") == "equal value of the attempt" for mark in attempt_marks(scene, 0))
    if case == "the same":
        np.testing.assert_allclose(attempt.surface.predict(UP), 0.0, atol=1e-9)
    for mark in attempt_marks(scene, 0):
        assert np.isfinite(mark.xy).any()
    (picture,) = draw(scene, [(200, 150)])
    assert len(picture.scores[0].along) == len({level for _, level in LINES[case]})
    assert scene_file.from_json(json.loads(json.dumps(scene_file.to_json(scene)))).attempts == scene.attempts


def test_it_comes_back_from_a_file_and_what_is_wrong_is_refused():
    scene = scene_of()
    scene = attempt_edits.with_places(scene, 1, [(0.0, 0.0)], [3.0])
    document = json.loads(json.dumps(scene_file.to_json(scene)))
    (kept,) = document["attempts"]
    assert kept["levels"] == [-0.5, 0.25, 1.0] and kept["values"] == [3.0]
    assert scene_file.from_json(document).attempts == scene.attempts
    old = {"kind": "surface", "axes": kept["axes"], "lines": [[[0, 0], [1, 1]]], "values": [1.0, 2.0]}
    (read,) = scene_file.from_json({**document, "attempts": [old]}).attempts
    assert read.levels == () and read.values == (1.0, 2.0) and len(read.lines) == 1
    rest = kept["lines"][1:]
    for broken, words in (
        ({"levels": [1.0]}, "levels has 1 entries; 3 are needed"),
        ({"levels": [1.0, 2.0, 1e200]}, "levels goes beyond"),
        ({"levels": [1.0, 2.0, "3"]}, "levels[2] is a text"),
        ({"kind": "boundary", "lines": rest}, "levels is for a surface alone"),
        ({"lines": [[], *rest[:2], [[0, 0]]]}, "lines[3] needs at least 2 places"),
        ({"lines": [[], *rest[:2], [[0, 0], [0, 0]]]}, "lines[3] has all its places in one"),
        ({"lines": [[]], "levels": []}, "lines[0] needs at least 1 place"),
        ({"lines": [[[0, 0]]] * 21, "levels": [1.0] * 20}, "lines has 21 entries"),
    ):
        given = {**kept, **broken}
        if given["kind"] != "surface":
            del given["values"]
        with pytest.raises(BadScene) as refused:
            scene_file.from_json({**document, "attempts": [given]})
        assert words in str(refused.value)
