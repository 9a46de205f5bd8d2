"""Charts light up for the sample at the probe where the canvas has no place for all inputs of a method."""

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene

DATA = Dataset(np.random.default_rng(3).normal(size=(40, 4)), np.zeros(40, dtype=int), ("x1", "x2", "x3", "x4"))
ALL, ROW = DATA.columns, 17
METHODS = ("hierarchical", "tsne", "mds", "kernel-pca")
LABELS = {"branches of the nearest sample", "the sample pointed at", "the place pointed at"}
PANELS = {
    "of more inputs": lambda method: (Panel(Pipeline(method), ALL),),
    "of other inputs": lambda method: (Panel(Pipeline(method), ("x2", "x4")),),
    "of components beside a canvas of columns": lambda method: (
        Panel(Pipeline(registry()["kmeans"]()), ("x1", "x3")),
        Panel(Pipeline(method, preprocessing="principal-components"), ALL),
    ),
}


def lit(method, panels, probe):
    """The marks for the place pointed at in the charts of the last panel."""
    cls = registry()[method]
    settings = {"max_iter": 5} if method == "tsne" else {}
    scene = Scene(DATA, PANELS[panels](cls(**settings))).with_view(axes=("x1", "x3"), limits=(-4, 4, -4, 4))
    picture = draw(scene.with_view(probe=probe), [(80, 60)] * len(scene.panels), 16)[-1]
    return [mark for plot in picture.sides for mark in plot.marks if mark.label in LABELS]


@pytest.mark.parametrize("panels", PANELS)
@pytest.mark.parametrize("method", METHODS)
def test_a_sample_is_pointed_at_on_a_canvas_without_its_other_inputs(method, panels):
    x, y = DATA.X[ROW, [0, 2]].tolist()
    assert lit(method, panels, (x + 0.02, y))
    assert not lit(method, panels, (3.9, 3.9)) and not lit(method, panels, None)


@pytest.mark.parametrize("panels", list(PANELS)[:2])
def test_the_branches_are_those_of_that_sample(panels):
    """On a canvas of all inputs the same branches light up at the place of the sample."""
    inputs = ALL if panels == "of more inputs" else ("x2", "x4")
    few = Dataset(DATA.X[:, [DATA.column(name) for name in inputs]], DATA.labels, inputs)
    (found,) = lit("hierarchical", panels, tuple(DATA.X[ROW, [0, 2]].tolist()))
    model = registry()["hierarchical"]().fit(few.X)
    leaf = int(model.linked.nearest(few.X[ROW][None])[0])
    assert found.start[0].tolist() == [model.tree.across[leaf], model.tree.node_heights[leaf]]
