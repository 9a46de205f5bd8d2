"""What was asked for on the command line and has no effect on these samples: it is told, or it looks as if it had."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator

from mlviz.draw.tasks import Task
from mlviz.numerics.arrays import occurring
from mlviz.pipeline.weights import Weights
from mlviz.scene.scene import Scene, roles
from mlviz.spec import Parameter
from mlviz.spec.outside import listed, told

_OF_CLASSES = ("multiclass", "balance", "class_weight", "threshold", "costs", "reject_cost")
"""The options about classes."""
_OF_VALUES = ("level", "value_costs")
"""Those about values."""
_DO: dict[Task, tuple[str, str]] = {
    "classification": ("predicts classes", "predict classes"),
    "regression": ("predicts numbers", "predict numbers"),
}
"""What a method does in a task, and what several do."""


def idle(options: argparse.Namespace, scene: Scene, target_chosen: bool) -> Iterator[str]:
    """A sentence for each option without effect in the scene that the options made.

    `target_chosen` says that the target has chosen what the samples are, whatever the method makes of it.
    """
    found = [roles(scene, panel) for panel in scene.panels]
    labels = [panel.pipeline.algorithm.label for panel in scene.panels]
    given = [name for name in _OF_CLASSES if getattr(options, name) is not None]
    if all(role.task != "classification" for role in found):
        why = _they(labels, "predicts no classes here", "predict no classes here")
        yield from (_sentence(name.replace("_", "-"), why) for name in given)
    else:
        yield from _idle_on_classes(options, scene)
    yield from _idle_on_values(options, scene)
    chosen = "features" if options.features is not None else f"preprocessing {options.preprocessing}"
    if chosen.endswith("features") and all(len(role.inputs) < 2 for role in found):
        yield f"--{chosen} adds nothing: features are of two inputs, and {_they(labels, 'has', 'have')} one here"
    for setting in options.set:
        yield from _idle_setting(setting, scene)
    if options.reveal and not scene.hides_answer:
        yield _sentence("reveal", "nothing is hidden")
    if options.target is not None and options.target not in {role.target for role in found} and not target_chosen:
        tasks = dict.fromkeys(role.task for role in found)
        named = {task: [name for name, role in zip(labels, found, strict=True) if role.task == task] for task in tasks}
        others = (_they(named[task], *_DO.get(task, ("has no target", "have no target"))) for task in tasks)
        yield _sentence(f"target {told(options.target)}", ", ".join(others))


def _idle_on_values(options: argparse.Namespace, scene: Scene) -> Iterator[str]:
    given = [name for name in _OF_VALUES if getattr(options, name) is not None]
    methods = [p.pipeline.algorithm for p in scene.panels if roles(scene, p).task == "regression"]
    if not methods:
        labels = [panel.pipeline.algorithm.label for panel in scene.panels]
        why = _they(labels, "predicts no numbers here", "predict no numbers here")
        yield from (_sentence(name.replace("_", "-"), why) for name in given)
    elif "level" in given and not any(method.is_predictive() for method in methods):
        # Of costs the caption says that they can't be met.
        none = ("gives no predictive distribution", "give no predictive distributions")
        yield _sentence("level", _they([method.label for method in methods], *none))


def _they(labels: Iterable[str], does: str, do: str) -> str:
    """What the methods do, each named once."""
    *others, last = dict.fromkeys(labels)
    return f"{', '.join(others)} and {last} {do}" if others else f"{last} {does}"


def _idle_on_classes(options: argparse.Namespace, scene: Scene) -> Iterator[str]:
    classes = len(_learned(scene))
    if options.multiclass not in (None, "auto") and classes < 3:
        yield _sentence("multiclass", f"there {'is one class' if classes == 1 else f'are {classes} classes'}")
    if options.class_weight is not None:
        parameter = Weights.parameter("class_weight")
        yield from _of_nobody("class-weight", parameter, parameter.parse(options.class_weight), scene)


def _learned(scene: Scene) -> set[int]:
    """The codes of the classes that have samples to learn from."""
    return set(occurring(scene.dataset.labels[scene.dataset.training]).tolist())


def _of_nobody(option: str, parameter: Parameter, values: tuple[float, ...], scene: Scene) -> Iterator[str]:
    """That some numbers of an option are for classes without samples to learn from, where any are."""
    given = [code for code, value in enumerate(values) if value != parameter.missing]
    learned = _learned(scene)
    if empty := [code for code in given if code not in learned]:
        names = listed(scene.dataset.class_name(code) for code in empty)
        part = f" on {names}" if len(empty) < len(given) else ""
        yield f"--{option} has no effect{part}: there are no samples of {names} to learn from"


def idle_step(step: int | None, counts: list[int]) -> Iterator[str]:
    """A sentence if none of the fits, which have so many steps, has that one."""
    if step is not None and counts and step >= max(counts):
        yield f"there is no step {step} of the fit; the last one, {max(counts) - 1}, is shown"


def _sentence(option: str, why: str) -> str:
    return f"--{option} has no effect: {why}"


def _idle_setting(setting: str, scene: Scene) -> Iterator[str]:
    """That a hyperparameter that was set does not matter in any panel, or not to some classes."""
    key, _, value = (word.strip() for word in setting.partition("="))
    algorithms = [panel.pipeline.algorithm for panel in scene.panels if panel.pipeline.algorithm.has(key)]
    parameter = algorithms[0].parameter(key)
    if any(algorithm.matters(algorithm.parameter(key)) for algorithm in algorithms):
        if parameter.kind == "per class":
            yield from _of_nobody(f"set {parameter.key}", parameter, parameter.parse(value), scene)
        return
    missing = parameter
    while missing.when is not None and not algorithms[0].matters(above := algorithms[0].parameter(missing.when[0])):
        missing = above  # what it depends on does not matter either
    assert missing.when is not None
    other, values = missing.when
    words = " or ".join(str(value).lower() if isinstance(value, bool) else value for value in values)
    yield _sentence(f"set {parameter.key}", f"it counts only where {other.rstrip('_')} is {words}")
