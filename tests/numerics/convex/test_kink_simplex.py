"""The simplex method for sums of functions with kinks."""

import numpy as np
import pytest

from mlviz.algorithms.regression.quantile_regression import QuantileRegression
from mlviz.numerics.convex.kink_simplex import KinkSimplex, moved_apart


def test_evenly_spaced_kinks_are_moved_unevenly() -> None:
    """Else those of samples in a row would meet in one vertex again, which rounding leaves in a circle."""
    moved = moved_apart(200) / moved_apart(200).max()
    for step in range(1, 100):
        bent = moved[: -2 * step] - 2 * moved[step:-step] + moved[2 * step :]
        assert np.abs(bent).min() > 1e-6


def test_samples_of_whole_numbers_do_not_lead_in_a_circle(monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.array([1, 0, 0, -1, 0, 0, -1, -2, 0, 0, 0, 0])[:, None]
    y = np.array([1.0, -1, -1, -3, 0, 0, 0, -1, -1, -1, 0, 0])
    steps, advance = list[bool](), KinkSimplex.advance

    def counted(solver: KinkSimplex) -> bool:
        steps.append(advance(solver))
        return steps[-1]

    monkeypatch.setattr(KinkSimplex, "advance", counted)
    QuantileRegression().fit(X, y)
    assert 0 < len(steps) < 200
