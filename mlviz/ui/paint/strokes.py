"""From arrays of pixels to Qt: lines that are cut to the area, dashed and drawn fast, polygons and arrows."""

from __future__ import annotations

import contextlib
import math
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from PySide6.QtCore import QByteArray, QDataStream, QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPixmap
from shiboken6 import Shiboken

from mlviz.draw.inks import Dash
from mlviz.draw.palette import Colour, Ink
from mlviz.numerics.arrays import Array, Mask
from mlviz.numerics.clipping import clip_segments

_DASHES: dict[Dash, tuple[float, ...]] = {"solid": (), "dashed": (5.0, 3.5), "dotted": (1.5, 2.0)}
"""On and off lengths, in line widths."""
_ELEMENT = np.dtype([("kind", ">i4"), ("x", ">f8"), ("y", ">f8")])
"""An element of a path as Qt writes it: 0 to go there, 1 to draw a line there."""
_ONE = struct.Struct(">idd")
"""The same of one element: of a few pieces they are packed faster one by one."""
_LAP = 0.5
"""How far separate lines reach beyond their ends, pixels: two half covered pixels do not make a whole one."""
_SOME_PIECES, _MANY_PIECES = 20, 250
"""From so many pieces on, separate lines are much faster on the screen than one stroked path, if they bend gently; from
so many on, in any case."""
_GENTLE = 0.9
"""The least cosine of the turn from one piece to the next at which no notch shows between separate lines."""
_HEAD = 4.6
"""Length of an arrow's head, in widths of its line."""
_SLIM = 0.42
"""Half a head's width, as a share of its length."""
_JOINED_PX = 3.0
"""Very many pieces are joined until most are no shorter."""
_SHORTEST = 0.5
"""Arrows shorter than that, in pixels, point nowhere."""


@lru_cache(maxsize=1024)
def colour(value: Colour) -> QColor:
    """Qt's colour of ours; not to be changed."""
    return QColor(*value)


@lru_cache(maxsize=1024)
def pen(ink: Colour, width: float, dash: Dash = "solid") -> QPen:
    """A pen whose width grows with the picture; not to be changed."""
    made = QPen(colour(ink), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.RoundJoin)
    if dash != "solid":
        made.setDashPattern(list(_DASHES[dash]))
    return made


def address_of(array: Array) -> int:
    """Where the numbers of an array are. Its `ctypes` say it as well, and import a module each time."""
    return int(array.__array_interface__["data"][0])


@contextlib.contextmanager
def saved(painter: QPainter) -> Iterator[None]:
    """What is set meanwhile is taken back in the end."""
    painter.save()
    yield
    painter.restore()


def paint_box(painter: QPainter, box: QRectF, radius: float, edge: QPen, ground: Colour) -> None:
    """A box with round corners, for words to stand in."""
    painter.setPen(edge)
    painter.setBrush(colour(ground))
    painter.drawRoundedRect(box, radius, radius)


def transparent(width: float, height: float, scale: float = 1.0) -> QPixmap:
    """A pixmap of at least so many logical pixels, nothing painted on it yet."""
    pixmap = QPixmap(math.ceil(width * scale), math.ceil(height * scale))
    pixmap.setDevicePixelRatio(scale)
    pixmap.fill(Qt.GlobalColor.transparent)
    return pixmap


def line_pieces(xy: Array) -> Array:
    """The straight pieces (m, 4) of polylines (n, 2) parted by rows of NaN."""
    joined = np.concatenate((xy[:-1], xy[1:]), axis=1) if len(xy) > 1 else np.empty((0, 4))
    return joined[np.isfinite(joined).all(axis=1)]


def clip_lines(lines: Array, area: QRectF, spare: float = 20.0) -> Array:
    """What of the pieces (m, 4) lies in the area and a little around it."""
    x, y = lines[:, ::2], lines[:, 1::2]
    around = area.adjusted(-spare, -spare, spare, spare)
    if len(lines) and around.contains(x.min(), y.min()) and around.contains(x.max(), y.max()):
        return lines  # as nearly always, and found in a tenth of the time
    # Differences of huge numbers would overflow; pixels beyond a million are nowhere near the area anyway.
    lines = np.clip(lines, -1e12, 1e12)
    low, high = (corner.toTuple() for corner in (around.topLeft(), around.bottomRight()))
    return np.concatenate(clip_segments(lines[:, :2], lines[:, 2:], low, high), axis=1)


def _apart(lines: Array) -> Mask:
    """Which of pieces (m, 4) start elsewhere than the one before ended."""
    apart = np.ones(len(lines), dtype=bool)
    apart[1:] = (lines[1:, 0] != lines[:-1, 2]) | (lines[1:, 1] != lines[:-1, 3])
    return apart


def _path_of(lines: Array) -> QPainterPath:
    """Pieces (m, 4) as one path; a piece that starts where the last one ended goes on with it."""
    if len(lines) < _SOME_PIECES:
        return _path_of_few(lines.tolist())
    apart = _apart(lines)
    # Two elements a piece, of which the first is left out where the pen is there already.
    elements = np.empty((len(lines), 2), dtype=_ELEMENT)
    elements["kind"] = (0, 1)
    elements["x"], elements["y"] = lines[:, 0::2], lines[:, 1::2]
    return _paths([elements[np.column_stack((apart, np.ones(len(lines), dtype=bool)))].tobytes()])[0]


def _path_of_few(lines: Iterable[Sequence[float]]) -> QPainterPath:
    elements, pen_at = bytearray(), None
    for x0, y0, x1, y1 in lines:
        if pen_at != (x0, y0):
            elements += _ONE.pack(0, x0, y0)
        pen_at = x1, y1
        elements += _ONE.pack(1, *pen_at)
    return _paths([elements])[0] if elements else QPainterPath()


def _paths(written: Sequence[bytes | bytearray]) -> list[QPainterPath]:
    """The paths with these elements each, all read from one stream: there may be dozens of bars."""
    # Qt reads a whole path in one call; adding the elements one by one takes a hundred times as long.
    blocks, paths = bytearray(), [QPainterPath() for _ in written]
    for elements in written:
        blocks += (len(elements) // _ONE.size).to_bytes(4, "big") + elements + bytes(8)
    stream = QDataStream(QByteArray(bytes(blocks)))
    for path in paths:
        stream >> path
    return paths


def dashed(lines: Array, pattern: tuple[float, float]) -> Array:
    """The drawn parts (k, 4) of pieces (m, 4), on and off in turn along each run of connected pieces, in pixels."""
    way = lines[:, 2:] - lines[:, :2]
    length = np.hypot(way[:, 0], way[:, 1])
    lines, way, length = lines[length > 0], way[length > 0], length[length > 0]
    if not len(lines):
        return lines
    on, period = pattern[0], sum(pattern)
    ends = np.cumsum(length)
    apart = _apart(lines)
    # Where a run starts the pattern starts anew: lengths are measured from there.
    runs = np.maximum.accumulate(np.where(apart, ends - length, -1.0))
    begin = ends - length - runs
    first, last = np.floor(begin / period), np.floor((begin + length) / period)
    times = (last - first).astype(np.intp) + 1
    piece = np.repeat(np.arange(len(lines)), times)
    which = np.arange(len(piece)) - np.repeat(np.cumsum(times) - times, times)
    dash_at = (first[piece] + which) * period - begin[piece]
    a = np.clip(dash_at / length[piece], 0, 1)[:, None]
    b = np.clip((dash_at + on) / length[piece], 0, 1)[:, None]
    drawn = np.concatenate((lines[piece, :2] + a * way[piece], lines[piece, :2] + b * way[piece]), axis=1)
    return np.asarray(drawn[b[:, 0] > a[:, 0]])


def _simplified(lines: Array) -> Array:
    """Pieces (m, 4) joined along each run so that most are no shorter than `_JOINED_PX`; the ends of the runs stay."""
    length = np.hypot(lines[:, 2] - lines[:, 0], lines[:, 3] - lines[:, 1])
    mark = np.floor(np.cumsum(length) / _JOINED_PX)
    # A new piece begins with a run, and where the way passes a multiple of that.
    begin = _apart(lines)
    begin[1:] |= mark[1:] != mark[:-1]
    first = np.flatnonzero(begin)
    last = np.r_[first[1:] - 1, len(lines) - 1]
    return np.concatenate((lines[first, :2], lines[last, 2:]), axis=1)


@dataclass(frozen=True, eq=False)
class _Pieces:
    """Pieces (m, 4), and what is worked out of them once for the ink and its halo."""

    lines: Array

    @cached_property
    def _ways(self) -> tuple[Array, Array]:
        """Of each piece the way (m, 2) from its start to its end, and the length (m,)."""
        way = self.lines[:, 2:] - self.lines[:, :2]
        return way, np.hypot(way[:, 0], way[:, 1])

    @cached_property
    def gentle(self) -> bool:
        """Whether those that follow each other go on in nearly the same direction."""
        way, length = self._ways
        along = np.einsum("ij,ij->i", way[1:], way[:-1]) >= _GENTLE * length[1:] * length[:-1]
        return bool((along | _apart(self.lines)[1:]).all())

    @cached_property
    def lengthened(self) -> Array:
        way, length = self._ways
        more = _LAP * way / np.where(length > 0, length, 1.0)[:, None]
        return np.concatenate((self.lines[:, :2] - more, self.lines[:, 2:] + more), axis=1)

    path = cached_property(lambda self: _path_of(self.lines))
    simplified = cached_property(lambda self: _Pieces(_simplified(self.lines)))


def _draw(painter: QPainter, pieces: _Pieces, ink: Colour, width: float, dash: Dash, raster: bool) -> None:
    """Draw pieces that `clip_lines` has made safe."""
    if not len(pieces.lines):
        return
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if raster and len(pieces.lines) >= _MANY_PIECES:
        pieces = pieces.simplified
        scale = painter.deviceTransform().m11()
        if ink[3] < 255 and width * scale > 1 and scale % 1 == 0:  # thinner paths are fast, and no pixel is half a one
            _draw_translucent(painter, pieces, ink, width, dash)
            return
    # Separate lines overlap at their ends, which shows where the ink is not opaque.
    m = len(pieces.lines)
    if not raster or ink[3] < 255 or m < _SOME_PIECES or (m < _MANY_PIECES and not pieces.gentle):
        painter.setPen(pen(ink, width, dash))
        painter.drawPath(pieces.path)
        return
    painter.setPen(pen(ink, width))
    if dash != "solid":
        on, off = _DASHES[dash][0] * width, _DASHES[dash][1] * width
        pieces = _Pieces(dashed(pieces.lines, (max(on - 2 * _LAP, 0.1), off + 2 * _LAP)))
    block = np.ascontiguousarray(pieces.lengthened)
    # The array is read as Qt's own array of lines: making as many Python objects would cost more than drawing.
    painter.drawLines(Shiboken.wrapInstance(address_of(block), QLineF), len(block))  # type: ignore[call-overload]


def _draw_translucent(painter: QPainter, pieces: _Pieces, ink: Colour, width: float, dash: Dash) -> None:
    """Draw pieces opaque on a layer of their own, and that faint: stroked as one path they take far longer."""
    x, y, reach = pieces.lines[:, ::2], pieces.lines[:, 1::2], width + 1
    box = QRectF(float(x.min()), float(y.min()), float(np.ptp(x)), float(np.ptp(y)))
    box = box.adjusted(-reach, -reach, reach, reach)
    if painter.hasClipping():
        box = box.intersected(painter.clipBoundingRect())
    if box.isEmpty():
        return
    box = box.toAlignedRect().toRectF()
    layer = transparent(box.width(), box.height(), painter.deviceTransform().m11())
    with QPainter(layer) as brush:
        brush.setRenderHint(QPainter.RenderHint.Antialiasing)
        brush.translate(-box.topLeft())
        _draw(brush, pieces, (*ink[:3], 255), width, dash, True)
    with saved(painter):
        painter.setOpacity(painter.opacity() * ink[3] / 255)
        painter.drawPixmap(box.topLeft(), layer)


def polygons(outlines: Iterable[Array], area: QRectF) -> list[QPainterPath]:
    """Closed paths through the outlines (m, 2); far away corners are pulled in to where Qt can still count."""
    far = 4.0 * max(area.width(), area.height(), 1.0)
    low, high = (area.left() - far, area.top() - far), (area.right() + far, area.bottom() + far)
    written = []
    for xy in outlines:
        corners = np.clip(xy[np.isfinite(xy).all(axis=1)], low, high)
        if len(corners):
            elements = np.zeros(len(corners) + 1, dtype=_ELEMENT)
            elements["kind"][1:] = 1
            elements["x"], elements["y"] = np.concatenate((corners, corners[:1])).T
            written.append(elements.tobytes())
    return _paths(written)


def draw_inked(painter: QPainter, lines: Array, ink: Ink, scale: float, raster: bool = True) -> None:
    """Draw pieces (m, 4) in an ink, with its halo below; `scale` multiplies its width."""
    pieces = _Pieces(lines)
    if ink.halo is not None:
        _draw(painter, pieces, ink.halo, (ink.width + 2.0) * scale, "solid", raster)
    _draw(painter, pieces, ink.line, ink.width * scale, ink.dash, raster)


def paint_arrows(painter: QPainter, area: QRectF, arrows: Array, ink: Ink, width: float) -> None:
    """Arrows (m, 4), all finite, from their starts to their tips; `width` multiplies that of their lines."""
    for x0, y0, x, y in arrows.tolist():
        length = float(np.hypot(x - x0, y - y0))
        if length < _SHORTEST:
            continue
        along, up = (x - x0) / length, (y - y0) / length
        head = min(_HEAD * ink.width * width, 0.6 * length)
        # The shaft ends inside the head, so that no gap shows between the two.
        end, half = 0.8 * head, _SLIM * head
        shaft = _path_of(clip_lines(np.array([(x0, y0, x - end * along, y - end * up)]), area))
        neck, sides = (x - head * along, y - head * up), (-half * up, half * along)
        one, other = (neck[0] + sides[0], neck[1] + sides[1]), (neck[0] - sides[0], neck[1] - sides[1])
        seen = area.adjusted(-head, -head, head, head).contains(x, y)
        point = _path_of_few([(x, y, *one), (*one, *other), (*other, x, y)] if seen else [])
        if ink.halo is not None:
            painter.strokePath(shaft, pen(ink.halo, (ink.width + 2.0) * width))
            painter.strokePath(point, pen(ink.halo, 2.0 * width))
        painter.strokePath(shaft, pen(ink.line, ink.width * width))
        painter.fillPath(point, colour(ink.line))
