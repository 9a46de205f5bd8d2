"""Kernel ridge regressions that share their samples and their equations, also under a moving hand."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.kernels.kernel_ridge.model import KernelRidgeModel, KernelRidgeProblem
from mlviz.numerics.arrays import Array
from mlviz.numerics.kernels.nystroem import Moments
from mlviz.numerics.linalg.least_squares import DualRidge

_CHANGES = 8
"""With more samples moved at once, solving anew is as fast."""
WORN_RESIDUAL = 1e-7
"""An inverse that solves the equations no better than this has lost digits in many moves."""


@dataclass(frozen=True, eq=False)
class Regressions:
    """One regression or several, which differ in y and `target_offset` alone."""

    each: tuple[KernelRidgeProblem, ...]

    def model(self, parts: list[KernelRidgeModel]) -> Any:
        """What is made of the models of the regressions."""
        return parts[0]

    def comparable(self, old: Regressions) -> bool:
        """Whether the equations of old ones may lead to these."""
        new, former = self.each[0], old.each[0]
        same = new.kernel == former.kernel and new.X.shape == former.X.shape
        return same and np.array_equal(new.share, former.share)

    def in_units_of(self, old: Regressions) -> Regressions:
        """These with the origin, the unit and the levels of comparable ones."""
        pairs = zip(self.each, old.each, strict=True)
        kept = [
            dataclasses.replace(new, origin=o.origin, unit=o.unit, target_offset=o.target_offset) for new, o in pairs
        ]
        return dataclasses.replace(self, each=tuple(kept))

    @property
    def targets(self) -> Array:
        """(n, t) the targets of all regressions, less their levels."""
        return np.column_stack([one.y - one.target_offset for one in self.each])

    def equations(self, rng: np.random.Generator) -> DualRidge | Moments:
        """The equations that all regressions have in common; raises `CannotFit`."""
        first = self.each[0]
        return first.moments(rng, self.targets) if first.many else first.dual()

    def in_features(self) -> Any:
        """The model in the kernel's features, where they are few, else None."""
        features = self.each[0].features
        return None if features is None else self.model([one.in_features(features) for one in self.each])

    def solved(self, equations: DualRidge | Moments, worn: float = np.inf) -> Any:
        """The model of the solutions of the equations, None where they are worse than `worn`; raises `CannotFit`."""
        if isinstance(equations, Moments):
            return self.model([one.in_centers(equations, t) for t, one in enumerate(self.each)])
        solutions = [equations.solve(one.y - one.target_offset) for one in self.each]
        if max(found.first for found in solutions) > worn:
            return None
        return self.model([one.in_samples(found) for one, found in zip(self.each, solutions, strict=True)])

    def fitted(self, rng: np.random.Generator) -> Any:
        """The model, from nothing; raises `CannotFit`."""
        return self.in_features() or self.solved(self.equations(rng))

    def followed(self, old: Regressions, equations: DualRidge | Moments) -> Any:
        """The model after some samples of old ones in the same units have changed; None where solving anew is better.

        The equations are those of the old ones, and brought up to date.
        """
        new, former = self.each[0], old.each[0]
        changed = np.flatnonzero((new.X != former.X).any(axis=1) | (self.targets != old.targets).any(axis=1))
        if isinstance(equations, DualRidge):
            return self.solved(equations, WORN_RESIDUAL) if _moved(new, former, equations, changed) else None
        if len(changed) > len(new.X) // 8:
            return None
        equations.add(former.places[changed], old.targets[changed], -former.share[changed])
        equations.add(new.places[changed], self.targets[changed], new.share[changed])
        return self.solved(equations)


def _moved(problem: KernelRidgeProblem, old: KernelRidgeProblem, dual: DualRidge, changed: NDArray[np.intp]) -> bool:
    """Bring the equations to the new places of those samples; whether that could be done."""
    rows = changed[(problem.X[changed] != old.X[changed]).any(axis=1)]
    if problem.lambda_ != old.lambda_ or len(rows) > _CHANGES:
        return False
    # One after the other, each among the others as they stand by then: only that is a kernel's matrix.
    places = old.places.copy()
    try:
        for row in rows.tolist():
            places[row] = problem.places[row]
            dual.move(row, problem.gram(places[row : row + 1], places)[0])
    except np.linalg.LinAlgError:
        return False
    return True


class MakesRegressions(Protocol):
    """A method that is a kernel ridge regression."""

    def regressions(self, X: Array, y: NDArray[Any] | None, sample_weight: Array | None) -> Regressions:
        """Those of the samples that have weight; raises `CannotFit`."""


class RegressionsFollower:
    """Keeps the inverse of the equations' matrix, or with very many samples their moments and the centres."""

    def __init__(self) -> None:
        self._kept: tuple[Regressions, DualRidge | Moments] | None = None

    def update(
        self,
        algorithm: MakesRegressions,
        X: Array,
        y: NDArray[Any] | None,
        sample_weight: Array | None,
        deadline: float,
    ) -> Any:
        """The model of the changed data or hyperparameters. Exact but for the choice of centres, which stay."""
        regressions = algorithm.regressions(X, y, sample_weight)
        kept, self._kept = self._kept, None  # should anything below fail, the next call starts from nothing
        model = regressions.in_features()
        if model is not None:
            return model
        if kept is not None and regressions.comparable(kept[0]):
            old, equations = kept
            regressions = regressions.in_units_of(old)
            model = regressions.followed(old, equations)
        if model is None:
            equations = regressions.equations(np.random.default_rng(0))
            model = regressions.solved(equations)
        self._kept = regressions, equations
        return model
