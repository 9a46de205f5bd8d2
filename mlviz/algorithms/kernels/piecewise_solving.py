"""The way to the solution of `PiecewiseDual`: by its dual program, or in the kernel's features."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

import numpy as np

from mlviz.algorithms.base import last_until
from mlviz.algorithms.kernels.box_solving import BoxFollower, gram_meanwhile, solved
from mlviz.algorithms.kernels.piecewise_loss import PiecewiseDual
from mlviz.algorithms.kernels.piecewise_solution import PiecewiseSolution
from mlviz.algorithms.kernels.watched import Seen, Watched
from mlviz.numerics.arrays import AnyArray, Array, Rows
from mlviz.numerics.kernels.features import Features
from mlviz.numerics.svm.active_set import ActiveSet
from mlviz.numerics.svm.tube import move_together

State = TypeVar("State")
Make = Callable[[PiecewiseSolution], State]
_FEW_MOVED = 8
"""Where more than one sample in so many moved, the Gram matrix is made anew."""


def first_draft(problem: PiecewiseDual, make: Make[State]) -> State | None:
    """What is made of a solution for few of the samples, where that for all takes a while."""
    found = problem.draft()
    return None if found is None else make(found)


def common_features(problems: Sequence[PiecewiseDual]) -> Features | None:
    """Those in which problems of the same samples are solved, as the bounds of one are too wide for its program."""
    return next((problem.features for problem in problems if problem.features is not None), None)


def matrix_meanwhile(
    problem: PiecewiseDual, features: Features | None, state: State | None
) -> Generator[State, None, Array | None]:
    """The problem's matrix, None where it is solved in features; yields the state while it takes."""
    if features is not None:
        return None
    rows = problem.matrix_by_rows()
    return (yield from gram_meanwhile(problem, state)) if rows is None else rows


def solutions(
    problem: PiecewiseDual, features: Features | None, K: Array | None, state: State | None, make: Make[State]
) -> Generator[State, None, PiecewiseSolution]:
    """Yield what is made of ever better solutions, from a state on or none; returns the last one.

    K is the matrix of the problem, None where it is solved in the features.
    """
    if K is not None:
        solver = yield from solved(problem, K, state, lambda beta, g: make(problem.solution(beta, g)))
        return problem.solution(solver.beta, solver.g)
    assert features is not None
    found = None
    for better in problem.in_features(features):
        if found is not None:
            yield make(found)
        found = better
    assert found is not None
    return found


class PiecewiseFollower(BoxFollower[PiecewiseDual]):
    """Keeps what solves problems of the same samples, which differ in their prices."""

    def __init__(self) -> None:
        self._watched = Watched()
        self._seen: Array | None = None
        """The places that the solvers have beside their matrix: those that were watched when they were given some."""
        self._around = np.empty((0, 0))
        """The places of the samples and, below them, those; both counted from the origin."""

    def solutions_of_moved(
        self, X: Array, y: AnyArray | None, rows: Rows | slice, deadline: float
    ) -> list[PiecewiseSolution]:
        """The solutions if all that is new are these rows of X (n, d) and y (n,); none where that takes more.

        A kernel of differences is not asked again about the other samples.
        """
        old, solvers = self._programs, self._solvers
        if not old or y is None or old[0].thinned_from or not old[0].sees_only_differences:
            return []
        count, y = len(old[0].rows[rows]), np.asarray(y, dtype=np.float64)
        programs = [moved for program in old if (moved := program.moved_to(X, y, rows)) is not None]
        if len(programs) < len(old) or count > len(X) // _FEW_MOVED:
            return []
        self._watch()
        self.forget()  # should anything below fail
        if count:
            move_together(solvers, rows, self.columns(programs[0], rows))
        for solver, program, former in zip(solvers, programs, old, strict=True):
            if program.targets is not former.targets:
                solver.aim_some(rows, program.targets)
        return self._told(*self.improved(programs, solvers, deadline))

    def followed(self, problems: Sequence[PiecewiseDual], deadline: float) -> list[PiecewiseSolution]:
        """The solutions of changed problems, the best ones found until `deadline`; raises `CannotFit`."""
        features = common_features(problems)
        if features is not None:
            self.forget()
            return [last_until(deadline, problem.in_features(features)) for problem in problems]
        self._watch()
        return self._told(*self.follow(problems, deadline))

    def _watch(self) -> None:
        """Give the solvers what they have not yet of the places that are watched."""
        places, solvers = self._watched.places, self._solvers
        if not solvers or places is None or places is self._seen:
            return
        program = self._programs[0]
        if places.shape[1] == program.X.shape[1]:
            self._around = np.concatenate((program.places, places - program.origin))
            wide = np.hstack((solvers[0].K, program.gram(program.places, self._around[len(program.places) :])))
            for solver in solvers:
                solver.watch(wide)
            self._seen = places

    def columns(self, program: PiecewiseDual, rows: Rows | slice) -> Array:
        """The new rows of the matrix, and of what is beside it, where some samples moved."""
        if self._seen is None:
            return super().columns(program, rows)
        self._around[rows] = moved = program.places_of(rows)
        return program.gram(moved, self._around)

    def _told(
        self, problems: Sequence[PiecewiseDual], solvers: Sequence[ActiveSet], solved: bool
    ) -> list[PiecewiseSolution]:
        if any(solver.wide is solver.K for solver in solvers):  # one that is new: all are given the places anew
            self._seen = None
        return [
            problem.solution(
                solver.beta,
                solver.g,
                solver.sure_offset if solved else None,
                Seen(self._watched, self._seen, solver.watched.copy()),
            )
            for problem, solver in zip(problems, solvers, strict=True)
        ]
