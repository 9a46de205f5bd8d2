"""Studies: questions that can be asked of any pipeline, one file each. Finding a file here is installing it."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from mlviz.studies.base import Study

__all__ = ["Study", "studies"]


@cache
def studies() -> tuple[Study, ...]:
    """Each study in this package, in alphabetical order of the ids."""
    modules = [importlib.import_module(f"{__name__}.{file.name}") for file in pkgutil.iter_modules(__path__)]
    kinds = {t for module in modules for t in vars(module).values() if isinstance(t, type) and "id" in vars(t)}
    return tuple(sorted((kind() for kind in kinds if issubclass(kind, Study)), key=lambda study: study.id))
