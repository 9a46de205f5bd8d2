"""Quantile regression on the inputs or their monomials, without a penalty: from data to a linear program and back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from mlviz.algorithms.base import CannotFit, ModelFact
from mlviz.algorithms.bases import TOO_LARGE
from mlviz.algorithms.explaining import told_sum
from mlviz.algorithms.regression.quantile_regression.model import PolynomialCurve, Quantile, QuantileModel, gap
from mlviz.draw.layer import Names
from mlviz.draw.numbers import cleared, counted
from mlviz.numerics import polynomials
from mlviz.numerics.arrays import AnyArray, Array, Labels, Rows, median, scattered, without_rounding
from mlviz.numerics.convex.quantile_plane import QuantilePlane, quantile_planes
from mlviz.numerics.grid import Grid, as_dtype
from mlviz.numerics.kernels.features import Features, FeatureSum
from mlviz.numerics.residuals.losses import pinball
from mlviz.numerics.residuals.optimal_face import solution_vertices
from mlviz.numerics.sampling import MergedSamples, merge_equal_samples, spread_subsample
from mlviz.spec.brief import Brief

_MOST_TERMS = 200
_RANK = 1e-10
"""Directions along which the terms differ by less than this share of the largest are none."""
_WORK = 2_000_000
"""After steps that looked at so many numbers a model is made."""
_OPTIMAL, _ON, _AT_BOUND = 1e-12, 1e-9, 1e-9
"""Shares within which a plane is optimal, a sample is on it, and its multiplier is at a bound."""
_SEVERAL = "one of several minima: other curves have the same mean loss"
_MANY, _SOME = 5000, 2000
"""With more samples than the first number the program of so many of them is solved first."""


@dataclass(frozen=True, eq=False, kw_only=True)
class StraightQuantileModel(QuantileModel):
    """A curve that is linear in its weights: ``intercept + coef . monomials(x)``."""

    coef_of_terms: Array
    """(p,) the weights of the monomials of the inputs themselves, in their order."""
    intercept: float
    basis: Labels
    """The samples through which the curve goes, by the linear program."""
    outermost: tuple[PolynomialCurve, ...] = ()
    """Of several minima those of which all others are means."""

    known_facts = (
        *QuantileModel.known_facts,
        ModelFact("terms", lambda m: len(m.coef_of_terms), "Number of weights: one for each input or monomial."),
        ModelFact(
            "offset",
            lambda m: m.intercept,
            "What is added to the weighted terms: the value of the function where all inputs are 0.",
            beside=lambda m: float(np.abs(m.y).max()),
            level="more",
        ),
        ModelFact(
            "dual objective",
            lambda m: m.dual_objective,
            "Lower bound of the pinball loss, by the multipliers of the samples; at the solution both are equal.",
            level="solver",
        ),
        ModelFact(
            "relative duality gap",
            lambda m: gap(m.objective, m.dual_objective, m.spread),
            "How far the loss may be above the smallest one, as a share of it: the error of the solution.",
            level="solver",
        ),
    )

    def minima(self, X: Array) -> Array:
        """The values (k, n) of the outermost of several minima, of which all others are means."""
        return np.array([curve.at(X) for curve in self.outermost]).reshape(-1, len(X))

    @property
    def _polynomial(self) -> PolynomialCurve:
        """The curve."""
        curve = self.quantile.curve
        assert isinstance(curve, PolynomialCurve)
        return curve

    @property
    def cost(self) -> int:  # type: ignore[override]
        """One for each term."""
        return len(self.coef_of_terms)

    @property
    def exponents(self) -> polynomials.Exponents:
        """Of the monomials, (p, d)."""
        return self._polynomial.sum.features.exponents

    @property
    def coef(self) -> Array | None:
        """The weights (d,) of the inputs where it has no other terms."""
        return self.coef_of_terms if len(self.coef_of_terms) == self.X.shape[1] else None

    @property
    def spread(self) -> float:
        """How far apart the targets are."""
        return float(np.ptp(self.y[self.share > 0]))

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray:
        """The values of the curve at every node, (ny, nx)."""
        with np.errstate(over="ignore", invalid="ignore"):
            return as_dtype(self._polynomial.sum.on_grid(grid) + self._polynomial.offset, dtype)

    @np.errstate(over="ignore", invalid="ignore")  # far away the terms may be larger than any number
    def _told(self, x: Array, value: float, names: Names) -> str:
        called = [names.of_input(j) for j in range(self.exponents.shape[1])]
        inputs = polynomials.monomials(x[None], self.exponents)[0]
        told = told_sum(
            value,
            self.intercept,
            self.coef_of_terms,
            inputs,
            lambda j: polynomials.name(self.exponents[j].tolist(), called),
            digits=4,
            beside=float(np.abs(self.y).max()),
        )
        return f"prediction {told}"


@dataclass(frozen=True, eq=False)
class StraightProgram(Brief):
    """The program of different samples, whose terms are brought to independent columns of about 1.

    Targets are counted from `level` in units of `scale`.
    """

    merged: MergedSamples
    rows: Rows
    X: Array
    y: Array
    share: Array
    """(n,) the weights of all samples, summing to one."""
    exponents: polynomials.Exponents
    center: Array
    step: Array
    """(d,) half of the extent of each input."""
    A: Array
    """(m, r + 1) the last column is 1."""
    back: Array
    """(p, r) from the weights of A's columns to those of the monomials."""
    mean: Array
    """(p,) of the monomials."""
    level: float
    scale: float

    @classmethod
    def given(cls, X: Array, y: Array, rows: Rows, weights: Array, degree: int) -> StraightProgram:
        """The program of the samples `rows` of X (n, d) and y (n,) with weights (m,); raises `CannotFit`."""
        merged = merge_equal_samples(X[rows], y[rows], weights)
        terms = polynomials.count_monomials(X.shape[1], degree)
        if terms > _MOST_TERMS and degree > 1:
            raise CannotFit(f"Degree {degree} in {counted(X.shape[1], 'input')} has {terms} terms: lower the degree.")
        E = polynomials.exponents(X.shape[1], degree)
        low, high = merged.X.min(axis=0), merged.X.max(axis=0)
        center, step = low / 2 + high / 2, high / 2 - low / 2
        step = np.where(step > 0, step, 1.0)
        Z = polynomials.monomials((merged.X - center) / step, E)
        mean = Z.mean(axis=0)
        centred = Z - mean
        _, s, V = np.linalg.svd(np.linalg.qr(centred, mode="r"), full_matrices=False)
        kept = s > _RANK * max(float(s.max(initial=0.0)), 1e-300)
        back = V[kept].T / s[kept] * np.sqrt(len(Z))
        level = median(merged.y)
        scale = float(np.abs(merged.y - level).mean())
        return cls(
            merged=merged,
            rows=rows,
            X=X,
            y=y,
            share=scattered(weights / weights.sum(), rows, len(X)),
            exponents=E,
            center=center,
            step=step,
            A=np.column_stack((centred @ back, np.ones(len(Z)))),
            back=back,
            mean=mean,
            level=level,
            scale=scale if scale > 1e-13 * abs(level) else max(1.0, abs(level)),
        )

    @property
    def targets(self) -> Array:
        """(m,) in the program's units."""
        return np.asarray((self.merged.y - self.level) / self.scale)

    @property
    def prices(self) -> Array:
        """(m,) the weights, summing to one."""
        return np.asarray(self.merged.weight / self.merged.weight.sum())

    def planes(self, tau: float, basis: Labels | None = None) -> Iterator[QuantilePlane]:
        """Yield ever better planes; of very many samples a part is asked first."""
        y, c = self.targets, self.prices
        if basis is None and len(y) > _MANY:
            part = spread_subsample(np.column_stack((self.merged.X, y)), _SOME)
            for plane in quantile_planes(self.A[part], y[part], c[part], tau):
                basis = part[plane.basis]
            yield from quantile_planes(self.A, y, c, tau, basis)
            return
        yield from quantile_planes(self.A, y, c, tau, basis)

    def solving(self, tau: float, basis: Labels | None = None) -> Iterator[QuantilePlane]:
        """The same, without those between which there is no time to look."""
        work = 0
        last = None
        for last in self.planes(tau, basis):
            work += self.A.size
            if work > _WORK:
                work = 0
                yield last
        if last is None:
            raise CannotFit(TOO_LARGE)
        yield last

    def quantile(self, tau: float, plane: QuantilePlane) -> Quantile:
        """The curve that a plane is."""
        # The program's own values are exact where the plane goes through samples.
        values = self.level + self.scale * (self.A @ plane.u)
        return Quantile(tau, self._curve(plane.u), scattered(values[self.merged.group], self.rows, len(self.X)))

    def _curve(self, u: Array) -> PolynomialCurve:
        w = self.back @ u[:-1] * self.scale
        w = without_rounding(w, max(float(np.abs(self.merged.y).max()), float(np.abs(w).max())))
        offset = self.level + self.scale * float(u[-1]) - float(self.mean @ w)
        features = Features(self.exponents, np.ones(len(self.exponents)))
        return PolynomialCurve(FeatureSum(features, w, self.center, self.step), offset)

    def _outermost(self, tau: float, plane: QuantilePlane, r: Array) -> tuple[PolynomialCurve, ...]:
        """The curves of which all are means that are as good as one that leaves residuals r (m,).

        None where the samples leave others that have the same values at all of them, and any elsewhere.
        """
        if self.A.shape[1] <= len(self.exponents):
            return ()
        v, c = plane.multipliers, self.prices
        sides = np.where(c * tau - v <= _AT_BOUND * c, 1.0, np.where(v - c * (tau - 1) <= _AT_BOUND * c, -1.0, 0.0))
        return tuple(self._curve(plane.u + step) for step in solution_vertices(self.A, r, sides))

    def _others(self, tau: float, plane: QuantilePlane, r: Array) -> bool:
        """Whether other planes have the same loss, where the best one leaves residuals r (m,).

        One that goes through no more samples than it has weights has one set of multipliers. Let go of a sample and
        the loss rises by how far its multiplier is from the bound on that side: where one is at a bound there is a way
        along which the loss stays as it is. Through more samples there are many sets, of which one says nothing:
        nothing is told then.
        """
        if np.count_nonzero(np.abs(r) <= _ON) > len(plane.basis):
            return False
        v, c = plane.multipliers[plane.basis], self.prices[plane.basis]
        return bool((np.minimum(c * tau - v, v - c * (tau - 1)) <= _AT_BOUND * c).any())

    def model(
        self, tau: float, plane: QuantilePlane, fan: tuple[Quantile, ...] = (), caveat: str = ""
    ) -> StraightQuantileModel:
        """The model of a plane, with other quantiles beside it; raises `CannotFit`."""
        found = self.quantile(tau, plane)
        assert isinstance(found.curve, PolynomialCurve)
        size = float(np.abs(self.merged.y).max())
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            to_plain = polynomials.expansion(self.exponents, self.center, self.step)
            intercept, *coef = to_plain @ np.append(found.curve.offset, found.curve.sum.w)
        if not np.isfinite(intercept) or not np.isfinite(coef).all():
            raise CannotFit(TOO_LARGE)
        r = self.targets - self.A @ plane.u
        objective, dual = float(self.prices @ pinball(r, tau)), float(plane.multipliers @ self.targets)
        outermost: tuple[PolynomialCurve, ...] = ()
        if not caveat and objective - dual <= _OPTIMAL * objective and self._others(tau, plane, r):
            caveat, outermost = _SEVERAL, self._outermost(tau, plane, r)
        return StraightQuantileModel(
            X=self.X,
            y=self.y,
            share=self.share,
            quantile=found,
            fan=fan,
            objective=objective * self.scale,
            dual_objective=dual * self.scale,
            caveat=caveat,
            coef_of_terms=np.array(coef),
            intercept=cleared(float(intercept), size),
            basis=plane.basis,
            outermost=outermost,
        )
