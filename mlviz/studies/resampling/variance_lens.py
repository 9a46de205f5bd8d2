"""What a fit owes to chance: the same method on other samples of the same kind, all at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mlviz.algorithms.base import CannotFit
from mlviz.draw.facts import Fact
from mlviz.draw.layer import Context, overlay
from mlviz.draw.marks import Mark
from mlviz.pipeline.model import PipelineModel
from mlviz.spec import choice, integer
from mlviz.studies.question import Question, Result
from mlviz.studies.resampling.base import ResamplingStudy
from mlviz.studies.resampling.bundle import Bundle, Traced
from mlviz.studies.resampling.drawing import fitted_to, resamples

FRESH, BOOTSTRAP = "fresh if possible", "bootstrap"


@dataclass(frozen=True, eq=False, kw_only=True)
class LensResult(Result):
    """The fits to other samples."""

    bundle: Bundle
    what: str

    def before_overlays(self, context: Context) -> Iterator[None]:
        """Ask the models one by one for their lines."""
        return self.bundle.before_marks(context, self.question.pipeline.decision)

    def facts(self) -> dict[str, Fact]:
        """How many fits are drawn, and what they were made of."""
        return {
            "fits": Fact(len(self.bundle.models), "", "Fits to other samples of the same kind that are drawn."),
            "samples": Fact(self.what, "", "What each of them was made of."),
        }


@overlay("bundle", "fits on other samples", "thin: one fit for each set of samples; thick: the one in their middle")
def bundle_overlay(result: LensResult, context: Context) -> Sequence[Mark]:
    middle = "their mean" if context.line is not None else "where most of them change"
    return result.bundle.marks(context, result.question.pipeline.decision, f"fits on {result.what}", middle)


@dataclass(frozen=True)
class VarianceLens(ResamplingStudy):
    """The same method on other samples of the same kind: how far the fit would change with them."""

    id = "variance-lens"
    label = "variance lens"
    help = "the fits that other samples of the same kind would have given, and their mean"
    overlays = (bundle_overlay,)
    plotted = False
    decides = True
    live = True
    random = True
    samples: str = choice(
        FRESH,
        BOOTSTRAP,
        help="fresh samples of the generator while the points are its own, or draws out of the points with replacement",
    )
    fits: int = integer(20, soft=(5, 60), valid=(2, 500), help="number of fits")

    def steps(self, question: Question) -> Iterator[Result]:
        """Yield the bundle as it grows."""
        fresh = self.samples == FRESH and question.source is not None
        what = "fresh samples" if fresh else "bootstrap samples"
        models: list[PipelineModel] = []
        traced = Traced()
        problem: CannotFit | None = None
        result = LensResult(question, done=0, total=self.fits, bundle=Bundle((), traced), what=what)
        for number, samples in enumerate(resamples(question, fresh, self.fits), start=1):
            try:
                models.append((yield from fitted_to(question, samples, result)))
            except CannotFit as error:
                problem = error
            result = LensResult(question, done=number, total=self.fits, bundle=Bundle(tuple(models), traced), what=what)
            yield result
        if not models and problem is not None:
            raise problem
