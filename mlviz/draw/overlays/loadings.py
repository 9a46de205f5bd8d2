"""What the axes of a canvas of components are made of: an arrow for every input."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mlviz.draw.layer import OnComponents, overlay
from mlviz.draw.marks import Arrows, Mark, Text


@overlay(
    "loadings",
    "loadings",
    "an arrow from the mean for every input: its weights in the two components, each times √λ, the standard deviation "
    "of its scores; inputs that vary together point the same way",
)
def loadings(model: object, context: OnComponents) -> Sequence[Mark]:
    components = context.components
    tips = components.loadings
    told = (tips != 0).any(axis=1)
    words = tuple(name for name, there in zip(components.inputs, told.tolist(), strict=True) if there)
    if not words:
        return ()
    tips = tips[told]
    return (Arrows("loading", np.zeros_like(tips), tips, label="loadings of the inputs"), Text("loading", tips, words))
