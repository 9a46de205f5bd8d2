"""The way to the solution of a support vector machine's dual program: in steps to be seen, or until a deadline."""

from __future__ import annotations

import time
from collections.abc import Generator
from itertools import accumulate

import numpy as np

from mlviz.algorithms.base import last_until
from mlviz.algorithms.margin.svm.leave_one_out import PASSES_BEFORE_INTERIOR_POINT
from mlviz.algorithms.margin.svm.model import SVMModel
from mlviz.algorithms.margin.svm.problem import WIDE_BOUND, SVMDual, starts
from mlviz.numerics.arrays import Array
from mlviz.numerics.pauses import meanwhile
from mlviz.numerics.svm.active_set import ActiveSet
from mlviz.numerics.svm.interior_point import interior_point


def solved(problem: SVMDual, model: SVMModel | None) -> Generator[SVMModel, None, ActiveSet]:
    """Yield models from a draft on, None where it takes no time; returns the solver at the solution."""
    if model is None:
        K = problem.gram()
    else:
        yield model
        K = yield from meanwhile(model, problem.whole_gram())
    (lo, hi), beta = problem.box(), None
    # A start becomes a model only when a better one follows: the last one goes straight to the active set, so that
    # a quick fit makes no model but its answer.
    for better in starts(K, problem.signs, lo, hi):
        if beta is not None and better is not None:
            model = problem.model(beta, beta @ K)
        if model is not None:
            yield model
        beta = beta if better is None else better
    solver = ActiveSet(K, problem.signs, lo, hi, np.zeros(len(K)) if beta is None else beta)
    begun, work = (solver.beta.copy(), solver.g.copy()), 0
    for over in solver.passes():
        work += over * (len(K) + int(solver.free.sum()) ** 2 // 10)
        if work > 60_000:
            model, work = problem.model(solver.beta, solver.g), 0
        elif over and model is None:
            continue
        model = model or problem.model(*begun)
        yield model
    return solver


def from_nothing(problem: SVMDual, deadline: float) -> ActiveSet:
    """The solver at the best start that is found until the deadline."""
    K, (lo, hi) = problem.gram(), problem.box()
    beta = last_until(deadline, accumulate(starts(K, problem.signs, lo, hi), _later, initial=np.zeros(len(K))))
    return ActiveSet(K, problem.signs, lo, hi, beta)


def _later(found: Array, further: Array | None) -> Array:
    return found if further is None else further


def improved(solver: ActiveSet, deadline: float) -> tuple[ActiveSet, bool]:
    """Let the solver improve until it is done or late."""
    passes, running = 0, solver.passes()
    while (over := next(running, None)) is not None:
        if time.perf_counter() > deadline:
            running.close()
            return solver, False
        passes += over
        if over and passes == PASSES_BEFORE_INTERIOR_POINT and float((solver.hi - solver.lo).max()) >= WIDE_BOUND:
            points = interior_point(solver.K, solver.t, solver.lo, solver.hi)
            beta = last_until(deadline, accumulate(points, _later, initial=solver.beta))
            solver = ActiveSet(solver.K, solver.t, solver.lo, solver.hi, beta)
            running = solver.passes()
    return solver, True
