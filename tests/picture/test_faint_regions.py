"""Where a score is far too small for single precision, the region painted is still what is predicted there."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.draw.marks import Field
from mlviz.picture.render import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.defaults import default_scene
from mlviz.scene.trace import fit_of

PLACES = np.array([[-1.5, 0.0], [1.5, 0.5], [0.0, 2.0], [2.0, -2.0], [-3.0, -3.1], [3.4, 3.3]])


def narrow():
    """Every method for classes that has a width, with small ones of every kernel or window."""
    for name, cls in sorted(registry().items()):
        keys = {p.key: p for p in cls.parameters()}
        width = next((key for key in ("sigma", "width") if key in keys), None)
        shape = next((key for key in ("kernel", "window") if key in keys), None)
        if width is None or shape is None or "classification" not in cls.tasks:
            continue
        for option in keys[shape].options:
            for value in (0.01, 0.05):
                if cls.parameter(width).valid[0] is None or cls.parameter(width).valid[0] <= value:
                    yield pytest.param(name, {shape: option, width: value}, id=f"{name}-{option}-{value:g}")


@pytest.mark.parametrize(("name", "chosen"), list(narrow()))
@pytest.mark.parametrize("labels", [(0, 1, 0, 1, 0, 1), (0, 1, 2, 1, 0, 2)], ids=["two", "three"])
def test_the_region_is_what_is_predicted_however_small_the_score(name, chosen, labels):
    scene = default_scene()
    panel = dataclasses.replace(scene.panels[0], pipeline=Pipeline(registry()[name](**chosen)))
    scene = scene.replace(dataset=Dataset(PLACES, np.array(labels)), panels=(panel,))
    (picture,) = draw(scene, [(300, 240)], 60)
    region = next(mark for mark in picture.plot.marks if isinstance(mark, Field) and mark.classes is not None)
    nodes = np.stack(np.meshgrid(region.x, region.y), axis=-1)
    model = list(fit_of(scene, 0).steps())[-1]
    predicted = model.predict(nodes.reshape(-1, 2)).reshape(region.classes.shape)
    painted = region.strength > 0
    wrong = painted & (region.classes != predicted)
    if model.field == "predict_proba":
        assert painted.all() and not wrong.any()
        return
    scores = np.asarray(model.decision_function(nodes.reshape(-1, 2)))
    if len(set(labels)) == 2:
        assert not wrong.any()
        assert (scores.reshape(predicted.shape)[~painted] == 0).all(), "only where nothing is said nothing is painted"
    else:
        # What leads by less than single precision tells of scores of that size may be either.
        least, middle = np.sort(scores, axis=1)[:, -2:].T.reshape(2, *predicted.shape)
        assert (middle - least)[wrong].max(initial=0) <= 1e-6 * np.abs(scores).max()
