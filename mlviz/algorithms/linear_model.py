"""A classifier whose scores are linear in the inputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import ScoreModel
from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import Grid, as_dtype


@dataclass(frozen=True, eq=False, kw_only=True)
class LinearScores(ScoreModel):
    """`coef` (d,) . x + `intercept` for two classes, positive for classes[1]; for k classes (k, d) and (k,)."""

    classes: NDArray[Any]
    coef: Array
    center: Array
    """(d,) the place from which `offset` counts: places far from 0 keep their digits."""
    offset: Any

    @property
    def intercept(self) -> Any:
        """The offset b: a number for two classes, else (k,)."""
        intercept = self.offset - self.coef @ self.center
        return float(intercept) if self.coef.ndim == 1 else intercept

    def decision_function(self, X: Array) -> Array:
        """Two classes: the signed score (n,). Several: a score each, (n, k)."""
        return np.asarray((np.asarray(X, dtype=np.float64) - self.center) @ self.coef.T + self.offset)

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> NDArray[Any]:
        """The scores at the nodes of the grid: (ny, nx), or (ny, nx, k)."""
        coef, offset = np.atleast_2d(self.coef), np.atleast_1d(self.offset)
        across = np.multiply.outer(coef[:, 0], grid.x - self.center[0]) + offset[:, None]
        up = np.multiply.outer(coef[:, 1], grid.y - self.center[1])
        with np.errstate(over="ignore"):  # far away, a score beyond the range of the type is infinite
            field = as_dtype(across, dtype)[:, None, :] + as_dtype(up, dtype)[:, :, None]
        return np.asarray(field[0] if self.coef.ndim == 1 else np.moveaxis(field, 0, -1))

    def foot(self, x: Array) -> Array | None:
        """The place on the boundary between two classes that is nearest to x (d,); None where there is none."""
        way = way_to_zero(float(self.decision_function(x[None])[0]), self.coef)
        return None if way is None else x + way


def way_to_zero(f: float, coef: Array) -> Array | None:
    """The shortest way (d,) to where a function is 0 that is f here and has the slope `coef` (d,); None if nowhere."""
    length = float(np.linalg.norm(coef))
    if not length > 0:
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        way = -(f / length) * (coef / length)  # in two steps, for the square of small weights would vanish
    return way if np.isfinite(way).all() else None
