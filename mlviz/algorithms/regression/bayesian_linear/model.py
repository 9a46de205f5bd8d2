"""The weights after some of the samples: normal, and so are the function and a new target at any place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.algorithms.base import ModelFact
from mlviz.algorithms.explaining import explained_value
from mlviz.algorithms.regression.terms import SumOfTerms, Terms
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.numbers import number
from mlviz.numerics.arrays import Array, Rows
from mlviz.numerics.grid import far_away
from mlviz.numerics.linalg.gaussian_weights import LEAST_NOISE, GaussianWeights, SampleSpectrum, prior_weights
from mlviz.spec.brief import Brief

FUNCTIONS_DRAWN = 20


@dataclass(frozen=True, eq=False)
class Samples(Brief):
    """What the models of all steps have in common."""

    terms: Terms
    rows: Rows
    """(n,) the row of each sample among those that were given."""
    design: Array
    """(n, p) the terms at the samples."""
    y: Array
    weights: Array
    flat: bool
    """Whether the prior of the offset is flat."""
    noise: float
    prior: float
    wanted: bool
    """Whether any of these was to be chosen by the evidence."""
    told: bool
    """Whether the targets have anything to choose from: not where they are all 0."""
    normal: Array
    """(m, p + 1) the random numbers of the functions drawn."""
    whole: SampleSpectrum
    """What all samples say."""


@dataclass(frozen=True, eq=False)
class BayesianLinearModel(SumOfTerms):
    """The posterior after the first `count` samples; without any it is the prior. It predicts the most probable."""

    samples: Samples
    count: int

    known_facts = (
        ModelFact(
            "samples seen",
            lambda m: f"{m.count} of {len(m.samples.y)}" if m.count < len(m.samples.y) else None,
            "How many of the samples have come so far.",
        ),
        ModelFact(
            "noise σ", lambda m: m.samples.noise, "Standard deviation of the noise of the targets, given or chosen."
        ),
        ModelFact(
            "prior τ", lambda m: m.samples.prior, "Standard deviation of each weight in the prior, given or chosen."
        ),
        ModelFact(
            "log evidence",
            lambda m: m.log_evidence,
            "The log marginal likelihood: logarithm of the probability density of the targets so far, the weights "
            "averaged out. Compare noise, prior and basis by it. With a flat offset it is that of the targets minus "
            "their mean.",
        ),
        ModelFact(
            "effective parameters",
            lambda m: m.determined,
            "How many weights, the offset included, the samples determine and not the prior: each counts by its share.",
        ),
        ModelFact(
            "ridge's λ",
            lambda m: m.ridge,
            "σ²/(nτ²): ridge regression with this λ has the curve in the middle; where the prior of the offset is not "
            "flat, it penalises the offset, too.",
        ),
        ModelFact(
            "|w|",
            lambda m: float(np.linalg.norm(m.coef)),
            "Length of the most probable weights, without the offset.",
            level="more",
        ),
        ModelFact(
            "offset",
            lambda m: m.intercept,
            "The most probable b.",
            beside=lambda m: float(np.abs(m.samples.y).max()),
            level="more",
        ),
        ModelFact(
            "gradient norm",
            lambda m: m.gradient_norm,
            "Length of the gradient of the log posterior where it is said to be largest, as a share of what its terms "
            "come to without their signs.",
            level="solver",
        ),
    )

    @property
    def stage(self) -> str:  # type: ignore[override]
        """Which sample has come last."""
        return f"after {self.count} of {len(self.samples.y)} samples" if self.count else "prior"

    @property
    def caveat(self) -> str:  # type: ignore[override]
        """That no function can be drawn, the evidence chooses no noise, or there was nothing to choose from."""
        samples = self.samples
        if self.nowhere:
            return "no functions yet: the prior of b is flat"
        if not samples.wanted:
            return ""
        if not samples.told:
            return "the targets say nothing about noise and prior: both stay as given"
        without = samples.noise <= 1.01 * LEAST_NOISE * samples.whole.size
        return "the samples show no noise: σ is the smallest allowed" if without else ""

    @cached_property
    def spectrum(self) -> SampleSpectrum:
        """What the samples so far say."""
        samples, seen = self.samples, slice(self.count)
        if self.count == len(samples.y):
            return samples.whole
        return SampleSpectrum.of_samples(samples.design[seen], samples.y[seen], samples.weights[seen], samples.flat)

    @cached_property
    def posterior(self) -> GaussianWeights:
        """Offset and weights (p + 1,)."""
        samples = self.samples
        if not self.count:
            return prior_weights(len(samples.terms) + 1, samples.prior, samples.flat)
        return self.spectrum.posterior(samples.noise, samples.prior)

    @property
    def degrees_of_freedom(self) -> float:
        """A normal distribution has any number; 0 where there is no distribution yet."""
        return 0.0 if self.nowhere else float("inf")

    @property
    def nowhere(self) -> bool:
        """Whether nothing at all is known of the offset, so that functions may be anywhere."""
        return self.samples.flat and not self.count

    @property
    def terms(self) -> Terms:
        """Those of the basis."""
        return self.samples.terms

    @property
    def coef(self) -> Array:
        """(p,) the most probable weights, which are their means."""
        return self.posterior.mean[1:]

    @property
    def intercept(self) -> float:
        """The most probable offset."""
        return float(self.posterior.mean[0])

    @property
    def log_evidence(self) -> float | None:
        """That of the targets so far; None before the first one."""
        return float(self.spectrum.log_evidence(self.samples.noise, self.samples.prior)) if self.count else None

    @property
    def determined(self) -> float | None:
        """How many of the p + 1 weights come from the samples."""
        return self.spectrum.determined(self.samples.noise, self.samples.prior) if self.count else None

    @property
    def ridge(self) -> float | None:
        """The λ of ridge regression with the same weights."""
        ratio = self.samples.noise / self.samples.prior
        return float(ratio**2 / self.spectrum.count) if self.count else None

    @far_away
    def predict_std(self, X: Array) -> tuple[Array, Array]:
        """The standard deviations of the function and of a new target at X, (m,) each."""
        if self.nowhere:
            return np.full(len(X), np.inf), np.full(len(X), np.inf)
        of_function = self.posterior.std(self.terms.values(X))
        return of_function, np.hypot(of_function, self.samples.noise)

    @far_away
    def functions(self, X: Array) -> Array:
        """Functions drawn from the posterior, at X: (m, FUNCTIONS_DRAWN)."""
        return self.posterior.functions(self.terms.values(X), self.samples.normal)

    @property
    def drawn(self) -> Array:
        """Offset and weights (FUNCTIONS_DRAWN, p + 1) of the functions drawn from the posterior."""
        return self.posterior.drawn(self.samples.normal)

    @cached_property
    def gradient_norm(self) -> float | None:
        """The gradient's length as a share of what it sums up without the signs."""
        samples, seen = self.samples, slice(self.count)
        if not self.count:
            return None
        design = np.column_stack((np.ones(self.count), samples.design[seen])) * samples.weights[seen, None]
        pull = (samples.noise / samples.prior) ** 2 * self.posterior.mean
        if samples.flat:
            pull[0] = 0.0
        residual = samples.y[seen] - samples.design[seen] @ self.coef - self.intercept
        terms = np.abs(design).T @ np.abs(samples.y[seen])
        length = np.where(terms > 0, terms, 1.0)
        return float(np.abs((design.T @ residual - pull) / length).max())

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """The prediction and how sure it is."""
        if self.nowhere:
            return Explanation("The function may be at any height here: the prior of b is flat.")
        value = float(self.predict(x[None])[0])
        of_function, of_target = (float(std[0]) for std in self.predict_std(x[None]))
        prediction = number(value, 4, beside=float(np.abs(self.samples.y).max()))
        told = f"prediction {prediction}; standard deviation {number(of_function)} of the function"
        return explained_value(f"{told}, {number(of_target)} of a new target.", x, value)
