"""Maps of the samples against scikit-learn's."""

from __future__ import annotations

from typing import Any

from sklearn.manifold import MDS, TSNE, ClassicalMDS

from mlviz.algorithms import registry
from mlviz.pipeline.pipeline import Pipeline
from tests.speed.cases import Case

_STEPS = 300
"""As few as scikit-learn takes after those that are exaggerated."""


def _classical(X: Any, _: Any) -> Any:
    return ClassicalMDS(2, metric="cityblock").fit_transform(X)


def _metric(X: Any, _: Any) -> Any:
    """To the same end: a further step moves next to nothing."""
    return MDS(2, metric="cityblock", init="classical_mds", n_init=1, max_iter=1000, eps=1e-10).fit_transform(X)


def _tsne(X: Any, _: Any) -> Any:
    perplexity = min(30.0, max(1.0, (len(X) - 1) / 3))
    return TSNE(2, perplexity=perplexity, method="exact", max_iter=_STEPS, init="pca").fit_transform(X)


METHODS = registry()
CASES = (
    Case("mds, classical, Manhattan", Pipeline(METHODS["mds"](scaling="classical", metric="manhattan")), _classical),
    Case("mds, metric, Manhattan", Pipeline(METHODS["mds"](metric="manhattan")), _metric, most=500),
    Case(f"tsne, {_STEPS} steps", Pipeline(METHODS["tsne"](max_iter=_STEPS)), _tsne, most=500),
)
