"""Bands and costs of distributions of any size: finite marks, and a handle at the present cost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from mlviz.draw.layer import Context
from mlviz.draw.overlays import bands
from mlviz.draw.overlays.regions import OUT_OF_SIGHT
from mlviz.numerics.asymmetric_cost import AsymmetricCost
from tests.sweep import each


@dataclass
class Everywhere:
    """The same distribution at all places."""

    degrees_of_freedom: float
    middle: float
    deviation: float
    cost = 3

    def predict(self, X):
        return np.full(len(X), self.middle)

    def predict_std(self, X):
        return np.full(len(X), self.deviation / 2), np.full(len(X), self.deviation)


def context(**given):
    X = np.zeros((3, 1))
    return Context(X=X, y=np.zeros(3), rows=np.arange(3), algorithm=None, task="regression", **given)


@each("nu, middle", [1.0001, 1.5, 2.0, 30.0, np.inf], [0.0, 1e6, -1e-9, 1e9])
def test_the_chart_of_costs_is_finite_for_all_costs_and_deviations(nu, middle):
    rng = np.random.default_rng(5)
    drawn = 0
    for _ in range(60):
        cost = AsymmetricCost(*(10 ** rng.uniform(-6, 6, 2)).tolist())
        model = Everywhere(nu, middle, float(10 ** rng.uniform(-9, 9)))
        plot = bands.expected_cost.draw(model, context(value_cost=cost))
        if plot is None:
            assert model.deviation < 1e-11 * abs(middle)  # less than rounding tells on an axis so far from 0
            continue
        drawn += 1
        (handle,) = plot.handles
        x0, x1, _, top = plot.limits
        assert all(np.isfinite(mark.places()).all() for mark in plot.marks) and x0 < x1 and top > 0
        assert (np.diff(handle.values) > 0).all() and handle.values[handle.at] == cost.below
    assert drawn > 20


@pytest.mark.parametrize("nu", [0.0, -1.0, np.nan])
def test_without_degrees_of_freedom_nothing_is_drawn(nu):
    model, given = Everywhere(nu, 0.0, 1.0), context(line=np.linspace(0, 1, 5), value_cost=AsymmetricCost(2.0, 1.0))
    for overlay in (bands.bands, bands.decided):
        assert not overlay.draw(model, given)
    assert bands.expected_cost.draw(model, given) is None


def test_no_band_ends_far_out_of_sight():
    line = np.linspace(0.0, 1.0, 5)
    band, rim = bands.bands.draw(Everywhere(np.inf, 0.0, 1e9), context(line=line, height=(-1.0, 1.0)))
    assert np.nanmax(np.abs(rim.xy[:, 1])) == np.abs(band.places()[:, 1]).max() == 1 + 2 * OUT_OF_SIGHT
