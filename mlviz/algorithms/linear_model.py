"""Classifiers whose scores are linear in the inputs, and those with a straight street between two classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mlviz.algorithms.base import ScoreModel
from mlviz.algorithms.explaining import told_sum
from mlviz.draw.layer import UNNAMED, Explanation, Names, opened
from mlviz.draw.marks import Mark, Points, Segments, ways
from mlviz.draw.numbers import counted, number
from mlviz.numerics.arrays import AnyArray, Array, Mask, Rows
from mlviz.numerics.convex.newton import Iterate
from mlviz.numerics.distances import length_of
from mlviz.numerics.grid import Grid, as_dtype, far_away

ON_THE_WAY_NOTE = "mlviz shows a step on the way to the minimum; these lines give the minimum."
"""What the code of a model says that is not yet where the solver goes."""


def stage_of(iterate: Iterate, step: str = "gradient step") -> str:
    """The step that led to a place on the way to a minimum, where it was not taken back or decided by few samples."""
    if not iterate.steps:
        return "no weights"
    if iterate.ran_away:
        return "diverges"
    if iterate.batch_rows is not None:
        return counted(len(iterate.batch_rows), "sample")
    return "step taken back" if iterate.taken_back else step


@dataclass(frozen=True, eq=False, kw_only=True)
class LinearScores(ScoreModel):
    """`coef` (d,) . x + `intercept` for two classes, positive for classes[1]; for k classes (k, d) and (k,)."""

    coef: Array
    center: Array
    """(d,) the place from which `offset` counts: places far from 0 keep their digits."""
    offset: Any

    @property
    def intercept(self) -> Any:
        """The offset b: a number for two classes, else (k,)."""
        intercept = self.offset - self.coef @ self.center
        return float(intercept) if self.coef.ndim == 1 else intercept

    @far_away
    def decision_function(self, X: Array) -> Array:
        """Two classes: the signed score (n,). Several: a score each, (n, k)."""
        return as_dtype((np.asarray(X, dtype=np.float64) - self.center) @ self.coef.T + self.offset, np.float64)

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray:
        """The scores at the nodes of the grid: (ny, nx), or (ny, nx, k)."""
        coef, offset = np.atleast_2d(self.coef), np.atleast_1d(self.offset)
        across = np.multiply.outer(coef[:, 0], grid.x - self.center[0]) + offset[:, None]
        up = np.multiply.outer(coef[:, 1], grid.y - self.center[1])
        with np.errstate(over="ignore"):  # far away, a score beyond the range of the type is infinite
            field = as_dtype(across, dtype)[:, None, :] + as_dtype(up, dtype)[:, :, None]
        return np.asarray(field[0] if self.coef.ndim == 1 else np.moveaxis(field, 0, -1))

    def sum_at(self, x: Array, names: Names) -> str:
        """The score of two classes at x (d,) as the offset and the largest terms, in words."""
        return told_sum(float(self.decision_function(x[None])[0]), self.intercept, self.coef, x, names.of_input)

    def told_way(self, x: Array, threshold: float = 0.0) -> str:
        """How far it is from x (d,) to where the score of two classes is the threshold, in words."""
        terms, length = self.coef * (x - self.center), float(np.linalg.norm(self.coef))
        size = max(1.0, abs(float(self.offset)), float(np.abs(terms).max()))
        away = abs(float(self.decision_function(x[None])[0]) - threshold) / length
        return f"{number(away, beside=size / length)} from the decision boundary"

    def foot(self, x: Array, threshold: float = 0.0) -> Array | None:
        """The place nearest to x (d,) where the score of two classes is the threshold; None where there is none."""
        way = way_to_zero(float(self.decision_function(x[None])[0]) - threshold, self.coef)
        return None if way is None else x + way

    def told_with_way(
        self,
        x: Array,
        names: Names,
        sentence: str,
        after: str = "",
        also: tuple[Mark, ...] = (),
        farthest: float = np.inf,
        label: str = "",
    ) -> Explanation:
        """A sentence about f at x (d,) and how far the boundary is, opened by the class; `after` follows it.

        The way there is marked, and `also` what stands beside it, unless it is farther than `farthest`.
        """

        def follows(threshold: float) -> Explanation:
            foot = self.foot(x, threshold)
            if foot is None:
                return Explanation(f"{sentence}.{after}", measured=True)
            distance = length_of(x - foot)
            marks = (*ways(x, foot, label), *also) if distance <= farthest else ()
            return Explanation(f"{sentence}; {self.told_way(x, threshold)}.{after}", marks, measured=True)

        return opened(names.of_class(self.predict(x[None])[0]), follows)


def way_to_zero(f: float, coef: Array) -> Array | None:
    """The shortest way (d,) to where a function is 0 that is f here and has the slope `coef` (d,); None if nowhere."""
    length = float(np.linalg.norm(coef))
    if not length > 0:
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        way = -(f / length) * (coef / length)  # in two steps, for the square of small weights would vanish
    return way if np.isfinite(way).all() else None


@dataclass(frozen=True, eq=False, kw_only=True)
class SupportedScores(ScoreModel):
    """Scores held by some of the samples X (n, d): `slack`, `alpha` and `at_bound` are (n,), one a sample."""

    X: Array
    slack: Array
    alpha: Array
    at_bound: Mask
    support: Rows


@dataclass(frozen=True, eq=False, kw_only=True)
class LinearMargin(SupportedScores, LinearScores):
    """f(x) = coef . (x - center) + offset, its margins at f = -1 and f = +1.

    `signs` (n,) are 0 for samples that take no part.
    """

    signs: Array

    @property
    def margin(self) -> float:
        """The distance 1/|w| from the boundary to either margin; infinite where there is no boundary."""
        length = float(np.linalg.norm(self.coef))
        return 1 / length if length > 0 else float("inf")

    def with_gradient(self, X: Array) -> tuple[Array, Array]:
        """The values f (m,) and their gradient (m, d) at the rows of X."""
        return self.decision_function(X), np.tile(self.coef, (len(X), 1))

    def to_boundary(self, x: Array, threshold: float = 0.0) -> tuple[Mark, ...]:
        """The way from x (d,) straight to where the score is the threshold, on the plane."""
        end = self.foot(x, threshold)
        return () if len(x) != 2 or end is None else (Points("probe", x[None]), Segments("now", x[None], end[None]))

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """The terms that add up to f at x (d,), the largest three, and the way to the boundary."""
        f = float(self.decision_function(x[None])[0])

        def follows(threshold: float) -> Explanation:
            sentence = f"f(x) = {self.sum_at(x, names)}"
            if np.isfinite(self.margin):
                sentence += f"; {self.told_way(x, threshold)}, the margin is {number(self.margin)}"
            return Explanation(sentence + ".", self.to_boundary(x, threshold), measured=True)

        return opened(names.of_class(self.classes[int(f > 0)]), follows)
