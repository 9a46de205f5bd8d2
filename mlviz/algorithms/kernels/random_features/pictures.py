"""How random features are drawn: beside what they approximate, as waves, and by their error."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mlviz.algorithms.kernels.random_features.model import (
    MOST_EXACT,
    RandomFeaturesModel,
    RandomFeaturesScores,
)
from mlviz.draw.contours import contour, curves, some_lines
from mlviz.draw.inks import RoleInk, Tone
from mlviz.draw.layer import Context, OnCurve, OnGrid, OnLine, chart, overlay
from mlviz.draw.marks import Lines, Mark, Points
from mlviz.draw.numbers import number
from mlviz.draw.overlays.gram import gram_matrix, matrix_plot
from mlviz.draw.overlays.regions import predicted
from mlviz.draw.plot import Handle, Plot
from mlviz.numerics.distances import sphere
from mlviz.numerics.kernels.base import Gaussian

CHARTED = 1000
"""The error is shown for up to so many features."""
_COUNTS = 48
"""For about so many different numbers of them."""
MOST_WAVES = 30
"""Of more waves the largest ones are drawn."""
_WIDTHS = 5.0
"""Frequencies are shown up to so many times 1/σ."""
INKS = {"exact fit": RoleInk(Tone("second", deep=0.2), width=2.0, dash="dashed")}

Approximated = RandomFeaturesModel | RandomFeaturesScores


@overlay(
    "exact",
    "exact curve",
    f"what kernel ridge regression with the kernel itself predicts, for up to {MOST_EXACT} samples",
    tasks=("regression",),
)
def exact_curve(model: RandomFeaturesModel, context: OnLine) -> Sequence[Mark]:
    if model.exact is None:
        return ()
    x = context.line
    return (Lines("exact fit", np.column_stack((x, model.exact.at(x[:, None]))), label="exact kernel"),)


@overlay(
    "exact boundary",
    "exact boundary",
    f"the boundary of two classes with the kernel itself, for up to {MOST_EXACT} samples",
    tasks=("classification",),
)
def exact_boundary(model: RandomFeaturesScores, context: OnGrid) -> Sequence[Mark]:
    exact = model.approximation.exact
    if exact is None or len(exact) > 1:
        return ()
    grid = context.grid.every(1 if context.fine else 2)
    line = contour(grid, exact[0].on_grid(grid, np.float32, 1e-4), context.threshold, fine=context.fine)
    return some_lines("exact fit", line, "exact kernel")


@chart("error", "error of the kernel")
def error_chart(model: Approximated, context: Context) -> Plot | None:
    """The error over the number of features, which can be dragged, beside what is to be expected."""
    approximation = model.approximation
    highest = max(CHARTED, approximation.m)
    counts = np.unique(np.append(np.geomspace(1, highest, _COUNTS).astype(np.intp), approximation.m))
    errors, C = approximation.errors(counts), approximation.expected
    if errors is None or not C or not errors.min() > 0:
        return None
    at = int(np.searchsorted(counts, approximation.m))
    places = np.column_stack((counts, errors))
    expected = np.column_stack((counts[[0, -1]], C / np.sqrt(counts[[0, -1]])))
    marks = (
        Lines("threshold", expected, label=f"expected, C/√m with C = {number(C)}"),
        Lines("curve", places, label="over pairs of samples"),
        Points("now", places[[at]], label=f"m = {approximation.m}"),
    )
    handles = (Handle("algorithm.n_components", places, counts.astype(np.float64), at, "m"),)
    return Plot(
        "error",
        "Error of the kernel",
        "number m of features",
        "RMS error",
        marks,
        x_scale="log",
        y_scale="log",
        handles=handles,
    )


@chart("gram", "Gram matrix")
def gram_chart(model: Approximated, context: Context) -> Plot | None:
    """The kernel of pairs of samples above the diagonal, the product of their features below it."""
    found = gram_matrix(context)
    if found is None:
        return None
    rows, K = found
    Z = model.approximation.features.values(context.X[rows])
    # The rows of the picture count from below, so that what is above the diagonal is above it in the picture, too.
    both = np.where(np.tri(len(K), k=-1, dtype=bool), K, Z @ Z.T)
    return matrix_plot(context, rows, both, "; upper half exact")


@chart("waves", "waves")
def waves_chart(model: RandomFeaturesModel, context: OnCurve) -> Plot | None:
    """Each feature times its weight, and their sum with the offset."""
    x, features = context.line, model.features
    largest = np.sort(np.argsort(-np.abs(model.coef), kind="stable")[:MOST_WAVES])
    heights = (features.values(x[:, None]) * model.coef)[:, largest]
    label = "weights times waves" if len(largest) == features.m else f"the {len(largest)} largest of {features.m} waves"
    marks: list[Mark] = [Lines("basis", curves(x, heights + model.intercept), label=label)]
    marks.append(Lines("curve", np.column_stack((x, model.predict(x[:, None]))), label="their sum and the offset"))
    fitted = np.append(context.y, predicted(model, context)[1])
    low, high = float(fitted.min()), float(fitted.max())
    room = 0.5 * (high - low) or max(abs(high), 1.0)
    limits = (float(x[0]), float(x[-1]), low - room, high + room)
    return Plot("waves", "Waves", context.axis_label(0), "prediction", tuple(marks), limits)


@chart("frequencies", "frequencies")
def frequencies_chart(model: Approximated, context: Context) -> Plot | None:
    """The frequencies of two inputs: which way each wave goes, and how dense it is."""
    W, sigma = model.approximation.features.frequencies, model.approximation.kernel.sigma
    if W.shape[1] != 2:
        return None
    reach = _WIDTHS / sigma
    marks: tuple[Mark, ...] = (Points("path", W[(np.abs(W) <= reach).all(axis=1)], label="direction and density"),)
    if isinstance(model.approximation.kernel, Gaussian):
        marks = (Lines("reference", sphere(np.zeros(2), 1 / sigma, "euclidean"), label="1/σ"), *marks)
    limits = (-reach, reach, -reach, reach)
    names = [f"ω of {context.axis_label(j)}" for j in range(2)]
    return Plot("frequencies", "Frequencies", names[0], names[1], marks, limits, equal=True)
