"""Kernel density estimates of very many samples: on a lattice, by the fast Fourier transform (Silverman 1982).

Each sample's weight is shared out to the corners of its cell, the kernel is sampled at the nodes, both are convolved,
and between nodes the density is interpolated linearly: B. W. Silverman, Kernel density estimation using the fast
Fourier transform, Applied Statistics 31 (1982), 93-99. Both steps are off by the square of the lattice's spacing in
widths, as a share of what a kernel is high.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from mlviz.numerics.arrays import AnyArray, Array, Labels
from mlviz.numerics.density.kernel_density import KernelDensity, values_of
from mlviz.numerics.grid import Grid, as_dtype
from mlviz.spec.brief import Brief

_PER_WIDTH = 16
"""Nodes in a width, unless there would be too many."""
_MOST_NODES = {1: 8192, 2: 512}
"""Along each side, for so many dimensions."""
GRIDDED = frozenset(_MOST_NODES)
"""In so many dimensions there is a lattice."""
_ROUNDING = 1e-13
"""Less than this share of the largest density is what the transform leaves of nothing."""


@dataclass(frozen=True, eq=False)
class GriddedDensity(Brief):
    """The density at nodes of one or two dimensions, `low` + `spacing` times their numbers; 0 beyond them."""

    low: Array
    spacing: Array
    table: Array
    """The density at each node; the first axis is that of the first input."""

    @classmethod
    def of(cls, estimate: KernelDensity) -> GriddedDensity:
        """The densities of an estimate in one or two dimensions."""
        X, d, reach = estimate.X, estimate.X.shape[1], estimate.reach
        extent = np.ptp(X, axis=0) + 2 * reach
        spacing = np.maximum(estimate.width / _PER_WIDTH, extent / (_MOST_NODES[d] - 4))
        beyond = np.ceil(reach / spacing).astype(int)  # the kernel has so many nodes on each side of its middle
        low = X.min(axis=0) - beyond * spacing
        cells = (X - low) / spacing
        corner = np.floor(cells).astype(np.intp)
        sizes = tuple((corner.max(axis=0) + 2 + beyond).tolist())
        counts = np.zeros(int(np.prod(sizes)))
        for corners, share in _corners(cells - corner):
            flat = np.ravel_multi_index(tuple((corner + corners).T), sizes)
            counts += np.bincount(flat, share * estimate.weights, minlength=len(counts))
        offsets = np.meshgrid(*(np.arange(-k, k + 1.0) * step for k, step in zip(beyond, spacing, strict=True)))
        values = values_of(estimate.kernel, np.sum(np.square(offsets), axis=0).T / estimate.width**2)
        padded = tuple(size + 2 * k for size, k in zip(sizes, beyond.tolist(), strict=True))
        axes = tuple(range(d))
        spectrum = np.fft.rfftn(counts.reshape(sizes), padded, axes) * np.fft.rfftn(values, padded, axes)
        inside = tuple(slice(k, k + size) for k, size in zip(beyond.tolist(), sizes, strict=True))
        sums = np.fft.irfftn(spectrum, padded, axes)[inside]
        sums[sums < _ROUNDING * sums.max()] = 0.0
        # What the kernel's values at the nodes add up to is its integral there.
        return cls(low, spacing, sums / (values.sum() * estimate.weights.sum() * spacing.prod()))

    def density(self, places: Array) -> Array:
        """The density at places (m, d), (m,)."""
        top = np.array(self.table.shape) - 2
        with np.errstate(over="ignore"):
            cells = (places - self.low) / self.spacing
        corner = np.clip(np.floor(cells), 0, top).astype(np.intp)
        share = np.clip(cells - corner, 0.0, 1.0)
        found = sum(self.table[tuple((corner + at).T)] * part for at, part in _corners(share))
        return np.where(((cells >= 0) & (cells <= top + 1)).all(axis=1), found, 0.0)

    def on_grid(self, grid: Grid, dtype: Any) -> AnyArray:
        """The density at the nodes of a grid of the plane, (ny, nx)."""
        along = _interpolated(self.table, (grid.x - self.low[0]) / self.spacing[0])
        return as_dtype(_interpolated(along.T, (grid.y - self.low[1]) / self.spacing[1]), dtype)


def _corners(share: Array) -> list[tuple[Labels, Array]]:
    """The corners of a cell, zeros and ones (d,), and their shares (n,) of places so far into it (n, d)."""
    corners = product((0, 1), repeat=share.shape[1])
    return [(np.array(at), np.where(at, share, 1 - share).prod(axis=1)) for at in corners]


def _interpolated(table: Array, cells: Array) -> Array:
    """The rows of a table (s, ...) at places between them (m,), 0 beyond the first and the last."""
    top = len(table) - 2
    row = np.clip(np.floor(cells), 0, top).astype(np.intp)
    share = np.where((cells < 0) | (cells > top + 1), np.nan, cells - row)[:, None]
    return np.asarray(np.nan_to_num(table[row] * (1 - share) + table[row + 1] * share))
