"""The dual problem of a support vector machine, and the model that its solution is."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import CannotFit, Model
from mlviz.draw.context import Explanation
from mlviz.draw.marks import Points
from mlviz.numerics.active_set import ActiveSet
from mlviz.numerics.grid import Array, Grid
from mlviz.numerics.kernels import Gaussian, Kernel, Linear

if TYPE_CHECKING:
    from mlviz.algorithms.svm import SVM

WIDEST = 1e9
"""The largest bound, for a kernel whose diagonal is at most 1: sums of larger multipliers have no digits left."""
LARGEST = 3000
"""With more samples than this, as many of them, drawn at random, stand for all."""
FREE = 1e-8
"""Multipliers nearer to 0 or C than this share of C count as being there."""


@dataclass(frozen=True, eq=False, kw_only=True)
class SVMModel(Model):
    """f(x) = sum dual_coef_s k(x, support_vectors_s) + intercept.

    `alpha`, `slack`, `bound` (C times the sample's weight, inf with a hard margin) and `signs` are (n,), one a sample,
    0 for samples without weight. `margin` is 1/|w|. `coef` (d,) is w for the linear kernel, else None.
    """

    classes: NDArray[Any]
    kernel: Kernel
    support: NDArray[np.intp]
    support_vectors: Array
    dual_coef: Array
    alpha: Array
    bound: Array
    signs: Array
    slack: Array
    at_bound: NDArray[np.bool_]
    origin: Array
    """(d,) what is taken from all places before the kernel sees them: 0 where that would change its values."""
    offset: float
    """b, for places counted from the origin."""
    margin: float
    objective: float
    dual_objective: float
    kkt_residual: float
    X: Array
    drawn: int
    """How many samples were used: fewer than there are when they are too many."""

    field = "decision_function"

    @property
    def coef(self) -> Array | None:
        """The weights w (d,) for the linear kernel."""
        return self.dual_coef @ self._centers if isinstance(self.kernel, Linear) else None

    @property
    def intercept(self) -> float:
        """The offset b."""
        w = self.coef
        return self.offset if w is None else self.offset - float(w @ self.origin)

    @cached_property
    def _centers(self) -> Array:
        return self.support_vectors - self.origin

    def decision_function(self, X: Array) -> Array:
        """The values f at the rows of X (n, d): positive for classes[1]."""
        return (
            self.kernel.expand(np.asarray(X, dtype=np.float64) - self.origin, self._centers, self.dual_coef)
            + self.offset
        )

    def predict(self, X: Array) -> NDArray[Any]:
        """The class at the rows of X."""
        return np.asarray(self.classes[(self.decision_function(X) > 0).astype(np.intp)])

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> NDArray[Any]:
        """The values f at the nodes of the grid."""
        # Single precision loses about 1e-7 of the sum of the terms' sizes; more than 1e-2 would move the boundary.
        size = float(np.abs(self.dual_coef) @ self.kernel.diagonal(self._centers))
        work = dtype if size < 1e5 else np.float64
        field = self.kernel.expand_on_grid(grid.scaled((1.0, 1.0), -self.origin), self._centers, self.dual_coef, work)
        field += np.asarray(self.offset, dtype=work)
        return field.astype(dtype, copy=False)

    def with_gradient(self, X: Array) -> tuple[Array, Array]:
        """The values f (m,) and their gradient (m, d) at the rows of X."""
        f, gradient = self.kernel.expand_with_gradient(X - self.origin, self._centers, self.dual_coef)
        return f + self.offset, gradient

    def facts(self) -> dict[str, Any]:
        """What stands under the panel."""
        bounded = int(self.at_bound.sum())
        found: dict[str, Any] = {
            "support vectors": len(self.support),
            "free support vectors": len(self.support) - bounded,
            "support vectors at C": bounded,
        }
        if np.isfinite(self.margin):
            found |= {"margin width": self.margin, "street width": 2 * self.margin}
        hard = bool(np.isinf(self.bound).any())
        if not hard:
            found["lambda"] = 1 / (2 * float(self.bound.sum()))
        if isinstance(self.kernel, Gaussian):
            found["gamma"] = 1 / (2 * self.kernel.sigma**2)
        gap = self.objective - self.dual_objective
        found |= {
            "primal objective": self.objective,
            "dual objective": self.dual_objective,
            "duality gap": gap / max(abs(self.objective), 1e-300),
            "KKT residual": self.kkt_residual,
        }
        if self.drawn < len(self.X):
            found["fitted on"] = f"{self.drawn} of {len(self.X)} samples, drawn at random"
        return found

    def explain(self, x: Array) -> Explanation:
        """f, the class and the distance at x (d,); on a sample, its multiplier and slack as well."""
        row, x = self._sample_at(x)
        f = float(self.decision_function(x[None])[0])
        where = "inside the street" if abs(f) < 1 else "outside the street"
        sentence = f"f(x) = {f:.3g}: {'positive' if f > 0 else 'negative'} side, {where}"
        if np.isfinite(self.margin):
            space = "" if isinstance(self.kernel, Linear) else " in feature space"
            sentence += f", {abs(f) * self.margin:.3g} from the decision boundary{space}"
        if row is None:
            return Explanation(sentence + ".")
        return Explanation(f"{sentence}. {self._say_sample(row)}", (Points("now", x[None], rows=None),))

    def _sample_at(self, x: Array) -> tuple[int | None, Array]:
        """The sample within a hundredth of the data's extent, if any, and its place; else the place itself."""
        distance = np.sqrt(((self.X - x) ** 2).sum(axis=1))
        row = int(distance.argmin())
        near = 0.01 * float(np.linalg.norm(np.ptp(self.X, axis=0)))
        return (row, self.X[row]) if distance[row] <= near else (None, x)

    def _say_sample(self, row: int) -> str:
        alpha, bound, slack = self.alpha[row], self.bound[row], self.slack[row]
        if self.at_bound[row]:
            return f"Support vector at the bound: alpha = C = {bound:.3g}, slack {slack:.3g}."
        if row in self.support:
            limit = "" if np.isinf(bound) else f" of C = {bound:.3g}"
            return f"Free support vector, on its margin: alpha = {alpha:.3g}{limit}."
        return f"Not a support vector: alpha = 0, slack {slack:.3g}."


@dataclass(frozen=True, eq=False)
class Problem:
    """The dual: minimise 1/2 b'K b - y'b with 0 <= y b <= C and sum b = 0, where b = y alpha, over the samples used.

    The kernel is divided by `unit`, its largest diagonal value, and the bounds are multiplied by it: f stays the same,
    and data of any scale meet the solver alike.
    """

    kernel: Kernel
    classes: NDArray[Any]
    X: Array
    """(n, d), all samples."""
    rows: NDArray[np.intp]
    """(m,) the samples used: those with weight, in the order of the program's variables."""
    signs: Array
    """(m,) y = -1 or +1."""
    bound: Array
    """(m,) C times the weight, inf with a hard margin."""
    origin: Array
    unit: float

    @classmethod
    def of(cls, svm: SVM, X: Array, y: NDArray[Any] | None, sample_weight: Array | None) -> Problem:
        """The problem of those data; raises `CannotFit`."""
        weights = np.ones(len(X)) if sample_weight is None else sample_weight
        rows = np.flatnonzero(weights > 0)
        target = np.asarray(y)[rows]
        classes = np.unique(target)
        if len(classes) < 2:
            raise CannotFit("All samples are of one class: add samples of a second class.")
        if len(classes) > 2:
            raise CannotFit(
                f"The support vector machine tells two classes apart and there are {len(classes)}: "
                "in a pipeline, one-vs-one or one-vs-rest makes it several."
            )
        signs = np.where(target == classes[1], 1.0, -1.0)
        bound = np.full(len(rows), np.inf) if svm.hard_margin else svm.C * weights[rows]
        kernel = svm.kernel_function()
        # With sum b = 0, shifting the places changes nothing for these kernels, and small numbers keep their digits.
        shifts = kernel.shift_invariant or isinstance(kernel, Linear)
        origin = X[rows].mean(axis=0) if shifts else np.zeros(X.shape[1])
        with np.errstate(over="ignore", invalid="ignore"):
            unit = float(kernel.diagonal(X[rows] - origin).max())
        if not unit < 1e250:
            raise CannotFit("The kernel's values are too large to compute with: standardize the inputs.")
        return cls(kernel, classes, X, rows, signs, bound, origin, unit if unit > 1e-250 else 1.0)

    def order(self) -> NDArray[np.intp]:
        """The samples sorted by place and class: the same whatever the order of the rows."""
        return np.lexsort((self.bound, self.signs, *self.X[self.rows].T[::-1]))

    def taken(self, which: NDArray[np.intp]) -> Problem:
        """The problem of some of the samples used, in that order."""
        return dataclasses.replace(self, rows=self.rows[which], signs=self.signs[which], bound=self.bound[which])

    def thinned(self, rng: np.random.Generator) -> Problem:
        """A random part of each class where there are too many samples, their bounds raised to stand for all."""
        m = len(self.rows)
        if m <= LARGEST:
            return self
        chosen = []
        for sign in (-1.0, 1.0):
            of_class = np.flatnonzero(self.signs == sign)
            share = max(1, round(len(of_class) * LARGEST / m))
            chosen.append(rng.choice(of_class, share, replace=False))
        part = self.taken(np.sort(np.concatenate(chosen)))
        return dataclasses.replace(part, bound=part.bound * (self.bound.size / part.bound.size))

    def places(self) -> Array:
        """(m, d), counted from the origin."""
        return self.X[self.rows] - self.origin

    def gram(self, A: Array | None = None) -> Array:
        """K (m, m) in units of `unit`, or its rows for the places A."""
        Z = self.places()
        K = self.kernel.matrix(Z if A is None else A, Z)
        K /= self.unit
        return K

    def box(self) -> tuple[Array, Array]:
        """The bounds of the program's variables."""
        cap = np.minimum(self.bound * self.unit, WIDEST)
        return np.minimum(0.0, self.signs * cap), np.maximum(0.0, self.signs * cap)

    def checked_model(self, solver: ActiveSet) -> SVMModel:
        """The model of the solution; raises `CannotFit` where a hard margin can't be."""
        model = self.model(solver.beta, solver.g)
        if np.isinf(self.bound[0]) and model.slack.max() > 1e-3:
            raise CannotFit(
                "These classes can't be separated without errors by this kernel, or only by a street too thin to "
                "compute: switch the hard margin off or choose a more flexible kernel."
            )
        return model

    def model(self, beta: Array, g: Array) -> SVMModel:
        """The model of variables beta (m,) with K beta = g, in the scaled units."""
        y, hard = self.signs, bool(np.isinf(self.bound[0]))
        cap = np.minimum(self.bound * self.unit, WIDEST)
        weight = np.ones(len(y)) if hard else cap
        offset = best_offset(g, y, weight)
        f = g + offset
        slack = np.maximum(0.0, 1 - y * f)
        multiplier = y * beta
        least = FREE * np.minimum(cap, multiplier.max(initial=0.0))
        used = multiplier > least
        at_bound = multiplier >= cap * (1 - FREE)
        residual = np.where(at_bound, np.maximum(0.0, y * f - 1), np.where(used, np.abs(1 - y * f), slack))
        norm = max(float(beta @ g), 0.0) / self.unit
        alpha = np.where(at_bound & ~np.isinf(self.bound), self.bound, multiplier / self.unit)
        support = self.rows[used]
        order = np.argsort(support, kind="stable")

        def spread(values: Array) -> Array:
            whole = np.zeros(len(self.X))
            whole[self.rows] = values
            return whole

        return SVMModel(
            classes=self.classes,
            kernel=self.kernel,
            support=support[order],
            support_vectors=self.X[support[order]],
            dual_coef=(beta[used] / self.unit)[order],
            alpha=spread(np.where(used, alpha, 0.0)),
            bound=spread(self.bound),
            signs=spread(y),
            slack=spread(slack),
            at_bound=spread(at_bound.astype(np.float64)) > 0,
            origin=self.origin,
            offset=offset,
            margin=float(1 / np.sqrt(norm)) if norm > 0 else float("inf"),
            objective=norm / 2 + (0.0 if hard else float(self.bound @ slack)),
            dual_objective=float(multiplier.sum()) / self.unit - norm / 2,
            kkt_residual=float(residual.max()),
            X=self.X,
            drawn=len(self.rows),
        )


def best_offset(g: Array, y: Array, weight: Array) -> float:
    """The b that minimises sum weight max(0, 1 - y (g + b)); the middle where a whole interval does.

    Unlike the multipliers it is unique, so that the model does not depend on the solver's path.
    """
    turn = y - g
    order = np.argsort(turn)
    slope = np.cumsum(weight[order]) - float(weight[y > 0].sum())
    rounding = 1e-12 * float(weight.sum())
    k = int(np.argmax(slope >= -rounding))
    at = turn[order[k]]
    return float(at + turn[order[k + 1]]) / 2 if slope[k] <= rounding else float(at)
