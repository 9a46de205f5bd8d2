"""The perceptron. Rosenblatt, Psychological Review 65 (1958) 386-408."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.algorithms.base import EPOCHS, WEIGHT_LENGTH, Algorithm, Code, ModelFact, Traits
from mlviz.algorithms.checking import refuse_larger
from mlviz.algorithms.linear_model import LinearScores
from mlviz.algorithms.perceptrons.visits import VISITS_SHOWN_SINGLY, AfterVisit, most_epochs, visiting_order
from mlviz.algorithms.targets import two_classes
from mlviz.algorithms.traits import Trial
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.marks import Points
from mlviz.draw.overlays import online, regions
from mlviz.numerics.arrays import AnyArray, Array, Labels, Rows
from mlviz.numerics.convex.nearest_point import Separation
from mlviz.numerics.convex.online_learning import MistakeLog, Visit, online_epochs
from mlviz.numerics.distances import sample_at
from mlviz.spec import choice, real
from mlviz.spec.brief import Brief


@dataclass(frozen=True)
class Perceptron(Algorithm):
    """A line that turns at every mistake.

    The perceptron looks for a function f(x) = w·x + b whose sign tells two classes y = ±1 apart. It visits one sample
    after the other. Where y f(x) > 0 the sample is on its right side and nothing changes; else that is a mistake, and

        w ← w + η y x,    b ← b + η y

    which turns the line towards putting this sample right. A round over all samples is an epoch; after one without a
    mistake it stops. It is the stochastic gradient method for Σ max(0, −yᵢ f(xᵢ)).

    From w = 0, if some line separates the classes, it makes (R/γ)² mistakes at most, in whatever order (Novikoff 1962):
    R is the length of the longest of the points (x, 1), γ the widest margin that a line through the origin of their
    space can have. The bound holds for every learning rate η, since η changes only the length of (w, b), not the line.
    From a random start it does change the path. If no line separates the classes, mistakes never end: the line cycles.

    In the picture: the arrow w is perpendicular to the boundary and points to the class y = +1 (it looks so where both
    axes have the same unit). A thick ring is the sample being visited; after a mistake the faint dashed line is the
    boundary before. A thin ring is a sample that was misclassified when it was visited, larger when often; the number
    says how often. Play the steps: each of the first 500 is one visit, later ones are whole epochs. Of more than 2500
    samples no more is learned after 40,000 mistakes; the models of several classes, whose samples count together, share
    45,000. The line under the picture then says so.

    References: F. Rosenblatt, The perceptron, 1958, doi:10.1037/h0042519. A. Novikoff, On convergence proofs on
    perceptrons, 1962.
    """

    id = "perceptron"
    label = "perceptron"
    family = "Linear classifiers"
    tasks = ("classification",)
    main = "max_iter"
    trials = (
        Trial("play the steps: each mistake moves the line", "two-gaussians"),
        Trial("it never comes to rest, since no line is right", "xor"),
    )
    traits = Traits(
        random=lambda m: m.order == "random order" or m.start == "random start",
        weighted=False,
        order_matters=True,
        multiclass=False,
    )
    overlays = (
        regions.regions,
        online.former_boundary,
        regions.boundary,
        online.weight_arrow,
        online.mistaken,
        online.counts,
        online.visited,
        regions.misclassified,
    )
    charts = (online.mistakes_so_far_chart, online.mistakes_per_epoch_chart)

    order: str = visiting_order()
    start: str = choice(
        "start at zero", "random start", help="the first w and b: all 0, or a random direction of length 1"
    )
    learning_rate: float = real(
        0.03,
        soft=(0.001, 1.0),
        valid=(1e-9, 1e9),
        log=True,
        label="learning rate",
        help="how far a mistake moves w and b; from the start at zero it changes only their length, not the line",
    )
    max_iter: int = most_epochs()

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[PerceptronModel]:
        """Yield the start, the model after each of the first visits, and then after each epoch."""
        assert y is not None
        samples = PerceptronTask(self, X, *two_classes(self.label, y))
        refuse_larger(X)
        n, diary = len(X), MistakeLog()
        w = np.zeros(X.shape[1] + 1)
        if self.start == "random start":
            w = rng.normal(size=len(w))
            w /= np.linalg.norm(w)
        line = _Line(samples.signs[:, None] * np.column_stack((X, np.ones(n))), w, self.learning_rate)

        def order() -> Labels:
            return rng.permutation(n) if self.order == "random order" else np.arange(n)

        yield samples.model(line.w, diary)
        for visit in online_epochs(line, diary, n, self.max_iter, order, VISITS_SHOWN_SINGLY, self.parts):
            former = samples.model(line.former, diary, -1) if visit.watched and visit.mistake else None
            yield samples.model(line.w, diary, 0, former, visit)

    def code(self, model: PerceptronModel) -> Code:
        """Perceptron; shuffled, it visits in another order."""
        how = "shuffle=False" if self.order == "given order" else "random_state=0"
        fit = f"Perceptron(eta0={self.learning_rate!r}, {how}, max_iter={self.max_iter}, tol=None)"
        return Code(("from sklearn.linear_model import Perceptron",), (fit,))


class _Line:
    """The weights w (d + 1,), the last of which is b, and how they learn from points z = y (x, 1)."""

    def __init__(self, Z: Array, w: Array, learning_rate: float) -> None:
        self.w = self.former = w
        self._Z, self._rate = Z, learning_rate

    def margins(self, rows: Rows) -> Array:
        return np.asarray(self._Z[rows] @ self.w)

    def learn(self, row: int) -> None:
        self.former = self.w
        self.w = self.w + self._rate * self._Z[row]


@dataclass(frozen=True, eq=False)
class PerceptronTask(Brief):
    """What the models of one fit share."""

    algorithm: Perceptron
    X: Array
    classes: AnyArray
    signs: Array

    @cached_property
    def separation(self) -> Separation:
        """Whether a line can do it, and how well."""
        return Separation.of(self.X, self.signs)

    def model(
        self,
        w: Array,
        diary: MistakeLog,
        ago: int = 0,
        former: PerceptronModel | None = None,
        visit: Visit | None = None,
    ) -> PerceptronModel:
        """The model of the weights w (d + 1,), the last of which is b, so many mistakes ago (-1: one)."""
        return PerceptronModel(
            classes=self.classes,
            coef=w[:-1],
            center=np.zeros(len(w) - 1),
            offset=float(w[-1]),
            samples=self,
            diary=diary,
            mistakes=len(diary.rows) + ago,
            former=former,
            visit=visit,
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class PerceptronModel(AfterVisit, LinearScores):
    """The line after a visit."""

    samples: PerceptronTask
    former: PerceptronModel | None
    """The model before, where the visit was a mistake."""

    known_facts = (
        ModelFact(
            "mistakes",
            lambda m: m.mistakes,
            "How often a visited sample was on the wrong side, so that the line was turned.",
        ),
        EPOCHS,
        WEIGHT_LENGTH,
        ModelFact(
            "separable",
            lambda m: m.samples.separation.separable,
            "Whether any line has all samples of either class on one side; found apart from the visits.",
        ),
        ModelFact(
            "R",
            lambda m: None if m.samples.separation.margin is None else m.samples.separation.radius,
            "Length of the longest of the points (x, 1).",
        ),
        ModelFact(
            "margin γ",
            lambda m: m.samples.separation.margin,
            "The widest margin of the points (x, 1) about a boundary through the origin of their space.",
        ),
        ModelFact(
            "bound (R/γ)²",
            lambda m: m.bound,
            "From w = 0 there can't be more mistakes than this.",
        ),
    )

    @property
    def bound(self) -> float | None:
        """The most mistakes there can be, where such a number exists and is known."""
        separation = self.samples.separation
        if self.samples.algorithm.start != "start at zero" or separation.margin is None:
            return None
        return (separation.radius / separation.margin) ** 2

    @property
    def caveat(self) -> str:  # type: ignore[override]
        """That it never ends, or was stopped."""
        if self.samples.separation.separable is False:
            return ", ".join(filter(None, ("not separable by a line: it cycles", self.stopped)))
        return self.stopped and f"{self.stopped}, before it came to an end"

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """Tell f and the distance from the boundary at x (d,); on a sample, its mistakes as well."""
        if self.foot(x) is None:
            return Explanation("f(x) is the same everywhere: there is no boundary yet.")
        row, _ = sample_at(self.samples.X, x)
        marks = () if row is None or len(x) != 2 else (Points("neighbour", self.samples.X[row][None]),)
        return self.told_with_way(x, names, f"f(x) = w·x + b = {self.sum_at(x, names)}", self.told_mistakes(x), marks)
