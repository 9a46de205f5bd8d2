"""What classifiers of two classes have in common: signs -1 and +1 for their samples, and a boundary."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.linear_scores import LinearScores
from mlviz.numerics.grid import Array

LARGEST = 1e150
"""Products of larger inputs can't be computed with."""


def two_classes(label: str, X: Array, y: NDArray[Any] | None) -> tuple[NDArray[Any], Array]:
    """The classes (2,), sorted, and y = -1 or +1 of each sample (n,); raises `CannotFit`."""
    classes = np.unique(np.asarray(y))
    if len(classes) < 2:
        raise CannotFit("All samples are of one class: add samples of a second class.")
    if len(classes) > 2:
        raise CannotFit(
            f"The {label} tells two classes apart and there are {len(classes)}: "
            "in a pipeline, one-vs-one or one-vs-rest makes it several."
        )
    if np.abs(X).max() > LARGEST:
        raise CannotFit("The inputs are too large to compute with: standardize them.")
    return classes, np.where(np.asarray(y) == classes[1], 1.0, -1.0)


def foot(model: LinearScores, x: Array) -> Array | None:
    """The place on the model's boundary nearest to x (d,); None where there is no boundary."""
    square = float(model.coef @ model.coef)
    if not square > 0:
        return None
    return np.asarray(x - float(model.decision_function(x[None])[0]) / square * model.coef)
