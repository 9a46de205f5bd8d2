"""The line under a picture: wrapped between its parts, in a type that goes by the width."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from mlviz.picture.texts import RESULTS
from mlviz.ui.paint.axes import Style, metrics, write

_AIR = 8.0
"""Left and right of the words, pixels."""
_SIZES, _SMALLEST = ((420.0, 1.0), (260.0, 0.92)), 0.84
"""From which width on, in pixels, the type is how large, as a share of the usual size; the smallest one."""
_MOST = 1000
"""Signs that are shown at most."""
_APART = 2
"""So many of the first settings stay longer than the number of samples: a choice and its value."""
_GAPS = re.compile(r"(?<!=) +(?!=)")


def paint_caption(painter: QPainter, box: QRectF, words: str, style: Style) -> None:
    """The words in the box, wrapped."""
    factor, lines = fitted(words, box, style)
    fm = metrics(style, factor)
    for k, line in enumerate(lines):
        baseline = box.top() + 2 + k * fm.lineSpacing() + fm.ascent()
        write(painter, box.center().x(), baseline, line, style, factor, share=0.5)


def fitted(words: str, box: QRectF, style: Style) -> tuple[float, list[str]]:
    """The type, as a share of the usual size, and the words in as many lines as the box has room for.

    The type goes by the width alone, so that canvases beside each other have captions of one size. Parts that have no
    room are left out; of what there is to remark after the results, the end.
    """
    width = box.width() - 2 * _AIR
    factor = next((size for least, size in _SIZES if width >= least * style.text), _SMALLEST)
    fm = metrics(style, factor)
    most = max(1, int((box.height() - 2) / fm.lineSpacing()))
    for parts in _shorter(words):
        lines = _in_parts(parts, width, fm)
        if len(lines) <= most:
            return factor, lines
    return factor, [*lines[: most - 1], fm.elidedText(" ".join(lines[most - 1 :]), Qt.TextElideMode.ElideRight, width)]


def _shorter(words: str) -> Iterator[list[str]]:
    """The parts of a caption, with ever fewer of them.

    First go the later settings, then preprocessing and the number of samples, which canvases beside each other mostly
    share, then the first settings, by which these differ, and at last what else stands before the results. The name of
    the method and the results, or else the last part, stay.
    """
    method, *rest = words.split("; ")
    yield [method, *rest]
    name, *settings = method.split(", ")
    result = next((k for k, part in enumerate(rest) if part.startswith(RESULTS)), len(rest) - 1)
    counted = min(result, next((k for k, part in enumerate(rest, start=1) if part.startswith("n = ")), 0))
    kept = [*(", ".join((name, *settings[:k], "…")) for k in range(len(settings))), method]
    yield from ([words, *rest] for words in reversed(kept[_APART:-1]))
    yield from ([kept[: _APART + 1][-1], *rest[k:]] for k in range(1, counted + 1))
    yield from ([words, *rest[counted:]] for words in reversed(kept[:_APART]))
    yield from ([kept[0], *rest[k:]] for k in range(counted + 1, result + 1))


def _in_parts(parts: list[str], width: float, fm: QFontMetricsF) -> list[str]:
    """The parts of a caption in lines that end after one of them wherever a part has room in a line."""
    if fm.horizontalAdvance(whole := "; ".join(parts)) <= width:
        return [whole]
    lines: list[str] = []
    for k, part in enumerate(parts):
        part += ";" * (k < len(parts) - 1)
        longer = f"{lines[-1]} {part}" if lines else part
        if fm.horizontalAdvance(longer) <= width:
            lines[-1:] = [longer]
        else:
            lines += wrapped(part, width, fm)
    return lines


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
        while fm.horizontalAdvance(word) > width and len(word) > 1:
            n = max(1, bisect_right(range(len(word) + 1), width, key=lambda n: fm.horizontalAdvance(word[:n])) - 1)
            lines.append(word[:n])
            word = word[n:]
        lines.append(word)
    return [line for line in lines if line]
