"""How long a fit can't be interrupted, and how long it takes with very many samples."""

import time

import numpy as np
import pytest

from mlviz.algorithms import Algorithm, registry
from mlviz.pipeline.pipeline import Pipeline
from tests.speed.table import measured

SIZES = (300, 3000, 100_000)
SILENT_MS = {300: 100.0, 3000: 60.0, 100_000: 300.0}
"""Several times what a quiet machine takes: 10 ms of 3000 samples, and one pass over 100,000 of them."""
FIT_SECONDS = 1.0
"""Whatever the number of samples, but where the exact equations of 3000 samples are solved several times over, or where
the model says by which approximation it was found."""
CASES = [
    (method, task, classes)
    for method in registry().values()
    for task in method.tasks
    for classes in ((2, 3) if task == "classification" else (2,))
    if not method.__module__.startswith("tests.")
]
CORNERS = np.array([[0, 0], [1, 1], [1, 0]])
"""The means of the classes."""


def _data(task: str, n: int, classes: int) -> tuple[np.ndarray, np.ndarray | None]:
    """Classes that overlap by half, or a noisy sine."""
    rng = np.random.default_rng(0)
    if task == "regression":
        X = rng.uniform(-4, 4, (n, 1))
        return X, np.sin(X[:, 0]) + rng.normal(0, 0.3, n)
    y = np.arange(n) % classes
    return rng.normal(0, 1, (n, 2)) + CORNERS[y], y if task == "classification" else None


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize(("method", "task", "classes"), CASES, ids=lambda value: getattr(value, "id", value))
def test_no_step_is_silent_for_long(method: type[Algorithm], task: str, classes: int, n: int) -> None:
    X, y = _data(task, n, classes)
    Pipeline(method()).fit(*_data(task, 900, classes))  # what is imported late has been imported
    clocks = time.perf_counter, time.thread_time
    times = [[clock() for clock in clocks]]
    for model in Pipeline(method()).steps(X, y):  # noqa: B007
        times.append([clock() for clock in clocks])
    times.append([clock() for clock in clocks])
    fit, fit_cpu = 1e3 * (np.array(times[-1]) - times[0])
    silence, silence_cpu = 1e3 * np.diff(times, axis=0).max(axis=0)
    named = f"{method.id} ({task}{', 3 classes' if classes == 3 else ''})"
    ms = {"fit": fit, "fit cpu": fit_cpu, "silence": silence, "silence cpu": silence_cpu}
    measured.waits[named, n] = ms
    assert silence_cpu < SILENT_MS[n]
    assert fit_cpu < 1e3 * FIT_SECONDS or n == 3000 or model.caveat
