"""Lines of mathematics as docstrings have them, set as formulas."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from math import inf

from PySide6.QtCore import QByteArray, QRectF, QSize
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

_SCRIPTS = {"<sub>": "_", "<super>": "^"}
_NAMES = ("exp", "log", "max", "min")
"""Functions that are set upright; other words are prose between the symbols."""
_PIECES = re.compile(
    r"(?P<words>[A-Za-z]{2,}(?: [A-Za-z]{2,})*)|(?P<sum>Σ(?=[ᵢⱼₖₘₜ]* ))|√(?P<root>\w)|\((?P<over>\w)/(?P<under>\w)\)"
)
_SPECIAL = re.compile(r"[\\{}_^&%#$~]")


def parts(line: str) -> list[str]:
    """The formulas of a line, which stand apart: between them it may be broken."""
    return [part for part in re.split(r" {2,}|(?<=,) (?=[^\W_]+ ?[←=≥])", line.strip()) if part]


def as_latex(line: str) -> str:
    """A formula in LaTeX: indices and powers, fractions, sums and roots as such, words upright."""
    found, place = "", 0
    for piece in _PIECES.finditer(line):
        found += _scripts(line[place : piece.start()])
        place = piece.end()
        if piece["words"]:
            word = piece["words"]
            found += f"\\{word} " if word in _NAMES else f"\\text{{ {word} }}"
        elif piece["sum"]:
            found += r"\sum "
        elif piece["root"]:
            found += rf"\sqrt{{{piece['root']}}}"
        else:
            found += rf"\frac{{{piece['over']}}}{{{piece['under']}}}"
    return found + _scripts(line[place:])


def _scripts(text: str) -> str:
    """Raised and lowered signs as powers and indices; one run of them is one of these."""
    found, under = "", ""
    for sign in text:
        kind, *codes = unicodedata.decomposition(sign).split() or [""]
        plain = "".join(chr(int(code, 16)) for code in codes) if kind in (*_SCRIPTS, "<fraction>") else sign
        mark = _SCRIPTS.get(kind, "")
        if under and mark != under:
            found += "}"
        if mark and mark != under:
            found += f"{mark}{{"
        under = mark
        if kind == "<fraction>":
            above, below = plain.split("⁄")
            found += rf"\frac{{{above}}}{{{below}}}"
        else:
            found += _SPECIAL.sub(r"\\\g<0>", plain)
    return found + ("}" if under else "")


@lru_cache(maxsize=512)
def _drawn(line: str, size: float, colour: str) -> bytes:
    """The formula as SVG. It takes some 10 ms, and a page that is opened again has the same ones."""
    import ziamath

    ziamath.config.svg2 = False  # Qt knows no symbols that are used again
    return str(ziamath.Latex(as_latex(line), size=size, color=colour).svg()).encode()


def set_formula(line: str, size: float, ink: QColor, room: float = inf, pixels: float = 1.0) -> QImage:
    """A picture of the formula, its letters `size` high, or smaller where it would be wider than the room.

    Lengths are logical ones, each of so many `pixels`.
    """
    renderer = QSvgRenderer(QByteArray(_drawn(line, size, ink.name())))
    whole = renderer.viewBoxF().size()
    fitting = whole * (min(1.0, max(0.0, room) / whole.width()) * pixels)
    image = QImage(fitting.toSize().expandedTo(QSize(1, 1)), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    with QPainter(image) as painter:
        renderer.render(painter, QRectF(image.rect()))
    image.setDevicePixelRatio(pixels)
    return image
