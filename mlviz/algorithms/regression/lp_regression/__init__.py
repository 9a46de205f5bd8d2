"""Regression by powers of residuals, and by Huber's loss."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from mlviz.algorithms.base import Code
from mlviz.algorithms.bases import BasisMethod
from mlviz.algorithms.basis_code import basis_code
from mlviz.algorithms.basis_pictures import places_on_canvas
from mlviz.algorithms.checking import weighted_rows
from mlviz.algorithms.drawn import LineObjective
from mlviz.algorithms.linear_model import ON_THE_WAY_NOTE
from mlviz.algorithms.regression.lp_regression import charts, pictures
from mlviz.algorithms.regression.lp_regression.model import LpModel, LpProblem
from mlviz.algorithms.regression.terms import Terms
from mlviz.algorithms.traits import Trial
from mlviz.draw.overlays import bands, regions
from mlviz.draw.overlays.charts import objective_chart
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.pauses import meanwhile
from mlviz.numerics.residuals.losses import Huber, Loss, Power
from mlviz.numerics.residuals.problem import ResidualProblem
from mlviz.numerics.residuals.reweighted_squares import reweighted
from mlviz.spec import choice, real

_STEPS, _FEW_STEPS, _MANY = 30, 12, 5000
"""So many steps of reweighted least squares are shown, of very many samples fewer: the last step is exact."""


def _without_band(lp: LpRegression, classes: int) -> str:
    several = lp.loss == "power" and lp.power == 1 and lp.penalty == "none"
    return "" if several else "The band is worked out for p = 1 without a penalty alone."


@dataclass(frozen=True)
class LpRegression(BasisMethod):
    """What an outlier does to a line depends on the loss: powers of the residuals, and Huber's.

    Minimises (1/n) Σ |rᵢ|ᵖ + λ|w|² with the residuals rᵢ = yᵢ − w·φ(xᵢ) − b, for any power p > 0, or Huber's loss in
    place of the power: r² as long as |r| ≤ δ, and a straight line of the same slope beyond, 2δ|r| − δ².

    What counts is the slope of the loss, for it is the force with which a sample pulls. With p = 2 (least squares) an
    outlier pulls the harder the farther it is, with p = 4 it rules; with p = 1 (least absolute deviations) all samples
    pull alike, so that half of them must be wrong before a constant follows; with p < 1 the near ones pull hardest and
    far ones hardly at all. Huber's loss is p = 2 for small residuals and p = 1 for large ones. As p grows, only the
    largest residual counts, until it is made as small as can be (Chebyshev). But with any loss a single sample that is
    far enough off to the side (a leverage point) turns a line as it likes.

    For p ≥ 1 and Huber's loss the objective is convex, and what is shown is its minimum: "duality gap" says how far
    from it at most. With p = 1 it passes through as many samples as it has weights, the offset included, unless many
    are equally good: then one in their middle is taken, and a band shows where the others go. For p < 1 every function
    through so many samples is a local minimum. Of few samples all of them are compared and the best is the global one;
    else the best one that was found from several starts is shown. "Minimum" says which. With a penalty one is found by
    reweighting, from several starts.

    In the picture: beside the curve stand those for p = 1, 2, 4 and Huber's loss. The steps are iteratively reweighted
    least squares: each sample has the weight ρ'(r)/(2r), so that squares pull as hard as the loss ρ does; switch the
    weights on to see them as rings. (For p > 2 only 1/(p − 1) of each step is taken: the whole would overshoot.) The
    last step is the exact minimum; for p < 1, where reweighting ends in one of the many, it is the best that was found.
    In the side plot each sample stands on the loss at its residual; drag the handle to change p or δ.

    Reference: Huber and Ronchetti, Robust Statistics, 2nd edition (2009), chapter 7; Portnoy and Koenker, The Gaussian
    hare and the Laplacian tortoise, Statistical Science 12 (1997) 279-300.
    """

    id = "lp-regression"
    label = "Lp regression"
    family = "Regression"
    tasks = ("regression",)
    main = "power"
    trials = (
        Trial("pull one point far up: the curve of p = 2 follows, that of p = 1 stays", "linear"),
        Trial("each line through two points is a local minimum", "linear", {"power": 0.5}),
    )
    overlays = (
        regions.value_field,
        replace(bands.minima, idle=_without_band),
        pictures.other_losses,
        regions.residuals,
        regions.curve,
        places_on_canvas,
        pictures.met,
        pictures.weights,
    )
    charts = (charts.loss_chart, charts.weights_chart, objective_chart)
    inks = pictures.INKS

    loss: str = choice("power", "Huber", help="|r|ᵖ, or r² up to |r| = δ and straight beyond")
    power: float = real(
        1.0,
        soft=(0.3, 8.0),
        valid=(0.05, 100),
        log=True,
        label="p",
        help="the power of the residuals: 2 for squares, 1 for absolute values; large for the largest residual alone",
        when=("loss", ("power",)),
    )
    delta: float = real(
        0.5,
        soft=(0.01, 10.0),
        valid=(1e-9, 1e9),
        log=True,
        label="δ",
        help="up to which size residuals are squared",
        when=("loss", ("Huber",)),
    )
    penalty: str = choice("none", "L2", help="L2 adds λ|w|²")
    lambda_: float = real(
        0.01,
        soft=(1e-9, 1e3),
        valid=(0, 1e12),
        open_low=True,
        log=True,
        label="λ",
        help="strength of the penalty: larger means smaller weights",
        when=("penalty", ("L2",)),
    )

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[LpModel]:
        """Yield the least squares, the steps of reweighting them, and the minimum."""
        rows, X, y, weights = weighted_rows(X, y, sample_weight)
        terms = Terms.of(self, X)
        share = weights / weights.sum()
        lambda_ = self.lambda_ if self.penalty == "L2" else 0.0
        design = terms.values(X).copy()
        design[:, np.abs(design).max(axis=0) < terms.basis.reach] = 0.0  # what no sample reaches is not learned
        equations = ResidualProblem.of(design, y.astype(np.float64), share, lambda_, terms.basis.digits)
        problem = LpProblem(terms, rows, X, y.astype(np.float64), weights, lambda_, self.delta, equations)
        loss = self.of_residuals()
        model = LpModel(problem, loss, np.zeros(len(equations.M)), 0)
        if not problem.is_square(loss):
            yield model
            steps = _STEPS if len(X) <= _MANY else _FEW_STEPS
            for k, z in enumerate(reweighted(equations, loss, model.z, steps), start=1):
                model = LpModel(problem, loss, z, k)
                yield model
        yield (yield from meanwhile(model, problem.minimum(loss)))

    def of_residuals(self) -> Loss:
        """The loss."""
        return Power(self.power) if self.loss == "power" else Huber(self.delta)

    def line_objective(self) -> LineObjective | None:
        """That of straight functions; the weights of other functions are others."""
        penalty = self.lambda_ if self.penalty == "L2" else 0.0
        return LineObjective(self.of_residuals(), l2=penalty) if self.basis == "linear" else None

    def code(self, model: LpModel) -> Code | None:
        """QuantileRegressor for p = 1, squares for p = 2; for Huber's loss scikit-learn scales the residuals first."""
        name, fit = "", ""
        if self.loss == "power" and self.power == 2:
            name = "Ridge" if self.penalty == "L2" else "LinearRegression"
            fit = f"Ridge(alpha=len(y) * {self.lambda_!r})" if self.penalty == "L2" else "LinearRegression()"
        elif self.loss == "power" and self.power == 1 and self.penalty == "none":
            name, fit = "QuantileRegressor", "QuantileRegressor(quantile=0.5, alpha=0)"
        if not fit:
            return None
        imports, steps, before = basis_code(self, model.problem.terms.basis)
        note = "" if model.step is None else ON_THE_WAY_NOTE
        return Code((f"from sklearn.linear_model import {name}", *imports), (*steps, fit), before, note=note)
