"""A fitted sum of functions, what it knows about itself, and what it says of a place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from mlviz.algorithms.base import Model
from mlviz.algorithms.explaining import explained_value, told_sum
from mlviz.algorithms.linear.linear_regression.facts import FACTS
from mlviz.algorithms.linear.linear_regression.problem import RegressionProblem
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.numbers import NO_BREAK, counted, number, signed
from mlviz.numerics import polynomials
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.bases.base import Basis
from mlviz.numerics.bases.monomials import Monomials
from mlviz.numerics.grid import Grid, as_dtype, far_away
from mlviz.numerics.linalg.least_squares import Solution, rank_of
from mlviz.numerics.standardizing import mean_and_spread

_DUAL = 200
"""With more samples the dual equations are not solved beside the primal ones."""
_DUAL_ROUNDING = 1e-10
"""A penalty below this share of the largest product of samples leaves the dual equations few digits."""


@dataclass(frozen=True, eq=False)
class LinearRegressionModel(Model):
    """The function ``intercept + coef . φ(x)`` with the weights of a solution for the functions of a basis.

    Of polynomials `coef` and `intercept` belong to the powers of x itself; they are evaluated through `solution`, the
    weights of the powers of u, with which nothing cancels: u goes from -1 to 1 over the samples.
    """

    problem: RegressionProblem
    solution: Solution
    at_minimum: ClassVar[bool] = True
    """Whether its weights are those of the minimum: what is said of that holds for no others."""
    field = "predict"

    known_facts = FACTS

    @property
    def basis(self) -> Basis:
        """The functions."""
        return self.problem.basis

    @property
    def X(self) -> Array:
        """The samples, (n, d)."""
        return self.problem.X

    @property
    def y(self) -> Array:
        """Their targets, (n,)."""
        return self.problem.y

    @property
    def weights(self) -> Array:
        """Their weights, (n,) summing to one."""
        return self.problem.weights

    @property
    def lambda_(self) -> float:
        """The strength of the penalty; 0 without one."""
        return self.problem.strength

    @property
    def same_as(self) -> str | None:
        """What the method is called with this penalty."""
        if not self.lambda_ or self.problem.budget is not None or (self.problem.l1 and self.problem.l2):
            return None
        return "the lasso" if self.problem.l1 else "ridge regression"

    @property
    def exponents(self) -> polynomials.Exponents:
        """The monomials (p, d), where the functions are such."""
        assert isinstance(self.basis, Monomials)
        return self.basis.exponents

    @cached_property
    def _plain(self) -> tuple[float, Array]:
        """Offset and weights (p,) of the functions as they are told: monomials of x itself."""
        if not isinstance(self.basis, Monomials):
            return self.solution.intercept, self.solution.coef
        intercept, *coef = self.basis.to_plain @ np.append(self.solution.intercept, self.solution.coef)
        return float(intercept), np.array(coef)

    @property
    def intercept(self) -> float:
        """The offset b."""
        return self._plain[0]

    @property
    def coef(self) -> Array:
        """The weights (p,): of polynomials those of the powers of x."""
        return self._plain[1]

    @property
    def penalized(self) -> Array:
        """The weights (p,) that a penalty acts on."""
        return self.solution.coef / self.basis.unit

    @property
    def many_solutions(self) -> bool:
        """Whether other functions fit equally well."""
        return not self.lambda_ and self.rank < len(self.penalized) - self.basis.constants

    @cached_property
    def rank(self) -> int:
        """How many directions of the weights the samples tell apart; with an L1 penalty how many are not 0."""
        known = self.solution.rank
        return rank_of(self.problem.columns[0], self.basis.digits) if known is None else known

    @cached_property
    def loss(self) -> float:
        """The mean squared residual."""
        return float(self.weights @ self._residuals**2)

    @property
    def meets_budget(self) -> bool:
        """Whether the loss is within a budget, if there is one."""
        budget = self.problem.budget
        return budget is None or self.loss <= budget * (1 + 1e-6)

    @property
    def caveat(self) -> str:  # type: ignore[override]
        """That it is a draft, or a budget is not met, or asks for nothing."""
        if self.problem.drawn_from:
            return f"a draft from {len(self.X):,} of {self.problem.drawn_from:,} samples"
        if self.problem.flat:
            return "all weights are 0: the mean of the targets alone is within the budget"
        least = number(self.loss)
        return (
            "" if self.meets_budget else f"no fit comes within the budget: the least mean squared residual is {least}"
        )

    @property
    def jumps(self) -> bool:  # type: ignore[override]
        """As its functions do."""
        return self.basis.jumps

    @far_away
    def predict(self, X: Array) -> Array:
        """The predicted values, (n,)."""
        terms = self.basis.terms(np.asarray(X, dtype=np.float64))
        return as_dtype(np.asarray(terms @ self.solution.coef + self.solution.intercept), np.float64)

    @property
    def in_powers(self) -> str | None:
        """The polynomial of one input in its powers, where it has more than one."""
        basis = self.basis
        if not isinstance(basis, Monomials) or not basis.mapped or basis.exponents.shape[1] > 1 or basis.size < 2:
            return None
        powers = basis.plain_names(("x",))
        terms = (f"{signed(w, ' ', 4)}{NO_BREAK}{power}" for w, power in zip(self.coef.tolist(), powers, strict=True))
        return " ".join((number(self.intercept, 4), *terms))

    @far_away
    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray:
        """The predicted values at every node, (ny, nx)."""
        return as_dtype(self.basis.sum_on_grid(grid, self.solution.coef) + self.solution.intercept, dtype)

    def path(self, lambdas: Array) -> Array:
        """The weights that a penalty acts on, were it of each of the strengths (m,): (m, p)."""
        return self.problem.path(lambdas)

    @cached_property
    def objective(self) -> float:  # type: ignore[override]
        """The mean squared residual and the penalty."""
        return self.loss + self.problem.penalty(self.penalized)

    @cached_property
    def _residuals(self) -> Array:
        return self.y - self.predict(self.X)

    @cached_property
    def r2(self) -> float | None:
        """The share of the target's variance that the model explains, where it has any."""
        spread = float(mean_and_spread(self.y[:, None], self.weights)[1][0])
        return 1 - float(self.weights @ (self._residuals / spread) ** 2) if spread > 0 else None

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation | None:
        """The prediction as the sum of its largest terms."""
        value = float(self.predict(x[None])[0])
        called, terms = self._told(x, [names.of_input(j) for j in range(len(x))])
        told = told_sum(
            value, self.intercept, self.coef, terms, called.__getitem__, digits=4, beside=float(np.abs(self.y).max())
        )
        return explained_value(f"prediction {told}.", x, value)

    def _told(self, x: Array, variables: Sequence[str]) -> tuple[list[str], Array]:
        """What the functions (p,) that `coef` belongs to are called, and what they are at a place x (d,)."""
        if isinstance(self.basis, Monomials):
            return self.basis.plain_names(variables), polynomials.monomials(x[None], self.basis.exponents)[0]
        return self.basis.names(variables), self.basis.terms(x[None])[0]

    @property
    def noise(self) -> float | None:
        """The estimated standard deviation of the noise, where it is known."""
        return None

    @property
    def effective_parameters(self) -> float | None:
        """The trace of what takes targets to predictions, with an L2 penalty."""
        if self.problem.flat:
            return 1.0
        return 1 + float(self.problem.spectrum.factors(self.problem.l2).sum()) if _is_ridge(self.problem) else None

    @property
    def prior(self) -> str | None:
        """The distribution of weights that makes the fit the most probable one, for noise as large as the residuals."""
        problem, variance = self.problem, self.loss
        if not variance > 0 or not (_is_ridge(problem) or (problem.l1 and not problem.l2)):
            return None
        if problem.l1:
            return f"Laplace of scale b = {number(2 * variance / (problem.total * problem.l1))}"
        return f"Gaussian of standard deviation τ = {number((variance / (problem.total * problem.l2)) ** 0.5)}"

    @property
    def smaller_system(self) -> str | None:
        """Whether there are fewer weights or fewer samples, and what equations in either cost."""
        if not _is_ridge(self.problem):
            return None
        n, p = len(self.X), len(self.penalized)
        primal = f"{counted(p, 'weight')} (primal, {number(n * p**2 / 2 + p**3 / 6, 1)} products)"
        dual = f"{counted(n, 'sample')} (dual, {number(n**2 * p / 2 + n**3 / 6, 1)})"
        return f"{primal} instead of {dual}" if p <= n else f"{dual} instead of {primal}"

    @cached_property
    def dual_difference(self) -> float | None:
        """By how much predictions of the dual equations differ from these, as a share of the targets' range."""
        spread = float(np.ptp(self.y))
        if not _is_ridge(self.problem) or len(self.X) > _DUAL or not spread > 0:
            return None
        root = np.sqrt(self.weights)
        columns = (self.problem.penalized_terms - self.problem.mean) * root[:, None]
        level = float(self.weights @ self.y)
        K = columns @ columns.T
        if not self.problem.l2 > _DUAL_ROUNDING * float(np.abs(K).max(initial=0.0)):
            return None  # the penalty is lost in the rounding of K: the dual equations say nothing then
        a = np.linalg.solve(K + self.problem.l2 * np.eye(len(K)), root * (self.y - level))
        return float(np.abs(K @ a / root + level - self.predict(self.X)).max()) / spread

    @cached_property
    def duality_gap(self) -> float:
        """How far the objective is above its minimum at most, as a share of what it is without weights."""
        net = self.problem.net
        return net.duality_gap(self.penalized) / net.squared if net.squared > 0 else 0.0

    @cached_property
    def condition(self) -> float:
        """How much larger than the errors of the data those of the weights can be."""
        p, ridge = len(self.penalized), self.problem.l2
        s = np.linalg.svd(self.problem.columns[0], compute_uv=False)[: p if ridge else self.rank]
        if not len(s):
            return 1.0
        smallest = s[-1] if len(s) == p or not ridge else 0.0
        return float(np.hypot(s[0], ridge**0.5) / max(np.hypot(smallest, ridge**0.5), 1e-300))

    @cached_property
    def gradient_norm(self) -> float:
        """The gradient's length in the terms as they are, as a share of what it sums up without the signs."""
        if self.problem.many:
            B, t = self.problem.columns
            now = float(np.linalg.norm(B.T @ (t - B @ self.penalized) - self.problem.l2 * self.penalized))
            return now / (float(np.linalg.norm(np.abs(B).T @ np.abs(t))) or 1.0)
        design = self.problem.terms
        design = (design - self.weights @ design) * self.weights[:, None]
        slope = self.penalized / self.basis.unit
        now = float(np.linalg.norm(design.T @ self._residuals - self.problem.l2 * slope))
        terms = float(np.linalg.norm(np.abs(design).T @ np.abs(self.y)))
        return now / terms if terms > 0 else 0.0


def _is_ridge(problem: RegressionProblem) -> bool:
    return problem.l2 > 0 and not problem.l1 and not problem.flat
