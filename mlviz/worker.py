"""The process that fits and makes pictures. Never imports Qt."""

from __future__ import annotations

from mlviz.engine import Engine, Request, draw
from mlviz.picture import Size

__all__ = ["Engine", "Request", "Size", "draw"]
