"""Clustering, density estimation and decomposition against scikit-learn's."""

from __future__ import annotations

import warnings
from typing import Any

from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture
from sklearn.neighbors import KernelDensity

from mlviz.algorithms import registry
from mlviz.numerics.density.gaussian_mixture import ROUNDS, TOLERANCE
from mlviz.pipeline.pipeline import Pipeline
from tests.speed.cases import PLACES, Case


def _kmeans(X: Any, _: Any) -> Any:
    return KMeans(3, n_init=1, random_state=0).fit(X).predict(PLACES)


def _gmm(X: Any, _: Any) -> Any:
    model = GaussianMixture(2, tol=TOLERANCE, max_iter=ROUNDS, reg_covar=0, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X).score_samples(PLACES)


def _kde(X: Any, _: Any) -> Any:
    return KernelDensity(bandwidth=0.5).fit(X).score_samples(PLACES)


def _pca(X: Any, _: Any) -> Any:
    return PCA().fit_transform(X)


METHODS = registry()
CASES = (
    Case("kmeans, k = 3", Pipeline(METHODS["kmeans"]()), _kmeans),
    Case("gmm, k = 2, to 1e-10", Pipeline(METHODS["gmm"](n_components=2)), _gmm),
    Case("kde, gaussian", Pipeline(METHODS["kde"]()), _kde),
    Case("pca", Pipeline(METHODS["pca"]()), _pca),
)
