"""The kernel perceptron. Aizerman, Braverman and Rozonoer, Automation and Remote Control 25 (1964) 821-837."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from mlviz.algorithms.base import EPOCHS, Code, ModelFact, ScoreModel, Traits
from mlviz.algorithms.checking import refuse_larger
from mlviz.algorithms.kernels.parameters import KernelMethod, unit_of
from mlviz.algorithms.perceptrons.visits import VISITS_SHOWN_SINGLY, AfterVisit, most_epochs, visiting_order
from mlviz.algorithms.targets import stratified, two_classes
from mlviz.algorithms.traits import Trial, where
from mlviz.draw.layer import UNNAMED, Explanation, Names, opened
from mlviz.draw.marks import ways
from mlviz.draw.numbers import counted, drawn_part, number, signed, summed
from mlviz.draw.overlays import gram, online, regions, slices
from mlviz.numerics.arrays import AnyArray, Array, Labels, Rows, middle_row
from mlviz.numerics.convex.online_learning import MistakeLog, online_epochs
from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.base import Kernel
from mlviz.numerics.kernels.expansion import Expansion
from mlviz.spec.brief import Brief

MOST_SAMPLES = 3000
"""With more samples than this, some of them, drawn at random, stand for all; fewer where many models share the time."""
_PARTS = 4
"""So many binary models may learn from as many samples: the time goes by their squares."""
_NOTHING = 1e-12
"""Where f is as small as that, no sample reaches: its sign would be left to rounding."""
_ROUNDING = 1e-13
"""A smaller share of the sum of all parts is rounding, too: learning and answering add them in different orders."""
_ROWS = 250
"""So many rows of the kernel matrix are worked out at a time."""
_TOLD = 3
"""The samples with the largest part in f are told and shown, so many of them."""


@dataclass(frozen=True)
class KernelPerceptron(KernelMethod):
    """A perceptron that remembers its mistakes instead of weights.

    The perceptron adds y x to its weights at every mistake, so that w is a sum over the samples it was mistaken about.
    It is enough to count: with αᵢ mistakes on sample i so far,

        f(x) = Σ αᵢ yᵢ (k(xᵢ, x) + 1),    and after a mistake on sample i    αᵢ ← αᵢ + 1

    Only products of samples are needed, and a kernel k stands for them: the line becomes a curve, and a sample's
    neighbours are won over with it. The 1 makes the offset b = Σ αᵢ yᵢ. A round over all samples is an epoch; after one
    without a mistake it stops. With the linear kernel this is the perceptron, mistake by mistake. A Gaussian kernel
    separates any samples that differ, so that it always comes to an end, with a small σ soon: but such a curve follows
    every sample.

    In the picture: rings are the samples with α > 0, the larger the more mistakes; the number is α. All others have no
    part in f. The thick ring is the sample being visited; after a mistake the faint dashed line is the boundary before.
    Play the steps: each of the first 500 is one visit, later ones are whole epochs.

    With more than 3000 samples it learns from 3000 of them, drawn at random, and from fewer where several classes make
    many models. With more than 2500 it learns no more after 40,000 mistakes; the models of several classes, whose
    samples count together, share 45,000. The line under the picture says so.

    Reference: M. Aizerman, E. Braverman, L. Rozonoer, Theoretical foundations of the potential function method in
    pattern recognition learning, 1964.
    """

    id = "kernel-perceptron"
    label = "kernel perceptron"
    family = "Kernel classifiers"
    tasks = ("classification",)
    main = "sigma"
    trials = (
        Trial("play the steps: each mistake adds a bump", "circles"),
        Trial("much smaller bumps", "circles", {"sigma": 0.3}),
    )
    traits = Traits(random=where("order", "random order"), weighted=False, order_matters=True, multiclass=False)
    overlays = (
        regions.regions,
        online.former_boundary,
        regions.boundary,
        online.mistaken,
        online.counts,
        online.visited,
        regions.misclassified,
        slices.line,
    )
    charts = (online.mistakes_so_far_chart, online.mistakes_per_epoch_chart, slices.slice_chart, *gram.charts)

    order: str = visiting_order()
    max_iter: int = most_epochs()

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[KernelPerceptronModel]:
        """Yield the start, the model after each of the first visits, and then after each epoch."""
        assert y is not None
        classes, signs = two_classes(self.label, y)
        refuse_larger(X)
        most = round(MOST_SAMPLES * min(1.0, _PARTS / self.parts) ** 0.5)
        rows = np.arange(len(X)) if len(X) <= most else stratified(signs, most, rng)
        samples = KernelPerceptronTask(self, self.kernel_for(X), X, signs)
        n, diary = len(rows), MistakeLog()
        sums = _Sums(samples, rows)

        def order() -> Labels:
            return rows[rng.permutation(n)] if self.order == "random order" else rows

        given: dict[str, Any] = {"classes": classes, "samples": samples, "diary": diary, "used": n}
        start = KernelPerceptronModel(**given, mistakes=0, visit=None)
        yield start
        for _ in sums.prepare():
            yield start
        for visit in online_epochs(sums, diary, n, self.max_iter, order, VISITS_SHOWN_SINGLY, self.parts):
            yield KernelPerceptronModel(**given, mistakes=len(diary.rows), visit=visit)

    def code(self, model: KernelPerceptronModel) -> Code:
        """Perceptron on the kernel's features; as many of them as samples lose nothing."""
        imports = (
            "from sklearn.kernel_approximation import Nystroem",
            "from sklearn.linear_model import Perceptron",
        )
        how = "shuffle=False" if self.order == "given order" else "random_state=0"
        return Code(
            imports,
            (
                f"Nystroem({self.kernel_code()}, n_components=len(X))",
                f"Perceptron({how}, max_iter={self.max_iter}, tol=None)",
            ),
        )


@dataclass(frozen=True, eq=False)
class KernelPerceptronTask(Brief):
    """What the models of one fit share."""

    algorithm: KernelPerceptron
    kernel: Kernel
    X: Array
    signs: Array

    @cached_property
    def origin(self) -> Array:
        """Where places are counted from: the middle where the kernel does not mind, so that digits are kept."""
        return middle_row(self.X) if self.kernel.shift_invariant else np.zeros(self.X.shape[1])


class _Sums:
    """y f at each of the rows that take part, kept up to date."""

    def __init__(self, samples: KernelPerceptronTask, rows: Rows) -> None:
        self._kernel, self._Z, self._signs = samples.kernel, samples.X[rows] - samples.origin, samples.signs[rows]
        unit_of(self._kernel, self._Z)  # refuses values too large to compute with
        self._place = np.zeros(len(samples.X), dtype=np.intp)
        self._place[rows] = np.arange(len(rows))
        self._products, self._rounding = np.empty((len(rows), len(rows))), list[float]()
        self._sums, self._nothing = np.zeros(len(rows)), 2 * _NOTHING

    def prepare(self) -> Iterator[None]:
        """Work out the products yᵢ (k(xᵢ, xⱼ) + 1) yⱼ, some rows between two yields."""
        kernel, Z, signs = self._kernel, self._Z, self._signs
        for first in range(0, len(Z), _ROWS):
            here = slice(first, first + _ROWS)
            products = self._products[here] = signs[here, None] * (kernel.matrix(Z[here], Z) + 1) * signs
            self._rounding += (_ROUNDING * np.abs(products).max(axis=1)).tolist()
            yield

    def margins(self, rows: Rows) -> Array:
        return np.asarray(self._sums[self._place[rows]] - self._nothing)

    def learn(self, row: int) -> None:
        place = self._place[row]
        self._sums += self._products[place]
        self._nothing += self._rounding[place]


@dataclass(frozen=True, eq=False, kw_only=True)
class KernelPerceptronModel(AfterVisit, ScoreModel):
    """f(x) = sum dual_coef_s (k(x, x_s) + 1) over the samples with mistakes, of which `used` could take part."""

    samples: KernelPerceptronTask
    used: int

    known_facts = (
        ModelFact(
            "mistakes",
            lambda m: m.mistakes,
            "How often a visited sample was on the wrong side: the sum of all α.",
        ),
        ModelFact(
            "samples with mistakes",
            lambda m: len(m.support),
            "Samples with α > 0, equal ones counted once: the others have no part in f.",
        ),
        EPOCHS,
    )

    @property
    def cost(self) -> int:  # type: ignore[override]
        """That of f."""
        return max(1, self.expansion.cost)

    @property
    def former(self) -> KernelPerceptronModel | None:
        """The model before the mistake that led here."""
        if self.visit is None or not (self.visit.watched and self.visit.mistake):
            return None
        return replace(self, mistakes=self.mistakes - 1, visit=None)

    @cached_property
    def support(self) -> Labels:
        """The samples with mistakes."""
        return np.flatnonzero(self.totals)

    @cached_property
    def dual_coef(self) -> Array:
        """Alpha times y of the samples with mistakes."""
        return np.asarray(self.totals[self.support] * self.samples.signs[self.support])

    @cached_property
    def expansion(self) -> Expansion:
        """The function f."""
        given, coef = self.samples, self.dual_coef
        return Expansion(given.kernel, given.X[self.support] - given.origin, coef, given.origin, float(coef.sum()))

    def decision_function(self, X: Array) -> Array:
        """The values f at the rows of X (n, d): positive for classes[1]."""
        return _heard(self.expansion.at(X))

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray:
        """The values f at the nodes of the grid."""
        return _heard(self.expansion.on_grid(grid, dtype, finest=1e-2))

    @property
    def caveat(self) -> str:  # type: ignore[override]
        """That it was stopped, and what it learned from."""
        n = len(self.samples.X)
        part = f"learned from {drawn_part(self.used, n)}" if self.used < n else ""
        return "; ".join(filter(None, (part, self.stopped and f"{self.stopped}, with mistakes to the last")))

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """Tell f at x (d,) and the samples with the largest part in it; on a sample, its mistakes as well."""
        if not len(self.support):
            return Explanation("f(x) = 0 everywhere: nothing is learned yet.")
        f = float(self.decision_function(x[None])[0])
        given = self.samples
        f, *each = summed(*(self.expansion.terms(x[None])[0] + self.expansion.coef).tolist())
        parts = np.array(each)
        largest = np.argsort(-np.abs(parts), kind="stable")[:_TOLD]
        largest = largest[: max(1, np.count_nonzero(parts))]
        told = ", ".join(signed(parts[s]) for s in largest)
        which = "largest part is" if len(largest) == 1 else f"{len(largest)} largest parts are"
        sentence = f"f(x) = {number(f)}, a sum over {counted(len(parts), 'sample')} with mistakes; the {which} {told}."
        marks = ways(x, given.X[self.support[largest]])
        sentence += self.told_mistakes(x)
        return opened(names.of_class(self.classes[int(f > 0)]), lambda threshold: Explanation(sentence, marks))


def _heard(f: AnyArray) -> AnyArray:
    f[np.abs(f) < _NOTHING] = 0.0
    return f
