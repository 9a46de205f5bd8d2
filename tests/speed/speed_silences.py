"""How long a fit can't be interrupted, and how long it takes with very many samples."""

import time

import numpy as np
import pytest

from mlviz.algorithms import Algorithm, registry
from mlviz.pipeline.pipeline import Pipeline
from tests.speed.table import measured

SIZES = (300, 3000, 100_000)
SILENT_MS = {300: 100.0, 3000: 250.0, 100_000: 300.0}
"""Several times what a quiet machine takes: one matrix product or one factorization may be as long."""
FIT_SECONDS = 1.0
"""Whatever the number of samples, but where the exact equations of 3000 samples are solved several times over."""
CASES = [
    (method, task)
    for method in registry().values()
    for task in method.tasks
    if not method.__module__.startswith("tests.")
]


def _data(task: str, n: int) -> tuple[np.ndarray, np.ndarray | None]:
    """Two classes that overlap by half, or a noisy sine."""
    rng = np.random.default_rng(0)
    if task == "regression":
        X = rng.uniform(-4, 4, (n, 1))
        return X, np.sin(X[:, 0]) + rng.normal(0, 0.3, n)
    y = np.arange(n) % 2
    return rng.normal(0, 1, (n, 2)) + y[:, None], y if task == "classification" else None


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize(("method", "task"), CASES, ids=lambda value: getattr(value, "id", value))
def test_no_step_is_silent_for_long(method: type[Algorithm], task: str, n: int) -> None:
    X, y = _data(task, n)
    Pipeline(method()).fit(*_data(task, 900))  # what is imported late has been imported
    began = before = time.perf_counter()
    silence = 0.0
    for _ in Pipeline(method()).steps(X, y):
        now = time.perf_counter()
        silence, before = max(silence, now - before), now
    silence, fit = max(silence, time.perf_counter() - before), time.perf_counter() - began
    measured.waits[f"{method.id} ({task})", n] = {"fit": 1e3 * fit, "silence": 1e3 * silence}
    assert 1e3 * silence < SILENT_MS[n]
    assert fit < FIT_SECONDS or n == 3000
