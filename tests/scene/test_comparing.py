"""One hyperparameter in several canvases, and what tells methods apart."""

import pytest

from mlviz.algorithms import registry
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene import comparing, edits
from mlviz.scene.defaults import default_scene
from mlviz.scene.history import Store
from mlviz.scene.scene import MAX_PANELS, Panel
from mlviz.spec import BadValue
from mlviz.spec.scale import Scale


def scene_of(method):
    return default_scene().with_panel(0, Panel(Pipeline(registry()[method]())))


@pytest.mark.parametrize("method", registry())
def test_every_hyperparameter_can_be_laid_out_over_its_slider(method):
    scene = scene_of(method)
    for parameter in filter(comparing.can_compare, registry()[method].parameters()):
        name, path = parameter.name, f"algorithm.{parameter.name}"
        values = comparing.spread(scene, 0, path)
        assert 2 <= len(values) <= MAX_PANELS and len(set(values)) == len(values), name
        if parameter.kind in ("real", "integer"):
            assert (values[0], values[-1]) == parameter.soft and list(values) == sorted(values), name
            ticks = [Scale(parameter).tick(value) for value in values]
            assert len(set(ticks)) == len(ticks), name
        laid = comparing.with_values(scene, 0, path, values)
        assert [edits.value_at(laid, k, path) for k in range(len(laid.panels))] == list(values), name
        # All else is as it was, but for what gives the hyperparameter an effect.
        now = edits.value_at(scene, 0, path)
        for k in range(len(laid.panels)):
            as_it_was = edits.with_value(scene, 0, path, now).panels[0]
            assert edits.with_value(laid, k, path, now).panels[k] == as_it_was, name
        assert comparing.parsed(parameter, comparing.listed(parameter, values)) == values, name


def test_it_is_one_step_of_undo_and_takes_the_place_of_all_canvases():
    scene = edits.with_another_panel(edits.with_another_panel(scene_of("svm"), 0), 0)
    store = Store(scene)
    laid = comparing.with_values(scene, 1, "algorithm.C", (0.1, 10.0))
    store.push(laid, comparing.name_of_comparison(scene, 1, "algorithm.C"))
    assert len(store.scene.panels) == 2 and store.undo_what == "compare C"
    store.undo()
    assert store.scene.panels == scene.panels and store.undo_what is None


@pytest.mark.parametrize(
    ("text", "values"),
    [("1, 2,3", (1.0, 2.0, 3.0)), ("0,5; 2", (0.5, 2.0)), ("1e-2,1e2,", (0.01, 100.0)), ("3,3,4", (3.0, 4.0))],
)
def test_lists_are_read_as_people_write_them(text, values):
    assert comparing.parsed(registry()["svm"].parameter("C"), text) == values


@pytest.mark.parametrize("text", ["", "1", "1, 1", "1, x", "0, 1", "1,2,3,4,5,6,7"])
def test_lists_that_are_none_are_refused_in_a_sentence(text):
    with pytest.raises(BadValue, match=r"^(C is|There are)"):
        comparing.parsed(registry()["svm"].parameter("C"), text)


def test_names_tell_what_differs_and_nothing_else():
    svm, knn = registry()["svm"], registry()["knn"]
    base = Pipeline(svm())
    assert comparing.names_apart([base, base]) == ["support vector machine"] * 2
    assert comparing.names_apart([base, Pipeline(svm(C=10))]) == ["C = 1", "C = 10"]
    found = comparing.names_apart([base, base.replace(preprocessing="standardize")])
    assert found == ["preprocessing: none", "standardize"]
    # What matters for one kernel alone is told of that.
    found = comparing.names_apart([Pipeline(svm(kernel="gaussian", sigma=0.5)), Pipeline(svm(kernel="linear"))])
    assert found == ["Gaussian, σ = 0.5", "linear"]
    names = comparing.names_apart([base, Pipeline(knn()), Pipeline(knn(n_neighbors=9))])
    assert names == ["support vector machine", "k nearest neighbours, k = 5", "k nearest neighbours, k = 9"]


def test_swapped_twice_canvases_are_where_they_were():
    scene = edits.with_another_panel(scene_of("svm"), 0)
    scene = edits.with_method(scene, 1, "knn")
    once = comparing.swapped(scene, 0, 1)
    assert once.panels == scene.panels[::-1]
    assert comparing.swapped(once, 1, 0).panels == scene.panels
    assert comparing.swapped(scene, 1, 1) is scene


@pytest.mark.parametrize("method", registry())
def test_every_hyperparameter_can_be_given_an_effect(method):
    algorithm = registry()[method]()
    for parameter in algorithm.parameters():
        awaited = algorithm.awaited(parameter)
        assert algorithm.replace(**awaited).matters(parameter) and bool(awaited) != algorithm.matters(parameter)
