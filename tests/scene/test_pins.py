"""Pins: outlines of former fits in the scene, named by what differs, kept in files and exports."""

import json

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.draw.marks import Lines, Points, Text
from mlviz.draw.outlines import joined, outline, polylines
from mlviz.draw.plot import ghost
from mlviz.picture import draw
from mlviz.picture.pinned_fits import pin_of
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene import edits
from mlviz.scene.defaults import default_scene
from mlviz.scene.files import scene_file
from mlviz.scene.files.scene_file import BadScene
from mlviz.scene.pins import MAX_PINS, is_pinned, pin_names, with_pin, with_pins
from mlviz.scene.scene import Panel
from mlviz.scene.trace import fit_key
from tests.ui.samples import some_points

SIZE = [(300, 200)]


def scene_of(method, **hyperparameters):
    panel = Panel(Pipeline(registry()[method](**hyperparameters)))
    return default_scene().replace(dataset=some_points(30), panels=(panel,))


def pinned(scene):
    (picture,) = draw(scene, SIZE, 20)
    pin = pin_of(scene, 0, ghost(picture.plot.marks))
    return scene if pin is None else with_pin(scene, 0, pin)


@pytest.mark.parametrize("method", registry())
def test_the_outline_of_every_method_is_drawn_into_the_next_pictures_as_it_was(method):
    scene = scene_of(method)
    (before,) = draw(scene, SIZE, 20)
    kept = pinned(scene)
    marks = ghost(before.plot.marks)
    if kept is scene:
        assert not any(len(mark.places()) for mark in marks if not isinstance(mark, Text))
        return
    # Another method on other points: what is pinned stays where it was.
    later = edits.with_method(kept, 0, "knn" if method != "knn" else "lda")
    later = later.replace(dataset=later.dataset.move([0], [(0.3, 0.1)]))
    (after,) = draw(later, SIZE, 20)
    found = [mark for mark in after.plot.marks if mark.role == "pin 0"]
    lines, centers = outline(marks)
    shown = [mark.xy for mark in found if isinstance(mark, Lines)]
    assert all(np.array_equal(xy, lines, equal_nan=True) for xy in shown) and bool(shown) == bool(len(lines))
    assert [mark.xy.tolist() for mark in found if isinstance(mark, Points)] == (
        [centers.tolist()] if len(centers) else []
    )
    name = registry()[method].label
    assert sum(mark.label.startswith(f"pinned: {name}") for mark in found) == 1
    assert all(mark.words[0].startswith(name) for mark in found if isinstance(mark, Text))


def test_names_tell_what_differs():
    scene = scene_of("svm", C=1.0)
    for C in (1.0, 10.0):
        scene = pinned(edits.with_value(scene, 0, "algorithm.C", C))
    scene = edits.with_value(scene, 0, "algorithm.C", 100.0)
    assert pin_names(scene, 0) == ["C = 1", "C = 10"]
    assert pin_names(edits.with_method(scene, 0, "knn"), 0) == [f"support vector machine, C = {C}" for C in (1, 10)]


def test_other_samples_are_told_by_their_number_and_equal_names_by_theirs():
    scene = pinned(scene_of("svm"))
    grown = scene.replace(dataset=scene.dataset.add((0.0, 0.5), 0))
    assert pin_names(grown, 0) == ["n = 30"]
    again = pinned(scene.replace(dataset=scene.dataset.move([0], [(0.5, 0.5)])))
    assert pin_names(again, 0) == ["support vector machine", "support vector machine (2)"]


def test_pins_change_no_fit_and_the_oldest_makes_room():
    scene = scene_of("svm")
    key = fit_key(scene, 0)
    for k in range(MAX_PINS + 2):
        scene = pinned(edits.with_value(scene, 0, "algorithm.sigma", 0.3 + 0.1 * k))
    assert len(scene.panels[0].pins) == MAX_PINS
    assert scene.panels[0].pins[0].pipeline.algorithm.sigma == pytest.approx(0.5)
    assert fit_key(edits.with_value(scene, 0, "algorithm.sigma", 1.0), 0) == key
    assert is_pinned(scene, 0, scene.panels[0].pins[2]) and with_pins(scene, 0, scene.panels[0].pins) is scene


def test_on_other_axes_and_components_a_pin_has_no_place():
    rng = np.random.default_rng(0)
    data = Dataset(rng.normal(size=(30, 3)), np.arange(30) % 2, ("a", "b", "c"))
    scene = pinned(scene_of("svm").replace(dataset=data))
    assert any(mark.role == "pin 0" for mark in draw(scene, SIZE, 12)[0].plot.marks)
    turned = scene.with_view(axes=("a", "c"))
    assert not any(mark.role == "pin 0" for mark in draw(turned, SIZE, 12)[0].plot.marks)
    lifted = edits.with_value(scene, 0, "pipeline.preprocessing", "principal-components")
    assert not any(mark.role == "pin 0" for mark in draw(lifted, SIZE, 12)[0].plot.marks)
    (picture,) = draw(lifted, SIZE, 12)
    assert pin_of(lifted, 0, ghost(picture.plot.marks)) is None
    assert edits.with_dataset(scene, some_points(12)).panels[0].pins == ()
    assert edits.with_dataset(scene, data.move([0], [(1.0, 1.0)])).panels[0].pins == scene.panels[0].pins


@pytest.mark.parametrize("method", ["svm", "kmeans", "gmm", "kernel-ridge"])
def test_pins_come_back_from_files(method, tmp_path):
    scene = pinned(scene_of(method))
    (pin,) = scene.panels[0].pins
    scene_file.save(scene, tmp_path / "a.mlviz")
    (read,) = scene_file.load(tmp_path / "a.mlviz").panels[0].pins
    assert (read.pipeline, read.n, read.axes, read.name) == (pin.pipeline, pin.n, pin.axes, pin.name)
    for one, other in zip(polylines(read.lines), polylines(pin.lines), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)
    np.testing.assert_allclose(read.centers, pin.centers, rtol=1e-6)
    again = scene_file.from_json(json.loads(json.dumps(scene_file.to_json(scene_file.load(tmp_path / "a.mlviz")))))
    assert is_pinned(again, 0, read)


WRONG = {
    "lines": [[[0.0]], [[0.0, "a"]], [[0.0, 1e200], [1.0, 1.0]], 3],
    "centers": [[[1.0, 2.0, 3.0]], "x", [[True, 1.0]]],
    "axes": [["x1"], "x1", None],
    "n": [-1, 0.5, "2"],
    "name": [3, None],
    "fit": [{"algorithm": "nothing"}, {"pins": []}, []],
    "other": [1],
}


@pytest.mark.parametrize(("key", "value"), [(key, value) for key, values in WRONG.items() for value in values])
def test_what_is_wrong_with_a_pin_is_refused_by_its_place(key, value):
    document = scene_file.to_json(pinned(scene_of("svm")))
    document["panels"][0]["pins"][0][key] = value
    with pytest.raises(BadScene, match=r"panels\[0\]\.pins\[0\]"):
        scene_file.from_json(document)


def test_lines_are_parted_and_joined():
    pieces = [np.array([[0.0, 0.0], [1.0, 1.0]]), np.array([[2.0, 2.0], [3.0, 3.0], [4.0, 0.0]])]
    parted = polylines(joined(pieces))
    assert [part.tolist() for part in parted] == [piece.tolist() for piece in pieces]
    assert polylines(joined([])) == [] and len(joined([])) == 0
