"""Fits and draws what a scene asks for, a few milliseconds at a time; it serves worker, command line and tests."""

from mlviz.worker.engine import GIVEN_UP, Engine
from mlviz.worker.jobs import Request

__all__ = ["GIVEN_UP", "Engine", "Request"]
