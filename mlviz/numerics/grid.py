"""A regular grid of places in the plane, on which fields are evaluated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from mlviz.numerics.arrays import Array

_MOST = {np.dtype(kind): 1e-6 * float(np.finfo(kind).max) for kind in (np.float32, np.float64)}


def as_dtype(values: NDArray[Any], dtype: DTypeLike) -> NDArray[Any]:
    """Values as numbers of that precision: those beyond its range at its ends, and 0 where there is no number.

    Sums of many of them are numbers too: the ends are a millionth of the largest number.
    """
    most = _MOST[np.dtype(dtype)]
    # Nearly always all is well, which two passes find out; a NaN fails both comparisons.
    if values.size and float(values.max()) < most and float(values.min()) > -most:
        return values.astype(dtype, copy=False)
    kept: NDArray[Any] = np.clip(values, -most, most).astype(dtype)
    missing = np.isnan(kept)
    if missing.any():
        kept[missing] = 0
    return kept


@dataclass(frozen=True, eq=False)
class Grid:
    """The nodes (x[i], y[j]); a field on it has the shape (ny, nx), row = y."""

    x: Array
    y: Array

    def __post_init__(self) -> None:
        object.__setattr__(self, "x", np.ascontiguousarray(self.x, dtype=np.float64))
        object.__setattr__(self, "y", np.ascontiguousarray(self.y, dtype=np.float64))

    @classmethod
    def over(cls, limits: tuple[float, float, float, float], nx: int, ny: int) -> Grid:
        """Nx times ny nodes over (x0, x1, y0, y1), ends included."""
        x0, x1, y0, y1 = limits
        return cls(np.linspace(x0, x1, nx), np.linspace(y0, y1, ny))

    @property
    def shape(self) -> tuple[int, int]:
        """(ny, nx)."""
        return len(self.y), len(self.x)

    def points(self) -> Array:
        """The nodes as rows, (ny * nx, 2), x running fastest: reshape a result to `shape`."""
        return np.column_stack((np.tile(self.x, len(self.y)), np.repeat(self.y, len(self.x))))

    def scaled(self, scale: ArrayLike, shift: ArrayLike) -> Grid:
        """The grid of the places ``scale * place + shift``; scale and shift are (2,)."""
        a, b = np.asarray(scale, dtype=np.float64), np.asarray(shift, dtype=np.float64)
        with np.errstate(over="ignore"):
            return Grid(as_dtype(a[0] * self.x + b[0], np.float64), as_dtype(a[1] * self.y + b[1], np.float64))
