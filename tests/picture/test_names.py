"""Names of classes and inputs that look like codes or numbers stand in sentences as they were given."""

from __future__ import annotations

import numpy as np

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.draw.layer import Names
from mlviz.draw.numbers import typographic, verbatim
from mlviz.picture import draw
from mlviz.pipeline.decisions import Decision
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene, View
from tests.sweep import sweep

CLASSIFIERS = [name for name, cls in registry().items() if "classification" in cls.tasks]
ODD = ("class 2", "x1", "-1")
"""Code 0 is called as code 2 would be, code 1 as an input, code 2 as a number."""


def scene_of(method: str, names: tuple[str, ...], columns=("x1", "x2"), **pipeline) -> Scene:
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(len(names)), 12)
    angle = 2 * np.pi * labels / len(names)
    X = 3 * np.column_stack((np.cos(angle), np.sin(angle))) + rng.normal(0, 0.3, (len(labels), 2))
    data = Dataset(X, labels, columns, class_names=names)
    panel = Panel(Pipeline(registry()[method](), **pipeline))
    return Scene(data, (panel,), view=View(axes=columns, limits=(-5, 5, -5, 5), probe=(2.6, 0.4)))


def told(method: str, names: tuple[str, ...], columns=("x1", "x2"), **pipeline):
    (picture,) = draw(scene_of(method, names, columns, **pipeline), ((60, 60),), 16)
    return picture


@sweep("method, count", CLASSIFIERS, [2, 3])
def test_a_sentence_is_the_same_whatever_the_classes_are_called(method, count):
    plain = ("alpha", "beta", "gamma")[:count]
    expected = told(method, plain).explanation.sentence
    assert any(name in expected for name in plain)
    # Longer names first, so that no name is looked for in another one.
    marked = expected
    for number, name in enumerate(plain):
        marked = marked.replace(name, f"<{number}>")
    for number, name in enumerate(ODD[:count]):
        marked = marked.replace(f"<{number}>", name)
    assert told(method, ODD[:count]).explanation.sentence == marked


def test_an_input_may_be_called_as_another_input_or_as_a_class():
    sentence = told("logistic", ("no", "yes"), ("x2", "class 1")).explanation.sentence
    assert " (x2) " in sentence and " (class 1), " in sentence


def test_names_with_hyphens_and_numbers_keep_them():
    names = ("-1", "+1e-5")
    picture = told("lda", names, decision=Decision(rule="threshold", threshold=0.3))
    assert picture.explanation.sentence.startswith(f"{names[0]} with probability") or names[1] in (
        picture.explanation.sentence
    )
    assert "-1" in picture.explanation.sentence and "\u2060" not in picture.explanation.sentence
    assert typographic(f"{verbatim('a -1')} and -1, {verbatim('1 %')} and 1 %") == "a -1 and −1, 1 % and 1\u00a0%"


def test_facts_and_steps_of_classes_have_their_names_too():
    assert {f"wrong in {name}" for name in ODD} <= set(told("lda", ODD).facts)
    scene = scene_of("smo", ODD)
    stages = [draw(scene.with_view(step=step), ((60, 60),), 16)[0].stage for step in range(2, 5)]
    pairs = tuple(f"{a} / {b}: " for a, b in (ODD[:2], ODD[1:], (ODD[0], ODD[2])))
    assert all(stage.startswith(pairs) for stage in stages)


def test_where_nobody_has_named_anything_codes_are_told():
    names = Names(("a",), ("length",))
    assert [names.of_class(c) for c in (0, 1, np.intp(0), "spam", -1)] == [
        "a",
        "class 1",
        "a",
        "class spam",
        "class -1",
    ]
    assert [names.of_input(j) for j in (0, 1)] == ["length", "x2"]
