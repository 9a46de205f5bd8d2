"""What methods that find components share: which projections are drawn, and an arrow for every input."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mlviz.draw.layer import Context, overlay
from mlviz.draw.marks import Arrows, Mark, Text
from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.sampling import subsample

_MOST_PROJECTIONS = 2000
"""Of more samples nothing could be told apart."""


def projected_rows(scores: Array) -> Labels:
    """The samples whose projections are drawn, (m,) of those with scores (n,): all, or some evenly along the scores."""
    if len(scores) <= _MOST_PROJECTIONS:
        return np.arange(len(scores))
    return subsample(np.argsort(scores, kind="stable"), _MOST_PROJECTIONS)


@overlay(
    "loadings",
    "loadings",
    "an arrow from the mean for every input: its weights in the two components, each times √λ, the standard deviation "
    "of its scores; inputs that vary together point the same way",
)
def loadings(model: object, context: Context) -> Sequence[Mark]:
    components = context.components
    if components is None:
        return ()
    tips = components.rows.T * components.deviations[: len(components.rows)]
    told = np.flatnonzero(tips.any(axis=1))
    tips, words = tips[told], tuple(components.inputs[j] for j in told)
    arrows = Arrows("loading", np.zeros_like(tips), tips, label="loadings of the inputs")
    return (arrows, Text("loading", tips, words)) if words else ()
