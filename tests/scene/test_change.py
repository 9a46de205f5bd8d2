"""What a change says about itself, for every kind of edit that there is."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import TwoGaussians
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene import edits
from mlviz.scene.change import Change
from mlviz.scene.scene import Panel, Scene
from mlviz.scene.trace import fit_key, fit_of
from mlviz.studies import registry as studies

DATA = Dataset(
    np.array([(0.0, 0.0, 1.0), (1.0, 0.5, 2.0), (2.0, 2.0, 0.0), (3.0, 1.0, 1.0)]), [0, 1, 0, 1], ("a", "b", "c")
)
PIPELINE = Pipeline(registry()["svm"]())
SCENE = Scene(DATA, (Panel(PIPELINE), Panel(Pipeline(registry()["knn"]()))))
CONFUSIONS = studies()["confusion-matrix"]
WHOLE = {"samples", "classes", "axes", "view", "panels", "count", "fit 0", "fit 1", "answer 0", "answer 1", "rows"}


def pipeline(**changes: object) -> Callable[[Scene], Scene]:
    return lambda scene: scene.with_panel(0, replace(scene.panels[0], pipeline=PIPELINE.replace(**changes)))


def data(change: Callable[[Dataset], Dataset]) -> Callable[[Scene], Scene]:
    return lambda scene: scene.replace(dataset=change(scene.dataset))


SAMPLES = {"samples", "fit 0", "fit 1", "answer 0", "answer 1"}
FIRST = {"panels", "fit 0", "answer 0"}
EDITS: dict[str, tuple[Callable[[Scene], Scene], set[str]]] = {
    "nothing": (lambda scene: scene, set()),
    "an equal copy": (lambda scene: scene.replace(panels=tuple(replace(p) for p in scene.panels)), set()),
    "add": (data(lambda d: d.add((0, 0), 0)), SAMPLES | {"classes"}),
    "move": (data(lambda d: d.move([0], [(9, 9)])), SAMPLES),
    "erase": (data(lambda d: d.erase([1])), SAMPLES | {"classes", "rows"}),
    "relabel": (data(lambda d: d.relabel([0], 1)), SAMPLES | {"classes"}),
    "rename": (data(lambda d: d.rename(0, "p")), SAMPLES | {"classes"}),
    "with_samples": (lambda scene: edits.with_samples(scene, DATA.rename(0, "p")), SAMPLES | {"classes"}),
    "with_samples, a colour": (
        lambda scene: edits.with_samples(scene, DATA.rename(0, "red")), SAMPLES | {"classes", "colours"},
    ),
    "with_class_colour": (lambda scene: edits.with_class_colour(scene, 1, 0), {"classes", "colours"}),
    "with_class_colour, the same": (lambda scene: edits.with_class_colour(scene, 1, 1), set()),
    "seed": (lambda scene: scene.replace(seed=7), SAMPLES - {"samples"}),
    "with_method": (lambda scene: edits.with_method(scene, 0, "lda"), FIRST),
    "with_method, the same": (lambda scene: edits.with_method(scene, 0, "svm"), set()),
    "with_task": (lambda scene: edits.with_task(scene, 1, "regression"), {"panels", "fit 1", "answer 1"}),
    "with_layer": (lambda scene: edits.with_layer(scene, 0, "support-vectors", False), {"panels"}),
    "with_inputs": (lambda scene: edits.with_inputs(scene, 0, ("a", "b", "c")), FIRST),
    "with_inputs, the usual ones": (lambda scene: edits.with_inputs(scene, 0, ("b", "a")), set()),
    "with_defaults": (lambda scene: edits.with_defaults(pipeline(algorithm=registry()["svm"](C=7.0))(scene), 0), set()),
    "with_another_panel": (
        lambda scene: edits.with_another_panel(scene, 1), {"panels", "count"},
    ),
    "without_panel": (lambda scene: edits.without_panel(scene, 1), {"panels", "count", "fit 1", "answer 1"}),
    "with_study": (lambda scene: edits.with_study(scene, 0, CONFUSIONS()), {"panels"}),
    "with_study, the same": (
        lambda scene: edits.with_study(edits.with_study(scene, 0, CONFUSIONS()), 0, CONFUSIONS()), {"panels"},
    ),
    "without_study": (lambda scene: edits.without_study(scene, 0, "confusion-matrix"), set()),
    "without_samples": (edits.without_samples, SAMPLES | {"classes", "rows"}),
    "with_dataset": (
        lambda scene: edits.with_dataset(scene, Dataset(np.eye(2), [1, 0])),
        SAMPLES | {"classes", "axes", "rows", "view"},
    ),
    "with_drawn": (
        lambda scene: edits.with_drawn(scene, TwoGaussians().generate(1)),
        SAMPLES | {"classes", "axes", "rows", "view"},
    ),
    "with_algorithm": (lambda scene: edits.with_algorithm(scene, 0, registry()["svm"](C=7.0)), FIRST),
    "with_next_seed": (edits.with_next_seed, {"fit 0", "fit 1", "answer 0", "answer 1"}),
    "with_settings": (lambda scene: edits.with_settings(scene, 0, {"C": 7.0, "kernel": "linear"}), FIRST),
    "with_value": (lambda scene: edits.with_value(scene, 0, "algorithm.C", 7.0), FIRST),
    "with_value, a threshold": (
        lambda scene: edits.with_value(scene, 0, "decision.threshold", 0.25), {"panels", "answer 0"},
    ),
    "with_value, a step": (lambda scene: edits.with_value(scene, 0, "view.step", 2), {"view"}),
    "hyperparameter": (pipeline(algorithm=registry()["svm"](C=7.0)), FIRST),
    "preprocessing": (pipeline(preprocessing="standardize"), FIRST),
    "several classes": (pipeline(multiclass="one-vs-one"), FIRST),
    "weights": (
        lambda scene: scene.with_panel(0, Panel(PIPELINE.with_weights(balance="balanced"))), FIRST,
    ),
    "threshold": (
        lambda scene: scene.with_panel(0, Panel(PIPELINE.with_decision(rule="threshold", threshold=0.2))),
        {"panels", "answer 0"},
    ),
    "axes": (
        lambda scene: scene.with_view(axes=("a", "c")), {"axes", "view", "fit 0", "fit 1", "answer 0", "answer 1"},
    ),
    "axes exchanged": (
        lambda scene: scene.with_view(axes=("b", "a")), {"axes", "view", "fit 0", "fit 1", "answer 0", "answer 1"},
    ),
    "limits": (lambda scene: scene.with_view(limits=(0.0, 1.0, 0.0, 1.0)), {"view"}),
    "step": (lambda scene: scene.with_view(step=2), {"view"}),
    "probe": (lambda scene: scene.with_view(probe=(0.0, 0.0)), {"view"}),
    "slice": (lambda scene: scene.with_view(slice=(0.0, 0.0, 1.0, 1.0)), {"view"}),
}  # fmt: skip


def said(change: Change) -> set[str]:
    names = ("samples", "classes", "colours", "axes", "view", "panels", "count", "rows")
    found = {name for name in names if getattr(change, name)}
    for index in (0, 1):
        found |= {f"fit {index}"} if change.fit(index) else set()
        found |= {f"answer {index}"} if change.answer(index) else set()
    return found


@pytest.mark.parametrize("name", EDITS)
def test_a_change_says_what_differs(name: str) -> None:
    edit, expected = EDITS[name]
    assert said(Change(SCENE, edit(SCENE))) == expected


@pytest.mark.parametrize("name", EDITS)
def test_pictures_are_asked_for_unless_only_colours_differ(name: str) -> None:
    edit, expected = EDITS[name]
    assert Change(SCENE, edit(SCENE)).pictures == bool(expected - {"classes", "colours"})


@pytest.mark.parametrize("name", EDITS)
def test_back_the_same_differs(name: str) -> None:
    edit, expected = EDITS[name]
    # What was added is gone on the way back, and the other way round: rows tell them apart.
    assert said(Change(edit(SCENE), SCENE)) - {"rows"} == expected - {"rows"}


@pytest.mark.parametrize("name", EDITS)
def test_a_fit_is_another_where_its_key_is(name: str) -> None:
    new = EDITS[name][0](SCENE)
    change = Change(SCENE, new)
    shared = range(min(len(SCENE.panels), len(new.panels)))
    for index in shared:
        assert fit_key(new, index) == fit_of(new, index).key
        assert change.fit(index) == (fit_of(SCENE, index).key != fit_of(new, index).key)
    assert change.fits == (len(new.panels) != len(SCENE.panels) or any(change.fit(index) for index in shared))
    assert change.none == (new is SCENE)


def test_every_function_that_edits_is_in_the_table() -> None:
    functions = [name for name, f in inspect.getmembers(edits, inspect.isfunction) if name.startswith("with")]
    ours = {name for name in functions if getattr(edits, name).__module__ == edits.__name__}
    assert ours <= {name.split(",")[0] for name in EDITS}
