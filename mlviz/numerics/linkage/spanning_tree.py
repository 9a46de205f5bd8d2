"""The shortest tree that spans all places (V. Jarník 1930, R. Prim 1957): single linkage merges along its edges."""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.pauses import Work

_PAUSE = 200
"""So many places are reached between two pauses."""


def spanning_tree(gaps: Array) -> Work[tuple[Labels, Array]]:
    """The edges (n - 1, 2) of the shortest tree, in the order in which it grows, and their gaps (n - 1,).

    `gaps` (n, n) is symmetric. The tree grows from the first place, each time by the place nearest to it.
    """
    n = len(gaps)
    edges, lengths = np.empty((n - 1, 2), dtype=np.intp), np.empty(n - 1)
    # Of each place outside the tree the gap to it, and from where; once inside, it is neither nearer nor next again.
    least, outside, source = np.full(n, np.inf), np.full(n, np.inf), np.zeros(n, dtype=np.intp)
    place = 0
    for t in range(n - 1):
        least[place], outside[place] = -np.inf, np.inf
        nearer = gaps[place] < least
        for values, new in ((least, gaps[place]), (outside, gaps[place]), (source, place)):
            np.copyto(values, new, where=nearer)
        place = int(outside.argmin())
        edges[t], lengths[t] = (source[place], place), least[place]
        if t % _PAUSE == _PAUSE - 1:
            yield
    return edges, lengths
