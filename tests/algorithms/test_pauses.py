"""A step is never silent for long: so much is worked out at a time. How long that takes `speed_silences` tells."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import lapack

from mlviz.algorithms import registry
from mlviz.numerics.kernels import base
from mlviz.numerics.pauses import ENTRIES, finished, meanwhile, square
from mlviz.pipeline.pipeline import Pipeline

N = 1200
"""Whose matrix is more than may be worked out at once, and may not be factorized at once."""
ROWS = 1000
"""A matrix of so many rows may be factorized at once."""
SLOWER = [
    ("svm", {"C": 1000.0}),
    ("svm", {"C": 1e5}),
    ("svm", {"C": 1000.0, "sigma": 0.1}),
    ("svm", {"kernel": "laplacian"}),
]
SHORTER = {"tsne": {"max_iter": 260}}
"""So few steps end after those with exaggeration; each of the others does what they do."""
CASES = [
    (method.id, task, SHORTER.get(method.id, {}))
    for method in registry().values()
    for task in method.tasks
    if not method.__module__.startswith("tests.")
] + [(method, "classification", given) for method, given in SLOWER]


def _data(task):
    rng = np.random.default_rng(0)
    codes = np.arange(N) % 2
    X = rng.normal(0, 1, (N, 2)) + codes[:, None]
    return X, {"classification": codes, "regression": X[:, 0] + rng.normal(0, 0.3, N)}.get(task)


@pytest.mark.first
@pytest.mark.parametrize(("method", "task", "given"), CASES, ids=str)
def test_little_is_worked_out_between_two_models(method, task, given, monkeypatch):
    entries, rows = [0], [0]
    of_differences, dpotrf = base.of_differences, lapack.dpotrf

    def counted(A, B, *others):
        entries[-1] += len(A) * len(B)
        return of_differences(A, B, *others)

    def factorized(A, **others):
        rows.append(len(A))
        return dpotrf(A, **others)

    monkeypatch.setattr(base, "of_differences", counted)
    monkeypatch.setattr(lapack, "dpotrf", factorized)
    algorithm = registry()[method](**given)
    if hasattr(algorithm, "kernel") and "kernel" not in given:
        algorithm = algorithm.replace(kernel="gaussian")
    for _ in Pipeline(algorithm).steps(*_data(task)):
        entries.append(0)
    assert max(entries) <= 1.1 * ENTRIES
    assert max(rows) <= ROWS


def test_a_matrix_in_parts_is_that_of_all_rows_at_once(monkeypatch):
    monkeypatch.setattr("mlviz.numerics.pauses.ENTRIES", ENTRIES // 16)
    x = np.random.default_rng(0).normal(size=650)
    states = list(meanwhile("on the way", square(len(x), lambda rows: np.subtract.outer(x[rows], x))))
    assert len(states) > 2 and set(states) == {"on the way"}
    np.testing.assert_array_equal(finished(square(len(x), lambda rows: np.subtract.outer(x[rows], x))), x[:, None] - x)
