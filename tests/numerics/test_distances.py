import numpy as np
import pytest
from scipy.spatial.distance import cdist

from mlviz.numerics.distances import METRICS, DistanceProducts, gaps_on_grid, pairwise, sphere, to_distance
from mlviz.numerics.grid import Grid

SCIPY_NAMES = {"euclidean": "euclidean", "manhattan": "cityblock", "chebyshev": "chebyshev"}


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("d", [1, 2, 5])
def test_pairwise_agrees_with_scipy(metric, d):
    rng = np.random.default_rng(0)
    A, B = rng.normal(size=(7, d)), rng.normal(size=(4, d))
    np.testing.assert_allclose(pairwise(A, B, metric), cdist(A, B, SCIPY_NAMES[metric]), rtol=1e-14)


@pytest.mark.parametrize("metric", METRICS)
def test_grid_gaps_are_the_distances_of_its_nodes(metric):
    grid = Grid(np.linspace(-1, 2, 5), np.linspace(0, 1, 4))
    place = np.array([0.3, -0.2])
    distances = to_distance(gaps_on_grid(grid, place, metric), metric)
    np.testing.assert_array_equal(distances.ravel(), pairwise(grid.points(), place[None, :], metric)[:, 0])


@pytest.mark.parametrize("metric", METRICS)
def test_sphere_keeps_its_distance_and_closes(metric):
    center = np.array([1.0, -2.0])
    outline = sphere(center, 0.7, metric)
    np.testing.assert_allclose(pairwise(outline, center[None, :], metric), 0.7)
    np.testing.assert_allclose(outline[0], outline[-1])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("scale", "away"), [(1.0, 0.0), (1e-3, 100.0), (1e6, 1.0)])
def test_squared_distances_by_products_are_wrong_by_no_more_than_their_doubt(dtype, scale, away):
    rng = np.random.default_rng(1)
    worst = 0.0
    for d in (1, 2, 5, 40):
        X, places = (scale * (rng.normal(size=(200, d)) + away) for _ in range(2))
        products = DistanceProducts.of(X, 0.3 * scale, dtype)
        squares, own = products.squares(places)
        steps = (places.astype(np.longdouble)[:, None] - X) / (0.3 * scale)
        share = np.abs(squares - (steps**2).sum(axis=2)) / products.doubt(own)[:, None]
        assert share.max() < 1
        worst = max(worst, float(share.max()))
    assert worst > 1e-3  # such errors there are
