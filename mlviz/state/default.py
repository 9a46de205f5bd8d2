"""The scene the program starts with."""

from __future__ import annotations

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.pipeline.pipeline import Pipeline
from mlviz.state.scene import Panel, Scene


def default_panel() -> Panel:
    """One canvas with the support vector machine and its defaults."""
    return Panel(Pipeline(registry()["svm"]()))


def default_scene() -> Scene:
    """No samples and one canvas, ready to click."""
    return Scene(Dataset.empty(), (default_panel(),))
