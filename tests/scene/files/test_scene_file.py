import json
import stat
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import generators
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.defaults import default_scene
from mlviz.scene.files import opening, panel_file, scene_file
from mlviz.scene.files.checks import BadScene
from mlviz.scene.files.scene_file import from_json, load, save, to_json
from mlviz.scene.files.strict_json import parse
from mlviz.scene.scene import Panel, Scene
from tests.scene.files.scenes import assert_same, scenes

pytestmark = pytest.mark.slow


@given(scenes())
def test_round_trip_is_exact(scene: Scene) -> None:
    text = scene_file._layout(to_json(scene))
    assert_same(from_json(parse(text.encode())), scene)
    assert json.loads(text) == to_json(scene)


def test_save_and_load(tmp_path: Path) -> None:
    path = tmp_path / "scene.json"
    scene = default_scene().replace(dataset=generators()["moons"]().generate(3))
    save(scene, path)
    assert_same(load(path), scene)
    save(default_scene(), path)
    assert len(load(path).dataset) == 0
    assert [p.name for p in tmp_path.iterdir()] == ["scene.json"]


def test_the_format_alone_is_the_default_scene() -> None:
    assert_same(from_json({"format": 1}), default_scene())


def test_the_example_of_the_documentation_opens() -> None:
    lines = (scene_file.__doc__ or "").splitlines()
    example = "\n".join(line for line in lines if line.startswith("    "))
    scene = from_json(parse(example.encode()))
    assert scene.dataset.labels.tolist() == [0, 0, 1, 1]
    assert scene.dataset.held_out.tolist() == [False, False, False, True]
    assert scene.panels[0].pipeline.algorithm == registry()["svm"](C=10.0, sigma=0.5)
    assert scene.panels[0].hidden == ("misclassified",)
    keys = set(json.loads(example)) | set(json.loads(example)["panels"][0]) | set(json.loads(example)["view"])
    assert keys == {*scene_file._KEYS, *panel_file._PANEL, "axes", "limits", "equal", "step", "probe", "slice"}


def test_colours_are_those_of_the_first_classes_and_the_others_exchange() -> None:
    assert from_json({"format": 1, "class_colours": ["blue", "orange"]}).colours == ()
    assert from_json({"format": 1, "class_colours": ["red", "blue"]}).colours == (6, 0, 2, 3, 4, 5, 1, 7, 8)
    assert "class_colours" not in to_json(default_scene())  # as in files of before


def test_a_source_without_points_draws_them() -> None:
    scene = from_json({"format": 1, "source": {"generator": "circles", "parameters": {"n_samples": 12}, "seed": 5}})
    np.testing.assert_array_equal(scene.dataset.X, generators()["circles"](n_samples=12).generate(5).X)


def test_layers_of_another_method_are_not_saved() -> None:
    panel = Panel(Pipeline(registry()["svm"]()), hidden=("misclassified", "no such layer"))
    again = from_json(to_json(Scene(Dataset.empty(), (panel,))))
    assert again.panels[0].hidden == ("misclassified",)


@pytest.mark.parametrize(("key", "value"), [("basis", "linear"), ("penalty", "none")])
def test_what_looks_different_now_is_told_of_those_it_concerns(tmp_path: Path, key: str, value: str) -> None:
    path = tmp_path / "scene.json"
    settings = {"basis": "polynomial", "penalty": "L2"}

    def notes(settings: dict[str, str], **more: int) -> tuple[str, ...]:
        document = {"format": 1, "panels": [{"algorithm": "linear-regression", "hyperparameters": settings}], **more}
        path.write_text(json.dumps(document))
        return opening.load(path).notes

    assert len(notes(settings)) == 1
    assert not notes(settings, revision=2) and not notes({**settings, key: value})


def test_what_a_method_that_is_not_here_was_left_at_is_no_obstacle() -> None:
    scene = from_json({"format": 1, "panels": [{"remembered": {"not-here": {"q": 1}, "knn": {"n_neighbors": 15}}}]})
    assert [(method.id, method.to_json()["n_neighbors"]) for method in scene.panels[0].remembered] == [("knn", 15)]


@pytest.mark.parametrize(
    ("former", "present"),
    [
        ({"function": "polynomial", "highest_power": 9, "degree": 2}, {"basis": "polynomial", "degree": 9}),
        ({"function": "kernel", "highest_power": 9, "degree": 2}, {"basis": "kernel", "degree": 2}),
        ({"function": "linear", "highest_power": 3}, {"basis": "linear", "degree": 3}),
    ],
)
def test_former_keys_are_read_as_they_are_called_now(former: dict[str, Any], present: dict[str, Any]) -> None:
    panel: dict[str, Any] = {"algorithm": "quantile-regression", "hyperparameters": former}
    algorithm = from_json({"format": 1, "panels": [panel]}).panels[0].pipeline.algorithm
    assert algorithm == registry()["quantile-regression"](**present)
    assert not {"function", "highest_power"} & set(algorithm.to_json())
    panel["algorithm"] = "svr"  # a key of another method stays unknown
    with pytest.raises(BadScene, match=r"panels\[0\].hyperparameters.function is not known"):
        from_json({"format": 1, "panels": [panel]})


def test_lambda_has_its_name_in_the_file() -> None:
    panel = {"algorithm": "linear-regression", "hyperparameters": {"lambda": 0.5}}
    algorithm = from_json({"format": 1, "panels": [panel]}).panels[0].pipeline.algorithm
    assert algorithm.lambda_ == 0.5
    assert algorithm.to_json()["lambda"] == 0.5


def test_a_mark_at_the_start_is_read_over() -> None:
    assert parse(b'\xef\xbb\xbf{"format": 1}') == {"format": 1}


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are others there")
def test_saving_keeps_permissions_and_links(tmp_path: Path) -> None:
    path, link = tmp_path / "scene.json", tmp_path / "link.json"
    save(default_scene(), path)
    path.chmod(0o640)
    link.symlink_to(path)
    save(default_scene().replace(seed=7), link)
    assert link.is_symlink() and load(path).seed == 7
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "scene.json"
    save(default_scene(), path)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        save(default_scene().replace(seed=7), path)
    assert load(path).seed == 0
    assert [p.name for p in tmp_path.iterdir()] == ["scene.json"]


def test_a_missing_folder_is_the_systems_own_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        save(default_scene(), tmp_path / "none" / "scene.json")
    with pytest.raises(OSError, match="No such file"):
        load(tmp_path / "none.json")


def test_class_names_are_read_on_one_line_and_never_blank():
    document = {
        "format": 1,
        "class_names": ["", "  ", "two\nlines", "a  b"],
        "points": [[0, 0]],
        "labels": ["two\nlines"],
    }
    dataset = from_json(document).dataset
    assert dataset.class_names == ("class 1", "class 2", "two lines", "a  b")
    assert dataset.labels.tolist() == [2]


def test_one_column_on_both_axes_is_told(tmp_path: Path) -> None:
    path = tmp_path / "scene.mlviz"
    for columns, notes in ((["a"], ()), (["a", "b"], ("view.axes names a twice: both axes show the same.",))):
        document = {"format": 1, "columns": columns, "points": [[1.0] * len(columns)], "view": {"axes": ["a", "a"]}}
        path.write_text(json.dumps(document))
        assert scene_file.load_with_notes(path)[1] == notes
