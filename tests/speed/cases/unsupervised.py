"""Clustering, density estimation and dimensionality reduction against scikit-learn's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans, MeanShift, SpectralClustering
from sklearn.decomposition import PCA, KernelPCA
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.mixture import GaussianMixture
from sklearn.neighbors import KernelDensity, KNeighborsClassifier, NearestNeighbors

from mlviz.algorithms import registry
from mlviz.numerics.density.gaussian_mixture import ROUNDS, TOLERANCE
from mlviz.pipeline.pipeline import Pipeline
from tests.speed.cases import PLACES, Case


def _kmeans(X: Any, _: Any) -> Any:
    return KMeans(3, n_init=1, random_state=0).fit(X).predict(PLACES)


def _gmm(X: Any, _: Any) -> Any:
    model = GaussianMixture(2, tol=TOLERANCE, max_iter=ROUNDS, reg_covar=0, random_state=0)
    return model.fit(X).score_samples(PLACES)


def _hierarchical(X: Any, _: Any) -> Any:
    """The cluster of the nearest sample: scikit-learn's has no `predict` of its own."""
    labels = AgglomerativeClustering(3).fit(X).labels_
    return KNeighborsClassifier(1).fit(X, labels).predict(PLACES)


def _kde(kernel: Any) -> Callable[[Any, Any], Any]:
    return lambda X, _: KernelDensity(bandwidth=0.5, kernel=kernel).fit(X).score_samples(PLACES)


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


def _kernel_pca(X: Any, _: Any) -> Any:
    return KernelPCA(10, kernel="rbf", gamma=0.5).fit(X).transform(PLACES)[:, 0]


def _spectral(k: int, **graph: Any) -> Callable[[Any, Any], Any]:
    """That of the random walk's Laplacian, the only one it has."""

    def clustered(X: Any, _: Any) -> Any:
        model = SpectralClustering(k, n_neighbors=min(11, len(X)), random_state=0, **graph).fit(X)
        return KNeighborsClassifier(1).fit(X, model.labels_).predict(PLACES)

    return clustered


def _kernel_kmeans(X: Any, _: Any) -> Any:
    """As textbooks have it: in each round the distances to all centres, from nothing."""
    rng, K, best = np.random.default_rng(0), rbf_kernel(X, gamma=0.5), np.inf
    for _ in range(METHODS["kernel-kmeans"]().n_init):
        labels, before = rng.integers(2, size=len(X)), None
        while before is None or (labels != before).any():
            inside = np.array([labels == code for code in range(2)], dtype=float)
            inside /= np.maximum(inside.sum(axis=1, keepdims=True), 1.0)
            gaps = np.diag(K) - 2 * inside @ K + np.diag(inside @ K @ inside.T)[:, None]
            before, labels = labels, gaps.argmin(axis=0)
        if (inertia := gaps.min(axis=0).sum()) < best:
            best, found, lengths = inertia, inside, np.diag(inside @ K @ inside.T)
    return (lengths[:, None] - 2 * found @ rbf_kernel(X, PLACES, gamma=0.5)).argmin(axis=0)


METHODS = registry()
CASES = (
    Case("kmeans, k = 3", Pipeline(METHODS["kmeans"]()), _kmeans),
    Case("gmm, k = 2, to 1e-10", Pipeline(METHODS["gmm"](n_components=2)), _gmm),
    Case("kernel-kmeans, k = 2", Pipeline(METHODS["kernel-kmeans"]()), _kernel_kmeans),
    *(
        Case(
            f"spectral, k = {k}",
            Pipeline(METHODS["spectral"](n_clusters=k)),
            _spectral(k, affinity="nearest_neighbors"),
        )
        for k in (2, 4)
    ),
    *(
        Case(
            f"spectral, k = {k}, Gaussian graph" + ("" if laplacian == "random walk" else f", {laplacian}"),
            Pipeline(METHODS["spectral"](n_clusters=k, graph="gaussian", laplacian=laplacian)),
            _spectral(k, gamma=2.0),
        )
        for k in (2, 4)
        for laplacian in ("random walk", "symmetric", "unnormalized")
    ),
    Case("hierarchical, Ward, k = 3", Pipeline(METHODS["hierarchical"]()), _hierarchical),
    *(
        Case(f"kde, {kernel}", Pipeline(METHODS["kde"](kernel=kernel)), _kde(theirs))
        for kernel, theirs in (
            ("gaussian", "gaussian"),
            ("uniform", "tophat"),
            ("epanechnikov", "epanechnikov"),
            ("triangular", "linear"),
        )
    ),
    Case("dbscan", Pipeline(METHODS["dbscan"]()), _dbscan),
    Case("mean-shift, flat", Pipeline(METHODS["mean-shift"](bandwidth=1.0, window="flat")), _mean_shift),
    Case("mean-shift, gaussian", Pipeline(METHODS["mean-shift"](bandwidth=1.0)), _mean_shift),
    Case("pca", Pipeline(METHODS["pca"]()), _pca),
    Case("kernel-pca, Gaussian", Pipeline(METHODS["kernel-pca"]()), _kernel_pca),
)
