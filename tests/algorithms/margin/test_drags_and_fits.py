"""Whatever changes under the hand, and in whatever order: a follower ends where a fit from nothing does."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.pipeline.pipeline import Pipeline
from tests.sweep import trials

LINE = np.linspace(-5, 5, 80)[:, None]
METHODS: dict[str, dict[str, Any]] = {
    "svr": {},
    "svr with a wide tube": {"epsilon": 1.0},
    "svr without a tube": {"epsilon": 0.0, "kernel": "laplacian"},
    "svr of lines": {"kernel": "linear", "C": 0.1},
    "svr of polynomials": {"kernel": "polynomial"},
    "svm": {"C": 1.0},
    "svm of lines": {"kernel": "linear", "C": 1.0},
    "quantile-regression": {"basis": "kernel", "tau": 0.8},
}


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("seed", trials(8))
def test_a_drag_ends_where_a_fit_does(name: str, seed: int) -> None:
    """Of one sample mostly; now and then others move, come or go, weigh more, and settings change or time is short."""
    rng, pipeline = np.random.default_rng(seed), Pipeline(registry()[name.split()[0]](**METHODS[name]))
    X, weights = rng.uniform(-4, 4, (150, 1)), None
    y: Any = np.sin(X[:, 0]) + 0.3 * rng.normal(size=len(X))
    classes = name.startswith("svm")
    y, follower, row = np.where(y > 0, "a", "b") if classes else y, pipeline.follower(), 0
    for frame in range(24 * len(trials(4))):
        X, y, late = X.copy(), y.copy(), False
        X[row] += 0.1 * rng.normal()
        if seed % 2 and not classes:  # as a sample does that is dragged beside a curve
            y[row] += 0.1 * rng.normal()
        match frame % 24:
            case 5:
                row = int(rng.integers(len(X)))
            case 7 if not classes:
                y[row] += 0.3
            case 8 | 10 if not classes:  # so far that the units of the targets are others
                y[row] += 500 * (9 - frame % 24)
            case 9:
                X[rng.integers(len(X), size=3)] += 0.1
            case 11:
                X, y = np.vstack((X, [[rng.uniform(-4, 4)]])), np.append(y, y[0])
            case 13:
                X, y, row = X[1:], y[1:], 2
            case 15:
                weights = rng.uniform(0.5, 2.0, len(X))
            case 17:
                weights = None
            case 19 if hasattr(pipeline.algorithm, "C"):
                pipeline = pipeline.replace(algorithm=pipeline.algorithm.replace(C=pipeline.algorithm.C * 2))
            case 21 if hasattr(pipeline.algorithm, "epsilon"):
                pipeline = pipeline.replace(algorithm=pipeline.algorithm.replace(epsilon=0.6))
            case 3 | 14 | 22:
                late = True
        model = follower.update(pipeline, X, y, weights, time.perf_counter() if late else float("inf"))
        word = "decision_function" if classes else "predict"
        told = [getattr(model, word)(places) for places in (LINE, X)]
        if not late and frame % 2:
            fitted = pipeline.fit(X, y, sample_weight=weights)
            for values, places in zip(told, (LINE, X), strict=True):
                np.testing.assert_allclose(values, getattr(fitted, word)(places), rtol=1e-6, atol=1e-6)
