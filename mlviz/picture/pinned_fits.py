"""Former fits pinned beside the present one: made of a picture, drawn into the next ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from mlviz.draw.marks import Lines, Mark, Points, Text
from mlviz.draw.marks.base import NOWHERE
from mlviz.draw.numbers import typographic
from mlviz.draw.outlines import outline, polylines
from mlviz.draw.plot import Limits
from mlviz.numerics.arrays import Array
from mlviz.scene.canvas_axes import CanvasAxes, axes_of
from mlviz.scene.pins import pin_names
from mlviz.scene.scene import Pin, Scene

_CHOICES = 9
"""At so many places along a line its name may stand."""


def pin_of(scene: Scene, index: int, marks: Iterable[Mark]) -> Pin | None:
    """The pin of what panel `index` of a scene shows, by its ghost; None where nothing of that has an outline.

    Components turn with every sample: nothing of them can be pinned.
    """
    axes, (lines, centers) = axes_of(scene, index), outline(marks)
    if axes.components_of or not (len(lines) or len(centers)):
        return None
    n = int(scene.dataset.training.sum())
    return Pin(scene.panels[index].pipeline, n, axes.names, lines, centers)


def pin_marks(scene: Scene, index: int, axes: CanvasAxes, limits: Limits) -> Iterator[Mark]:
    """The pins of panel `index` that have a place on its axes, each with its name in the legend and at its line."""
    pins = scene.panels[index].pins
    for k, (pin, name) in enumerate(zip(pins, pin_names(scene, index), strict=True)):
        if axes.components_of or pin.axes != axes.names:
            continue
        role, name = f"pin {k}", typographic(name)
        label = f"pinned: {name}"
        if len(pin.lines):
            yield Lines(role, pin.lines, label=label)
        if len(pin.centers):
            yield Points(role, pin.centers, label="" if len(pin.lines) else label)
        if len(places := _places(pin, limits)):
            # One name begins where another ends, so that those of lines beside each other do not meet.
            turned = np.roll(places, -(1 + 2 * k) % len(places), axis=0)
            yield Text(role, turned[:1], (name,), centered=len(pin.lines) > 0, others=turned[None, 1:])


def _places(pin: Pin, limits: Limits) -> Array:
    """Places (m, 2) in sight at which the name of a pin may stand, along its longest line or at its centres."""
    size = np.array([limits[1] - limits[0], limits[3] - limits[2]])
    lines = [_seen(line, limits) for line in polylines(pin.lines)]
    seen = max(lines, key=lambda line: float(np.abs(np.diff(line / size, axis=0)).sum()), default=NOWHERE)
    seen = seen if len(seen) else _seen(pin.centers, limits)
    chosen: Array = seen[np.unique(np.linspace(0, len(seen) - 1, _CHOICES).round().astype(int))] if len(seen) else seen
    return chosen


def _seen(places: Array, limits: Limits) -> Array:
    """Those of the places (m, 2) that are within the limits."""
    low, high = np.array(limits[::2]), np.array(limits[1::2])
    inside: Array = places[((places >= low) & (places <= high)).all(axis=1)]
    return inside
