"""The point of a polytope nearest to the origin. Wolfe, Mathematical Programming 11 (1976) 128-149.

For the rows z = y (x, 1) of P it decides whether a line parts two classes: where the point p is not the origin, z.p > 0
for all rows, and p/|p| is the direction of the widest margin, which is |p|; where it is the origin, no line does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.standardizing import mean_and_spread

MOST_STEPS = 1000
_ORIGIN = 1e-10
"""A point nearer to the origin than this share of the farthest row is the origin."""


def nearest_to_origin(P: Array) -> Array:
    """The point (m,) of the convex hull of the rows of P (n, m) that is nearest to the origin."""
    size = float(np.abs(P).max(initial=0.0))
    if not size:
        return np.zeros(P.shape[1])
    P = P / size
    corral = [int(np.einsum("ij,ij->i", P, P).argmin())]
    shares = np.ones(1)
    point = P[corral[0]]
    for _ in range(MOST_STEPS):
        heights = P @ point
        entering = int(heights.argmin())
        if entering in corral or heights[entering] >= point @ point * (1 - 1e-13) or point @ point < _ORIGIN**2:
            break
        corral, shares = _shrunk(P, [*corral, entering], np.append(shares, 0.0))
        point = shares @ P[corral]
    return np.asarray(point * size)


def _shrunk(P: Array, corral: list[int], shares: Array) -> tuple[list[int], Array]:
    """The corral without those rows that the nearest point of all its affine combinations has no part of."""
    while True:
        places = P[corral]
        rest = np.linalg.lstsq((places[1:] - places[0]).T, -places[0], rcond=None)[0]
        aim = np.append(1 - rest.sum(), rest)
        if (aim > 1e-14).all():
            return corral, aim
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = np.where((aim <= 1e-14) & (shares > aim), shares / (shares - aim), np.inf)
        shares = shares + min(1.0, float(reach.min())) * (aim - shares)
        shares[int(reach.argmin())] = 0.0
        kept = shares > 1e-14
        if not kept.any():
            kept[int(shares.argmax())] = True
        corral, shares = (
            [row for row, keep in zip(corral, kept, strict=True) if keep],
            shares[kept] / shares[kept].sum(),
        )


@dataclass(frozen=True)
class Separation:
    """Whether a line (plane ...) parts two classes; None where rounding leaves that open. `radius` is the largest |z|.

    `margin` is the largest possible min z.v over |v| = 1, where it is known to a millionth; else None.
    """

    separable: bool | None
    radius: float
    margin: float | None = None

    @classmethod
    def of(cls, X: Array, y: Array) -> Separation:
        """That of the samples X (n, d) of classes y = -1 or +1, as points (x, 1)."""
        Z = y[:, None] * np.column_stack((X, np.ones(len(X))))
        radius = float(np.linalg.norm(Z, axis=1).max())
        separable = _separable(X, y)
        if not separable:
            return cls(separable, radius)
        point = nearest_to_origin(Z)
        widest = float(np.linalg.norm(point))
        # Any direction's margin is at most that of the widest one, and any point of the hull is at least as far away.
        reached = float((Z @ point).min()) / widest if widest > 0 else 0.0
        return cls(True, radius, reached if reached > 0 and widest - reached <= 1e-6 * widest else None)


def _separable(X: Array, y: Array) -> bool | None:
    # Moving and scaling the inputs makes no difference to the answer, only to its digits.
    mean, spread = mean_and_spread(X, np.ones(len(X)))
    Z = y[:, None] * np.column_stack(((X - mean) / np.where(spread > 0, spread, 1.0), np.ones(len(X))))
    point = nearest_to_origin(Z)
    farthest = float(np.linalg.norm(Z, axis=1).max())
    length = float(np.linalg.norm(point))
    if length <= 10 * _ORIGIN * farthest:
        return False
    return True if float((Z @ point).min()) > 1e-13 * farthest * length else None
