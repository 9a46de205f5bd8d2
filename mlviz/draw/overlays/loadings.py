"""What the axes of a canvas of components are made of: an arrow for every input."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mlviz.draw.layer import Context, overlay
from mlviz.draw.marks import Arrows, Mark, Text


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
