"""Gaussian process regression. Rasmussen and Williams, Gaussian Processes for Machine Learning (2006), chapter 2."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mlviz.algorithms.base import Code, Follower, last_until
from mlviz.algorithms.kernels import parts
from mlviz.algorithms.kernels.gp import pictures
from mlviz.algorithms.kernels.gp.code import code_of
from mlviz.algorithms.kernels.gp.likelihood_chart import likelihood_chart
from mlviz.algorithms.kernels.gp.model import GaussianProcessModel
from mlviz.algorithms.kernels.gp.problem import CENTERS, GaussianProcessProblem, most_centers
from mlviz.algorithms.kernels.gp.settings import GaussianProcessSettings
from mlviz.algorithms.kernels.parameters import MOST_SAMPLES
from mlviz.algorithms.traits import Traits, Trial
from mlviz.draw.inks import ACCENT, CANVAS, RoleInk, Tone
from mlviz.draw.overlays import bands, gram, regions, slices
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.kernels.features import Moments
from mlviz.numerics.pauses import finished, meanwhile

_TOO_SURE = {"noise_variance": 1e-4, "sigma": 0.3}
_MANY = 700
"""With more samples it takes a while to solve the equations exactly."""
_MOST_CHANGED = 8
"""Where more than one of so many samples changed, the sums are worked out anew."""


class GaussianProcessFollower:
    """Keeps the sums and the centres, where these stand for very many samples."""

    _kept: tuple[GaussianProcessProblem, Moments] | None = None

    def update(
        self,
        algorithm: Any,
        X: Array,
        y: AnyArray | None,
        sample_weight: Array | None,
        deadline: float,
    ) -> GaussianProcessModel:
        """The model of the changed data or hyperparameters. Exact but for the choice of centres, which stay."""
        kept, self._kept = self._kept, None  # should anything below fail, the next call starts from nothing
        problem = GaussianProcessProblem.given(algorithm, X, y, sample_weight)
        if not problem.many:
            steps = algorithm.steps(X, y, np.random.default_rng(0), sample_weight)
            model: GaussianProcessModel = last_until(deadline, steps)
            return model
        if kept is not None and (moved := _moved(problem, *kept)) is not None:
            problem, moments = moved, kept[1]
        else:
            moments = problem.moments(np.random.default_rng(0), most_centers(len(problem.X)))
        self._kept = problem, moments
        return problem.in_centers(moments)


def _moved(
    problem: GaussianProcessProblem, old: GaussianProcessProblem, moments: Moments
) -> GaussianProcessProblem | None:
    """The problem in the units of an old one, whose sums are brought up to date; None where that is not worth it."""
    alike = problem.kernel == old.kernel and problem.X.shape == old.X.shape
    if not alike or problem.ratio != old.ratio or not np.array_equal(problem.weights, old.weights):
        return None
    changed = np.flatnonzero((problem.X != old.X).any(axis=1) | (problem.y != old.y))
    if _MOST_CHANGED * len(changed) > len(problem.X):
        return None
    problem = replace(problem, origin=old.origin, unit=old.unit)
    moments.add(old.places[changed], old.y[changed], -old.weights[changed])
    moments.add(problem.places[changed], problem.y[changed], problem.weights[changed])
    return problem


@dataclass(frozen=True)
class GaussianProcess(GaussianProcessSettings):
    """A curve through a cloud of samples, and how sure it is: a distribution over functions by Bayes' rule.

    Before anything is seen, any values f(x₁), ..., f(xₙ) of the function are jointly normal: their covariance is
    s² k(x, x'), with a kernel k and the signal variance s², so that the function has similar values where k calls
    places similar. Their mean m is zero in the textbook, for targets that were centred: so m is the mean of the targets
    here, unless you choose zero. A target is the function's value with noise of the variance σₙ² added. What is then
    known of f is normal again:

        mean(x) = m + Σ αᵢ s² k(xᵢ, x),  A α = y − m,  A = s² K + σₙ² I
        cov(x, x') = s² k(x, x') − s⁴ k(x)ᵀ A⁻¹ k(x'),  k(x) = (k(x₁, x), ..., k(xₙ, x))

    The mean is the curve of kernel ridge regression with λ = σₙ²/(n s²), only that its offset is free. New is the
    variance: small near samples, and as large as before far from them. It does not depend on the targets at all, so it
    is only as good as kernel and variances are.

    These are judged by the marginal likelihood, the density p(y) of the targets when all functions are averaged over:

        log p(y) = −(y − m)ᵀ A⁻¹ (y − m)/2 − log det(A)/2 − n log(2π)/2

    The first term grows as the prior suits the targets, the second falls the more the prior would allow for: the best
    balance needs no held-out samples. The side plot draws it over σ and σₙ², with the signal variance as it is; click
    the plus to adopt the largest, any other place to try that. The diamond marks the largest of all, once s² is
    free as well: a click on it adopts all three. With a kernel that has no width the plot is over s² and σₙ².

    In the picture, with one input: the band holds the function with the stated probability, and a new target falls
    between the dashed lines as often. The thin curves are functions drawn at random from the distribution, before the
    first sample from the prior: drag a point and see them follow. With two inputs the mean is a shade, and the standard
    deviation, which you can switch on, covers it where little is known. The side plots show the covariance of f between
    any two places of a line, before and after the samples were seen; then the charts of the kernel.

    Where the kernel is a sum, such as gaussian(0.5) + linear, the mean is one, too: switch the parts on to see each
    term's own function.

    With more than 3000 samples f is a sum of kernels at a few of them, chosen to represent the kernel as well as they
    can; what they leave out keeps its prior variance (the projected process). The line under the picture then says so.

    Reference: Rasmussen and Williams, Gaussian Processes for Machine Learning (2006), chapters 2 and 5, and section
    8.3.4. Bishop, Pattern Recognition and Machine Learning (2006), section 6.4.
    """

    id = "gp"
    label = "Gaussian process regression"
    family = "Regression"
    tasks = ("regression",)
    main = "sigma"
    trials = (
        Trial("the band is narrow where there are points and wide beyond them", "sine"),
        Trial("a narrow kernel: between the points nothing is known, and the likelihood falls", "sine", {"sigma": 0.1}),
        Trial("too little noise: the curve bends to each point, and is sure of it", "sine", _TOO_SURE),
    )
    overlays = (
        regions.value_field,
        pictures.standard_deviation,
        bands.bands,
        pictures.functions,
        parts.parts,
        replace(regions.residuals, shown=False),
        regions.curve,
        slices.line,
    )
    charts = (
        pictures.posterior_chart,
        likelihood_chart,
        pictures.prior_chart,
        slices.slice_chart,
        parts.parts_chart,
        *gram.charts,
    )
    traits = Traits(playable=False, random_above=MOST_SAMPLES)
    inks = parts.INKS | {
        "likeliest": RoleInk(fill=ACCENT, width=1.2, symbol="plus", size=15.0, halo=CANVAS),
        "likeliest of all": RoleInk(fill=ACCENT, width=1.2, symbol="diamond", size=13.0, halo=CANVAS),
        "uncertainty": RoleInk(fill=Tone("faint")),
        "uncertainty line": RoleInk(Tone(pale=0.15), width=1.0, dash="dashed"),
    }

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[GaussianProcessModel]:
        """Yield the posterior at last; with many samples, before it a draft by few of them, again and again."""
        problem = GaussianProcessProblem.given(self, X, y, sample_weight)
        n = len(problem.X)
        if (model := problem.in_features()) is not None:
            yield model
        elif problem.many:
            yield problem.in_centers(problem.moments(rng, most_centers(n)))
        elif n > _MANY:
            draft = problem.in_centers(problem.moments(rng, CENTERS[0]))
            yield draft
            yield (yield from meanwhile(draft, problem.in_samples()))
        else:
            yield finished(problem.in_samples())

    def follower(self) -> Follower:
        """One that keeps the sums over very many samples."""
        return GaussianProcessFollower()

    def code(self, model: GaussianProcessModel) -> Code:
        """GaussianProcessRegressor, its hyperparameters as they are."""
        return code_of(self)
