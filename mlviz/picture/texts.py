"""What is said about a panel: facts, the line under the picture, and why the model says what it says at the probe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mlviz.draw.facts import Fact
from mlviz.draw.layer import Explanation, Names
from mlviz.draw.marks import Field, Mark
from mlviz.draw.numbers import typographic, verbatim
from mlviz.draw.protocols import HasCoef
from mlviz.picture.context import probe_of
from mlviz.picture.viewport import Viewport
from mlviz.pipeline.facts import pipeline_fact
from mlviz.pipeline.model import PipelineModel
from mlviz.pipeline.untold import why_no_class_leads
from mlviz.scene.scene import Scene
from mlviz.scene.trace import Fit, TraceStep

_SLOPES = 3
"""A linear function of at most so many inputs has its slopes among the facts."""
RESULTS = (
    ("training error", "training error"),
    ("share rejected", "rejected"),
    ("training RMSE", "training RMSE"),
)
"""The results that the caption tells, and how it calls each."""


def facts_of(scene: Scene, fit: Fit, model: PipelineModel) -> dict[str, Fact]:
    """What the model knows about itself, and what it takes the names of classes and inputs to say."""
    found: dict[str, Fact] = {}
    for name, fact in model.told_facts(Names(scene.dataset.names())).items():
        if name == "false positives":
            found["positive class"] = pipeline_fact("positive class", scene.dataset.class_name(int(model.classes[1])))
        found[name] = fact
    slopes = _slopes(fit, model)
    steepest = max(map(abs, slopes.values()), default=0.0)
    return found | {name: replace(pipeline_fact(name, slope), beside=steepest) for name, slope in slopes.items()}


def explanation_of(scene: Scene, fit: Fit, model: PipelineModel, viewport: Viewport) -> Explanation | None:
    """Why the model says what it says at the probe, with the names of classes and inputs as they were given."""
    place = probe_of(scene, viewport)
    if place is None:
        return None
    inputs = model.training.transform.names(fit.roles.inputs)
    names = (tuple(map(verbatim, words)) for words in (scene.dataset.names(), inputs))
    told = model.explain(place, Names(*names))
    return None if told is None else replace(told, sentence=typographic(told.sentence))


def _slopes(fit: Fit, model: PipelineModel) -> dict[str, float]:
    """How steep a linear function of few inputs is along each of them, in the units of the axes.

    Of features, which have no axes, the weights.
    """
    coef = model.inner.coef if isinstance(model.inner, HasCoef) else None
    transform = model.training.transform
    if coef is None or coef.ndim != 1 or len(fit.roles.inputs) > _SLOPES:
        return {}
    names = transform.names(fit.roles.inputs)
    if len(coef) != len(names):
        return {}
    slopes = transform.slopes(coef)
    if slopes is None:
        return {f"weight of {name}": weight for name, weight in zip(names, coef.tolist(), strict=True)}
    return {f"slope along {name}": slope for name, slope in zip(fit.roles.inputs, slopes.tolist(), strict=True)}


def without_colour(marks: Sequence[Mark], model: PipelineModel) -> str:
    """That no class leads in a part of what is seen, as far from all samples, where nothing is drawn."""
    regions = [mark.strength == 0 for mark in marks if isinstance(mark, Field) and mark.role == "region"]
    some = any(nowhere.any() and not nowhere.all() for nowhere in regions)
    why = why_no_class_leads(model.inner, model.score_threshold) if some else ""
    return f"{why} in the part without colour, so no class leads there" if some else ""


def caption_of(fit: Fit, state: TraceStep, viewport: Viewport, remark: str, draft: bool) -> str:
    """The line under the picture: what was fitted how, on how many samples, how well, and what must not be hidden."""
    training = state.model.training
    classes = len(state.model.classes) if training.is_classes else 2
    words = [fit.pipeline.algorithm.caption(classes)]
    if training.transform.caption:
        words.append(training.transform.caption)
    if state.model.parts:
        words.append(str(training.scheme))
    elif training.is_classes and len(state.model.classes) > 2:
        asked = "direct" if fit.pipeline.multiclass == "direct" else ""
        words += filter(None, [fit.pipeline.algorithm.traits.direct_name or asked])
    if training.weighed:
        words.append(fit.pipeline.weights.in_words(float(training.effective_weights.sum()), classes))
    if (rule := state.model.score_threshold) is not None:
        words.append(fit.pipeline.decision.in_words(rule.unit))
    words.append(f"n = {len(fit.rows)}")
    part = "" if state.model.evaluated_rows is None else f" of {len(state.model.evaluated_rows):,} samples"
    results = dict([state.model.training_error] if state.model.training_error else []) | state.model.class_outcomes()
    words += [f"{word} {pipeline_fact(name, results[name])}{part}" for name, word in RESULTS if name in results]
    if state.step < state.n_steps - 1:
        words.append(f"step {state.step} of {state.n_steps - 1}")
    # What is told of the samples needs the scores at them: it is for the last step, when the hand rests.
    last = state.finished and state.step == state.n_steps - 1 and not draft
    words += filter(None, [state.model.caveat if last else state.model.own_caveat])
    if viewport.grid is None and viewport.line is None:
        aside = "which are not the two axes, so its regions or curve are not drawn"
        how = aside if viewport.plane is None else "seen along the other inputs"
        words.append(f"fitted on {', '.join(fit.roles.inputs)}, {how}")
    if remark:
        words.append(remark)
    return typographic("; ".join(words))
