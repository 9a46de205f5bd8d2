"""Charts of a kernel: along a line, as the Gram matrix of the samples, and the eigenvalues of that matrix.

They look at the samples and the hyperparameters alone, so that they are there even where the kernel is refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.draw.contours import join_lines
from mlviz.draw.layer import Context, chart
from mlviz.draw.marks import Field, Lines, Mark, Points, Text
from mlviz.draw.numbers import format_number
from mlviz.draw.plot import Limits, Plot
from mlviz.numerics.arrays import Array, Labels, Rows, sorted_rows
from mlviz.numerics.linalg.cholesky import eigenvalues
from mlviz.numerics.sampling import subsample

MOST_ROWS = 120
"""Of so many samples the matrix is shown: of more, nothing would be told apart, and eigenvalues would take long."""
PROFILE_NODES = 201
_SCALE_ROOM = 0.5
"""The room for the scale to the right of the matrix, as a share of its width."""
_SHORT = 5
"""So many characters have room there beside a small matrix."""
_MOST_NAMES = 6
"""More classes are not named along the matrix."""


@chart("gram", "Gram matrix", needs_model=False)
def gram_chart(model: object, context: Context) -> Plot | None:
    found = gram_matrix(context)
    return None if found is None else matrix_plot(context, *found)


def matrix_plot(context: Context, rows: Rows, K: Array, told: str = "") -> Plot:
    """Values K (n, n) for pairs of the samples of those rows, which stand by their classes; `told` is added below."""
    n, places = len(rows), np.arange(1.0, len(rows) + 1)
    size = float(np.abs(K).max())
    matrix = Field("similarity", places, places, strength(K, size), cells=K, cell_name="k({x:g}, {y:g})")
    marks: list[Mark] = [matrix, *scale_beside(K, size, places)]
    ticks: tuple[tuple[float, str], ...] = ((1.0, "1"), (float(n), str(n)))
    if _classes(context) is not None:
        codes, first = np.unique(_classes(context)[rows], return_index=True)
        edges = np.append(first, n) + 0.5
        lines = [np.array([[(e, 0.5), (e, n + 0.5)], [(0.5, e), (n + 0.5, e)]]) for e in edges[1:-1].tolist()]
        if lines:
            marks.append(Lines("cell", join_lines(line for pair in lines for line in pair)))
        if len(codes) <= _MOST_NAMES:
            middles = ((edges[:-1] + edges[1:]) / 2).tolist()
            ticks = tuple(
                (middle, context.names.of_class(code)) for middle, code in zip(middles, codes.tolist(), strict=True)
            )
    label = _counted(context, rows)
    limits = (0.5, 0.5 + (1 + _SCALE_ROOM) * n, 0.5, n + 0.5)
    return Plot("gram", "Gram matrix", label + told, label, tuple(marks), limits, equal=True, x_ticks=ticks)


def strength(values: Array, size: float) -> NDArray[np.uint8]:
    """Dark where samples are alike, without ink where the kernel is 0, purple below; strongest at `size`."""
    return np.clip(128 + 127 * values / size, 0, 255).astype(np.uint8)


def scale_beside(K: Array, size: float, places: Array) -> list[Mark]:
    """A bar to the right of the matrix K of the rising places (n,) that says which ink is which value."""
    low, high = min(0.0, float(K.min())), max(0.0, float(K.max()))
    start, width = _cell_edges(places)
    y, values = np.linspace(places[0], places[-1], PROFILE_NODES), np.linspace(low, high, PROFILE_NODES)
    x = start + width * (1 + _SCALE_ROOM * np.array([0.12, 0.24]))
    named = [high, low, 0.0] if min(high, -low) > 0.3 * size else [high, low]
    at = [start + width * (0.06 + 0.88 * (value - low) / (high - low)) for value in named]
    told = tuple(format_number(value, 2 if len(format_number(value, 2)) <= _SHORT else 1) for value in named)
    words = np.column_stack((np.full(len(at), start + width * (1 + 0.64 * _SCALE_ROOM)), at))
    return [
        Field("similarity", x, y, strength(np.column_stack((values, values)), size)),
        Text("boundary", words, told, centered=True),
    ]


def limits_with_scale(places: Array) -> Limits:
    """The limits of a matrix of the rising places (n,), with room for its scale."""
    start, width = _cell_edges(places)
    return start, start + (1 + _SCALE_ROOM) * width, start, start + width


def _cell_edges(places: Array) -> tuple[float, float]:
    """Where the cells of equally spaced places begin, and how far they reach in all."""
    half = float(places[-1] - places[0]) / (len(places) - 1) / 2
    return float(places[0]) - half, float(places[-1] - places[0]) + 2 * half


@chart("spectrum", "eigenvalues", needs_model=False)
def spectrum_chart(model: object, context: Context) -> Plot | None:
    found = gram_matrix(context)
    if found is None:
        return None
    rows, K = found
    values = eigenvalues(K)
    values = values[np.argsort(-np.abs(values), kind="stable")]
    xy = np.column_stack((np.arange(1.0, len(values) + 1), np.abs(values)))
    above, below = xy[values > 0], xy[values < 0]
    marks: list[Mark] = []
    if len(above):
        marks += [Lines("path", above), Points("path", above, label="positive" if len(below) else "")]
    if len(below):
        marks.append(Points("warning", below, label="negative, without the sign"))
    low, high = float(xy[:, 1].min()) / 3, float(xy[:, 1].max()) * 3
    if len(below):
        low, place = low * (low / high) ** 0.3, np.array([(0.5 * len(values) + 0.5, low * (low / high) ** 0.12)])
        marks.append(Text("warning", place, ("not positive semi-definite",), centered=True))
    limits = (0.0, max(len(values) + 1.0, 5.0), low, high)
    label = "number" if len(rows) == len(context.X) else f"number, {_counted(context, rows)}"
    return Plot("spectrum", "Eigenvalues", label, "eigenvalue", tuple(marks), limits, y_scale="log", x_whole=True)


@chart("kernel", "kernel", needs_model=False)
def profile_chart(model: object, context: Context) -> Plot | None:
    """The kernel of a place and those left and right of it: the place pointed at, or the middle of the samples."""
    if not len(context.X):
        return None
    middle = context.X.mean(axis=0) if context.probe is None else context.probe
    ends = context.line if context.grid is None else np.array(context.grid.limits[:2])
    ends = context.X[:, 0] if ends is None else ends
    x = np.unique(np.append(np.linspace(float(ends.min()), float(ends.max()), PROFILE_NODES), middle[0]))
    places = np.tile(middle, (len(x), 1))
    places[:, 0] = x
    kernel = context.algorithm.kernel_function()
    with np.errstate(over="ignore", invalid="ignore"):
        values = kernel.matrix(places, middle[None])[:, 0]
        top = float(kernel.diagonal(middle[None])[0])
    if len(x) < 2 or not float(np.abs(values).max()) < 1e100:
        return None
    which = "the middle of the samples" if context.probe is None else "the place pointed at"
    marks = (
        Lines("reference", np.array([(x[0], 0.0), (x[-1], 0.0)])),
        Lines("curve", np.column_stack((x, values))),
        Points("now", np.array([(middle[0], top)])),
    )
    return Plot("kernel", "Kernel", f"{context.axis_label(0)}, through {which}", "k", marks)


def _classes(context: Context) -> Any:
    """The class codes (n,) where samples have classes, else None."""
    return context.y if context.task == "classification" else None


def gram_matrix(context: Context) -> tuple[Labels, Array] | None:
    """The samples shown, those of a class together and from left to right, and their Gram matrix.

    None where that can't be computed with.
    """
    if len(context.X) < 2:
        return None
    classes = () if _classes(context) is None else (_classes(context),)
    rows = subsample(sorted_rows(*classes, *context.X.T), MOST_ROWS)
    X = context.X[rows]
    with np.errstate(over="ignore", invalid="ignore"):
        K = context.algorithm.kernel_function().matrix(X, X)
        size = float(np.abs(K).max())
    return (rows, K) if 1e-100 < size < 1e100 else None


def _counted(context: Context, rows: Rows) -> str:
    return "sample" if len(rows) == len(context.X) else f"{len(rows)} of {len(context.X):,} samples"


charts = (profile_chart, gram_chart, spectrum_chart)
"""Those of every kernel method."""
