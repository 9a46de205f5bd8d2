"""The way to the solution of `PiecewiseDual`: by its dual program, or in the kernel's features."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

from mlviz.algorithms.base import last_until
from mlviz.algorithms.kernels.box_solving import BoxFollower, gram_meanwhile, solved
from mlviz.algorithms.kernels.piecewise_loss import PiecewiseDual, PiecewiseSolution
from mlviz.numerics.arrays import Array

State = TypeVar("State")
Make = Callable[[PiecewiseSolution], State]


def first_draft(problem: PiecewiseDual, make: Make[State]) -> State | None:
    """What is made of a solution for few of the samples, where that for all takes a while."""
    found = problem.draft()
    return None if found is None else make(found)


def matrix_meanwhile(problem: PiecewiseDual, state: State | None) -> Generator[State, None, Array | None]:
    """The problem's matrix, None where it is solved in features; yields the state while it takes."""
    return None if problem.features is not None else (yield from gram_meanwhile(problem, state))


def solutions(
    problem: PiecewiseDual, K: Array | None, state: State | None, make: Make[State]
) -> Generator[State, None, PiecewiseSolution]:
    """Yield what is made of ever better solutions, from a state on or none; returns the last one.

    K is the matrix of the problem, None where it is solved in the kernel's features.
    """
    if K is not None:
        solver = yield from solved(problem, K, state, lambda beta, g: make(problem.solution(beta, g)))
        return problem.solution(solver.beta, solver.g)
    assert problem.features is not None
    found = None
    for better in problem.in_features(problem.features):
        if found is not None:
            yield make(found)
        found = better
    assert found is not None
    return found


class PiecewiseFollower(BoxFollower[PiecewiseDual]):
    """Keeps what solves problems of the same samples, which differ in their prices."""

    def followed(self, problems: Sequence[PiecewiseDual], deadline: float) -> list[PiecewiseSolution]:
        """The solutions of changed problems, the best ones found until `deadline`; raises `CannotFit`."""
        features = problems[0].features
        if features is not None:
            self.forget()
            return [last_until(deadline, problem.in_features(features)) for problem in problems]
        problems, solvers, _ = self.follow(problems, deadline)
        return [problem.solution(solver.beta, solver.g) for problem, solver in zip(problems, solvers, strict=True)]
