"""Many fits at once, to parts of the same samples: what a curve over a hyperparameter and cross-validation ask for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from mlviz.numerics.arrays import AnyArray, Array, Labels, Rows


class Part(NamedTuple):
    """A part of the samples to which a method is to be fitted, and all samples, of which it is asked then."""

    X: Array
    """(n, d) all samples, as that part's preprocessing puts them; the very same array where parts agree."""
    rows: Rows
    """(m,) the rows of the part."""
    y: AnyArray
    """(m,) their targets."""
    weights: Array | None
    """(m,) or None for all ones."""


class Answers(NamedTuple):
    """What some fits say of all samples, b of them at a time."""

    part: Labels
    """(b,) to which of the parts each was made."""
    which: Labels
    """(b,) by which of the algorithms."""
    outputs: Array
    """(b, n) values, or scores that are positive for the second of two classes; (b, n, k) where the largest wins."""


class ManyFits(Protocol):
    """Keeps what makes many fits fast, such as a kernel matrix."""

    def answers(self, algorithms: Sequence[Any], parts: Sequence[Part]) -> Iterator[Answers | None]:
        """Yield what the fits of algorithms that differ in one hyperparameter say, in any order, at least each 20 ms.

        None is only a chance to interrupt the work. They are those that `steps` ends with; where there is no faster way
        to one of them, or it can't be made, it is left out: it is then fitted by itself.
        """


@runtime_checkable
class FitsMany(Protocol):
    """A method that knows a faster way to many fits than one after the other."""

    def many_fits(self) -> ManyFits:
        """What keeps what they have in common."""


def groups_of(parts: Sequence[Part]) -> list[list[int]]:
    """Which parts agree in how they see the samples, by their places."""
    found: dict[int, list[int]] = {}
    for place, part in enumerate(parts):
        found.setdefault(id(part.X), []).append(place)
    return list(found.values())


def from_coarse_to_fine(count: int) -> list[int]:
    """The places 0 to count - 1 so that the first ones are spread over all, and later ones stand between these."""
    found, step = [0, count - 1] if count > 1 else list(range(count)), count - 1
    while step > 1:
        step = -(-step // 2)
        found += [place for place in range(0, count, step) if place not in found]
    return found


def left_out_each(parts: Sequence[Part], group: Sequence[int], classes: bool) -> tuple[Labels, AnyArray, Labels] | None:
    """Where each part of the group lacks one of m samples: their rows, targets, and which part lacks each, (m,) each.

    None where they are other parts, samples are weighted, or one is the only one of its class.
    """
    rows = np.unique(np.concatenate([parts[part].rows for part in group]))
    m = len(rows)
    if len(group) != m or m < 3 or any(len(parts[p].rows) != m - 1 or parts[p].weights is not None for p in group):
        return None
    place = {int(np.setdiff1d(rows, parts[part].rows)[0]): part for part in group}
    if len(place) < m:
        return None
    y = np.empty(m, dtype=parts[group[0]].y.dtype)
    for part in group[:2]:
        y[np.searchsorted(rows, parts[part].rows)] = parts[part].y
    if classes and np.unique(y, return_counts=True)[1].min() < 2:
        return None
    return rows, y, np.array([place[row] for row in rows.tolist()])
