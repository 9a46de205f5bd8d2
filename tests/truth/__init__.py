"""What is told and drawn is so; scenes that differ in nothing but what is looked at share one fit."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.recent import Recent
from mlviz.scene.scene import Scene
from mlviz.scene.trace import Fit, Trace, fit_key, trace_cache

_TRACES, _MODELS = trace_cache(most=16), Recent[Any, Any](16)
"""The last fits of pictures, and of pipelines, which are fitted apart from them."""


def content(scene: Scene) -> tuple[Any, ...]:
    """What is fitted, by its content: tests change samples without a new key."""
    data = scene.dataset
    arrays = data.X, data.labels, data.held_out, data.active
    return (*fit_key(scene, 0)[1:], data.columns, *(np.asarray(values).tobytes() for values in arrays))


def traced(scene: Scene, fit: Fit) -> Trace:
    """The fit of a scene to its end."""
    key = content(scene)
    trace = _TRACES.used(key)
    if trace is None:
        trace = Trace(fit)
        trace.advance(math.inf)
        _TRACES.use(key, trace)
    return trace


def fitted_apart(scene: Scene, pipeline: Pipeline, X: Any, y: Any) -> Any:
    """The model that the scene's pipeline fits by itself to its samples X (n, d) and y (n,)."""
    key = (*content(scene), pipeline)
    model = _MODELS.used(key)
    if model is None:
        model = pipeline.fit(X, y, seed=scene.seed)
        _MODELS.use(key, model)
    return model
