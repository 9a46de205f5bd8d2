"""The leave-one-out error of a support vector machine: each sample judged by the machine of all others.

Leaving out a sample that is no support vector changes nothing, and it was right. (Where all support vectors are at the
bound, a whole interval of offsets is best, and may become wider. But f is larger on the average of one class's than of
the other's, so that it is at most 2 wide, and such a sample stays on the right side of its middle.) A sample that is
misclassified already would be so all the more without a say of its own. The rest, support vectors on the right side,
are left out one by one, with C as it is: from the solution with all of them, the next one is a few passes of the active
set away. Vapnik, The Nature of Statistical Learning Theory (1995), theorem 5.2; Luntz and Brailovsky (1969).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np

from mlviz.algorithms.kernels.box_solving import PASSES_BEFORE_INTERIOR_POINT
from mlviz.algorithms.margin.svm.model import SVMModel
from mlviz.algorithms.margin.svm.problem import SVMDual
from mlviz.numerics.arrays import Array
from mlviz.numerics.svm.active_set import ActiveSet
from mlviz.numerics.svm.interior_point import interior_point
from mlviz.numerics.svm.tube import hinge_offset

WORK_PER_STEP = 60_000
"""After about so many numbers looked at, a model is yielded."""


def with_leave_one_out_error(problem: SVMDual, model: SVMModel, solver: ActiveSet | None) -> Iterator[SVMModel]:
    """Yield the exact model with a count of the machines fitted so far; the last one knows the error.

    `solver` is at the solution of the dual program; None where the model was found in the kernel's features.
    """
    y, weight = problem.signs, np.ones(len(problem.rows)) if np.isinf(problem.C) else problem.bound
    used = np.isin(problem.rows, model.support)
    wrong = used & (y * model.decision_function(problem.X[problem.rows]) < 0)
    waiting = np.flatnonzero(used & ~wrong).tolist()
    work = 0
    for done, i in enumerate(waiting):
        if work > WORK_PER_STEP:
            work = 0
            told = f"leave-one-out error: {done} of {len(waiting)} machines fitted"
            yield dataclasses.replace(model, caveat="; ".join(filter(None, (model.caveat, told))))
        if solver is None:
            wrong[i], work = _wrong_by_features(problem, i), work + WORK_PER_STEP + 1
        else:
            without, passes = _without(solver, i)
            wrong[i], work = _misclassified(i, without.g, y, weight), work + passes * len(y)
    yield dataclasses.replace(model, leave_one_out_error=float(wrong.mean()))


def _without(full: ActiveSet, i: int) -> tuple[ActiveSet, int]:
    """The solver at the solution without sample i, and how many passes that took."""
    lo, hi = full.lo.copy(), full.hi.copy()
    lo[i] = hi[i] = 0.0
    solver, passes = ActiveSet(full.K, full.t, lo, hi, full.beta), 1
    while not solver.advance():
        passes += 1
        if passes == PASSES_BEFORE_INTERIOR_POINT:
            others, beta = np.arange(len(lo)) != i, np.zeros(len(lo))
            for found in interior_point(full.K[np.ix_(others, others)], full.t[others], lo[others], hi[others]):
                beta[others] = beta[others] if found is None else found
            solver = ActiveSet(full.K, full.t, lo, hi, beta)
    return solver, passes


def _misclassified(i: int, g: Array, y: Array, weight: Array) -> bool:
    """Whether sample i is, by f = g plus the offset that is best for the others."""
    others = np.arange(len(y)) != i
    return bool((g[i] + hinge_offset(g[others], y[others], weight[others]) > 0) != (y[i] > 0))


def _wrong_by_features(problem: SVMDual, i: int) -> bool:
    """Whether sample i is misclassified by the machine of all others, fitted from nothing."""
    others = problem.taken(np.flatnonzero(np.arange(len(problem.rows)) != i))
    if (others.signs == others.signs[0]).all() or problem.features is None:
        return True
    *_, model = others.in_features(problem.features)
    return bool((float(model.decision_function(problem.X[problem.rows[i]][None])[0]) > 0) != (problem.signs[i] > 0))
