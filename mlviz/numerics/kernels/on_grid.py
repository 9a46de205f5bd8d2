"""Kernels in few products: sums on a regular grid, and functions that decay with the distance of two places.

Sums of products of one function an axis are products of matrices. Smooth fields are found at the few nodes of
Chebyshev's grid and interpolated: Trefethen, Approximation Theory and Approximation Practice (2013), chapters 3 to 8.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache, reduce
from typing import Any

import numpy as np

from mlviz.numerics.arrays import AnyArray, Array, greatest, least
from mlviz.numerics.grid import Grid, as_dtype
from mlviz.numerics.polynomials import chebyshev, chebyshev_grid, from_chebyshev_grid, interpolation

LogProfile = Callable[[AnyArray], AnyArray]
SeparableFactors = tuple[AnyArray, AnyArray]
"""Factors up (ny, m) and across (nx, m) of a kernel's values at the nodes (x, y) for m centres."""

CHEBYSHEV_SIZES = (12, 24, 48, 96)
"""Numbers of Chebyshev's nodes along a side."""
_AXES_KEPT, _MOST_KEPT = 4, 500_000
"""The factors of so many axes are kept, where they are no more than so many numbers each."""
BLOCK_SIZE = 2_000_000
"""About so many numbers are worked on at a time: 16 MB."""
_IN_CACHE, _ROWS_IN_CACHE = 65_536, 32_768
"""So many kernel values at a time stay in the cache, and so many beside what they are made of."""
_LONG_LINE = 100
"""With fewer places on a line their exponentials one by one are found as soon."""
_WIDEST_LINE, _LARGEST_TILT = 36.0, 8.0
"""In widths of a Gaussian; so far its values are normal numbers, and exponents so large lose no digits."""
_NO_LENGTH = 1e-300
_UNEVEN = 1e-15
"""Places off by less than this share of the largest are evenly spaced but for rounding."""
LOWEST_EXPONENTS = {np.dtype(np.float64): -700.0, np.dtype(np.float32): -85.0}
"""exp of less counts as zero: it is nearly subnormal, and arithmetic on subnormals is many times slower."""
LOWEST_FACTORS = {np.dtype(np.float64): -300.0, np.dtype(np.float32): -40.0}
"""The same for one factor of two, whose product is to be a normal number too."""
_LEAST_WIDTHS = {np.dtype(kind): float(np.finfo(kind).tiny) for kind in (np.float32, np.float64)}
"""Places are divided by no less than that: it is the smallest normal number."""


def from_pairs(pairs: Iterable[SeparableFactors], coef: Array, dtype: Any) -> AnyArray:
    """The sum over the pairs and the centres s of coef_s up[y, s] across[x, s]: (ny, nx), summed in that dtype."""
    weights = coef.astype(dtype, copy=False)
    parts = ((up.astype(dtype, copy=False) * weights) @ across.astype(dtype, copy=False).T for up, across in pairs)
    return reduce(lambda field, part: np.add(field, part, out=field), parts)


def interpolated(
    values: Callable[[Grid], Array],
    grid: Grid,
    dtype: Any,
    tolerance: float | None = None,
    sizes: tuple[int, ...] = CHEBYSHEV_SIZES,
) -> AnyArray | None:
    """A smooth function at the nodes of a grid; None where so few of its values do not tell it.

    `values` gives those (ny nx,) at all nodes of another grid, row by row.
    """
    tolerance = tolerance or (1e-7 if np.dtype(dtype) == np.float32 else 1e-11)
    for size in sizes:
        if 2 * size > min(grid.shape):
            break
        nodes = chebyshev_grid(grid, size)
        at_nodes = values(nodes).reshape(size, size)
        to_coef = _to_coefficients(size)
        C = np.abs(to_coef @ at_nodes @ to_coef.T)
        rest = size // 6
        if max(float(C[-rest:].max()), float(C[:, -rest:].max())) <= tolerance * float(C.max()):
            return as_dtype(from_chebyshev_grid(at_nodes, nodes, grid), dtype)
    return None


def interpolated_along(values: Callable[[Array], Array], x: Array, tolerance: float = 1e-11) -> Array | None:
    """A smooth function of places (m, 1) at all of x (m,); None where so few of its values do not tell it."""
    for size in CHEBYSHEV_SIZES:
        if 2 * size > len(x):
            break
        nodes = chebyshev(float(x.min()), float(x.max()), size)
        at_nodes = values(nodes[:, None])
        C = np.abs(_to_coefficients(size) @ at_nodes)
        if float(C[-(size // 6) :].max()) <= tolerance * float(C.max()):
            return interpolation(nodes, x) @ at_nodes
    return None


def _to_coefficients(size: int) -> Array:
    """What makes coefficients of values at Chebyshev's nodes: the cosine sum that halves both ends."""
    order = np.arange(size)
    to_coef = np.cos(np.pi * np.outer(order, order) / (size - 1))
    to_coef[:, [0, -1]] /= 2
    to_coef[[0, -1]] /= 2
    return np.asarray(to_coef)


def node_by_node(
    matrix: Callable[[AnyArray, AnyArray], AnyArray], grid: Grid, centers: Array, coef: Array, dtype: Any
) -> AnyArray:
    """The expansion with the kernel's values one by one."""
    places, p, c = (values.astype(dtype, copy=False) for values in (grid.points(), centers, coef))
    return rows_in_blocks(places, len(p), lambda rows: matrix(rows, p) @ c, _IN_CACHE).reshape(grid.shape)


def rows_in_blocks(
    X: AnyArray, width: int, function: Callable[[AnyArray], AnyArray], most: int = BLOCK_SIZE
) -> AnyArray:
    """The values (m,) of a function of the rows of X, each of which takes `width` numbers, for `most` at a time."""
    size = max(1, most // max(1, width))
    return np.concatenate([function(X[first : first + size]) for first in range(0, max(1, len(X)), size)])


def envelopes(grid: Grid, p: Array, width: float, log_profile: LogProfile, dtype: Any) -> SeparableFactors:
    """exp(log_profile((y - p_s1) / width)) and exp(log_profile((x - p_s0) / width)) at the nodes (x, y).

    They are not to be written to: several functions of the same centres, one after the other, have the same ones.
    """
    along_x, along_y = np.ascontiguousarray(p[:, :2].T, dtype=np.float64)
    across, up = (
        (_kept_factor if nodes.size * places.size <= _MOST_KEPT else _factor)(
            nodes.tobytes(), places.tobytes(), float(width), log_profile, np.dtype(dtype)
        )
        for nodes, places in ((grid.x, along_x), (grid.y, along_y))
    )
    return up, across


@np.errstate(over="ignore")
def _factor(nodes: bytes, places: bytes, width: float, log_profile: LogProfile, dtype: np.dtype[Any]) -> AnyArray:
    """exp(log_profile((x - p_s) / width)) at the nodes x for the places p_s: (m, n); both are bytes, as keys are."""
    # The difference of near places needs all digits, what follows only those of the result.
    apart = np.subtract.outer(np.frombuffer(nodes), np.frombuffer(places))
    apart *= 1 / width
    exponent = log_profile(apart.astype(dtype, copy=False))
    np.copyto(exponent, -np.inf, where=exponent < LOWEST_FACTORS[dtype])
    np.exp(exponent, out=exponent)
    exponent.flags.writeable = False
    return exponent


_kept_factor = lru_cache(_AXES_KEPT)(_factor)


_FEW_COLUMNS = 2
"""Differences of no more columns are squared one column after the other."""


@np.errstate(over="ignore")
def of_differences(A: AnyArray, B: AnyArray, width: float, size: np.ufunc, exponent: Any) -> AnyArray:
    """exp(exponent(sum_j size((a_j - b_j) / width))) for the rows a of A and b of B; `exponent` works in place."""
    unit = A.dtype.type(max(width, _LEAST_WIDTHS[A.dtype]))
    if unit < 1:  # else they only grow smaller
        A, B = as_dtype(A / unit, A.dtype), as_dtype(B / unit, A.dtype)
    elif unit > 1:
        A, B = A / unit, B / unit
    if len(B.T) == 1 and len(A) * len(B) <= _ROWS_IN_CACHE:
        difference = np.subtract(A, B[:, 0], dtype=A.dtype)
        return _exponentials(size(difference, out=difference), exponent)
    # Differences, column by column: |a|^2 + |b|^2 - 2 a.b would cancel. Some rows at a time stay in the cache.
    # Squares of many columns are added up at once, in a quarter of the time.
    at_once = size is np.square and A.dtype == B.dtype == np.float64 and len(B.T) > _FEW_COLUMNS
    if at_once:
        from scipy.spatial.distance import cdist
    result = np.empty((len(A), len(B)), dtype=A.dtype)
    block, columns = max(1, _ROWS_IN_CACHE // max(1, len(B))), np.ascontiguousarray(B.T)
    difference = np.empty((block, len(B)), dtype=A.dtype)
    for first in range(0, len(A), block):
        rows, part = A[first : first + block], result[first : first + block]
        space = difference[: len(rows)]
        if at_once:
            cdist(rows, B, "sqeuclidean", out=part)
        for j, column in enumerate(() if at_once else columns):
            into = space if j else part
            np.subtract(rows[:, j, None], column, out=into)
            size(into, out=into)
            if j:
                part += space
        _exponentials(part, exponent)
    return result


def _exponentials(part: AnyArray, exponent: Any) -> AnyArray:
    """exp(exponent(part)), in place."""
    exponent(part, out=part)
    if part.size and least(part) < LOWEST_EXPONENTS[part.dtype]:
        np.copyto(part, -np.inf, where=part < LOWEST_EXPONENTS[part.dtype])
    np.exp(part, out=part)
    return part


@np.errstate(over="ignore")
def exponential_field(grid: Grid, p: Array, coef: Array, width: float, dtype: Any) -> AnyArray:
    """sum_s coef_s exp(-|(x, y) - p_s| / width) at the nodes (x, y): (ny, nx), or (ny, nx, c) for coef (m, c)."""
    across, up = (
        np.square(np.subtract.outer(nodes, places) / width).astype(dtype, copy=False)
        for nodes, places in ((grid.x, p[:, 0]), (grid.y, p[:, 1]))
    )
    result, weights = np.empty(grid.shape + coef.shape[1:], dtype=dtype), coef.astype(dtype, copy=False)
    part, lowest, farthest = np.empty_like(across), LOWEST_EXPONENTS[across.dtype], across.max(initial=0.0)
    for squares, row in zip(up, result, strict=True):
        np.add(across, squares, out=part)
        root_negative(part, out=part)
        # What counts as zero is subtracted in the end, which is faster than to look for it.
        far = farthest + squares.max(initial=0.0) > lowest**2
        if far:
            np.maximum(part, lowest, out=part)
        np.exp(part, out=part)
        if far:
            part -= np.exp(part.dtype.type(lowest))
        np.dot(part, weights, out=row)
    return result


@np.errstate(over="ignore", invalid="ignore")
def gaussians_on_line(x: Array, p: Array, width: float, coef: Array) -> Array | None:
    """sum_s coef_s exp(-(x - p_s)^2 / (2 width^2)) at evenly spaced x (m,); None: it takes the exponentials one by one.

    In widths, with x = a + u the exponent is that of a, plus u p_s, plus what no p_s is in: only so many exponentials
    have to be found as there are places a and steps u between them, and the rest is a product of matrices.
    """
    m = len(x)
    if m < _LONG_LINE or not len(p):
        return None
    line = _even_line(x.tobytes(), width)
    if line is None:
        return None
    middle, half, step = line
    places = p / width - middle
    reach = max(half, greatest(np.abs(places)))
    if not half + reach <= _WIDEST_LINE:
        return None
    size = int(min(np.sqrt(m), 2 * _LARGEST_TILT / max(step * reach, _NO_LENGTH)))
    a, u, untilted = _parts_of_line(half, step, m, size)
    exponent = np.subtract.outer(a, places)
    np.square(exponent, out=exponent)
    exponent *= -0.5
    tilts = np.multiply.outer(places, u)
    values = (np.exp(exponent, out=exponent) * coef) @ np.exp(tilts, out=tilts)
    values *= untilted
    return np.asarray(values.ravel()[:m])


@lru_cache(_AXES_KEPT)
@np.errstate(over="ignore", invalid="ignore")
def _even_line(places: bytes, width: float) -> tuple[float, float, float] | None:
    """The middle of evenly spaced places, given as bytes, half of their length, and the step; in widths."""
    x = np.frombuffer(places) / width
    middle, step = x[0] / 2 + x[-1] / 2, (x[-1] - x[0]) / (len(x) - 1)
    along = step * (np.arange(len(x)) - (len(x) - 1) / 2)
    if not along[-1] > 0 or not np.abs(x - middle - along).max() <= _UNEVEN * max(abs(x[0]), abs(x[-1])):
        return None
    return float(middle), float(along[-1]), float(step)


@lru_cache(_AXES_KEPT)
def _parts_of_line(half: float, step: float, m: int, size: int) -> tuple[Array, Array, Array]:
    """Places a of a line of m, the steps u (size,) between them, and what no p_s is in: (m / size, size)."""
    u = step * (np.arange(size) - (size - 1) / 2)
    a = -half - u[0] + size * step * np.arange(-(-m // size))
    return a, np.asarray(u), np.exp(-u * (a[:, None] + u / 2))


def gaussian_profile(u: AnyArray) -> AnyArray:
    """The logarithm of a Gaussian at u standard deviations."""
    return np.asarray(-0.5 * (u * u))


def laplacian_profile(u: AnyArray) -> AnyArray:
    """The logarithm of a Laplacian at u widths."""
    return np.asarray(-np.abs(u))


def half_negative(squares: AnyArray, out: AnyArray) -> None:
    """The exponent of a Gaussian."""
    np.multiply(squares, squares.dtype.type(-0.5), out=out)


def root_negative(squares: AnyArray, out: AnyArray) -> None:
    """The exponent of an exponential kernel."""
    np.negative(np.sqrt(squares, out=out), out=out)
