"""What charts of methods with a basis have in common: the names of its terms, and what of it can be dragged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.bases import BasisMethod
from mlviz.draw.layer import Context, OnCurve, overlay
from mlviz.draw.marks import Lines, Mark, Points
from mlviz.draw.plot import Handle, Limits
from mlviz.numerics.arrays import Array
from mlviz.numerics.bases.base import Basis
from mlviz.numerics.bases.monomials import Monomials
from mlviz.numerics.bases.products import Products
from mlviz.numerics.bases.univariate import Bumps, Splines
from mlviz.numerics.number_lists import places_text

PLACED = ("splines", "Gaussian bumps")
"""Bases whose functions have places that can be dragged."""
_MOST_HANDLES = 12
"""More knots than that are too near to each other for the hand."""
_BELOW, _LOWER = 0.035, 0.07
"""How far below the lowest target the places stand on the canvas, and the width, as shares of the targets' range."""
_HEIGHT, _NARROWEST = 0.1, 0.02
"""How high the width of bumps stands, and the least one to which it is dragged, as shares of a plot."""


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
    return TermAxis(names, "term", context.measured("weight"))


class BasisPlaces(NamedTuple):
    """What of a basis over one input can be dragged on the canvas, and the hyperparameter that it is.

    Bumps have a width besides: a line from the first centre to where it ends.
    """

    name: str
    label: str
    places: Array
    """(k,) along the input, rising."""
    ends: tuple[float, float]
    """Those between which they stay."""
    level: float
    """At which target they stand."""
    width: float | None = None
    width_level: float = 0.0
    """At which target the line of the width stands."""


def basis_places(method: BasisMethod, X: Array, y: Array) -> BasisPlaces | None:
    """That for samples X (n, 1) with targets y (n,); None where there is nothing, or more than can be taken hold of."""
    if method.basis not in PLACED or X.shape[1] != 1 or not len(X):
        return None
    try:
        basis = method.basis_for(X)
    except CannotFit:
        return None
    part = basis.parts[0] if isinstance(basis, Products) else None
    low = float(y.min())
    room = float(y.max()) - low or 1.0
    level, lower = low - _BELOW * room, low - _LOWER * room
    found = None
    if isinstance(part, Splines):
        ends = float(part.knots[0]), float(part.knots[-1])
        found = BasisPlaces("knot_places", "knots", part.knots[1:-1], ends, level)
    elif isinstance(part, Bumps):
        found = BasisPlaces(
            "center_places", "centres", part.centers, (-np.inf, np.inf), level, float(part.width), lower
        )
    return found if found is not None and 0 < len(found.places) <= _MOST_HANDLES else None


@overlay(
    "basis places",
    "knots and centres",
    "where splines meet, or bumps stand, and how wide they are: drag them",
    tasks=("regression",),
    idle=lambda algorithm, classes: (
        "" if algorithm.basis in PLACED else "Splines have knots, and Gaussian bumps centres."
    ),
)
def places_on_canvas(model: object, context: OnCurve) -> Sequence[Mark]:
    if not isinstance(context.algorithm, BasisMethod) or context.X.shape[1] != 1:
        return ()
    found = basis_places(context.algorithm, context.X, context.y)
    if found is None:
        return ()
    marks: list[Mark] = []
    low, high = sorted((float(context.line[0]), float(context.line[-1])))
    first = float(found.places.min())
    if found.width is not None and low <= first and first + found.width <= high:
        ends = np.array([(first, found.width_level), (first + found.width, found.width_level)])
        marks += [Lines("basis width", ends), Points("basis width", ends[1:], label="width of a bump")]
    seen = found.places[(found.places >= low) & (found.places <= high)]
    places = np.column_stack((seen, np.full(len(seen), found.level)))
    return (*marks, Points("basis place", places, label=found.label)) if len(seen) else ()


def basis_handles(basis: Basis, limits: Limits) -> tuple[tuple[Mark, ...], tuple[Handle, ...]]:
    """What can be dragged over one input in a plot with these limits: knots, or centres and the width of bumps.

    Each place stays between its neighbours. The width is that of the first bump in sight, drawn from its centre to the
    handle; what is out of sight has none.
    """
    part = basis.parts[0] if isinstance(basis, Products) and len(basis.parts) == 1 else None
    low, high = limits[:2]
    if isinstance(part, Splines):
        ends = float(part.knots[0]), float(part.knots[-1])
        return (), _dragged("algorithm.knot_places", part.knots[1:-1], ends, "knot", limits)
    if not isinstance(part, Bumps):
        return (), ()
    centres = _dragged("algorithm.center_places", part.centers, (low, high), "centre", limits)
    seen = part.centers[(part.centers >= low) & (part.centers < high)]
    if not len(seen) or not part.width <= high - float(seen.min()):
        return (), centres
    first, height = float(seen.min()), limits[2] + _HEIGHT * (limits[3] - limits[2])
    widths = np.unique(np.append(np.geomspace(_NARROWEST, 1.0, 120) * (high - first), part.width))
    places = np.column_stack((first + widths, np.full(len(widths), height)))
    here = int(np.searchsorted(widths, part.width))
    reach = Lines("reference", np.array([(first, height), places[here]]), label="width of a bump")
    return (reach,), (*centres, Handle("algorithm.width", places, widths, here, label="width"))


def _dragged(path: str, places: Array, ends: tuple[float, float], label: str, limits: Limits) -> tuple[Handle, ...]:
    """A handle for each of the places in sight, which all stand in one text; none where they are very many."""
    if len(places) > _MOST_HANDLES:
        return ()
    walls = np.concatenate((ends[:1], places, ends[1:]))
    found: list[Handle] = []
    for k, here in enumerate(places.tolist()):
        if not limits[0] <= here <= limits[1]:
            continue
        room = np.linspace(min(walls[k], here), max(walls[k + 2], here), 122)[1:-1]
        along = np.unique(np.append(room, here))
        texts = np.array([places_text([*places[:k], place, *places[k + 1 :]]) for place in along.tolist()])
        at = int(np.searchsorted(along, here))
        name = "" if found else label
        found.append(Handle(path, np.column_stack((along, np.zeros(len(along)))), texts, at, name, "upright"))
    return tuple(found)
