"""What is in a copy of unsaved work, and what is no copy."""

import contextlib
import hashlib
import io
import json
import math
import random

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import generators
from mlviz.pipeline.pipeline import Pipeline
from mlviz.recovery.copies import _TITLE, BadCopy, Copy
from mlviz.scene import edits
from mlviz.scene.defaults import default_scene
from mlviz.scene.files.scene_file import BadScene, from_json, to_json
from mlviz.scene.scene import Panel, Scene
from mlviz.scene.values import OVER_PLANE, value_column
from mlviz.spec.parameter import MAX_CLASSES
from mlviz.ui.documents.recovery import describe
from tests.recovery.samples import copy_of, scene_with
from tests.sweep import trials

NAMES = ("X", "labels", "held_out", "active")


def signed(body):
    """A copy with that body and a right checksum."""
    return _TITLE + hashlib.sha256(body).hexdigest().encode() + b"\n" + body


def same(a: Scene, b: Scene) -> bool:
    arrays = all(np.array_equal(getattr(a.dataset, name), getattr(b.dataset, name)) for name in NAMES)
    words = (a.dataset.columns, a.dataset.class_column, a.dataset.class_names, a.dataset.source)
    colours = a.colours == b.colours
    return (
        arrays
        and colours
        and words == (b.dataset.columns, b.dataset.class_column, b.dataset.class_names, b.dataset.source)
    )


def parts_of(scene):
    """The two lines and the four arrays of a copy."""
    about, document, rest = copy_of(scene).pack().split(b"\n", 1)[1].split(b"\n", 2)
    starts = [place for place in range(len(rest)) if rest.startswith(b"\x93NUMPY", place)]
    arrays = [rest[a:b] for a, b in zip(starts, [*starts[1:], len(rest)], strict=True)]
    return [about + b"\n", document + b"\n", *arrays]


def array_of(values):
    """An array as NumPy writes it."""
    body = io.BytesIO()
    np.save(body, values, allow_pickle=False)
    return body.getvalue()


def forge(chance, parts):
    """Change one part of a copy."""
    place = chance.randrange(len(parts))
    odd = (None, [], {}, "x", -1, float("nan"), 1e300, 10**400, True, [[]], "a\0b", ["x"] * 500, "\ud800", ["\udc00"])
    kind = chance.randrange(6)
    if kind == 0:
        parts[place] = b""
    elif kind == 1:
        parts[place] = parts[chance.randrange(len(parts))]
    elif kind == 2:
        parts[place] = chance.choice((b"[" * 100_000, b"7", b"[]", b"null", b'"x"', b"{}")) + b"\n"
    elif kind == 3 and place < 2:
        with contextlib.suppress(ValueError, IndexError, AttributeError, RecursionError):  # forged before
            entries = json.loads(parts[place])
            entries.update({chance.choice(list(entries)): chance.choice(odd)})
            parts[place] = json.dumps(entries).encode() + b"\n"
    elif kind == 4:
        header = io.BytesIO()
        shape = chance.choice([(10**12, 2), (2**62, 2**62), (-1, 2), (5, 2), (4,), ()])
        kinds = ("<f8", "<i8", "|b1", "|O", "<c16", "<U9")
        np.lib.format.write_array_header_1_0(
            header, {"descr": chance.choice(kinds), "fortran_order": False, "shape": shape}
        )
        parts[place] = header.getvalue() + bytes(64)
    else:
        turned = bytearray(parts[place])
        for _ in range(min(len(turned), 3)):
            turned[chance.randrange(len(turned))] = chance.randrange(256)
        parts[place] = bytes(turned)


class TestContent:
    @pytest.mark.parametrize(
        "scene",
        [
            default_scene(),
            scene_with(7, columns=("height", "Größe"), class_column="Art", class_names=("", "ä\n", "c")),
            scene_with(4, held_out=[True, False, False, True], active=[False, True, True, True]),
            scene_with(6).replace(colours=(3, 1, 2, 0, 4, 5, 6, 7, 8)),
            default_scene().replace(dataset=generators()["moons"](noise=0.3).generate(8), seed=2**62),
            scene_with(300).with_view(limits=(-1e9, 1e9, 0.0, 1e-9), equal=False, step=3),
            Scene(
                Dataset(np.full((3, 2), [5e-324, -1.7e308]), [0, 99, 0]),
                tuple(Panel(Pipeline(kind())) for kind in list(registry().values())[:6]),
            ),
        ],
        ids=["empty", "names", "masks", "colours", "source", "view", "extremes"],
    )
    def test_it_comes_back_to_the_last_bit(self, scene):
        copy = Copy.unpack(copy_of(scene).pack())
        read = copy.scene
        assert (copy.file, copy.digest, copy.when) == ("/home/ada/moons.mlviz", "abc", 100.0)
        assert same(read, scene)
        assert (read.panels, read.seed, read.view) == (scene.panels, scene.seed, scene.view)
        assert not read.dataset.X.flags.writeable

    def test_a_panel_that_no_file_can_hold_does_not_cost_the_points(self):
        scene = scene_with(9)
        odd = Panel(scene.panels[0].pipeline, inputs=("gone", "x1"))
        scene = scene.replace(panels=(odd,), seed=4).with_view(limits=(0.0, 1.0, 0.0, 1.0))
        copy = Copy.unpack(copy_of(scene).pack())
        assert same(copy.scene, scene) and copy.scene.panels == default_scene().panels
        assert copy.lost == "panels[0].inputs has 'gone'; possible are x1, x2."
        assert (copy.scene.seed, copy.scene.view) == (4, scene.view)

    @pytest.mark.parametrize("value", [1.7e308, -1e101, 1e100, 5e-324, 0, 99, 100, 2**63, math.nan, math.inf])
    @pytest.mark.parametrize("place", ["points", "labels", "limits", "probe", "slice", "step", "seed"])
    def test_a_copy_takes_the_numbers_that_a_scene_takes(self, place, value):
        """The others are told, or make no copy of it."""
        data = {"points": [[value, 1.0], [0.0, 1.0]], "labels": [0, value]}
        view = {"limits": [-value, 1.0, 0.0, 1.0], "probe": [value, 1.0], "slice": [0.0, 1.0, value, 1.0]}
        own = {"step": value} if place == "step" else {k: v for k, v in view.items() if k == place}
        document = {"format": 1, "points": data["points"][1:] * 2, "view": own}
        document |= {k: v for k, v in {**data, "seed": value}.items() if k == place}
        try:
            scene = from_json(document)
        except BadScene:
            scene = None
        about, _, *arrays = parts_of(scene_with(2))
        if place in data:
            arrays[list(data).index(place)] = array_of(
                np.array(data[place], dtype=float if place == "points" else None)
            )
        body = [about, json.dumps({**document, "points": [], "labels": []}).encode() + b"\n", *arrays]
        try:
            copy = Copy.unpack(signed(b"".join(body)))
        except BadCopy:
            copy = None
        if scene is None:
            assert copy is None or (copy.lost and place not in ("points", "labels"))
        else:
            assert copy is not None and not copy.lost
            assert (copy.scene.view, copy.scene.seed) == (scene.view, scene.seed)
            for name in ("X", "labels"):
                if place == {"X": "points"}.get(name, name):
                    np.testing.assert_array_equal(getattr(copy.scene.dataset, name), getattr(scene.dataset, name))

    def test_every_damage_is_noticed(self):
        content = copy_of(scene_with(3)).pack()
        for place in range(0, len(content), 7):
            for damaged in (content[:place], content[:place] + b"\xff" + content[place + 1 :]):
                with pytest.raises(BadCopy):
                    Copy.unpack(damaged)

    @pytest.mark.parametrize("shape", ["(9223372036854775808, 2)", "(4L, 2)", "(True, 2)"])
    def test_a_forged_size_is_refused_without_a_warning(self, shape, recwarn):
        """NumPy only warns of some of them."""
        about, document, places, *others = parts_of(scene_with(4))
        header = places.index(b"'shape': (4, 2), }")
        end = places.index(b"\n", header)
        places = places[:header] + f"'shape': {shape}, }}".encode().ljust(end - header) + places[end:]
        with pytest.raises(BadCopy):
            Copy.unpack(signed(b"".join((about, document, places, *others))))
        assert not recwarn.list

    def test_a_name_that_is_no_text_in_utf_8_comes_back(self):
        assert Copy.unpack(copy_of(default_scene(), file="/a/\udcff.mlviz").pack()).file == "/a/\udcff.mlviz"

    @pytest.mark.parametrize("seed", trials(8))
    def test_whatever_is_forged_is_a_copy_or_a_sentence(self, seed):
        """With a right checksum: lines and arrays changed, left out and exchanged, bytes turned."""
        chance = random.Random(seed)
        parts = parts_of(scene_with(4, class_names=("a", "b", "c")))
        refused = 0
        for _ in range(150):
            forged = list(parts)
            for _ in range(chance.randrange(1, 3)):
                forge(chance, forged)
            try:
                read = Copy.unpack(signed(b"".join(forged)))
            except BadCopy:
                refused += 1
            else:
                assert describe(read) and read.scene.dataset.names() is not None
                assert Copy.unpack(read.pack()).scene.dataset.columns == read.scene.dataset.columns
                assert to_json(read.scene)["class_names"] == list(read.scene.dataset.class_names)
                json.dumps(to_json(read.scene), ensure_ascii=False).encode()  # as a file is written
        assert 50 < refused <= 150

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("when", float("nan")), ("when", 1e300), ("when", None), ("when", []), ("file", 7), ("file", {}),
            ("file", "a\0b"),
            ("file", "/home/" + "a" * 256), ("file", "é" * 128), ("file", "\ud800"),
            ("class_names", 3), ("class_names", ["a"] * 1000), ("class_names", "ab"), ("class_names", ["a", 3]),
            ("class_names", ["a", "\ud800"]), ("class_names", {"a": "b"}), ("class_names", [["a"]]),
        ],
    )  # fmt: skip
    def test_what_a_copy_cannot_say(self, key, value):
        about, *rest = parts_of(scene_with(3))
        line = json.dumps({**json.loads(about), key: value}).encode() + b"\n"
        with pytest.raises(BadCopy, match="another version"):
            Copy.unpack(signed(b"".join((line, *rest))))

    @pytest.mark.parametrize("code", [-1, MAX_CLASSES - 1, MAX_CLASSES])
    def test_classes_have_the_codes_that_there_are(self, code):
        parts = parts_of(scene_with(3))
        content = signed(b"".join((*parts[:3], array_of(np.array([0, code, 1])), *parts[4:])))
        if 0 <= code < MAX_CLASSES:
            assert Copy.unpack(content).scene.dataset.labels.tolist() == [0, code, 1]
        else:
            with pytest.raises(BadCopy, match="another version"):
                Copy.unpack(content)


def test_values_over_the_plane_come_back():
    for scene in (default_scene(), edits.with_drawn(default_scene(), generators()["hill"]().generate(1))):
        scene = edits.with_task(edits.with_method(scene, 0, "knn"), 0, OVER_PLANE)
        again = Copy.unpack(copy_of(scene).pack()).scene
        assert same(again, scene) and value_column(again, 0) == "y"
