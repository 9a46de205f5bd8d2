"""Files that are no scenes: each gives one sentence that names the place."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlviz.scene.files import opening, panel_file, scene_file, strict_json
from mlviz.scene.files.scene_file import BadScene, from_json, load, save, to_json
from mlviz.scene.files.strict_json import parse
from mlviz.scene.scene import Scene
from tests.scene.files.scenes import assert_same, scenes
from tests.spec.any_text import CHARACTERS

pytestmark = pytest.mark.slow


def panel_with(**entries: Any) -> dict[str, Any]:
    return {"panels": [entries]}


POINTS = {"points": [[0, 0], [1, 1]]}
BROKEN: list[tuple[dict[str, Any], str]] = [
    ({"format": 2}, "another format"),
    ({"format": True}, "another format"),
    ({"format": "1"}, "another format"),
    ({"colour": 1}, "colour is not known"),
    ({"columns": "x1"}, "columns is a text, not a list"),
    ({"columns": []}, "columns needs"),
    ({"columns": ["a", "a"]}, "columns needs"),
    ({"columns": ["a", ""]}, "columns needs"),
    ({"columns": ["a", 1]}, "columns[1] is a number, not a text"),
    ({"columns": ["a", "class"]}, "class_column is 'class'"),
    ({"columns": [f"c{i}" for i in range(1001)]}, "columns has 1,001 entries"),
    ({"class_names": [f"c{i}" for i in range(101)]}, "class_names has 101 entries"),
    ({"class_names": ["\ud800"]}, "class_names[0] contains half of a character"),
    ({"class_column": None}, "class_column is null"),
    ({"class_colours": "red"}, "class_colours is a text, not a list"),
    ({"class_colours": ["red", 3]}, "class_colours[1] is a number, not a text"),
    ({"class_colours": ["red", "mauve"]}, "class_colours[1] is 'mauve'; possible are blue, orange, green"),
    ({"class_colours": ["red", "blue", "red"]}, "class_colours[2] is red like one before"),
    ({"class_colours": ["red"] * 10}, "class_colours has 10 entries; at most 9 are possible"),
    ({"points": {}}, "points is an object, not a list"),
    ({"points": [[0, 0], [0]]}, "points[1] has 1 entries; 2 are needed"),
    ({"points": [[0, 0], [0, 1, 2]]}, "points[1] has 3 entries"),
    ({"points": [[0, 0], 5]}, "points[1] is a number, not a list"),
    ({"points": [[0, 0], [0, True]]}, "points[1][1] is true or false, not a number"),
    ({"points": [[0, 0], ["1", 0]]}, "points[1][0] is a text, not a number"),
    ({"points": [[0, 0], [None, 0]]}, "points[1][0] is null, not a number"),
    ({"points": [[0, 0], [[1], 0]]}, "points[1][0] is a list, not a number"),
    ({"points": [[0, float("inf")]]}, "points[0][1] is too large"),
    ({"points": [[0, 0], [10**400, 0]]}, "points[1][0] is too large"),
    ({**POINTS, "labels": [0]}, "labels has 1 entries, but there are 2 points"),
    ({"labels": [0]}, "labels has 1 entries, but there are 0 points"),
    ({**POINTS, "labels": [0, -1]}, "labels[1] is not between 0 and 99"),
    ({**POINTS, "labels": [0, 100]}, "labels[1] is not between 0 and 99"),
    ({**POINTS, "labels": [0, True]}, "labels[1] is true or false, not a whole number"),
    ({**POINTS, "labels": [0, 1.0]}, "labels[1] is a number, not a whole number"),
    ({**POINTS, "labels": [0, "oak"]}, "labels[1] is 'oak', which is not one"),
    ({**POINTS, "labels": [0, "oak"], "class_names": ["oak", "oak"]}, "labels[1] is 'oak', which is several"),
    ({**POINTS, "held_out": [2]}, "held_out[0] is not between 0 and 1"),
    ({**POINTS, "inactive": [0, False]}, "inactive[1] is true or false"),
    ({"source": {}}, "source.generator is null"),
    ({"source": {"generator": "spam"}}, "source.generator is 'spam'; possible are blobs"),
    ({"source": {"generator": "moons", "parameters": {"noise": -1}}}, "source.parameters.noise is a number"),
    ({"source": {"generator": "moons", "seed": -1}}, "source.seed is not between"),
    ({"source": {"generator": "moons"}, "labels": [0]}, "labels is given without"),
    ({"seed": -1}, "seed is not between"),
    ({"seed": 1.5}, "seed is a number, not a whole number"),
    ({"seed": 2**63}, "seed is not between"),
    ({"panels": []}, "panels is empty"),
    ({"panels": [{}] * 7}, "panels has 7 entries; at most 6"),
    ({"panels": [[]]}, "panels[0] is a list, not an object"),
    (panel_with(algorithm="magic"), "panels[0].algorithm is 'magic'; known are"),
    (panel_with(algorithm=["svm"]), "panels[0].algorithm is a list"),
    (panel_with(kernel="linear"), "panels[0].kernel is not known"),
    (panel_with(hyperparameters={"C": -1}), "panels[0].hyperparameters.C is a number"),
    (panel_with(hyperparameters={"C": True}), "panels[0].hyperparameters.C is a number"),
    (panel_with(hyperparameters={"C": float("inf")}), "panels[0].hyperparameters.C is a number"),
    (panel_with(hyperparameters={"C": 10**400}), "panels[0].hyperparameters.C is a number"),
    (panel_with(hyperparameters={"C": [1]}), "panels[0].hyperparameters.C is a number"),
    (panel_with(hyperparameters={"kernel": "magic"}), "panels[0].hyperparameters.kernel is one of"),
    (panel_with(hyperparameters={"kernel": {}}), "panels[0].hyperparameters.kernel is one of"),
    (panel_with(hyperparameters={"gamma": 1}), "panels[0].hyperparameters.gamma is not known; possible are C"),
    (panel_with(hyperparameters=[]), "panels[0].hyperparameters is a list"),
    (panel_with(preprocessing="magic"), "panels[0]: preprocessing is one of none, standardize"),
    (panel_with(multiclass=1), "panels[0]: multiclass is one of"),
    (panel_with(inputs=[]), "panels[0].inputs needs at least one"),
    (panel_with(inputs=["x1", "x1"]), "panels[0].inputs needs at least one"),
    (panel_with(inputs=["x3"]), "panels[0].inputs has 'x3'; possible are x1, x2"),
    ({"columns": ["a\nb", "c"], **panel_with(target="x3")}, "possible are a b, c, class"),
    (panel_with(target="x3"), "panels[0].target has 'x3'; possible are x1, x2, class"),
    (panel_with(hidden=["fog"]), "panels[0].hidden has 'fog'"),
    ({"revision": "new"}, "revision is a text"),
    (panel_with(remembered=[]), "panels[0].remembered is a list"),
    (panel_with(remembered={"knn": 3}), "panels[0].remembered.knn is a number"),
    (panel_with(remembered={"knn": {"n_neighbors": -3}}), "panels[0].remembered.knn.n_neighbors"),
    (panel_with(hidden="fog"), "panels[0].hidden is a text"),
    ({"view": []}, "view is a list, not an object"),
    ({"view": {"zoom": 1}}, "view.zoom is not known"),
    ({"view": {"axes": ["x1"]}}, "view.axes needs the names of two columns"),
    ({"view": {"axes": ["x1", "x3"]}}, "view.axes has 'x3'"),
    ({"view": {"limits": [0, 1, 0]}}, "view.limits has 3 entries; 4 are needed"),
    ({"view": {"limits": [1, 0, 0, 1]}}, "view.limits needs left < right"),
    ({"view": {"equal": 1}}, "view.equal is a number, not true or false"),
    ({"view": {"step": -1}}, "view.step is not between"),
    ({"view": {"step": True}}, "view.step is true or false"),
    ({"view": {"probe": [0]}}, "view.probe has 1 entries"),
    ({"view": {"probe": [0, 1e101]}}, "view.probe goes beyond 1e+100, too far away to draw"),
    ({"view": {"slice": [0, 0, -1e308, 1]}}, "view.slice goes beyond 1e+100, too far away to draw"),
    ({"view": {"slice": [0, 1, 2]}}, "view.slice has 3 entries"),
]


@pytest.mark.parametrize(("entries", "sentence"), BROKEN, ids=[sentence for _, sentence in BROKEN])
def test_a_wrong_value_is_named_with_its_place(entries: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadScene) as caught:
        from_json({"format": 1, **entries})
    assert sentence in str(caught.value)
    assert str(caught.value).endswith((".", "…")) and "\n" not in str(caught.value)


HOSTILE: list[tuple[str, bytes, str]] = [
    ("empty", b"", "not valid JSON"),
    ("list", b"[]", "not a scene"),
    ("number", b"1", "not a scene"),
    ("foreign", b'{"type": "FeatureCollection"}', "not a scene"),
    ("half written", b'{"format": 1, "points": [[0, 1], [0', "not valid JSON"),
    ("two values", b'{"format": 1} {}', "not valid JSON"),
    ("binary", b"\x89PNG\r\n\x1a\n\0\0", "not text in UTF-8: line 1"),
    ("latin-1", b'{"format": 1,\n"class_column": "gr\xf6\xdfe"}', "not text in UTF-8: line 2"),
    ("NaN", b'{"format": 1, "points": [[0, NaN]]}', "contains NaN"),
    ("Infinity", b'{"format": 1, "points": [[0, -Infinity]]}', "contains -Infinity"),
    ("1e400", b'{"format": 1, "points": [[0, 1e400]]}', "points[0][1] is too large"),
    ("1e400 in a hyperparameter", b'{"format": 1, "panels": [{"hyperparameters": {"C": 1e400}}]}', "hyperparameters.C"),
    (
        "duplicate key",
        b'{"format": 1,\n"seed": 1, "seed": 2}',
        "stands twice in one place, the second time in line 2, column 12: seed",
    ),
    ("duplicate key inside", b'{"format": 1, "view": {"step": 1,\n"step": 2}}', "in line 2, column 1: view.step"),
    ("long number", b'{"format": 1,\n"seed": ' + b"9" * 5000 + b"}", "more than 100 digits in line 2"),
    ("long fraction", b'{"format": 1, "points": [[0.' + b"3" * 500 + b", 0]]}", "more than 100 digits"),
    ("deep", b'{"format": 1, "points": ' + b"[" * 40 + b"]" * 40 + b"}", "deeper than 32 levels"),
    ("very deep", b'{"format": 1,\n "points": ' + b"[" * 100_000, "deeper than 32 levels in line 2"),
    ("deep objects", b'{"a":' * 100_000, "deeper than 32 levels"),
    ("lone surrogate", b'{"format": 1, "class_names": ["\\ud800"]}', "class_names[0] contains half of a character"),
    ("lone surrogate as key", b'{"format": 1, "\\udfff": 1}', "is not known"),
    (
        "endless text",
        b'{"format": 1, "panels": [{"algorithm": "' + b"x" * 10**6 + b'"}]}',
        "panels[0].algorithm is 'xxx",
    ),
    ("quotes without end", b'{"format": 1, "class_column": "' + b'\\"' * 100_000, "not valid JSON"),
    ("line feed in a name", b'{"format": 1, "a\\nb": 1}', "'a\\nb' is not known"),
]


@pytest.mark.parametrize(("content", "sentence"), [case[1:] for case in HOSTILE], ids=[case[0] for case in HOSTILE])
def test_a_hostile_file_gives_one_sentence(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "scene.json"
    path.write_bytes(content)
    with pytest.raises(BadScene) as caught:
        load(path)
    assert sentence in str(caught.value) and " at in line" not in str(caught.value)
    assert len(str(caught.value)) <= 300 and "\n" not in str(caught.value)
    str(caught.value).encode("utf-8")


def test_brackets_in_texts_are_no_levels() -> None:
    scene = from_json(parse(json.dumps({"format": 1, "class_names": ["[" * 100, '"]{\\"' * 30]}).encode()))
    assert scene.dataset.class_names[0] == "[" * 100


def test_sizes_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "scene.json"
    with path.open("wb") as file:
        file.truncate(strict_json.MAX_BYTES + 1)
    with pytest.raises(BadScene, match="larger than 64 megabytes"):
        load(path)
    with pytest.raises(BadScene, match="more than 2,000,000 points"):
        parse(b"[" + b"[]," * 2_001_001 + b"[]]")
    with pytest.raises(BadScene, match="more than 10,000 keys, from line 3 on"):
        parse(b'{"format": 1,\n' + b",".join(b'"k%d": 1' % k for k in range(9_999)) + b',\n"view": {}}')
    with pytest.raises(BadScene, match="more texts"):
        parse(b"[" + b'"",' * 2_100_001 + b'""]')
    monkeypatch.setattr(scene_file, "MAX_POINTS", 3)
    with pytest.raises(BadScene, match=r"points has 4 entries; at most 3"):
        from_json({"format": 1, "points": [[0, 0]] * 4})
    with pytest.raises(BadScene, match="too large"):
        save(from_json({"format": 1, "source": {"generator": "xor"}}), tmp_path / "other.json")
    assert not (tmp_path / "other.json").exists()


KEYS = st.sampled_from([*scene_file._KEYS, *panel_file._PANEL])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(CHARACTERS, max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=15,
)


@given(JSON)
def test_any_json_gives_a_scene_or_a_sentence(value: Any) -> None:
    document = {"format": 1, **value} if isinstance(value, dict) else value
    try:
        scene = from_json(document)
    except BadScene as error:
        sentence = str(error)
    else:
        sentence = "fine."
        assert_same(from_json(to_json(scene)), scene)
    assert sentence.endswith((".", "…"))


@given(
    scenes(), st.lists(st.tuples(st.floats(0, 1), st.sampled_from(["cut", "double", "change"]), st.binary(max_size=3)))
)
def test_a_damaged_file_gives_a_scene_or_a_sentence(scene: Scene, damages: list[tuple[float, str, bytes]]) -> None:
    content = scene_file._layout(to_json(scene)).encode()
    for share, kind, other in damages:
        at = round(share * len(content))
        tail = {"cut": b"", "double": content[at // 2 :], "change": content[at + len(other) :]}[kind]
        content = content[:at] + other + tail
    try:
        read = from_json(parse(content))
    except BadScene as error:
        sentence = str(error)
    else:
        sentence = "fine."
        assert_same(from_json(to_json(read)), read)
    assert sentence.endswith((".", "…"))


@pytest.mark.parametrize("fault", ["NaN", "Infinity", "-Infinity", "twice", "broken", "long", "deep", "encoding"])
def test_whatever_the_reader_refuses_is_named_with_its_line(fault: str) -> None:
    document = {"format": 1, "NaN, {": "-Infinity, ]", "panels": [{}, {"weights": {"balance": "none", "x.y": ["", 7]}}]}
    content = json.dumps(document, indent=1)
    line = content[: content.index("7")].count("\n") + 1
    there = {
        "twice": '{"a\\"": 1,"a\\"": 2}',
        "broken": "7 7",
        "long": "7" * 101,
        "deep": "[" * 40,
        "encoding": '"\udcff"',
    }
    broken = content.replace("7", there.get(fault, fault)).encode("utf-8", "surrogateescape")
    with pytest.raises(BadScene) as caught:
        parse(broken)
    assert f"line {line}" in str(caught.value)
    if fault in ("NaN", "Infinity", "-Infinity"):
        assert f"contains {fault}, which is not a number, in line {line}, column 6: panels[1].weights.x.y[1]." in str(
            caught.value
        )
    if fault == "twice":
        assert f'line {line}, column 16: panels[1].weights.x.y[1].a".' in str(caught.value)


MEGABYTE: dict[str, tuple[str, int, str]] = {
    "unknown keys": ("{%s}", 90_000, '"k%d": 1'),
    "the same key": ("{%s}", 90_000, '"k": %d'),
    "remembered methods": ('{"format": 1, "panels": [{"remembered": {%s}}]}', 70_000, '"k%d": {}'),
    "objects": ('{"format": 1, "points": [%s]}', 90_000, '{"k": %d}'),
    "hidden layers": ('{"format": 1, "panels": [{"hidden": [%s]}]}', 100_000, '"k%d"'),
    "hyperparameters": ('{"format": 1, "panels": [{"hyperparameters": {%s}}]}', 90_000, '"k%d": 1'),
    "weights": ('{"format": 1, "panels": [{"weights": {"class_weight": [%s]}}]}', 140_000, "%d"),
    "points, the last of them none": ('{"format": 1, "points": [%s, [1, NaN]]}', 90_000, "[%d, 1]"),
    "points without classes": ('{"format": 1, "points": [%s], "labels": ["a"]}', 90_000, "[%d, 1]"),
}


@pytest.mark.parametrize(("frame", "count", "entry"), MEGABYTE.values(), ids=list(MEGABYTE))
def test_a_megabyte_of_anything_comes_to_a_sentence(frame: str, count: int, entry: str) -> None:
    content = (frame % ", ".join(entry % k for k in range(count))).encode()
    assert 0.7e6 < len(content) < 1.4e6
    with pytest.raises(BadScene):
        from_json(parse(content))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"])
def test_a_scene_in_another_encoding_of_json_is_a_scene(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "scene.mlviz"
    path.write_text(' {"format": 1, "class_names": ["größe", "数"], "points": [[0, 1]]}', encoding=encoding)
    assert opening.load(path).scene.dataset.class_names == ("größe", "数")
    path.write_text('{"format": 1,\n "seed": NaN}', encoding=encoding)
    with pytest.raises(BadScene, match="NaN, which is not a number, in line 2, column 10: seed"):
        opening.load(path)
    path.write_text("x,y\n1,2\n3,4\n", encoding=encoding)
    assert not opening.is_scene_file(path)


def test_text_cut_off_in_the_middle_of_a_sign_is_named_with_its_line() -> None:
    with pytest.raises(BadScene, match="not text in UTF-16: line 2"):
        parse('{"format": 1,\n"seed": 1}'.encode("utf-16")[:-1])
