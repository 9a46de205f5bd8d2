"""What is left of each direction of the weights: singular values and filter factors."""

from __future__ import annotations

import numpy as np

from mlviz.algorithms.linear.linear_regression.model import LinearRegressionModel
from mlviz.draw.layer import Context, chart
from mlviz.draw.marks import Lines, Mark, Points
from mlviz.draw.plot import Handle, Plot
from mlviz.numerics.arrays import Array
from mlviz.numerics.bases.monomials import Monomials

_PLACES = 160
_END = 1e4
"""The largest λ, as a multiple of the largest variance, where none is large enough."""
_ALONG = "s²: variance of the terms along a direction"
_ROUNDING = 1e-20
"""Squares of singular values below this share of the largest are rounding."""


@chart("spectrum", "singular values")
def spectrum_chart(model: LinearRegressionModel, context: Context) -> Plot | None:
    """The share of each direction of the weights that is left, over how much the samples vary along it."""
    problem = model.problem
    if problem.l1 or not model.at_minimum:
        return None
    squares = problem.spectrum.values**2
    squares = squares[squares > _ROUNDING * squares.max(initial=0.0)]
    if not len(squares):
        return None
    # No λ sets all weights to 0, as a wide budget does: what stands for it is the end of the plot.
    ridge = _END * float(squares.max()) if problem.flat else problem.l2
    low, high = float(squares.min()), float(squares.max())
    low, high = min(low, ridge or low) / 10, max(high, ridge) * 10
    at = np.geomspace(low, high, _PLACES)
    marks: list[Mark] = []
    if problem.flat:
        left = np.zeros(len(squares))
        marks.append(Lines("curve", np.array([(low, 0.0), (high, 0.0)]), label="all weights are 0"))
    elif ridge:
        marks.append(Lines("curve", np.column_stack((at, at / (at + ridge))), label="s²/(s² + λ)"))
        left = squares / (squares + ridge)
    else:
        # Without a penalty a direction counts in full, or not at all where it is not told apart.
        left = (np.arange(len(squares)) < model.rank).astype(float)
        marks.append(Lines("curve", np.array([(low, 1.0), (high, 1.0)]), label="without a penalty"))
    marks.append(Points("now", np.column_stack((squares, left)), label="directions of the weights"))
    handles = (_handle(model, at, ridge),) if ridge and (problem.budget is None or model.meets_budget) else ()
    return Plot(
        "spectrum",
        "Singular values",
        context.measured(_ALONG) if isinstance(model.basis, Monomials) and not model.basis.mapped else _ALONG,
        "share that is left",
        tuple(marks),
        (low, high, -0.05, 1.1),
        x_scale="log",
        handles=handles,
    )


def _handle(model: LinearRegressionModel, at: Array, ridge: float) -> Handle:
    """λ where half of a direction is left, or the budget that comes to the same."""
    ridges = np.unique(np.append(at if not model.problem.flat else at[at < ridge], ridge))
    here = int(np.searchsorted(ridges, ridge))
    places = np.column_stack((ridges, np.full(len(ridges), 0.5)))
    budget = model.problem.budget
    if budget is None:
        return Handle("algorithm.lambda_", places, ridges, here, label="λ", kind="upright")
    values = np.array([model.problem.spectrum.loss(ridge) for ridge in ridges.tolist()])
    values[here] = budget
    # What fits without any residual has no budget.
    kept = values > 0
    here = int(np.count_nonzero(kept[:here]))
    return Handle("algorithm.budget", places[kept], values[kept], here, label="λ of the budget", kind="upright")
