"""Fits and draws what a scene asks for, a few milliseconds at a time; it serves worker, command line and tests."""

from mlviz.worker.engine import Engine
from mlviz.worker.jobs import GIVEN_UP, Request

__all__ = ["GIVEN_UP", "Engine", "Request"]
