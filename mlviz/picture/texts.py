"""What is said about a panel: facts, the line under the picture, and why the model says what it says at the probe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from mlviz.algorithms.base import Model
from mlviz.draw.facts import Fact
from mlviz.draw.layer import Explanation, Names
from mlviz.draw.marks import Field, Mark, Points
from mlviz.draw.numbers import counted, share, typographic, verbatim
from mlviz.draw.protocols import HasCoef
from mlviz.picture.context import probe_of
from mlviz.picture.viewport import Viewport
from mlviz.pipeline.facts import POSITIVE_CLASS, REJECTED, SLOPE, WEIGHT
from mlviz.pipeline.model import PipelineModel
from mlviz.pipeline.untold import why_no_class_leads
from mlviz.scene.comparing import differing
from mlviz.scene.scene import Scene
from mlviz.scene.splits.edits import told_split
from mlviz.scene.trace import Fit, TraceStep
from mlviz.spec.outside import shortened

_SLOPES = 3
"""A linear function of at most so many inputs has its slopes among the facts."""
_NAMED = 4
"""So many inputs are named in the caption; of more there is how many."""
RESULTS = (
    "training error",
    "training RMSE",
    "test ",
    "rejected",
    "inertia",
    "log-likelihood",
    "stress",
    "KL divergence",
)
"""How the results in the caption begin."""


def facts_of(scene: Scene, fit: Fit, model: PipelineModel) -> dict[str, Fact]:
    """What the model knows about itself, and what it takes the names of classes and inputs to say."""
    found: dict[str, Fact] = {}
    for name, fact in model.told_facts(Names(scene.dataset.names())).items():
        if name == "false positives":
            found |= POSITIVE_CLASS.told(shortened(scene.dataset.class_name(int(model.classes[1]))))
        found[name] = fact
    return found | _slopes(fit, model)


def explanation_of(scene: Scene, fit: Fit, model: PipelineModel, viewport: Viewport) -> Explanation | None:
    """Why the model says what it says at the probe, with the names of classes and inputs as they were given."""
    place = probe_of(scene, viewport)
    if place is None:
        return None
    inputs = model.training.transform.names(fit.roles.inputs)
    names = (tuple(map(verbatim, words)) for words in (scene.dataset.names(), inputs))
    told = model.explain(place, Names(*names))
    if told is None:
        return None
    if viewport.section is not None:
        # What else the sentence has to show stands among all inputs.
        at, value = np.array(scene.view.probe), float(model.predict(place[None])[0])
        here = (Points("now", np.array([[at[0], value]])),) if len(viewport.section.shown) == 1 else ()
        told = replace(told, marks=here)
    return replace(told, sentence=typographic(told.sentence))


def said_of(scene: Scene, fit: Fit, model: PipelineModel, viewport: Viewport) -> Fact | None:
    """What the model says at the probe: a class, a value or a cluster; None where it says nothing of places."""
    place = probe_of(scene, viewport)
    if place is None or not hasattr(model, "predict"):
        return None
    said = model.predict(place[None])[0]
    if fit.roles.task == "regression":
        return Fact(float(said))
    if fit.roles.task == "clustering":
        return Fact(f"cluster {int(said) + 1}" if said >= 0 else "no cluster")
    return Fact(verbatim(scene.dataset.class_name(int(said))) if said in model.classes else "no class")


def _slopes(fit: Fit, model: PipelineModel) -> dict[str, Fact]:
    """How steep a linear function of few inputs is along each of them, in the units of the axes.

    Of features, which have no axes, the weights.
    """
    coef = model.inner.coef if isinstance(model.inner, HasCoef) else None
    transform, inputs = model.training.transform, fit.roles.inputs
    if coef is None or coef.ndim != 1 or len(inputs) > _SLOPES or len(coef) != len(transform.names(inputs)):
        return {}
    slopes = transform.slopes(coef)
    kind, names, values = (WEIGHT, transform.names(inputs), coef) if slopes is None else (SLOPE, inputs, slopes)
    steepest = float(np.abs(values).max(initial=0.0))
    told = zip(names, values.tolist(), strict=True)
    return {kind.called(of=shortened(name)): kind.fact(value, beside=steepest) for name, value in told}


def without_colour(marks: Sequence[Mark], model: PipelineModel) -> str:
    """That no class leads in a part of what is seen, or no cluster is there, where nothing is drawn."""
    regions = [mark.strength == 0 for mark in marks if isinstance(mark, Field) and mark.role == "region"]
    if not any(nowhere.any() and not nowhere.all() for nowhere in regions):
        return ""
    if not model.training.is_classes:
        return "no cluster in the part without colour"
    return (
        f"{why_no_class_leads(model.inner, model.score_threshold)} in the part without colour, so no class leads there"
    )


def _results(model: PipelineModel) -> Iterator[str]:
    """The errors on training and test samples, and what share of either is put into no class."""
    errors, rejections = [], []
    outcomes = model.class_outcomes() if model.decision.reject else {}
    for rating, whose in zip(model.ratings, ("rejected", "of the test samples"), strict=False):
        part = "" if rating.rows is None else f" of {len(rating.rows):,} samples"
        errors += [f"{name} {fact}{part}" for name, fact in rating.summary.items()]
        if rejected := outcomes.get(REJECTED.called(rating.samples)):
            rejections.append(f"{whose} {rejected}{part}")
    yield ", ".join(errors)
    yield ", ".join(rejections)


def levels_of_bands(marks: Sequence[Mark], model: PipelineModel) -> str:
    """With what probability the bands that are drawn hold what they are of."""
    return f"{share(model.decision.level)} bands" if any(mark.role == "band rim" for mark in marks) else ""


def _objective(inner: Model) -> str:
    """The objective where there is one, as the facts tell it: in its digits, and without what rounding leaves."""
    if not np.isfinite(inner.objective):
        return ""
    known = (fact.of(inner) for fact in inner.known_facts if fact.name == inner.objective_name)
    return f"{inner.objective_name} {next(known, None) or Fact(inner.objective)}"


def caption_of(scene: Scene, fit: Fit, state: TraceStep, viewport: Viewport, remark: str, draft: bool) -> str:
    """The line under the picture: what was fitted how, on how many samples, how well, and what must not be hidden.

    Hyperparameters by which canvases of one method differ come first.
    """
    training = state.model.training
    classes = len(state.model.classes) if training.is_classes else 2
    apart: list[str] = []
    if len(scene.panels) > 1:
        apart = [p.name for p in differing([panel.pipeline for panel in scene.panels], fit.pipeline)]
    words = [fit.pipeline.algorithm.caption(classes, apart)]
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
    if state.model.value_cost is not None:
        words.append(fit.pipeline.decision.cost_in_words)
    words.append(f"n = {len(fit.rows)}")
    tested = fit.roles.target is not None or fit.pipeline.tells_density
    if tested and (told := told_split(scene, draft)):
        words.append(f"held out: {verbatim(told)}")
    words += filter(None, _results(state.model))
    words += filter(None, [_objective(state.model.inner) if fit.roles.target is None else ""])
    if state.step < state.n_steps - 1:
        words.append(f"step {state.step} of {state.n_steps - 1}")
    elif state.finished and scene.view.step is not None and len(scene.panels) > 1 and state.n_steps > 1:
        words.append(f"finished after {counted(state.n_steps - 1, 'step')}")
    # What is told of the samples needs the scores at them: it is for the last step, when the hand rests.
    last = state.finished and state.step == state.n_steps - 1 and not draft
    words += filter(None, [state.model.caveat if last else state.model.own_caveat])
    if viewport.grid is None and viewport.line is None:
        aside = "which are not the two axes, so its regions or curve are not drawn"
        how = aside if viewport.plane is None else "projected along the other inputs"
        if viewport.section is not None:
            how = "drawn with the inputs not on the axes at their means"
        names = fit.roles.inputs
        told = ", ".join(names) if len(names) <= _NAMED else counted(len(names), "input")
        words.append(f"fitted on {told}, {how}")
    if remark:
        words.append(remark)
    return typographic("; ".join(words))
