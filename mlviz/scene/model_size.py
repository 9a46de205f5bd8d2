"""How much memory a model takes, for caches that are bounded by it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray


def size_of(model: Any, beside: Any = None) -> int:
    """The bytes of the arrays in a model, those not counted that another model beside it has in the same place."""
    return sum({id(a): a.nbytes for a in _arrays(model, beside)}.values())


def _arrays(thing: Any, beside: Any) -> Iterator[NDArray[Any]]:
    if thing is beside:
        return
    if isinstance(thing, np.ndarray):
        yield thing
        return
    parts, others = _parts(thing), _parts(beside)
    for place, part in parts.items():
        yield from _arrays(part, others.get(place))


def _parts(thing: Any) -> dict[Any, Any]:
    if isinstance(thing, (tuple, list)):
        return dict(enumerate(thing))
    if isinstance(thing, dict):
        return thing
    return vars(thing) if dataclasses.is_dataclass(thing) and not isinstance(thing, type) else {}
