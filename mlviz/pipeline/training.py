"""The samples of one fit, as a pipeline gives them to its algorithm."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from mlviz.algorithms.base import Algorithm
from mlviz.algorithms.checking import can_be_computed_with, targets_can_be_computed_with
from mlviz.numerics.arrays import AnyArray, Array, Labels, Rows, as_span
from mlviz.pipeline.binary_tasks import BinaryTask, Scheme
from mlviz.pipeline.degenerate import caveat_of_directions, caveat_of_samples
from mlviz.pipeline.preprocessing import Transform
from mlviz.pipeline.rating import HeldOut
from mlviz.spec.brief import Brief


@dataclass(frozen=True, eq=False)
class Training(Brief):
    """The samples of one fit, checked: those with a weight above 0, and how they reach the algorithm.

    Errors are counted on all of them, as `sample_weight` says, whatever they count in the fit.
    """

    X: Array
    """(m, d) in the user's coordinates."""
    y: AnyArray | None
    sample_weight: Array | None
    rows: Rows
    """(m,) which of the given samples they are."""
    transform: Transform
    inputs: Array
    """(m, d) in model coordinates."""
    is_classes: bool
    scheme: Scheme
    problems: tuple[BinaryTask, ...]
    """The binary sub-problems of what is `given`; empty where the algorithm gets all at once."""
    algorithm: Algorithm
    weighed: bool = False
    """Whether the classes have weights of their own."""
    weights: Array | None = None
    """(m,) what the samples count in the fit: `sample_weight` times the weights of the classes."""
    resampled_rows: Labels | None = None
    """Which of the samples the algorithm is given, and how often, where it can't weigh them; None for each once."""
    held_out: HeldOut | None = None
    """Samples by which the fit is judged and that take no part in it."""

    @cached_property
    def caveats(self) -> tuple[str, str]:
        """Why the samples say nothing to any method, and that they say nothing in some directions; "" for neither."""
        inputs, target, weights = self.given
        if target is None:
            return "", ""
        counts = np.ones(len(inputs)) if weights is None else weights
        return caveat_of_samples(inputs, target, self.is_classes, counts), caveat_of_directions(inputs)

    @cached_property
    def given(self) -> tuple[Array, AnyArray | None, Array | None]:
        """What the algorithm is given: inputs, targets and weights."""
        if self.resampled_rows is None:
            return self.inputs, self.y, self.weights
        return self.inputs[self.resampled_rows], None if self.y is None else self.y[self.resampled_rows], None

    def where_samples_move(self, X: ArrayLike, y: ArrayLike | None) -> tuple[Training, Rows | slice] | None:
        """What samples X (n, d) with the target y are, and which of them are new, where no more is new than this.

        New are their places and, where they are values, their targets; None where more is. Nothing was learnt of the
        places, no sample has a weight, and the method is given all classes at once.
        """
        if self.transform.learnt or self.sample_weight is not None or self.weights is not None or self.problems:
            return None
        inputs, target = np.array(X, dtype=np.float64), None if y is None else np.asarray(y)
        if self.resampled_rows is not None or self.held_out is not None or inputs.shape != self.X.shape:
            return None
        differ = inputs != self.X
        new = differ[:, 0] if inputs.shape[1] == 1 else differ.any(axis=1)
        if target is not None:
            if self.y is None or target.dtype != self.y.dtype or target.shape != self.y.shape:
                return None
            others = target != self.y
            if not np.count_nonzero(others):
                target = self.y
            elif self.is_classes or not targets_can_be_computed_with(target):
                return None
            else:
                new, target = new | others, target.copy()
        elif self.y is not None:
            return None
        if not can_be_computed_with(inputs):
            return None
        moved = object.__new__(Training)
        vars(moved).update(vars(self), X=inputs, y=target, inputs=inputs, given=(inputs, target, None))
        vars(moved).pop("caveats", None)
        return moved, as_span(new.nonzero()[0])

    @property
    def effective_weights(self) -> Array:
        """(m,) what the samples count in the fit, or how often they are given to the algorithm."""
        if self.resampled_rows is not None:
            return np.bincount(self.resampled_rows, minlength=len(self.X)).astype(np.float64)
        return np.ones(len(self.X)) if self.weights is None else self.weights
