"""What the program starts with: the method of each task, and the first scene."""

from __future__ import annotations

from mlviz.algorithms import Algorithm, find, registry
from mlviz.data.dataset import Dataset
from mlviz.draw.tasks import Task
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene

_DEFAULT_METHODS: dict[Task, str] = {
    "classification": "svm",
    "regression": "linear-regression",
    "clustering": "kmeans",
    "density estimation": "kde",
    "decomposition": "pca",
}
"""Task -> id of the method that is taken where nobody has chosen one. Named, so that a new method changes nothing."""


def default_method(task: Task) -> Algorithm:
    """The default method of a task with its defaults; another one of the task where that can't be used."""
    try:
        return find(_DEFAULT_METHODS[task])()
    except KeyError:
        return next(method for method in registry().values() if task in method.tasks)()


def default_panel() -> Panel:
    """One canvas with the default method for classes."""
    return Panel(Pipeline(default_method("classification")))


def first_scene() -> Scene:
    """What the window begins with: no samples, and the default method with the linear kernel, the simplest there is.

    The method's own default stays: scene files and the Python interface rest on it.
    """
    scene, panel = default_scene(), default_panel()
    kernels = [parameter for parameter in panel.pipeline.algorithm.parameters() if parameter.name == "kernel"]
    if not kernels:
        return scene
    linear = panel.pipeline.algorithm.replace(kernel="linear")
    return scene.with_panel(0, Panel(panel.pipeline.replace(algorithm=linear)))


def default_scene() -> Scene:
    """No samples and one canvas, ready to click."""
    return Scene(Dataset.empty(), (default_panel(),))
