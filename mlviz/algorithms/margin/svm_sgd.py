"""The linear support vector machine by stochastic sub-gradients.

Shalev-Shwartz, Singer, Srebro and Cotter, Pegasos, Mathematical Programming 127 (2011) 3-30.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import Algorithm, CannotFit
from mlviz.algorithms.checking import refuse_larger, with_weight
from mlviz.algorithms.code import Code
from mlviz.algorithms.linear_model import LinearScores
from mlviz.algorithms.margin import svm_sgd_picture
from mlviz.algorithms.margin.svm import SVM
from mlviz.algorithms.margin.svm.model import SVMModel
from mlviz.algorithms.targets import two_classes
from mlviz.algorithms.traits import Traits
from mlviz.draw.inks import RoleInk, Tone
from mlviz.draw.layer import Explanation
from mlviz.draw.marks import Segments
from mlviz.draw.overlays import margins, online, regions
from mlviz.numerics.grid import Array
from mlviz.spec import flag, integer, real

WATCHED = 200
"""So many steps are shown one by one; later ones in leaps of a hundredth of those before,"""
LEAP = 2000
"""but no longer than this."""
DRAWN = 256
"""About so many samples are drawn at a time."""
MANY, MOST_STEPS = 5000, 100_000
"""With more samples than `MANY` so many steps are made at most, or those of one epoch."""
MOST_SAMPLES = 1000
"""With more samples than this the exact solution is not computed beside."""


@dataclass(frozen=True)
class SVMByDescent(Algorithm):
    """The linear support vector machine, learned from a few samples at a time.

    The linear machine f(x) = w·x + b with the widest street −1 < f < 1 is the minimum of

        λ |w|² + (1/n) Σ max(0, 1 − yᵢ f(xᵢ)),    y = ±1

    which is the machine of C = 1/(2 λ n). Each step t draws a batch of samples at random, with replacement. Those of it
    in the street or beyond, with y f < 1, pull; the others do not:

        w ← w − ηₜ (2 λ w − sum of the pulls y x / batch size),    ηₜ = 1/(2 λ t)
        b ← b + ηᵇₜ (sum of the pulls y / batch size),    ηᵇₜ = the smaller one of ηₜ and 1/√t

    The first steps are huge and wild, the later ones ever smaller: the objective is curved by 2λ along w, which is what
    the step is made for; along b it is flat, and such steps would throw b far away. The iterates keep jumping about the
    minimum, the less the later; their average, in which iterate t has the weight t, is calmer. A step takes no longer
    however many samples there are: it looks at none but its batch. Only the chart looks at all. Inputs are counted
    from their mean, and do best standardized.

    In the picture: thick rings are the samples of the batch, the dashed lines f = ±1. The dotted line "exact boundary"
    is that of the exact solution, computed apart; the chart shows how far above its objective the steps are. Both axes
    of the chart are logarithmic. Play the steps: each of the first 200, then ever longer leaps. The exact solution is
    left out where there are more than 1000 samples.

    Reference: S. Shalev-Shwartz, Y. Singer, N. Srebro, A. Cotter, Pegasos, 2011, doi:10.1007/s10107-010-0420-4.
    """

    id = "svm-sgd"
    label = "SVM by stochastic descent"
    family = "Margin classifiers"
    tasks = ("classification",)
    main = "lambda_"
    traits = Traits(order_matters=True, multiclass=False)
    overlays = (
        regions.regions,
        svm_sgd_picture.exact_boundary,
        regions.boundary,
        margins.margin_lines,
        online.weight_arrow,
        online.visited,
        regions.misclassified,
    )
    charts = (svm_sgd_picture.objective_and_exact,)
    inks = {"exact boundary": RoleInk(Tone(pale=0.25), width=1.8, dash="dotted")}
    fact_help = (
        ("batches", "Batches drawn so far."),
        ("epochs", "Samples drawn so far, as a multiple of all samples."),
        ("objective", "λ|w|² plus the mean of the slacks: what is made as small as possible."),
        ("exact minimum", "The smallest possible objective, by the exact machine of C = 1/(2 λ n)."),
        ("above the minimum", "How much lower the objective can become."),
        ("margin width", "Distance from the boundary to either margin, 1/|w|."),
    )

    lambda_: float = real(
        0.01,
        soft=(1e-4, 1.0),
        valid=(1e-8, 1e4),
        log=True,
        label="λ",
        help="weight of |w|²: large for a wide street, small for few errors",
        equivalent=lambda owner, n: f"C = 1/(2 λ n) = {1 / (2 * owner.lambda_ * max(n, 1)):.3g}",
    )
    batch_size: int = integer(1, soft=(1, 50), valid=(1, 10_000), help="samples drawn for one step")
    max_iter: int = integer(20, soft=(1, 200), valid=(1, 1000), label="epochs", help="how often n samples are drawn")
    average: bool = flag(
        True, label="averaged", help="the answer is the average of all iterates, where later ones count more"
    )

    def steps(
        self, X: Array, y: NDArray[Any] | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[DescentModel]:
        """Yield the start, the first steps, and later ones in leaps."""
        problem = DescentProblem.of(self, X, y, sample_weight)
        theta, mean = np.zeros(X.shape[1] + 1), np.zeros(X.shape[1] + 1)
        yield problem.model(0, 0, theta, np.empty(0, dtype=np.intp))
        rates, told, shown = np.empty(len(theta)), 0, 1
        for t, (batch, Z) in enumerate(problem.batches(rng), start=1):
            rate = 1 / (2 * self.lambda_ * t)
            rates[:-1], rates[-1] = rate, min(rate, t**-0.5)
            pulling = Z @ theta < 1
            theta[:-1] *= 1 - 1 / t
            if pulling.any():
                theta += rates * (pulling @ Z) / self.batch_size
            mean += 2 / (t + 1) * (theta - mean)
            if t == shown:
                answer = mean if self.average else theta
                yield problem.model(told, t, answer.copy(), batch if t < problem.last else batch[:0])
                told, shown = t, next_shown_step(t, problem.last)

    def code(self, model: DescentModel) -> Code:
        """SGDClassifier, whose penalty is halved; it draws other samples and starts with smaller steps."""
        averaged = ", average=True" if self.average else ""
        fit = f"SGDClassifier(alpha=2 * {self.lambda_!r}, max_iter={self.max_iter}, tol=None{averaged}, random_state=0)"
        return Code(("from sklearn.linear_model import SGDClassifier",), (fit,))


def next_shown_step(t: int, last: int) -> int:
    """The step shown after step t."""
    return min(last, t + (1 if t < WATCHED else min(LEAP, max(1, t // 100))))


@dataclass(frozen=True, eq=False)
class DescentProblem:
    """The objective over theta = (w, b): the mean over the samples, by their shares, of max(0, 1 - z.theta), and |w|².

    The rows z = y (x - center, 1) of Z (m, d + 1) are the samples.
    """

    algorithm: SVMByDescent
    rows: NDArray[np.intp]
    """(m,) the samples with weight."""
    X: Array
    """(m, d) their inputs."""
    classes: NDArray[Any]
    signs: Array
    shares: Array
    center: Array
    Z: Array
    per_epoch: float
    """How many steps it takes to draw as many samples as there are."""
    last: int
    """How many steps there are."""

    @classmethod
    def of(
        cls, algorithm: SVMByDescent, X: Array, y: NDArray[Any] | None, sample_weight: Array | None
    ) -> DescentProblem:
        """The problem of those samples; raises `CannotFit`."""
        rows, X, y, weights = with_weight(X, y, sample_weight)
        classes, signs = two_classes(algorithm.label, y)
        refuse_larger(X)
        shares = weights / weights.sum()
        center = shares @ X
        Z = signs[:, None] * np.column_stack((X - center, np.ones(len(X))))
        per_epoch = float(weights.sum()) / algorithm.batch_size
        last = max(1, round(algorithm.max_iter * per_epoch))
        if len(X) > MANY:
            last = min(last, max(MOST_STEPS, round(per_epoch)))
        return cls(algorithm, rows, X, classes, signs, shares, center, Z, per_epoch, last)

    @cached_property
    def ends(self) -> Array:
        """Sums of the shares (m,): where each sample's part of the line from 0 to 1 ends."""
        return np.cumsum(self.shares)

    def batches(self, rng: np.random.Generator) -> Iterator[tuple[NDArray[np.intp], Array]]:
        """The samples of each step, drawn by their shares, and their rows of Z."""
        size, left = self.algorithm.batch_size, self.last
        while left:
            count = min(left, max(1, DRAWN // size))
            left -= count
            places = rng.random((count, size))
            rows = np.minimum(np.searchsorted(self.ends, places, side="right"), len(self.ends) - 1)
            yield from zip(rows, self.Z[rows], strict=True)

    def objective(self, theta: Array) -> float:
        """Its value at theta (d + 1,)."""
        slack = np.maximum(0.0, 1 - self.Z @ theta)
        return float(self.algorithm.lambda_ * (theta[:-1] @ theta[:-1]) + self.shares @ slack)

    @cached_property
    def exact(self) -> SVMModel | None:
        """The exact solution, where it can be had."""
        if len(self.X) > MOST_SAMPLES:
            return None
        n = len(self.X)
        machine = SVM(kernel="linear", C=1 / (2 * self.algorithm.lambda_ * n))
        try:
            return machine.fit(self.X, self.signs.astype(np.intp), sample_weight=n * self.shares)  # type: ignore[no-any-return]
        except CannotFit:
            return None

    @property
    def minimum(self) -> float | None:
        """The exact solution's objective: that of the machine in units of 2 lambda."""
        return None if self.exact is None else 2 * self.algorithm.lambda_ * self.exact.objective

    @property
    def caveat(self) -> str:
        """Whether there are fewer epochs than asked for."""
        short = self.last < round(self.algorithm.max_iter * self.per_epoch)
        return f"of so many samples {self.last / self.per_epoch:.2g} epochs only" if short else ""

    def model(self, since: int, t: int, theta: Array, batch: NDArray[np.intp]) -> DescentModel:
        """The model of theta = (w, b) after step t, which drew that batch; the one shown before was after `since`."""
        batches = f"batch {t:,}" if t == since + 1 else f"batches {since + 1:,} to {t:,}"
        return DescentModel(
            classes=self.classes,
            coef=theta[:-1],
            center=self.center,
            offset=float(theta[-1]),
            problem=self,
            steps=t,
            visited=self.rows[batch],
            caveat=self.caveat,
            stage=f"{batches} of {self.last:,}" if t else "start",
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class DescentModel(LinearScores):
    """The line after so many steps; `visited` are the samples of the last batch."""

    problem: DescentProblem
    steps: int
    visited: NDArray[np.intp]
    caveat: str
    stage: str

    visited_as = "drawn for this step"

    @cached_property
    def objective(self) -> float:  # type: ignore[override]
        """The function of which the minimum is sought."""
        return self.problem.objective(np.append(self.coef, self.offset))

    @property
    def exact(self) -> SVMModel | None:
        """The exact solution, where it is known."""
        return self.problem.exact

    @property
    def minimum(self) -> float | None:
        """The smallest possible objective, where it is known."""
        return self.problem.minimum

    def shown(self, count: int) -> NDArray[np.intp]:
        """The numbers of the first so many steps that are shown."""
        steps = [0, 1]
        while len(steps) < count:
            steps.append(next_shown_step(steps[-1], self.problem.last))
        return np.array(steps[:count])

    def facts(self) -> dict[str, Any]:
        """What stands under the panel."""
        length = float(np.linalg.norm(self.coef))
        found: dict[str, Any] = {
            "batches": self.steps,
            "epochs": self.steps / self.problem.per_epoch,
            "objective": self.objective,
        }
        if self.minimum is not None:
            found["exact minimum"] = self.minimum
            found["above the minimum"] = max(0.0, self.objective - self.minimum)
        found["|w|"] = length
        if length > 0:
            found["margin width"] = 1 / length
        return found

    def explain(self, x: Array) -> Explanation:
        """Tell f and the distance from the boundary at x (d,), and the exact solution's f."""
        f, nearest = float(self.decision_function(x[None])[0]), self.foot(x)
        sentence = f"class {self.classes[int(f > 0)]}: f(x) = {f:.3g}, "
        sentence += "inside the street" if abs(f) < 1 else "outside the street"
        if self.exact is not None:
            sentence += f"; the exact machine has {float(self.exact.decision_function(x[None])[0]):.3g}"
        if nearest is None:
            return Explanation(sentence + ".")
        sentence += f"; {float(np.linalg.norm(x - nearest)):.3g} from the decision boundary."
        marks = (Segments("neighbour", x[None], nearest[None]),) if len(x) == 2 else ()
        return Explanation(sentence, marks, measured=True)
