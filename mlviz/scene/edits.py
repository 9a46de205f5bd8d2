"""Changes to a scene that menus, controls and keys share: pure functions from one scene to the next."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np

from mlviz.algorithms import Algorithm, find
from mlviz.data.dataset import Dataset
from mlviz.data.generators.base import RegressionGenerator
from mlviz.draw.colour_words import coloured_by_name
from mlviz.draw.palette import Colours, exchanged
from mlviz.draw.tasks import UNSUPERVISED, Task
from mlviz.numerics.arrays import occurring
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.canvas_axes import fitted_limits
from mlviz.scene.defaults import default_method
from mlviz.scene.scene import MAX_PANELS, Panel, Scene, View, roles
from mlviz.scene.values import OVER_PLANE
from mlviz.scene.values.edits import with_values_over_plane
from mlviz.spec import BadValue, Declared, Parameter
from mlviz.spec.outside import quoted
from mlviz.spec.scale import Scale
from mlviz.studies import Study

SCORES, _PROBABILITIES = (-3.0, 3.0), (0.0, 1.0)
"""Where thresholds are looked for: margins and log odds are of this size whatever the data."""
_OWNERS: dict[str, tuple[Callable[[Pipeline], Declared], Callable[..., Pipeline]]] = {
    "algorithm": (lambda p: p.algorithm, lambda p, **change: p.replace(algorithm=p.algorithm.replace(**change))),
    "weights": (lambda p: p.weights, Pipeline.with_weights),
    "decision": (lambda p: p.decision, Pipeline.with_decision),
    "pipeline": (lambda p: p, Pipeline.replace),
}
"""What a path begins with -> whose parameter follows, and the pipeline with another value of it."""
_NAMES = {"decision.rule": "decision", "pipeline.multiclass": "multiclass"}
"""How a change is called in the undo menu where the label of the control would not say enough."""


def with_method(scene: Scene, index: int, method: str) -> Scene:
    """With panel `index` using the method of that id, as it was left there; at its defaults the first time.

    Preprocessing, multi-class way, weights and costs stay; a threshold does not: it was one on the former score. Nor
    do costs of values where the method has no distribution of them.
    """
    panel = scene.panels[index]
    if panel.pipeline.algorithm.id == method:
        return scene
    algorithm, others = _recalled(panel, method)
    decision = panel.pipeline.decision.for_another(algorithm)
    pipeline = panel.pipeline.replace(algorithm=algorithm, decision=decision)
    changes: dict[str, Any] = {"target": target_for_any(scene, panel), "hidden": None, "remembered": others}
    return scene.with_panel(index, dataclasses.replace(panel, pipeline=pipeline, **changes))


def with_algorithm(scene: Scene, index: int, algorithm: Algorithm) -> Scene:
    """With the method of panel `index` at other hyperparameters."""
    panel = scene.panels[index]
    return scene.with_panel(index, dataclasses.replace(panel, pipeline=panel.pipeline.replace(algorithm=algorithm)))


def _recalled(panel: Panel, method: str) -> tuple[Algorithm, tuple[Algorithm, ...]]:
    """The method of that id as it was left in the panel, and the others that it is to remember then."""
    left = {algorithm.id: algorithm for algorithm in (*panel.remembered, panel.pipeline.algorithm)}
    return left.pop(method, None) or find(method)(), tuple(left.values())


def target_for_any(scene: Scene, panel: Panel) -> str | None:
    """What any method that can is to predict: values stay values, and None leaves it to the method."""
    data = scene.dataset
    if panel.target not in (None, data.class_column):
        return panel.target
    if (drawn := _drawn_target(data)) is not None:
        return drawn
    alike = roles(scene, panel).task == "regression" and len(occurring(data.labels)) < 2
    return scene.axes[1] if alike else None


def _drawn_target(data: Dataset) -> str | None:
    """The column of the values that a generator drew to be predicted; None where none did."""
    return data.columns[data.source.target] if isinstance(data.source, RegressionGenerator) else None


def with_task(scene: Scene, index: int, task: str) -> Scene:
    """With panel `index` reading the class column, predicting the vertical axis, or a value over both."""
    if task == OVER_PLANE:
        return with_values_over_plane(scene, index)
    target = {"classification": scene.dataset.class_column, "regression": scene.axes[1]}.get(task)
    return scene.with_panel(index, dataclasses.replace(scene.panels[index], target=target))


def offered_inputs(scene: Scene, panel: Panel) -> tuple[str, ...]:
    """The columns that the panel may read: all but the one that it predicts."""
    target = roles(scene, panel).target
    return tuple(name for name in scene.dataset.columns if name != target)


def with_inputs(scene: Scene, index: int, inputs: Collection[str] | None) -> Scene:
    """With panel `index` reading these columns, in the data set's order; None, or just those, for the usual ones."""
    panel = dataclasses.replace(scene.panels[index], inputs=None)
    if inputs is not None and set(inputs) != set(roles(scene, panel).inputs):
        named = tuple(name for name in scene.dataset.columns if name in inputs)
        panel = dataclasses.replace(panel, inputs=named or None)
    return scene.with_panel(index, panel)


def with_layer(scene: Scene, index: int, overlay_id: str, shown: bool) -> Scene:
    """With an overlay of panel `index` switched on or off."""
    panel = scene.panels[index]
    off = {o.id for o in panel.possible_overlays if panel.hides(o.id)}
    off = off - {overlay_id} if shown else off | {overlay_id}
    return scene.with_panel(index, dataclasses.replace(panel, hidden=tuple(sorted(off))))


def with_study(scene: Scene, index: int, study: Study) -> Scene:
    """With a study asked of panel `index`, or asked with other settings."""
    panel = scene.panels[index]
    known = {asked.id: asked for asked in panel.studies}
    studies = tuple((known | {study.id: study}).values())
    return scene if studies == panel.studies else scene.with_panel(index, dataclasses.replace(panel, studies=studies))


def without_study(scene: Scene, index: int, study_id: str) -> Scene:
    """With a study of panel `index` no longer asked."""
    panel = scene.panels[index]
    studies = tuple(asked for asked in panel.studies if asked.id != study_id)
    return scene if studies == panel.studies else scene.with_panel(index, dataclasses.replace(panel, studies=studies))


def with_defaults(scene: Scene, index: int) -> Scene:
    """With the method of panel `index` at its defaults, its layers too; the points stay."""
    panel = scene.panels[index]
    pipeline = panel.pipeline.replace(algorithm=type(panel.pipeline.algorithm)())
    return scene.with_panel(index, dataclasses.replace(panel, pipeline=pipeline, hidden=None))


def with_next_seed(scene: Scene) -> Scene:
    """With the next seed: whatever is left to chance falls otherwise, in all panels."""
    return scene.replace(seed=(scene.seed + 1) % 2**63)


def with_another_panel(scene: Scene, index: int) -> Scene:
    """With one more panel, the last one, like `index`; the same scene when there are as many as may be."""
    if len(scene.panels) >= MAX_PANELS:
        return scene
    return scene.replace(panels=(*scene.panels, scene.panels[index]))


def without_panel(scene: Scene, index: int) -> Scene:
    """Without panel `index`; the same scene when it is the only one."""
    if len(scene.panels) < 2:
        return scene
    return scene.replace(panels=scene.panels[:index] + scene.panels[index + 1 :])


def without_samples(scene: Scene) -> Scene:
    """With the same columns and classes, and no samples."""
    return scene.replace(dataset=scene.dataset.erase(np.arange(len(scene.dataset))))


def with_value(scene: Scene, index: int, path: str, value: Any) -> Scene:
    """With another value at a path of panel `index`, such as "algorithm.C", "decision.threshold" or "view.step".

    Weights of classes end costs of the decision, and the other way around. A hyperparameter that has had no effect gets
    one: what it waits for is set, too. The same scene where the value is the same; raises `BadValue` where there is no
    such path, or the value can't be taken.
    """
    if path == "view.step":
        step = None if value is None else int(value)
        return scene if step == scene.view.step else scene.with_view(step=step)
    parameter = parameter_at(scene, index, path)
    panel, change = scene.panels[index], {parameter.name: parameter.check(value)}
    if path.startswith("algorithm."):
        change |= panel.pipeline.algorithm.awaited(parameter)
    changed = _OWNERS[path.partition(".")[0]][1](panel.pipeline, **change)
    return scene if changed == panel.pipeline else scene.with_panel(index, dataclasses.replace(panel, pipeline=changed))


def with_settings(scene: Scene, index: int, settings: Mapping[str, Any]) -> Scene:
    """With other hyperparameters of panel `index`, by name, set one after another; raises as `with_value` does."""
    for name, value in settings.items():
        scene = with_value(scene, index, f"algorithm.{name}", value)
    return scene


def stepped(scene: Scene, index: int, path: str, steps: int) -> Scene:
    """With the number at a path of panel `index` moved by whole steps of its slider; the same where it is no number."""
    parameter = parameter_at(scene, index, path)
    if parameter.kind not in ("integer", "real"):
        return scene
    return with_value(scene, index, path, Scale(parameter).step(value_at(scene, index, path), steps))


def value_at(scene: Scene, index: int, path: str) -> Any:
    """What stands at a path of panel `index`."""
    if path == "view.step":
        return scene.view.step
    owner, name = _owner(scene.panels[index].pipeline, path)
    return getattr(owner, owner.parameter(name).name)


def parameter_at(scene: Scene, index: int, path: str) -> Parameter:
    """What is declared at a path of panel `index`: a threshold goes over the scores that its method gives."""
    pipeline = scene.panels[index].pipeline
    owner, name = _owner(pipeline, path)
    parameter = owner.parameter(name)
    if path != "decision.threshold":
        return parameter
    return dataclasses.replace(parameter, soft=_PROBABILITIES if pipeline.answers_by_probability else SCORES)


def name_of_change(scene: Scene, index: int, path: str) -> str:
    """How a change of what stands at a path of panel `index` is called in the undo menu."""
    return f"change {_NAMES.get(path) or parameter_at(scene, index, path).label}"


def _owner(pipeline: Pipeline, path: str) -> tuple[Declared, str]:
    """Whose parameter stands at a path, and the parameter's name."""
    where, _, name = path.partition(".")
    if where not in _OWNERS:
        raise BadValue(
            f"nothing can be set at {quoted(path)}; a path begins with one of {', '.join(_OWNERS)}, or is view.step"
        )
    return _OWNERS[where][0](pipeline), name


def with_class_colour(scene: Scene, code: int, number: int) -> Scene:
    """With that colour of the palette for a class; the class that had it takes the other one in exchange."""
    colours = exchanged(scene.colours, code, number)
    return scene if colours == scene.colours else scene.replace(colours=colours)


def with_samples(scene: Scene, dataset: Dataset) -> Scene:
    """With a changed data set; a class that got the name of a colour has that colour from then on."""
    colours = coloured_by_name(dataset.class_names, scene.dataset.names(), scene.colours)
    return scene.replace(dataset=dataset, colours=colours)


def colours_in_place(scene: Scene, names: tuple[str, ...]) -> Colours:
    """The colours of classes with those names in the place of the present ones, which keep theirs with their names."""
    return scene.colours if names == scene.dataset.class_names else coloured_by_name(names)


def with_dataset(scene: Scene, dataset: Dataset, task: Task | None = None, preprocessing: str | None = None) -> Scene:
    """With other samples, all of them in sight, and methods that can learn from them.

    `task` is what the samples are for, where that is known; samples of one class are for clustering unless it says
    otherwise. A panel whose method has nothing to learn from them gets the usual one of the right kind.
    `preprocessing` is what suits the samples; None leaves it as it is.
    """
    wanted: Task | None = task or ("clustering" if len(occurring(dataset.labels)) < 2 else None)
    panels, usual = [], dataset.columns[1]
    # What was drawn by hand, or asked about the source, says something of other samples only where that is the same.
    alike = dataset.source is not None and type(dataset.source) is type(scene.dataset.source)
    for panel in scene.panels:
        pipeline = panel.pipeline if preprocessing is None else panel.pipeline.replace(preprocessing=preprocessing)
        target, hidden, others = panel.target, panel.hidden, panel.remembered
        if wanted is not None and not _suits(panel, wanted):
            algorithm, others = _recalled(panel, default_method(wanted).id)
            pipeline = pipeline.replace(algorithm=algorithm)
            target = hidden = None
        drawn = _drawn_target(dataset) if wanted == "regression" else None
        if wanted == "regression" and ("classification" in pipeline.algorithm.tasks or drawn not in (None, usual)):
            target = drawn or usual
        elif target not in dataset.columns or wanted == "classification":
            target = None
        # On other columns an outline has no place; on the same ones it shows what other samples change.
        pins = panel.pins if dataset.columns == scene.dataset.columns else ()
        studies = tuple(study for study in panel.studies if alike or not study.of_source)
        panels.append(Panel(pipeline, None, target, hidden, others, studies, pins))
    colours = colours_in_place(scene, dataset.class_names)
    attempts = scene.attempts if alike else ()
    scene = scene.replace(
        dataset=dataset, panels=tuple(panels), view=View(), colours=colours, attempts=attempts, split=None
    )
    return scene.with_view(limits=fitted_limits(scene))


def with_drawn(scene: Scene, dataset: Dataset) -> Scene:
    """With samples that a generator drew. Their inputs have the same units; what stood there may have had others."""
    return with_dataset(scene, dataset, dataset.source.purpose, "none")


def _suits(panel: Panel, wanted: str) -> bool:
    """Whether the panel can learn from samples for that task. What needs no target learns from any."""
    tasks = panel.pipeline.algorithm.tasks
    if wanted in UNSUPERVISED:
        return "classification" not in tasks or ("regression" in tasks and panel.target is not None)
    return wanted in tasks or UNSUPERVISED.issuperset(tasks)
