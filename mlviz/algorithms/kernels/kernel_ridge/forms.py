"""Ridge regression in its two forms, for kernels whose features can be written out: they have one solution.

The primal form solves for the weights of the p features, the dual one for a coefficient of each of the n samples.
Saunders, Gammerman and Vovk, ICML (1998) 515-521.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.base import ModelFact
from mlviz.draw.numbers import counted
from mlviz.numerics.kernels.base import Kernel, Linear, Polynomial
from mlviz.numerics.polynomials import count_monomials
from mlviz.spec.brief import Brief

MOST_COMPARED = 300
"""With more samples or features the other form is not worked out beside the one that is used."""


@dataclass(frozen=True, eq=False)
class Forms(Brief):
    """How many features p there are of how many samples n in how many inputs d."""

    p: int
    n: int
    d: int

    @classmethod
    def of(cls, kernel: Kernel, n: int, d: int) -> Forms | None:
        """Those of a kernel; None where it has no finite number of features that are written out."""
        match kernel:
            case Linear():
                return cls(d, n, d)
            case Polynomial(degree, coef0):
                lower = count_monomials(d, degree - 1) if degree > 1 else 0
                return cls(count_monomials(d, degree) + 1 if coef0 else count_monomials(d, degree) - lower, n, d)
        return None

    @property
    def primal(self) -> str:
        """What the primal form takes: the matrix of the features' products, and its factorization."""
        return _system(self.p, "weight", self.n * self.p * (self.p + 1) / 2 + self.p**3 / 6)

    @property
    def dual(self) -> str:
        """What the dual form takes: the kernel matrix, and its factorization."""
        return _system(self.n, "coefficient", self.n * (self.n + 1) / 2 * self.d + self.n**3 / 6)

    @property
    def smaller(self) -> str:
        """Which of them has fewer unknowns."""
        if self.p == self.n:
            return f"neither: p = n = {self.n:,}"
        return (
            f"the primal: p = {self.p:,} < n = {self.n:,}"
            if self.p < self.n
            else (f"the dual: n = {self.n:,} < p = {self.p:,}")
        )


def _system(unknowns: int, noun: str, products: float) -> str:
    digits = max(0, int(np.log10(max(products, 1.0))) - 1)
    rounded = round(products / 10**digits) * 10**digits
    return f"{counted(unknowns, noun)} and b, about {rounded:,} products"


FACTS = (
    ModelFact(
        "smaller system",
        lambda m: None if m.forms is None else m.forms.smaller,
        "The primal form solves for a weight of each of the p features, the dual form for a coefficient of each of "
        "the n samples: both have the same solution.",
        level="more",
    ),
    ModelFact(
        "primal form",
        lambda m: None if m.forms is None else m.forms.primal,
        "(Φ'Φ + nλ I) w = Φ'y on centred features: n p²/2 products for the matrix, p³/6 to factorize it.",
        level="more",
    ),
    ModelFact(
        "dual form",
        lambda m: None if m.forms is None else m.forms.dual,
        "(K + nλ I) α + b = y: n² d/2 products for the kernel matrix, n³/6 to factorize it, however many features.",
        level="more",
    ),
    ModelFact(
        "primal minus dual",
        lambda m: m.between_forms,
        "Largest difference of the predictions at the samples when both forms are solved: rounding and nothing else.",
        level="solver",
    ),
)
