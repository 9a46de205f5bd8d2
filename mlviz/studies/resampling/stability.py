"""How far a fit changes with one of its samples: all the fits with one left out or moved, as ghosts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mlviz.draw.layer import Context, overlay
from mlviz.draw.marks import Mark, Polygons
from mlviz.draw.overlays.charts import rectangles
from mlviz.draw.plot import Plot
from mlviz.spec import choice, real
from mlviz.studies.question import Question, Result
from mlviz.studies.resampling.base import ResamplingStudy
from mlviz.studies.resampling.leaving_out import LEFT_OUT, MOVED, LeavingOutResult, leaving_out

_BINS = 24


class StabilityResult(LeavingOutResult):
    """The fits, and a histogram of how far each of them is from the whole one."""

    def before_overlays(self, context: Context) -> Iterator[None]:
        """Ask the models one by one for their lines."""
        return self.bundle().before_marks(context, self.question.pipeline.decision)

    def plots(self) -> tuple[Plot, ...]:
        """How many samples change the fit how far."""
        known = np.array([value for value in self.influences if np.isfinite(value)])
        if not len(known):
            return ()
        top = float(known.max()) or 1.0
        counts, edges = np.histogram(known, bins=_BINS, range=(0.0, top))
        bars = Polygons("bar", rectangles(edges[:-1], edges[1:], counts.astype(float)), label="points")
        limits = (0.0, top, 0.0, 1.08 * max(1, int(counts.max())))
        return (Plot("stability", "Stability", self.axis_label, "points", (bars,), limits),)


@overlay("stability", "fits with one point changed", "one thin line for each point that is left out or moved")
def ghosts_overlay(result: StabilityResult, context: Context) -> Sequence[Mark]:
    label = f"fits with one point {result.change}"
    marks = result.bundle().marks(context, result.question.pipeline.decision, label, "")
    return [mark for mark in marks if mark.role == "bundle"]


@dataclass(frozen=True)
class Stability(ResamplingStudy):
    """Fits with one point left out or moved: a stable method hardly changes with any of them.

    O. Bousquet and A. Elisseeff, Stability and generalization, Journal of Machine Learning Research 2 (2002), 499-526.
    """

    id = "stability"
    label = "stability"
    help = "the fits with one point left out or moved a little, one for each point"
    overlays = (ghosts_overlay,)
    change: str = choice(LEFT_OUT, MOVED, help="what is done to one point at a time")
    distance: float = real(
        0.5,
        soft=(0.0, 2.0),
        valid=(0.0, 100.0),
        help="how far a point is moved, in standard deviations of the points",
        when=("change", (MOVED,)),
    )

    @property
    def random(self) -> bool:  # type: ignore[override]
        """Whether it is drawn whither a point is moved."""
        return self.change == MOVED

    def steps(self, question: Question) -> Iterator[Result]:
        """Yield the fits as they come."""
        for found in leaving_out(question, self.change, self.distance):
            yield StabilityResult(**vars(found))
