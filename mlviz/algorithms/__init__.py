"""The methods, one file each. Finding a file here is installing it."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from mlviz.algorithms.base import Algorithm, CannotFit, Follower, Model

__all__ = ["Algorithm", "CannotFit", "Follower", "Model", "find", "registry"]


@cache
def registry() -> dict[str, type[Algorithm]]:
    """Id -> class of every method in this package, in alphabetical order of the ids."""
    modules = (module.name for module in pkgutil.iter_modules(__path__))
    return dict(sorted(pair for name in modules for pair in _methods(name).items()))


def find(method: str) -> type[Algorithm]:
    """The class of one method by its id, without reading the files of the others; they are named after their methods.

    Raises KeyError where there is no such method.
    """
    try:
        return _methods(method.replace("-", "_"))[method]
    except ModuleNotFoundError:
        raise KeyError(method) from None


def _methods(name: str) -> dict[str, type[Algorithm]]:
    """Id -> class of the methods in the file of that name."""
    things = vars(importlib.import_module(f"{__name__}.{name}")).values()
    return {t.id: t for t in things if isinstance(t, type) and issubclass(t, Algorithm) and "id" in vars(t)}
