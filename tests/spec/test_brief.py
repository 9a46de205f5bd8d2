"""At a prompt every value is told on one short line, whatever it holds."""

import dataclasses
import importlib
import inspect
import pkgutil
import typing

import numpy as np
import pytest

import mlviz
from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import generators
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from mlviz.spec.brief import Brief
from tests.sweep import share

LONGEST = 230


def values_in(start):
    """Every value of the program that can be reached from one."""
    waiting, seen = [start], {}
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen[id(value)] = value
        if isinstance(value, dict):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, (tuple, list)):
            waiting += value
        elif type(value).__module__.startswith("mlviz."):
            waiting += list(getattr(value, "__dict__", {}).values())
            yield value


@pytest.mark.parametrize("method", registry().values(), ids=list(registry()))
def test_whatever_a_method_makes_is_told_briefly(method):
    told = 0
    for data in share(("blobs", "two-gaussians", "sine"), method.id, 2):
        samples = generators()[data]().generate(0)
        regression = generators()[data].task == "regression"
        if regression and "regression" not in method.tasks:
            continue
        scene = Scene(samples, (Panel(Pipeline(method()), target="x2" if regression else None, hidden=()),))
        (picture,) = draw(scene.with_view(probe=(0.1, 0.2)), ((60, 40),), 16)
        X, y = (samples.X[:, :1], samples.X[:, 1]) if regression else (samples.X, samples.labels)
        for value in values_in([scene, picture, Pipeline(method()).fit(X, y), method().follower()]):
            if dataclasses.is_dataclass(value):
                words = repr(value)
                assert len(words) <= LONGEST and "\n" not in words and "array([" not in words, words
                told += 1
    assert told > 20


def public_dataclasses():
    for info in pkgutil.walk_packages(mlviz.__path__, "mlviz."):
        if "__main__" in info.name or info.name.startswith("mlviz.ui"):
            continue
        module = importlib.import_module(info.name)
        for name, kind in vars(module).items():
            own = inspect.isclass(kind) and kind.__module__ == info.name and not name.startswith("_")
            if own and dataclasses.is_dataclass(kind):
                yield kind


def test_every_public_class_that_holds_arrays_is_told_briefly():
    kinds = [kind for kind in public_dataclasses() if holds_arrays(kind)]
    assert len(kinds) > 50
    assert [kind.__qualname__ for kind in kinds if not issubclass(kind, Brief)] == []


def holds_arrays(kind):
    return any("NDArray" in str(hint) or "ndarray" in str(hint) for hint in typing.get_type_hints(kind).values())


def test_a_method_tells_what_is_not_as_usual():
    svm = registry()["svm"]
    assert repr(svm()) == "SVM()" and repr(svm(C=10)) == "SVM(C=10.0)"
    assert repr(svm(kernel="linear", C=2.0)) == "SVM(kernel='linear', C=2.0)"
    assert repr(Pipeline(svm(C=10.0), preprocessing="standardize")) == (
        "Pipeline(algorithm=SVM(C=10.0), preprocessing='standardize')"
    )


def test_a_fit_tells_what_was_fitted_and_how_well():
    data = generators()["two-gaussians"](n_samples=200).generate(0)
    model = Pipeline(registry()["svm"](C=10.0, kernel="linear"), preprocessing="standardize").fit(data.X, data.labels)
    error = model.facts()["training error"]
    assert repr(model) == (
        "PipelineModel of SVM(kernel='linear', C=10.0), standardized: 200 samples, "
        f"training error {100 * error:.3g}\u00a0%"
    )


def test_arrays_are_told_by_their_shapes_and_long_lists_by_their_lengths():
    assert repr(Dataset(np.zeros((5, 2)), np.arange(5))).startswith("Dataset(X=array(5, 2), labels=array(5,)")

    @dataclasses.dataclass(frozen=True, eq=False)
    class Held(Brief):
        many: tuple[int, ...] = ()
        few: object = None
        text: str = ""

    assert (
        repr(Held(tuple(range(5000)), (Held(), np.zeros(3))))
        == "Held(many=<5,000 in a tuple>, few=(Held(), array(3,)))"
    )
    assert repr(Held()) == "Held()" and len(repr(Held(text="x" * 9999))) < 100
