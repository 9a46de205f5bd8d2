"""What kernel methods share that hold their function back by λ|f|²: that strength, and the problem's kernel matrix."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from mlviz.algorithms.kernels.parameters import KernelMethod, unit_of
from mlviz.draw.numbers import number
from mlviz.numerics.arrays import Array
from mlviz.numerics.kernels.base import Kernel
from mlviz.numerics.kernels.expansion import origin_for
from mlviz.numerics.kernels.features import Features, features_of
from mlviz.numerics.kernels.nystroem import Nystroem
from mlviz.spec import real

MOST_SAMPLES = 3000
"""With more samples than this, a part of them as centres stands for all."""
_CANDIDATES = 2000
"""From so many samples, drawn at random, the centres are chosen."""


def _scikit_learns_alpha(method: RegularizedKernelMethod, n: int) -> str:
    return f"scikit-learn: alpha = n λ = {number(n * method.lambda_, 4)}"


def strength(help: str, equivalent: Callable[[Any, int], str] = _scikit_learns_alpha) -> Any:
    """Declare how strongly the function is held back."""
    return real(0.01, soft=(1e-6, 10.0), valid=(1e-12, 1e9), log=True, label="λ", help=help, equivalent=equivalent)


@dataclass(frozen=True)
class RegularizedKernelMethod(KernelMethod, abstract=True):
    """A kernel method whose function is held back by λ|f|²."""

    lambda_: float = strength("strength of the penalty: large for a calm function, small for small residuals")


@dataclass(frozen=True, eq=False, kw_only=True)
class KernelData:
    """Samples X (n, d) seen by a kernel.

    Places count from the `origin`, and the kernel is divided by `unit`, its largest k(x, x): both keep digits.
    """

    kernel: Kernel
    X: Array
    origin: Array
    unit: float

    @classmethod
    def of(cls, kernel: Kernel, X: Array, **others: Any) -> Self:
        """The samples seen by the kernel, and whatever else there is to know; raises `CannotFit`."""
        origin = origin_for(kernel, X)
        return cls(kernel=kernel, X=X, origin=origin, unit=unit_of(kernel, X - origin), **others)

    @cached_property
    def places(self) -> Array:
        """(n, d), counted from the origin."""
        return self.X - self.origin

    @cached_property
    def features(self) -> Features | None:
        """The kernel's features, where they are few: there is less to solve in them, and no digits are lost."""
        return features_of(self.kernel, *self.X.shape)

    @property
    def many(self) -> bool:
        """Whether a part of the samples as centres is to stand for all."""
        return len(self.X) > MOST_SAMPLES

    def gram(self, A: Array, B: Array) -> Array:
        """k(a, b), in units of `unit`, for the rows of A and B, counted from the origin."""
        K = self.kernel.matrix(A, B)
        K /= self.unit
        return K

    def nystroem(self, rng: np.random.Generator, targets: Array, most: int, least: float) -> Nystroem:
        """At most so many centres, chosen from samples drawn at random, whatever the order of samples and targets."""
        order = np.lexsort((targets, *self.X.T[::-1]))
        drawn = np.sort(rng.choice(len(order), min(_CANDIDATES, len(order)), replace=False))
        return Nystroem.of(self.kernel, self.places[order[drawn]], most, least)
