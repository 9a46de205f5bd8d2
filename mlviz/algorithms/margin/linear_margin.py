"""A straight street between two classes: what the overlays of margins, slack and support vectors ask of a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.linear_model import LinearScores
from mlviz.draw.layer import CODES, Explanation, Names
from mlviz.draw.marks import Mark, Points, Segments
from mlviz.numerics.arrays import Array


@dataclass(frozen=True, eq=False, kw_only=True)
class LinearMargin(LinearScores):
    """f(x) = coef . (x - center) + offset, its margins at f = -1 and f = +1.

    `signs`, `slack`, `alpha` and `at_bound` are (n,), one a sample of X (n, d); signs are 0 for samples that take no
    part.
    """

    X: Array
    signs: Array
    slack: Array
    alpha: Array
    at_bound: NDArray[np.bool_]
    support: NDArray[np.intp]

    bound_name: ClassVar[str] = "C"
    """What the largest possible alpha is called."""

    @property
    def margin(self) -> float:
        """The distance 1/|w| from the boundary to either margin; infinite where there is no boundary."""
        length = float(np.linalg.norm(self.coef))
        return 1 / length if length > 0 else float("inf")

    def with_gradient(self, X: Array) -> tuple[Array, Array]:
        """The values f (m,) and their gradient (m, d) at the rows of X."""
        return self.decision_function(X), np.tile(self.coef, (len(X), 1))

    def to_boundary(self, x: Array) -> tuple[Mark, ...]:
        """The way from x (d,) straight to the boundary, on the plane."""
        end = self.foot(x)
        if len(x) != 2 or end is None:
            return ()
        return (Points("now", x[None]), Segments("now", x[None], end[None]))

    def explain(self, x: Array, names: Names = CODES) -> Explanation:
        """The terms that add up to f at x (d,), the largest three, and the way to the boundary."""
        f = float(self.decision_function(x[None])[0])
        terms = self.coef * x
        largest = [j for j in np.argsort(-np.abs(terms), kind="stable")[:3].tolist() if self.coef[j] != 0]
        told = " ".join(f"{terms[j]:+.3g} by {names.of_input(j)}" for j in largest)
        rest = f - float(terms[largest].sum())
        others = "the offset" if (np.delete(terms, largest) == 0).all() else "the other inputs and the offset"
        sentence = f"{names.of_class(self.classes[int(f > 0)])}: f(x) = {f:.3g} = {told} {rest:+.3g} by {others}"
        if np.isfinite(self.margin):
            sentence += f"; {abs(f) * self.margin:.3g} from the boundary, the margin is {self.margin:.3g}"
        return Explanation(sentence + ".", self.to_boundary(x), measured=True)
