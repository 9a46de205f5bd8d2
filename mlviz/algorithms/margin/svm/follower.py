"""The support vector machine under a moving hand: each fit starts from the solution of the one before."""

from __future__ import annotations

import dataclasses
import time
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import last_model_until
from mlviz.algorithms.margin.svm.model import SVMModel
from mlviz.algorithms.margin.svm.multiclass import MulticlassSVMModel, several_steps
from mlviz.algorithms.margin.svm.problem import MOST_SAMPLES, WIDE, Machine, SVMDual, starts
from mlviz.numerics.arrays import Array
from mlviz.numerics.svm.active_set import ActiveSet
from mlviz.numerics.svm.interior_point import interior_point

PATIENCE = 60
"""With wide bounds, after so many passes of the active set the interior point is tried."""


class FollowedMachine(Machine, Protocol):
    """A machine that may meet several classes at once."""

    def meets_several(self, y: NDArray[Any] | None, sample_weight: Array | None) -> bool:
        """Whether it does so with the classes that y names."""


class SVMFollower:
    """Keeps the Gram matrix and the solution."""

    def __init__(self) -> None:
        self._problem: SVMDual | None = None
        self._solver: ActiveSet | None = None

    def update(
        self, algorithm: FollowedMachine, X: Array, y: NDArray[Any] | None, sample_weight: Array | None, deadline: float
    ) -> SVMModel | MulticlassSVMModel:
        """The model of the changed data or hyperparameters, the best one found until `deadline`."""
        if algorithm.meets_several(y, sample_weight):
            self._problem = self._solver = None
            return last_model_until(deadline, several_steps(algorithm.C, X, np.asarray(y), sample_weight))
        problem = SVMDual.of(algorithm, X, y, sample_weight)
        if len(problem.rows) > MOST_SAMPLES:
            # The part is drawn by row, so that it stays the same while a sample moves.
            problem = problem.thinned(np.random.default_rng(0))
        old, solver = self._problem, self._solver
        self._problem = self._solver = None  # should anything below fail, the next call starts from nothing
        if problem.features is not None:
            return last_model_until(deadline, problem.in_features(problem.features))
        if old is not None and solver is not None:
            problem = _kept_units(problem, old)
            solver = _changed(solver, old, problem)
        if solver is None:
            solver = _from_nothing(problem, deadline)
        solver, done = _run(solver, deadline)
        self._problem, self._solver = problem, solver
        model = problem.model(solver.beta, solver.g)
        return problem.checked(model) if done else model


def _kept_units(problem: SVMDual, old: SVMDual) -> SVMDual:
    """The problem in the units of the old one, where they still suit it: the Gram matrix then stays."""
    if problem.kernel != old.kernel or problem.X.shape[1] != old.X.shape[1]:
        return problem
    kept = dataclasses.replace(problem, origin=old.origin, unit=old.unit)
    largest = float(problem.kernel.diagonal(kept.places()).max())
    return kept if 0.05 < largest / old.unit < 20 else problem


def _changed(solver: ActiveSet, old: SVMDual, new: SVMDual) -> ActiveSet | None:
    """The solver at its last solution, for the new problem; None where that is no good start."""
    if type(new.kernel) is not type(old.kernel) or new.X.shape[1] != old.X.shape[1] or new.unit != old.unit:
        return None
    source = _sources(old, new)
    kept = np.flatnonzero(source >= 0)
    fresh = np.flatnonzero(source < 0)
    if len(fresh) > len(source) // 2 or np.isinf(new.bound[0]) != np.isinf(old.bound[0]):
        return None
    (old_lo, old_hi), (lo, hi) = old.box(), new.box()
    same_length = len(old.rows) == len(new.rows)
    same_kernel = new.kernel == old.kernel and bool((new.origin == old.origin).all())
    if same_length and same_kernel and np.array_equal(lo, old_lo) and np.array_equal(hi, old_hi):
        aligned = source >= 0
        if (source[aligned] == np.flatnonzero(aligned)).all() and len(fresh) <= max(1, len(source) // 8):
            solver.move(fresh, new.gram(new.places()[fresh]))
            return solver
    ratio = (hi - lo)[kept] / (old_hi - old_lo)[source[kept]]
    if ratio.max(initial=1.0) > 10 or ratio.min(initial=1.0) < 0.1:
        return None
    beta = np.zeros(len(source))
    flipped = new.signs[kept] != old.signs[source[kept]]
    beta[kept] = np.where(flipped, 0.0, solver.beta[source[kept]] * ratio)
    return ActiveSet(_gram(solver.K, source, fresh, new) if same_kernel else new.gram(), new.signs, lo, hi, beta)


def _gram(K: Array, source: NDArray[np.intp], fresh: NDArray[np.intp], new: SVMDual) -> Array:
    """The Gram matrix of the new samples, those known before taken from K."""
    if not len(fresh) and len(source) == len(K) and (source == np.arange(len(K))).all():
        return K
    result = K[np.ix_(source, source)]
    if len(fresh):
        rows = new.gram(new.places()[fresh])
        result[fresh] = rows
        result[:, fresh] = rows.T
    return result


def _sources(old: SVMDual, new: SVMDual) -> NDArray[np.intp]:
    """For each sample of the new problem its index in the old one, -1 where it is new or has moved."""
    before, now = old.X[old.rows], new.X[new.rows]
    if len(before) == len(now):
        return np.where((before == now).all(axis=1), np.arange(len(now)), -1)
    known: dict[bytes, list[int]] = {}
    for i in range(len(before) - 1, -1, -1):
        known.setdefault(before[i].tobytes(), []).append(i)
    found = [known[key].pop() if known.get(key := place.tobytes()) else -1 for place in now]
    return np.array(found, dtype=np.intp)


def _from_nothing(problem: SVMDual, deadline: float) -> ActiveSet:
    K, (lo, hi) = problem.gram(), problem.box()
    beta = np.zeros(len(K))
    for beta in starts(K, problem.signs, lo, hi):  # noqa: B007
        if time.perf_counter() > deadline:
            break
    return ActiveSet(K, problem.signs, lo, hi, beta)


def _run(solver: ActiveSet, deadline: float) -> tuple[ActiveSet, bool]:
    """Let the solver improve until it is done or late."""
    passes = 0
    while not solver.advance():
        passes += 1
        if time.perf_counter() > deadline:
            return solver, False
        if passes == PATIENCE and float((solver.hi - solver.lo).max()) >= WIDE:
            beta = solver.beta
            for beta in interior_point(solver.K, solver.t, solver.lo, solver.hi):  # noqa: B007
                if time.perf_counter() > deadline:
                    break
            solver = ActiveSet(solver.K, solver.t, solver.lo, solver.hi, beta)
    return solver, True
