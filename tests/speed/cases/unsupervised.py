"""Clustering and decomposition against scikit-learn's."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.cluster import DBSCAN, KMeans, MeanShift
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture
from sklearn.neighbors import NearestNeighbors

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


def _dbscan(X: Any, _: Any) -> Any:
    """The cluster of the nearest core sample within eps: scikit-learn's has no `predict` of its own."""
    model = DBSCAN().fit(X)
    if not len(model.components_):
        return np.full(len(PLACES), -1)
    distance, core = NearestNeighbors(n_neighbors=1).fit(model.components_).kneighbors(PLACES)
    labels = model.labels_[model.core_sample_indices_]
    return np.where(distance[:, 0] <= model.eps, labels[core[:, 0]], -1)


def _mean_shift(X: Any, _: Any) -> Any:
    return MeanShift(bandwidth=1.0).fit(X).predict(PLACES)


def _pca(X: Any, _: Any) -> Any:
    return PCA().fit_transform(X)


METHODS = registry()
CASES = (
    Case("kmeans, k = 3", Pipeline(METHODS["kmeans"]()), _kmeans),
    Case("gmm, k = 2, to 1e-10", Pipeline(METHODS["gmm"](n_components=2)), _gmm),
    Case("dbscan", Pipeline(METHODS["dbscan"]()), _dbscan),
    Case("mean-shift, flat", Pipeline(METHODS["mean-shift"](bandwidth=1.0, window="flat")), _mean_shift),
    Case("mean-shift, gaussian", Pipeline(METHODS["mean-shift"](bandwidth=1.0)), _mean_shift),
    Case("pca", Pipeline(METHODS["pca"]()), _pca),
)
