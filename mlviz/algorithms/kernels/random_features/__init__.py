"""Ridge regression on random Fourier features (Rahimi and Recht 2007)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from mlviz.algorithms.base import Algorithm, Code, Traits
from mlviz.algorithms.checking import is_classes, refuse_larger
from mlviz.algorithms.kernels.feature_regression import SOON, Targets, fitting, told_rough
from mlviz.algorithms.kernels.parameters import gamma_text, strength
from mlviz.algorithms.kernels.random_features import pictures
from mlviz.algorithms.kernels.random_features.model import Approximation, RandomFeaturesModel, RandomFeaturesScores
from mlviz.algorithms.traits import Trial, always
from mlviz.draw.numbers import drawn_part
from mlviz.draw.overlays import regions
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.kernels.base import Gaussian, Laplacian
from mlviz.numerics.kernels.random_features import SEEDS, RandomFeatures, SpectralKernel
from mlviz.numerics.linalg.ridge import WeightedRows
from mlviz.numerics.pauses import Work, finished, meanwhile
from mlviz.numerics.sampling import spread_subsample
from mlviz.spec import choice, integer, real

_KERNELS: dict[str, Any] = {"gaussian": Gaussian, "laplacian": Laplacian}
_MOST_PRODUCTS = 10_000_000_000
"""Some of the samples are fitted where all of them would take more products than this: about a second's."""
_DRAFT = 30
"""So many features are in a draft."""


@dataclass(frozen=True)
class RandomFourierFeatures(Algorithm):
    """Ridge regression on random waves, which together are nearly a kernel.

    m waves zⱼ(x) = √(2/m) cos(ωⱼ·x + βⱼ), with random frequencies ωⱼ and phases βⱼ, take the place of the inputs:

        f(x) = Σⱼ wⱼ zⱼ(x) + b,    minimise  (1/n) Σ (yᵢ − f(xᵢ))² + λ |w|²

    The offset b is not penalised. A kernel of the difference of two places is a mean of waves over its frequencies
    (Bochner's theorem), so that the product z(x)·z(x') is k(x, x') on average over all draws, and differs from it by
    C/√m or so: four times as many waves halve the error. For the Gaussian kernel exp(−|x − x'|²/(2σ²)) each frequency
    is normal with standard deviation 1/σ; for the Laplacian one exp(−|x − x'|₁/σ), with the city-block distance, it has
    Cauchy's distribution.

    What it is good for: kernel ridge regression needs n equations and all n samples to predict, this method only m
    equations and m waves, however many samples there are. Effective parameters come near those of the kernel as m
    grows. Classes are numbers, as in regularized least squares: ±1 for two, else one function per class with 1 and 0.

    In the picture the dashed line is kernel ridge regression with the kernel itself, the same σ and the same λ, for up
    to 500 samples: on the plane its boundary between two classes. Between the samples both agree with fewer waves than
    beyond them: a kernel falls back to the offset there, waves go on. Move m, and waves are added to those that are
    there already; the seed draws others.

    In the side plots: the error of the kernel over all pairs of samples against m, beside the error to be expected,
    both axes logarithmic, where m can be dragged; the Gram matrix, above its diagonal by the kernel, below it by the
    waves; the waves times their weights, or with two inputs their frequencies.

    Where all samples would take too long, only some of them are fitted; the line under the picture then says so.

    Reference: A. Rahimi and B. Recht, Random features for large-scale kernel machines, Advances in Neural Information
    Processing Systems 20 (2007), 1177-1184.
    """

    id = "random-features"
    label = "random Fourier features"
    family = "Regression"
    tasks = ("classification", "regression")
    main = "n_components"
    trials = (
        Trial("five waves: the curve is far from that of the kernel itself", "sine", {"n_components": 5}),
        Trial("a hundred waves, and both curves are nearly one", "sine", {"n_components": 100}),
        Trial("a boundary made of waves beside that of the kernel", "moons", {"n_components": 30}),
    )
    overlays = (
        regions.regions,
        regions.value_field,
        regions.targets,
        regions.boundary,
        pictures.exact_boundary,
        regions.residuals,
        regions.curve,
        pictures.exact_curve,
        regions.misclassified,
    )
    charts = (pictures.error_chart, pictures.gram_chart, pictures.waves_chart, pictures.frequencies_chart)
    traits = Traits(random=always, playable=False)
    inks = pictures.INKS

    n_components: int = integer(
        100, soft=(1, 500), valid=(1, 5000), label="m", help="number of random features, each of which is a wave"
    )
    kernel: str = choice(*_KERNELS, help="which kernel the features approximate")
    sigma: float = real(
        1.0,
        soft=(0.05, 20.0),
        valid=(1e-9, 1e9),
        log=True,
        label="σ",
        help="width of the kernel: the waves are as long as it is wide, or longer",
        equivalent=lambda owner, n: gamma_text(owner.kernel, owner.sigma),
    )
    lambda_: float = strength("strength of the penalty: large for a calm function, small for small residuals")

    def kernel_function(self) -> SpectralKernel:
        """The kernel that is approximated."""
        kernel: SpectralKernel = _KERNELS[self.kernel](self.sigma)
        return kernel

    def code(self, model: RandomFeaturesModel | RandomFeaturesScores) -> Code:
        """The very same waves, drawn from the same seeds, and Ridge: RBFSampler would draw others."""
        fit = "RidgeClassifier" if isinstance(model, RandomFeaturesScores) else "Ridge"
        approximation = model.approximation
        m, (first, second) = approximation.m, approximation.seeds
        shape = f"({m}, {approximation.X.shape[1]})"
        unit = f"normal(size={shape})" if self.kernel == "gaussian" else f"standard_cauchy({shape})"
        before = (
            "# as RBFSampler does, by other random numbers",
            f"W = np.random.default_rng({first}).{unit} / {self.sigma!r}",
            f"b = np.random.default_rng({second}).uniform(0, 2 * np.pi, {m})",
            "def waves(X):",
            f"    return np.sqrt(2 / {m}) * np.cos(X @ W.T + b)",
        )
        imports = (
            f"from sklearn.linear_model import {fit}",
            "from sklearn.preprocessing import FunctionTransformer",
        )
        return Code(imports, ("FunctionTransformer(waves)", f"{fit}(alpha=len(y) * {self.lambda_!r})"), before)

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[RandomFeaturesScores | RandomFeaturesModel]:
        """Yield the minimum at last; where it takes a while, before it one with few features, again and again."""
        given = Targets.given(X, y, sample_weight, y is not None and is_classes(self, y))
        refuse_larger(given.X)
        seeds = (int(rng.integers(SEEDS)), int(rng.integers(SEEDS)))
        n, m = len(given.X), self.n_components
        if n * m * min(n, m) > SOON and m > _DRAFT:
            draft = finished(self._fitted(given, seeds, _DRAFT, "a draft with few features"))
            yield draft
            yield (yield from meanwhile(draft, self._fitted(given, seeds, m)))
        else:
            yield finished(self._fitted(given, seeds, m))

    def _fitted(self, given: Targets, seeds: tuple[int, int], m: int, told: str = "") -> Work[Any]:
        n = len(given.X)
        most = max(min(n, m), _MOST_PRODUCTS // (m * min(n, m)))
        if most < n:
            given = given.some(spread_subsample(given.X, most))
            told = told or f"fitted to {drawn_part(most, n)}"
        kernel = self.kernel_function()
        features, X = RandomFeatures.drawn(kernel, m, given.X.shape[1], seeds), given.X
        rows = WeightedRows(lambda part: features.values(X[part]), given.share, m)
        solution = yield from fitting(rows, given.targets, self.lambda_)
        approximation = Approximation(kernel, features, seeds, X, given.targets, given.share, self.lambda_)
        caveat = "; ".join(filter(None, (told, told_rough(solution))))
        functions = tuple(
            RandomFeaturesModel(X=X, solution=solution, column=t, caveat=caveat, approximation=approximation)
            for t in range(given.targets.shape[1])
        )
        if given.classes is None or given.codes is None:
            return functions[0]
        return RandomFeaturesScores(functions=functions, classes=given.classes, codes=given.codes)
