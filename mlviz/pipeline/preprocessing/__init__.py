"""What is made of the inputs before the fit, one way a file. Finding a file here is installing it."""

from __future__ import annotations

from functools import cache

from mlviz.pipeline.preprocessing.base import Preprocessing, Transform, place_in_model
from mlviz.spec import installed

__all__ = ["Preprocessing", "Transform", "place_in_model", "preprocessings"]


@cache
def preprocessings() -> dict[str, Preprocessing]:
    """Id -> each preprocessing in this package, in the order of a list to choose from."""
    return {one.id: one for one in sorted(installed(Preprocessing, __name__, __path__), key=lambda one: one.rank)}
