"""The functions that a kernel method's function is the sum of, where its kernel is a sum: one for each term.

Schölkopf and Smola, Learning with Kernels (2002), section 4.8: a semi-parametric model, such as a straight line and
what departs from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mlviz.draw.inks import CANVAS, RoleInk, Tone
from mlviz.draw.layer import Context, Names, OnCurve, chart, overlay
from mlviz.draw.marks import Lines, Mark
from mlviz.draw.overlays.regions import in_sight
from mlviz.draw.plot import Plot
from mlviz.draw.protocols import IsExpanded
from mlviz.numerics.arrays import Array
from mlviz.numerics.kernels.parts import Part, functions_of, parts_of

MOST_PARTS = 5
"""So many functions are told apart; those beyond are drawn as one."""
NODES = 201
_TONES = (Tone("second"), Tone("accent"), Tone("high", deep=0.3), Tone("second", deep=0.5), Tone(pale=0.4))
INKS = {
    f"part {k}": RoleInk(tone, width=2.0, dash="dashed" if k > 2 else "solid", halo=CANVAS)
    for k, tone in enumerate(_TONES)
}
"""How they are drawn: to be brought by the methods."""


def _no_sum(algorithm: Any, classes: int) -> str:
    """Why there are no parts."""
    kernel = algorithm.kernel_function()
    return "" if len(parts_of(kernel, 2)) > 1 else "The kernel is not a sum."


@overlay(
    "parts",
    "parts of the kernel",
    "for each term of a kernel that is a sum its own function, on the offset: together they make the curve",
    shown=False,
    tasks=("regression",),
    idle=_no_sum,
)
def parts(model: IsExpanded, context: OnCurve) -> Sequence[Mark]:
    x = np.linspace(float(context.line[0]), float(context.line[-1]), NODES)
    told = told_parts(model, x[:, None], context.names)
    base = model.expansion.base
    return in_sight(
        [Lines(f"part {k}", np.column_stack((x, base + y)), label=label) for k, (label, y) in enumerate(told)], context
    )


@chart("kernel parts", "parts of the kernel")
def parts_chart(model: IsExpanded, context: Context) -> Plot | None:
    """The same along the line of the slice, or over the only input, with their sum."""
    line, share = context.slice, np.linspace(0.0, 1.0, NODES)
    if context.line is not None:
        x = np.linspace(float(context.line[0]), float(context.line[-1]), NODES)
        places, label = x[:, None], context.axis_label(0)
    elif line is not None and (line[0] != line[1]).any():
        x, places, label = share, line[0] + share[:, None] * (line[1] - line[0]), "along the slice"
    else:
        return None
    told = told_parts(model, places, context.names)
    if not told:
        return None
    base = model.expansion.base
    marks: list[Mark] = [Lines(f"part {k}", np.column_stack((x, y)), label=name) for k, (name, y) in enumerate(told)]
    if base:
        marks.append(Lines("offset", np.array([(x[0], base), (x[-1], base)]), label="offset"))
    total = base + np.sum([y for _, y in told], axis=0)
    marks.append(Lines("curve", np.column_stack((x, total)), label="their sum and the offset" if base else "their sum"))
    return Plot("kernel parts", "Parts of the kernel", label, "prediction", tuple(marks))


def told_parts(model: IsExpanded, places: Array, names: Names) -> list[tuple[str, Array]]:
    """What each part is called, and its function at the places (n, d); none where there is a single one."""
    found = parts_of(model.expansion.kernel, places.shape[1])
    if len(found) < 2:
        return []
    columns = functions_of(model.expansion, found, places).T
    called = [_called(part, names) for part in found]
    told = list(zip(called, columns, strict=True))
    if len(told) <= MOST_PARTS:
        return told
    rest = np.sum(columns[MOST_PARTS - 1 :], axis=0)
    return [*told[: MOST_PARTS - 1], (f"the other {len(told) - MOST_PARTS + 1} parts", rest)]


def _called(part: Part, names: Names) -> str:
    of = "" if part.only is None else f" of {names.of_input(part.only)}"
    return f"part of {part.written}{of}"
