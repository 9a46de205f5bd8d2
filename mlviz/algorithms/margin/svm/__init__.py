"""The support vector machine, exact for any kernel here. Cortes and Vapnik, Machine Learning 20 (1995) 273-297."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.base import Code, Follower, Traits, last_until
from mlviz.algorithms.drawn import LineObjective
from mlviz.algorithms.kernels.box_program import MOST_SAMPLES
from mlviz.algorithms.kernels.box_solving import BoxFollower, gram_meanwhile, solved
from mlviz.algorithms.kernels.parameters import KernelMethod
from mlviz.algorithms.margin.svm.leave_one_out import with_leave_one_out_error
from mlviz.algorithms.margin.svm.many_fits import SVMManyFits
from mlviz.algorithms.margin.svm.model import SVMModel
from mlviz.algorithms.margin.svm.multiclass import MulticlassSVMModel, several_steps
from mlviz.algorithms.margin.svm.problem import Machine, SVMDual
from mlviz.algorithms.traits import Trial
from mlviz.draw.numbers import number
from mlviz.draw.overlays import gram, margins, regions, slices
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.spec import flag, real


@dataclass(frozen=True)
class SVM(KernelMethod):
    """The widest street between two classes.

    A support vector machine looks for the function f(x) = w·φ(x) + b whose sign tells two classes y = ±1 apart and
    whose street −1 < f < 1 is as wide as possible. Samples may stand in the street or beyond, at a price C each for
    their slack ξ:

        minimise  ½ |w|² + C Σ ξᵢ    with  yᵢ f(xᵢ) ≥ 1 − ξᵢ,  ξᵢ ≥ 0

    The margin is 1/|w|, the street 2/|w|. The solution is w = Σ αᵢ yᵢ φ(xᵢ) with 0 ≤ αᵢ ≤ C: only the support
    vectors, those with α > 0, matter. A kernel k(x, x') = φ(x)·φ(x') bends the street without ever computing φ.

    In the picture: the solid line is f = 0, the dashed ones f = −1 and f = +1. Ringed samples are support vectors: free
    ones (0 < α < C) lie on their margin, those at the bound (α = C) lie within or beyond it, and the thin segment to
    their margin is their slack. A small C makes a wide street that many samples enter; a large C a narrow one. With the
    hard margin no sample may enter at all.

    Several classes are told apart by several machines: one for each pair of classes, which then vote (one-vs-one), or
    one for each class against all others (one-vs-rest). The solid lines separate the classes as all machines together
    say. A sample has a ring for each machine whose support vector it is. Margins and slack are drawn for one machine
    alone, at the place you point at: that of the two leading classes there, or of the leading class against all others.

    With the linear kernel one machine can also handle all classes at once (direct): each class m has its own
    fₘ(x) = wₘ·x + bₘ, the largest wins, and a sample's slack is what its own class lacks of a lead of 1:

        minimise  ½ Σₘ |wₘ|² + C Σ ξᵢ    with  f(own class) − fₘ ≥ 1 − ξᵢ  for all others m,  ξᵢ ≥ 0

    Then margins and slack are those between the two classes that lead at the place you point at.

    How well will the machine do on new samples? Leave out each sample once, fit the machine to all others with the same
    C, and see whether it classifies the one left out correctly. Most need no fit: without a sample that is no support
    vector everything stays as it is, and it was right; so the share of support vectors is an upper bound of the
    leave-one-out error. One that is misclassified anyway stays so. The others are counted if you switch that on.

    In the side plots: f along a line, horizontal through the middle of the view until you draw another, as the sum of b
    and the bumps αᵢ yᵢ k(xᵢ, x) of the support vectors; the kernel itself; and the Gram matrix of all k(xᵢ, xⱼ) with
    its eigenvalues. None of those is negative if k is positive semi-definite, that is, a product of features. Sums and
    products of such kernels are such kernels: choose "expression" to put your own together.

    With more than 3000 samples a machine is fitted on 1000 of them, drawn at random, whose C is raised to stand for
    all; the line under the picture then says so, also where errors are counted on a part of the samples only.

    Reference: Schölkopf and Smola, Learning with Kernels (2002), chapter 7.
    """

    id = "svm"
    label = "support vector machine"
    family = "Margin classifiers"
    tasks = ("classification",)
    main = "C"
    trials = (
        Trial("the street bends between them", "moons", {"kernel": "gaussian"}),
        Trial("the street gets narrow", "", {"C": 100.0}),
        Trial("a straight street, and many samples in it", "", {"kernel": "linear"}),
    )
    traits = Traits(direct_name="Crammer-Singer", playable=False, multiclass=False, random_above=MOST_SAMPLES)
    overlays = (
        regions.regions,
        margins.slack,
        regions.boundary,
        margins.margin_lines,
        margins.support_vectors,
        slices.line,
        regions.misclassified,
    )
    charts = (slices.slice_chart, *gram.charts)

    C: float = real(
        1.0,
        soft=(0.01, 1000.0),
        valid=(1e-9, 1e9),
        log=True,
        help="the price of slack: large for few errors, small for a wide street",
        when=("hard_margin", (False,)),
        equivalent=lambda svm, n: f"λ = 1/(2 C n) = {number(1 / (2 * svm.C * max(n, 1)))}",
    )
    hard_margin: bool = flag(False, help="no sample may enter the street; possible only when the classes separate")
    leave_one_out: bool = flag(
        False,
        help="judge each sample by a machine fitted without it: counted after the fit, for each machine of two classes",
        label="leave-one-out error",
    )

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[SVMModel | MulticlassSVMModel]:
        """Yield models, the last of which is the exact one."""
        if self.meets_several(y, sample_weight):
            yield from several_steps(self.C, X, np.asarray(y), sample_weight)
            return
        problem = SVMDual.given(self, X, y, sample_weight)
        problem = problem.taken(problem.order()).thinned(rng)
        if problem.features is not None:
            for model in problem.in_features(problem.features):
                yield model
            if self.leave_one_out:
                yield from with_leave_one_out_error(problem, model, None)
            return
        draft = problem.draft(rng)
        K = yield from gram_meanwhile(problem, draft)
        solver = yield from solved(problem, K, draft, problem.model)
        yield (model := problem.checked(problem.model(solver.beta, solver.g)))
        if self.leave_one_out:
            yield from with_leave_one_out_error(problem, model, solver)

    def caption(self, classes: int = 2, first: Collection[str] = ()) -> str:
        """Without what is only counted afterwards."""
        return super(SVM, self.replace(leave_one_out=False)).caption(classes, first)

    def line_objective(self) -> LineObjective | None:
        """That of straight functions, which the linear kernel has."""
        total = np.inf if self.hard_margin else self.C
        return LineObjective("hinge", l2=0.5, total=total, name="primal objective") if self.kernel == "linear" else None

    def not_direct(self) -> str:
        """Several classes at once have one street for each pair, which only the linear kernel draws here."""
        if self.kernel == "linear" and not self.hard_margin:
            return ""
        return "this machine handles them all at once with the linear kernel and a soft margin only"

    def meets_several(self, y: AnyArray | None, sample_weight: Array | None) -> bool:
        """Whether y (n,) names more than two classes, and they are met all at once."""
        if self.not_direct() or y is None:
            return False
        return len(np.unique(y if sample_weight is None else y[sample_weight > 0])) > 2

    def code(self, model: SVMModel | MulticlassSVMModel) -> Code:
        """SVC; it knows no hard margin, which a large C comes near to, nor several classes at once."""
        price = f"C={1e6 if self.hard_margin else self.C!r}"
        if isinstance(model, MulticlassSVMModel):
            fit = f'LinearSVC({price}, multi_class="crammer_singer", max_iter=100000)'
            note = "# LinearSVC holds back the offsets as well as the weights: standardize the inputs."
            return Code(("from sklearn.svm import LinearSVC",), (fit,), before=(note,))
        imports, kernel = self.matrix_kernel_code()
        return Code((*imports, "from sklearn.svm import SVC"), (f"SVC({price}, {kernel})",))

    def follower(self) -> Follower:
        """One that starts from its last solution."""
        return SVMFollower()

    def many_fits(self) -> SVMManyFits:
        """Those for all C and parts together."""
        return SVMManyFits()


class SVMFollower(BoxFollower[SVMDual]):
    """Keeps the Gram matrix and the solution."""

    def update(
        self, algorithm: Machine, X: Array, y: AnyArray | None, sample_weight: Array | None, deadline: float
    ) -> SVMModel | MulticlassSVMModel:
        """The model of the changed data or hyperparameters, the best one found until `deadline`."""
        if isinstance(algorithm, SVM) and algorithm.meets_several(y, sample_weight):
            self.forget()
            return last_until(deadline, several_steps(algorithm.C, X, np.asarray(y), sample_weight))
        problem = SVMDual.given(algorithm, X, y, sample_weight)
        if len(problem.rows) > MOST_SAMPLES:
            # The part is drawn by row, so that it stays the same while a sample moves.
            problem = problem.thinned(np.random.default_rng(0))
        if problem.features is not None:
            self.forget()
            return last_until(deadline, problem.in_features(problem.features))
        (problem,), (solver,), done = self.follow([problem], deadline)
        model = problem.model(solver.beta, solver.g)
        return problem.checked(model) if done else model
