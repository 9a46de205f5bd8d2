"""What principal component analysis tells of variance adds up, whatever was made of the inputs before."""

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.data.tables.shipped import load_shipped
from mlviz.draw.marks import Text
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.preprocessing import preprocessings
from mlviz.scene import edits
from mlviz.scene.scene import Panel, Scene
from tests.sweep import sweep

IRIS = load_shipped("iris")
X = np.random.default_rng(3).normal(size=(30, 5)) * (3, 0.2, 1, 5, 2) + 7
NOISE = Dataset(X, np.zeros(30, dtype=int), columns=tuple("abcde"))
DATASETS = {"iris": IRIS, "noise": NOISE}


def total_variance(preprocessing, X):
    """The variance of all inputs in the units in which they are told."""
    transform = preprocessings()[preprocessing].learn(X)
    seen = X if transform.components is not None else transform.to_model(X)
    return seen.var(axis=0, ddof=1).sum()


@sweep("name, preprocessing, columns", DATASETS, preprocessings(), [2, 3, 4, 5])
def test_what_is_not_explained_is_the_squared_error(name, preprocessing, columns):
    dataset = DATASETS[name]
    scene = Scene(dataset, (Panel(Pipeline(registry()["pca"](), preprocessing)),))
    scene = edits.with_inputs(scene, 0, set(dataset.columns[:columns]))
    (picture,) = draw(scene, ((60, 40),), 8)
    facts, X = picture.facts, dataset.X[dataset.training][:, :columns]
    total = total_variance(preprocessing, X)
    explained, error = facts["explained by 1"].value, facts["squared error with 1"].value
    assert (1 - explained) * total == pytest.approx(error, rel=1e-9)
    assert explained * total == pytest.approx(facts["variance 1"].value, rel=1e-9)
    (turning,) = (side for side in picture.sides if side.id == "turning") if "angle of 1, degrees" in facts else (None,)
    if turning is not None:
        kept, left, _ = turning.marks
        assert left.xy[:, 1].min() == pytest.approx(error, rel=1e-6)
        np.testing.assert_allclose(kept.xy[:, 1] + left.xy[:, 1], total, rtol=1e-9)
        assert left.xy[:, 1].max() < turning.limits[3]


def test_a_direction_by_hand_says_in_which_units_its_variance_is():
    dataset = Dataset(NOISE.X[:, :2], NOISE.labels, columns=("a", "b"))
    for preprocessing, units in (("none", ""), ("standardize", " of the standardized inputs")):
        panel = Panel(Pipeline(registry()["pca"](by_hand=True, angle=20.0), preprocessing))
        (picture,) = draw(Scene(dataset, (panel,)), ((60, 40),), 8)
        (words,) = (mark.words for mark in picture.plot.marks if (mark.role, type(mark)) == ("attempt", Text))
        assert words[0].startswith(f"variance{units} ") and words[1].startswith(f"squared error{units} ")
        numbers = [[float(part.split()[-1]) for part in told.split(", ")] for told in words]
        for variance, error in zip(*numbers, strict=True):
            assert variance + error == pytest.approx(total_variance(preprocessing, dataset.X), rel=0.01)
