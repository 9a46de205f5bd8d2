"""While an answer is hidden, nothing is fitted for what is shown or written: so nothing of it can get out."""

import dataclasses
import json

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.cli import main
from mlviz.picture import draw
from mlviz.picture.attempts.marks import attempt_marks, drawn_regions
from mlviz.picture.description import summary
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene import edits
from mlviz.scene.attempts import edits as attempt_edits
from mlviz.scene.files import scene_file
from mlviz.ui.figure import figure
from mlviz.worker.engine import Engine
from mlviz.worker.jobs import Request
from tests.picture.attempts.test_scores import CASES, LINES, NODES, SIZE, scene_with, with_attempts


@pytest.fixture
def unfitted(monkeypatch):
    """No pipeline can fit."""

    def refuse(*_, **__):
        raise AssertionError("an answer was looked for")

    for name in ("steps", "fit", "prepare", "follower"):
        monkeypatch.setattr(Pipeline, name, refuse)
    for cls in registry().values():
        monkeypatch.setattr(cls, "steps", refuse)
        monkeypatch.setattr(cls, "fit", refuse)


def pictures_of(scene, draft=False):
    yield from draw(scene, [SIZE] * len(scene.panels), NODES)
    engine = Engine()
    engine.submit(Request(1, scene, (SIZE,) * len(scene.panels), draft))
    assert engine.busy
    found = engine.advance(0.0)
    assert not engine.busy and engine.seconds_until_work() is None
    yield from found


@pytest.mark.parametrize(("method", "task"), CASES)
def test_the_picture_is_of_the_samples_and_the_attempts_alone(unfitted, method, task):
    scene = attempt_edits.hiding(with_attempts(scene_with(method, task)), True)
    for picture in (*pictures_of(scene), *pictures_of(scene, draft=True)):
        assert picture.hidden
        blank = dataclasses.replace(
            picture, request=0, draft=False, plot=picture.plot, caption="", components_of=(), preprocessing="", key=""
        )
        for field in dataclasses.fields(picture):
            if field.name not in ("panel", "plot", "hidden") and field.default is not dataclasses.MISSING:
                assert getattr(blank, field.name) in (field.default, "", ()), field.name
        assert not picture.facts and not picture.sides and not picture.code and picture.message is None
        algorithm = scene.panels[0].pipeline.algorithm
        assert picture.caption.startswith(algorithm.caption()) and "hidden" in picture.caption
        expected = drawn_regions(scene, 0, picture.plot.limits)
        assert [mark.role for mark in picture.plot.marks] == [mark.role for mark in expected]
        words = summary(scene, 0, picture)
        assert "Facts" not in words and "decision boundary" not in words


def test_the_tints_are_those_of_the_newest_boundary(unfitted):
    scene = attempt_edits.hiding(scene_with("svm", "classification"), True)
    (picture,) = draw(scene, [SIZE], NODES)
    assert not picture.plot.marks
    scene = attempt_edits.with_drawn(scene, 0, "boundary", [(0.0, -9.0), (0.0, 9.0)])
    (field,) = draw(scene, [SIZE], NODES)[0].plot.marks
    assert len(np.unique(field.classes)) == 2
    for code in np.unique(field.classes):
        assert len(np.unique(field.x[(field.classes == code).any(axis=0)] > 0)) == 1


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_files_show_no_more(qapp, unfitted, tmp_path, kind):
    scene = attempt_edits.hiding(with_attempts(scene_with("svm", "classification")), True)
    pictures = draw(scene, [SIZE], NODES)
    path = tmp_path / f"a.{kind}"
    figure.export(path, pictures, scene, (400, 300), figure.Style(), sides=True)
    content = path.read_bytes()
    assert content and b"training error" not in content
    if kind == "svg":
        assert b"hidden" in content and b"attempt 1" in content


def run(capsys, *call):
    code = main(list(call))
    return code, *capsys.readouterr()


def test_the_command_line_tells_it_only_when_asked(capsys, tmp_path):
    scene = with_attempts(scene_with("kmeans", "clustering"))
    path = tmp_path / "scene.mlviz"
    scene_file.save(attempt_edits.hiding(scene, True), path)
    code, out, err = run(capsys, "fit", str(path), "--json")
    (report,) = json.loads(out)
    assert (code, err) == (0, "") and report["hidden"] and not report["facts"] and not report["attempts"]
    code, out, err = run(capsys, "fit", str(path))
    assert code == 0 and "hidden" in out and "inertia" not in out
    code, out, err = run(capsys, "fit", str(path), "--json", "--reveal")
    (report,) = json.loads(out)
    assert (code, err) == (0, "") and not report["hidden"] and report["facts"]["inertia"] > 0
    (attempt,) = report["attempts"]
    assert attempt["attempt"] == 1 and attempt["kind"] == "centres"
    assert attempt["measures"]["inertia"]["method"] == pytest.approx(report["facts"]["inertia"])
    code, out, err = run(capsys, "fit", str(path), "--reveal")
    assert attempt["sentence"] in out
    scene_file.save(scene, path)
    assert "--reveal has no effect: nothing is hidden" in run(capsys, "fit", str(path), "--reveal")[2]


def test_a_study_is_refused(capsys, tmp_path):
    path = tmp_path / "scene.mlviz"
    scene_file.save(attempt_edits.hiding(scene_with("lda", "classification"), True), path)
    code, out, err = run(capsys, "study", str(path), "--study", "confusion-matrix")
    assert code == 1 and not out and "hides the answer" in err


def test_several_canvases_score_the_same_attempts_each_by_its_method():
    scene = with_attempts(scene_with("svm", "classification"))
    for method in ("lda", "kmeans", "knn"):
        scene = edits.with_another_panel(scene, 0)
        scene = edits.with_method(scene, len(scene.panels) - 1, method)
    scene = attempt_edits.with_drawn(scene, 2, "centres", LINES["centres"])
    pictures = draw(scene, [SIZE] * 4, NODES)
    told = [[(score.number, score.kind) for score in picture.scores] for picture in pictures]
    assert told == [[(1, "boundary")], [(1, "boundary")], [(2, "centres")], [(1, "boundary")]]
    drawn = {pictures[k].scores[0].measures[0].drawn for k in (0, 1, 3)}
    assert len(drawn) == 1
    assert [mark.label for mark in attempt_marks(scene, 2) if mark.label] == ["attempt 2"]
    assert "attempt 1" in pictures[0].caption and "attempt 2" in pictures[2].caption
