"""Samples: how each one looks, as an icon too, and stamping many of them fast."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap

from mlviz.draw import legend, palette
from mlviz.draw.inks import Symbol
from mlviz.draw.marks import Mark
from mlviz.numerics.arrays import Array, Labels, Mask, occurring
from mlviz.ui.paint.axes import AxesFrame, Style, pixels_within
from mlviz.ui.paint.strokes import colour, pen, saved
from mlviz.ui.paint.symbols import StampSheet, device_scale, painted_icon, scatter, sheet, sized, stamped

SAMPLE_SIZE = 9.0
"""Diameter of a sample's circle, pixels; the other shapes are made to weigh as much."""
CROWD_SIZES = ((2_000, 0.8), (5_000, 0.65), (20_000, 0.5))
"""Beyond so many samples symbols are so much smaller: they would hide each other, and what the model says."""
OFF_SHARE, OFF_OPACITY = 0.6, 0.65
"""A sample that is switched off has so much of the size and of the ink of others: it is seen, and doesn't count."""
_VALUE_SIZE, _VALUE_RING = 1.1, 3.0
"""A sample in the colour of a value is so much larger, and its ring so wide: the colour is all that it says."""
_TINY_PX = 5.0
_N_LOOKS = 4
"""Filled or hollow, and either of them faint."""
_ICON_PX = 24
_ICON_SYMBOL_PX = 14.0


@dataclass(frozen=True, eq=False)
class DrawnSamples:
    """The samples as they are drawn: places (n, 2) on the axes, labels (n,), names of the codes, and two masks (n,).

    Labels are class codes, or the `grey_code` of them. Where samples have values over the plane, `shades` (n,) say
    these on the scale of fields, `values` names them and the scale, and classes are not told.
    """

    places: Array
    labels: Labels
    class_names: Sequence[str] = ()
    held_out: Mask | None = None
    active: Mask | None = None
    shades: NDArray[np.uint8] | None = None
    values: str = ""

    @cached_property
    def crowded(self) -> bool:
        """Whether there are so many that lines below them would not be seen."""
        return len(self.places) > CROWD_SIZES[0][0]

    @cached_property
    def codes(self) -> Labels:
        """The labels that occur."""
        return occurring(self.labels)

    @cached_property
    def looks(self) -> Labels:
        """(n,) 0 filled, +1 hollow for those held out, +2 faint for those switched off."""
        looks = np.zeros(len(self.places), dtype=np.intp)
        if self.held_out is not None:
            looks += self.held_out
        if self.active is not None:
            looks += 2 * ~self.active
        return looks

    def entries(self, marks: Iterable[Mark]) -> tuple[legend.Entry, ...]:
        """The legend of them and of the marks over them; of the marks alone where there are no samples."""
        if not len(self.places):
            return legend.entries(marks)
        if self.shades is not None:
            return legend.entries_of_values(marks, self.values, self.held_out, self.active)
        return legend.entries(marks, self.codes, self.class_names, self.held_out, self.active)


def crowded_style(style: Style, samples: DrawnSamples | None) -> Style:
    """The style with the smaller symbols of many samples."""
    smaller = 1.0
    for most, share in CROWD_SIZES:
        if samples is not None and len(samples.places) > most:
            smaller = share
    return style if smaller == 1.0 else dataclasses.replace(style, points=style.points * smaller)


def paint_samples(
    painter: QPainter,
    frame: AxesFrame,
    samples: DrawnSamples,
    style: Style,
    raster: bool = True,
    rows: slice = slice(None),
) -> None:
    """The samples inside area and clip, or some of their rows, in order: the last one is on top."""
    size = SAMPLE_SIZE * style.points
    with saved(painter):
        painter.setClipRect(frame.area, Qt.ClipOperation.IntersectClip)
        pixels = frame.to_pixels(samples.places[rows])
        seen = pixels_within(pixels, painter.clipBoundingRect(), size)
        pixels, looks = pixels[seen], samples.looks[rows][seen]
        if samples.shades is not None:
            _paint_valued(painter, pixels, samples.shades[rows][seen], looks, style, size, raster)
            return
        labels = samples.labels[rows][seen]
        if not raster:
            for (x, y), code, look in zip(pixels.tolist(), labels.tolist(), looks.tolist(), strict=True):
                number = style.number(code)
                paint_sample(painter, QPointF(x, y), number, style.theme, size, bool(look & 1), bool(look & 2))
            return
        most = palette.MOST_CLASS_LOOKS
        folded = np.where(labels < 0, palette.grey_code(palette.grey_code(labels) % most), labels % most)
        # Counted, not sorted: there may be a hundred thousand of them.
        kinds = (folded + most) * _N_LOOKS + looks
        present, place_on_sheet = _ranked(kinds, 2 * most * _N_LOOKS)
        stamps = _sheet(present, style.theme, style.colours, size, device_scale(painter))
        scatter(painter, stamps, pixels, place_on_sheet[kinds])


def _ranked(kinds: Labels, most: int) -> tuple[tuple[int, ...], Labels]:
    """The kinds (n,), below `most`, that are present, and which of them each kind is."""
    present = np.flatnonzero(np.bincount(kinds, minlength=1))
    rank = np.zeros(most, dtype=np.intp)
    rank[present] = np.arange(len(present))
    return tuple(present.tolist()), rank


def _paint_valued(
    painter: QPainter,
    pixels: Array,
    shades: NDArray[np.uint8],
    looks: Labels,
    style: Style,
    size: float,
    raster: bool,
) -> None:
    """Samples at pixels (m, 2) in the colours of their values."""
    kinds = shades.astype(np.intp) * _N_LOOKS + looks
    if not raster:
        for (x, y), kind in zip(pixels.tolist(), kinds.tolist(), strict=True):
            _paint_value(painter, QPointF(x, y), kind, style.theme, size)
        return
    present, place_on_sheet = _ranked(kinds, 256 * _N_LOOKS)
    stamps = [_value_stamp(kind, style.theme, size, device_scale(painter)) for kind in present]
    scatter(painter, sheet(stamps), pixels, place_on_sheet[kinds])


@lru_cache(maxsize=4096)
def _value_stamp(kind: int, theme: str, size: float, scale: float) -> QPixmap:
    return stamped(partial(_paint_value, kind=kind, theme=theme, size=size), size * 0.75 + 3, scale)


def _paint_value(painter: QPainter, at: QPointF, kind: int, theme: str, size: float) -> None:
    """One sample in the colour of its value; `kind` is its shade times the number of looks, and its look."""
    paint_shaded(painter, at, kind // _N_LOOKS, theme, size, bool(kind & 1), bool(kind & 2))


def paint_shaded(
    painter: QPainter, at: QPointF, shade: int, theme: str, size: float, hollow: bool = False, faint: bool = False
) -> None:
    """One sample in a shade of the scale of values: a circle, or a ring where it is held out."""
    tint = int(palette.diverging_tints(theme)[shade])
    colors = palette.theme_colors(theme)
    rim = palette.faded(colors.text, 0.85 if size > _TINY_PX else 0.35)  # of a tiny symbol nothing else would be seen
    inks = (tint >> 16 & 255, tint >> 8 & 255, tint & 255, 255), rim
    _paint_symbol(painter, at, palette.class_symbol(0), inks, theme, _VALUE_SIZE * size, hollow, faint, _VALUE_RING)


def paint_sample(
    painter: QPainter, at: QPointF, number: int, theme: str, size: float, hollow: bool = False, faint: bool = False
) -> None:
    """One sample of a class of that number: filled, or hollow where it is held out; small and faint where it is off."""
    inks = palette.class_colour(number, theme), palette.rim(number, theme)
    _paint_symbol(painter, at, palette.class_symbol(number), inks, theme, size, hollow, faint)


def _paint_symbol(
    painter: QPainter,
    at: QPointF,
    symbol: Symbol,
    inks: tuple[palette.Colour, palette.Colour],
    theme: str,
    size: float,
    hollow: bool,
    faint: bool,
    ring: float = 2.0,
) -> None:
    """A symbol in the inks of its inside and its rim; a hollow one has a ring so wide, pixels."""
    fill, rim = inks
    size *= OFF_SHARE if faint else 1.0
    path, width = sized(symbol, size), size / SAMPLE_SIZE
    with saved(painter):
        painter.translate(at)
        painter.setOpacity(painter.opacity() * (OFF_OPACITY if faint else 1.0))
        painter.setBrush(colour(palette.faded(palette.theme_colors(theme).canvas, 0.85) if hollow else fill))
        painter.setPen(pen(rim, (ring + 1.2 if hollow else 1.0) * width))
        painter.drawPath(path)
        if hollow:
            painter.strokePath(path, pen(fill, ring * width))


@lru_cache(maxsize=128)
def class_icon(number: int, theme: str) -> QIcon:
    """The symbol of a class of that number as an icon, for buttons and lists; not to be changed."""
    return painted_icon(partial(paint_sample, number=number, theme=theme, size=_ICON_SYMBOL_PX), _ICON_PX)


@lru_cache(maxsize=512)
def shaded_icon(shade: int, theme: str) -> QIcon:
    """The symbol of a sample in a shade of the scale of values as an icon; not to be changed."""
    return painted_icon(partial(paint_shaded, shade=shade, theme=theme, size=_ICON_SYMBOL_PX), _ICON_PX)


@lru_cache(maxsize=64)
def _sheet(kinds: tuple[int, ...], theme: str, colours: palette.Colours, size: float, scale: float) -> StampSheet:
    codes = (kind // _N_LOOKS - palette.MOST_CLASS_LOOKS for kind in kinds)
    numbers = (palette.class_number(code, colours) for code in codes)
    painted = [
        partial(paint_sample, number=number, theme=theme, size=size, hollow=bool(kind & 1), faint=bool(kind & 2))
        for number, kind in zip(numbers, kinds, strict=True)
    ]
    return sheet([stamped(paint, size * 0.75 + 3, scale) for paint in painted])
