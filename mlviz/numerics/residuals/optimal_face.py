"""All solutions of a linear program of residuals, from one of them: the vertices of the polytope that they are.

A sum of losses that are straight on either side of 0 is smallest where the residuals r = y - A u have the signs that
one set of best multipliers asks for: 0 where a multiplier is within its bounds, else not below or not above 0.
Rockafellar, Convex Analysis (1970), section 27; the vertices by the half spaces' dual hull: Barber, Dobkin and
Huhdanpaa, ACM Transactions on Mathematical Software 22 (1996) 469-483.
"""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array

_DIGITS = 1e-9
"""Directions in which residuals vary by less than this share of the largest are none."""
_THIN = 1e-9
"""A polytope within which no residual has so much room, as a share of the largest residual, is a point."""
_MOST_DIRECTIONS = 5
"""Polytopes of more dimensions may have more vertices than can be looked at."""


def solution_vertices(A: Array, r: Array, sides: Array) -> Array:
    """By how much the vertices (k, p) of all solutions differ from one that leaves residuals r (n,), A (n, p).

    `sides` (n,) says where a residual may be: 1 above 0, -1 below, 0 for on it. Without rows there is no other
    solution, or there are too many dimensions of them.
    """
    none = np.empty((0, A.shape[1]))
    directions = _null_space(A[sides == 0], float(np.abs(A).max()))
    loose = sides != 0
    room = np.maximum(sides[loose] * r[loose], 0.0)
    slopes = sides[loose, None] * (A[loose] @ directions)
    size = np.linalg.norm(slopes, axis=1)
    moving = size > _DIGITS * size.max(initial=0.0)
    slopes, room = slopes[moving] / size[moving, None], room[moving] / size[moving]
    thin = _THIN * float(np.abs(r).max(initial=0.0))
    if not 0 < directions.shape[1] <= _MOST_DIRECTIONS or len(slopes) <= directions.shape[1]:
        return none
    if directions.shape[1] == 1:
        up = slopes[:, 0] > 0
        ends = np.array([-room[~up].min(initial=np.inf), room[up].min(initial=np.inf)])
        corners = ends[:, None] if np.isfinite(ends).all() and np.ptp(ends) > thin else none
    else:
        corners = _corners(slopes, room, thin)
    return np.asarray(corners @ directions.T) if len(corners) else none


def _null_space(A: Array, size: float) -> Array:
    """Orthonormal directions (p, k) along which A u stays as it is."""
    _, s, Vt = np.linalg.svd(A, full_matrices=True)
    return np.asarray(Vt[int(np.count_nonzero(s > _DIGITS * max(size, float(s.max(initial=0.0))))) :].T)


def _corners(slopes: Array, room: Array, thin: float) -> Array:
    """The vertices (m, k) of the bounded slopes t <= room, whose rows have length 1; none where it is flat."""
    from scipy.spatial import HalfspaceIntersection, QhullError

    none, inside = np.empty((0, slopes.shape[1])), _inside(slopes, room, thin)
    if inside is None:
        return none
    try:
        corners = HalfspaceIntersection(np.column_stack((slopes, -room)), inside).intersections
    except QhullError:
        return none
    return np.asarray(corners[np.isfinite(corners).all(axis=1)])


def _inside(slopes: Array, room: Array, thin: float) -> Array | None:
    """A place where slopes t < room: 0, or half of the way through from a vertex there; None where none is found."""
    tight = room <= thin
    into = np.linalg.lstsq(slopes[tight], -np.ones(np.count_nonzero(tight)), rcond=None)[0]
    rates = slopes @ into
    if rates[tight].max(initial=-1.0) >= 0:
        return None
    facing = rates > 0
    place = into * min(1.0, 0.5 * float((room[facing] / rates[facing]).min(initial=np.inf)))
    return np.asarray(place) if float((room - slopes @ place).min()) > thin else None
