"""Kernel principal component analysis (Schölkopf, Smola and Müller 1998, doi:10.1162/089976698300017467)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.base import Code, Traits
from mlviz.algorithms.components.kernel_pca.model import KernelPCAModel, KernelPCAProblem
from mlviz.algorithms.kernels.parameters import MOST_SAMPLES, KernelMethod
from mlviz.algorithms.traits import Trial
from mlviz.draw.inks import TEXT, RoleInk, Scale, Tone
from mlviz.draw.layer import Context, OnField, chart, overlay
from mlviz.draw.marks import Mark, Points
from mlviz.draw.numbers import drawn_part, format_number
from mlviz.draw.overlays import gram
from mlviz.draw.overlays.regions import shaded_values
from mlviz.draw.overlays.scree import scree_plot
from mlviz.draw.plot import Plot
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.sampling import spread_subsample
from mlviz.spec import integer

_RINGS = {"kernel": "polynomial", "degree": 2, "component": 3}
_MOST_POINTS = 2000
"""More samples are not told apart in the scores plot."""


@overlay(
    "score field",
    "score field",
    "the score of each place along the component shown, as a shade with lines of equal score",
)
def score_field(model: KernelPCAModel, context: OnField) -> Sequence[Mark]:
    reach = format_number(model.reach, 2)
    label = f"score along component {model.component}, {format_number(-model.reach, 2)} to {reach}"
    return shaded_values(context, -model.reach, model.reach, label, "equal score", role="score")


@chart("scores", "scores")
def scores_chart(model: KernelPCAModel, context: Context) -> Plot | None:
    """The samples by their scores along the first component and the one shown, or the first two."""
    if len(model.explained_variance) < 2:
        return None
    across, up = 0, max(model.component, 2) - 1
    rows = spread_subsample(context.X, _MOST_POINTS)
    scores = model.transform(context.X[rows])[:, [across, up]]
    codes = np.zeros(len(rows), dtype=np.intp) if context.labels is None else context.labels[rows]
    marks: list[Mark] = [
        Points(f"dot {code}", scores[codes == code], label=context.names.of_class(code))
        for code in np.unique(codes).tolist()
    ]
    if context.probe is not None:
        place = model.transform(context.probe[None])[:, [across, up]]
        marks.append(Points("now", place, label="the place pointed at"))
    of = "" if len(rows) == len(context.X) else f" of {drawn_part(len(rows), len(context.X))}"
    x_label, y_label = (f"component {k + 1}" for k in (across, up))
    return Plot("scores", f"Scores{of}", x_label, y_label, tuple(marks))


@chart("scree", "scree plot")
def scree_chart(model: KernelPCAModel, context: Context) -> Plot | None:
    """The variances of the components that were found."""
    return scree_plot(model.explained_variance, model.total_variance)


@dataclass(frozen=True)
class KernelPCA(KernelMethod):
    """Principal components in the space into which a kernel maps.

    Principal component analysis looks for straight directions in which the samples vary most. Here each sample x is
    mapped to its image φ(x) first, and the directions are looked for among the images. Only products of images are
    needed, and these are the kernel: k(x, x') = φ(x)·φ(x'). Counted from the mean of all images, the products are

        c(x, x') = k(x, x') − m(x) − m(x') + M

    where m(x) is the mean of k(x, xⱼ) over the samples j, and M the mean of m: the centred kernel. Let λ be an
    eigenvalue of the matrix C of all c(xᵢ, xⱼ), and u its eigenvector of length 1. The score of a place along that
    component, which is the coordinate of its image, is

        f(x) = Σᵢ αᵢ c(xᵢ, x),  αᵢ = uᵢ / √λ

    The variance of the samples' scores is λ / (n − 1), and it is the largest that a direction at a right angle to the
    components before can have. The number of components is not limited by the number of inputs: there may be as many
    as there are samples, less one. With the linear kernel they are the usual principal components.

    In the picture: the score along one component, as a shade with lines of equal score; "component" says which one.
    With the linear kernel these lines are straight, at right angles to the component. With the Gaussian kernel they
    follow the samples: the first components separate groups that lie far apart, the later ones divide each group. With
    a narrow kernel all samples are equally unlike, the variances become equal, and a component is a bump on a few
    samples. The side plots show the samples by their scores, where groups that were entangled may be apart, and the
    variances, with the share of the total that is explained so far.

    Point at a place for its scores. Of the Gaussian kernel, fitted to all samples, there is also its pre-image: the
    components up to the one shown keep a part of its image φ(x), its projection, and the pre-image is the place whose
    own image is nearest to that. It is found uphill from the place itself, so that there may be a nearer one elsewhere.
    Noise that the components leave out is gone from it.

    The sense of a component is arbitrary: here its scores grow along the input with which they vary most, and where
    they vary with none the largest one is positive. Samples count as often as their weights say.

    With more than 3000 samples the components are those in the features of a few centres, which together represent the
    kernel as well as they can (Nyström's approximation). The line under the picture then says so. Linear kernels and
    polynomial ones of few terms are exact for any number of samples.

    B. Schölkopf, A. Smola and K.-R. Müller, Nonlinear component analysis as a kernel eigenvalue problem, Neural
    Computation 10 (1998), 1299-1319, doi:10.1162/089976698300017467.
    """

    id = "kernel-pca"
    label = "kernel principal component analysis"
    family = "Dimensionality reduction"
    tasks = ("decomposition",)
    main = "component"
    trials = (
        Trial("component 3 separates the inner ring from the outer one", "circles", _RINGS),
        Trial("with a narrow kernel a component is a bump on a few points", "circles", {"sigma": 0.1}),
    )
    overlays = (score_field,)
    charts = (scores_chart, scree_chart, gram.profile_chart, gram.gram_chart)
    traits = Traits(playable=False, random_above=MOST_SAMPLES)
    inks = {"score": RoleInk(scale=Scale(Tone("unlike"), TEXT, strongest=0.5))}

    component: int = integer(1, soft=(1, 8), valid=(1, 50), help="number of the component whose scores are shown")

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[KernelPCAModel]:
        """Yield the components at last; with many samples, before them a draft, again and again."""
        yield from KernelPCAProblem.given(self, X, sample_weight, self.component).models(rng)

    def code(self, model: KernelPCAModel) -> Code:
        """KernelPCA; its eigenvalues are n − 1 times the variances, and its signs may be the other ones."""
        k = len(model.explained_variance)
        imports = ("from sklearn.decomposition import KernelPCA",)
        return Code(
            imports, (f"KernelPCA(n_components={k}, {self.kernel_code(laplacian_known=False)})",), result="eigenvalues_"
        )
