"""Networks of radial basis functions (Broomhead and Lowe 1988; Moody and Darken 1989)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from mlviz.algorithms.base import Algorithm, CannotFit, Code, Traits, format_array
from mlviz.algorithms.checking import is_classes, refuse_larger
from mlviz.algorithms.kernels.feature_regression import SOON, Targets, fitting, told_rough
from mlviz.algorithms.kernels.parameters import strength
from mlviz.algorithms.kernels.rbf_network import pictures
from mlviz.algorithms.kernels.rbf_network.centers import (
    MOST_CENTERS,
    MOST_GROUPED,
    Centers,
    centers_by_kmeans,
    every_sample,
    mean_distance,
    some_samples,
)
from mlviz.algorithms.kernels.rbf_network.model import RBFNetworkModel, RBFNetworkScores
from mlviz.algorithms.traits import Trial, where
from mlviz.draw.overlays import regions, slices
from mlviz.numerics.arrays import AnyArray, Array, middle_row
from mlviz.numerics.distances import length_of
from mlviz.numerics.grid import far_away
from mlviz.numerics.kernels.base import Gaussian
from mlviz.numerics.kernels.expansion import Expansion
from mlviz.numerics.kernels.radial import InverseMultiquadric, Multiquadric, NormalizedExpansion, ThinPlate, shares
from mlviz.numerics.linalg.ridge import WeightedRows
from mlviz.numerics.pauses import Work, finished, meanwhile
from mlviz.spec import choice, flag, integer, real
from mlviz.spec.brief import Brief

_KMEANS, _SAMPLES = "k-means", "all samples"
_FIXED, _RULE = "fixed width", "mean distance"
_FALLING: dict[str, Any] = {"gaussian": Gaussian, "inverse multiquadric": InverseMultiquadric}
"""The functions that fall to 0, which may be shares of their sum."""
_RADIAL: dict[str, Any] = {**_FALLING, "multiquadric": Multiquadric, "thin plate": ThinPlate}
_LARGEST = 1e100
"""Larger values of a radial function have no squares to be added up."""
_GROUPED_SOON = 50_000
"""So many distances at each of its steps, and k-means takes a while."""
_DRAFT = 50
"""So many of the centres are in a draft."""


@dataclass(frozen=True, eq=False)
class RadialFunctions(Brief):
    """The radial functions at the samples' places (n, d): all those of some of the rows."""

    kernel: Any
    places: Array
    centers: Array
    """(m, d)."""
    divided: bool
    """Whether they are shares of their sum."""

    def __call__(self, rows: slice) -> Array:
        """Those of the rows, (q, m)."""
        if self.divided:
            return shares(self.kernel, self.places[rows], self.centers)
        return np.asarray(self.kernel.matrix(self.places[rows], self.centers))


@far_away
def _refuse_large(kernel: Any, X: Array) -> None:
    """Raise `CannotFit` where the radial function may be too large between samples X (n, d)."""
    farthest = np.array([[length_of(np.ptp(X, axis=0))]])
    if not abs(float(kernel.matrix(np.zeros((1, 1)), farthest)[0, 0])) < _LARGEST:
        raise CannotFit("The radial functions grow too large so far from their centres: standardize, or raise σ.")


@dataclass(frozen=True)
class RBFNetwork(Algorithm):
    """A sum of bumps at a few places, each times a weight of its own; the weights are found by ridge regression.

        f(x) = Σⱼ wⱼ φ(|x − cⱼ| / σ) + b,    minimise  (1/n) Σ (yᵢ − f(xᵢ))² + λ |w|²

    A network of two layers: the first one is the basis functions, whose centres cⱼ and width σ are chosen without a
    look at the targets; the second one is linear in the weights w, so that they solve linear equations. The offset b is
    not penalised. Functions of the distance, r being |x − cⱼ| / σ:

        Gaussian              exp(−r²/2)
        inverse multiquadric  1 / √(1 + r²)
        multiquadric          √(1 + r²)
        thin plate            r² log r

    The last two grow with the distance: each weight matters everywhere. Centres are the means of k clusters (k-means,
    started at random) or all samples, a place with several samples once. The width is given by hand, or is the mean
    distance from a centre to the nearest other one (Moody and Darken). With a narrow one the function falls back to b
    between the centres, with a wide one all bumps look alike, and large weights of both signs must cancel.

    Normalized, each basis function is divided by the sum of all at that place. They are then shares that add up to 1,
    also far from all centres, and f is a weighted mean of the values wⱼ + b: as of Nadaraya and Watson (Parzen
    windows), but with fitted values in place of targets. Its penalty makes the weights add up to 0.

    With all samples as centres f has the form of kernel ridge regression, Σ wⱼ k(cⱼ, x) + b, and another penalty: |w|²
    in place of w·Kw. It is kernel ridge regression with the kernel Σⱼ φ(|x − cⱼ|) φ(|x' − cⱼ|), and so is calmer at the
    same λ. Classes are numbers, as in regularized least squares: ±1 for two, else one function per class with 1 and 0.

    In the picture, with one input: thin lines are the basis functions times their weights, standing on the offset; the
    curve is their sum, and crosses are the centres. On the plane, a dashed circle of radius σ surrounds each centre.
    Beside it: the basis functions without their weights, the weights as bars, and φ over the distance, where σ can be
    dragged and dots tell how far from each other centres are.

    With more than 500 different samples, some of them are the centres; the line under the picture then says so.

    Reference: D. S. Broomhead and D. Lowe, Multivariable functional interpolation and adaptive networks, Complex
    Systems 2 (1988), 321-355; J. Moody and C. J. Darken, Fast learning in networks of locally-tuned processing units,
    Neural Computation 1 (1989), 281-294, doi:10.1162/neco.1989.1.2.281.
    """

    id = "rbf-network"
    label = "RBF network"
    family = "Regression"
    tasks = ("classification", "regression")
    main = "n_clusters"
    trials = (
        Trial("the curve, and the bumps of which it is the sum", "sine", {"n_clusters": 8}),
        Trial(
            "as many bumps as points: the curve bends to most of them",
            "sine",
            {"centers": _SAMPLES, "sigma": 0.2, "lambda_": 1e-6},
        ),
        Trial("a boundary made of a few bumps", "moons"),
    )
    overlays = (
        regions.regions,
        regions.value_field,
        pictures.bumps,
        regions.targets,
        regions.boundary,
        regions.residuals,
        regions.curve,
        slices.line,
        regions.misclassified,
        pictures.circles,
        pictures.crosses,
    )
    charts = (slices.slice_chart, pictures.basis_chart, pictures.weights_chart, pictures.profile_chart)
    traits = Traits(random=where("centers", _KMEANS), playable=False)
    inks = pictures.INKS

    centers: str = choice(
        _KMEANS,
        _SAMPLES,
        label="centres",
        help="where the radial functions stand: at the centres of k clusters, or at every sample",
    )
    n_clusters: int = integer(
        10, soft=(1, 50), valid=(1, 300), label="k", help="number of centres", when=("centers", (_KMEANS,))
    )
    basis: str = choice(
        *_RADIAL, label="radial function", help="how a basis function changes with the distance from its centre"
    )
    normalized: bool = flag(
        False,
        help="whether each basis function is divided by the sum of all, so that they are shares that add up to 1",
        when=("basis", tuple(_FALLING)),
    )
    width: str = choice(
        _FIXED,
        _RULE,
        label="choice of σ",
        help="whether σ is given, or is the mean distance from a centre to the nearest other one",
        aliases={"width by hand": _FIXED},
    )
    sigma: float = real(
        1.0,
        soft=(0.05, 20.0),
        valid=(1e-9, 1e9),
        log=True,
        label="σ",
        help="width of the basis functions: how far a centre's influence reaches",
        when=("width", (_FIXED,)),
    )
    lambda_: float = strength("strength of the penalty: large for a calm function, small for small residuals")

    def code(self, model: RBFNetworkModel | RBFNetworkScores) -> Code | None:
        """KMeans gives the distances to the centres; Ridge finds the weights of a function of them."""
        if model.network.some:
            return None
        k, fit = len(model.network.places), "RidgeClassifier" if isinstance(model, RBFNetworkScores) else "Ridge"
        start = f"init={format_array(model.network.places)}, n_init=1" if self.centers == _KMEANS else "random_state=0"
        nearest = " - r.min(axis=1, keepdims=True) ** 2" if self.divided else ""
        formulas = {
            "gaussian": f"np.exp(-(r**2{nearest}) / 2)" if nearest else "np.exp(-r**2 / 2)",
            "inverse multiquadric": "1 / np.sqrt(1 + r**2)",
            "multiquadric": "np.sqrt(1 + r**2)",
            "thin plate": "r**2 * np.log(np.maximum(r, 1e-150))",
        }
        before = (
            "def basis(distances):  # from the centres",
            f"    r = distances / {model.width!r}",
            f"    phi = {formulas[self.basis]}",
            f"    return phi{' / phi.sum(axis=1, keepdims=True)' if self.divided else ''}",
        )
        imports = (
            "from sklearn.cluster import KMeans",
            f"from sklearn.linear_model import {fit}",
            "from sklearn.preprocessing import FunctionTransformer",
        )
        steps = (f"KMeans({k}, {start})", "FunctionTransformer(basis)", f"{fit}(alpha=len(y) * {self.lambda_!r})")
        return Code(imports, steps, before)

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[RBFNetworkScores | RBFNetworkModel]:
        """Yield the minimum at last; where it takes a while, before it one with few centres, again and again."""
        given = Targets.given(X, y, sample_weight, y is not None and is_classes(self, y))
        refuse_larger(given.X)
        if self._takes_long(len(given.X)):
            draft = finished(self._network(given, some_samples(given.X, _DRAFT)))
            yield draft
            yield (yield from meanwhile(draft, self._fitted(given, rng)))
        else:
            yield finished(self._fitted(given, rng))

    def _fitted(self, given: Targets, rng: np.random.Generator) -> Work[Any]:
        return (yield from self._network(given, (yield from self._chosen(given, rng))))

    def _takes_long(self, n: int) -> bool:
        if self.centers == _SAMPLES:
            return n * min(n, MOST_CENTERS) ** 2 > SOON
        k = min(n, self.n_clusters)
        return n * k**2 > SOON or min(n, MOST_GROUPED) * k > _GROUPED_SOON

    def _chosen(self, given: Targets, rng: np.random.Generator) -> Work[Centers]:
        if self.centers == _SAMPLES:
            return every_sample(given.X)
        return (yield from centers_by_kmeans(given.X, given.weights, self.n_clusters, rng))

    @property
    def divided(self) -> bool:
        """Whether the basis functions are shares of their sum."""
        return self.normalized and self.basis in _FALLING

    def _network(self, given: Targets, centers: Centers) -> Work[Any]:
        X, origin = given.X, middle_row(given.X)
        width = self.sigma if self.width == _FIXED else mean_distance(centers, X)
        kernel = _RADIAL[self.basis](width)
        _refuse_large(kernel, X)
        radial = RadialFunctions(kernel, X - origin, centers.places - origin, self.divided)
        solution = yield from fitting(
            WeightedRows(radial, given.share, len(centers.places)), given.targets, self.lambda_
        )
        caveat = "; ".join(filter(None, (centers.caveat, told_rough(solution))))
        kind = NormalizedExpansion if self.divided else Expansion
        offsets = solution.offset.tolist()
        expansions = [kind(kernel, radial.centers, w, origin, b) for w, b in zip(solution.coef.T, offsets, strict=True)]
        functions = tuple(
            RBFNetworkModel(
                X=X,
                solution=solution,
                column=t,
                caveat=caveat,
                network=centers,
                expansion=expansion,
                width=width,
            )
            for t, expansion in enumerate(expansions)
        )
        if given.classes is None or given.codes is None:
            return functions[0]
        return RBFNetworkScores(functions=functions, classes=given.classes, codes=given.codes)
