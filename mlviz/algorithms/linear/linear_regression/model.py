"""A fitted sum of functions, what it knows about itself, and what it says of a place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import Model, ModelFact
from mlviz.algorithms.linear.linear_regression.problem import RegressionProblem
from mlviz.algorithms.linear_model import told_sum
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.marks import Points
from mlviz.draw.numbers import NO_BREAK, number, signed
from mlviz.numerics import polynomials
from mlviz.numerics.arrays import Array
from mlviz.numerics.bases.base import Basis
from mlviz.numerics.bases.monomials import Monomials
from mlviz.numerics.grid import Grid, as_dtype, far_away
from mlviz.numerics.linalg.least_squares import Solution, ridge_path
from mlviz.numerics.standardizing import mean_and_spread


@dataclass(frozen=True, eq=False)
class LinearRegressionModel(Model):
    """The function ``intercept + coef . φ(x)`` with the weights of a solution for the functions of a basis.

    Of polynomials `coef` and `intercept` belong to the powers of x itself; they are evaluated through `solution`, the
    weights of the powers of u, with which nothing cancels: u goes from -1 to 1 over the samples.
    """

    problem: RegressionProblem
    solution: Solution
    field = "predict"

    known_facts = (
        ModelFact(
            "R²",
            lambda m: m.r2,
            "Share of the target's variance that the model explains: 1 is perfect, 0 no better than the mean.",
        ),
        ModelFact(
            "|w|",
            lambda m: float(np.linalg.norm(m.penalized)),
            "Length of the weight vector, without the offset: the shorter it is, the calmer the function. Weights of "
            "monomials are those of u, the inputs mapped to [−1, 1].",
        ),
        ModelFact(
            "offset",
            lambda m: m.intercept,
            "What is added to the weighted terms: the value of the function where all of them are 0.",
            beside=lambda m: float(np.abs(m.y).max()),
            level="more",
        ),
        ModelFact(
            "in powers of x",
            lambda m: m.in_powers,
            "The polynomial of u multiplied out: the weights of the powers of the input itself.",
        ),
        ModelFact(
            "terms",
            lambda m: len(m.penalized),
            "Number of weights: one for each input, monomial or other function.",
        ),
        ModelFact(
            "rank",
            lambda m: m.solution.rank,
            "Number of terms that the samples can tell apart; below the number of terms many fits are equal. Splines "
            "add up to 1, as the offset does: of these one is always too many.",
        ),
        ModelFact(
            "solution",
            lambda m: "the one with the smallest |w| of many" if m.many_solutions else None,
            "Many weights fit equally well; of these the shortest vector is taken.",
        ),
        ModelFact(
            "condition number",
            lambda m: m.condition,
            "How many times larger than the errors of the data those of the weights can be; above about 1e8 "
            "the weights mean little.",
        ),
        ModelFact(
            "gradient norm",
            lambda m: m.gradient_norm,
            "Length of the objective's gradient, as a share of its length where all weights are 0.",
            level="solver",
        ),
    )

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
        """The strength of an L2 penalty; 0 without one."""
        return self.problem.l2

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
        return self.solution.rank < len(self.penalized) - self.basis.constants and not self.lambda_

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
    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> NDArray[Any]:
        """The predicted values at every node, (ny, nx)."""
        return as_dtype(self.basis.sum_on_grid(grid, self.solution.coef) + self.solution.intercept, dtype)

    def path(self, lambdas: Array) -> Array:
        """The weights that it acts on with an L2 penalty of each strength (m,), (m, p)."""
        return ridge_path(self.problem.terms * self.basis.unit, self.y, self.weights, lambdas)

    @cached_property
    def objective(self) -> float:  # type: ignore[override]
        """The mean squared residual and the penalty."""
        return float(self.weights @ self._residuals**2 + self.problem.penalty(self.penalized))

    @property
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
        marks = (Points("now", np.array([[x[0], value]])),) if len(x) == 1 else ()
        return Explanation(f"prediction {told}.", marks, measured=True)

    def _told(self, x: Array, variables: Sequence[str]) -> tuple[list[str], Array]:
        """What the functions (p,) that `coef` belongs to are called, and what they are at a place x (d,)."""
        if isinstance(self.basis, Monomials):
            return self.basis.plain_names(variables), polynomials.monomials(x[None], self.basis.exponents)[0]
        return self.basis.names(variables), self.basis.terms(x[None])[0]

    @cached_property
    def condition(self) -> float:
        """How much larger than the errors of the data those of the weights can be."""
        p, ridge = len(self.penalized), self.problem.l2
        s = np.linalg.svd(self.problem.columns[0], compute_uv=False)[: p if ridge else self.solution.rank]
        if not len(s):
            return 1.0
        smallest = s[-1] if len(s) == p or not ridge else 0.0
        return float(np.hypot(s[0], ridge**0.5) / max(np.hypot(smallest, ridge**0.5), 1e-300))

    @cached_property
    def gradient_norm(self) -> float:
        """The gradient's length in the terms as they are, as a share of what it sums up without the signs."""
        design = self.problem.terms
        design = (design - self.weights @ design) * self.weights[:, None]
        slope = self.penalized / self.basis.unit
        now = float(np.linalg.norm(design.T @ self._residuals - self.problem.l2 * slope))
        terms = float(np.linalg.norm(np.abs(design).T @ np.abs(self.y)))
        return now / terms if terms > 0 else 0.0
