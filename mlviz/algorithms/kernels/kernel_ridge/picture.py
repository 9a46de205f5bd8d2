"""The bumps of which a kernel expansion is made."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mlviz.draw.layer import Context, overlay
from mlviz.draw.marks import Lines, Mark
from mlviz.draw.protocols import IsExpanded

MOST = 100
"""More bumps than that are not told apart: the largest ones are drawn."""
NODES = 300
OUT_OF_SIGHT = 1000
"""So many times as far from the offset as the samples are, bumps end: with a tiny lambda large ones cancel."""


@overlay(
    "bumps",
    "bumps",
    "the kernel of each sample times its coefficient, on the offset: the curve is their sum",
    shown=False,
    tasks=("regression",),
)
def kernel_terms(model: IsExpanded, context: Context) -> Sequence[Mark]:
    if context.line is None or context.y is None:
        return ()
    expansion = model.expansion
    largest = np.sort(np.argsort(-np.abs(expansion.coef), kind="stable")[:MOST])
    x = np.linspace(float(context.line[0]), float(context.line[-1]), NODES)
    heights = expansion.kernel.matrix(x[:, None] - expansion.origin, expansion.centers[largest])
    heights *= expansion.coef[largest]
    reach = OUT_OF_SIGHT * max(float(np.abs(context.y - expansion.base).max()), 1e-300)
    heights = expansion.base + np.clip(heights, -reach, reach)
    xy = np.full((len(largest), NODES + 1, 2), np.nan)
    xy[:, :NODES, 0], xy[:, :NODES, 1] = x, heights.T
    label = "bumps" if len(largest) == len(expansion.coef) else f"the {MOST} largest bumps"
    return (Lines("basis", xy.reshape(-1, 2)[:-1], label=label),)
