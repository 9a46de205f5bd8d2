"""Fit + field of every method against scikit-learn doing the same, cold and while one point is dragged."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from mlviz.worker.memory import keep_freed_memory
from tests.speed.cases import GRID, LINE, Case, every_case
from tests.speed.table import OURS, THEIRS, measured

SIZES = (20, 100, 500, 2000)
STEP = 0.08
SECONDS, FEWEST = 1.5, 3
"""A case is measured for about so long, in so many rounds at the least."""
CASES = every_case()
keep_freed_memory()  # as the worker does


def _data(case: Case, n: int) -> tuple[Any, Any]:
    """Overlapping Gaussian blobs, or noisy sines for regression."""
    rng = np.random.default_rng(n)
    if case.regresses:
        X = rng.uniform(-4, 4, (n, case.n_inputs))
        return X, np.sin(X).sum(axis=1) + rng.normal(0, 0.3, n)
    y = np.arange(n) % case.n_classes
    angle = 2 * np.pi * y / case.n_classes
    return 1.2 * np.column_stack((np.cos(angle), np.sin(angle))) + rng.normal(0, 1, (n, 2)), y


def _show(model: Any) -> Any:
    if model.field is None:  # what a method without a field has to say are the scores of the samples
        return model.transform(model.training.X)
    return model.predict(LINE) if model.training.X.shape[1] == 1 else model.on_grid(GRID, np.float32)


@pytest.mark.parametrize("who", [OURS, THEIRS])
@pytest.mark.parametrize("mode", ["cold", "drag"])
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_fit_and_field(benchmark: Any, case: Case, n: int, mode: str, who: str) -> None:
    X, y = _data(case, n)
    follower, show = case.pipeline.follower(), case.show or _show
    rng = np.random.default_rng(0)
    if mode == "drag" and who == OURS:
        show(follower.update(case.pipeline, X, y, None, float("inf")))

    def work() -> Any:
        if mode == "drag":
            X[0] += rng.normal(0, STEP, X.shape[1])
        if who == THEIRS:
            return case.oracle(X, y)
        if mode == "drag":
            return show(follower.update(case.pipeline, X.copy(), y, None, time.perf_counter() + 0.008))
        return show(case.pipeline.fit(X, y))

    began = time.perf_counter()
    work()
    once = time.perf_counter() - began
    # A median needs few rounds where one takes long; scikit-learn's are the long ones.
    rounds = int(np.clip(SECONDS / once, FEWEST, 60 if who == OURS else 9))
    benchmark.pedantic(work, rounds=rounds, iterations=1, warmup_rounds=1)
    measured.method((case.name, n, mode), who, benchmark.stats.stats.median)
