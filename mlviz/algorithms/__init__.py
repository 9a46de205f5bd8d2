"""The methods, one file or folder each in the folder of their family. Finding a file there is installing it.

Their classes can be imported from here by name: ``from mlviz.algorithms import SVM`` reads the file of that one.
"""

from __future__ import annotations

from typing import Any

from mlviz.algorithms.base import Algorithm, CannotFit, Follower, Model
from mlviz.algorithms.catalog import BrokenMethod, broken, class_named, find, registry, why_missing

__all__ = [
    "Algorithm",
    "BrokenMethod",
    "CannotFit",
    "Follower",
    "Model",
    "broken",
    "find",
    "registry",
    "why_missing",
]


def __getattr__(name: str) -> Any:
    method = class_named(name) if name[:1].isupper() else None
    if method is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return method


def __dir__() -> list[str]:
    return [*__all__, *(method.__name__ for method in registry().values())]
