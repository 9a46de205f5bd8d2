"""Looking at a scene: its samples and what lies over them, whether the picture is stale. No Qt."""

from __future__ import annotations

import numpy as np

from mlviz.data.dataset import Dataset
from mlviz.data.generators.base import RegressionGenerator
from mlviz.draw.marks import Ellipses, Mark, Points
from mlviz.draw.plot import Limits
from mlviz.interaction.probe_tools import grips
from mlviz.interaction.tool_state import Place, ToolState
from mlviz.numerics.arrays import Array, Labels, Mask
from mlviz.picture import PanelPicture
from mlviz.scene.canvas_axes import CanvasAxes, axes_of
from mlviz.scene.history import Store
from mlviz.scene.scene import LEAST_WIDTH, MAX_LIMIT, Scene, drawn_labels
from mlviz.scene.values import OVER_PLANE, scale_of, task_of, value_column
from mlviz.spec.outside import shortened
from mlviz.ui.paint.samples import DrawnSamples

STALE = 0.5
"""Opacity of a picture whose successor is late."""
_AIR = 0.03
"""Between a sample that must stay in sight and the frame, as a share of the width."""
_HINT = "Click to add a point. Right-click adds one of the next class.\nOr choose a preset, below or in the Data menu."
_HINT_OF_CURVES = "Click to add a point.\nOr choose a preset, below or in the Data menu."
_HINT_OF_VALUES = (
    "Click to add a point of the value chosen above. Right-click adds one of the opposite value.\n"
    "The value tool drags a point up or down to change its value. Or choose a preset."
)


def hint_of(scene: Scene, panel: int) -> str:
    """What an empty canvas says, in the words of what its method learns; nothing where there are samples."""
    if len(scene.dataset) or panel >= len(scene.panels):
        return ""
    return {"regression": _HINT_OF_CURVES, OVER_PLANE: _HINT_OF_VALUES}.get(task_of(scene, panel), _HINT)


def said_of(picture: PanelPicture | None, late: bool) -> tuple[str, str | None]:
    """The caption and the message of a picture whose successor may be late."""
    if picture is None:
        return "", None
    return ("", "Computing ...") if late and picture.message is not None else (picture.caption, picture.message)


def samples_of(scene: Scene, panel: int) -> DrawnSamples:
    """The samples as that panel draws them: plain where their classes mean nothing to it."""
    places, labels = axes_of(scene, panel).places(scene.dataset), drawn_labels(scene, panel)
    return _drawn(scene.dataset, places, labels, value_column(scene, panel))


def samples_alone(data: Dataset) -> DrawnSamples:
    """The samples of a generator on its first two columns, without a scene: coloured by values over these."""
    source = data.source
    over = isinstance(source, RegressionGenerator) and source.target > 1
    return _drawn(data, data.X[:, :2], data.labels, data.columns[source.target] if over else None)


def _drawn(data: Dataset, places: Array, labels: Labels, name: str | None) -> DrawnSamples:
    if name is None or name not in data.columns:
        return DrawnSamples(places, labels, data.names(), data.held_out, data.active)
    shades, words = (
        scale_of(data, name).shades(data.X[:, data.column(name)]),
        f"{shortened(name)}, {scale_of(data, name)}",
    )
    return DrawnSamples(places, np.zeros_like(labels), (), data.held_out, data.active, shades, words)


def marks_over_samples(scene: Scene, axes: CanvasAxes, hand: ToolState, picture: PanelPicture | None) -> list[Mark]:
    """What lies over the samples: why the model says what it says at the probe, the pin, the slice, the selection."""
    marks: list[Mark] = grips(scene, hand) if axes.shared else []
    if scene.view.probe is not None and axes.shared:
        if picture is not None and picture.explanation is not None:
            marks += picture.explanation.marks
        if hand.pinned:
            marks.append(Points("probe", np.array([scene.view.probe])))
    if (note := hand.note) is not None and note.axes == axes.key and note in scene.notes:
        marks.append(Points("selection", np.array([note.place])))
    for role, rows in (("pointed at", hand.pointed(scene.dataset)), ("selection", hand.selection(scene.dataset))):
        if len(rows):
            marks.append(Points(role, axes.places(scene.dataset)[rows]))
    return marks


def probe_is_behind(store: Store, hand: ToolState) -> bool:
    """Whether a gesture goes on elsewhere than at the probe: what is said of that place answers nothing now."""
    return store.gesturing and not hand.pinned and store.scene.view.probe != hand.cursor


def still_answers(picture: PanelPicture, scene: Scene, axes: CanvasAxes) -> bool:
    """Whether a picture is of the present axes, and neither shows what is hidden by now nor hides what is shown."""
    named = (picture.plot.x_label, picture.plot.y_label)
    same = picture.components_of == axes.components_of and (axes.components_of or named == axes.names)
    return bool(same) and picture.hidden == scene.hides_answer


def without_hover(scene: Scene, hand: ToolState) -> Scene:
    """The scene for a file or a picture: what is under the cursor is part of it only where it is pinned."""
    return scene if hand.pinned else scene.with_view(probe=None)


def brush_circle(hand: ToolState, unit: Array) -> list[Mark]:
    """The circle in which brush, eraser and relabel work, at the cursor."""
    axes = np.diag(unit * hand.radius)[None]
    return [] if hand.cursor is None else [Ellipses("selection", np.array([hand.cursor]), axes)]


def zoomed(limits: Limits, factor: float, at: Place | None) -> Limits | None:
    """The limits `factor` times closer about the place, or about their middle; None where floats end."""
    x0, x1, y0, y1 = limits
    x, y = at or ((x0 + x1) / 2, (y0 + y1) / 2)
    new = (x + (x0 - x) / factor, x + (x1 - x) / factor, y + (y0 - y) / factor, y + (y1 - y) / factor)
    return new if _sensible(*new[:2]) and _sensible(*new[2:]) else None


def panned(limits: Limits, right: float) -> Limits:
    """The limits when what is seen moves so far to the right; the same ones where floats end."""
    x0, x1 = limits[0] - right, limits[1] - right
    return (x0, x1, *limits[2:]) if _sensible(x0, x1) else limits


def kept_in_sight(limits: Limits, before: Limits, after: Limits, places: Array) -> Limits:
    """Limits with which nothing goes out of sight: `before` and `after` is what is visible of them in two shapes.

    They are widened only where one of the places (n, 2) seen before would be no longer.
    """
    if _within(before, after):
        return limits
    seen = places[_inside(places, before)]
    if _inside(seen, after).all():
        return limits
    air = _AIR * np.array([limits[1] - limits[0], limits[3] - limits[2]])
    ends = np.array([seen.min(axis=0) - air, seen.max(axis=0) + air])
    low, high = np.clip(ends, -MAX_LIMIT, MAX_LIMIT).tolist()
    return min(limits[0], low[0]), max(limits[1], high[0]), min(limits[2], low[1]), max(limits[3], high[1])


def _inside(places: Array, limits: Limits) -> Mask:
    (x, y), (x0, x1, y0, y1) = places.T, limits
    return np.asarray((x >= x0) & (x <= x1) & (y >= y0) & (y <= y1))


def _within(inner: Limits, outer: Limits) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1] and outer[2] <= inner[2] and inner[3] <= outer[3]


def _sensible(low: float, high: float) -> bool:
    farthest = max(abs(low), abs(high))
    return max(LEAST_WIDTH, 1e-11 * farthest) < high - low and farthest < MAX_LIMIT
