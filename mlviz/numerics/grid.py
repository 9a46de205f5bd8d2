"""A regular grid of places in the plane, on which fields are evaluated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from mlviz.numerics.arrays import AnyArray, Array, greatest, least
from mlviz.spec.brief import Brief

far_away = np.errstate(over="ignore", invalid="ignore")
"""Around sums at any place: far from the samples they may be too large for a number, which is no mistake."""
_MOST = {np.dtype(kind): 1e-6 * float(np.finfo(kind).max) for kind in (np.float32, np.float64)}


def as_dtype(values: AnyArray, dtype: DTypeLike) -> AnyArray:
    """Values as numbers of that precision: those beyond its range at its ends, and 0 where there is no number.

    Sums of many of them are numbers too: the ends are a millionth of the largest number.
    """
    most = _MOST[np.dtype(dtype)]
    # Nearly always all is well, which two passes find out; a NaN fails both comparisons.
    if values.size and greatest(values) < most and least(values) > -most:
        return values.astype(dtype, copy=False)
    return np.asarray(np.nan_to_num(np.clip(values, -most, most).astype(dtype)))


def precise_enough(dtype: DTypeLike, largest: float) -> np.dtype[Any]:
    """The type for sums of numbers up to `largest`: the one that is asked for, but double beyond its range."""
    wanted = np.dtype(dtype)
    return wanted if largest < _MOST[wanted] else np.dtype(np.float64)


@dataclass(frozen=True, eq=False)
class Grid(Brief):
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

    @np.errstate(over="ignore")
    def scaled(self, scale: ArrayLike, shift: ArrayLike) -> Grid:
        """The grid of the places ``scale * place + shift``; scale and shift are (2,), or one for both."""
        a, b = np.empty(2), np.empty(2)
        a[:], b[:] = scale, shift
        return Grid(as_dtype(a[0] * self.x + b[0], np.float64), as_dtype(a[1] * self.y + b[1], np.float64))

    @property
    def limits(self) -> tuple[float, float, float, float]:
        """The smallest rectangle (x0, x1, y0, y1) that has all nodes in it."""
        corners = self.corners
        (x0, y0), (x1, y1) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
        return x0, x1, y0, y1

    @property
    def corners(self) -> Array:
        """The places (4, 2) of the outermost nodes, around the rectangle."""
        (x0, x1), (y0, y1) = self.x[[0, -1]].tolist(), self.y[[0, -1]].tolist()
        return as_dtype(self.to_places(np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])), np.float64)

    @property
    def size(self) -> Array:
        """Width and height of that rectangle, (2,)."""
        x0, x1, y0, y1 = self.limits
        return np.array([x1 - x0, y1 - y0])

    def every(self, step: int) -> Grid:
        """The grid of every step-th node."""
        return replace(self, x=self.x[::step], y=self.y[::step])

    def to_places(self, nodes: Array) -> Array:
        """Where values of `x` and `y` (m, 2) are: the same here, elsewhere on a grid that was placed otherwise."""
        return nodes

    def to_nodes(self, places: Array) -> Array:
        """The values of `x` and `y` (m, 2) that are at places."""
        return places

    def asked(self, nodes: Array) -> Array:
        """Where a model is asked for values of `x` and `y` (m, 2), finite ones."""
        return self.to_places(nodes)

    def values(self, on_grid: Callable[..., Any], at: Callable[[Array], Any], dtype: DTypeLike) -> AnyArray:
        """What a model says at every node, (ny, nx) or (ny, nx, k).

        `on_grid(grid, dtype)` says it for a regular grid, `at(places)` the same place by place.
        """
        return np.asarray(on_grid(self, dtype))

    def field_of(self, model: Any, dtype: DTypeLike = np.float64) -> AnyArray:
        """The field of a model at every node: what its `field` names."""
        return self.values(model.on_grid, lambda places: getattr(model, model.field)(places), dtype)


@dataclass(frozen=True, eq=False)
class AskedGrid(Grid):
    """A regular grid whose nodes are asked elsewhere, at what is no regular grid: place by place."""

    @np.errstate(over="ignore")
    def points(self) -> Array:
        """The places of the nodes as rows, (ny * nx, d), x running fastest: reshape a result to `shape`."""
        return as_dtype(self.asked(super().points()), np.float64)

    def values(self, on_grid: Callable[..., Any], at: Callable[[Array], Any], dtype: DTypeLike) -> AnyArray:
        """What a model says at every node, (ny, nx) or (ny, nx, k), asked place by place."""
        said = np.asarray(at(self.points()))
        said = said.reshape(self.shape + said.shape[1:])
        return as_dtype(said, dtype) if said.dtype.kind == "f" else said


@dataclass(frozen=True, eq=False)
class LiftedGrid(AskedGrid):
    """A regular grid on the axes whose nodes are asked at `lift` of them, (m, 2) -> (m, d): no way leads back."""

    lift: Callable[[Array], Array]

    def asked(self, nodes: Array) -> Array:
        """What the nodes (m, 2) are for a model, (m, d)."""
        return self.lift(nodes)


@dataclass(frozen=True, eq=False)
class PlacedGrid(AskedGrid):
    """A regular grid whose node (x[i], y[j]) is at ``matrix @ (x[i], y[j]) + shift``."""

    matrix: Array
    shift: Array

    def to_places(self, nodes: Array) -> Array:
        """Where values of `x` and `y` (m, 2) are; a gap, NaN, stays one."""
        return nodes @ self.matrix.T + self.shift

    def to_nodes(self, places: Array) -> Array:
        """The values of `x` and `y` (m, 2) that are at places."""
        return np.asarray(np.linalg.solve(self.matrix, (places - self.shift).T).T)
