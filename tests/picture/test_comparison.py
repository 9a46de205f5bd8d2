"""The table of a comparison says what the models say, whatever methods stand beside each other."""

import csv
import io
import itertools

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.draw.facts import Fact
from mlviz.picture import draw
from mlviz.picture.comparison import FIT_TIME, HERE, RESULTS, Column, Comparison, Row, compared
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene import comparing, edits
from mlviz.scene.defaults import default_scene
from mlviz.scene.scene import Panel
from mlviz.scene.trace import fit_of

PROBE = (0.4, -0.3)


def scene_of(methods, seed=0):
    rng = np.random.default_rng(seed)
    X = np.vstack((rng.normal((-1.0, 0.3), 0.9, (14, 2)), rng.normal((1.0, -0.3), 0.9, (16, 2))))
    scene = default_scene().replace(dataset=Dataset(X, np.repeat([0, 1], (14, 16))))
    panels = tuple(Panel(Pipeline(registry()[method]())) for method in methods)
    return scene.replace(panels=panels).with_view(probe=PROBE)


def table_of(scene):
    pictures = draw(scene, [(120, 90)] * len(scene.panels), 8)
    return compared(scene, dict(enumerate(pictures)))


def column(table, name):
    place = [column.name for column in table.columns].index(name)
    return [row.cells[place] for row in table.rows]


MIXED = np.random.default_rng(11).permutation(list(registry())).tolist()
CHOSEN = [*list(itertools.pairwise(MIXED))[::2], (MIXED[0], MIXED[-1])]
"""Each method beside another one."""


@pytest.mark.parametrize("methods", CHOSEN, ids="-".join)
def test_the_table_of_two_methods_has_the_numbers_of_their_models(methods):
    scene = scene_of(methods)
    table = table_of(scene)
    names = [column.name for column in table.columns]
    assert len(set(names)) == len(names) and all(column.help for column in table.columns)
    for index, row in enumerate(table.rows):
        fit = fit_of(scene, index)
        model = fit.pipeline.fit(fit.X, fit.y, seed=fit.seed)
        told = dict(zip(names, row.cells, strict=True))
        assert row.panel == index and row.name.startswith(registry()[methods[index]].label)
        if hasattr(model, "predict"):
            fitted, here = model.predict(fit.X), model.predict(np.array([PROBE[: fit.X.shape[1]]]))[0]
            if fit.roles.task == "classification":
                assert told["training error"].value == np.mean(fitted != fit.y)
                assert str(told[HERE]) == scene.dataset.class_name(int(here))
            elif fit.roles.task == "regression":
                assert told["training RMSE"].value == pytest.approx(np.sqrt(np.mean((fitted - fit.y) ** 2)), rel=1e-12)
                assert told[HERE].value == pytest.approx(here, rel=1e-12)
        facts = model.told_facts()
        shown = {name: fact for name, fact in told.items() if fact is not None and name not in (FIT_TIME, HERE)}
        for name in set(facts) & set(shown):
            assert str(shown[name]) == str(facts[name])
        common = [name for name in facts if facts[name].level == "lesson" and name in table_facts(scene, 1 - index)]
        assert set(common) <= set(shown)
        assert told[FIT_TIME].value > 0


def table_facts(scene, index):
    fit = fit_of(scene, index)
    told = fit.pipeline.fit(fit.X, fit.y, seed=fit.seed).told_facts()
    return {name for name, fact in told.items() if fact.level == "lesson"}


@pytest.mark.parametrize("methods", [("svm", "knn"), ("lda", "kernel-ridge"), ("linear-regression", "kernel-ridge")])
def test_where_samples_are_held_out_their_error_stands_beside_the_other(methods):
    scene = scene_of(methods)
    held = np.arange(30) % 3 == 0
    data = scene.dataset
    scene = scene.replace(dataset=Dataset(data.X, data.labels, held_out=held))
    table = table_of(scene)
    names = [column.name for column in table.columns]
    for index in range(2):
        fit = fit_of(scene, index)
        model = fit.pipeline.fit(fit.X, fit.y, seed=fit.seed)
        if fit.roles.task == "classification":
            wrong = np.mean(model.predict(data.X[held]) != data.labels[held])
            assert column(table, "test error")[index].value == pytest.approx(wrong)
            assert names.index("test error") == names.index("training error") + 1
        else:
            rmse = np.sqrt(np.mean((model.predict(data.X[held][:, :1]) - data.X[held][:, 1]) ** 2))
            assert column(table, "test RMSE")[index].value == pytest.approx(rmse, rel=1e-9)


def test_what_differs_between_canvases_of_one_method_comes_first():
    scene = comparing.with_values(scene_of(["svm"]), 0, "algorithm.C", (10.0, 0.01, 1.0))
    table = table_of(scene)
    assert [column.name for column in table.columns][:2] == ["C", "training error"]
    assert [fact.value for fact in column(table, "C")] == [10.0, 0.01, 1.0]
    assert [row.panel for row in table.ordered(0)] == [1, 2, 0]
    assert [row.panel for row in table.ordered(0, falling=True)] == [0, 2, 1]
    assert [row.name.split(", ")[1] for row in table.rows] == ["C = 10", "C = 0.01", "C = 1"]


def test_captions_tell_first_what_differs():
    scene = comparing.with_values(scene_of(["svm"]), 0, "algorithm.sigma", (0.1, 1.0))
    captions = [picture.caption for picture in draw(scene, [(90, 60)] * 2, 8)]
    assert [caption.split(", ")[1] for caption in captions] == ["σ = 0.1", "σ = 1"]


@pytest.mark.parametrize("falling", [False, True])
def test_numbers_are_ordered_as_numbers_and_what_is_missing_comes_last(falling):
    values = [10.0, None, 9, float("nan"), "b", -0.5, "a", True]
    rows = tuple(Row(k, f"m{k}", (None if value is None else Fact(value),)) for k, value in enumerate(values))
    table = Comparison((Column("fact", ""),), rows)
    ordered = [row.panel for row in table.ordered(0, falling)]
    assert ordered == ([0, 2, 7, 5, 4, 6, 1, 3] if falling else [5, 7, 2, 0, 6, 4, 1, 3])
    assert [row.panel for row in table.ordered(None)] == list(range(len(values)))


def test_as_text_the_table_has_all_digits_and_no_empty_column():
    table = table_of(scene_of(["svm", "knn"]).with_view(probe=None))
    head, *lines = csv.reader(io.StringIO(table.text()))
    assert head[:2] == ["canvas", "method"] and HERE not in head and "fit time / ms" in head
    assert [line[0] for line in lines] == ["1", "2"]
    for name in set(RESULTS) & set(head):
        told = [float(line[head.index(name)]) for line in lines]
        assert told == [fact.value for fact in column(table, name)]


def test_a_class_that_looks_like_a_formula_is_none_in_the_text():
    scene = scene_of(["svm", "knn"])
    scene = edits.with_samples(scene, scene.dataset.rename(0, "=1+1").rename(1, "=2+2"))
    head, *lines = csv.reader(io.StringIO(table_of(scene).text()))
    assert {line[head.index(HERE)][:2] for line in lines} <= {"'="}


def test_a_canvas_without_a_model_has_a_row_without_numbers():
    scene = scene_of(["svm", "knn"])
    scene = scene.replace(dataset=scene.dataset.erase(np.arange(30)))
    assert all(fact is None for row in table_of(scene).rows for fact in row.cells)
