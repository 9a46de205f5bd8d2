"""A gesture: one press of a button, the drags and the release, fed to the generator of a tool. No Qt."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from mlviz.data.dataset import Dataset
from mlviz.draw.marks import Mark
from mlviz.interaction.tool_state import ToolState
from mlviz.numerics.arrays import Array, Rows
from mlviz.numerics.drawn_lines import from_segment
from mlviz.scene.canvas_axes import CanvasAxes, axes_of
from mlviz.scene.history import Store
from mlviz.scene.notes import Note
from mlviz.scene.scene import Scene
from mlviz.scene.splits.edits import with_edited
from mlviz.spec.brief import Brief

NEAR_PX = 8.0
"""A press this near to a sample hits it, logical pixels."""
GRIP_PX = 1.2 * NEAR_PX
"""A press this near to what can be dragged whatever the tool takes hold of it, logical pixels."""
STILL_PX = 3.0
"""A hand that moves less than this has not begun to drag, logical pixels."""


@dataclass(frozen=True, eq=False)
class Pointer(Brief):
    """Where the pointer is, and what is held down with it.

    `place` (2,) is in data coordinates, `pixel` (2,) on the canvas. Out of the axes the place is the nearest one on
    their edge, so that samples stay in sight; `beyond` (2,) is then where the pointer is. A "hold" comes at regular
    times while the pointer rests with the button down, for tools that `repeat`.
    """

    place: Array
    pixel: Array
    kind: Literal["press", "drag", "hold", "release"] = "press"
    button: Literal["left", "middle", "right"] = "left"
    shift: bool = False
    control: bool = False
    beyond: Array | None = None

    @property
    def drawn_to(self) -> Array:
        """Where a line is led on to: the axes cut it, so it does not run along their edge."""
        return self.place if self.beyond is None else self.beyond

    @property
    def plain(self) -> bool:
        """Whether the left button alone is down."""
        return self.button == "left" and not self.shift and not self.control

    @property
    def other(self) -> bool:
        """Whether it is the right button or Shift, by which most tools do the opposite."""
        return self.button == "right" or self.shift


ToolGenerator = Generator[None, Pointer, None]
"""What a tool is: it is sent the drags and the release, and returns when the gesture is over."""


@dataclass(eq=False)
class ToolContext(Brief):
    """What a tool may see and do during one gesture.

    `unit` (2,) is the size of a pixel in data coordinates when the gesture began. `show_preview` shows marks that
    are not part of any picture (a rectangle being drawn); they are gone when the gesture ends.
    """

    store: Store
    hand: ToolState
    unit: Array
    show_preview: Callable[[tuple[Mark, ...]], None]
    key: object = field(default_factory=object)
    """The merge key: all that a gesture pushes is one step of undo."""
    panel: int = 0
    """The panel whose canvas the gesture is on."""
    note_at: Callable[[Array], Note | None] = lambda pixel: None
    """The note that covers a pixel (2,) of the canvas: whoever paints it knows how large it is."""
    pushing: bool = False
    """True while this gesture changes the scene: another change in its course ends it."""

    @property
    def scene(self) -> Scene:
        """The present scene."""
        return self.store.scene

    @property
    def axes(self) -> CanvasAxes:
        """The axes of the canvas; components turn with the samples."""
        return axes_of(self.store.scene, self.panel)

    @property
    def dataset(self) -> Dataset:
        """The present samples."""
        return self.store.scene.dataset

    @property
    def selection(self) -> Rows:
        """The rows selected now."""
        return self.hand.selection(self.dataset)

    @contextmanager
    def changing(self) -> Iterator[Store]:
        """While this gesture changes the store."""
        self.pushing = True
        yield self.store
        self.pushing = False

    def edit(self, dataset: Dataset, what: str) -> None:
        """Swap in changed samples; `what` names the change in the undo menu."""
        self.change(with_edited(self.scene, dataset), what)

    def change(self, scene: Scene, what: str) -> None:
        """Swap in a changed scene; `what` names the change in the undo menu."""
        with self.changing() as store:
            store.push(scene, what, self.key)

    def look(self, scene: Scene) -> None:
        """Swap in the scene seen otherwise."""
        with self.changing() as store:
            store.look(scene)

    def hit(self, place: Array) -> int | None:
        """The row of the sample at the place, the one on top; None when there is none within reach."""
        row, distance = self.axes.nearest(self.dataset, place, 1 / self.unit)
        return row if distance <= NEAR_PX else None

    def held(self, spots: Array, place: Array, reach: float = GRIP_PX) -> int | None:
        """Which of spots (k, 2) is nearest to a place (2,), the one on top; None if none is within so many pixels."""
        away = np.hypot(*((spots - place) / self.unit).T)[::-1]
        nearest = int(np.argmin(away))
        return len(away) - 1 - nearest if away[nearest] <= reach else None

    def within(self, place: Array, previous: Array) -> Rows:
        """The rows under the brush on its way from one place (2,) to another."""
        places = self.axes.places(self.dataset) / self.unit
        return np.flatnonzero(from_segment(places, previous / self.unit, place / self.unit) <= self.hand.radius)


def rounded(places: Array, unit: Array) -> Array:
    """Places (m, 2) or (2,), each coordinate with the fewest decimals that tell pixels of size unit (2,) apart."""
    decimals = [-math.floor(math.log10(size)) for size in unit.tolist()]
    # Python's round, unlike NumPy's, is exact and has no overflow on the way.
    rows = [[round(v, d) for v, d in zip(row, decimals, strict=True)] for row in np.atleast_2d(places).tolist()]
    return np.array(rows, dtype=np.float64).reshape(np.shape(places))


def follow(press: Pointer, go: Callable[[Pointer], object], still: float = 0.0) -> Generator[None, Pointer, bool]:
    """Go with the pointer until the release, once it is `still` no more, logical pixels; returns whether it moved."""
    pointer, moved = press, False
    while pointer.kind != "release":
        pointer = yield
        moved = moved or float(np.hypot(*(pointer.pixel - press.pixel))) >= still
        if moved:
            go(pointer)
    return moved


class Gesture:
    """A tool at work, from the press to the release."""

    def __init__(
        self, tool: Callable[[ToolContext, Pointer], ToolGenerator], context: ToolContext, press: Pointer
    ) -> None:
        self.context = context
        self._before = context.scene
        self._selected = context.selection
        self._strokes = tool(context, press)
        with suppress(StopIteration):
            next(self._strokes)

    def feed(self, pointer: Pointer) -> None:
        """Hand a drag, a hold or the release to the tool; the release ends the gesture."""
        # A tool may be done before the button is up (Ctrl+click): what follows is sent to nobody.
        with suppress(StopIteration):
            self._strokes.send(pointer)
        if pointer.kind == "release":
            self.end()

    def end(self) -> None:
        """The hand lets go: what was done stays."""
        self.abandon()
        with self.context.changing() as store:
            store.settle()

    def cancel(self) -> None:
        """Take back everything since the press."""
        self.abandon()
        with self.context.changing() as store:
            store.cancel(self.context.key)
        view = self._before.view
        self.context.look(self.context.scene.with_view(limits=view.limits, probe=view.probe, slice=view.slice))
        self.context.hand.select(self._selected, self._before.dataset)

    def abandon(self) -> None:
        """Stop without touching the samples: something else changed them."""
        self._strokes.close()
        self.context.show_preview(())
