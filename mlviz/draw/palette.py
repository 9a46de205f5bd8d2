"""Roles -> ink: the one place that knows colours, widths, dashes and symbols."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Colour = tuple[int, int, int, int]
"""Red, green, blue, opacity, 0 to 255."""
Dash = Literal["solid", "dashed", "dotted"]
Symbol = Literal["circle", "square", "triangle", "diamond", "plus", "cross", "star", "hexagon", "triangle down", "ring"]


@dataclass(frozen=True)
class Ink:
    """How a role is drawn: line and fill colours, line width and symbol size in logical pixels."""

    line: Colour
    fill: Colour | None = None
    width: float = 1.5
    dash: Dash = "solid"
    symbol: Symbol = "circle"
    size: float = 9.0
