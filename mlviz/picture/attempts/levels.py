"""How well a closed curve drawn by hand does as a level of a density: what it holds, and how small it is."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mlviz.draw.numbers import number, share
from mlviz.numerics.arrays import Array, Mask
from mlviz.numerics.drawn_lines import area_inside, encloses
from mlviz.numerics.grid import Grid
from mlviz.picture.attempts.compared import Compared
from mlviz.pipeline.model import PipelineModel
from mlviz.scene.attempts import ASKED_SHARE

_NODES = 200
"""Along each side of the grid on which the density is summed up."""
_AROUND = 0.5
"""The grid goes beyond samples and curve by this share of their extent."""


def level_measures(line: Array, model: PipelineModel, places: Array, held_out: Array) -> Iterator[Compared]:
    """The shares of samples inside a closed curve, and its area, beside the method's level of the same mass.

    Of all regions that hold as much of a density, one of its own levels is the smallest.
    """
    ends = np.concatenate((line, places))
    low, high = ends.min(axis=0), ends.max(axis=0)
    air = _AROUND * (high - low)
    (x0, y0), (x1, y1) = low - air, high + air
    grid = Grid.over((float(x0), float(x1), float(y0), float(y1)), _NODES, _NODES)
    nodes = grid.points()
    density = _log_density(model, nodes)
    inside = encloses(nodes, line)
    level = level_of_mass(density, inside)
    cell = float((x1 - x0) * (y1 - y0)) / (_NODES - 1) ** 2
    asked = f"inside, {share(ASKED_SHARE)} asked"
    yield _shares(asked, encloses(places, line), _log_density(model, places) >= level)
    if len(held_out):
        yield _shares(f"test samples {asked}", encloses(held_out, line), _log_density(model, held_out) >= level)
    areas = area_inside(line), cell * int((density >= level).sum())
    # The one is exact, the other counted in cells: three digits are what both are good for.
    yield Compared("area", *areas, (number(areas[0]), number(areas[1])))


def level_of_mass(density: Array, inside: Mask) -> float:
    """The level above which nodes with log-densities (n,) hold as much together as those `inside`; inf for nothing."""
    relative = np.exp(density - density.max())
    wanted = float(relative[inside].sum())
    order = np.argsort(-density, kind="stable")
    held = np.cumsum(relative[order])
    count = int(np.searchsorted(held, wanted * (1 - 1e-12)))
    return float(density[order[min(count, len(order) - 1)]]) if wanted > 0 else np.inf


def _log_density(model: PipelineModel, places: Array) -> Array:
    return np.asarray(model.inner.score_samples(model.training.transform.from_canvas(places)))


def _shares(name: str, drawn: Mask, own: Mask) -> Compared:
    shares = float(drawn.mean()), float(own.mean())
    return Compared(name, *shares, (share(shares[0]), share(shares[1])))
