"""Regression by other losses, and Bayesian linear regression, against scikit-learn's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sklearn.linear_model import BayesianRidge, HuberRegressor, QuantileRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler, PolynomialFeatures, SplineTransformer

from mlviz.algorithms import registry
from mlviz.pipeline.pipeline import Pipeline
from tests.speed.cases import LINE, Case
from tests.speed.cases.regression import bumps, waves


def _absolute(X: Any, y: Any) -> Any:
    return QuantileRegressor(quantile=0.5, alpha=0).fit(X, y).predict(LINE)


def _huber(X: Any, y: Any) -> Any:
    return HuberRegressor(alpha=0.0).fit(X, y).predict(LINE)


def _bayesian(*terms: Any) -> Callable[[Any, Any], Any]:
    return lambda X, y: make_pipeline(*terms, BayesianRidge()).fit(X, y).predict(LINE, return_std=True)


def _band(model: Any) -> Any:
    return model.predict(LINE), model.predict_std(LINE)


METHODS = registry()
BAYESIAN = METHODS["bayesian-linear"](evidence="σ and τ by evidence")
MAPPED = MinMaxScaler((-1, 1))
CASES = (
    Case("lp-regression, p = 1", Pipeline(METHODS["lp-regression"]()), _absolute),
    Case("lp-regression, Huber", Pipeline(METHODS["lp-regression"](loss="Huber")), _huber),
    Case("bayesian-linear, by evidence", Pipeline(BAYESIAN), _bayesian(), show=_band),
    *(
        Case(
            f"bayesian-linear, {named}, by evidence",
            Pipeline(BAYESIAN.replace(basis=basis, degree=degree)),
            _bayesian(*terms),
            show=_band,
        )
        for named, basis, degree, terms in (
            ("degree 9", "polynomial", 9, (MAPPED, PolynomialFeatures(9, include_bias=False))),
            ("splines", "splines", 3, (SplineTransformer(6, extrapolation="linear"),)),
            ("Gaussian bumps", "Gaussian bumps", 3, (FunctionTransformer(bumps),)),
            ("Fourier", "Fourier", 3, (FunctionTransformer(waves),)),
        )
    ),
)
