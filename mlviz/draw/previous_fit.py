"""The ghost of a picture: the few marks that say what the fit was, faint, to be laid over the next one."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from mlviz.draw.marks import Mark, Points
from mlviz.draw.plot import Plot

GHOST_LABEL = "before the last change"
_ROLES = ("boundary", "curve", "center", "component")


def ghost(marks: Iterable[Mark]) -> tuple[Mark, ...]:
    """Boundaries, curves, centres, Gaussians and components of a former picture, in the ink of ghosts.

    What fills the plane has no outline, and no ghost.
    """
    outlines = [
        dataclasses.replace(mark, role="ghost", label=GHOST_LABEL)
        for mark in marks
        if (mark.role in _ROLES or mark.role.startswith("ellipse ")) and not mark.fills
    ]
    return tuple(dataclasses.replace(mark, mix=None) if isinstance(mark, Points) else mark for mark in outlines)


def with_ghost(plot: Plot, former: tuple[Mark, ...]) -> Plot:
    """The plot with a ghost over its shades and under everything else."""
    shades = sum(mark.fills for mark in plot.marks)
    first = sorted(plot.marks, key=lambda mark: not mark.fills)
    return dataclasses.replace(plot, marks=(*first[:shades], *former, *first[shades:]))
