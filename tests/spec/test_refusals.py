"""Whatever is given and refused is told shortly, from every way in."""

import json
import re

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.cli import main
from mlviz.data.generators.catalog import generators
from mlviz.pipeline.decisions import Decision
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.weights import Weights
from mlviz.scene.files.scene_file import BadScene, from_json
from mlviz.spec import BadValue
from mlviz.ui.controls.number_control import ExactField
from tests.sweep import each

OWNERS = {**registry(), **generators(), "weights": Weights, "decision": Decision, "pipeline": Pipeline}


class Wordless:
    def __repr__(self):
        raise ValueError("no words")


BAD = {
    "400 digits": -(10**400) - 7,
    "5000 digits": -(10**5000),
    "a long text": "no " * 300 + "\x1b[31m",
    "a long word": "x" * 1000,
    "a list": ["y" * 500] * 500,
    "an object": {"z" * 100: {"z" * 100: 1}},
    "an array": np.full((50, 50), 1.23456789),
    "wordless": Wordless(),
    "bytes": b"b" * 1000,
}
WORDS = ("-" + "9" * 400, "x" * 1000, "1e" + "9" * 300, ",".join("w" * 200 for _ in range(3)), "gaussian(" + "9" * 250)


def assert_short(sentence: str, allowed: str = "") -> None:
    assert sentence.isprintable() and len(sentence) < 600, sentence
    rest = sentence.replace(allowed, "")
    assert not re.search(r"[^\s.]{46}|x{41}|y{41}|z{41}|b{41}|(no ){14}|9{41}|0{41}|w{41}", rest), sentence


@pytest.mark.parametrize("owner", OWNERS)
def test_a_value_that_is_refused_is_told_shortly(owner, qtbot):
    for parameter in OWNERS[owner].parameters():
        for value in BAD.values():
            if parameter.kind == "text" and isinstance(value, str) and parameter.grammar is None:
                continue
            with pytest.raises(BadValue) as caught:
                parameter.check(value)
            assert_short(str(caught.value), parameter.range_text())
            assert len(str(caught.value)) < len(parameter.key) + len(parameter.range_text()) + 150
        for word in WORDS:
            with pytest.raises(BadValue) as caught:
                parameter.parse(word if parameter.kind != "per class" else word.replace(",", ";"))
            assert_short(str(caught.value), parameter.range_text())
            if parameter.kind in ("real", "integer"):
                field, said = ExactField(parameter), []
                qtbot.addWidget(field)
                field.refused.connect(said.append)
                field.lineEdit().setText(word.replace(",", ";"))
                field.editingFinished.emit()
                assert len(said) == 1
                assert_short(said[0], parameter.range_text())


@pytest.mark.parametrize("value", [BAD["400 digits"], BAD["a long word"], ["y" * 500] * 99, {"z" * 100: 1}], ids=str)
@pytest.mark.parametrize(
    "key", ["algorithm", "hyperparameters", "target", "inputs", "hidden", "preprocessing", "z" * 99]
)
def test_what_a_scene_file_may_not_have_is_told_shortly(key, value):
    for given in (value, [value], {"C": value}, {"kernel": value}):
        with pytest.raises(BadScene) as caught:
            from_json(json.loads(json.dumps({"format": 1, "panels": [{key: given}]})))
        assert_short(str(caught.value))


TYPED = [*WORDS[:3], "x" * 500 + "=1", "n_init=" + "9" * 300, "n_init=" + "x" * 300]
OPTIONS = [
    "set",
    "algorithm",
    "seed",
    "step",
    "columns",
    "costs",
    "threshold",
    "multiclass",
    "class-weight",
    "generator",
]


@each("word, option", TYPED, [*OPTIONS, "generator", "x" * 99])
def test_what_is_typed_is_told_shortly(capsys, qapp, option, word):
    call = ["fit", *(() if option == "generator" else ("--generator", "blobs", "--algorithm", "kmeans"))]
    try:
        code = main([*call, f"--{option}={word}"])
    except SystemExit as end:
        code = end.code
    complaint = capsys.readouterr().err.splitlines()[-1]
    assert code == 2, complaint
    assert_short(complaint, ", ".join(generators()))
