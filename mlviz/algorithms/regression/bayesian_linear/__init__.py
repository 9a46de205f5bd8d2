"""Bayesian linear regression: a Gaussian prior on the weights, and the posterior sample by sample."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np

from mlviz.algorithms.base import Code
from mlviz.algorithms.bases import BasisMethod
from mlviz.algorithms.basis_code import basis_code
from mlviz.algorithms.basis_pictures import places_on_canvas
from mlviz.algorithms.checking import weighted_rows
from mlviz.algorithms.regression.bayesian_linear import charts, pictures
from mlviz.algorithms.regression.bayesian_linear.model import FUNCTIONS_DRAWN, BayesianLinearModel, Samples
from mlviz.algorithms.regression.terms import Terms
from mlviz.algorithms.traits import Trial
from mlviz.draw.numbers import number
from mlviz.draw.overlays import bands, regions
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.linalg.gaussian_weights import SampleSpectrum
from mlviz.spec import choice, real

SHOWN_SINGLY = 100
"""So many samples come one at a time; beyond, each step brings a tenth more."""
_GROWTH = 1.1


@dataclass(frozen=True)
class BayesianLinear(BasisMethod):
    """All straight lines at once, each as probable as the samples make it.

    Bayesian linear regression takes the targets as yᵢ = w·φ(xᵢ) + b + noise, with normal noise of standard deviation
    σ. Before any sample the weights are normal about 0 with standard deviation τ, the prior N(0, τ² I). Each sample
    multiplies it by its likelihood, and what comes out is normal again, the posterior, with

        covariance  S = (ΦᵀΦ/σ² + I/τ²)⁻¹  and mean  m = S Φᵀy/σ²,

    where a row of Φ is (1, φ(xᵢ)) and I has no entry for the offset b: its prior is flat, nothing is known of it
    before the first sample and it is never pulled towards 0, as everywhere in this program. With the choice "normal
    prior of b" it has that of the weights, as in many books: then take targets that lie about 0.

    The function at a place x is normal as well: its mean is the curve, the inner band holds the function and the outer
    one a new target, which has the noise besides: the variances are φᵀSφ and φᵀSφ + σ². The inner band is narrow where
    there are samples, widens away from them, and shrinks as more come; the outer one is never narrower than the noise.

    In the picture: the bundle of thin curves are functions drawn from the posterior. They are drawn with the same
    random numbers all the time, so they bend smoothly under the hand. Play the steps: the first one is the prior, then
    the samples come one after the other, in the order in which they were drawn (beyond 100 a tenth more at a time).
    With a flat prior of b there are none at the first step: they might be at any height.
    Beside it, over (b, w) or over two weights, stand the contours of the prior, of the likelihood and of the posterior,
    their product. While the steps are played the stripe is the likelihood of the last sample alone: all lines that pass
    near that sample.

    What ridge regression and the lasso have to do with it: the most probable weights make
    (1/n) Σ (yᵢ − f(xᵢ))² + λ|w|² smallest with λ = σ²/(nτ²). With a Laplace prior of scale s, exp(−|w|₁/s), in place
    of the normal one they would be those of the lasso, with λ = 2σ²/(ns). The prior is the penalty.

    Noise and prior may also be chosen by the evidence: the probability density of the targets when the weights are
    averaged out. It is largest for a model that is flexible enough and no more. What is chosen so is chosen from all
    samples, for all steps; that it is itself uncertain the bands do not tell.

    Reference: Bishop, Pattern Recognition and Machine Learning (2006), sections 3.3 and 3.5; MacKay, Bayesian
    interpolation, Neural Computation 4 (1992) 415-447.
    """

    id = "bayesian-linear"
    label = "Bayesian linear regression"
    family = "Regression"
    tasks = ("regression",)
    main = "tau"
    trials = (
        Trial("play the steps: each sample turns the bundle of lines and shrinks the ellipse", "linear"),
        Trial(
            "the bands are wide where no samples are",
            "sine",
            {"basis": "polynomial", "degree": 9, "evidence": "σ and τ by evidence"},
        ),
    )
    overlays = (
        regions.value_field,
        bands.bands,
        pictures.functions,
        regions.residuals,
        regions.curve,
        places_on_canvas,
        pictures.unseen,
    )
    charts = charts.ALL
    inks = pictures.INKS

    offset: str = choice(
        pictures.FLAT,
        pictures.NORMAL,
        label="offset",
        help="what is known of b before the samples: nothing, or as much as of the weights",
    )
    evidence: str = choice(
        pictures.BY_HAND,
        "noise by evidence",
        "σ and τ by evidence",
        label="noise and prior",
        help="by evidence they are set to where the probability density of the targets is largest",
        aliases={"both by hand": "σ and τ by hand", "both by evidence": "σ and τ by evidence"},
    )
    noise: float = real(
        0.5,
        soft=(0.01, 10.0),
        valid=(1e-6, 1e9),
        log=True,
        label="σ of the noise",
        help="σ, the standard deviation of the noise of the targets",
        when=("evidence", (pictures.BY_HAND,)),
    )
    tau: float = real(
        1.0,
        soft=(0.01, 100.0),
        valid=(1e-6, 1e9),
        log=True,
        label="τ",
        help="standard deviation of each weight before the samples: small for calm functions",
        when=("evidence", (pictures.BY_HAND, "noise by evidence")),
    )

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[BayesianLinearModel]:
        """Yield the prior, then the posterior after each sample, in the given order."""
        samples = self._samples(X, y, rng, sample_weight)
        yield from map(partial(BayesianLinearModel, samples), _counts(len(samples.y)))

    def answer(
        self,
        X: Array,
        y: AnyArray | None,
        rng: np.random.Generator,
        sample_weight: Array | None,
        deadline: float = np.inf,
    ) -> BayesianLinearModel:
        """The posterior after all samples."""
        samples = self._samples(X, y, rng, sample_weight)
        return BayesianLinearModel(samples, len(samples.y))

    def _samples(self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None) -> Samples:
        """What all steps have in common: samples, noise, prior; raises `CannotFit`."""
        rows, X, target, weights = weighted_rows(X, y, sample_weight)
        y, terms = target.astype(np.float64, copy=False), Terms.of(self, X)
        design = terms.values(X)
        flat = self.offset == pictures.FLAT
        spectrum, noise, tau = SampleSpectrum.of_samples(design, y, weights, flat), self.noise, self.tau
        told = spectrum.size > 0 and spectrum.count > flat
        if told and self.evidence == "σ and τ by evidence" and spectrum.values.any():
            noise, tau = spectrum.best()
        elif told and self.evidence != pictures.BY_HAND:  # inputs that are all alike tell nothing of τ
            noise = spectrum.best_noise(tau)
        normal = rng.standard_normal((FUNCTIONS_DRAWN, len(terms) + 1))
        return Samples(
            terms,
            rows,
            design,
            y,
            weights,
            flat,
            noise,
            tau,
            self.evidence != pictures.BY_HAND,
            told,
            normal,
            spectrum,
        )

    def code(self, model: BayesianLinearModel) -> Code:
        """A Gaussian process whose kernel is that of the prior; with a flat offset the mean alone, by Ridge."""
        imports, steps, before = basis_code(self, model.samples.terms.basis)
        noise, tau = (float(number(value, 10)) for value in (model.samples.noise, model.samples.prior))
        if self.offset == pictures.FLAT:
            ridge = "from sklearn.linear_model import Ridge"
            return Code((ridge, *imports), (*steps, f"Ridge({noise!r}**2 / {tau!r}**2)"), before)
        process = (
            "from sklearn.gaussian_process import GaussianProcessRegressor",
            "from sklearn.gaussian_process.kernels import ConstantKernel, DotProduct",
        )
        kernel = f"ConstantKernel({tau!r}**2) * DotProduct(1.0)"
        fit = f"GaussianProcessRegressor({kernel}, alpha={noise!r}**2, optimizer=None)"
        return Code((*process, *imports), (*steps, fit), before)


@lru_cache
def _counts(n: int) -> tuple[int, ...]:
    """How many of n samples have come at each step."""
    counts = [0]
    while counts[-1] < n:
        counts.append(counts[-1] + 1 if counts[-1] < SHOWN_SINGLY else min(n, int(_GROWTH * counts[-1]) + 1))
    return tuple(counts)
