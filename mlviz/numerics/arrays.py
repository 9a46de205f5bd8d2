"""What arrays are called by what they hold, and values among those of more rows."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
AnyArray = NDArray[Any]
"""Numbers of any precision, or the classes, which are numbers or names."""
Labels = NDArray[np.intp]
"""Whole numbers of classes or clusters, one for each sample."""
Rows = NDArray[np.intp]
"""Whole numbers of samples: where they stand among all."""
Mask = NDArray[np.bool_]
"""Whether, for each sample."""
_ROUNDING = 1e-13


def without_rounding(values: Array, beside: Array | float) -> Array:
    """The values, 0 in place of those that are rounding of numbers of the size `beside`: no sign is left to it."""
    return np.where(is_rounding(values, beside), 0.0, values)


def is_rounding(values: Array, beside: Array | float) -> Mask:
    """Which of the values are rounding of numbers of the size `beside`."""
    return np.abs(values) <= _ROUNDING * beside


def to_digits(value: float, digits: int = 4) -> float:
    """A number as a person would write it: rounded to so many digits."""
    return float(np.format_float_scientific(value, precision=digits - 1, unique=True, trim="-"))


def median(values: Array) -> float:
    """The median of numbers (n,), none of them NaN; NumPy's own takes several times longer where they are few."""
    half = len(values) // 2
    lower = half if len(values) % 2 else half - 1
    middle = np.partition(values, (lower, half))
    return float(middle[lower] / 2 + middle[half] / 2)


def middle_row(X: Array) -> Array:
    """Where to count the rows of X (n, d) from so that they keep their digits, (d,): in the middle of each column.

    That is the median of its different values, not the middle of its range: one row far away would leave the others no
    digits, and how often a row is there matters as little as its weight does.
    """
    return np.array([values[len(values) // 2] for values in map(np.unique, X.T)])


def greatest(values: AnyArray) -> float:
    """The largest of all numbers, NaN where one is; NumPy's own takes several times longer where they are few."""
    return float(values.item(values.argmax()))


def least(values: AnyArray) -> float:
    """The smallest of all numbers, likewise."""
    return float(values.item(values.argmin()))


def equal(A: AnyArray | None, B: AnyArray | None) -> bool:
    """Whether two arrays have the same shape and values, or neither is there; NumPy's own takes longer to ask."""
    if A is None or B is None:
        return A is B
    return A.shape == B.shape and not np.count_nonzero(A != B)


def as_span(rows: Rows) -> Rows | slice:
    """The rising rows (m,), as a slice where none is left out: NumPy takes these in a fraction of the time."""
    if not len(rows):
        return slice(0, 0)
    first, end = rows.item(0), rows.item(-1) + 1
    return slice(first, end) if end - first == len(rows) else rows


def largest(values: AnyArray) -> AnyArray:
    """The largest of the last few values of each place (..., k): along so short an axis NumPy takes far longer."""
    return np.asarray(reduce(np.maximum, np.moveaxis(values, -1, 0)))


def leading(values: AnyArray) -> Labels:
    """Which of the last few values of each place (..., k) is the largest, the first of equal ones; none of them NaN."""
    if values.shape[-1] == 2:
        return (values[..., 1] > values[..., 0]).astype(np.intp)
    return np.asarray(np.argmax(values, axis=-1))


def ahead(values: AnyArray) -> tuple[Labels, AnyArray]:
    """Which number of each row (m, k) is the largest, and by how much the next one is smaller; they are used up."""
    rows, first = np.arange(len(values)), values.argmax(axis=1)
    largest = values[rows, first]
    values[rows, first] = -np.inf
    return first, largest - values.max(axis=1)


def numbered_by_first(labels: Labels) -> Labels:
    """Other numbers for the labels (n,): 0, 1, ... in the order in which they first occur."""
    _, first, number = np.unique(labels, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[number])


def names_by_first(labels: Labels, count: int) -> Labels:
    """The same as a name for each of `count` labels, (count,); those that do not occur among the labels come last."""
    here = labels == np.arange(count)[:, None]
    first = np.where(here.any(axis=1), here.argmax(axis=1), len(labels))
    return np.asarray(np.argsort(np.argsort(first, kind="stable")))


def occurring(labels: Labels) -> Labels:
    """Which whole numbers, none of them large, there are among the labels (n,), rising."""
    # Counted, not sorted: there may be a million of them.
    least = int(labels.min(initial=0))
    return np.flatnonzero(np.bincount(labels - least)) + least


def groups_of(labels: Labels) -> list[Rows]:
    """The rows of each label that occurs, rising."""
    order = np.argsort(labels, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(labels[order])) + 1) if len(order) else []


def scattered(values: AnyArray, rows: Rows, n: int, outside: int = 0) -> AnyArray:
    """The values (m,) at their rows of n, and `outside` at all others, (n,)."""
    whole = np.full(n, outside, dtype=values.dtype)
    whole[rows] = values
    return whole


def sorted_rows(*keys: AnyArray) -> Rows:
    """The order that sorts by the first of the keys (n,), equal ones by the next, and so on.

    As np.lexsort of the keys in reverse finds it, but further keys are read only where the first one has equal values.
    """
    order = np.argsort(keys[0], kind="stable")
    first = keys[0][order]
    equal = np.zeros(len(order) + 1, dtype=bool)
    equal[1:-1] = first[1:] == first[:-1]
    tied = np.flatnonzero(equal[1:] | equal[:-1])
    if len(tied):
        rows = order[tied]
        order[tied] = rows[np.lexsort([key[rows] for key in reversed(keys)])]
    return order
