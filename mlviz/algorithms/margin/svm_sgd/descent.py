"""Stochastic sub-gradients of a support vector machine: the objective, and the line after so many steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.algorithms.base import WEIGHT_LENGTH, Algorithm, CannotFit, ModelFact
from mlviz.algorithms.checking import refuse_larger, weighted_rows
from mlviz.algorithms.linear_model import LinearScores
from mlviz.algorithms.margin.svm import SVM
from mlviz.algorithms.margin.svm.model import SVMModel, margin_widths
from mlviz.algorithms.targets import two_classes
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.numbers import counted, number
from mlviz.numerics.arrays import AnyArray, Array, Labels, Rows
from mlviz.spec import flag, integer, real
from mlviz.spec.brief import Brief

STEPS_SHOWN_SINGLY = 200
"""How many steps are shown one by one; later ones are shown in leaps of a hundredth of those before."""
_LEAP = 2000
"""The longest of these leaps, in steps."""
_SHARE = 15
"""With very many samples leaps are always of that part of the steps before."""
_DRAWN = 256
"""About so many samples are drawn at a time."""
_MANY, MOST_STEPS = 5000, 60_000
"""With epochs of more draws than `_MANY` so many steps are made at most, of all binary models together."""
_MOST_COPIES = 10
"""Weights make an epoch at most so many times as long as the samples without them."""
MOST_SAMPLES = 1000
"""With more samples than this the exact solution is not computed beside."""


@dataclass(frozen=True)
class DescentSettings(Algorithm, abstract=True):
    """What the objective and its steps depend on."""

    lambda_: float = real(
        0.01,
        soft=(1e-4, 1.0),
        valid=(1e-8, 1e4),
        log=True,
        label="λ",
        help="weight of |w|²: large for a wide street, small for few errors",
        equivalent=lambda owner, n: f"C = 1/(2 λ n) = {number(1 / (2 * owner.lambda_ * max(n, 1)))}",
    )
    batch_size: int = integer(1, soft=(1, 50), valid=(1, 10_000), help="samples drawn for one step")
    max_iter: int = integer(20, soft=(1, 200), valid=(1, 1000), label="epochs", help="how often n samples are drawn")
    average: bool = flag(
        True, label="averaged", help="the answer is the average of all iterates, where later ones count more"
    )


@dataclass(frozen=True, eq=False)
class DescentProblem(Brief):
    """The objective over theta = (w, b): the mean over the samples, by their shares, of max(0, 1 - z.theta), and |w|².

    The rows z = y (x - center, 1) of Z (m, d + 1) are the samples.
    """

    algorithm: DescentSettings
    rows: Rows
    """(m,) the samples with weight."""
    X: Array
    """(m, d) their inputs."""
    classes: AnyArray
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
        cls, algorithm: DescentSettings, X: Array, y: AnyArray | None, sample_weight: Array | None
    ) -> DescentProblem:
        """The problem of those samples; raises `CannotFit`."""
        rows, X, y, weights = weighted_rows(X, y, sample_weight)
        classes, signs = two_classes(algorithm.label, y)
        refuse_larger(X)
        shares = weights / weights.sum()
        center = shares @ X
        Z = signs[:, None] * np.column_stack((X - center, np.ones(len(X))))
        # Weights are copies, but a few of huge weight need no steps without end, nor light ones next to none.
        count = float(np.clip(weights.sum(), len(X), _MOST_COPIES * len(X)))
        per_epoch = count / algorithm.batch_size
        last = max(1, round(algorithm.max_iter * per_epoch))
        if count * algorithm.parts > _MANY:
            last = min(last, max(1, MOST_STEPS // algorithm.parts))
        return cls(algorithm, rows, X, classes, signs, shares, center, Z, per_epoch, last)

    def next_shown_step(self, t: int) -> int:
        """The step shown after step t; of very many samples fewer are shown, for each has its objective worked out."""
        if len(self.X) > _MANY:
            return min(self.last, t + max(1, t // _SHARE))
        return min(self.last, t + (1 if t < STEPS_SHOWN_SINGLY else min(_LEAP, max(1, t // 100))))

    @cached_property
    def ends(self) -> Array:
        """Sums of the shares (m,): where each sample's part of the line from 0 to 1 ends."""
        return np.cumsum(self.shares)

    def batches(self, rng: np.random.Generator) -> Iterator[tuple[Labels, Array]]:
        """The samples of each step, drawn by their shares, and their rows of Z."""
        size, left = self.algorithm.batch_size, self.last
        while left:
            count = min(left, max(1, _DRAWN // size))
            left -= count
            rows = np.minimum(np.searchsorted(self.ends, rng.random((count, size)), side="right"), len(self.ends) - 1)
            yield from zip(rows, self.Z[rows], strict=True)

    def objective(self, theta: Array) -> float:
        """Its value at theta (d + 1,)."""
        slack = np.maximum(0.0, 1 - self.Z @ theta)
        return float(self.algorithm.lambda_ * (theta[:-1] @ theta[:-1]) + self.shares @ slack)

    @cached_property
    def exact(self) -> SVMModel | None:
        """The exact solution, where it can be had."""
        n = len(self.X)
        if n > MOST_SAMPLES:
            return None
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
        if self.last >= round(self.algorithm.max_iter * self.per_epoch):
            return ""
        done = number(self.last / self.per_epoch, 2)
        many = "samples and classes" if self.algorithm.parts > 1 else "samples"
        return f"only {done} of {counted(self.algorithm.max_iter, 'epoch')}, for there are so many {many}"

    def model(self, since: int, t: int, theta: Array, batch: Labels) -> DescentModel:
        """The model of theta = (w, b) after step t, which drew that batch; the one shown before was after `since`."""
        batches = f"batch {t:,}" if t == since + 1 else f"batches {since + 1:,} to {t:,}"
        return DescentModel(
            classes=self.classes,
            coef=theta[:-1].copy(),  # the descent goes on in theta itself
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
    visited: Labels
    caveat: str
    stage: str

    visited_as = "drawn for this step"

    known_facts = (
        ModelFact(
            "batches",
            lambda m: m.steps,
            "Batches drawn so far.",
        ),
        ModelFact(
            "epochs",
            lambda m: m.steps / m.problem.per_epoch,
            "Samples drawn so far, as a multiple of all samples.",
        ),
        ModelFact(
            "objective",
            lambda m: m.objective,
            "λ|w|² plus the mean of the slacks: what is made as small as possible.",
        ),
        ModelFact(
            "exact minimum",
            lambda m: m.problem.minimum,
            "The smallest possible objective, by the exact machine of C = 1/(2 λ n).",
        ),
        ModelFact(
            "above the minimum",
            lambda m: None if (least := m.problem.minimum) is None else max(0.0, m.objective - least),
            "How much lower the objective can become.",
        ),
        WEIGHT_LENGTH,
        *margin_widths("", lambda m: m.coef),
    )

    @cached_property
    def objective(self) -> float:  # type: ignore[override]
        """The function of which the minimum is sought."""
        return self.problem.objective(np.append(self.coef, self.offset))

    def shown(self, count: int) -> Labels:
        """The numbers of the first so many steps that are shown."""
        steps = [0, 1]
        while len(steps) < count:
            steps.append(self.problem.next_shown_step(steps[-1]))
        return np.array(steps[:count])

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """Tell f and the distance from the boundary at x (d,), and the exact solution's f."""
        f = float(self.decision_function(x[None])[0])
        sentence = f"f(x) = {self.sum_at(x, names)}, {'inside' if abs(f) < 1 else 'outside'} the street"
        if (exact := self.problem.exact) is not None:
            score = float(exact.decision_function(x[None])[0])
            sentence += f"; the exact machine has {number(score, beside=1.0)}"
        return self.told_with_way(x, names, sentence)
