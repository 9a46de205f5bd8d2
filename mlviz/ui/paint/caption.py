"""The line under a picture: wrapped, in smaller type rather than cut."""

from __future__ import annotations

import re
from bisect import bisect_right

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF, QPainter

from mlviz.ui.paint.axes import Style, metrics, write

_AIR = 8.0
"""Left and right of the words, pixels."""
_SMALLEST = 0.6
"""The smallest type, as a share of the usual size."""
_MOST = 1000
"""Signs that are shown at most."""
_GAPS = re.compile(r"(?<!=) +(?!=)")


def paint_caption(painter: QPainter, box: QRectF, words: str, style: Style) -> None:
    """The words in the box, wrapped; in smaller type where they would need more lines than there are."""
    factor, lines = fitted(words, box, style)
    fm = metrics(style, factor)
    for k, line in enumerate(lines):
        baseline = box.top() + 2 + k * fm.lineSpacing() + fm.ascent()
        write(painter, box.center().x(), baseline, line, style, factor, share=0.5)


def fitted(words: str, box: QRectF, style: Style) -> tuple[float, list[str]]:
    """The largest type, as a share of the usual size, in which the words fit in the box, and the lines of words."""
    factor = 1.0
    while True:
        fm = metrics(style, factor)
        lines = wrapped(words, box.width() - 2 * _AIR, fm)
        if len(lines) * fm.lineSpacing() <= box.height() - 2 or factor < _SMALLEST:
            return factor, lines
        factor *= 0.93


def wrapped(words: str, width: float, fm: QFontMetricsF) -> list[str]:
    """The words in lines no wider than `width`, unbroken at equals signs; a word that is wider is broken.

    Of more words than any place has room for, the first ones.
    """
    lines, shown = [""], words.strip()
    if len(shown) > _MOST:
        shown = f"{shown[: _MOST - 1]}…"
    for word in _GAPS.split(shown):
        longer = f"{lines[-1]} {word}".strip()
        if fm.horizontalAdvance(longer) <= width:
            lines[-1] = longer
            continue
        while word:
            n = max(1, bisect_right(range(len(word) + 1), width, key=lambda n: fm.horizontalAdvance(word[:n])) - 1)
            lines.append(word[:n])
            word = word[n:]
    return [line for line in lines if line]
