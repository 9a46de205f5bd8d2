"""The way to the solution of `PiecewiseDual`: by its dual program, or in the kernel's features."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

from mlviz.algorithms.base import last_until
from mlviz.algorithms.kernels.box_solving import BoxFollower, gram_meanwhile, solved
from mlviz.algorithms.kernels.piecewise_loss import PiecewiseDual
from mlviz.algorithms.kernels.piecewise_solution import PiecewiseSolution
from mlviz.numerics.arrays import AnyArray, Array, equal
from mlviz.numerics.kernels.expansion import FollowedSum
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
    rows = problem.wanted_rows()
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
        self._sums: tuple[FollowedSum, ...] = ()

    def moved(self, X: Array, y: AnyArray | None, deadline: float) -> list[PiecewiseSolution]:
        """The solutions if only the places X (n, d) of a few samples are new, and no price; none if more is.

        A kernel of differences is not asked again about the other samples.
        """
        if not self._programs:
            return []
        last = self._programs[0]
        if X.shape != last.X.shape or last.thinned_from or not last.sees_only_differences or not equal(last.y, y):
            return []
        rows = (X != last.X).any(axis=1).nonzero()[0]
        if len(rows) > len(X) // _FEW_MOVED:
            return []
        programs, solvers = [program.moved_to(X, rows) for program in self._programs], self._solvers
        self.forget()  # should anything below fail
        if len(rows):
            move_together(solvers, rows, programs[0].gram(programs[0].places[rows]))
        return self._told(*self.improved(programs, solvers, deadline))

    def followed(self, problems: Sequence[PiecewiseDual], deadline: float) -> list[PiecewiseSolution]:
        """The solutions of changed problems, the best ones found until `deadline`; raises `CannotFit`."""
        features = common_features(problems)
        if features is not None:
            self.forget()
            return [last_until(deadline, problem.in_features(features)) for problem in problems]
        return self._told(*self.follow(problems, deadline))

    def _told(
        self, problems: Sequence[PiecewiseDual], solvers: Sequence[ActiveSet], solved: bool
    ) -> list[PiecewiseSolution]:
        if len(self._sums) != len(problems):
            self._sums = tuple(FollowedSum() for _ in problems)
        return [
            problem.solution(solver.beta, solver.g, solver.sure_offset if solved else None, followed)
            for problem, solver, followed in zip(problems, solvers, self._sums, strict=True)
        ]
