"""The terms of which a function is a weighted sum: the functions of a basis, as they are where they are the inputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from mlviz.algorithms.base import CannotFit, Model
from mlviz.algorithms.bases import BasisMethod
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.bases.base import Basis
from mlviz.numerics.bases.monomials import Monomials
from mlviz.numerics.grid import Grid, as_dtype, far_away
from mlviz.spec.brief import Brief

_LARGEST = 1e100
"""Inputs beyond it have no products."""
_MOST_KEPT = 3000
"""The terms at more places are not kept."""


@dataclass(frozen=True, eq=False)
class Terms(Brief):
    """The p functions of a basis; a linear one is the inputs as they are, neither moved nor scaled."""

    basis: Basis

    @classmethod
    def of(cls, method: BasisMethod, X: Array) -> Self:
        """Those of a method for the samples X (n, d); raises `CannotFit` where they are too many, or X too large."""
        if max(-X.min(), X.max()) > _LARGEST:
            raise CannotFit("The inputs are too large to compute with: standardize them.")
        basis = method.basis_for(X)
        if isinstance(basis, Monomials) and not basis.mapped:
            basis = Monomials(basis.exponents, np.zeros(X.shape[1]), np.ones(X.shape[1]), False)
        return cls(basis)

    def __len__(self) -> int:
        return self.basis.size

    @property
    def straight(self) -> bool:
        """Whether they are the inputs themselves."""
        return isinstance(self.basis, Monomials) and not self.basis.mapped

    def values(self, X: Array) -> Array:
        """The terms at places X (n, d), (n, p), not to be written to: those of the last places are kept.

        For a curve, its band and functions beside it are asked for at the same places.
        """
        places = np.asarray(X, dtype=np.float64)
        if len(places) > _MOST_KEPT:
            return self._values(places)
        asked = places.shape, places.tobytes()
        if self._kept.get("last", (None,))[0] != asked:
            self._kept["last"] = asked, self._values(places)
        return np.asarray(self._kept["last"][1])

    @cached_property
    def _kept(self) -> dict[str, Any]:
        return {}

    @far_away
    def _values(self, places: Array) -> Array:
        found = as_dtype(self.basis.terms(places), np.float64)
        found.flags.writeable = False
        return found

    @far_away
    def on_grid(self, grid: Grid, offset: float, coef: Array, dtype: Any) -> AnyArray:
        """The offset plus the sum of the terms of two inputs times coef (p,), at the nodes of a grid: (ny, nx)."""
        return as_dtype(self.basis.sum_on_grid(grid, coef) + offset, dtype)

    def names(self, inputs: Sequence[str]) -> list[str]:
        """What the terms are called, of inputs that have such names; those of a single input need not name it."""
        short = len(inputs) == 1 and not isinstance(self.basis, Monomials)
        return self.basis.names([""] if short else inputs)


@dataclass(frozen=True, eq=False)
class SumOfTerms(Model):
    """The function intercept + coef . terms(x); who derives from it says what these are."""

    field = "predict"

    @property
    def terms(self) -> Terms:
        """The p terms."""
        raise NotImplementedError

    @property
    def coef(self) -> Array:
        """(p,) the weights of the terms."""
        raise NotImplementedError

    @property
    def intercept(self) -> float:
        """The offset b."""
        raise NotImplementedError

    @property
    def jumps(self) -> bool:  # type: ignore[override]
        """As the functions of the basis do."""
        return self.terms.basis.jumps

    @far_away
    def predict(self, X: Array) -> Array:
        """The values of the function at X, (n,)."""
        return np.asarray(self.terms.values(X) @ self.coef + self.intercept)

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray:
        """The same at every node, (ny, nx)."""
        return self.terms.on_grid(grid, self.intercept, self.coef, dtype)
