"""Room for a legend beside the axes, where no corner of them is free of samples, or of a chart too small for it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF

from mlviz.draw import legend
from mlviz.draw.legend import Arranged
from mlviz.draw.marks import Mark
from mlviz.ui.paint.axes import AxesFrame, Style, metrics, room_below
from mlviz.ui.paint.legend import GAP_PX, NOTHING, Aside, Box, arranged, entries_of, in_the_way, inner, size_of, written
from mlviz.ui.paint.samples import DrawnSamples

_MOST_ASIDE = 0.36
"""The share of the width or height that a legend beside the axes may take from them."""
_MOST_BELOW_CHART = 0.47
"""The share of the height of a chart that it may take where the words would be shortened otherwise."""
_LEAST_CHART_PX = 48.0
"""So much is left for the axes of a chart, or its legend is left out."""
_CLEAR_PX = 14.0
"""A legend beside the axes goes back into a corner only where the next sample is as far as this from it."""


def made_aside(
    frame: AxesFrame,
    marks: tuple[Mark, ...],
    samples: DrawnSamples | None,
    style: Style,
    equal: bool,
    folded: bool = False,
    former: Aside | None = None,
    room: QRectF | None = None,
    left: float = 0.0,
) -> Aside | None:
    """Room for the legend beside the axes that have a frame; None where it stands in a corner without samples.

    The axes of a chart may be in all of a `room`, of which equal ones leave a part free; the words and numbers beside
    them begin at `left`.

    It is to the right or below, whichever leaves more for the axes, which are `equal` or not. Once aside,
    as `former` says, it stays until a corner is clearly free, and keeps its room: the axes do not go to and fro with
    each sample or step.
    """
    whole = _box(frame.area)
    if samples is None:
        return _aside_chart(frame, marks, style, equal, frame.area if room is None else room, left + GAP_PX)
    if not len(samples.places):
        return None
    in_corner = arranged(frame.limits, whole, frame.scales, marks, samples, style, None, folded, None, NOTHING)
    if in_corner is None:
        return None
    _, laid_out, _ = in_corner
    symbols, _ = in_the_way(frame, (), samples, style)
    air = 0.0 if former is None else _CLEAR_PX
    around = legend.Obstacles(symbols.places, symbols.reach + air, symbols.weight)
    size = size_of(laid_out, style)
    if min(around.hidden(legend.corners(size, inner(whole)), size)) == 0:
        return None
    labels = tuple([entry.label for entry in entries_of(marks, samples, folded)])
    rooms = (_to_the_right(whole, labels, style), _below(whole, labels, style))
    sides = [(side, room) for side, room in enumerate(rooms) if room is not None]
    if former is not None and former.whole == whole and rooms[former.side] is not None:
        kept = max(rooms[former.side] or 0.0, former.taken)
        return _aside(frame, former.side, kept, style, equal)
    made = [_aside(frame, side, room, style, equal) for side, room in sides]
    return max(made, key=lambda aside: aside.area[2] * aside.area[3], default=None)


def _aside_chart(
    frame: AxesFrame, marks: tuple[Mark, ...], style: Style, equal: bool, area: QRectF, begin: float
) -> Aside | None:
    """Room beside a chart whose axes are too small for all of the legend, or have it in the way in each corner."""
    whole, labels = _box(frame.area), tuple([entry.label for entry in entries_of(marks, None, False)])
    in_corner = arranged(frame.limits, whole, frame.scales, marks, None, style)
    if not style.legend or not labels or (in_corner is not None and _free_of(in_corner, frame, marks, labels, style)):
        return None
    all_of_it = frame.with_area(area, False)
    wide = (begin, area.y(), area.right() - begin, area.height())  # below the words beside the axes, too
    free = 1 - area.height() / area.width() if equal else 0.0
    rooms = [(0, _to_the_right(_box(area), labels, style, max(free, _MOST_ASIDE)), 0.0)]
    for left, below in ((area.x(), _box(area)), (begin, wide)):
        rooms += [(1, _below(below, labels, style, most), left) for most in (_MOST_ASIDE, _MOST_BELOW_CHART)]
    made, least = [], _LEAST_CHART_PX * style.text
    for side, room, left in rooms:
        aside = None if room is None else _aside(all_of_it, side, room, style, equal, left)
        if aside is not None and min(aside.area[2:]) >= least:
            laid_out = written(labels, (aside.room[2] - GAP_PX, aside.room[3] - GAP_PX), style)
            whole_words = laid_out is not None and laid_out[2] == labels
            made.append((whole_words, aside.area[2] * aside.area[3], aside))
    return max(made, key=lambda one: one[:2])[2] if made else None


def _free_of(found: Arranged, frame: AxesFrame, marks: tuple[Mark, ...], labels: tuple[str, ...], style: Style) -> bool:
    """Whether a legend in a corner tells all labels in full and hides none of the marks."""
    _, laid_out, at = found
    _, drawn = in_the_way(frame, marks, None, style)
    return laid_out[2] == labels and not any(drawn.hidden([at], size_of(laid_out, style)))


def _aside(frame: AxesFrame, side: int, taken: float, style: Style, equal: bool, left: float | None = None) -> Aside:
    """The legend to the right (0) or below (1), where it takes so much; below it begins at `left`, or with the axes."""
    less = (taken + GAP_PX, 0.0) if side == 0 else (0.0, taken + GAP_PX)
    whole, area = _box(frame.area), frame.with_area(frame.area.adjusted(0, 0, -less[0], -less[1]), equal).area
    if side == 0:
        room = (area.right() + GAP_PX, area.top(), taken, area.height())
    else:
        start = whole[0] if left is None else left
        room = (start, area.bottom() + room_below(style), whole[0] + whole[2] - start, taken)
    return Aside(whole, room, _box(area), side, taken)


def _box(rect: QRectF) -> Box:
    return rect.x(), rect.y(), rect.width(), rect.height()


def _to_the_right(whole: Box, labels: tuple[str, ...], style: Style, most: float = _MOST_ASIDE) -> float | None:
    """How much of the width a legend takes; None where it would be too much."""
    laid_out = written(labels, (most * whole[2] - 2 * GAP_PX, whole[3] - GAP_PX), style)
    return None if laid_out is None else size_of(laid_out, style)[0]


def _below(whole: Box, labels: tuple[str, ...], style: Style, most: float = _MOST_ASIDE) -> float | None:
    """How much of the height a legend takes; None where it would be too much."""
    row = metrics(style).height() * 1.18
    flat = (written(labels, (whole[2] - GAP_PX, rows * row), style) for rows in range(1, len(labels) + 1))
    laid_out = next((made for made in flat if made is not None), None)
    taken = np.inf if laid_out is None else size_of(laid_out, style)[1]
    return taken if taken <= most * whole[3] else None
