from collections import Counter

import numpy as np
import pytest

from mlviz.numerics.distances import METRICS, distance_measure, pairwise
from mlviz.numerics.grid import Grid
from mlviz.numerics.neighbors.lists import NeighbourLists, differences
from mlviz.numerics.neighbors.search import Neighbourhood, canonical_order, nearest
from tests.sweep import each


def by_hand(queries, X, count, metric):
    """Sort by distance, then by row, one query at a time."""
    gaps = distance_measure([queries[:, j, None] - X[None, :, j] for j in range(X.shape[1])], metric)
    return np.lexsort((np.broadcast_to(np.arange(len(X)), gaps.shape), gaps))[:, :count].T


def lattice(n, rng):
    """Samples full of copies and of equal distances."""
    return rng.integers(0, 4, size=(n, 2)).astype(float)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("count", [1, 3, 10, 60])
def test_ties_go_to_the_earlier_row(metric, count):
    rng = np.random.default_rng(count)
    X = lattice(40, rng)
    queries = np.vstack((rng.integers(-2, 10, size=(60, 2)) / 2, rng.normal(size=(20, 2)), X))
    index, distance = nearest(queries, X, count, metric)
    expected = by_hand(queries, X, count, metric)
    np.testing.assert_array_equal(index, expected)
    everything = pairwise(queries, X, metric)
    np.testing.assert_allclose(distance, np.take_along_axis(everything, expected.T, axis=1).T, rtol=1e-13)


@pytest.mark.parametrize("d", [1, 2, 4])
def test_general_position(d):
    rng = np.random.default_rng(d)
    X, queries = rng.normal(size=(300, d)), rng.normal(size=(200, d))
    for metric in METRICS:
        np.testing.assert_array_equal(nearest(queries, X, 7, metric)[0], by_hand(queries, X, 7, metric))


def test_many_copies_of_one_place():
    X = np.ones((5000, 2))
    index, distance = nearest(np.zeros((3, 2)), X, 4, "manhattan")
    np.testing.assert_array_equal(index, np.tile(np.arange(4)[:, None], 3))
    assert (distance == 2).all()


def test_offset_and_scale():
    rng = np.random.default_rng(0)
    X, queries = lattice(30, rng), rng.integers(-2, 10, size=(50, 2)) / 2
    for scale, shift in ((1e-9, 0.0), (1e9, 0.0), (1.0, 1e6)):
        index, _ = nearest(queries * scale + shift, X * scale + shift, 5, "euclidean")
        np.testing.assert_array_equal(index, by_hand(queries * scale + shift, X * scale + shift, 5, "euclidean"))


@pytest.mark.parametrize("n", [20, 200])
@pytest.mark.parametrize("size", [1.0, 1e-160])
def test_distances_that_differ_in_their_last_digits_alone(n, size):
    rng = np.random.default_rng(n)
    X = size * (1 + rng.integers(0, 50, size=(n, 1)) * np.finfo(float).eps)
    queries = size * np.concatenate((np.zeros((3, 1)), rng.normal(size=(30, 1)) * 1e-3, X[:5] / size))
    for metric in METRICS:
        index, _ = nearest(queries, X, 5, metric)
        np.testing.assert_array_equal(index, by_hand(queries, X, 5, metric))


@each("metric, n", METRICS, [1, 2, 7, 19, 40])
def test_few_samples_and_many_queries(n, metric):
    queries = Grid.over((-1, 4, -1, 4), 101, 101).points()
    X = lattice(n, np.random.default_rng(n))
    for count in (1, 5, 50):
        np.testing.assert_array_equal(nearest(queries, X, count, metric)[0], by_hand(queries, X, count, metric))


def test_a_direct_hit_silences_the_others():
    distance = np.array([[0.0, 1.0], [0.0, 2.0], [3.0, 4.0]])
    influence = Neighbourhood(np.zeros((3, 2), dtype=np.int32), distance).influence("distance")
    np.testing.assert_allclose(influence, [[1, 1], [1, 1 / 2], [0, 1 / 4]])


@pytest.mark.parametrize("metric", METRICS)
def test_lists_stay_exact(metric):
    rng = np.random.default_rng(3)
    grid = Grid(np.linspace(-1, 4, 11), np.linspace(-1, 4, 9))
    lists = NeighbourLists(grid, 4, metric)
    y, X = rng.integers(0, 2, 3).astype(float), lattice(3, rng)
    versions, kept, known = set(), 0, None
    for _ in range(150):
        kind = rng.integers(4) if len(X) > 1 else 0
        row = rng.integers(len(X))
        if kind == 0:
            X, y = np.vstack((X, lattice(1, rng))), np.append(y, rng.integers(2))
        elif kind == 1:
            X[row] = lattice(1, rng)
        elif kind == 2:
            y[row] = 1 - y[row]
        else:
            X, y = np.delete(X, row, axis=0), np.delete(y, row)
        order = canonical_order(y, X)
        samples = np.column_stack((y, X))[order]
        held = lists.follow(samples)
        expected = samples if held is None else np.delete(samples, held, axis=0)
        np.testing.assert_array_equal(lists.samples, expected)
        np.testing.assert_array_equal(lists.index, by_hand(grid.points(), expected[:, 1:], 4, metric))
        versions.add(lists.version)
        listed = lists.samples[lists.index]
        same = np.full(99, known is not None and known.shape == listed.shape)
        same &= same.any() and (known == listed).all(axis=(0, 2))
        assert (lists.changed | same).all()
        kept += int((~lists.changed).sum())
        lists.changed[:], known = False, listed
    assert len(versions) > 50
    assert kept > 3000  # of 14850


def test_differences_of_sorted_tables_are_those_of_multisets():
    rng = np.random.default_rng(0)
    for _ in range(200):
        a, b = (rng.integers(0, 3, (int(rng.integers(0, 9)), 2)).astype(float) for _ in range(2))
        a, b = (table[np.lexsort(table.T[::-1])] for table in (a, b))
        now, listed = (Counter(map(tuple, table.tolist())) for table in (a, b))
        come, gone = list((now - listed).elements()), list((listed - now).elements())
        assert differences(a, b, 20) == (sorted(come), sorted(gone))
        n = len(come) + len(gone)
        assert n == 0 or differences(a, b, n - 1) is None


def test_a_drag_leaves_the_lists_alone():
    rng = np.random.default_rng(0)
    grid = Grid(np.linspace(-2, 2, 20), np.linspace(-2, 2, 20))
    lists = NeighbourLists(grid, 3, "euclidean")
    X, y = rng.normal(size=(30, 2)), rng.integers(0, 3, 30).astype(float)
    versions = []
    for t in range(10):
        X[7] += 0.1 * t
        order = canonical_order(y, X)
        held = lists.follow(np.column_stack((y, X))[order])
        versions.append(lists.version)
        assert t == 0 or order[held] == 7
    assert len(set(versions[1:])) == 1


def test_places_so_far_away_that_distances_overflow_have_neighbours():
    index, _ = nearest(np.array([[1e160, 0.0], [-1e300, 1e300]]), np.array([[0.0, 0.0], [1.0, 1.0]]), 1, "euclidean")
    assert set(index.ravel().tolist()) <= {0, 1}
