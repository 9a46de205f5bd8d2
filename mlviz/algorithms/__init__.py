"""The methods, one file or folder each in the folder of their family. Finding a file there is installing it."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from mlviz.algorithms.base import Algorithm, CannotFit, Follower, Model

__all__ = ["Algorithm", "CannotFit", "Follower", "Model", "find", "registry"]


@cache
def registry() -> dict[str, type[Algorithm]]:
    """Id -> class of every method in this package, in alphabetical order of the ids."""
    return dict(sorted(pair for module in _modules().values() for pair in _methods(module).items()))


def find(method: str) -> type[Algorithm]:
    """The class of one method by its id, without reading the files of the others; they are named after their methods.

    Raises KeyError where there is no such method.
    """
    return _methods(_modules()[method.replace("-", "_")])[method]


@cache
def _modules() -> dict[str, str]:
    """Name -> full name of every file and folder in the folders of the families, none of which is read for it."""
    found: dict[str, str] = {}
    for family in pkgutil.iter_modules(__path__):
        if family.ispkg:
            files = pkgutil.iter_modules([f"{__path__[0]}/{family.name}"])
            found |= {file.name: f"{__name__}.{family.name}.{file.name}" for file in files}
    return found


def _methods(module: str) -> dict[str, type[Algorithm]]:
    """Id -> class of the methods in the module of that name."""
    things = vars(importlib.import_module(module)).values()
    return {t.id: t for t in things if isinstance(t, type) and issubclass(t, Algorithm) and "id" in vars(t)}
