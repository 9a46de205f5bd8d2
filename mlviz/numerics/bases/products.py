"""A basis of functions of one input each, and of their products where there are several inputs (a tensor basis)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from math import prod

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.bases.base import Basis
from mlviz.numerics.bases.univariate import Univariate
from mlviz.numerics.grid import Grid, far_away


@dataclass(frozen=True, eq=False)
class Products(Basis):
    """All products of a function of each input, `parts` (d,); where these have the constant, without it alone."""

    parts: tuple[Univariate, ...]
    reach = 1e-3  # of a bump whose tail alone meets a sample the weight would be enormous
    digits = 1e-10

    @property
    def constants(self) -> int:  # type: ignore[override]
        """One where the functions of each input add up to 1: then so do their products."""
        return int(all(part.sum_to_one for part in self.parts))

    @property
    def jumps(self) -> bool:  # type: ignore[override]
        """As the functions of an input do."""
        return any(part.jumps for part in self.parts)

    @property
    def _first(self) -> int:
        """The column of the constant comes first, and is left out."""
        return int(self.parts[0].with_constant)

    @property
    def size(self) -> int:
        """Their number."""
        return count_products(self.parts)

    def terms(self, X: Array) -> Array:
        """The products, that of the last input changing fastest, (n, p)."""
        if len(self.parts) == 1:
            return _plain_values(self.parts[0], X[:, 0])
        columns = [_values(part, X[:, j]) for j, part in enumerate(self.parts)]
        found = reduce(lambda A, B: (A[:, :, None] * B[:, None, :]).reshape(len(X), -1), columns)
        return found[:, self._first :]

    def sum_on_grid(self, grid: Grid, coef: Array) -> Array:
        """Of functions of two inputs: what stands in them comes apart, (ny, nx)."""
        across, up = _values(self.parts[0], grid.x), _values(self.parts[1], grid.y)
        table = np.append(np.zeros(self._first), coef).reshape(across.shape[1], up.shape[1])
        return np.asarray(up @ table.T @ across.T)

    def names(self, variables: Sequence[str]) -> list[str]:
        """Such as B1(x1)·B3(x2)."""
        each = []
        for part, variable in zip(self.parts, variables, strict=True):
            called = [f"{name}({variable})" if variable else name for name in part.names()]
            each.append(["", *called] if part.with_constant else called)
        return ["·".join(filter(None, factors)) for factors in product(*each)][self._first :]


def count_products(parts: Sequence[Univariate]) -> int:
    """How many products there are of functions of so many inputs."""
    return prod(part.size + part.with_constant for part in parts) - parts[0].with_constant


@far_away
def _plain_values(part: Univariate, x: Array) -> Array:
    return part.values(x)


def _values(part: Univariate, x: Array) -> Array:
    values = _plain_values(part, x)
    return np.column_stack((np.ones(len(x)), values)) if part.with_constant else values
