"""The way to the solution of a `BoxProgram`: in steps to be seen, or until a deadline, under the hand."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import accumulate
from typing import Generic, TypeVar

import numpy as np

from mlviz.algorithms.base import last_until
from mlviz.algorithms.kernels.box_program import BoxProgram
from mlviz.algorithms.kernels.following import gram_of_changed, sources
from mlviz.numerics.arrays import Array, Rows
from mlviz.numerics.pauses import meanwhile
from mlviz.numerics.svm.active_set import ActiveSet
from mlviz.numerics.svm.interior_point import interior_point
from mlviz.numerics.svm.tube import move_together

State = TypeVar("State")
Program = TypeVar("Program", bound=BoxProgram)
WIDE_BOUND = 1e4
"""From this bound on, interior points are on their way sooner than pairs of variables and the active set."""
PASSES_BEFORE_INTERIOR_POINT = 60
"""After so many passes of the active set the interior point is tried."""
_WORK = 60_000
"""After passes of about so much work a model is made."""


def gram_meanwhile(program: BoxProgram, state: State | None) -> Generator[State, None, Array]:
    """The program's matrix; yields the state while it takes."""
    if state is None:
        return program.gram()
    yield state
    return (yield from meanwhile(state, program.whole_gram()))


def solved(
    program: BoxProgram, K: Array, state: State | None, make: Callable[[Array, Array], State]
) -> Generator[State, None, ActiveSet]:
    """Yield what is made of ever better variables b and K b, from a state on or none; returns the solver at the end.

    A quick fit makes nothing on the way: a start becomes a state only where a better one follows, and the last one goes
    straight to the active set.
    """
    beta = None
    for better in program.starts(K):
        if beta is not None and better is not None:
            state = make(beta, beta @ K)
        if state is not None:
            yield state
        beta = beta if better is None else better
    solver = program.solver(K, np.zeros(len(K)) if beta is None else beta)
    begun, work = (solver.beta.copy(), solver.g.copy()), 0
    for over in solver.passes():
        work += over * (len(K) + int(solver.free.sum()) ** 2 // 10)
        if work > _WORK:
            state, work = make(solver.beta, solver.g), 0
        elif over and state is None:
            continue
        state = make(*begun) if state is None else state
        yield state
    return solver


class BoxFollower(Generic[Program]):
    """Keeps the Gram matrix and the solvers of programs of the same samples, which differ in their bounds."""

    _programs: Sequence[Program] = ()
    _solvers: Sequence[ActiveSet] = ()

    def forget(self) -> None:
        """Start from nothing the next time."""
        self._programs = self._solvers = ()

    def follow(
        self, programs: Sequence[Program], deadline: float
    ) -> tuple[Sequence[Program], Sequence[ActiveSet], bool]:
        """The changed programs in the units kept, their solvers, as far as they get until `deadline`, and if all end.

        Raises `CannotFit`.
        """
        old, solvers = self._programs, self._solvers
        self.forget()  # should anything below fail
        if old:
            programs = [program.kept_units(old[0]) for program in programs]
            solvers = self._changed(solvers, old, programs)
        if not solvers:
            K = programs[0].gram()
            solvers = [
                program.solver(K, _last_start(program.starts(K), np.zeros(len(K)), deadline)) for program in programs
            ]
        return self.improved(programs, solvers, deadline)

    def improved(
        self, programs: Sequence[Program], solvers: Sequence[ActiveSet], deadline: float
    ) -> tuple[Sequence[Program], Sequence[ActiveSet], bool]:
        """Go on with solvers of changed programs, as far as they get until `deadline`."""
        found = [_improved(program, solver, deadline) for program, solver in zip(programs, solvers, strict=True)]
        self._programs, self._solvers = programs, [solver for solver, _ in found]
        return programs, self._solvers, all(done for _, done in found)

    def _changed(
        self, solvers: Sequence[ActiveSet], old: Sequence[Program], new: Sequence[Program]
    ) -> Sequence[ActiveSet]:
        """The solvers at their last solutions, for the new programs; none where these are no good starts."""
        before, now = old[0], new[0]
        if len(old) != len(new) or type(now.kernel) is not type(before.kernel) or now.X.shape[1] != before.X.shape[1]:
            return ()
        if now.units != before.units:
            return ()
        boxes = [(former.box(), program.box()) for former, program in zip(old, new, strict=True)]
        same_kernel = now.sees_as(before)
        if same_kernel and before.kink == now.kink and all(_same(former, box) for former, box in boxes):
            moved = np.array(sorted(set((before.places != now.places).nonzero()[0].tolist())), dtype=np.intp)
            if len(moved) <= max(1, len(now.rows) // 8):
                if len(moved):
                    move_together(solvers, moved, self.columns(now, moved))
                for solver, program in zip(solvers, new, strict=True):
                    solver.aim(program.targets)
                return solvers
        # The order of the variables is that of the first fit, while the samples stay the same.
        source = sources(before.X[before.rows], now.X[now.rows])
        fresh, kept = np.flatnonzero(source < 0), np.flatnonzero(source >= 0)
        if len(fresh) > len(source) // 2:
            return ()
        ratios = [(hi - lo)[kept] / (old_hi - old_lo)[source[kept]] for (old_lo, old_hi), (lo, hi) in boxes]
        if any(ratio.max(initial=1.0) > 10 or ratio.min(initial=1.0) < 0.1 for ratio in ratios):
            return ()
        K = gram_of_changed(solvers[0].K, source, fresh, now) if same_kernel else now.gram()
        found = []
        for solver, program, ratio in zip(solvers, new, ratios, strict=True):
            beta = np.zeros(len(source))
            beta[kept] = solver.beta[source[kept]] * ratio
            found.append(program.solver(K, beta))
        return found

    def columns(self, program: Program, rows: Rows | slice) -> Array:
        """The new rows of the matrix (m, n) where some samples moved."""
        return program.gram(program.places_of(rows))


def _last_start(starts: Iterator[Array | None], first: Array, deadline: float) -> Array:
    """The last one that is found until the deadline."""

    def later(found: Array, further: Array | None) -> Array:
        return found if further is None else further

    return last_until(deadline, accumulate(starts, later, initial=first))


def _improved(program: BoxProgram, solver: ActiveSet, deadline: float) -> tuple[ActiveSet, bool]:
    """Let the solver improve until it is done or late; whether it is done."""
    if solver.settle():
        return solver, True
    passes, running = 0, solver.passes()
    while (over := next(running, None)) is not None:
        if time.perf_counter() > deadline:
            running.close()
            return solver, False
        passes += over
        if over and passes == PASSES_BEFORE_INTERIOR_POINT:
            lo, hi = program.box()
            if float((hi - lo).max()) >= WIDE_BOUND:
                points = interior_point(solver.K, program.targets, lo, hi, program.kink)
                solver = program.solver(solver.K, _last_start(points, solver.beta, deadline))
                running = solver.passes()
    return solver, True


def _same(former: tuple[Array, Array], box: tuple[Array, Array]) -> bool:
    """Whether bounds are the same, for as many variables."""
    return all(a.tobytes() == b.tobytes() for a, b in zip(former, box, strict=True))
