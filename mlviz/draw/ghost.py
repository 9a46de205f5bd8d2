"""The ghost of a picture: the few marks that say what the fit was, faint, to be laid over the next one."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from mlviz.draw.marks import Arrows, Ellipses, Lines, Mark, Points

LABEL = "before the last change"
_ROLES = ("boundary", "curve", "center", "component")


def ghost(marks: Iterable[Mark]) -> tuple[Mark, ...]:
    """Boundaries, curves, centres, Gaussians and components of a former picture, in the ink of ghosts."""
    return tuple(
        dataclasses.replace(mark, role="ghost", label=LABEL)
        for mark in marks
        if isinstance(mark, (Lines, Points, Arrows, Ellipses))
        and (mark.role in _ROLES or mark.role.startswith("ellipse "))
    )
