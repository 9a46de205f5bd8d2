"""Whether the samples tell a method anything: what must be said where they do not, whatever the method."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from mlviz.draw.numbers import share
from mlviz.draw.protocols import HasProbabilities, HasScores, provides
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.sampling import spread_subsample

_ASKED = 200
"""At so many of the samples the scores are looked at."""
PART_ASKED, MOST_PARTS = 20, 100
"""Of binary models at so many, and of so many models: with very many classes the others are taken on trust."""
_ROUNDING = 1e-12
"""Directions in which samples vary by a smaller share than this are none."""
_MOST_INPUTS = 100
"""Of more inputs it would take long to see in how many directions samples vary."""
_TIED = 1e-9
"""Scores that differ by no more, as a share of the largest one or of 1, are equal but for rounding."""


def caveat_of_samples(X: Array, y: AnyArray, is_classes: bool, weights: Array) -> str:
    """Why the samples X (m, d) with the targets y (m,) and weights (m,) say nothing to any method, or ""."""
    if is_classes and (y == y[0]).all():
        return "all samples are of one class, so it is chosen everywhere"
    if not np.ptp(X, axis=0).any():
        if is_classes:
            return "all samples are at one place, so the inputs say nothing about the classes"
        return "all samples are at one place, so they do not say how the target changes with the inputs"
    if is_classes and _any_two_alike(X, y, weights):
        return "two classes have the same shares of their samples at the same places, so nothing tells them apart"
    return ""


def caveat_of_directions(X: Array) -> str:
    """That the samples X (m, d), which are more than d, vary in fewer than d directions, or ""."""
    m, d = X.shape
    if m <= d or d > _MOST_INPUTS or _directions(X[:_ASKED]) == d or (found := _directions(X)) == d:
        return ""
    if found == 1:
        return "all samples are on a line, so they say nothing about places beside it"
    return f"the samples vary in {found} of {d} directions only, so they say nothing about the others"


def _directions(X: Array) -> int:
    """In how many directions the samples X (m, d) vary, but for rounding."""
    moved = X - X[0]
    size = np.abs(moved).max(axis=0)
    lengths = np.linalg.svd(moved / np.where(size > 0, size, 1.0), compute_uv=False)
    return int((lengths > _ROUNDING * lengths[0]).sum())


def _any_two_alike(X: Array, y: AnyArray, weights: Array) -> bool:
    """Whether two classes have the same shares of their samples at the same places."""
    classes, codes = np.unique(y, return_inverse=True)
    shares = weights / np.bincount(codes, weights)[codes]
    size = np.abs(X).max() or 1.0
    means = np.column_stack([np.bincount(codes, shares * (column / size)) for column in X.T])
    # Means are found at once, places are not: so only classes of equal means are looked at.
    pairs = [(a, b) for a, b in combinations(range(len(classes)), 2) if np.abs(means[a] - means[b]).max() <= _TIED]
    for a, b in pairs:
        rows = np.flatnonzero((codes == a) | (codes == b))
        _, place = np.unique(X[rows], axis=0, return_inverse=True)
        differences = np.bincount(place.ravel(), np.where(codes[rows] == a, shares[rows], -shares[rows]))
        if np.abs(differences).max() <= _TIED:
            return True
    return False


def caveat_of_scores(model: Any, X: Array, most: int = _ASKED) -> str:
    """Where a classifier has equal scores for classes at the samples X (m, d), in model coordinates, or "".

    So many of the samples are asked, at most.
    """
    if len(model.classes) < 2 or not provides(model, HasScores | HasProbabilities):
        return ""
    asked = X[spread_subsample(X, most)]
    scores = np.asarray(model.decision_function(asked) if provides(model, HasScores) else model.predict_proba(asked))
    if scores.ndim == 1:
        scores = np.column_stack((-scores / 2, scores / 2))
    size = np.abs(scores).max(axis=1, keepdims=True)
    scores = np.where(np.isfinite(size), scores, 0.0)
    near = _TIED * np.clip(size, 1.0, None)
    if any(
        (np.abs(scores[:, a] - scores[:, b]) <= near[:, 0]).all() for a, b in combinations(range(scores.shape[1]), 2)
    ):
        which = "the classes" if scores.shape[1] == 2 else "some of the classes"
        return f"nothing tells {which} apart: their scores are equal"
    if (np.ptp(scores, axis=0) <= near.max()).all():
        return "the scores are the same everywhere, and so is the class"
    best = np.sort(scores, axis=1)[:, -2:]
    tied = float(np.mean(best[:, 1] - best[:, 0] <= near[:, 0]))
    return f"at {share(tied)} of the samples the best classes are tied" if tied else ""
