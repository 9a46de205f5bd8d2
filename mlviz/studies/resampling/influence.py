"""How much each point has to say: how far the fit would change without it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mlviz.draw.layer import Context, overlay
from mlviz.draw.marks import Mark, Points, Segments
from mlviz.draw.numbers import number, share
from mlviz.draw.plot import Area, Plot
from mlviz.numerics.arrays import Array
from mlviz.studies.base import classes_of
from mlviz.studies.question import Question, Result
from mlviz.studies.resampling.base import ResamplingStudy
from mlviz.studies.resampling.bundle import Bundle
from mlviz.studies.resampling.leaving_out import LEFT_OUT, LeavingOutResult, leaving_out

_SHOWN = 30
"""So many points, the most influential ones, stand in the plot."""


class InfluenceResult(LeavingOutResult):
    """The influence of each point."""

    def plots(self) -> tuple[Plot, ...]:
        """The most influential points."""
        known = np.nan_to_num(np.array(self.influences))
        order = np.argsort(-known, kind="stable")[:_SHOWN]
        if not len(order) or not known.any():
            return ()
        x, y = np.arange(1.0, len(order) + 1), known[order]
        sticks = Segments("path", np.column_stack((x, np.zeros(len(x)))), np.column_stack((x, y)))
        heads = Points("path", np.column_stack((x, y)), label="influence")
        names = tuple((float(place), str(self.rows[row] + 1)) for place, row in zip(x, order.tolist(), strict=True))
        limits = (0.0, max(8.0, len(x) + 1.0), 0.0, 1.1 * float(y.max()))
        areas = tuple(
            Area((at - 0.5, at + 0.5, 0.0, limits[3]), f"point {name}", self.rows[[row]])
            for (at, name), row in zip(names, order.tolist(), strict=True)
        )
        marks: tuple[Mark, ...] = (sticks, heads)
        return (
            Plot(
                "influence",
                "Influence",
                "point by its number",
                self.axis_label,
                marks,
                limits,
                x_ticks=names,
                areas=areas,
            ),
        )


@overlay("influence", "influence of each point", "a tint on each: the fuller, the more the fit changes without it")
def influence_overlay(result: InfluenceResult, context: Context) -> Sequence[Mark]:
    known = np.nan_to_num(np.array(result.influences))
    if not known.any():
        return ()
    done = result.places[: len(known)]
    most, places = float(known.max()), _on_canvas(context)
    word = share(most) if classes_of(result.question.y) else number(most)
    marks: list[Mark] = [
        Points(
            "influence tint",
            places[done],
            strength=np.rint(255 * known / most).astype(np.uint8),
            rows=result.rows,
            label=f"influence of each point, 0 to {word}",
        )
    ]
    return [*marks, *_without_the_pointed(result, context, places)]


def _on_canvas(context: Context) -> Array:
    """The places (n, 2) of the samples."""
    if context.line is not None and context.y is not None:
        return np.column_stack((context.X[:, 0], context.y))
    return context.X[:, :2] if context.X.shape[1] >= 2 else np.full((len(context.X), 2), np.nan)


def _without_the_pointed(result: InfluenceResult, context: Context, places: Array) -> Sequence[Mark]:
    """The fit without the point nearest to the cursor."""
    if context.probe is None or (context.grid is None and context.line is None):
        return ()  # there is no line to compare, and the axes may not be the first inputs
    done, shown = result.places[: len(result.models)], 1 if context.grid is None else 2
    along = context.X[done, :shown] - context.probe[:shown]
    nearest = int(np.argmin(np.hypot(along[:, 0], along[:, -1])))
    model = result.models[nearest]
    if model is None:
        return ()
    lines = Bundle((model,)).marks(context, result.question.pipeline.decision, "", "")
    ring = Points("selection", places[done[[nearest]]], rows=result.rows[[nearest]])
    label = "fit without the point at the cursor"
    return [ring, *(replace(mark, role="ghost", label=label) for mark in lines if mark.role == "bundle")]


@dataclass(frozen=True)
class Influence(ResamplingStudy):
    """How far the fit changes without each of its points; point at one to see the fit without it.

    R. D. Cook, Detection of influential observation in linear regression, Technometrics 19 (1977), 15-18.
    """

    id = "influence"
    label = "influence of points"
    help = "how far the fit would change without each point; at the cursor, the fit without that point"
    overlays = (influence_overlay,)

    def steps(self, question: Question) -> Iterator[Result]:
        """Yield the influences as they come."""
        for found in leaving_out(question, LEFT_OUT, 0.0):
            yield InfluenceResult(**vars(found))
