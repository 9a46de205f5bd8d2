"""How much memory a model takes, for caches that are bounded by it."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

_SMALL = frozenset((str, int, float, bool, type(None)))
"""Kinds of parts that have no array: most parts are of these."""


def size_of(model: Any, beside: Any = None) -> int:
    """The bytes of the arrays in a model, those not counted that another model beside it has in the same place."""
    found: dict[int, int] = {}
    # A loop rather than a recursion: this is done for every model of every fit.
    left = [(model, beside)]
    while left:
        thing, other = left.pop()
        if thing is other or id(thing) in found:
            continue
        found[id(thing)] = 0  # such as the parts of several classes, which a model has in two places
        if isinstance(thing, np.ndarray):
            found[id(thing)] = thing.nbytes
        elif isinstance(thing, (tuple, list)):
            others = other if isinstance(other, (tuple, list)) else ()
            pairs = itertools.zip_longest(thing, others[: len(thing)])
            left += [pair for pair in pairs if type(pair[0]) not in _SMALL]
        else:
            parts, former = _named_parts(thing), _named_parts(other)
            left += [(part, former.get(name)) for name, part in parts.items() if type(part) not in _SMALL]
    return sum(found.values())


def _named_parts(thing: Any) -> dict[Any, Any]:
    if isinstance(thing, dict):
        return thing
    return vars(thing) if hasattr(type(thing), "__dataclass_fields__") else {}
