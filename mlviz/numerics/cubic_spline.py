"""Smooth values between nodes: the cubic spline through values there."""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array


def spline_matrix(nodes: Array, places: Array) -> Array:
    """The matrix (m, k) that takes values at rising nodes (k,) to those of their cubic spline at places (m,).

    Its second derivative is continuous, and the third one too at the nodes next to the ends ("not a knot"); places are
    between the ends. Fewer than four nodes are joined by straight lines.
    """
    count = len(nodes)
    piece = np.clip(np.searchsorted(nodes, places, side="right") - 1, 0, max(count - 2, 0))
    one = np.eye(count)
    if count < 2:
        return np.ones((len(places), count))
    width = np.diff(nodes)
    t = ((places - nodes[piece]) / width[piece])[:, None]
    straight = one[piece] * (1 - t) + one[piece + 1] * t
    if count < 4:
        return np.asarray(straight)
    bends = _bends(width)
    bent = ((1 - t) ** 3 - (1 - t)) * bends[piece] + (t**3 - t) * bends[piece + 1]
    return np.asarray(straight + (width[piece] ** 2)[:, None] / 6 * bent)


def _bends(width: Array) -> Array:
    """What takes values at nodes so far apart (k - 1,) to the second derivatives of their spline there, (k, k)."""
    count = len(width) + 1
    A, slopes = np.zeros((count, count)), np.zeros((count, count))
    for j in range(1, count - 1):
        left, right = width[j - 1], width[j]
        A[j, j - 1 : j + 2] = left / 6, (left + right) / 3, right / 6
        slopes[j, j - 1 : j + 2] = 1 / left, -1 / left - 1 / right, 1 / right
    for row, at in ((0, 0), (count - 1, count - 3)):
        left, right = width[at], width[at + 1]
        A[row, at : at + 3] = right, -left - right, left
    return np.asarray(np.linalg.solve(A, slopes))
