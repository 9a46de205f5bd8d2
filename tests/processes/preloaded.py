"""What a worker process imports before it answers, and the methods of tests: others are forked from one that has it."""

import importlib

from mlviz.algorithms import registry
from mlviz.worker.process import _PRELOADED
from tests import odd_algorithms

__all__ = ["odd_algorithms"]

registry()
for name in _PRELOADED:
    importlib.import_module(name)
