"""Regression by other losses, and Bayesian linear regression, against scikit-learn's."""

from __future__ import annotations

from typing import Any

from sklearn.linear_model import BayesianRidge, HuberRegressor, QuantileRegressor

from mlviz.algorithms import registry
from mlviz.pipeline.pipeline import Pipeline
from tests.speed.cases import LINE, Case


def _absolute(X: Any, y: Any) -> Any:
    return QuantileRegressor(quantile=0.5, alpha=0).fit(X, y).predict(LINE)


def _huber(X: Any, y: Any) -> Any:
    return HuberRegressor(alpha=0.0).fit(X, y).predict(LINE)


def _bayesian(X: Any, y: Any) -> Any:
    return BayesianRidge().fit(X, y).predict(LINE, return_std=True)


METHODS = registry()
CASES = (
    Case("lp-regression, p = 1", Pipeline(METHODS["lp-regression"]()), _absolute),
    Case("lp-regression, Huber", Pipeline(METHODS["lp-regression"](loss="Huber")), _huber),
    Case(
        "bayesian-linear, by evidence",
        Pipeline(METHODS["bayesian-linear"](evidence="both by evidence")),
        _bayesian,
    ),
)
