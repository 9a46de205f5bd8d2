"""Counts in the cells of a table, each of which shows its samples when it is clicked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from mlviz.draw.marks import Field, cell_words
from mlviz.draw.numbers import share, typographic
from mlviz.draw.plot import Area, Plot
from mlviz.numerics.arrays import Array, Rows
from mlviz.spec.outside import shortened

_FAINTEST, _STRONGEST = 12, 62
"""The shades of a cell with the fewest and with all samples, of 127: numbers can be read on them."""
_NAMES_ROOM, _SHORTEST_NAME = 60, 5
"""So many characters have room below the table, and a name has at least so many."""


def shades_of(shares: Array, sense: Array | float = 1.0) -> NDArray[np.uint8]:
    """The shades of cells by their shares, in one colour where the sense is 1 and in another where it is -1."""
    return (128 + sense * np.where(shares > 0, _FAINTEST + (_STRONGEST - _FAINTEST) * shares, 0.0)).astype(np.uint8)


def told_shares(shares: Iterable[float], wholes: Iterable[str]) -> str:
    """Which share of each whole a cell has; a dash where there is no whole."""
    told = [typographic(share(float(part))) if part == part else "–" for part in shares]
    return ", ".join(f"{part} of {whole}" for part, whole in zip(told, wholes, strict=True))


def count_table(
    id: str,
    title: str,
    axes: tuple[str, str],
    names: tuple[Sequence[str], Sequence[str]],
    counts: Array,
    shades: NDArray[np.uint8],
    words: Sequence[str],
    cells: Iterable[tuple[str, Rows]],
) -> Plot:
    """The table of counts (r, c), the first row on top, with the names of the columns and of the rows.

    Row by row, `words` stand in the cells, and `cells` are what each says when it is pointed at and the rows of its
    samples.
    """
    r, c = counts.shape
    across, up = np.arange(float(c)), np.arange(float(r))[::-1]
    places = np.column_stack((np.tile(across, r), np.repeat(up, c)))
    written = np.array([word != "" for word in words])
    most = max(_SHORTEST_NAME, _NAMES_ROOM // c)
    return Plot(
        id,
        title,
        *axes,
        (
            Field("similarity", across, up[::-1], shades[::-1], cells=counts[::-1]),
            cell_words("label", places[written], list(filter(None, words))),
        ),
        (-0.5, c - 0.5, -0.5, r - 0.5),
        x_ticks=tuple((x, shortened(name, most)) for x, name in zip(across.tolist(), names[0], strict=True)),
        y_ticks=tuple(zip(up.tolist(), names[1], strict=True)),
        areas=tuple(
            Area((x - 0.5, x + 0.5, y - 0.5, y + 0.5), *cell)
            for (x, y), cell in zip(places.tolist(), cells, strict=True)
        ),
    )
