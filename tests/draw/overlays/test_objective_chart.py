"""The objective over the steps: the dot is there at each of them, and what comes before the objective is named."""

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.generators.catalog import Blobs
from mlviz.draw.overlays.charts import objective_chart
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene

DATA = Blobs(n_samples=60).generate(1)
SHOWING = [
    name
    for name, kind in registry().items()
    if objective_chart in kind.charts and {"clustering", "classification"} & set(kind.tasks)
]
CASES = [(name, {}) for name in SHOWING]
CASES += [(name, {"n_init": 4}) for name in SHOWING if hasattr(registry()[name](), "n_init")]


@pytest.mark.parametrize(("method", "settings"), CASES)
def test_the_dot_is_at_each_step_and_the_search_for_a_start_is_named(method, settings):
    pipeline = Pipeline(registry()[method](**settings))
    count = len(list(pipeline.steps(DATA.X, DATA.labels if "clustering" not in pipeline.algorithm.tasks else None)))
    for step in {0, 1, 2, count // 2, count - 1} & set(range(count)):
        scene = Scene(DATA, (Panel(pipeline),)).with_view(step=step)
        (picture,) = draw(scene, [(60, 40)], 60)
        plots = [plot for plot in picture.sides if plot.id == "objective"]
        if not plots:
            continue
        marks = {mark.role: mark for mark in plots[0].marks}
        assert marks["now"].xy[:, 0].tolist() == [step]
        first = marks["curve"].xy[0, 0]
        assert ("reference" in marks) == (first > 0)
        if first > 0:
            assert marks["reference"].xy[:, 0].tolist() == [0, first] and "find" in marks["reference"].label
            assert np.isclose(marks["reference"].xy[0, 1], marks["curve"].xy[0, 1])
