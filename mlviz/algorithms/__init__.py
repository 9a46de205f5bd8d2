"""The methods, one file each. Finding a file here is installing it."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from mlviz.algorithms.base import Algorithm, CannotFit, Follower, Model

__all__ = ["Algorithm", "CannotFit", "Follower", "Model", "registry"]


@cache
def registry() -> dict[str, type[Algorithm]]:
    """Id -> class of every method in this package, in alphabetical order of the ids."""
    found: dict[str, type[Algorithm]] = {}
    for module in pkgutil.iter_modules(__path__, __name__ + "."):
        for thing in vars(importlib.import_module(module.name)).values():
            if isinstance(thing, type) and issubclass(thing, Algorithm) and "id" in vars(thing):
                found[thing.id] = thing
    return dict(sorted(found.items()))
