"""The scree plot: what each component explains."""

from __future__ import annotations

import numpy as np

from mlviz.draw.marks import Mark, Polygons, Text
from mlviz.draw.numbers import share, typographic
from mlviz.draw.overlays.charts import rectangles
from mlviz.draw.plot import Plot
from mlviz.numerics.arrays import Array

_NAMED = 12
"""Of more components the explained shares are not written at the bars: they would cover each other."""
_ROUNDING = 1e-12
"""What is within this of the whole is the whole."""


def scree_plot(variances: Array, total: float, label: str = "variance") -> Plot:
    """The variance along each component (k,) as a bar, largest first, and the share of the total explained so far.

    It may exceed 1 where the total counts further ones that are negative, as distances have that are not Euclidean.
    """
    k = len(variances)
    places = np.arange(1.0, k + 1)
    marks: list[Mark] = [Polygons("bar", rectangles(places - 0.35, places + 0.35, variances))]
    if k <= _NAMED:
        shares = np.cumsum(variances / variances[0]) / (total / variances[0])
        words = tuple(typographic(share(part if abs(part - 1) > _ROUNDING else 1.0)) for part in shares.tolist())
        marks.append(Text("path", np.column_stack((places, variances)), words, above=True))
    title = "Scree plot, with the share explained so far" if k <= _NAMED else "Scree plot"
    limits = (0.4, k + 0.6, 0.0, 1.3 * float(variances[0]))
    return Plot("scree", title, "component", label, tuple(marks), limits, x_whole=True)
