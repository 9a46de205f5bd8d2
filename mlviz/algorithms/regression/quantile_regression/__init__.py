"""Quantile regression, linear and by kernels. Koenker and Bassett, Econometrica 46 (1978) 33-50."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mlviz.algorithms.base import Code, Follower, Traits, last_until
from mlviz.algorithms.checking import weighted_rows, weighted_values
from mlviz.algorithms.drawn import LineObjective
from mlviz.algorithms.kernels.kernel_ridge import kernel_terms_overlay
from mlviz.algorithms.kernels.parameters import RegularizedKernelMethod, strength
from mlviz.algorithms.kernels.piecewise_loss import PiecewiseDual
from mlviz.algorithms.kernels.piecewise_solution import PiecewiseSolution
from mlviz.algorithms.kernels.piecewise_solving import (
    PiecewiseFollower,
    common_features,
    first_draft,
    matrix_meanwhile,
    solutions,
)
from mlviz.algorithms.regression.quantile_regression.bent import KernelQuantileModel, Maker
from mlviz.algorithms.regression.quantile_regression.model import Quantile, QuantileModel
from mlviz.algorithms.regression.quantile_regression.pictures import (
    fan,
    kernel_charts,
    loss_chart,
    on_curve,
    weights_chart,
)
from mlviz.algorithms.regression.quantile_regression.straight import StraightProgram, StraightQuantileModel
from mlviz.algorithms.traits import Trial
from mlviz.draw.inks import RoleInk, Tone
from mlviz.draw.numbers import number
from mlviz.draw.overlays import bands, regions, slices
from mlviz.numerics.arrays import AnyArray, Array, Rows, scattered
from mlviz.spec import Parameter, choice, flag, integer, real

_FAN = (0.1, 0.5, 0.9)
_SAME = 1e-9


def _with_one_minimum(algorithm: Any, classes: int) -> str:
    """Why no others are drawn, if so."""
    return "With a penalty there is one curve alone." if algorithm.basis == "kernel" else ""


def _without_kernel(algorithm: Any, classes: int) -> str:
    """Why no bumps are drawn, if so."""
    return "" if algorithm.basis == "kernel" else "Only the curve of a kernel is a sum of bumps."


@dataclass(frozen=True)
class KernelCurve(RegularizedKernelMethod, abstract=True):
    """What matters where the curve is a sum of bumps."""

    kernel: str = choice(
        "gaussian",
        "linear",
        "polynomial",
        "laplacian",
        "exponential",
        "expression",
        help="which similarity of two samples stands for their product; an expression puts several together",
        when=("basis", ("kernel",)),
    )
    lambda_: float = strength(
        "strength of the penalty: large for a calm curve, small for a small loss",
        lambda owner, n: f"C = 1/(2 n λ) = {number(1 / (2 * max(n, 1) * owner.lambda_))}",
        when=("basis", ("kernel",)),
    )


@dataclass(frozen=True)
class QuantileRegression(KernelCurve):
    """The curve with a given share of the samples below it.

    Least squares looks for the mean of the target at each place; quantile regression looks for a quantile of it. With
    τ = 0.5 that is the median, with τ = 0.9 the height below which nine of ten samples are. What makes it so is the
    pinball loss of the residual r = y − f(x): τ r for a sample above the curve, (1 − τ)|r| for one below it.

        minimise  (1/n) Σ ρ(yᵢ − f(xᵢ)),  ρ(r) = max(τ r, (τ − 1) r)

    Moving the curve up by a little costs 1 − τ for each sample below it and saves τ for each above: both are in balance
    where the share τ is below. How far away a sample is makes no difference to that: outliers pull no harder.

    The loss is straight but for its kink, and so for curves that are linear in their weights, in the inputs or in their
    powers, this is a linear program. It is solved exactly, from vertex to vertex: at each of them the curve goes
    through as many samples as there are weights, the offset among them. With a kernel f is a sum of bumps,
    f(x) = Σ βᵢ k(xᵢ, x) + b, and is held back by a penalty: λ|w|² is added, which makes it a quadratic program. The
    kernel "linear" gives the straight line with a penalty.

    In the picture, with one input: the curve of τ, the curves of the quantiles 0.1, 0.5 and 0.9 as a fan, and rings
    about the samples that are on the curve. A fan that opens tells that the noise grows: a band of equal width about
    the mean would not. Each quantile is fitted by itself, so where samples are few or curves bend much they may cross,
    as no true quantiles do; a fact tells at how many samples. Where several curves without a penalty have the same
    least loss, as a median between two targets, a band reaches from the lowest to the highest of them at each place.
    With two inputs the prediction is a shade.

    In the side plots: the pinball loss with all samples on it, whose slope τ can be dragged; the weights of several
    inputs; of a kernel, the kernel itself and its Gram matrix.

    It is also the way to decide under costs. Where it costs c1 a unit to predict too little and c2 a unit to predict
    too much, as with bread for a day, the best prediction is the quantile τ = c1/(c1 + c2). A method with a predictive
    distribution can work it out from that, as its mean plus so many standard deviations. Quantile regression learns it
    from the samples, whatever the distribution.

    With more than 3000 samples a kernel's curve is fitted on 1000 of them, drawn at random; the line under the picture
    then says so. Linear programs are solved for all.

    Reference: Koenker, Quantile Regression (2005); with kernels: Takeuchi, Le, Sears and Smola, JMLR 7 (2006)
    1231-1264.
    """

    id = "quantile-regression"
    label = "quantile regression"
    family = "Regression"
    tasks = ("regression",)
    main = "tau"
    trials = (
        Trial("the median line, and lines with a tenth and nine tenths of the samples below them", "linear"),
        Trial("at most one sample in twenty is above the curve", "sine", {"basis": "kernel", "tau": 0.95}),
        Trial("quantiles of a high degree cross", "sine", {"basis": "polynomial", "degree": 9}),
    )
    overlays = (
        regions.value_field,
        fan,
        replace(bands.minima, idle=_with_one_minimum),
        replace(kernel_terms_overlay, idle=_without_kernel),
        replace(regions.residuals, shown=False),
        regions.curve,
        on_curve,
        replace(slices.line, idle=_without_kernel),
    )
    charts = (loss_chart, weights_chart, slices.slice_chart, *kernel_charts)
    traits = Traits(playable=False)
    inks = {"quantile": RoleInk(Tone("curve", deep=0.35), width=1.3, dash="dashed")}

    tau: float = real(
        0.5,
        soft=(0.02, 0.98),
        valid=(1e-4, 1 - 1e-4),
        label="τ",
        help="the quantile: this share of the samples is to be below the curve",
        equivalent=lambda owner, n: f"too low costs {number(owner.tau)} a unit, too high {number(1 - owner.tau)}",
    )
    basis: str = choice(
        "linear",
        "polynomial",
        "kernel",
        help="linear in the inputs, or in their powers, both without a penalty; or a sum of bumps held back by λ",
    )
    degree: int = integer(
        3,
        soft=(1, 12),
        valid=(1, 15),
        help="largest total degree of a monomial, or the degree of the polynomial kernel",
        when=("basis", ("polynomial",)),
    )
    fan: bool = flag(True, help="with one input, fit the quantiles 0.1, 0.5 and 0.9 as well, each by itself")

    def matters(self, parameter: Parameter) -> bool:
        """Whether a parameter has an effect: the degree is that of the monomials, or of a kernel that has one."""
        of_kernel = parameter.name == "degree" and self.basis == "kernel" and self.kernel == "polynomial"
        return of_kernel or super().matters(parameter)

    @classmethod
    def renewed(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        """The basis was called function, and the degree of its monomials highest_power, beside that of the kernel."""
        found = dict(values)
        basis, degree = found.pop("function", None), found.pop("highest_power", None)
        if basis is not None:
            found["basis"] = basis
        if degree is not None and basis == "polynomial":
            found["degree"] = degree
        return found

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[StraightQuantileModel | KernelQuantileModel]:
        """Yield models, the last of which is exact."""
        if self.basis != "kernel":
            yield from self._straight(X, y, sample_weight)
            return
        problems, make = self.given(X, y, sample_weight, ordered=True)
        state = first_draft(problems[0], make.alone)
        features = common_features(problems)
        K = yield from matrix_meanwhile(problems[0], features, state)
        found: list[PiecewiseSolution] = []
        for problem in problems:
            further = yield from solutions(
                problem, features, K, state, make.alone if not found else make.first_of(found)
            )
            found.append(further)
            state = make(found)
        assert state is not None
        yield state

    def _straight(self, X: Array, y: AnyArray | None, sample_weight: Array | None) -> Iterator[StraightQuantileModel]:
        rows, _, _, weights = weighted_rows(X, y, sample_weight)
        assert y is not None
        degree = self.degree if self.basis == "polynomial" else 1
        program = StraightProgram.given(X, y.astype(np.float64), rows, weights, degree)
        best = None
        for plane in program.solving(self.tau):
            if best is not None:
                yield program.model(self.tau, best)
            best = plane
        assert best is not None
        fan, model = list[Quantile](), None
        for tau in self.levels(X.shape[1]):
            for plane in program.solving(tau, best.basis):  # noqa: B007
                if len(program.A) > 20_000:
                    model = model or program.model(self.tau, best)
                    yield model
            fan.append(program.quantile(tau, plane))
        yield program.model(self.tau, best, tuple(fan))

    def levels(self, d: int) -> tuple[float, ...]:
        """The quantiles beside tau for d inputs."""
        return tuple(tau for tau in _FAN if abs(tau - self.tau) > _SAME) if self.fan and d == 1 else ()

    def given(
        self, X: Array, y: AnyArray | None, sample_weight: Array | None, ordered: bool
    ) -> tuple[list[PiecewiseDual], Maker]:
        """The problems of tau and of the fan, and what makes a model of their solutions; raises `CannotFit`."""
        rows, used, target, weights = weighted_values(X, y, sample_weight, ordered)
        price = weights / weights.sum() / (2 * self.lambda_)
        kernel, first = self.kernel_for(used), self.tau
        problem = PiecewiseDual.given(kernel, X, rows, target, first * price, (1 - first) * price)
        whole = problem.up + problem.down
        others = [replace(problem, up=tau * whole, down=(1 - tau) * whole) for tau in self.levels(X.shape[1])]
        return [problem, *others], self.maker(X, scattered(target, rows, len(X)))

    def maker(self, X: Array, y: Array) -> Maker:
        """What makes a model of solutions for the samples X (n, d) with the targets y (n,)."""
        return Maker(X, y, (self.tau, *self.levels(X.shape[1])), self.lambda_)

    def line_objective(self) -> LineObjective | None:
        """That of straight functions."""
        if self.basis == "linear":
            return LineObjective("pinball", name="pinball loss", shape=self.tau)
        straight = self.basis == "kernel" and self.kernel == "linear"
        return LineObjective("pinball", l2=self.lambda_, shape=self.tau) if straight else None

    def caption(self, classes: int = 2, first: Collection[str] = ()) -> str:
        """Without what stands beside the curve."""
        return super(QuantileRegression, self.replace(fan=False)).caption(classes, first)

    def code(self, model: QuantileModel) -> Code | None:
        """QuantileRegressor, on the monomials; it knows no kernels."""
        if self.basis == "kernel":
            return None
        imports = ("from sklearn.linear_model import QuantileRegressor",)
        fit = f'QuantileRegressor(quantile={self.tau!r}, alpha=0, solver="highs")'
        if self.basis == "linear":
            return Code(imports, (fit,))
        return Code(
            (*imports, "from sklearn.preprocessing import MinMaxScaler, PolynomialFeatures"),
            ("MinMaxScaler((-1, 1))", f"PolynomialFeatures({self.degree}, include_bias=False)", fit),
        )

    def follower(self) -> Follower:
        """One that starts from its last solution, where there is a kernel."""
        return QuantileFollower()


class QuantileFollower(PiecewiseFollower):
    """Keeps the Gram matrix and the solutions; a linear program is solved anew."""

    def update(
        self,
        algorithm: QuantileRegression,
        X: Array,
        y: AnyArray | None,
        sample_weight: Array | None,
        deadline: float,
    ) -> QuantileModel:
        """The model of the changed data or hyperparameters, the best one found until `deadline`."""
        if algorithm.basis != "kernel":
            return last_until(deadline, algorithm.steps(X, y, np.random.default_rng(0), sample_weight))
        problems, make = algorithm.given(X, y, sample_weight, ordered=False)
        return make(self.followed(problems, deadline))

    def moved(
        self, algorithm: QuantileRegression, X: Array, y: AnyArray | None, rows: Rows | slice, deadline: float
    ) -> QuantileModel | None:
        """The model if all that is new are these rows of X and y; None where that takes an update."""
        found = self.solutions_of_moved(X, y, rows, deadline) if algorithm.basis == "kernel" else []
        return algorithm.maker(X, found[0].program.y)(found) if found else None
