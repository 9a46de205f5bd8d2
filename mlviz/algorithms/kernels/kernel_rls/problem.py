"""Kernel least squares classification as kernel ridge regressions that share their samples and their equations."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.checking import weighted_rows
from mlviz.algorithms.kernels.kernel_ridge.model import KernelRidgeModel
from mlviz.algorithms.kernels.kernel_ridge.problem import KernelRidgeProblem
from mlviz.algorithms.kernels.kernel_rls.model import KernelRLSModel
from mlviz.algorithms.kernels.regularized import RegularizedKernelMethod
from mlviz.algorithms.targets import decode_targets, encode_targets, several_classes
from mlviz.numerics.arrays import Array
from mlviz.numerics.kernels.nystroem import Moments
from mlviz.numerics.linalg.ridge import DualRidge, RidgeSolution


@dataclass(frozen=True, eq=False)
class KernelRLSProblem:
    """The regressions: one for two classes, else one a class. They differ in y and `target_offset` alone."""

    classes: NDArray[Any]
    codes: NDArray[np.intp]
    """(n,) the class of each sample, as an index of `classes`."""
    regressions: tuple[KernelRidgeProblem, ...]

    @classmethod
    def given(
        cls, algorithm: RegularizedKernelMethod, X: Array, y: NDArray[Any] | None, sample_weight: Array | None
    ) -> KernelRLSProblem:
        """The problem of the samples that have weight; raises `CannotFit`."""
        _, X, y, weights = weighted_rows(X, y, sample_weight)
        classes, codes = several_classes(y)
        targets = encode_targets(codes, len(classes))
        first = KernelRidgeProblem.given(algorithm, X, targets[0], weights)
        others = (
            dataclasses.replace(first, y=target, target_offset=float(first.share @ target)) for target in targets[1:]
        )
        return cls(classes, codes, (first, *others))

    def in_units_of(self, old: KernelRLSProblem) -> KernelRLSProblem:
        """The problem with the origin, the unit and the levels of an old one of as many classes."""
        pairs = zip(self.regressions, old.regressions, strict=True)
        kept = (
            dataclasses.replace(new, origin=o.origin, unit=o.unit, target_offset=o.target_offset) for new, o in pairs
        )
        return dataclasses.replace(self, regressions=tuple(kept))

    @property
    def targets(self) -> Array:
        """(n, t) the targets of all regressions, less their levels."""
        return np.column_stack([one.y - one.target_offset for one in self.regressions])

    def equations(self, rng: np.random.Generator) -> DualRidge | Moments:
        """The equations that all regressions have in common; raises `CannotFit`."""
        first = self.regressions[0]
        return first.moments(rng, self.targets) if first.many else first.dual()

    def in_features(self) -> KernelRLSModel | None:
        """The model in the kernel's features, where they are few."""
        features = self.regressions[0].features
        return None if features is None else self._model([one.in_features(features) for one in self.regressions])

    def solved(self, equations: DualRidge | Moments) -> KernelRLSModel:
        """The model of the solutions of the equations; raises `CannotFit`."""
        if isinstance(equations, Moments):
            return self._model([one.in_centers(equations, t) for t, one in enumerate(self.regressions)])
        return self.in_samples([equations.solve(one.y - one.target_offset) for one in self.regressions])

    def in_samples(self, solutions: list[RidgeSolution]) -> KernelRLSModel:
        """The model of solutions of the equations in the samples."""
        return self._model([one.in_samples(found) for one, found in zip(self.regressions, solutions, strict=True)])

    def _model(self, parts: list[KernelRidgeModel]) -> KernelRLSModel:
        alone = [
            one.y - part.leave_one_out
            for one, part in zip(self.regressions, parts, strict=True)
            if part.leave_one_out is not None
        ]
        error = float(self.regressions[0].share @ (decode_targets(np.stack(alone)) != self.codes)) if alone else None
        return KernelRLSModel(self.classes, tuple(parts), error, self.regressions[0].X, self.codes)
