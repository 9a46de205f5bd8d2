"""The picture of one panel: the marks on the data in paint order, the charts, and what is said about them."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from mlviz.draw.facts import Fact
from mlviz.draw.layer import Context, Explanation, Names, Overlay
from mlviz.draw.marks import Mark, thin_marks
from mlviz.draw.numbers import typographic
from mlviz.draw.overlays.regions import predicted
from mlviz.draw.plot import Limits, Plot, visible_limits
from mlviz.draw.protocols import needed_by
from mlviz.numerics.grid import far_away
from mlviz.picture.attempts.scores import AttemptScore, attempt_scores
from mlviz.picture.context import context_of, context_of_held_out, drawn_for
from mlviz.picture.pinned_fits import pin_marks
from mlviz.picture.sections import section_context, shown_inputs
from mlviz.picture.sklearn_code import python_code
from mlviz.picture.study_pictures import StudiesOfPanel, StudyPicture
from mlviz.picture.texts import caption_of, explanation_of, facts_of, levels_of_bands, said_of, without_colour
from mlviz.picture.viewport import Size, Viewport
from mlviz.picture.without_model import charts_without_model, marks_without_model
from mlviz.pipeline.field_sample import FieldSample
from mlviz.pipeline.model import PipelineModel
from mlviz.scene.canvas_axes import CanvasAxes
from mlviz.scene.scene import Scene
from mlviz.scene.stepping import unexpected
from mlviz.scene.trace import Fit, TraceStep, fit_of
from mlviz.spec.brief import Brief
from mlviz.studies import Result


@dataclass(frozen=True, eq=False)
class PanelPicture(Brief):
    """Everything one panel shows, but the samples themselves."""

    request: int
    """Id of the request it answers."""
    panel: int
    """Index of the panel in the scene."""
    key: str
    """Key of the data set that its marks' rows belong to."""
    plot: Plot
    """The marks on the data, in paint order, in the user's axes; `limits` is the visible part it was made for."""
    sides: tuple[Plot, ...] | None = ()
    """The charts; None where they are still to come, and those of the picture before stay."""
    studies: tuple[StudyPicture, ...] = ()
    """Those that are asked by name; their plots are among the `sides`."""
    caption: str = ""
    facts: dict[str, Fact] = field(default_factory=dict)
    """What the model knows about itself; none where there is no model, or where that is still to come."""
    message: str | None = None
    """Why there is no model, in one sentence."""
    explanation: Explanation | None = None
    """Why the model says what it says at the probe, in the user's axes."""
    here: Fact | None = None
    """What the model says at the probe, in a word or a number."""
    step: int = 0
    n_steps: int = 1
    """How many steps there are so far; the last is n_steps - 1."""
    stage: str = ""
    """What the step does ("assignment")."""
    finished: bool = True
    """False while the fit is still going on."""
    draft: bool = False
    """Made while a gesture is under way: coarse, from a follower."""
    fit_ms: float = 0.0
    """How long the fit took, milliseconds."""
    components_of: tuple[str, ...] = ()
    """The inputs whose components the axes are; () where they are the two columns that the plot names."""
    preprocessing: str = "none"
    """Id of what was made of the inputs before the fit."""
    code: str = ""
    """Python lines that come to the same with scikit-learn; "" where it does not know the method."""
    hidden: bool = False
    """Whether the answer is hidden: then nothing here tells of it."""
    scores: tuple[AttemptScore, ...] = ()
    """How well the answers drawn by hand do beside it, where there are such on this canvas."""
    known: int = 0
    """How many of its first marks were sent ahead of it, and are not in its plot on the way."""

    @property
    def has_facts(self) -> bool:
        """Whether its facts are told, and be it that there are none: they come with the charts at the latest."""
        return bool(self.facts) or self.sides is not None


def empty_picture(scene: Scene, index: int, fit: Fit, size: Size, message: str) -> PanelPicture:
    """The picture of a panel that has no model, and why."""
    limits = visible_limits(fit.axes.limits, size[0], size[1], scene.view.equal)
    before = fit.pipeline.preprocessor.learn(fit.X).caption if fit.X.size else ""
    words = (fit.pipeline.algorithm.caption(), before, f"n = {len(fit.rows)}")
    caption = typographic("; ".join(filter(None, words)))
    return PanelPicture(
        0,
        index,
        scene.dataset.key,
        _plot(scene, index, limits, fit.axes, marks_without_model(scene, index, fit, size)),
        charts_without_model(scene, fit),
        caption=caption,
        components_of=fit.axes.components_of,
        preprocessing=fit.pipeline.preprocessing,
        message=typographic(message),
    )


def failed_picture(scene: Scene, index: int, size: Size, error: Exception) -> PanelPicture:
    """What is left of a picture that could not be made: the sentence, and the charts and names if they can be."""
    sentence = unexpected(error, "Drawing this fit")
    try:
        return empty_picture(scene, index, fit_of(scene, index), size, sentence)
    except Exception:  # the error was of what even this needs
        return PanelPicture(0, index, scene.dataset.key, Plot("data", "", *scene.axes, marks=()), message=sentence)


class Drawing:
    """The picture of a panel in the making: first the canvas, then what stands beside it."""

    @far_away
    def __init__(
        self,
        scene: Scene,
        index: int,
        fit: Fit,
        state: TraceStep,
        viewport: Viewport,
        field_sample: FieldSample,
        studies: StudiesOfPanel | None = None,
        beat: Callable[[], None] = lambda: None,
    ) -> None:
        """`field_sample` is `sample_field` of the model on the viewport.

        `beat` is called between marks and words: who watches sees that it goes on.
        """
        self._scene, self._index, self._fit, self._viewport = scene, index, fit, viewport
        self._beat = beat
        self._model = state.model.deciding(fit.pipeline.decision)
        self._state = state if state.model is self._model else dataclasses.replace(state, model=self._model)
        self._context = context_of(scene, fit, self._state, viewport, field_sample)
        self._studies = studies
        self._held_out = context_of_held_out(self._context, fit, self._model)
        self._section = section_context(scene, self._model, viewport, self._context)
        self.chart_seconds: dict[str, float] = {}
        """How long each chart took that was drawn, by ids."""

    @far_away
    def canvas(self, draft: bool = False, begun: Callable[[Plot], None] | None = None) -> PanelPicture:
        """What lies on the data and is said below them, and at the probe; all else is still to come.

        `begun` is told what takes long to paint as soon as it is known: a field, and then all marks above it.
        """
        scene, fit, model, state, viewport = self._scene, self._fit, self._model, self._state, self._viewport
        plot = _plot(scene, self._index, viewport.limits, viewport.axes, ())
        marks: list[Mark] = []
        for mark in self._marks():
            marks.append(mark)
            if begun is not None and len(marks) == 1 and mark.fills:
                begun(dataclasses.replace(plot, marks=(mark,)))
        shown, thinned = thin_marks(marks)
        plot = dataclasses.replace(plot, marks=shown)
        if begun is not None and len(shown) > 1 and shown[0].fills:
            begun(plot)
        self._beat()
        attempt = "".join(score.short for score in self.scores[-1:])
        levels = levels_of_bands(shown, model)
        remark = "; ".join(filter(None, (levels, thinned, "" if draft else without_colour(shown, model), attempt)))
        return PanelPicture(
            0,
            self._index,
            scene.dataset.key,
            plot,
            sides=None,
            caption=caption_of(scene, fit, state, viewport, remark, draft),
            explanation=explanation_of(scene, fit, model, viewport),
            here=None if scene.view.probe is None else said_of(scene, fit, model, viewport),
            step=state.step,
            n_steps=state.n_steps,
            stage=str(model.inner.told_stage(Names(scene.dataset.names()))),
            finished=state.finished,
            components_of=viewport.axes.components_of,
            preprocessing=fit.pipeline.preprocessing,
            draft=draft,
            code="" if draft else python_code(scene, self._index, model),
            scores=self.scores,
        )

    @cached_property
    def scores(self) -> tuple[AttemptScore, ...]:
        """How well the answers drawn by hand do beside the model."""
        return attempt_scores(self._scene, self._index, self._fit, self._model)

    @far_away
    def facts(self) -> dict[str, Fact]:
        """What the model knows about itself."""
        return facts_of(self._scene, self._fit, self._model)

    @far_away
    def beside(self, wanted: Collection[str] | None = None) -> dict[str, Any]:
        """The fields of what stands beside the canvas: facts, studies, charts, these all or `wanted` by ids."""
        charts: list[Plot] = []
        for chart in self._fit.pipeline.charts:
            if wanted is not None and chart.id not in wanted:
                continue
            start = time.perf_counter()
            for part, part_context in drawn_for(chart, self._model, self._context, self._scene, self._viewport):
                if (plot := chart.draw(part, part_context)) is not None:
                    charts.append(plot)
            self.chart_seconds[chart.id] = time.perf_counter() - start
        studies: list[StudyPicture] = []
        start = time.perf_counter()
        for study in self._studies.beside(self._model, wanted) if self._studies is not None else ():
            studies.append(study)
            self.chart_seconds |= {plot.id: time.perf_counter() - start for plot in study.plots}
            start = time.perf_counter()
        sides = (*charts, *(plot for study in studies for plot in study.plots))
        return {"sides": sides, "studies": tuple(studies), "facts": self.facts()}

    def whole(self, picture: PanelPicture | None = None) -> PanelPicture:
        """The picture, or the one that was made of the canvas, with what stands beside it."""
        return dataclasses.replace(picture or self.canvas(), **self.beside())

    def _along_section(self, overlay: Overlay) -> list[Mark] | None:
        """The marks of an overlay of the section; None where there is no section, or it draws nothing of it."""
        if self._section is None or self._viewport.section is None:
            return None
        if needed_by(overlay.function) is object and "field" not in overlay.asks:
            return None  # it looks at samples and hyperparameters alone: these say nothing of where the section lies
        model, context = self._section
        marks = list(overlay.draw(model, context))
        if overlay.held_out and (held := self._held_out) is not None:
            rows, fitted = predicted(self._model.inner, held)
            X = shown_inputs(self._scene, self._viewport.section, held.rows)
            told: dict[str, Any] = {"X": X, "y": held.y, "rows": held.rows, "predicted": fitted, "evaluated_rows": rows}
            marks += overlay.draw(model, dataclasses.replace(context, **told))
        return marks or None

    def _marks(self) -> Iterator[Mark]:
        """What lies on the data, in paint order: those of the studies among them, what was pinned above them."""
        scene, viewport, panel = self._scene, self._viewport, self._scene.panels[self._index]
        own = {overlay.id for overlay in self._fit.pipeline.overlays}
        answers: dict[str, tuple[Result, Context]] = {}
        if self._studies is not None:
            for study, result, context in self._studies.on_canvas(scene, self._model, viewport):
                answers |= {overlay.id: (result, context) for overlay in study.overlays}
        for overlay in panel.overlays:
            if panel.hides(overlay.id) or self._fit.roles.task not in overlay.tasks:
                continue
            if overlay.id in own:
                if (along := self._along_section(overlay)) is not None:
                    yield from along
                    continue
                yield from _marks_on_canvas(overlay, self._model, self._context, scene, viewport)
                if overlay.held_out and self._held_out is not None:
                    yield from _marks_on_canvas(overlay, self._model, self._held_out, scene, viewport)
            elif overlay.id in answers:
                result, context = answers[overlay.id]
                if result.model is None:
                    yield from overlay.draw(result, context)
                else:
                    yield from _marks_on_canvas(overlay, result.model, context, scene, viewport)
        if panel.pins:
            yield from pin_marks(scene, self._index, viewport.axes, viewport.limits)


def _plot(scene: Scene, index: int, limits: Limits, axes: CanvasAxes, marks: tuple[Mark, ...]) -> Plot:
    label = scene.panels[index].pipeline.algorithm.label
    return Plot("data", label, *axes.names, marks, limits=limits, equal=scene.view.equal)


def _marks_on_canvas(
    overlay: Overlay, model: PipelineModel, context: Context, scene: Scene, viewport: Viewport
) -> tuple[Mark, ...]:
    """The marks of an overlay, on the canvas."""
    marks: list[Mark] = []
    for part, part_context in drawn_for(overlay, model, context, scene, viewport):
        marks.extend(overlay.draw(part, part_context))
    if viewport.plane is None and viewport.line is None:
        # The axes are not the model's inputs: only what is tied to samples has a place on them.
        return tuple(mark for mark in marks if mark.on_samples)
    return model.training.transform.on_canvas(marks, viewport.plane)
