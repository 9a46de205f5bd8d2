"""Where a frame differs from the one that is seen, after samples were added: all else need not be painted again."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QWidget

from mlviz.draw.legend import Arranged
from mlviz.ui.canvas.cached_layer import added_rows, alike, changed_box
from mlviz.ui.paint.axes import AxesFrame, Style
from mlviz.ui.paint.cells import Cell
from mlviz.ui.paint.layers import Layer, LegendLayer, MarkLayer, SampleLayer, WordsLayer
from mlviz.ui.paint.samples import SAMPLE_SIZE, DrawnSamples, crowded_style
from mlviz.ui.paint.stack import FrameContent, stack
from mlviz.ui.widgets.after_paint import BeforePaint


@dataclass(frozen=True, eq=False)
class SeenFrame:
    """A frame that has been painted exactly: `place` is all that must stay for any pixel of it to be right."""

    place: tuple[Cell, AxesFrame, Style]
    layers: tuple[Layer, ...]
    legend: Arranged | None
    words: tuple[QRectF, ...]
    """The boxes of the words of its marks."""


class Refresh(BeforePaint):
    """Has a widget painted where it differs from what is seen; all of it where that may be anywhere."""

    def __init__(
        self,
        widget: QWidget,
        seen: Callable[[], SeenFrame | None],
        content: Callable[[], FrameContent],
        place: Callable[[], tuple[Cell, AxesFrame, Style]],
    ) -> None:
        super().__init__(widget)
        self._widget, self._find_seen, self._content, self._place = widget, seen, content, place
        self._seen: SeenFrame | None = None
        self.due.connect(self._update)

    def start(self) -> None:
        """Compare what is seen now with what is to be seen before the next painting."""
        if not self.waiting:
            self._seen = self._find_seen()  # into an image all may be painted meanwhile, which is not seen
        super().start()

    def _update(self) -> None:
        part = None
        if self._seen is not None and self._widget.isVisible():  # a hidden one may have lost its panel
            part = changed_part(self._seen, stack(self._content()), *self._place())
        if part is None:
            self._widget.update()
        else:
            self._widget.update(part.toAlignedRect())


def changed_part(
    seen: SeenFrame, layers: tuple[Layer, ...], cell: Cell, frame: AxesFrame, style: Style
) -> QRectF | None:
    """A box, in pixels, outside which the layers look as they are seen; None where there is none."""
    if (cell, frame, style) != seen.place or len(layers) != len(seen.layers):
        return None
    part, added = QRectF(), functools.cache(added_rows)  # most layers follow the same samples
    for former, layer in zip(seen.layers, layers, strict=True):
        changed = _changed_part(seen, former, layer, frame, style, added)
        if changed is None:
            return None
        part = part.united(changed)
    return part


def _changed_part(
    seen: SeenFrame,
    former: Layer,
    layer: Layer,
    frame: AxesFrame,
    style: Style,
    added: Callable[[DrawnSamples, DrawnSamples], slice | None],
) -> QRectF | None:
    if isinstance(layer, LegendLayer) and layer.held is not None:
        return QRectF() if layer.told(frame, style) == seen.legend else None
    if not alike(former, layer):
        return None
    old, now = former.samples, layer.samples
    if old is now:
        return QRectF()
    if old is None or now is None or old.crowded != now.crowded:
        return None
    rows = added(old, now)
    if rows is None or crowded_style(style, old) != crowded_style(style, now):
        return None
    match layer:
        case SampleLayer():
            return changed_box(old, now, frame, layer.reach_px * style.points)
        case MarkLayer():
            tied = [mark.rows for mark in layer.marks if mark.rows is not None and len(mark.rows)]
            return QRectF() if all([int(rows.max()) < len(old.places) for rows in tied]) else None
        case WordsLayer():
            # Each word is where it hides fewest samples: it stays there if it does not hide one of those either.
            return None if _hidden(seen.words, now, rows, frame, style) else QRectF()
        case _:
            return None


def _hidden(boxes: tuple[QRectF, ...], samples: DrawnSamples, rows: slice, frame: AxesFrame, style: Style) -> bool:
    """Whether some of the boxes hide a part of some of the samples."""
    reach = SAMPLE_SIZE * style.points
    around = [box.adjusted(-reach, -reach, reach, reach) for box in boxes]
    return any([box.contains(x, y) for x, y in frame.to_pixels(samples.places[rows]).tolist() for box in around])
