"""What can be done to the selected samples and the view without a gesture. No Qt."""

from __future__ import annotations

import numpy as np

from mlviz.draw import palette
from mlviz.draw.plot import Limits
from mlviz.picture import PanelPicture
from mlviz.state.scene import Scene
from mlviz.state.store import Store
from mlviz.ui.gesture import Array, rounded
from mlviz.ui.hand import Hand, Place


def select_all(store: Store, hand: Hand) -> None:
    """Select every sample."""
    hand.select(np.arange(len(store.scene.dataset)), store.scene.dataset)


def delete_selection(store: Store, hand: Hand) -> None:
    """Remove the selected samples."""
    scene = store.scene
    rows = hand.selection(scene.dataset)
    if len(rows):
        store.push(scene.replace(dataset=scene.dataset.erase(rows)), "delete points")


def relabel_selection(store: Store, hand: Hand, code: int) -> None:
    """Put the selected samples into that class; they stay selected."""
    scene = store.scene
    rows = hand.selection(scene.dataset)
    if (scene.dataset.labels[rows] != code).any():
        changed = scene.dataset.relabel(rows, code)
        store.push(scene.replace(dataset=changed), "relabel points")
        hand.select(rows, changed)


def shift_selection(store: Store, hand: Hand, shift: Array, unit: Array, key: object) -> None:
    """Move the selected samples by shift (2,), rounded to pixels of size unit (2,); one step of undo a key."""
    scene = store.scene
    rows = hand.selection(scene.dataset)
    if len(rows):
        places = scene.places()[rows] + rounded(shift, unit)
        # Sums of round numbers are seldom round themselves.
        places = rounded(places, unit) if len(rows) == 1 else places
        changed = scene.dataset.move(rows, places, scene.axis_columns)
        store.push(scene.replace(dataset=changed), "nudge points", key)
        hand.select(rows, changed)


def zoomed(limits: Limits, factor: float, at: Place | None) -> Limits | None:
    """The limits `factor` times closer about the place, or about their middle; None where floats end."""
    x0, x1, y0, y1 = limits
    x, y = at or ((x0 + x1) / 2, (y0 + y1) / 2)
    new = (x + (x0 - x) / factor, x + (x1 - x) / factor, y + (y0 - y) / factor, y + (y1 - y) / factor)
    return new if _sensible(new[0], new[1]) and _sensible(new[2], new[3]) else None


def _sensible(low: float, high: float) -> bool:
    return max(1e-200, 1e-11 * max(abs(low), abs(high))) < high - low < 1e100


def summary(scene: Scene, picture: PanelPicture | None) -> str:
    """What the canvas shows, in words, for those who cannot see it."""
    dataset = scene.dataset
    counts = np.bincount(dataset.labels) if len(dataset) else np.empty(0, dtype=np.intp)
    classes = [
        f"{count} of {dataset.class_name(code)} ({palette.class_look(code)})"
        for code, count in enumerate(counts.tolist())
        if count
    ]
    n = len(dataset)
    points = f"{n} point{'' if n == 1 else 's'}{': ' if n else ''}{', '.join(classes)}."
    axes = "Horizontal axis {}, vertical axis {}.".format(*scene.axes)
    said = [] if picture is None else [picture.caption and f"{picture.caption}.", picture.message or ""]
    return " ".join(part for part in (points, axes, *said) if part)
