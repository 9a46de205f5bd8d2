"""What is learned is what the samples are for, whatever method is chosen; and a field may be the prediction itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.algorithms.base import Algorithm, Model
from mlviz.cli import main
from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import GENERATORS, generators
from mlviz.draw import legend
from mlviz.draw.overlays import regions
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene import edits
from mlviz.scene.defaults import default_scene
from mlviz.scene.scene import Panel, Scene, View, roles
from mlviz.ui.paint.scene_view import samples_of
from tests.truth.scenes import LIMITS, NODES, REGRESSIONS, SIZE, Case, samples, seen

BOTH = tuple(name for name, method in registry().items() if {"classification", "regression"} <= set(method.tasks))


def task_of(scene):
    return roles(scene, scene.panels[0]).task


VALUES = [generator.id for generator in GENERATORS if generator.task == "regression"]


@pytest.mark.parametrize("way", [f"{g} by {m}" for g in VALUES for m in BOTH])
def test_values_stay_values_when_another_method_is_chosen(way):
    generator, _, method = way.partition(" by ")
    scene = edits.with_dataset(default_scene(), generators()[generator]().generate(0), "regression", "none")
    assert task_of(scene) == "regression"
    assert task_of(edits.with_method(scene, 0, method)) == "regression"


@pytest.mark.parametrize("method", BOTH)
@pytest.mark.parametrize("first", ["svm", "kmeans", "linear-regression"])
def test_classes_are_classes_for_a_method_that_knows_both(method, first):
    scene = edits.with_dataset(default_scene(), generators()["moons"]().generate(0), "classification", "none")
    scene = edits.with_method(scene, 0, first)
    assert task_of(edits.with_method(scene, 0, method)) == "classification"


@pytest.mark.parametrize("method", BOTH)
def test_points_of_one_class_after_a_regression_stay_values(method):
    scene = edits.with_method(default_scene(), 0, "linear-regression")
    data = Dataset(np.random.default_rng(0).normal(size=(12, 2)), np.zeros(12, dtype=int))
    scene = edits.with_method(scene.replace(dataset=data), 0, method)
    assert task_of(scene) == "regression"


@pytest.mark.parametrize("method", [m for m in REGRESSIONS if m in BOTH])
def test_the_other_task_is_a_choice(method):
    scene = edits.with_method(default_scene(), 0, method).replace(dataset=samples(Case(method)))
    for task in ("regression", "classification", "regression"):
        scene = edits.with_task(scene, 0, task)
        (picture,) = draw(scene, [SIZE], NODES)
        assert task_of(scene) == task
        assert ("training RMSE" in picture.facts) == (task == "regression") != ("training error" in picture.facts)


@pytest.mark.parametrize("method", REGRESSIONS)
def test_the_legend_of_a_regression_names_no_class(method):
    case = Case(method, task="regression", d=1)
    data = replace(samples(case), labels=np.arange(case.n) % 2)
    scene = replace(case.scene(), dataset=data)
    drawn = samples_of(scene, 0)
    words = [entry.label for entry in legend.entries(seen(case).marks, drawn.codes, drawn.class_names, drawn.held_out)]
    assert not {"class 1", "class 2"} & set(words)


@pytest.mark.parametrize("method", BOTH)
@pytest.mark.parametrize("way", [*VALUES, "a table without classes"])
def test_on_the_command_line_values_are_values_too(method, way, tmp_path, capsys):
    given = ["--generator", way]
    if way not in VALUES:
        (tmp_path / "t.csv").write_text("a,b\n" + "".join(f"{i / 3:.3f},{np.sin(i / 3):.3f}\n" for i in range(20)))
        given = [str(tmp_path / "t.csv")]
    assert main(["fit", *given, "--algorithm", method]) == 0
    said = capsys.readouterr().out
    assert "training RMSE" in said and "training error" not in said


@pytest.mark.parametrize("method", BOTH)
@pytest.mark.parametrize("table", ["a,b,class\n0,1,x\n1,2,y\n3,1,x\n", "a,b,class\n0,1,x\n1,2,x\n3,1,x\n"])
def test_on_the_command_line_classes_are_classes_too(method, table, tmp_path, capsys):
    """Also where there is one alone, which is said."""
    (tmp_path / "t.csv").write_text(table)
    failed = main(["fit", str(tmp_path / "t.csv"), "--algorithm", method])
    said = capsys.readouterr()
    if failed:
        assert ",y" not in table and "All samples are of one class" in said.err
    else:
        assert "training error" in said.out and (",y" in table or "all samples are of one class" in said.out)


@dataclass(frozen=True, eq=False)
class NearestModel(Model):
    """The class of the nearest mean, which is its field."""

    classes: np.ndarray
    means: np.ndarray
    field = "predict"

    def predict(self, X):
        away = np.linalg.norm(np.asarray(X)[:, None] - self.means, axis=2)
        return self.classes[np.argmin(away, axis=1)]


@dataclass(frozen=True)
class NearestMean(Algorithm):
    """A classifier without scores: its field is what it predicts, as a method may choose."""

    id, label, family, tasks = "nearest-mean", "nearest mean", "Odd", ("classification",)
    overlays = (regions.regions, regions.boundary, regions.misclassified)

    def steps(self, X, y, rng, sample_weight=None) -> Iterator[NearestModel]:
        classes = np.unique(y)
        yield NearestModel(classes, np.array([X[y == code].mean(axis=0) for code in classes]))


@pytest.mark.parametrize("codes", ["0 1", "1 2", "3 7 12"])
def test_the_region_of_a_classifier_whose_field_is_its_prediction(codes):
    data = samples(Case("lda", codes))
    scene = Scene(data, (Panel(Pipeline(NearestMean()), hidden=()),), view=View(limits=LIMITS, equal=False))
    (picture,) = draw(scene, [SIZE], NODES)
    assert picture.message is None
    (region,) = [mark for mark in picture.plot.marks if mark.role == "region"]
    rows = data.active & ~data.held_out
    model = NearestMean().fit(data.X[rows], data.labels[rows])
    places = np.stack(np.meshgrid(region.x, region.y), axis=-1).reshape(-1, 2)
    np.testing.assert_array_equal(region.classes.ravel(), model.predict(places))
    assert any(mark.role == "boundary" for mark in picture.plot.marks)
