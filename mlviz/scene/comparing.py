"""Canvases that are compared: what tells their methods apart, their order, one hyperparameter in several of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.edits import name_of_change, parameter_at, value_at, with_value
from mlviz.scene.scene import MAX_PANELS, Scene
from mlviz.spec import BadValue, Declared, Parameter
from mlviz.spec.outside import quoted
from mlviz.spec.scale import Scale

_AROUND: tuple[Callable[[Pipeline], Declared], ...] = (lambda p: p, lambda p: p.weights, lambda p: p.decision)
"""What a pipeline sets around its method."""


def swapped(scene: Scene, one: int, other: int) -> Scene:
    """With two panels in each other's place; the same scene where they are one."""
    panels = list(scene.panels)
    panels[one], panels[other] = panels[other], panels[one]
    return scene if one == other else scene.replace(panels=tuple(panels))


def differing(pipelines: Sequence[Pipeline], pipeline: Pipeline) -> tuple[Parameter, ...]:
    """The hyperparameters of a pipeline's method that have other values in some pipeline of the same method."""
    mine = pipeline.algorithm
    others = [other.algorithm for other in pipelines if type(other.algorithm) is type(mine)]
    return _apart(mine, others)


def names_apart(pipelines: Sequence[Pipeline]) -> list[str]:
    """What to call each pipeline so that it can be told from the others: "C = 1" where nothing else differs.

    Where all are the same, the name of the method.
    """
    methods = len({type(pipeline.algorithm) for pipeline in pipelines})
    found = []
    for pipeline in pipelines:
        words = [pipeline.algorithm.label] if methods > 1 else []
        words += [_told(p, pipeline.algorithm) for p in differing(pipelines, pipeline)]
        for part in _AROUND:
            owner = part(pipeline)
            words += [_told(p, owner) for p in _apart(owner, [part(other) for other in pipelines])]
        found.append(", ".join(words) or pipeline.algorithm.label)
    return found


def _apart(owner: Declared, others: Sequence[Declared]) -> tuple[Parameter, ...]:
    """The parameters that matter to the owner and are set otherwise in some of the others, or don't matter there."""
    return tuple(
        p
        for p in owner.parameters()
        if owner.matters(p)
        and any(getattr(other, p.name) != getattr(owner, p.name) or not other.matters(p) for other in others)
    )


def _told(parameter: Parameter, owner: Declared) -> str:
    """A parameter's value where it tells one from others: what is off is told as well."""
    value = getattr(owner, parameter.name)
    return parameter.in_words(value) or f"{parameter.label}: {'off' if value is False else value}"


def can_compare(parameter: Parameter) -> bool:
    """Whether values of that parameter can be laid out in several canvases."""
    return parameter.kind not in ("text", "per class")


def spread(scene: Scene, index: int, path: str, count: int = MAX_PANELS) -> tuple[Any, ...]:
    """At most so many values of what stands at a path of panel `index`, over the whole slider, in round numbers.

    Of names and switches all there are, the present one first where these are too many.
    """
    parameter = parameter_at(scene, index, path)
    if parameter.kind == "flag":
        return False, True
    if parameter.kind == "choice":
        now = value_at(scene, index, path)
        options = parameter.options if len(parameter.options) <= count else (now, *parameter.options)
        return tuple(dict.fromkeys(options))[:count]
    return Scale(parameter).spread(count)


def listed(parameter: Parameter, values: Sequence[Any]) -> str:
    """The values of a parameter as `parsed` reads them."""
    words = [("on" if value else "off") if isinstance(value, bool) else _written(parameter, value) for value in values]
    return ("; " if isinstance(values[0], str) else ", ").join(words)


def _written(parameter: Parameter, value: Any) -> str:
    return f"{value:.12g}" if isinstance(value, float) else parameter.shown(str(value))


def parsed(parameter: Parameter, text: str) -> tuple[Any, ...]:
    """The values in a list; raises `BadValue`.

    Numbers are parted by commas, or by semicolons where commas are decimal; names, which have commas, by semicolons.
    """
    words = text.split(";" if ";" in text or parameter.kind == "choice" else ",")
    if parameter.kind in ("real", "integer"):
        words = [word.replace(",", ".") for word in words]
    values = tuple(dict.fromkeys(_parsed(parameter, word.strip()) for word in words if word.strip()))
    if not 2 <= len(values) <= MAX_PANELS:
        raise BadValue(f"There are 2 to {MAX_PANELS} different values, one per canvas, not {len(values)}")
    return values


def _parsed(parameter: Parameter, word: str) -> Any:
    try:
        return parameter.parse(word)
    except BadValue:
        raise BadValue(f"{parameter.label} is {parameter.range_text()}, not {quoted(word)}") from None


def with_values(scene: Scene, index: int, path: str, values: Sequence[Any]) -> Scene:
    """With a canvas for each of the values, all else like panel `index`; these take the place of all canvases."""
    return scene.replace(panels=tuple(with_value(scene, index, path, value).panels[index] for value in values))


def name_of_comparison(scene: Scene, index: int, path: str) -> str:
    """How that is called in the undo menu."""
    return name_of_change(scene, index, path).replace("change", "compare", 1)
