"""What charts of methods with a basis have in common: the names of its terms, and what of it can be dragged."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mlviz.draw.layer import Context
from mlviz.draw.plot import Handle
from mlviz.numerics.arrays import Array
from mlviz.numerics.bases.base import Basis
from mlviz.numerics.bases.monomials import Monomials
from mlviz.numerics.bases.places import places_text
from mlviz.numerics.bases.products import Products
from mlviz.numerics.bases.univariate import Bumps, Splines

_MOST_HANDLES = 12
"""More knots than that are too near to each other for the hand."""


class TermAxis(NamedTuple):
    """The names of the terms, what an axis of them is called, and one of their weights."""

    names: list[str]
    label: str
    weight: str


def term_axis(basis: Basis, context: Context) -> TermAxis:
    """That of a basis of the inputs in a context; of a single input the names of its functions need not name it."""
    d = context.X.shape[1]
    short = d == 1 and not isinstance(basis, Monomials)
    names = basis.names([""] if short else [context.names.of_input(j) for j in range(d)])
    if isinstance(basis, Monomials) and basis.mapped:  # u is the same whatever the units of the inputs
        return TermAxis(names, f"term (u: {'inputs' if d > 1 else 'input'} mapped to [−1, 1])", "weight")
    return TermAxis(names, "term", context.of_inputs("weight"))


def basis_handles(basis: Basis, coef: Array, line: Array) -> tuple[Handle, ...]:
    """What can be dragged over one input, seen along `line` (m,): knots, or centres and the width of bumps.

    Each stays between its neighbours. `coef` (k,) are the weights: the width stands on the bump with the largest one.
    """
    part = basis.parts[0] if isinstance(basis, Products) and len(basis.parts) == 1 else None
    low, high = float(line[0]), float(line[-1])
    if isinstance(part, Splines):
        ends = float(part.knots[0]), float(part.knots[-1])
        return _dragged("algorithm.knot_places", part.knots[1:-1], ends, "knot")
    if not isinstance(part, Bumps):
        return ()
    at = int(np.argmax(np.abs(coef) >= (1 - 1e-9) * np.abs(coef).max()))
    middle, height = float(part.centers[at]), float(coef[at]) * np.exp(-0.5)
    widths = np.unique(np.append(np.geomspace(0.05, 1.0, 80) * (high - low) / 2, part.width))
    places = np.column_stack((middle + widths, np.full(len(widths), height)))
    here = int(np.searchsorted(widths, part.width))
    width = Handle("algorithm.width", places, widths, here, label="width")
    return (*_dragged("algorithm.center_places", part.centers, (low, high), "centre"), width)


def _dragged(path: str, places: Array, ends: tuple[float, float], label: str) -> tuple[Handle, ...]:
    """A handle for each of the places, which all stand in one text; none where they are very many."""
    if len(places) > _MOST_HANDLES:
        return ()
    walls = np.concatenate((ends[:1], places, ends[1:]))
    found = []
    for k, here in enumerate(places.tolist()):
        room = np.linspace(min(walls[k], here), max(walls[k + 2], here), 122)[1:-1]
        along = np.unique(np.append(room, here))
        texts = np.array([places_text([*places[:k], place, *places[k + 1 :]]) for place in along.tolist()])
        at = int(np.searchsorted(along, here))
        name = label if k == 0 else ""
        found.append(Handle(path, np.column_stack((along, np.zeros(len(along)))), texts, at, name, "upright"))
    return tuple(found)
