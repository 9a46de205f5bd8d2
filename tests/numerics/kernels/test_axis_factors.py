"""Functions of the same centres share the factors of their kernel along the axes of a grid."""

import numpy as np
import pytest

from mlviz.numerics.arrays import AnyArray
from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.on_grid import envelopes, from_pairs, gaussian_profile

GRID = Grid.over((-3.0, 3.0, -2.0, 5.0), 40, 30)


@pytest.mark.parametrize("m", [20, 30_000])
def test_what_changes_is_found_anew_and_nothing_else(m: int) -> None:
    worked_out = []

    def profile(u: AnyArray) -> AnyArray:
        worked_out.append(u.shape)
        return gaussian_profile(u)

    rng = np.random.default_rng(0)
    p, coefs = rng.normal(size=(m, 2)), rng.normal(size=(3, m))
    for coef in coefs:
        from_pairs([envelopes(GRID, p, 0.7, profile, np.float64)], coef, np.float64)
    kept = m == 20
    assert worked_out == [(40, m), (30, m)] * (1 if kept else 3)  # many numbers are not kept
    p[0, 0] += 0.5
    up, across = envelopes(GRID, p, 0.7, profile, np.float64)
    np.testing.assert_allclose(across, np.exp(-(np.subtract.outer(GRID.x, p[:, 0]) ** 2) / (2 * 0.7**2)), rtol=1e-12)
    np.testing.assert_allclose(up, np.exp(-(np.subtract.outer(GRID.y, p[:, 1]) ** 2) / (2 * 0.7**2)), rtol=1e-12)
    if kept:
        assert worked_out[2:] == [(40, m)]
    wide, single = (envelopes(GRID, p, *how)[0] for how in ((1.4, profile, np.float64), (0.7, profile, np.float32)))
    np.testing.assert_allclose(wide, up**0.25, rtol=1e-12)
    assert single.dtype == np.float32
    with pytest.raises(ValueError, match="read-only"):
        up[0, 0] = 1.0
