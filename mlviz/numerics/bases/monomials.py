"""Monomials of inputs that are mapped to [-1, 1] by the range of the samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.numerics import polynomials
from mlviz.numerics.arrays import Array
from mlviz.numerics.bases.base import Basis
from mlviz.numerics.grid import Grid

_COMPUTABLE = 1e150
"""A number below it has a square."""


@dataclass(frozen=True, eq=False)
class Monomials(Basis):
    """The monomials `exponents` (p, d) of ``u = (x - center) / scale``, center and scale (d,).

    Where they are not `mapped` a penalty acts on the weights of the monomials of x, which are the inputs themselves.
    """

    exponents: polynomials.Exponents
    center: Array
    scale: Array
    mapped: bool

    @classmethod
    def over(cls, X: Array, degree: int, mapped: bool) -> Monomials:
        """Those up to a degree over the range of the samples X (n, d)."""
        columns = np.ascontiguousarray(X.T)
        low, high = columns.min(axis=1), columns.max(axis=1)
        center, scale = (high + low) / 2, (high - low) / 2
        return cls(polynomials.exponents(X.shape[1], degree), center, np.where(scale > 0, scale, 1.0), mapped)

    @property
    def surely_computable(self) -> bool:
        """Whether squares of the monomials at the samples, and of what turns u into x, are far from too large.

        An entry of `to_plain` is at most a product of (1 + |center|) / scale, or 1 + |center|, of which there are as
        many as the degree.
        """
        degree = int(self.exponents[-1].sum())
        reach = [abs(c) + s for c, s in zip(self.center.tolist(), self.scale.tolist(), strict=True)]
        least = min(1.0, *self.scale.tolist(), 1.0)
        largest: float = max(max(reach), (1 + max(reach)) / least)
        return largest < float(_COMPUTABLE ** (1 / degree))

    @property
    def size(self) -> int:
        """One a monomial."""
        return len(self.exponents)

    def terms(self, X: Array) -> Array:
        """The monomials of u, (n, p)."""
        u = (X - self.center) / self.scale
        return u if self._first_degree else polynomials.monomials(u, self.exponents)

    @property
    def _first_degree(self) -> bool:
        """Whether they are the inputs alone, one after the other."""
        return bool(self.size == self.exponents.shape[1])

    def sum_on_grid(self, grid: Grid, coef: Array) -> Array:
        """The polynomial with coef (p,) for the monomials of u, (ny, nx)."""
        scaled = grid.scaled(1 / self.scale, -self.center / self.scale)
        return polynomials.on_grid(scaled, self.exponents, coef)

    def names(self, variables: Sequence[str]) -> list[str]:
        """Such as u² or u1·u2 where they are mapped: u is the same whatever the units of the inputs."""
        u = [f"u{j + 1}" for j in range(len(variables))] if len(variables) > 1 else ["u"]
        return self.plain_names(u if self.mapped else variables)

    def plain_names(self, variables: Sequence[str]) -> list[str]:
        """The monomials of the inputs as they are."""
        return [polynomials.name(row, variables) for row in self.exponents.tolist()]

    @cached_property
    def to_plain(self) -> Array:
        """B (p + 1, p + 1) that turns offset and weights of the monomials of u into those of the monomials of x."""
        if not self._first_degree:
            return polynomials.expansion(self.exponents, self.center, self.scale)
        B = np.diag(np.append(1.0, 1 / self.scale))
        B[0, 1:] = -self.center / self.scale
        return B

    def penalized_terms(self, X: Array) -> Array:
        """The inputs less their middle where they are not mapped, which are `scale` times u."""
        return self.terms(X) if self.mapped else X - self.center

    @cached_property
    def unit(self) -> Array:
        """The inputs themselves are `scale` times u."""
        return np.ones(self.size) if self.mapped else self.scale
