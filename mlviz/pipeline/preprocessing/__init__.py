"""What is made of the inputs before the fit, one way a file. Finding a file here is installing it."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from mlviz.pipeline.preprocessing.base import Preprocessing, Transform

__all__ = ["Preprocessing", "Transform", "preprocessings"]


@cache
def preprocessings() -> dict[str, Preprocessing]:
    """Id -> each preprocessing in this package, in the order of a list to choose from."""
    modules = [importlib.import_module(f"{__name__}.{file.name}") for file in pkgutil.iter_modules(__path__)]
    kinds = {t for module in modules for t in vars(module).values() if isinstance(t, type) and "id" in vars(t)}
    found = [kind() for kind in kinds if issubclass(kind, Preprocessing)]
    return {one.id: one for one in sorted(found, key=lambda one: (one.rank, one.id))}
