"""Gaussian process regression with its band, and its likeliest hyperparameters, against scikit-learn's."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from mlviz.algorithms import registry
from mlviz.algorithms.kernels.gp.likelihood_chart import MOST_SAMPLES, surface_of
from mlviz.algorithms.kernels.gp.pictures import std_field
from mlviz.numerics.sampling import spread_subsample
from mlviz.pipeline.pipeline import Pipeline
from tests.speed.cases import GRID, LINE, PLACES, Case


def _process(X: Any, y: Any) -> Any:
    model = GaussianProcessRegressor(RBF(1.0), alpha=0.1, optimizer=None).fit(X, y)
    return model.predict(LINE if X.shape[1] == 1 else PLACES, return_std=True)


def _band(model: Any) -> Any:
    return model.predict(LINE), model.inner.predict_std(LINE)


def _fields(model: Any) -> Any:
    return model.on_grid(GRID, np.float32), std_field(model.inner, GRID, fine=True)


def _optimum(X: Any, y: Any) -> Any:
    kernel = ConstantKernel(1.0, (1e-3, 1e3)) * RBF(1.0, (0.05, 20.0)) + WhiteKernel(0.1, (1e-4, 10.0))
    return GaussianProcessRegressor(kernel, normalize_y=False).fit(X, y - y.mean()).kernel_


def _likeliest(model: Any) -> Any:
    """All that the chart of the likelihood shows, among it the likeliest of all three hyperparameters."""
    return surface_of(model.inner, spread_subsample(model.inner.X, MOST_SAMPLES))


GP = Pipeline(registry()["gp"]())
CASES = (
    Case("gp, one input, with band", GP, _process, show=_band),
    Case("gp, two inputs, with standard deviation", GP, _process, n_inputs=2, show=_fields),
    Case("gp, likeliest hyperparameters", GP, _optimum, show=_likeliest, most=100),
)
