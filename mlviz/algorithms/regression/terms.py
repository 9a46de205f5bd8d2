"""The terms of which a function is a weighted sum: the inputs themselves, or their monomials up to a degree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import CannotFit
from mlviz.draw.numbers import counted
from mlviz.numerics import polynomials
from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import Grid, as_dtype, far_away
from mlviz.spec.brief import Brief

_MOST_TERMS = 300
_LARGEST = 1e100
"""Inputs beyond it have no products."""


@dataclass(frozen=True, eq=False)
class Terms(Brief):
    """The p terms of a basis; monomials are those of u, each input mapped to [-1, 1] by the range of the samples."""

    exponents: polynomials.Exponents
    center: Array
    scale: Array
    mapped: bool

    @classmethod
    def of(cls, basis: str, degree: int, X: Array) -> Self:
        """Those of a basis for the samples X (n, d); raises `CannotFit` where there are too many, or X is too large."""
        n_inputs, low, high = X.shape[1], X.min(axis=0), X.max(axis=0)
        if max(-low.min(), high.max()) > _LARGEST:
            raise CannotFit("The inputs are too large to compute with: standardize them.")
        if basis == "linear":
            return cls(polynomials.exponents(n_inputs, 1), np.zeros(n_inputs), np.ones(n_inputs), False)
        count = polynomials.count_monomials(n_inputs, degree)
        if count > _MOST_TERMS:
            raise CannotFit(f"Degree {degree} in {counted(n_inputs, 'input')} has {count} terms: lower the degree.")
        half = np.where(high > low, (high - low) / 2, 1.0)
        return cls(polynomials.exponents(n_inputs, degree), (high + low) / 2, half, True)

    def __len__(self) -> int:
        return len(self.exponents)

    @far_away
    def values(self, X: Array) -> Array:
        """The terms at places X (n, d): (n, p)."""
        if not self.mapped:
            return np.asarray(X, dtype=np.float64)
        U = (np.asarray(X, dtype=np.float64) - self.center) / self.scale
        return as_dtype(polynomials.monomials(U, self.exponents), np.float64)

    @far_away
    def on_grid(self, grid: Grid, offset: float, coef: Array, dtype: Any) -> NDArray[Any]:
        """The offset plus the sum of the terms of two inputs times coef (p,), at the nodes of a grid: (ny, nx)."""
        scaled = grid.scaled(1 / self.scale, -self.center / self.scale)
        return as_dtype(polynomials.on_grid(scaled, self.exponents, coef) + offset, dtype)

    def names(self, inputs: Sequence[str]) -> list[str]:
        """What the terms are called, of inputs that have such names."""
        mapped = [f"u{j + 1}" for j in range(len(inputs))] if len(inputs) > 1 else ["u"]
        return [polynomials.name(row, mapped if self.mapped else inputs) for row in self.exponents.tolist()]
