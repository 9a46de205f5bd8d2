"""Fits and draws what a scene asks for, a few milliseconds at a time; it serves worker, command line and tests."""

from mlviz.engine.engine import GIVEN_UP, Engine
from mlviz.engine.jobs import Request
from mlviz.picture import draw

__all__ = ["GIVEN_UP", "Engine", "Request", "draw"]
