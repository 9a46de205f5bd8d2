"""Studies: questions that can be asked of any pipeline, one file each. Finding a file here is installing it."""

from __future__ import annotations

from functools import cache

from mlviz.spec import installed
from mlviz.studies.base import Study

__all__ = ["Study", "studies"]


@cache
def studies() -> tuple[Study, ...]:
    """Each study in this package, in alphabetical order of the ids."""
    return tuple(installed(Study, __name__, __path__))
