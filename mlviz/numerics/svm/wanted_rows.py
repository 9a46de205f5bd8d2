"""A symmetric matrix whose rows are worked out when they are first asked for: where few variables are anything but 0,
a solver asks for few.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mlviz.numerics.arrays import Array, Rows
from mlviz.numerics.pauses import Work
from mlviz.numerics.svm.low_rank import LowRank


class WantedRows:
    """K (n, n), used as if it were an array; `rows` gives some of its rows, `whole` works out all."""

    __array_ufunc__ = None  # so that products with it are the one below

    def __init__(
        self, rows: Callable[[Rows], Array], whole: Callable[[], Work[Array | LowRank]], diagonal: Array
    ) -> None:
        self._rows, self._whole, self._diagonal = rows, whole, diagonal
        self._known: dict[int, Array] = {}
        self._all: Array | LowRank | None = None

    def __len__(self) -> int:
        """The number of rows."""
        return len(self._diagonal)

    def diagonal(self) -> Array:
        """K_ii (n,)."""
        return self._diagonal

    def complete(self) -> Work[Array | LowRank]:
        """Work out all of it; pauses where that takes long."""
        self._all = yield from self._whole()
        return self._all

    def __getitem__(self, key: Any) -> Array:
        """A row, some rows (m,), or the numbers at some rows and columns as `numpy.ix_` names them."""
        if self._all is not None:
            return np.asarray(self._all[key])
        if isinstance(key, int):
            if key not in self._known:
                self._known[key] = self._rows(np.array([key]))[0]
            return self._known[key]
        if isinstance(key, tuple):
            rows, columns = (np.ravel(part) for part in key)
            return self[rows][:, columns]
        asked = key.tolist()
        missing = [row for row in dict.fromkeys(asked) if row not in self._known]
        if missing:
            self._known.update(zip(missing, self._rows(np.array(missing)), strict=True))
        return np.array([self._known[row] for row in asked]).reshape(len(asked), len(self))

    def __rmatmul__(self, b: Array) -> Array:
        """The product b K (n,)."""
        if self._all is not None:
            return np.asarray(b @ self._all)
        used = np.flatnonzero(b)
        return np.asarray(b[used] @ self[used])
