"""Sums of samples weighted by a window about a place, at places and on grids (Nadaraya 1964, Watson 1964).

A sample at distance d from a place has the weight

    box           1 where d <= width, else 0
    triangular    1 - d / width where d <= width, else 0
    gaussian      exp(-d^2 / (2 width^2))
    exponential   exp(-d / width)

Only ratios of sums mean anything, so each place may have a unit of its own: where all weights of an endless window are
too small for floating point, they are measured by the largest of them. Where a box or triangle is empty, the nearest
sample stands for all: of equally near ones the first row.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mlviz.numerics.arrays import AnyArray, Array, Rows, middle_row
from mlviz.numerics.distances import FARTHEST_COMPUTABLE, distance_measure, gaps_on_grid
from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.on_grid import envelopes, exponential_field, gaussian_profile
from mlviz.numerics.neighbors.lists import comes_before
from mlviz.numerics.neighbors.search import nearest
from mlviz.spec.brief import Brief

WINDOWS = ("gaussian", "box", "triangular", "exponential")
BOUNDED_WINDOWS = ("box", "triangular")
"""Windows that end at their width."""
_FLOOR = {np.dtype(np.float64): float(np.exp(-270.0)), np.dtype(np.float32): float(np.exp(-55.0))}
"""Sums of less weight than this may miss what was left out."""
_ROOMY = 1e15
"""Places farther from the samples' middle have no squares in single precision."""
_BLOCK = 200_000
"""So many weights are worked on at a time."""


@dataclass(frozen=True, eq=False)
class WindowSamples(Brief):
    """The samples X (n, d), and what is summed up: V (n, c), whose first `masses` columns add up to their weights."""

    X: Array
    V: Array
    masses: int

    def without(self, row: int) -> WindowSamples:
        """All but one."""
        return replace(self, X=np.delete(self.X, row, axis=0), V=np.delete(self.V, row, axis=0))


@dataclass(frozen=True, eq=False)
class WindowSums(Brief):
    """The sums `values` (c, m) at m places.

    With an endless window they are in units of exp(`log_scale`), (m,). With one that ends, `row` (m,) is the sample
    that stands for all where the window is empty, at the gap `log_scale`; -1 elsewhere.
    """

    values: AnyArray
    log_scale: AnyArray
    row: Rows | None = None


def weights(gaps: Array, window: str, width: float) -> Array:
    """The weights of samples at those gaps, the squared distances, by a window that ends."""
    if window == "box":
        return (gaps <= width * width).astype(np.float64)
    return np.maximum(0.0, 1 - np.sqrt(gaps) / width)


@np.errstate(over="ignore")
def _exponent(gaps: AnyArray, window: str, width: float) -> AnyArray:
    exponent = -np.sqrt(gaps) / width if window == "exponential" else gaps / (-2 * width * width)
    return np.asarray(np.maximum(exponent, -np.finfo(exponent.dtype).max))


def sums_at(
    places: Array, samples: WindowSamples, window: str, width: float, dtype: Any = np.float64, alone: bool = False
) -> WindowSums:
    """The sums at places (m, d), each weighing all samples; `alone`: at the samples themselves, each left out there."""
    X, V = samples.X, samples.V
    P, Q = _about_the_middle(places, X, dtype)
    values, level = np.empty((V.shape[1], len(P)), P.dtype), np.empty(len(P), P.dtype)
    row = np.full(len(P), -1)
    size = max(1, _BLOCK // len(X))
    for first in range(0, len(P), size):
        part = slice(first, first + size)
        gaps = distance_measure([P[part, j, None] - Q[:, j] for j in range(X.shape[1])], "euclidean")
        if alone:
            gaps[np.arange(len(gaps)), first + np.arange(len(gaps))] = np.inf
        W, level[part], row[part] = _weighed(gaps, window, width)
        values[:, part] = (W @ V.astype(P.dtype)).T
    return WindowSums(values, level, row if window in BOUNDED_WINDOWS else None)


def weights_at(place: Array, X: Array, window: str, width: float) -> Array:
    """The weight of each of the samples X (n, d) at one place (d,), (n,), in a unit of its own."""
    P, Q = _about_the_middle(place[None], X, np.float64)
    return np.asarray(_weighed(distance_measure(list((P - Q).T), "euclidean")[None], window, width)[0][0])


def weights_among(X: Array, window: str, width: float) -> Array:
    """The weight of each of the samples X (n, d) at each of them, (n, n): a row a place, in a unit of its own."""
    P, Q = _about_the_middle(X, X, np.float64)
    gaps = distance_measure([P[:, j, None] - Q[:, j] for j in range(X.shape[1])], "euclidean")
    return np.asarray(_weighed(gaps, window, width)[0])


def _about_the_middle(places: Array, X: Array, dtype: Any) -> tuple[AnyArray, AnyArray]:
    """Places (m, d) and samples (n, d), counted from the samples' middle, where floats are densest."""
    if np.abs(places).max(initial=0.0) > FARTHEST_COMPUTABLE:
        places = np.clip(places, X.min(axis=0) - FARTHEST_COMPUTABLE, X.max(axis=0) + FARTHEST_COMPUTABLE)
    middle = middle_row(X)
    P, Q = places - middle, X - middle
    roomy = max(np.abs(P).max(initial=0.0), np.abs(Q).max()) < _ROOMY
    return (P.astype(dtype), Q.astype(dtype)) if roomy else (P, Q)


def _weighed(gaps: AnyArray, window: str, width: float) -> tuple[AnyArray, Any, Any]:
    """The weights (m, n) at those gaps, with the `log_scale` and `row` (m,) of sums of them; gaps are used up."""
    least = gaps.min(axis=1, keepdims=True)
    if window not in BOUNDED_WINDOWS:
        return _relative(gaps, least, window, width), _exponent(least[:, 0], window, width), -1
    W = weights(gaps, window, width)
    empty = ~W.any(axis=1)
    row = np.where(empty, gaps.argmin(axis=1), -1)
    W[empty, row[empty]] = 1.0
    return W, np.where(empty, least[:, 0], 0.0), row


@np.errstate(over="ignore")
def _relative(gaps: AnyArray, least: AnyArray, window: str, width: float) -> AnyArray:
    """The weights of an endless window in units of that at the gap `least`."""
    if window == "gaussian":
        gaps = gaps - least
        gaps /= -2 * width * width
    else:
        gaps = np.sqrt(gaps)
        gaps -= np.sqrt(least)
        gaps /= -width
    np.copyto(gaps, -np.inf, where=gaps < (-80 if gaps.dtype == np.float32 else -700))
    return np.asarray(np.exp(gaps, out=gaps))


def sums_on_grid(grid: Grid, samples: WindowSamples, window: str, width: float, dtype: Any = np.float64) -> WindowSums:
    """The sums at the nodes of a grid, in the order of `Grid.points`."""
    if window not in BOUNDED_WINDOWS:
        return _endless_on_grid(grid, samples, window, width, dtype)
    field = np.zeros((samples.V.shape[1], *grid.shape))
    for place, v in zip(samples.X, samples.V, strict=True):
        rows, columns = (_within(nodes, at, width) for nodes, at in ((grid.y, place[1]), (grid.x, place[0])))
        inside = weights(gaps_on_grid(Grid(grid.x[columns], grid.y[rows]), place, "euclidean"), window, width)
        for channel in np.flatnonzero(v):
            field[channel, rows, columns] += v[channel] * inside
    values = field.reshape(len(field), -1)
    empty = np.flatnonzero(values[: samples.masses].sum(axis=0) == 0)
    row, level = np.full(values.shape[1], -1), np.zeros(values.shape[1])
    if len(empty):
        places = grid.points()[empty]
        first = nearest(places, samples.X, 1, "euclidean")[0][0]
        row[empty], level[empty] = first, distance_measure(list((places - samples.X[first]).T), "euclidean")
        values[:, empty] = samples.V[first].T
    return WindowSums(values, level, row)


def _within(nodes: Array, place: float, width: float) -> slice:
    """The rising nodes that are at most about `width` from a place."""
    first, last = np.searchsorted(nodes, (place - width * (1 + 1e-9), place + width * (1 + 1e-9)))
    return slice(int(first), int(last))


def _endless_on_grid(grid: Grid, samples: WindowSamples, window: str, width: float, dtype: Any) -> WindowSums:
    """The sums, those at nodes so far away that they have no digits in units of their own."""
    if window == "gaussian":
        # In double precision, whose range of exponents reaches far.
        up, across = envelopes(grid, samples.X, width, gaussian_profile, np.float64)
        field: AnyArray = np.empty((samples.V.shape[1], *grid.shape))
        for channel, v in enumerate(samples.V.T):
            used = np.flatnonzero(v)
            field[channel] = (up[:, used] * v[used]) @ across[:, used].T
    else:
        field = np.moveaxis(exponential_field(grid, samples.X, samples.V, width, dtype), -1, 0)
    values = field.reshape(len(field), -1)
    level = np.zeros(values.shape[1])
    floor = _FLOOR[values.dtype] * samples.V[:, : samples.masses].max()
    far = np.flatnonzero(values[: samples.masses].sum(axis=0) < floor)
    if len(far):
        exact = sums_at(grid.points()[far], samples, window, width, dtype)
        values[:, far], level[far] = exact.values, exact.log_scale
    return WindowSums(values, level)


def with_one_more(
    sums: WindowSums, gaps: Array, samples: WindowSamples, row: int, window: str, width: float
) -> AnyArray:
    """The values (c, m) for samples of which the sums lack one, that row, which is at those gaps (m,)."""
    v, values = samples.V[row], sums.values.copy()
    if sums.row is None:
        exponent = _exponent(gaps, window, width)
        unit = np.maximum(sums.log_scale, exponent)
        values *= np.exp(np.maximum(sums.log_scale - unit, -700.0))
        exponent -= unit
        np.copyto(exponent, -np.inf, where=exponent < -700)
        weight = np.exp(exponent)
    else:
        weight = weights(gaps, window, width)
        empty = sums.row >= 0
        # The sums count their rows without this one.
        first = comes_before(gaps, row, sums.log_scale, (sums.row + (sums.row >= row)).astype(np.int32))
        values[:, empty & ((weight > 0) | first)] = 0.0
        weight = np.where(empty & first & (weight == 0), 1.0, weight)
    for channel in np.flatnonzero(v):
        values[channel] += v[channel] * weight
    return values
