"""Whether the data are ones that a method can be given, and what a method asks of them first."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from mlviz.draw.tasks import UNSUPERVISED, Task
from mlviz.numerics.arrays import AnyArray, Array, Labels, greatest, least
from mlviz.numerics.distances import FARTHEST_COMPUTABLE
from mlviz.numerics.sampling import by_place
from mlviz.spec import Declared
from mlviz.spec.sentences import sentence

_LARGEST = 8e307
"""Larger inputs may be farther apart than a number can say."""
_TAKEN_AS_THEY_ARE = (1e-9, 1e9)
"""Where the largest weight is between these, weights count as they are; else they are divided by it."""
_LEAST_SHARE = 1e-20
"""A weight above 0 is at least this share of the largest: less makes no difference, but 1 divided by it overflows."""


class CannotFit(Exception):
    """The data can't be fitted; the message is one sentence for the person looking at the canvas."""

    def __init__(self, words: str) -> None:
        super().__init__(sentence(words))


class HasTasks(Protocol):
    """What a method is called, and what it can do."""

    @property
    def label(self) -> str:
        """For sentences."""

    @property
    def tasks(self) -> tuple[Task, ...]:
        """At least one."""


def checked(
    method: HasTasks, X: ArrayLike, y: ArrayLike | None, sample_weight: ArrayLike | None
) -> tuple[Array, AnyArray | None, Array | None]:
    """X (n, d) float64, y and sample_weight as `steps` wants them; raises `CannotFit` naming what is wrong."""
    inputs = np.array(X, dtype=np.float64)
    if inputs.ndim == 1:
        inputs = inputs[:, None]
    if inputs.ndim != 2 or inputs.shape[1] == 0:
        raise CannotFit(f"X has the shape {inputs.shape}; one row per sample and one column per input are needed.")
    if not len(inputs):
        raise CannotFit("There are no samples yet.")
    if not can_be_computed_with(inputs):
        if not np.isfinite(inputs).all():
            raise CannotFit("X contains values that are not finite numbers.")
        raise CannotFit("The inputs are too large to compute with: give them in a larger unit.")
    weights = None
    if sample_weight is not None:
        weights = np.array(sample_weight, dtype=np.float64)
        if weights.shape != (len(inputs),) or not np.isfinite(weights).all() or (weights < 0).any():
            raise CannotFit("sample_weight needs one finite number of at least 0 for each sample.")
        if not (weights > 0).any():
            raise CannotFit("All samples have the weight 0.")
        weights = computable(weights)
    if UNSUPERVISED.issuperset(method.tasks):
        return inputs, None, weights
    if y is None:
        raise CannotFit(f"{method.label} needs a target.")
    target = np.array(y)
    if target.shape != (len(inputs),):
        raise CannotFit(
            f"The target has the shape {target.shape}; one value for each of {len(inputs)} samples is needed."
        )
    if method.tasks == ("regression",):
        try:
            target = target.astype(np.float64, copy=False)
        except (TypeError, ValueError):
            raise CannotFit(f"The target has values that are no numbers; {method.label} predicts numbers.") from None
    size = max(greatest(target), -least(target)) if target.dtype.kind in "iuf" else 0.0
    if not size < np.inf:
        raise CannotFit("The target contains values that are not finite numbers.")
    if size >= FARTHEST_COMPUTABLE and not is_classes(method, target):
        raise CannotFit("The target's values are too large to compute with: give them in a larger unit.")
    return inputs, target, weights


def can_be_computed_with(X: Array) -> bool:
    """Whether inputs (n, d), at least one, are finite numbers, and none is too large."""
    return max(greatest(X), -least(X)) <= _LARGEST


def targets_can_be_computed_with(y: AnyArray) -> bool:
    """Whether values (n,), at least one, are finite numbers, and none is too large."""
    return max(greatest(y), -least(y)) < FARTHEST_COMPUTABLE


def computable(weights: Array) -> Array:
    """The weights (n,) in a range in which sums, squares and quotients of them are numbers; none gets or loses 0."""
    largest = float(weights.max())
    low, high = _TAKEN_AS_THEY_ARE
    scaled = weights if low <= largest <= high else weights / largest
    return np.where(weights > 0, np.maximum(scaled, _LEAST_SHARE * float(scaled.max())), 0.0)


def weighted_rows(X: Array, y: AnyArray | None, sample_weight: Array | None) -> tuple[Labels, Array, AnyArray, Array]:
    """Which rows of X have a weight, and their X, y and weights: (m,), (m, d), (m,) and (m,); `CannotFit` if none."""
    assert y is not None
    weights = np.ones(len(X)) if sample_weight is None else sample_weight
    rows = np.arange(len(X)) if sample_weight is None else np.flatnonzero(weights > 0)
    if not len(rows):
        raise CannotFit("There are no samples yet.")
    return (rows, X, y, weights) if len(rows) == len(X) else (rows, X[rows], y[rows], weights[rows])


def weighted_values(
    X: Array, y: AnyArray | None, sample_weight: Array | None, ordered: bool
) -> tuple[Labels, Array, Array, Array]:
    """The same where y is of values; `ordered` by place and target, whatever the order of the samples."""
    rows, used, target, weights = weighted_rows(X, y, sample_weight)
    target = target.astype(np.float64)
    if not ordered:
        return rows, used, target, weights
    order = by_place(used, target, weights)
    return rows[order], used[order], target[order], weights[order]


def refuse_larger(X: Array, limit: float = FARTHEST_COMPUTABLE) -> None:
    """Raise `CannotFit` where an input is larger than what can be computed with."""
    if not np.abs(X).max() < limit:
        raise CannotFit("The inputs are too large to compute with: standardize them.")


def refuse_distant(X: Array) -> None:
    """Raise `CannotFit` where samples X (n, d) are farther apart than distances can be computed."""
    if np.ptp(X, axis=0).max(initial=0.0) > FARTHEST_COMPUTABLE:
        raise CannotFit("The samples are too far apart to compute distances between them.")


def refuse_beyond(owner: Declared, classes: int) -> None:
    """Raise `CannotFit` where something is set for more than so many classes: whose would it be?"""
    if told := owner.beyond(classes):
        raise CannotFit(told)


def is_classes(method: HasTasks, y: AnyArray) -> bool:
    """Whether y names classes rather than values to regress on."""
    return "regression" not in method.tasks or ("classification" in method.tasks and y.dtype.kind != "f")
