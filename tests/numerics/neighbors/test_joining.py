"""Very many heaps of core samples, joined or apart."""

from unittest.mock import patch

import numpy as np
import pytest
import sklearn.cluster

from mlviz.numerics.neighbors import dbscan as solver
from mlviz.numerics.pauses import finished
from tests.sweep import trials

HEAPS = np.stack(np.meshgrid(np.arange(20.0), np.arange(20.0)), axis=-1).reshape(-1, 2)


def _heaps(shift: float) -> np.ndarray:
    """Twelve samples about each node of a lattice, every other row of which is moved along."""
    rng = np.random.default_rng(0)
    moved = HEAPS + np.column_stack((shift * (HEAPS[:, 1] % 2), np.zeros(len(HEAPS))))
    X = np.repeat(moved, 12, axis=0) + rng.uniform(-0.05, 0.05, (12 * len(HEAPS), 2))
    return X[np.lexsort(X.T[::-1])]


@pytest.mark.parametrize(
    ("shift", "radius", "clusters"), [(0.0, 0.3, 400), (0.3, 0.3, 400), (0.0, 1.3, 1), (0.2, 5.0, 1)]
)
def test_heaps_far_apart_or_close_together_are_told_without_a_look_at_each(shift, radius, clusters):
    X = _heaps(shift)
    held, near, rows = finished(solver.distances_that_hold(X, np.ones(len(X)), 5))
    with patch.object(solver, "within_box", side_effect=AssertionError):
        labels = solver.joined(X, held <= radius, near, rows, radius)
    expected = sklearn.cluster.DBSCAN(eps=radius, min_samples=5).fit(X).labels_
    np.testing.assert_array_equal(labels, expected)
    assert labels.max() + 1 == clusters


def test_heaps_that_just_some_samples_join_are_joined_as_by_scikit_learn():
    joined = set()
    for seed in trials(12):
        rng = np.random.default_rng(seed)
        X = rng.uniform(0, 1, (150, 2))[rng.integers(0, 150, 4000)] + rng.normal(0, 0.006, (4000, 2))
        X = X[np.lexsort(X.T[::-1])]
        for radius in (0.01, 0.02, 0.04):
            held, near, rows = finished(solver.distances_that_hold(X, np.ones(len(X)), 5))
            labels = solver.joined(X, held <= radius, near, rows, radius)
            model = sklearn.cluster.DBSCAN(eps=radius, min_samples=5).fit(X)
            core = model.core_sample_indices_
            np.testing.assert_array_equal(labels[core], model.labels_[core])
            assert (labels[np.setdiff1d(np.arange(len(X)), core)] == -1).all()
            joined.add(int(labels.max()) + 1)
    assert len(joined) > len(trials(12))
