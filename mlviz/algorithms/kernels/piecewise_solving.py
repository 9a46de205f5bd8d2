"""The way to the solution of `PiecewiseDual`: in steps to be seen, or until a deadline, under the hand."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from mlviz.algorithms.base import last_until
from mlviz.algorithms.kernels.following import gram_of_changed, sources
from mlviz.algorithms.kernels.piecewise_loss import PiecewiseDual, PiecewiseSolution
from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.kernels.features import Features
from mlviz.numerics.pauses import meanwhile
from mlviz.numerics.svm.active_set import ActiveSet
from mlviz.numerics.svm.tube import TubeActiveSet, move_together, tube_starts

State = TypeVar("State")
Make = Callable[[PiecewiseSolution], State]
_MANY = 600
"""With more samples the first model is that of a few of them."""
_WORK = 60_000
"""After passes of about so much work a model is made."""


def first_draft(problem: PiecewiseDual, make: Make[State]) -> State | None:
    """What is made of a solution for few of the samples, where that for all takes a while."""
    return make(problem.draft()) if len(problem.rows) > _MANY and problem.features is None else None


def gram_meanwhile(problem: PiecewiseDual, state: State | None) -> Generator[State, None, Array | Features]:
    """The problem's matrix, or the features in which it is solved; yields the state while it takes."""
    if problem.features is not None:
        return problem.features
    if state is None:
        return problem.gram()
    yield state
    return (yield from meanwhile(state, problem.whole_gram()))


def solved(
    problem: PiecewiseDual, K: Array | Features, state: State | None, make: Make[State]
) -> Generator[State, None, PiecewiseSolution]:
    """Yield what is made of ever better solutions, from a state on or none; returns the last one.

    A quick fit makes nothing on the way: a start becomes a state only where a better one follows. K is the matrix of
    the problem, or the features of its kernel.
    """
    if isinstance(K, Features):
        return (yield from _in_features(problem, K, make))
    lo, hi = problem.box()
    beta = None
    for better in tube_starts(K, problem.targets, problem.epsilon / problem.scale, lo, hi):
        if beta is not None and better is not None:
            state = make(problem.solution(beta, beta @ K))
        if state is not None:
            yield state
        beta = beta if better is None else better
    solver = problem.solver(K, np.zeros(len(K)) if beta is None else beta)
    begun, work = (solver.beta.copy(), solver.g.copy()), 0
    for over in solver.passes():
        work += over * (len(K) + int(solver.free.sum()) ** 2 // 10)
        if work > _WORK:
            state, work = make(problem.solution(solver.beta, solver.g)), 0
        elif over and state is None:
            continue
        state = make(problem.solution(*begun)) if state is None else state
        yield state
    return problem.solution(solver.beta, solver.g)


def _in_features(
    problem: PiecewiseDual, features: Features, make: Make[State]
) -> Generator[State, None, PiecewiseSolution]:
    found = None
    for better in problem.in_features(features):
        if found is not None:
            yield make(found)
        found = better
    assert found is not None
    return found


class PiecewiseFollower:
    """Keeps the Gram matrix and the solutions of problems of the same samples, which differ in their prices."""

    _problems: Sequence[PiecewiseDual] = ()
    _solvers: Sequence[ActiveSet] = ()

    def follow(self, problems: Sequence[PiecewiseDual], deadline: float) -> list[PiecewiseSolution]:
        """The solutions of changed problems, the best ones found until `deadline`; raises `CannotFit`."""
        old, solvers = self._problems, self._solvers
        self._problems = self._solvers = ()  # should anything below fail, the next call starts from nothing
        features = problems[0].features
        if features is not None:
            return [last_until(deadline, problem.in_features(features)) for problem in problems]
        if old:
            problems = _kept_units(problems, old[0])
            solvers = _changed(solvers, old, problems)
        if not solvers:
            K = problems[0].gram()
            solvers = [_from_nothing(problem, K, deadline) for problem in problems]
        for solver in solvers:
            running = solver.passes()
            for _ in running:
                if time.perf_counter() > deadline:
                    running.close()
                    break
        self._problems, self._solvers = problems, solvers
        return [problem.solution(solver.beta, solver.g) for problem, solver in zip(problems, solvers, strict=True)]


def _from_nothing(problem: PiecewiseDual, K: Array, deadline: float) -> ActiveSet:
    """The solver at the best start that is found until the deadline."""
    beta = np.zeros(len(K))
    for better in tube_starts(K, problem.targets, problem.epsilon / problem.scale, *problem.box()):
        beta = beta if better is None else better
        if time.perf_counter() > deadline:
            break
    return problem.solver(K, beta)


def _kept_units(problems: Sequence[PiecewiseDual], old: PiecewiseDual) -> list[PiecewiseDual]:
    """The problems in the units of an old one, where they still suit: the Gram matrix then stays."""
    new = problems[0]
    if new.kernel != old.kernel or new.X.shape[1] != old.X.shape[1] or not 0.2 < new.scale / old.scale < 5:
        return list(problems)
    kept = [replace(one, origin=old.origin, unit=old.unit, level=old.level, scale=old.scale) for one in problems]
    suits = 0.05 < float(new.kernel.diagonal(kept[0].places).max()) / old.unit < 20
    return kept if suits else list(problems)


def _changed(
    solvers: Sequence[ActiveSet], old: Sequence[PiecewiseDual], new: Sequence[PiecewiseDual]
) -> Sequence[ActiveSet]:
    """The solvers at their last solutions, for the new problems; none where these are no good starts."""
    before, now = old[0], new[0]
    if len(old) != len(new) or type(now.kernel) is not type(before.kernel) or now.X.shape[1] != before.X.shape[1]:
        return ()
    if (now.unit, now.scale, now.level) != (before.unit, before.scale, before.level):
        return ()
    # The order of the variables is that of the first fit, while the samples stay the same.
    source = sources(before.X[before.rows], now.X[now.rows])
    fresh, kept = np.flatnonzero(source < 0), np.flatnonzero(source >= 0)
    if len(fresh) > len(source) // 2:
        return ()
    same_kernel = now.kernel == before.kernel and bool((now.origin == before.origin).all())
    K = solvers[0].K
    if same_kernel and _only_moved(old, new, source, fresh):
        if len(fresh):
            move_together(solvers, fresh, now.gram(now.places[fresh]))
        for solver, problem in zip(solvers, new, strict=True):
            _aim(solver, problem.targets)
        return solvers
    K = gram_of_changed(K, source, fresh, now) if same_kernel else now.gram()
    found = []
    for solver, former, problem in zip(solvers, old, new, strict=True):
        (old_lo, old_hi), (lo, hi) = former.box(), problem.box()
        ratio = (hi - lo)[kept] / (old_hi - old_lo)[source[kept]]
        if ratio.max(initial=1.0) > 10 or ratio.min(initial=1.0) < 0.1:
            return ()
        beta = np.zeros(len(source))
        beta[kept] = solver.beta[source[kept]] * ratio
        found.append(problem.solver(K, beta))
    return found


def _only_moved(old: Sequence[PiecewiseDual], new: Sequence[PiecewiseDual], source: Labels, fresh: Labels) -> bool:
    """Whether a few samples have moved, and nothing else is another."""
    if len(old[0].rows) != len(new[0].rows) or len(fresh) > max(1, len(source) // 8):
        return False
    for former, problem in zip(old, new, strict=True):
        pairs = zip(former.box(), problem.box(), strict=True)
        if former.epsilon != problem.epsilon or not all(np.array_equal(a, b) for a, b in pairs):
            return False
    aligned = source >= 0
    return bool((source[aligned] == np.flatnonzero(aligned)).all())


def _aim(solver: ActiveSet, targets: Array) -> None:
    """Take other targets."""
    if isinstance(solver, TubeActiveSet):
        solver.aim(targets)
    else:
        solver.t = targets
        solver.resume()
