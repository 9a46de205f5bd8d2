"""What studies lay over the canvas can be drawn whatever the inputs are, wherever the cursor is."""

import dataclasses

import numpy as np

from mlviz.algorithms import registry as methods
from mlviz.data.dataset import Dataset
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.edits import with_study
from mlviz.scene.scene import Panel, Scene
from mlviz.studies import registry
from mlviz.testing.pictures import check_picture
from tests.studies.test_every_method import small
from tests.sweep import each

NAMES = ("x1", "x2", "x3", "x4", "x5")
OVER_THE_CANVAS = [name for name, kind in registry().items() if kind.overlays and not kind.by_layer]
AROUND = {
    "plain": {},
    "features": {"x1_squared": True, "x1_times_x2": True, "sin_x2": True},
    "whitened features": {"x2_squared": True, "preprocessing": "whiten"},
    "components": {"preprocessing": "principal-components"},
}


@each("around, inputs", AROUND, [NAMES[:1], NAMES[:2], NAMES[2:0:-1], NAMES[:3], NAMES[3::-1]])
def test_overlays_of_studies_are_drawn_with_every_kind_of_inputs(inputs, around):
    rng = np.random.default_rng(len(inputs))
    data = Dataset(rng.normal(size=(18, 5)), np.arange(18) % 2, NAMES)
    target = NAMES[4] if len(inputs) > 1 else NAMES[1]
    panel = Panel(Pipeline(methods()["linear-regression"](), **AROUND[around]), inputs, target)
    scene = Scene(dataset=data, panels=(panel,)).with_view(axes=(inputs[0], "x2"), probe=(0.1, -0.2))
    for name in OVER_THE_CANVAS:
        asked = with_study(scene, 0, small(registry()[name]))
        asked = asked.with_panel(0, dataclasses.replace(asked.panels[0], hidden=()))
        check_picture(asked, name, may_refuse=True)
