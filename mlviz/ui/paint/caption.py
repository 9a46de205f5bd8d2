"""The line under a picture: wrapped, in smaller type rather than cut."""

from __future__ import annotations

import re

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter

from mlviz.ui.paint.axes import Style, metrics
from mlviz.ui.paint.strokes import colour

AIR = 8.0
"""Left and right of the words, pixels."""
SMALLEST = 0.6
"""The smallest type, as a share of the usual size."""
_GAPS = re.compile(r"(?<!=) +(?!=)")


def paint_caption(painter: QPainter, box: QRectF, words: str, style: Style) -> None:
    """The words in the box, wrapped; in smaller type where they would need more lines than there are."""
    factor, lines = fitted(words, box, style)
    fm = metrics(style, factor)
    painter.save()
    painter.setPen(colour(style.colors.text))
    painter.setFont(style.font(factor))
    for k, line in enumerate(lines):
        x = box.center().x() - fm.horizontalAdvance(line) / 2
        painter.drawText(QPointF(x, box.top() + 2 + k * fm.lineSpacing() + fm.ascent()), line)
    painter.restore()


def fitted(words: str, box: QRectF, style: Style) -> tuple[float, list[str]]:
    """The largest type, as a share of the usual size, in which the words fit in the box, and the lines of words."""
    factor = 1.0
    while True:
        fm = metrics(style, factor)
        lines = wrapped(words, box.width() - 2 * AIR, fm)
        if len(lines) * fm.lineSpacing() <= box.height() - 2 or factor < SMALLEST:
            return factor, lines
        factor *= 0.93


def wrapped(words: str, width: float, fm: QFontMetricsF) -> list[str]:
    """The words in lines no wider than `width`, unbroken at equals signs; a word that is wider is broken."""
    lines = [""]
    for word in _GAPS.split(words.strip()):
        longer = f"{lines[-1]} {word}".strip()
        if fm.horizontalAdvance(longer) <= width:
            lines[-1] = longer
            continue
        rest = word
        while rest:
            n = len(rest)
            while n > 1 and fm.horizontalAdvance(rest[:n]) > width:
                n -= 1
            lines.append(rest[:n])
            rest = rest[n:]
    return [line for line in lines if line]
