"""What can be done to the selected samples without a gesture. No Qt."""

from __future__ import annotations

import numpy as np

from mlviz.interaction.gesture import rounded
from mlviz.interaction.tool_state import ToolState
from mlviz.numerics.arrays import Array
from mlviz.scene.canvas_axes import CanvasAxes
from mlviz.scene.history import Store


def select_all(store: Store, hand: ToolState) -> None:
    """Select every sample."""
    hand.select(np.arange(len(store.scene.dataset)), store.scene.dataset)


def select_next(store: Store, hand: ToolState, step: int) -> int | None:
    """Select the sample `step` rows after the selected ones, around the ends; its row, None where there are none."""
    n = len(store.scene.dataset)
    if not n:
        return None
    rows = hand.selection(store.scene.dataset)
    last = int(rows[-1] if step > 0 else rows[0]) if len(rows) else -1 if step > 0 else n
    row = (last + step) % n
    hand.select([row], store.scene.dataset)
    return row


def delete_selection(store: Store, hand: ToolState) -> None:
    """Remove the selected samples."""
    scene = store.scene
    rows = hand.selection(scene.dataset)
    if len(rows):
        store.push(scene.replace(dataset=scene.dataset.erase(rows)), "delete points")


def relabel_selection(store: Store, hand: ToolState, code: int) -> None:
    """Put the selected samples into that class; they stay selected."""
    scene = store.scene
    rows = hand.selection(scene.dataset)
    if (scene.dataset.labels[rows] != code).any():
        changed = scene.dataset.relabel(rows, code)
        store.push(scene.replace(dataset=changed), "relabel points")
        hand.select(rows, changed)


def shift_selection(store: Store, hand: ToolState, axes: CanvasAxes, shift: Array, unit: Array, key: object) -> None:
    """Move the selected samples by shift (2,) on the axes, rounded to pixels of size unit (2,); one undo a key."""
    scene = store.scene
    rows = hand.selection(scene.dataset)
    if len(rows):
        places = axes.places(scene.dataset)[rows] + rounded(shift, unit)
        # Sums of round numbers are seldom round themselves.
        places = rounded(places, unit) if len(rows) == 1 else places
        changed = axes.move(scene.dataset, rows, places)
        store.push(scene.replace(dataset=changed), "nudge points", key)
        hand.select(rows, changed)
