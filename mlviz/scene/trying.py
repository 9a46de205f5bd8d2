"""What the help of a method offers to be tried: what it does to a scene, and the words for it."""

from __future__ import annotations

from mlviz.algorithms import Algorithm
from mlviz.algorithms.traits import Trial
from mlviz.data.generators.catalog import generators
from mlviz.draw.numbers import typographic
from mlviz.scene import edits
from mlviz.scene.scene import Scene
from mlviz.spec.sentences import sentence


def tried(scene: Scene, index: int, trial: Trial) -> Scene:
    """The scene with what panel `index` is to try: its data are drawn, then its hyperparameters are set."""
    if trial.data:
        generator = generators()[trial.data](**trial.drawing)
        scene = edits.with_drawn(scene, generator.generate(generator.seed))
    return edits.with_settings(scene, index, trial.settings)


def in_words(trial: Trial, method: type[Algorithm]) -> str:
    """What is done, and what to look at then."""
    done = [_drawn(trial)] if trial.data else []
    done += [_setting(method, name, value) for name, value in trial.settings.items()]
    told = " and ".join(filter(None, (", ".join(done[:-1]), *done[-1:])))
    return sentence(typographic(f"{told}: {trial.look}"))


def _drawn(trial: Trial) -> str:
    """Which data are drawn."""
    kind = generators()[trial.data]
    told = ", ".join(f"{kind.parameter(name).label} = {value:g}" for name, value in trial.drawing.items())
    return f"draw {kind.label} ({told})" if told else f"draw {kind.label}"


def _setting(method: type[Algorithm], name: str, value: object) -> str:
    parameter = method.parameter(name)
    label = parameter.label
    if isinstance(value, bool):
        return f"switch {label} {'on' if value else 'off'}"
    if isinstance(value, (int, float)):
        return f"set {label} to {value:g}"
    return f"choose {parameter.shown(str(value))} as {label}"
