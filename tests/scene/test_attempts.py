"""Attempts are part of the scene: saved, undone, and on the axes they were drawn on."""

import dataclasses
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlviz.data.generators.catalog import generators
from mlviz.picture import draw
from mlviz.picture.description import summary
from mlviz.scene import edits
from mlviz.scene.attempts import MAX_ATTEMPTS, Attempt, attempt_of
from mlviz.scene.attempts import edits as attempt_edits
from mlviz.scene.change import Change
from mlviz.scene.defaults import default_scene
from mlviz.scene.files.scene_file import BadScene, from_json, load, save, to_json
from mlviz.scene.history import Store

PLACE = st.tuples(st.floats(-1e100, 1e100), st.floats(-1e100, 1e100))
LINE = [(0.0, 0.0), (1.0, 2.0)]


@st.composite
def attempts(draw):
    kind = draw(st.sampled_from(["boundary", "curve", "centres", "axis", "level"]))
    least = 3 if kind == "level" else 1
    most = 2 if kind == "axis" else 8
    lines = st.lists(PLACE, min_size=least, max_size=most, unique=True).map(tuple)
    drawn = draw(st.lists(lines, min_size=1, max_size=3 if kind == "boundary" else 1))
    if kind == "level":
        drawn = [(*line, line[0]) for line in drawn]
    return Attempt(kind, draw(st.sampled_from([("x1", "x2"), ("PCA", "components of", "a", "b")])), tuple(drawn))


@given(st.lists(attempts(), max_size=4).map(tuple), st.booleans())
def test_a_file_brings_them_back(drawn, hides):
    scene = default_scene().replace(attempts=drawn, hides_answer=hides)
    document = json.loads(json.dumps(to_json(scene)))
    assert (from_json(document).attempts, from_json(document).hides_answer) == (drawn, hides)
    assert ("attempts" in document, "hides_answer" in document) == (bool(drawn), hides)


def test_a_file_on_the_disk_has_an_attempt_a_line(tmp_path):
    drawn = (attempt_of("boundary", ("x1", "x2"), LINE), attempt_of("centres", ("x1", "x2"), [(1.0, 1.0)]))
    save(default_scene().replace(attempts=drawn, hides_answer=True), tmp_path / "a.mlviz")
    assert load(tmp_path / "a.mlviz").attempts == drawn
    lines = [line for line in (tmp_path / "a.mlviz").read_text().splitlines() if '"kind"' in line]
    assert len(lines) == 2


def attempt(**changes):
    return {"attempts": [{"kind": "boundary", "axes": ["x1", "x2"], "lines": [[[0, 0], [1, 1]]], **changes}]}


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"hides_answer": 1}, "hides_answer is a number, not true or false"),
        ({"hides_answer": None}, "hides_answer is null, not true or false"),
        ({"attempts": {}}, "attempts is an object, not a list"),
        ({"attempts": attempt()["attempts"] * (MAX_ATTEMPTS + 1)}, f"attempts has {MAX_ATTEMPTS + 1} entries"),
        ({"attempts": [3]}, "attempts[0] is a number, not an object"),
        ({"attempts": [{}]}, "attempts[0].kind is null, not a text"),
        (attempt(colour="red"), "attempts[0].colour is not known; possible are kind, axes, lines"),
        (
            attempt(kind="star"),
            "attempts[0].kind is 'star'; possible are boundary, curve, surface, centres, axis, level",
        ),
        (attempt(axes=["x1"]), "attempts[0].axes needs the names of two axes"),
        (attempt(axes="x1"), "attempts[0].axes is a text"),
        (attempt(lines=[]), "attempts[0].lines is empty"),
        (attempt(lines=[[]]), "attempts[0].lines[0] needs at least 1 place."),
        (attempt(kind="level", lines=[[[0, 0], [1, 1]]]), "attempts[0].lines[0] needs at least 4 places."),
        (attempt(lines=[[[0, 0], [0, 0]]]), "attempts[0].lines[0] has all its places in one"),
        (attempt(lines=[[[0, 0], [1]]]), "attempts[0].lines[0][1] has 1 entries"),
        (attempt(lines=[[[0, 0], [1, "2"]]]), "attempts[0].lines[0][1][1] is a text"),
        (attempt(lines=[[[0, 0], [1, 1e101]]]), "attempts[0].lines[0] goes beyond 1e+100"),
        (attempt(kind="centres", lines=[[]]), "attempts[0].lines[0] needs at least 1 place."),
        (attempt(kind="curve", lines=[[[0, 0], [1, 1]]] * 2), "attempts[0].lines has 2 entries; at most 1"),
        (attempt(kind="axis", lines=[[[0, 0], [1, 1], [2, 2]]]), "attempts[0].lines[0] has 3 entries; at most 2"),
        (attempt(kind="level", lines=[[[0, 0], [1, 1], [2, 0], [3, 3]]]), "does not end where it begins"),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(wrong, words):
    with pytest.raises(BadScene) as refused:
        from_json({"format": 1, **wrong})
    assert words in str(refused.value) and str(refused.value).endswith(".")


def test_an_old_file_has_none():
    scene = from_json({"format": 1})
    assert scene.attempts == () and not scene.hides_answer


def drawn_scene():
    return edits.with_drawn(default_scene(), generators()["moons"]().generate(0))


def test_whether_the_answer_is_hidden_is_no_step_of_undo():
    store = Store(drawn_scene())
    store.push(attempt_edits.with_drawn(store.scene, 0, "boundary", LINE), "draw boundary")
    store.look(attempt_edits.hiding(store.scene, True))
    store.push(attempt_edits.with_drawn(store.scene, 0, "boundary", LINE), "draw boundary")
    store.undo()
    store.undo()
    assert store.undo_what is None and store.scene.hides_answer and not store.scene.attempts
    store.look(attempt_edits.hiding(store.scene, False))
    store.redo()
    assert len(store.scene.attempts) == 1 and not store.scene.hides_answer


def test_a_change_tells_of_them():
    scene = drawn_scene()
    drawn = attempt_edits.with_drawn(scene, 0, "boundary", LINE)
    hidden = attempt_edits.hiding(scene, True)
    for change, expected in ((Change(scene, drawn), (True, False)), (Change(scene, hidden), (True, True))):
        assert (change.attempts, change.hiding) == expected
        assert change.pictures and not change.fits and not change.panels and not change.samples
    assert not Change(scene, scene).attempts
    stepped = scene.with_view(step=3)
    assert attempt_edits.hiding(stepped, True).view.step is None


def test_they_belong_to_the_axes_and_the_kind_they_were_drawn_for():
    scene = attempt_edits.with_drawn(drawn_scene(), 0, "boundary", LINE)
    assert [number for number, _ in attempt_edits.attempts_on(scene, 0)] == [1]
    assert not attempt_edits.attempts_on(scene.with_view(axes=("x2", "x1")), 0)
    assert not attempt_edits.attempts_on(edits.with_method(scene, 0, "kmeans"), 0)
    assert attempt_edits.attempts_on(edits.with_method(scene, 0, "lda"), 0)
    components = edits.with_value(scene, 0, "pipeline.preprocessing", "principal components")
    assert not attempt_edits.attempts_on(components, 0)
    again = attempt_edits.with_drawn(components, 0, "boundary", LINE)
    assert [number for number, _ in attempt_edits.attempts_on(again, 0)] == [2]


def test_other_samples_leave_them_only_where_they_come_from_the_same_source():
    scene = attempt_edits.hiding(attempt_edits.with_drawn(drawn_scene(), 0, "boundary", LINE), True)
    again = edits.with_drawn(scene, generators()["moons"]().generate(1))
    assert again.attempts == scene.attempts and again.hides_answer
    other = edits.with_drawn(scene, generators()["blobs"]().generate(0))
    assert other.attempts == () and other.hides_answer


def test_what_was_only_begun_is_no_answer():
    scene = attempt_edits.with_drawn(drawn_scene(), 0, "boundary", LINE[:1])
    (picture,) = draw(scene, [(300, 200)])
    assert picture.message is None and not picture.scores
    (picture,) = draw(attempt_edits.hiding(scene, True), [(300, 200)])
    assert not picture.plot.marks and "first place at (0, 0)" in summary(scene, 0, picture)
    whole = attempt_edits.with_place(scene, 1, LINE[1])
    assert len(draw(whole, [(300, 200)])[0].scores) == 1


def test_the_words_say_what_to_draw_for_every_method():
    from mlviz.algorithms import registry

    for key, cls in registry().items():
        scene = edits.with_method(drawn_scene(), 0, key)
        words = attempt_edits.what_to_draw(scene, 0)
        assert cls.label in words and words.endswith(".") and len(words) < 240


def test_of_several_classes_it_is_said_that_one_line_is_too_few():
    scene = edits.with_method(drawn_scene(), 0, "svm")
    for classes in (2, 3):
        data = dataclasses.replace(scene.dataset, labels=np.arange(len(scene.dataset)) % classes, key=str(classes))
        words = attempt_edits.what_to_draw(scene.replace(dataset=data), 0)
        assert ("More than two classes need more than one line." in words) == (classes > 2)
