"""Very many samples: symbols on one pixel are copied once, and what is seen stays the same."""

import numpy as np
import pytest
from PySide6.QtGui import QPainter

from mlviz.ui.paint import symbols
from mlviz.ui.paint.strokes import colour, transparent


def painted(monkeypatch, places, kinds, crowd):
    """The picture of squares of three colours, and how many were copied."""
    monkeypatch.setattr(symbols, "CROWD", crowd)
    copied = []
    real = QPainter.drawPixmapFragments

    def counted(self, fragments, count, pixmap):
        copied.append(count)
        return real(self, fragments, count, pixmap)

    monkeypatch.setattr(symbols.QPainter, "drawPixmapFragments", counted)
    inks = ((200, 0, 0, 255), (0, 200, 0, 255), (0, 0, 200, 255))
    stamps = [symbols.stamped(lambda p, at, ink=ink: p.fillRect(2, 2, 4, 4, colour(ink)), 4, 1.0) for ink in inks]
    canvas = transparent(120, 100)
    with QPainter(canvas) as painter:
        symbols.scatter(painter, symbols.sheet(stamps), places, kinds)
    monkeypatch.undo()
    return canvas.toImage(), sum(copied)


@pytest.mark.parametrize("spread", [3.0, 15.0, 1e6])
def test_symbols_below_their_like_are_left_out_and_nothing_else_is_seen(qapp, monkeypatch, spread):
    rng = np.random.default_rng(0)
    places, kinds = rng.normal((60, 50), spread, (30_000, 2)), rng.integers(0, 3, 30_000)
    every, count = painted(monkeypatch, places, kinds, len(places))
    fewer, left = painted(monkeypatch, places, kinds, 1000)
    assert every == fewer
    assert count == len(places)
    pixels = len(np.unique(np.column_stack((np.floor(places + symbols._HALF), kinds)), axis=0))
    assert left == (pixels if spread < 1e3 else len(places))
