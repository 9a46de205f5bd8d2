"""Linear regression: least squares on the inputs or on functions of them, with or without a penalty."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

import numpy as np

from mlviz.algorithms.base import CannotFit, Code, Follower, Model, last_until
from mlviz.algorithms.basis_code import basis_code
from mlviz.algorithms.basis_pictures import places_on_canvas
from mlviz.algorithms.checking import weighted_rows
from mlviz.algorithms.drawn import LineObjective
from mlviz.algorithms.kernels.many_ridges import Design, ManyRidges
from mlviz.algorithms.linear.linear_regression import charts, penalties, spectrum
from mlviz.algorithms.linear.linear_regression.confidence import SureRegressionModel, model_of
from mlviz.algorithms.linear.linear_regression.descent import EXACT, DescendedModel, DescentSettings
from mlviz.algorithms.linear.linear_regression.model import LinearRegressionModel
from mlviz.algorithms.linear.linear_regression.problem import RegressionProblem
from mlviz.algorithms.linear.linear_regression.step_rules import INKS, rules_chart
from mlviz.algorithms.linear_model import ON_THE_WAY_NOTE
from mlviz.algorithms.traits import Traits, Trial, where
from mlviz.draw.numbers import number
from mlviz.draw.overlays import bands, loss_surface, regions
from mlviz.draw.overlays import charts as shared_charts
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.pauses import Work, finished, meanwhile
from mlviz.spec import choice, real


def _why_unsure(method: LinearRegression, classes: int) -> str:
    known = method.penalty == "none" and method.solver == EXACT
    return "" if known else "Bands are those of least squares without a penalty, solved exactly."


@dataclass(frozen=True)
class LinearRegression(DescentSettings):
    """Linear regression by least squares (Legendre 1805, Gauss 1809; ridge regression: Hoerl and Kennard 1970).

    Draws the line, plane or curve f(x) = w·φ(x) + b for which the mean squared residual (1/n) Σ (yᵢ − w·φ(xᵢ) − b)² is
    smallest. φ(x) are the inputs themselves or a basis of functions of them: all monomials up to a degree, splines
    (polynomials that meet smoothly at knots), Gaussian bumps, waves of a Fourier series, or the steps of Haar wavelets.
    The method stays linear in the weights w, however bent the curve is. With two inputs, splines, bumps, waves and
    wavelets are made for each of them, and every function of the one is multiplied by every one of the other (a tensor
    basis); the products of Gaussian bumps are round bumps (radial).

    Many functions follow every sample and swing wildly between them. A penalty pulls the weights (never the offset b)
    towards 0: the curve calms down as λ grows, at the price of larger residuals. L2 (ridge) adds λ|w|² and shrinks all
    weights; L1 (the lasso) adds λ|w|₁ and sets some to exactly 0; the elastic net λ(α|w|₁ + (1 − α)|w|²) does a little
    of both. A loss budget asks the other way around for the smallest |w| with a mean squared residual of at most so
    much. Monomials are those of u, which is each input mapped to [−1, 1] by the range of the samples: powers of x
    itself have such unequal sizes that no λ would calm the high ones and leave the low ones alone. Without a basis the
    penalty acts on the weights of the inputs as they are, so it depends on their units: standardize to treat all alike.

    Without a penalty there is one system of equations, and with one of L2 another, in the weights or, with the same
    answer, in the samples. With L1 each weight is at the minimum the soft threshold of what the others leave. Were it
    known which are not 0, equations would tell these: a guess is made, its equations tell a better one, and where that
    goes round in circles λ is lowered from where all weights are 0, as in the coefficient path.

    In the picture, with one input: each thin segment is a residual. Switch the squared residuals on to see areas that
    add up to n times the mean squared residual: without a penalty this sum is what is made smallest, with one the
    penalty counts too. They look square only while both axes have equal units (View menu).

    The minimum is found at once, or looked for by following the gradient: choose a solver and play its steps. A fixed
    step η goes w ← w − η ∇; one that is longer than 2/L, L being the largest curvature there is, overshoots further
    each time. 1/L can never overshoot. The line search tries twice the last step and halves it until the objective
    falls as much as the slope promises. The bold driver makes η 5 % longer after each step that helped; after one that
    did not it goes back and halves it. The accelerated gradient steps from ahead of its last place. With L1 each of
    these steps ends with the soft threshold; steps of 1/L are then called ISTA, accelerated ones FISTA. SGD follows the
    gradient of one sample drawn at random, mini-batch that of a few. Coordinate descent sets one weight after the other
    to the best one for the others, which with L1 is a soft threshold: its path runs parallel to the axes. Of a straight
    line the side plot shows the objective over w and b as lines of equal height, with the path down to the minimum:
    narrow valleys, which make the path zigzag, come from inputs far from 0 or of unequal units. Standardize, and see
    how short it becomes.

    With two inputs the prediction is a shade: blue where it is small, orange where it is large, and without colour
    halfway between the largest and the smallest target.

    Without a penalty, and with more samples than weights, the narrow band holds the function and the wide one a new
    target with the stated probability, if the truth is such a function and the noise is normal with the same
    variance everywhere.

    Diamonds below the curve are the knots of splines, or the centres of bumps with their width: drag them. Beside the
    picture stand the weights as bars, each function times its weight, and with a penalty the path of the weights over
    λ, with L1 the number of those that are not 0 above it. The soft threshold shows the weights of L1 on their
    curve. Of two weights "penalty and loss" shows why L1 finds zeros: contours of the loss touch the ball at a corner.
    The singular values show what L2 leaves of each direction of the weights: little of those along which the samples
    hardly vary. Where samples are too few for the terms, many curves pass through all of them; the one with the
    smallest |w| is drawn. To see overfitting and its cure, draw the example "Ten points of a sine" and take degree 9,
    then an L2 penalty, and raise λ from 1e-9.

    Reference: Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, 2nd edition (2009), sections 3.2,
    3.4 and 5.1 to 5.9, doi:10.1007/978-0-387-84858-7. Bishop, Pattern Recognition and Machine Learning (2006), section
    1.1. Lasso: Tibshirani (1996); elastic net: Zou and Hastie (2005).
    """

    id = "linear-regression"
    label = "linear regression"
    family = "Regression"
    tasks = ("regression",)
    main = "degree"
    trials = (
        Trial("the straight line through the points", "linear"),
        Trial("a curve that follows the sine", "sine", {"basis": "polynomial", "degree": 5}),
        Trial("knots that can be dragged under the basis functions", "sine", {"basis": "splines"}),
        Trial(
            "weights that are exactly 0, more of them as λ grows", "sine", {"basis": "Gaussian bumps", "penalty": "L1"}
        ),
    )
    traits = Traits(random=where("solver", "SGD", "mini-batch"))
    overlays = (
        regions.value_field,
        regions.squared_residuals,
        replace(bands.bands, idle=_why_unsure),
        charts.basis_functions,
        regions.residuals,
        regions.curve,
        places_on_canvas,
    )
    charts = (
        loss_surface.surface_chart,
        shared_charts.objective_chart,
        rules_chart,
        charts.weights_chart,
        charts.basis_chart,
        penalties.path_chart,
        penalties.threshold_chart,
        penalties.ball_chart,
        spectrum.spectrum_chart,
    )
    inks = INKS

    penalty: str = choice(
        "none",
        "L2",
        "L1",
        "elastic net",
        "loss budget",
        help="what is added to the mean squared residual: L2 (ridge) λ|w|², L1 (lasso) λ|w|₁, or a mixture of both; a "
        "loss budget asks for the smallest |w| of all functions whose mean squared residual is within it",
        aliases={"ridge": "L2", "lasso": "L1", "elastic-net": "elastic net", "budget": "loss budget"},
    )
    lambda_: float = real(
        0.01,
        soft=(1e-9, 1e3),
        valid=(0, None),
        open_low=True,
        log=True,
        label="λ",
        help="strength of the penalty: larger means smaller weights",
        when=("penalty", ("L2", "L1", "elastic net")),
        equivalent=lambda owner, n: f"scikit-learn: {owner.alpha_text(n)}",
    )
    l1_ratio: float = real(
        0.5,
        soft=(0.0, 1.0),
        valid=(0.0, 1.0),
        label="L1 share",
        help="α: the penalty is λ(α|w|₁ + (1 − α)|w|²)",
        when=("penalty", ("elastic net",)),
    )
    budget: float = real(
        0.1,
        soft=(1e-4, 100.0),
        valid=(0, None),
        open_low=True,
        log=True,
        label="budget",
        help="largest mean squared residual, in squared units of the target",
        when=("penalty", ("loss budget",)),
    )

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[LinearRegressionModel | SureRegressionModel | DescendedModel]:
        """Yield the minimum, of very many samples one of some of them before it; or each step of a solver."""
        _, X, y, weights = weighted_rows(X, y, sample_weight)
        l1, l2 = self.strengths()
        problem = RegressionProblem(
            basis=self.basis_for(X),
            X=X,
            y=y.astype(np.float64),
            weights=weights / weights.sum(),
            total=float(weights.sum()),
            l1=l1,
            l2=l2,
        )
        if self.solver != EXACT:
            yield from self.ways_down(finished(self._budgeted(problem)), rng)
            return
        if not problem.many and not problem.slow and not problem.costly:
            yield finished(self._solved(problem))
            return
        if problem.slow:
            draft = model_of(problem, problem.without_weights())
        else:
            draft = finished(self._solved(problem.of_some()))
        yield draft
        yield (yield from meanwhile(draft, self._solved(problem)))

    def _budgeted(self, problem: RegressionProblem) -> Work[RegressionProblem]:
        """With the penalty that keeps a loss budget, where there is one."""
        if self.penalty != "loss budget":
            return problem
        if problem.many:
            yield from problem.compressed()
        return problem.within(self.budget)

    def _solved(self, problem: RegressionProblem) -> Work[LinearRegressionModel]:
        problem = yield from self._budgeted(problem)
        return model_of(problem, (yield from problem.solved()))

    def follower(self) -> Follower | None:
        """One that goes down as far as time allows."""
        return None if self.solver == EXACT else _Descending()

    def strengths(self) -> tuple[float, float]:
        """What |w|₁ and |w|² are multiplied by in the objective."""
        ratio = {"L1": 1.0, "L2": 0.0, "elastic net": self.l1_ratio}.get(self.penalty)
        return (0.0, 0.0) if ratio is None else (self.lambda_ * ratio, self.lambda_ * (1 - ratio))

    def alpha_text(self, n: int) -> str:
        """The penalty in scikit-learn's convention, for n samples."""
        l1, l2 = self.strengths()
        if not l1:
            return f"alpha = n λ = {number(n * l2, 4)}"
        if not l2:
            return f"alpha = λ/2 = {number(l1 / 2, 4)}"
        alpha = l1 / 2 + l2
        return f"alpha = λ(1 − α/2) = {number(alpha, 4)}, l1_ratio = {number(l1 / 2 / alpha, 4)}"

    def caption(self, classes: int = 2, first: Collection[str] = ()) -> str:
        """With the names that the penalties have by themselves."""
        told, name = super().caption(classes, first), {"L2": "ridge", "L1": "lasso"}.get(self.penalty)
        return told.replace(f", {self.penalty}", f", {self.penalty} ({name})", 1) if name else told

    def line_objective(self) -> LineObjective | None:
        """That of straight functions; the weights of other functions are others."""
        l1, l2 = self.strengths()
        straight = self.basis == "linear" and self.penalty != "loss budget"
        return LineObjective("squared", l2=l2, l1=l1) if straight else None

    def many_fits(self) -> ManyRidges:
        """Those for all L2 penalties by one decomposition."""
        return ManyRidges(lambda method: method.replace(lambda_=1.0), _design)

    def code(self, model: LinearRegressionModel) -> Code:
        """Ridge or LinearRegression, on the terms of the basis."""
        imports, steps, before = basis_code(self, model.basis)
        name, arguments = _sklearn(self, model.problem.l2)
        note = ON_THE_WAY_NOTE if isinstance(model, DescendedModel) and not model.iterate.settled else ""
        imports = (f"from sklearn.linear_model import {name}", *imports)
        return Code(imports, (*steps, f"{name}({arguments})"), before, note=note)


def _sklearn(method: LinearRegression, l2: float) -> tuple[str, str]:
    """scikit-learn's class and its arguments. In Ridge stands the sum of the squared residuals, not their mean."""
    l1, _ = method.strengths()
    if l1:
        exact = "tol=1e-10, max_iter=100_000"
        if not l2:
            return "Lasso", f"alpha={l1 / 2!r}, {exact}"
        alpha = l1 / 2 + l2
        return "ElasticNet", f"alpha={alpha!r}, l1_ratio={l1 / 2 / alpha!r}, {exact}"
    return ("Ridge", f"alpha=len(y) * {l2!r}") if l2 else ("LinearRegression", "")


class _Descending:
    """Goes down from the beginning, as far as it comes until the deadline."""

    def update(
        self,
        algorithm: LinearRegression,
        X: Array,
        y: AnyArray | None,
        sample_weight: Array | None,
        deadline: float,
    ) -> Model:
        """The model then."""
        return last_until(deadline, algorithm.steps(X, y, np.random.default_rng(0), sample_weight))


def _design(method: LinearRegression, X: Array) -> Design | None:
    """The functions at all samples, where they are the same for each part of these.

    Without a penalty monomials are, too: what they are mapped by makes no difference then.
    """
    if method.solver != EXACT:
        return None
    free = method.basis == "polynomial" and method.penalty == "none" and (X.max(axis=0) > X.min(axis=0)).all()
    if method.penalty not in ("none", "L2") or (method.basis not in ("linear", "Fourier") and not free):
        return None
    try:
        basis = method.basis_for(X)
    except CannotFit:
        return None
    return Design(X if method.basis == "linear" else basis.terms(X), False)
