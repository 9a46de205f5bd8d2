"""What was asked for on the command line and has no effect on these samples: it is told, or it looks as if it had."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from mlviz.algorithms import Algorithm
from mlviz.scene.scene import Panel, Scene, roles
from mlviz.spec.outside import told

_OF_CLASSES = ("multiclass", "balance", "class_weight", "threshold", "costs", "reject_cost")
"""The options about classes."""


def idle(options: argparse.Namespace, scene: Scene, target_chosen: bool) -> Iterator[str]:
    """A sentence for each option without effect in the scene that the options made.

    `target_chosen` says that the target has chosen what the samples are, whatever the method makes of it.
    """
    tasks = {roles(scene, panel).task for panel in scene.panels}
    methods = " and ".join(dict.fromkeys(panel.pipeline.algorithm.label for panel in scene.panels))
    given = [name for name in _OF_CLASSES if getattr(options, name) is not None]
    if given and "classification" not in tasks:
        for name in given:
            yield _sentence(name, f"{methods} predicts no classes here")
    elif options.multiclass not in (None, "auto") and (classes := len(scene.dataset.names())) < 3:
        yield _sentence("multiclass", f"there {'is one class' if classes == 1 else f'are {classes} classes'}")
    chosen = "features" if options.features is not None else f"preprocessing {options.preprocessing}"
    if chosen.endswith("features") and all(len(roles(scene, panel).inputs) < 2 for panel in scene.panels):
        yield f"--{chosen} adds nothing: features are of two inputs, and {methods} has one here"
    yield from filter(None, (_idle_setting(setting, scene.panels) for setting in options.set))
    read = {roles(scene, panel).target for panel in scene.panels}
    if options.target is not None and options.target not in read and not target_chosen:
        what = "predicts classes" if "classification" in tasks else "has no target"
        yield _sentence(f"target {told(options.target)}", f"{methods} {what}")


def idle_step(step: int | None, counts: list[int]) -> Iterator[str]:
    """A sentence if none of the fits, which have so many steps, has that one."""
    if step is not None and counts and step >= max(counts):
        yield f"there is no step {step} of the fit; the last one, {max(counts) - 1}, is shown"


def _sentence(option: str, why: str) -> str:
    return f"--{option.replace('_', '-')} has no effect: {why}"


def _idle_setting(setting: str, panels: tuple[Panel, ...]) -> str:
    """That a hyperparameter that was set does not matter in any panel, "" where it does."""
    algorithms: list[Algorithm] = [panel.pipeline.algorithm for panel in panels]
    key = setting.partition("=")[0].strip()
    parameter = algorithms[0].parameter(key)
    if any(algorithm.matters(algorithm.parameter(key)) for algorithm in algorithms):
        return ""
    missing = parameter
    while missing.when is not None and not algorithms[0].matters(above := algorithms[0].parameter(missing.when[0])):
        missing = above  # what it depends on does not matter either
    assert missing.when is not None
    other, values = missing.when
    words = " or ".join(str(value).lower() if isinstance(value, bool) else value for value in values)
    return _sentence(f"set {parameter.key}", f"it counts only where {other.rstrip('_')} is {words}")
