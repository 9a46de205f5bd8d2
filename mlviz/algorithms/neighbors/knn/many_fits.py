"""Nearest neighbours of many parts of the samples, for all k: one sorted list of all samples serves them all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from mlviz.algorithms.checking import is_classes
from mlviz.algorithms.many_fits import Answers, Part
from mlviz.algorithms.neighbors.knn.model import KNNClassifier, KNNModel, KNNRegressor
from mlviz.numerics.arrays import AnyArray, Array, Mask, Rows
from mlviz.numerics.distances import FARTHEST_COMPUTABLE, distance_measure, to_distance
from mlviz.numerics.neighbors.search import RELATIVE_WEIGHTS, Index, Neighbourhood, canonical_order, with_reach

_MOST = 1500
"""Of more samples not all distances are kept."""


class KNNManyFits:
    """Sorts the samples once about each place."""

    def answers(self, algorithms: Sequence[Any], parts: Sequence[Part]) -> Iterator[Answers | None]:
        """Yield the mean targets, or by how much classes lead."""
        X, method = parts[0].X, algorithms[0]
        if len(X) > _MOST or np.abs(X).max() > FARTHEST_COMPUTABLE / 4:
            return
        used, y = np.zeros(len(X), dtype=bool), np.zeros(len(X), dtype=parts[0].y.dtype)
        for part in parts:
            used[part.rows], y[part.rows] = True, part.y
        rows = np.flatnonzero(used)
        named = is_classes(method, y)
        classes = len(np.unique(y[rows])) if named else 0
        known: _Sorted | None = None
        for number, part in enumerate(parts):
            if part.weights is not None or (named and len(np.unique(part.y)) != classes):
                yield None
                continue
            if known is None or known.X is not part.X:
                known = _Sorted(part.X, y, rows, named)
            yield from known.answers(algorithms, part, number)


class _Sorted:
    """All samples that are in a part, sorted by their distance from each place."""

    def __init__(self, X: Array, y: AnyArray, rows: Rows, named: bool) -> None:
        self.X = X
        self._order = rows[canonical_order(y[rows], X[rows])]
        self._y, self._named = y[self._order], named
        self._lists: dict[str, tuple[Index, Array]] = {}
        """By the metric: which samples, by their places in the order, and how far, (m, n) each."""

    def _nearest(self, metric: str, inside: Mask) -> tuple[Index, Array]:
        """The samples (c, n) inside, nearest first, about each place, and their distances."""
        if metric not in self._lists:
            gaps = distance_measure([column - column[self._order, None] for column in self.X.T], metric)
            order = np.argsort(gaps, axis=0, kind="stable")
            distance = to_distance(np.take_along_axis(gaps, order, axis=0), metric)
            self._lists[metric] = order.astype(np.int32), distance
        index, distance = self._lists[metric]
        chosen, shape = inside[index].T, (index.shape[1], int(inside.sum()))
        return index.T[chosen].reshape(shape).T, distance.T[chosen].reshape(shape).T

    def answers(self, algorithms: Sequence[Any], part: Part, number: int) -> Iterator[Answers]:
        """Yield what the neighbours within a part say at all places."""
        inside = np.isin(self._order, part.rows)
        lists = {metric: self._nearest(metric, inside) for metric in {method.metric for method in algorithms}}
        for which, method in enumerate(algorithms):
            near, away = lists[method.metric]
            relative = method.weights in RELATIVE_WEIGHTS
            k = min(method.n_neighbors, len(near))
            near, away = near[: k + relative], away[: k + relative]
            found = with_reach(near, away, k) if relative else Neighbourhood(near, away)
            shares = self._model(method).average(found)
            if not self._named:
                outputs = shares[:, 0]
            else:
                outputs = shares[:, 1] - shares[:, 0] if shares.shape[1] == 2 else shares
            yield Answers(np.array([number]), np.array([which]), outputs[None])

    def _model(self, method: Any) -> KNNModel:
        given = method.n_neighbors, method.metric, method.weights, self.X[self._order], self._y
        if not self._named:
            return KNNRegressor(*given, self._y.astype(np.float64), None, None)
        classes, codes = np.unique(self._y, return_inverse=True)
        return KNNClassifier(*given, codes.astype(np.int32), None, classes)
