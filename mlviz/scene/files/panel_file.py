"""The panels of a scene file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mlviz.algorithms import Algorithm, find, why_missing
from mlviz.data.dataset import Dataset
from mlviz.draw.outlines import joined, polylines
from mlviz.numerics.arrays import Array
from mlviz.pipeline.decisions import Decision
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.weights import Weights
from mlviz.scene.defaults import default_panel
from mlviz.scene.files import checks
from mlviz.scene.files.strict_json import MAX_POINTS, BadScene
from mlviz.scene.pins import MAX_PINS
from mlviz.scene.scene import Panel, Pin
from mlviz.spec import BadValue
from mlviz.spec.outside import quoted, readable_name
from mlviz.studies import Study, registry

MAX_COLUMNS = 1000
_PIPELINE = (*(p.key for p in Pipeline.parameters()), "weights", "decision")
_PANEL = ("algorithm", "hyperparameters", *_PIPELINE, "inputs", "target", "hidden", "remembered", "studies", "pins")
_FITTED = ("algorithm", "hyperparameters", *_PIPELINE)
_PIN = ("fit", "n", "axes", "lines", "centers", "name")
_MOST_PLACES = 100_000
"""No outline has more places than that."""
_DIGITS = 7
"""Significant digits of a place on an outline: more than any picture shows."""


def plain_list(values: tuple[Any, ...] | None) -> list[Any] | None:
    """The values as JSON has them; None stays."""
    return None if values is None else list(values)


def panel_json(panel: Panel) -> dict[str, Any]:
    """The panel as plain values, ready for JSON."""
    overlays = {overlay.id for overlay in panel.possible_overlays}
    document = {
        **_pipeline_json(panel.pipeline),
        "inputs": plain_list(panel.inputs),
        "target": panel.target,
        # Names that another method left behind mean nothing and would not open again.
        "hidden": None if panel.hidden is None else [name for name in panel.hidden if name in overlays],
        "remembered": {other.id: other.to_json() for other in panel.remembered},
    }
    # Keys that older versions would refuse.
    if panel.studies:
        document["studies"] = {study.id: study.to_json() for study in panel.studies}
    if panel.pins:
        document["pins"] = [_pin_json(pin) for pin in panel.pins]
    return document


def _pipeline_json(pipeline: Pipeline) -> dict[str, Any]:
    return {
        "algorithm": pipeline.algorithm.id,
        "hyperparameters": pipeline.algorithm.to_json(),
        **pipeline.to_json(),
        "weights": pipeline.weights.to_json(),
        "decision": pipeline.decision.to_json(),
    }


def _pin_json(pin: Pin) -> dict[str, Any]:
    return {
        "fit": _pipeline_json(pin.pipeline),
        "n": pin.n,
        "axes": list(pin.axes),
        "lines": [_written(line) for line in polylines(pin.lines)],
        "centers": _written(pin.centers),
        "name": pin.name,
    }


def _written(places: Array) -> list[list[float]]:
    return [[float(f"{value:.{_DIGITS}g}") for value in place] for place in places.tolist()]


def panel_from_json(value: Any, where: str, dataset: Dataset) -> Panel:
    """The panel that plain values describe, `where` in the file; raises `BadScene` naming the place that is wrong."""
    fields = checks.entries(value, where, _PANEL)
    pipeline = _pipeline(fields, where)
    inputs = checks.optional(fields.get("inputs"), lambda v: checks.texts(v, f"{where}.inputs", MAX_COLUMNS))
    target = checks.optional(fields.get("target"), lambda v: checks.text(v, f"{where}.target"))
    hidden = checks.optional(fields.get("hidden"), lambda v: checks.texts(v, f"{where}.hidden", MAX_COLUMNS))
    if inputs is not None and (not inputs or len(set(inputs)) < len(inputs)):
        raise BadScene(f"{where}.inputs needs at least one name and no two the same.")
    checks.names(inputs or (), f"{where}.inputs", dataset.columns)
    checks.names(() if target is None else (target,), f"{where}.target", (*dataset.columns, dataset.class_column))
    remembered = _remembered(fields.get("remembered", {}), f"{where}.remembered")
    pins = checks.items(fields.get("pins", []), f"{where}.pins", MAX_PINS)
    told = tuple(_pin(pin, f"{where}.pins[{k}]") for k, pin in enumerate(pins))
    studies = _studies(fields["studies"], f"{where}.studies") if "studies" in fields else ()
    panel = Panel(pipeline, inputs, target, hidden, remembered, studies, told)
    checks.names(hidden or (), f"{where}.hidden", tuple(overlay.id for overlay in panel.possible_overlays))
    return panel


def _pipeline(fields: Mapping[str, Any], where: str) -> Pipeline:
    usual = default_panel().pipeline.algorithm
    name = checks.text(fields.get("algorithm", usual.id), f"{where}.algorithm")
    try:
        method = find(name)
    except KeyError:
        raise BadScene(f"{where}.algorithm is {quoted(name)}; {why_missing(name)}") from None
    algorithm = checks.declared(method, fields.get("hyperparameters", {}), f"{where}.hyperparameters")
    weights = checks.declared(Weights, fields.get("weights", {}), f"{where}.weights")
    decision = checks.declared(Decision, fields.get("decision", {}), f"{where}.decision")
    try:
        settings = {p.name: p.check(fields[p.key]) for p in Pipeline.parameters() if p.key in fields}
        return Pipeline(algorithm, **settings, weights=weights, decision=decision)
    except BadValue as error:
        raise BadScene(f"{where}: {str(error).removesuffix('.')}.") from None


def _pin(value: Any, where: str) -> Pin:
    fields = checks.entries(value, where, _PIN)
    fit = checks.entries(fields.get("fit", {}), f"{where}.fit", _FITTED)
    axes = checks.texts(fields.get("axes"), f"{where}.axes", 2)
    if len(axes) != 2:
        raise BadScene(f"{where}.axes needs the names of two columns.")
    lines = checks.items(fields.get("lines", []), f"{where}.lines", _MOST_PLACES)
    pieces = [checks.matrix(line, f"{where}.lines[{k}]", 2, _MOST_PLACES) for k, line in enumerate(lines)]
    centers = checks.matrix(fields.get("centers", []), f"{where}.centers", 2, _MOST_PLACES).reshape(-1, 2)
    places = np.concatenate((centers, *(piece.reshape(-1, 2) for piece in pieces)))
    checks.in_reach(places, where)
    name = readable_name(checks.text(fields.get("name", ""), f"{where}.name"))
    n = checks.whole(fields.get("n", 0), f"{where}.n", MAX_POINTS + 1)
    joined_lines = joined([piece for piece in pieces if len(piece) > 1])
    return Pin(_pipeline(fit, f"{where}.fit"), n, (axes[0], axes[1]), joined_lines, centers, name)


def _remembered(value: Any, where: str) -> tuple[Algorithm, ...]:
    methods = []
    for name, hyperparameters in checks.entries(value, where).items():
        try:
            method = find(name)
        except KeyError:
            continue  # nothing shown rests on the settings of a method that is not here
        methods.append(checks.declared(method, hyperparameters, f"{where}.{method.id}"))
    return tuple(methods)


def _studies(value: Any, where: str) -> tuple[Study, ...]:
    asked = []
    for name, settings in checks.entries(value, where).items():
        kind = registry().get(name)
        if kind is None or kind.by_layer:
            known = ", ".join(study.id for study in registry().values() if not study.by_layer)
            raise BadScene(f"{where} names {quoted(name)}; known are {known}.")
        asked.append(checks.declared(kind, settings, f"{where}.{name}"))
    return tuple(asked)
