"""Fit + field of every method against scikit-learn doing the same, cold and while one point is dragged."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np
import pytest

from mlviz.worker.memory import keep_freed_memory
from tests.speed.cases import GRID, LINE, Case, every_case
from tests.speed.table import OURS, THEIRS, measured

SIZES = (20, 100, 500, 2000)
STEP = 0.08
SECONDS, FEWEST = 1.0, 3
"""A case is measured for about so long, in so many rounds at the least."""
TURN_SECONDS = 0.02
"""What is quicker is done again until its turn has lasted so long: as under the hand, the caches know it then."""
CASES = every_case()
keep_freed_memory()  # as the worker does
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


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


@pytest.mark.parametrize("mode", ["cold", "drag"])
@pytest.mark.parametrize(
    ("case", "n"),
    [(case, n) for case in CASES for n in SIZES if n <= case.most],
    ids=lambda value: getattr(value, "name", value),
)
def test_fit_and_field(case: Case, n: int, mode: str) -> None:
    """Both in turn, by the processor's time: what else the machine does lengthens neither, or both."""
    X, y = _data(case, n)
    follower, show = case.pipeline.follower(), case.show or _show
    rng = np.random.default_rng(0)

    def ours() -> Any:
        if mode == "drag":
            return show(follower.update(case.pipeline, X.copy(), y, None, time.perf_counter() + 0.008))
        return show(case.pipeline.fit(X, y))

    def seconds(work: Callable[[], Any]) -> float:
        if mode == "drag":
            X[0] += rng.normal(0, STEP, X.shape[1])
        began = time.process_time()
        work()
        return time.process_time() - began

    show(follower.update(case.pipeline, X, y, None, float("inf")))
    sides = {OURS: ours, THEIRS: lambda: case.oracle(X, y)}
    times: dict[str, list[float]] = {who: [] for who in sides}
    rounds, spent = 0, 0.0
    while rounds < FEWEST or spent < SECONDS:
        rounds += 1
        for who, work in sides.items():
            turn = [seconds(work)]
            while sum(turn) < TURN_SECONDS:
                turn.append(seconds(work))
            times[who] += turn
            spent += sum(turn)
    for who, each in times.items():
        measured.method((case.name, n, mode), who, median(each))
