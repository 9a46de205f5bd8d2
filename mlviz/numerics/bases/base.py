"""What a basis is: a few functions of a place, whose weighted sum a method learns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import Grid
from mlviz.spec.brief import Brief


class Basis(Brief, ABC):
    """Functions of places, p of them, none of which is constant.

    `constants` is how many of their sums are constant nevertheless: as many weights can't be told from the offset.
    `jumps` says that they are not continuous. A function that is nowhere among the samples larger than `reach`, or
    sums of functions that vary less than the share `digits` of the others, are not to be learned.
    """

    constants: int = 0
    jumps: bool = False
    reach: float = 0.0
    digits: float = 0.0

    @property
    @abstractmethod
    def size(self) -> int:
        """How many functions there are, p."""

    @abstractmethod
    def terms(self, X: Array) -> Array:
        """The value of each function at the places X (n, d): (n, p)."""

    @abstractmethod
    def sum_on_grid(self, grid: Grid, coef: Array) -> Array:
        """The sum of the functions of two inputs times coef (p,) at the nodes of the grid, (ny, nx)."""

    @abstractmethod
    def names(self, variables: Sequence[str]) -> list[str]:
        """What the functions (p,) of so-called inputs are called; a name that is empty is left out."""

    def penalized_terms(self, X: Array) -> Array:
        """The functions (n, p) times their `unit`: a penalty acts on the weights of these."""
        return self.terms(X)

    @cached_property
    def unit(self) -> Array:
        """What the functions are multiplied by where the weights that a penalty acts on belong to them, (p,)."""
        return np.ones(self.size)
