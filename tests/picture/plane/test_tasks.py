"""A layer that says nothing of a task is not drawn in it, also where it was switched on in another one."""

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.draw.tasks import UNSUPERVISED
from mlviz.picture import draw
from mlviz.scene import edits
from mlviz.scene.defaults import default_scene
from mlviz.scene.scene import roles

X = np.random.default_rng(2).normal(size=(24, 2))
VALUES = np.column_stack((X, np.sin(2 * X).sum(axis=1)))
DATA = Dataset(VALUES, (VALUES[:, 2] > 0).astype(int), ("a", "b", "c"))
SEVERAL = [name for name, method in registry().items() if len(set(method.tasks) - set(UNSUPERVISED)) > 1]


def looks(scene):
    """What a picture shows: each mark by its kind, role and label."""
    (picture,) = draw(scene, [(50, 50)], 50)
    return [(type(mark), mark.role, mark.label) for mark in picture.plot.marks]


@pytest.mark.parametrize("method", SEVERAL)
def test_layers_of_another_task_are_not_drawn(method):
    scene = edits.with_method(default_scene().replace(dataset=DATA), 0, method)
    for overlay in scene.panels[0].possible_overlays:
        scene = edits.with_layer(scene, 0, overlay.id, True)
    for task, target in (("classification", DATA.class_column), ("regression", "c")):
        of_task = edits.with_task(scene, 0, task).with_view(axes=("a", "b"))
        panel = of_task.panels[0]
        of_task = of_task.with_panel(0, type(panel)(panel.pipeline, ("a", "b"), target, panel.hidden))
        assert roles(of_task, of_task.panels[0]).task == task
        without = of_task
        for overlay in panel.overlays:
            if task not in overlay.tasks:
                without = edits.with_layer(without, 0, overlay.id, False)
        assert looks(of_task) == looks(without), task
