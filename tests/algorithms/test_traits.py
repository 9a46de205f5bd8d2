from __future__ import annotations

import dataclasses
import itertools
import pickle
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest

from mlviz.algorithms import CannotFit, registry
from mlviz.algorithms.base import Algorithm, Model
from mlviz.algorithms.traits import Traits
from mlviz.data.generators.catalog import generators
from mlviz.draw.inks import RoleInk, Tone, bring
from mlviz.draw.overlays import charts, regions
from mlviz.draw.palette import ink
from mlviz.pipeline.pipeline import Pipeline
from mlviz.spec import choice, integer, per_class, real

GOOD = {"id": "made", "label": "made", "family": "Odd", "tasks": ("classification",)}


class Scored(Model):
    field = "decision_function"


class Valued(Model):
    field = "predict"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"id": None}, 'Made says no id: a method needs id = "...".'),
        ({"label": ""}, 'Made says no label: a method needs label = "...".'),
        ({"family": 3}, 'Made says no family: a method needs family = "...".'),
        ({"tasks": None}, 'Made says no tasks: a method needs a tuple of them, such as tasks = ("classification",).'),
        ({"tasks": "classification"}, "Made says no tasks"),
        ({"tasks": ("ranking",)}, "Made has the unknown task 'ranking'; the tasks are classification, regression, "),
        ({"overlays": regions.regions}, "Made has overlays of the type Overlay: write a tuple, with a comma"),
        ({"overlays": (charts.objective_chart,)}, "Made has a Chart among its overlays, where only Overlay belongs."),
        ({"charts": (regions.regions,)}, "Made has a Overlay among its charts, where only Chart belongs."),
        ({"overlays": (regions.regions, regions.regions)}, "Made has two overlays with the id 'regions'."),
        ({"traits": {"playable": False}}, "Made has traits of the type dict: write traits = Traits(...)."),
        ({"inks": {"stump": "red"}}, 'Made has inks that are none: write inks = {"a role": RoleInk(...)}.'),
        ({"main": "depth"}, "Made has main = 'depth', which is none of its hyperparameters."),
    ],
)
def test_a_class_that_does_not_say_what_it_must_is_refused_with_a_sentence(given, sentence):
    with pytest.raises(TypeError) as error:
        type("Made", (Algorithm,), {k: v for k, v in (GOOD | given).items() if v is not None})
    assert str(error.value).startswith(sentence)


def test_a_base_of_several_methods_need_not_say_it():
    base = type("Base", (Algorithm,), {"traits": Traits(playable=False)}, abstract=True)
    assert not type("Made", (base,), GOOD).traits.playable
    with pytest.raises(TypeError, match="Made says no id"):
        type("Made", (base,), {})


@pytest.mark.parametrize(
    ("type_", "declared", "is_"),
    [
        ("str", integer(3, soft=(1, 9), help="a"), "int"),
        (int, real(3.0, soft=(1, 9), help="a"), "float"),
        ("bool", choice("a", "b", help="a"), "str"),
        ("float", per_class(1.0, soft=(1, 9), help="a"), "tuple[float, ...]"),
    ],
)
def test_a_hyperparameter_of_another_type_than_declared_is_refused(type_, declared, is_):
    name = getattr(type_, "__name__", type_)
    with pytest.raises(TypeError) as error:
        type("Made", (Algorithm,), {**GOOD, "depth": declared, "__annotations__": {"depth": type_}})
    assert str(error.value) == f"Made.depth is declared as {name}, but is {is_}."


def test_traits_are_those_of_most_methods_and_frozen():
    assert Traits().playable and Traits().weighted and Traits().multiclass and not Traits().order_matters
    with pytest.raises(dataclasses.FrozenInstanceError):
        Traits().playable = False  # type: ignore[misc]


def test_the_field_is_that_of_the_models_that_steps_yields():
    class Made(Algorithm):
        id, label, family, tasks = "made", "made", "Odd", ("classification",)

        def steps(self, X, y, rng, sample_weight=None) -> Iterator[Scored | Valued]:
            yield Scored()

    class Silent(Made):
        def steps(self, X, y, rng, sample_weight=None):
            yield Scored()

    assert Made.field == Made().field == "decision_function" and Silent.field is None


@dataclass(frozen=True)
class Stump(Algorithm):
    id, label, family, tasks = "stump", "stump", "Odd", ("classification",)
    inks = {"stump": RoleInk(Tone("accent"), width=7.0, dash="dotted")}


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
def test_a_method_brings_inks_of_its_own(theme):
    own = ink("stump", theme)
    assert (own.width, own.dash) == (7.0, "dotted") and own.line != ink("unheard of", theme).line


def test_a_role_has_one_ink():
    with pytest.raises(TypeError, match="Other brings an ink for the role 'stump', which has another one already"):
        bring("Other", {"of its own": RoleInk(), "stump": RoleInk()})
    assert ink("of its own", "light") == ink("nobody's", "light")
    bring("Stump", Stump.inks)


def test_a_process_that_is_sent_a_method_has_its_inks():
    sent = pickle.dumps(SimpleNamespace(algorithm=Stump()))
    program = (
        f"import pickle; pickle.loads({sent!r}); from mlviz.draw.palette import ink; print(ink('stump', 'light').width)"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "7.0\n"


@pytest.mark.parametrize("method", registry().values(), ids=list(registry()))
def test_no_two_layers_or_charts_of_a_method_have_one_name(method):
    for parts in (method.overlays, method.charts):
        names = [part.label for part in parts]
        assert len(set(names)) == len(names), names


def _settings(method):
    """The method as it is, and with each choice and flag set otherwise."""
    usual = method()
    for parameter in method.parameters():
        for value in parameter.options if parameter.kind == "choice" else (True, False):
            if parameter.kind in ("choice", "flag"):
                yield usual.replace(**{parameter.name: value})
    yield usual


@pytest.mark.parametrize("method", registry().values(), ids=lambda method: method.id)
def test_a_method_says_where_it_leaves_something_to_chance(method):
    """There another seed makes another fit: random numbers are asked for; and without them no field depends on one."""
    draw = np.random.default_rng(0)
    X = draw.normal(size=(16, 2))
    targets = {"classification": np.arange(16) % 2, "regression": X[:, 0] + draw.normal(size=16)}
    for algorithm in dict.fromkeys(_settings(method)):
        y, fields, asked = targets.get(method.tasks[0]), [], False
        for seed in (0, 1):
            rng = np.random.default_rng(seed)
            before = rng.bit_generator.state
            *_, model = itertools.islice(algorithm.steps(X, y, rng), 12)
            asked |= rng.bit_generator.state != before
            fields.append(model.transform(X) if model.field is None else getattr(model, model.field)(X))
        if algorithm.traits.random(algorithm):
            assert asked, algorithm
        elif asked:
            np.testing.assert_array_equal(*fields, err_msg=str(algorithm))


UNBOUNDED = [
    (method, parameter.name)
    for method in registry().values()
    for parameter in method.parameters()
    if type(parameter.default) is int and parameter.valid[1] is None
]


@pytest.mark.parametrize(("method", "name"), UNBOUNDED, ids=lambda value: getattr(value, "id", value))
def test_a_number_without_a_bound_takes_no_more_room_than_the_samples(method, name):
    """A file may have any number there, and nothing as large as the largest fits into memory."""
    data = generators()["moons"](n_samples=30).generate(0)
    y = data.labels if "classification" in method.tasks else None
    with suppress(CannotFit):
        model = Pipeline(method(**{name: 10**12})).fit(data.X, y)
        assert len(model.predict(data.X)) == 30
