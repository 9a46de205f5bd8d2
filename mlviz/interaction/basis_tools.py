"""The hand that moves knots of splines, centres of bumps and their width on a curve, whatever its tool. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.bases import BasisMethod
from mlviz.algorithms.basis_pictures import PLACED, BasisPlaces, basis_places
from mlviz.interaction.gesture import STILL_PX, Pointer, ToolContext, ToolGenerator, follow, rounded
from mlviz.numerics.arrays import Array
from mlviz.numerics.number_lists import places_text
from mlviz.pipeline.preprocessing.base import Transform
from mlviz.scene.canvas_axes import remembered
from mlviz.scene.edits import with_value
from mlviz.scene.scene import Scene
from mlviz.scene.trace import fit_of
from mlviz.spec.brief import Brief

_APART = 1e-3
"""A place stays farther from its neighbours than that share of the way between them."""


@dataclass(frozen=True, eq=False)
class _Held(Brief):
    """What a press has taken hold of: one of the places, or the width where `which` is None."""

    found: BasisPlaces
    which: int | None
    transform: Transform


def basis_tool(context: ToolContext, press: Pointer) -> ToolGenerator:
    """Drags a knot or a centre between its neighbours, or the end of the width."""
    held = _held(context, press)
    if held is None:
        return
    found, index = held.found, context.panel

    def go(pointer: Pointer) -> None:
        at = float(held.transform.to_model(rounded(pointer.place, context.unit)[None, :1])[0, 0])
        if held.which is None:
            width = abs(at - float(found.places.min()))
            if width > 0:
                context.change(with_value(context.scene, index, "algorithm.width", width), "move width")
            return
        text = places_text(_moved(found, held.which, at))
        context.change(with_value(context.scene, index, f"algorithm.{found.name}", text), f"move {found.label}")

    yield from follow(press, go, STILL_PX)


def hits_basis(context: ToolContext, press: Pointer) -> bool:
    """Whether a press takes hold of one."""
    return press.plain and _held(context, press) is not None


def _moved(found: BasisPlaces, which: int, at: float) -> Array:
    """The places with one of them elsewhere, between its neighbours."""
    walls = np.concatenate((found.ends[:1], found.places, found.ends[1:]))
    low, high = float(walls[which]), float(walls[which + 2])
    gap = _APART * (high - low) if np.isfinite(high - low) else _APART
    places = found.places.copy()
    places[which] = min(max(at, low + gap), high - gap)
    return places


def _held(context: ToolContext, press: Pointer) -> _Held | None:
    shown = _shown(context.scene, context.panel)
    if shown is None:
        return None
    found, transform = shown
    spots = [(x, found.level) for x in found.places.tolist()]
    if found.width is not None:
        spots.append((float(found.places.min()) + found.width, found.width_level))
    at = np.array(spots)
    at[:, :1] = transform.to_user(at[:, :1])
    which = context.held(at, press.place)
    return None if which is None else _Held(found, which if which < len(found.places) else None, transform)


@remembered
def _shown(scene: Scene, index: int) -> tuple[BasisPlaces, Transform] | None:
    """What the canvas of a panel shows of its basis, in the model's units, and how it comes to them."""
    panel = scene.panels[index]
    algorithm = panel.pipeline.algorithm
    if not isinstance(algorithm, BasisMethod) or algorithm.basis not in PLACED:
        return None
    if panel.hides("basis places") or scene.hides_answer:
        return None
    fit = fit_of(scene, index)
    if fit.problem or fit.y is None or not len(fit.X) or (*fit.roles.inputs, fit.roles.target) != scene.axes:
        return None
    transform = fit.pipeline.preprocessor.learn(fit.X)
    if transform.lifts:
        return None
    found = basis_places(algorithm, transform.to_model(fit.X), fit.y)
    return None if found is None else (found, transform)
