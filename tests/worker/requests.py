"""Scenes and requests for a worker."""

import time

from mlviz.data.dataset import Dataset
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from mlviz.worker import Request

DATASET = Dataset([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [1.0, 0.0], [3.0, 3.0]], [0, 1, 1, 0, 1])
SIZE = (600, 300)


def scene_of(*algorithms, dataset=DATASET):
    return Scene(dataset, tuple(Panel(Pipeline(algorithm)) for algorithm in algorithms))


def request_of(number, scene, draft=False, **options):
    return Request(number, scene, (SIZE,) * len(scene.panels), draft, **options)


def pictures_of(engine, slice_=0.0):
    """All pictures that an engine makes until it is at rest."""
    found = []
    while engine.busy:
        found.extend(engine.advance(slice_))
        time.sleep(engine.seconds_until_work() or 0)
    return found
