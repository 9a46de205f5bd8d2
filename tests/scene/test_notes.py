"""Texts and pen strokes are part of the scene: saved, undone, on the axes they were put on, and nothing to a fit."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlviz.picture.description import summary
from mlviz.scene import edits
from mlviz.scene.change import Change
from mlviz.scene.defaults import default_scene
from mlviz.scene.files.scene_file import BadScene, from_json, load, save, to_json
from mlviz.scene.history import Store
from mlviz.scene.notes import INKS, MAX_LETTERS, MAX_NOTES, MAX_PLACES, MAX_STROKES, Note, Stroke, written
from mlviz.scene.notes import edits as note_edits
from mlviz.scene.trace import fit_key
from tests.spec.any_text import CHARACTERS

AXES = ("x1", "x2")
PLACE = st.tuples(st.floats(-1e100, 1e100), st.floats(-1e100, 1e100))
KEYS = st.sampled_from([AXES, ("PCA", "components of", "a", "b")])
NOTES = st.builds(
    Note, KEYS, PLACE, st.text(CHARACTERS, min_size=1, max_size=40).map(written).filter(bool), st.sampled_from(INKS)
)
STROKES = st.builds(Stroke, KEYS, st.lists(PLACE, min_size=1, max_size=6).map(tuple), st.sampled_from(INKS))
HERE = Note(AXES, (1.0, -2.0), "look <b>here</b> & there", "blue")
LINE = Stroke(AXES, ((0.0, 0.0), (1.0, 2.0), (2.0, 0.0)))


@given(st.lists(NOTES, max_size=4).map(tuple), st.lists(STROKES, max_size=4).map(tuple))
def test_a_file_brings_them_back(notes, strokes):
    document = json.loads(json.dumps(to_json(default_scene().replace(notes=notes, strokes=strokes))))
    scene = from_json(document)
    assert (scene.notes, scene.strokes) == (notes, strokes)
    assert ("notes" in document, "strokes" in document) == (bool(notes), bool(strokes))


def test_a_file_on_the_disk_has_one_a_line(tmp_path):
    save(default_scene().replace(notes=(HERE, HERE), strokes=(LINE,)), tmp_path / "a.mlviz")
    scene = load(tmp_path / "a.mlviz")
    assert (scene.notes, scene.strokes) == ((HERE, HERE), (LINE,))
    assert len([line for line in (tmp_path / "a.mlviz").read_text().splitlines() if '"ink"' in line]) == 3


def note(**changes):
    return {"notes": [{"axes": ["x1", "x2"], "place": [0, 1], "text": "words", **changes}]}


def stroke(**changes):
    return {"strokes": [{"axes": ["x1", "x2"], "places": [[0, 1], [1, 1]], **changes}]}


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"notes": {}}, "notes is an object, not a list"),
        ({"notes": None}, "notes is null, not a list"),
        ({"notes": note()["notes"] * (MAX_NOTES + 1)}, "notes has 201 entries; at most 200"),
        ({"notes": ["words"]}, "notes[0] is a text, not an object"),
        (note(colour="red"), "notes[0].colour is not known; possible are axes, place, text, ink"),
        (note(axes=["x1"]), "notes[0].axes needs the names of two axes"),
        (note(axes=None), "notes[0].axes is null, not a list"),
        (note(place=[0]), "notes[0].place has 1 entries; 2 are needed"),
        (note(place=[0, "1"]), "notes[0].place[1] is a text"),
        (note(place=[0, 1e101]), "notes[0].place goes beyond 1e+100"),
        (note(text=None), "notes[0].text is null, not a text"),
        (note(text=" \n\u200b "), "notes[0].text is empty"),
        (note(text="a" * (MAX_LETTERS + 1)), "notes[0].text has 501 characters; at most 500"),
        (note(text="\ud800"), "notes[0].text contains half of a character"),
        (note(ink="green"), "notes[0].ink is 'green'; possible are red, blue, plain"),
        (note(ink=1), "notes[0].ink is a number"),
        ({"strokes": stroke()["strokes"] * (MAX_STROKES + 1)}, "strokes has 501 entries; at most 500"),
        (stroke(places=[]), "strokes[0].places is empty"),
        (stroke(places=[[0, 0]] * (MAX_PLACES + 1)), "strokes[0].places has 2,001 entries; at most 2,000"),
        (stroke(places=[[0, 0], [1]]), "strokes[0].places[1] has 1 entries"),
        (stroke(places=[[0, 0], [1e101, 1]]), "strokes[0].places goes beyond 1e+100"),
        (stroke(ink=["red"]), "strokes[0].ink is a list"),
        (stroke(text="words"), "strokes[0].text is not known"),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(wrong, words):
    with pytest.raises(BadScene) as refused:
        from_json({"format": 1, **wrong})
    assert words in str(refused.value) and str(refused.value).endswith(".")


def test_what_may_be_left_out_has_its_default_and_words_stand_on_one_line():
    scene = from_json({"format": 1, **note(text=" two\n lines ")})
    assert scene.notes == (Note(AXES, (0.0, 1.0), "two lines", "red"),)
    assert from_json({"format": 1, **stroke()}).strokes[0].ink == "red"
    assert (from_json({"format": 1}).notes, from_json({"format": 1}).strokes) == ((), ())


def test_nothing_is_fitted_or_drawn_anew_for_them():
    scene = default_scene()
    noted = note_edits.with_stroke(note_edits.with_note(scene, HERE), LINE)
    change = Change(scene, noted)
    assert change.notes and not (change.pictures or change.fits or change.panels or change.samples or change.answer(0))
    assert fit_key(scene, 0) == fit_key(noted, 0)
    assert not Change(noted, edits.without_samples(noted)).notes


def test_they_are_over_all_canvases_of_the_same_axes():
    scene = edits.with_another_panel(note_edits.with_stroke(note_edits.with_note(default_scene(), HERE), LINE), 0)
    for index in (0, 1):
        noted = note_edits.noted_on(scene, index)
        assert (noted.notes, noted.strokes) == ((HERE,), (LINE,))
    assert note_edits.noted_on(scene.with_view(axes=("x2", "x1")), 0) is None
    assert note_edits.noted_on(default_scene(), 0) is None


def test_undo_brings_back_what_was_cleared():
    store = Store(default_scene())
    store.push(note_edits.with_note(store.scene, HERE), "write text")
    store.push(note_edits.with_stroke(store.scene, LINE), "draw with the pen")
    store.push(note_edits.without_notes(store.scene), "clear notes")
    assert (store.scene.notes, store.scene.strokes) == ((), ())
    store.undo()
    assert (store.scene.notes, store.scene.strokes) == ((HERE,), (LINE,))
    assert note_edits.without_notes(default_scene()).notes == ()


def test_of_equal_notes_one_is_changed_or_removed():
    scene = default_scene().replace(notes=(HERE, HERE))
    assert note_edits.without_note(scene, HERE).notes == (HERE,)
    other = Note(AXES, (0.0, 0.0), "other")
    assert note_edits.with_note(scene, other, HERE).notes == (other, HERE)
    assert note_edits.with_note(default_scene(), other, HERE).notes == (other,)
    assert note_edits.without_note(default_scene(), HERE).notes == ()


def test_they_are_told_in_words():
    words = summary(note_edits.with_stroke(note_edits.with_note(default_scene(), HERE), LINE), 0, None)
    assert "Written at (1, −2): look <b>here</b> & there" in words and "1 pen stroke." in words


def test_there_is_a_most_of_them():
    scene = default_scene().replace(notes=(HERE,) * MAX_NOTES, strokes=(LINE,) * (MAX_STROKES - 1))
    assert "200 texts" in note_edits.room_for(scene, Note)
    assert note_edits.room_for(scene, Stroke) == ""
    assert "500 pen strokes" in note_edits.room_for(note_edits.with_stroke(scene, LINE), Stroke)
