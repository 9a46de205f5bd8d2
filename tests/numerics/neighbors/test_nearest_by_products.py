"""The nearest of some samples in many inputs, by products, against every distance."""

import numpy as np
import pytest

from mlviz.numerics.distances import pairwise
from mlviz.numerics.neighbors import search
from mlviz.numerics.neighbors.search import Search


def places(kind, n, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6))
    match kind:
        case "lattice":  # many samples are equally far from a query
            X = np.rint(X)
        case "in one place":
            X[:] = 0.5
        case "far away":
            X = 1e6 + X
        case "tiny":
            X = 1e-30 * X
        case "wide":
            X = X * 10.0 ** rng.integers(-3, 20, n)[:, None]
    return X


@pytest.mark.parametrize("kind", ["cloud", "lattice", "far away", "tiny", "wide", "in one place"])
def test_the_nearest_is_the_first_of_all_nearest(kind, monkeypatch):
    monkeypatch.setattr(search, "_MOST_MULTIPLIED", 400)
    X, queries = places(kind, 300, 0), places(kind, 700, 1)
    found = Search(X, "euclidean").first(queries)
    np.testing.assert_array_equal(found, pairwise(queries, X).argmin(axis=1))


@pytest.mark.parametrize("kind", ["cloud", "lattice"])
def test_hardly_any_query_is_left_to_the_tree(kind):
    found, unclear = search._by_products(places(kind, 5000, 1), places(kind, 300, 0))
    assert len(found) == 5000 and len(unclear) < 50
