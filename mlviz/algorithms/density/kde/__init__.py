"""Kernel density estimation (Rosenblatt 1956, doi:10.1214/aoms/1177728190; Parzen 1962)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from mlviz.algorithms.base import Algorithm, CannotFit, Code, Traits
from mlviz.algorithms.checking import refuse_distant
from mlviz.algorithms.density.kde.model import KernelDensityModel
from mlviz.algorithms.density.kde.pictures import (
    contours,
    curve_chart,
    density_field,
    height,
    likelihood_chart,
    outliers,
)
from mlviz.algorithms.traits import Trial
from mlviz.draw.inks import CANVAS, RoleInk, Scale, Tone
from mlviz.draw.numbers import drawn_part, number
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.density.gridded_density import GRIDDED, GriddedDensity
from mlviz.numerics.density.kernel_density import KERNELS, KernelDensity
from mlviz.numerics.density.kernel_width import (
    SCOTT,
    SILVERMAN,
    LeftOutLikelihood,
    of_all,
    paired_samples,
    rule_of_thumb,
)
from mlviz.numerics.pauses import meanwhile
from mlviz.numerics.sampling import spread_subsample
from mlviz.spec import choice, real

_FIXED, _LIKELIHOOD = "fixed width", "likelihood"
_MOST_VALUES, _FEWEST_SAMPLES = 100_000_000, 500
"""So many kernel values, at all samples, take half a second; no fewer samples than these are drawn for them."""
MOST_SAMPLES = 2000
"""The density of more samples is worked out on a lattice; where there is none in so many inputs, so many are used."""
_SKLEARN = {"gaussian": "gaussian", "epanechnikov": "epanechnikov", "uniform": "tophat", "triangular": "linear"}


@dataclass(frozen=True)
class KernelDensityEstimation(Algorithm):
    """A density made of a small bump about each sample: where samples are many, the bumps add up.

    The estimate is p(x) = Σᵢ wᵢ K(|x − xᵢ| / h) / (W hᵈ), with the width h, d inputs, the samples' weights wᵢ (1 unless
    weights are given) and their sum W. Up to a factor that makes its integral 1, the kernel K(r) is

        Gaussian      exp(−r²/2)
        Epanechnikov  1 − r² up to r = 1, then 0
        uniform       1 up to r = 1, then 0
        triangular    1 − r up to r = 1, then 0
        biweight      (1 − r²)² up to r = 1, then 0

    The shape of the kernel matters little, the width a lot: a small one leaves a bump on each sample, a large one
    smooths all into one. It can be chosen by hand; by a rule of thumb, which knows only the number n of samples and
    their spread s, the root of the mean variance of the inputs, and suits one round cloud: Scott takes
    h = s n^(−1/(d + 4)), Silverman s (4/((d + 2) n))^(1/(d + 4)), for other kernels than the Gaussian so much more that
    they smooth as much; or by the likelihood. Since each sample has its own bump upon it, the likelihood of the samples
    grows without bound as h goes to 0. So the density at each is taken from the bumps of all others, and that width is
    chosen for which Σᵢ wᵢ log p₋ᵢ(xᵢ) is largest: cross-validation that leaves out one sample at a time. Kernels that
    end can't be so narrow that a sample is out of reach of all others, so a single far one makes all of them wide.

    In the picture the shade is the density, and lines join places of equal density. Outside the dotted line the density
    is low: of what the estimate itself would draw, only the outlier share would lie there. A sample is ringed as an
    outlier where its leave-one-out density is so low; its own bump would hide that it is alone. The side plot shows the
    leave-one-out likelihood over the width; drag the line. With one input, the density is a curve above the lower rim
    of the picture, as high as the legend says; a side plot shows it with the bumps that it is the sum of.

    B. W. Silverman, Density Estimation for Statistics and Data Analysis, 1986. D. W. Scott, Multivariate Density
    Estimation, 1992, doi:10.1002/9780470316849. E. Parzen, On estimation of a probability density function and mode,
    1962, doi:10.1214/aoms/1177704472.
    """

    id = "kde"
    label = "kernel density estimate"
    family = "Density estimation"
    tasks = ("density estimation",)
    main = "width"
    trials = (
        Trial("a bump upon each point: the width is too small", "blobs", {"width": 0.12}),
        Trial("one hill for all clouds: the width is too large", "blobs", {"width": 2.0}),
        Trial("the arc of each moon, which no Gaussian has", "moons", {"selection": "likelihood"}),
    )
    traits = Traits(playable=False)
    overlays = (density_field, height, contours, outliers)
    charts = (curve_chart, likelihood_chart)
    inks = {
        "density field": RoleInk(scale=Scale(low=CANVAS)),
        "density curve": RoleInk(Tone("curve"), width=2.4, halo=CANVAS),
        "density area": RoleInk(Tone("high", opacity=0.0), Tone("high", opacity=0.25), width=1.0),
    }

    kernel: str = choice(
        *KERNELS, help="the shape of the bump about each sample", aliases={"tophat": "uniform", "linear": "triangular"}
    )
    selection: str = choice(
        _FIXED,
        SCOTT,
        SILVERMAN,
        _LIKELIHOOD,
        label="choice of h",
        help="whether the width is given, follows from number and spread of the samples by a rule of thumb, or "
        "maximizes the leave-one-out likelihood",
        aliases={"width by hand": _FIXED, "scott": SCOTT, "silverman": SILVERMAN},
    )
    width: float = real(
        0.5,
        soft=(0.05, 5.0),
        valid=(1e-9, 1e9),
        log=True,
        label="h",
        help="how wide the bumps are: the standard deviation of a Gaussian, the radius of the others",
        when=("selection", (_FIXED,)),
    )
    outlier_share: float = real(
        0.01,
        soft=(1e-3, 0.2),
        valid=(1e-3, 0.5),
        log=True,
        label="outlier share",
        help="a density counts as low where only this share of what the estimate itself would draw has a lower one",
    )

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[KernelDensityModel]:
        """The estimate; before it, while the likeliest width is looked for, that of a rule of thumb."""
        refuse_distant(X)
        weights = np.ones(len(X)) if sample_weight is None else sample_weight
        if self.selection == _FIXED:
            yield from self._with_densities(self._model(X, weights, self.width))
            return
        width = rule_of_thumb(X, weights, self.kernel, SILVERMAN if self.selection == _LIKELIHOOD else self.selection)
        if not width > 0:
            raise CannotFit("All samples are at one place, so that no rule tells a width: choose it by hand.")
        if self.selection != _LIKELIHOOD:
            yield from self._with_densities(self._model(X, weights, width, f"h = {number(width)}"))
            return
        near, counts = paired_samples(X, weights)
        likelihood = LeftOutLikelihood(near, counts, self.kernel)
        if likelihood.unbounded:
            raise CannotFit(
                "Each sample has an equal one, so that ever smaller widths are ever likelier: choose it by hand."
            )
        scale = of_all(len(near), weights, X.shape[1])
        width = yield from meanwhile(self._model(X, weights, width, most=_FEWEST_SAMPLES), likelihood.largest())
        of = "" if scale == 1 else f" by {drawn_part(len(near), int(np.count_nonzero(weights)))}"
        yield from self._with_densities(self._model(X, weights, width * scale, f"h = {number(width * scale)}{of}"))

    def _with_densities(self, model: KernelDensityModel) -> Iterator[KernelDensityModel]:
        """The model; where some samples stand for very many, again and again until the density is known at each."""
        yield model
        if model.sampled:
            known = yield from meanwhile(model, model.estimate.log_densities(model.X))
            yield replace(model, at_samples=known)

    def _model(
        self, X: Array, weights: Array, width: float, chosen: str = "", most: int = MOST_SAMPLES
    ) -> KernelDensityModel:
        """The model for a width, by `most` samples; `chosen` says which width it is, where that is not by hand."""
        rows, caveat, gridded = np.flatnonzero(weights > 0), "", None
        many = len(rows) > MOST_SAMPLES
        if many and X.shape[1] not in GRIDDED:
            most = int(np.clip(_MOST_VALUES // len(rows), _FEWEST_SAMPLES, most))
            caveat = f"with {drawn_part(most, len(rows))}"
            rows = rows[spread_subsample(X[rows], most)]
        # What is drawn from the estimate does not depend on the order of the samples.
        rows = rows[np.lexsort((weights[rows], *X[rows].T[::-1]))]
        estimate = KernelDensity(X[rows], weights[rows], self.kernel, width)
        if many and X.shape[1] in GRIDDED:
            gridded = GriddedDensity.of(estimate)
            apart = " and ".join(dict.fromkeys(map(number, gridded.spacing.tolist())))
            caveat = f"on a lattice, {apart} apart"
        return KernelDensityModel(
            estimate=estimate,
            gridded=gridded,
            X=X,
            weights=weights,
            outlier_share=self.outlier_share,
            caveat="; ".join(filter(None, (chosen, caveat))),
        )

    def code(self, model: KernelDensityModel) -> Code | None:
        """KernelDensity of that width; it has no biweight."""
        if self.kernel not in _SKLEARN:
            return None
        made = f'KernelDensity(kernel="{_SKLEARN[self.kernel]}", bandwidth={float(model.width)!r})'
        return Code(("from sklearn.neighbors import KernelDensity",), (made,), (), "bandwidth_")
