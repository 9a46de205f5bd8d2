"""Ridge regression in features against scikit-learn's: of a network of radial functions, and random ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.kernel_approximation import RBFSampler
from sklearn.linear_model import Ridge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from mlviz.algorithms import registry
from mlviz.pipeline.pipeline import Pipeline
from tests.speed.cases import LINE, PLACES, Case


def _bumps(distances: Any) -> Any:
    return np.exp(-(distances**2) / 2)


def _network(X: Any, y: Any) -> Any:
    model = make_pipeline(KMeans(10, n_init=1, random_state=0), FunctionTransformer(_bumps), Ridge(alpha=len(X) * 0.01))
    return model.fit(X, y).predict(LINE if X.shape[1] == 1 else PLACES)


def _all_samples(X: Any, y: Any) -> Any:
    model = Ridge(alpha=len(X) * 0.01).fit(rbf_kernel(X, X, gamma=0.5), y)
    return model.predict(rbf_kernel(LINE if X.shape[1] == 1 else PLACES, X, gamma=0.5))


def _random(X: Any, y: Any) -> Any:
    model = make_pipeline(RBFSampler(gamma=0.5, n_components=100, random_state=0), Ridge(alpha=len(X) * 0.01))
    return model.fit(X, y).predict(LINE if X.shape[1] == 1 else PLACES)


METHODS = registry()
EVERY: dict[str, Any] = {"centers": "all samples"}
CASES = (
    Case("rbf-network, one input", Pipeline(METHODS["rbf-network"]()), _network, of_values=True),
    Case("rbf-network, two inputs", Pipeline(METHODS["rbf-network"]()), _network, n_inputs=2, of_values=True),
    Case(
        "rbf-network, all samples", Pipeline(METHODS["rbf-network"](**EVERY)), _all_samples, n_inputs=2, of_values=True
    ),
    Case("random-features, one input", Pipeline(METHODS["random-features"]()), _random, of_values=True),
    Case("random-features, two inputs", Pipeline(METHODS["random-features"]()), _random, n_inputs=2, of_values=True),
)
