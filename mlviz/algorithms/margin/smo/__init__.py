"""Sequential minimal optimization, pair by pair.

Platt, in Advances in Kernel Methods (1999); Keerthi, Shevade, Bhattacharyya and Murthy, Neural Computation 13 (2001).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from mlviz.algorithms.base import Code, Follower, Traits
from mlviz.algorithms.drawn import LineObjective
from mlviz.algorithms.kernels.box_program import MOST_SAMPLES
from mlviz.algorithms.kernels.parameters import KernelMethod
from mlviz.algorithms.margin.smo.model import Pair, PairRun, SMOModel
from mlviz.algorithms.margin.svm import SVMFollower
from mlviz.algorithms.margin.svm.problem import SVMDual
from mlviz.algorithms.traits import Trial, where
from mlviz.draw.contours import join_lines
from mlviz.draw.layer import Context, chart, overlay
from mlviz.draw.marks import Lines, Mark, Points, Segments, Text
from mlviz.draw.numbers import number
from mlviz.draw.overlays import gram, margins, regions, slices
from mlviz.draw.plot import Plot
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.pauses import meanwhile
from mlviz.spec import choice, real

STEPS_SHOWN_SINGLY = 300
"""So many steps are shown one by one; later ones in leaps of a fiftieth of those before."""
MOST_STEPS = 20_000
"""After so many steps it stops."""
_VIOLATION, _OBJECTIVE = 1, 2
"""Where they stand in an entry of the course of a fit."""


@overlay("moved pair", "moved pair", "the two samples whose α this step moved", parts="probe")
def moved_overlay(model: SMOModel, context: Context) -> Sequence[Mark]:
    if model.pair is None:  # the start
        return ()
    grown, shrunk = model.moved
    marks = context.symbols("visited", np.concatenate((grown, shrunk)), "the two α that moved")
    if context.grid is None:
        return marks
    places = context.X[:, :2]
    return (Segments("now", places[grown[:1]], places[shrunk[:1]], rows=context.rows[grown[:1]]), *marks)


@overlay("moves", "moves", "from where to where the two α went", parts="probe")
def moves_overlay(model: SMOModel, context: Context) -> Sequence[Mark]:
    if context.grid is None or model.pair is None:
        return ()
    grown, shrunk = model.moved
    return (Text("now", context.X[[grown[0], shrunk[0]]][:, :2], tuple(f"α {move}" for move in model.told_moves)),)


@chart("violation", "KKT violation", parts="each")
def violation_chart(models: Sequence[SMOModel], context: Context) -> Plot | None:
    lines = [line[line[:, 1] > 0] for line in _courses(models, _VIOLATION)]
    if sum(map(len, lines)) < 2:
        return None
    reach = max(float(line[-1, 0]) for line in lines if len(line))
    ends = np.array([(0.0, context.algorithm.tol), (reach, context.algorithm.tol)])
    marks = (*_curves(lines, "violation"), Lines("reference", ends, label="tolerance"))
    return Plot("violation", "KKT violation", "step", "violation", marks, y_scale="log", x_whole=True)


@chart("dual objective", "dual objective", parts="each")
def dual_objective_chart(models: Sequence[SMOModel], context: Context) -> Plot | None:
    lines = _courses(models, _OBJECTIVE)
    if sum(map(len, lines)) < 2:
        return None
    marks = _curves(lines, "dual objective")
    return Plot("dual objective", "Dual objective", "step", "dual objective", marks, x_whole=True)


def _courses(models: Sequence[SMOModel], column: int) -> list[Array]:
    """Step and value (m, 2) of what there was to tell of each binary model until now."""
    return [np.array(model.run.course[: model.told])[:, (0, column)] for model in models]


def _curves(lines: list[Array], label: str) -> tuple[Mark, ...]:
    if len(lines) > 1:
        return (Lines("curve", join_lines(lines), label=f"{label} of each binary model"),)
    return Lines("curve", lines[0], label=label), Points("now", lines[0][-1:], label="this step")


@dataclass(frozen=True)
class SMO(KernelMethod):
    """The support vector machine, solved two multipliers at a time.

    The widest street f(x) = Σ αᵢ yᵢ k(xᵢ, x) + b maximises the dual objective

        Σ αᵢ − ½ Σᵢⱼ αᵢ αⱼ yᵢ yⱼ k(xᵢ, xⱼ)    with  0 ≤ αᵢ ≤ C  and  Σ αᵢ yᵢ = 0

    The sum forbids to move one α alone, so each step moves two, i and j: one yᵢαᵢ grows by what the other one shrinks.
    Along that line the objective is a parabola, whose top is known without any search; the bounds 0 and C may end the
    move sooner. Let sᵢ = yᵢ − Σⱼ αⱼ yⱼ k(xⱼ, xᵢ): at the solution, no sample whose yα may grow has a larger s than one
    whose yα may shrink. By how much some pair violates that is the KKT violation; below the tolerance it stops.

    Which pair: "largest violation" takes the largest s that may grow and the smallest that may shrink; "second order"
    takes for the latter the one with which the objective gains most, what LIBSVM does; "random violation" any two that
    violate. All of them end at the same solution, the exact one of the method SVM, but for the tolerance.

    In the picture: thick rings are the two samples whose α moved, joined by a line; words say from where to where.
    The street and the rings of the support vectors are those of the α so far. The charts show the violation left and
    the dual objective. Play the steps: each of the first 300, then leaps. Steps end after 20 000.

    With more than 3000 samples it solves for 1000 of them, drawn at random, whose C is raised to stand for all.

    References: J. Platt, Fast training of support vector machines using sequential minimal optimization, 1999.
    R.-E. Fan, P.-H. Chen, C.-J. Lin, Working set selection using second order information, 2005.
    """

    id = "smo"
    label = "SVM pair by pair (SMO)"
    family = "Margin classifiers"
    tasks = ("classification",)
    main = "C"
    trials = (
        Trial("play the steps: two multipliers move at a time", "moons"),
        Trial("how many more steps it takes", "moons", {"C": 100.0}),
    )
    traits = Traits(
        random=where("pair", "random violation"),
        random_above=MOST_SAMPLES,
        multiclass=False,
        follower_differs=True,
    )
    hard_margin: ClassVar[bool] = False
    """What the problem asks of every machine."""
    overlays = (
        regions.regions,
        replace(margins.slack, shown=False),  # at the start nearly all samples have one
        regions.boundary,
        margins.margin_lines,
        margins.support_vectors,
        moved_overlay,
        moves_overlay,
        regions.misclassified,
        slices.line,
    )
    charts = (violation_chart, dual_objective_chart, slices.slice_chart, *gram.charts)

    C: float = real(
        1.0,
        soft=(0.01, 1000.0),
        valid=(1e-9, 1e9),
        log=True,
        help="the price of slack: large for few errors, small for a wide street",
        equivalent=lambda owner, n: f"λ = 1/(2 C n) = {number(1 / (2 * owner.C * max(n, 1)))}",
    )
    pair: str = choice(
        "largest violation", "second order", "random violation", help="which two multipliers a step moves"
    )
    tol: float = real(
        1e-3,
        soft=(1e-6, 0.1),
        valid=(1e-10, 1.0),
        log=True,
        label="tolerance",
        help="the KKT violation, in units of f, below which the steps end",
    )

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[SMOModel]:
        """Yield the start, the first steps, and later ones in leaps."""
        problem = SVMDual.given(self, X, y, sample_weight)
        run = PairRun.of(problem.taken(problem.order()).thinned(rng))
        lo, hi = run.lo, run.hi
        beta, slope = np.zeros(len(lo)), run.signs.copy()
        pair, shown = None, 0
        for step in range(MOST_STEPS + 1):
            up, down = np.where(beta < hi, slope, -np.inf), np.where(beta > lo, slope, np.inf)
            violation = float(up.max() - down.min())
            done = violation <= self.tol
            if done or step in (shown, MOST_STEPS):
                model = run.model(step, beta.copy(), slope, violation, pair, done, step == MOST_STEPS)
                yield model
                shown = step + max(1, step // 50 if step >= STEPS_SHOWN_SINGLY else 1)
            if done or step == MOST_STEPS:
                return
            if not step:
                K = yield from meanwhile(model, run.pairs.whole_gram())
            i, j = self._pair(up, down, K, rng)
            # The top of the parabola, or the bound in the way.
            curvature = max(K[i, i] + K[j, j] - 2 * K[i, j], 1e-12)
            move = min((slope[i] - slope[j]) / curvature, hi[i] - beta[i], beta[j] - lo[j])
            former = (beta[i], beta[j])
            beta[i] = hi[i] if move == hi[i] - beta[i] else beta[i] + move
            beta[j] = lo[j] if move == beta[j] - lo[j] else beta[j] - move
            slope = slope - move * (K[i] - K[j])
            pair = Pair(i, j, former)

    def line_objective(self) -> LineObjective | None:
        """That of straight functions, which the linear kernel has."""
        return (
            LineObjective("hinge", l2=0.5, total=self.C, name="primal objective") if self.kernel == "linear" else None
        )

    def follower(self) -> Follower:
        """The exact machine's: from nothing, pairs don't keep up with the hand, and they end where it is."""
        return SVMFollower()

    def _pair(self, up: Array, down: Array, K: Array, rng: np.random.Generator) -> tuple[int, int]:
        """The variable that grows and the one that shrinks."""
        if self.pair == "random violation":
            i = int(rng.choice(np.flatnonzero(up > down.min() + self.tol)))
            return i, int(rng.choice(np.flatnonzero(up[i] > down + self.tol)))
        i = int(up.argmax())
        if self.pair == "largest violation":
            return i, int(down.argmin())
        gain = np.maximum(up[i] - down, 0.0)
        return i, int((gain * gain / np.maximum(K.diagonal() + K[i, i] - 2 * K[i], 1e-12)).argmax())

    def code(self, model: SMOModel) -> Code:
        """SVC, which takes the same steps with pairs of second order."""
        imports, kernel = self.matrix_kernel_code()
        return Code((*imports, "from sklearn.svm import SVC"), (f"SVC(C={self.C!r}, tol={self.tol!r}, {kernel})",))
