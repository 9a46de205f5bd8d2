"""The terms of which a function is a weighted sum: the functions of a basis, as they are where they are the inputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.bases import BasisMethod
from mlviz.draw.layer import Context
from mlviz.numerics.arrays import Array
from mlviz.numerics.bases.base import Basis
from mlviz.numerics.bases.monomials import Monomials
from mlviz.numerics.grid import Grid, as_dtype, far_away
from mlviz.spec.brief import Brief

_LARGEST = 1e100
"""Inputs beyond it have no products."""


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

    @far_away
    def values(self, X: Array) -> Array:
        """The terms at places X (n, d): (n, p)."""
        return as_dtype(self.basis.terms(np.asarray(X, dtype=np.float64)), np.float64)

    @far_away
    def on_grid(self, grid: Grid, offset: float, coef: Array, dtype: Any) -> NDArray[Any]:
        """The offset plus the sum of the terms of two inputs times coef (p,), at the nodes of a grid: (ny, nx)."""
        return as_dtype(self.basis.sum_on_grid(grid, coef) + offset, dtype)

    def names(self, inputs: Sequence[str]) -> list[str]:
        """What the terms are called, of inputs that have such names; those of a single input need not name it."""
        short = len(inputs) == 1 and not isinstance(self.basis, Monomials)
        return self.basis.names([""] if short else inputs)

    def axis(self, context: Context) -> tuple[list[str], str, str]:
        """The names of the terms, what an axis of them is called, and one of their weights."""
        d = context.X.shape[1]
        mapped = isinstance(self.basis, Monomials) and self.basis.mapped
        words = f"term (u: {'inputs' if d > 1 else 'input'} mapped to [−1, 1])" if mapped else "term"
        weight = "weight" if mapped or not context.scaled else f"weight, {context.scaled}"
        return self.names([context.names.of_input(j) for j in range(d)]), words, weight
