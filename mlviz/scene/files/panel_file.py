"""The panels of a scene file."""

from __future__ import annotations

from typing import Any

from mlviz.algorithms import Algorithm, find, why_missing
from mlviz.data.dataset import Dataset
from mlviz.pipeline.decisions import Decision
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.weights import Weights
from mlviz.scene.defaults import default_panel
from mlviz.scene.files import checks
from mlviz.scene.files.strict_json import BadScene
from mlviz.scene.scene import Panel
from mlviz.spec import BadValue
from mlviz.spec.outside import quoted
from mlviz.studies import Study, registry

MAX_COLUMNS = 1000
_PIPELINE = (*(p.key for p in Pipeline.parameters()), "weights", "decision")
_PANEL = ("algorithm", "hyperparameters", *_PIPELINE, "inputs", "target", "hidden", "remembered", "studies")


def plain_list(values: tuple[Any, ...] | None) -> list[Any] | None:
    """The values as JSON has them; None stays."""
    return None if values is None else list(values)


def panel_json(panel: Panel) -> dict[str, Any]:
    """The panel as plain values, ready for JSON."""
    algorithm = panel.pipeline.algorithm
    overlays = {overlay.id for overlay in panel.possible_overlays}
    document = {
        "algorithm": algorithm.id,
        "hyperparameters": algorithm.to_json(),
        **panel.pipeline.to_json(),
        "weights": panel.pipeline.weights.to_json(),
        "decision": panel.pipeline.decision.to_json(),
        "inputs": plain_list(panel.inputs),
        "target": panel.target,
        # Names that another method left behind mean nothing and would not open again.
        "hidden": None if panel.hidden is None else [name for name in panel.hidden if name in overlays],
        "remembered": {other.id: other.to_json() for other in panel.remembered},
    }
    if panel.studies:  # a key that older versions would refuse
        document["studies"] = {study.id: study.to_json() for study in panel.studies}
    return document


def panel_from_json(value: Any, where: str, dataset: Dataset) -> Panel:
    """The panel that plain values describe, `where` in the file; raises `BadScene` naming the place that is wrong."""
    fields = checks.entries(value, where, _PANEL)
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
        pipeline = Pipeline(algorithm, **settings, weights=weights, decision=decision)
    except BadValue as error:
        raise BadScene(f"{where}: {str(error).removesuffix('.')}.") from None
    inputs = checks.optional(fields.get("inputs"), lambda v: checks.texts(v, f"{where}.inputs", MAX_COLUMNS))
    target = checks.optional(fields.get("target"), lambda v: checks.text(v, f"{where}.target"))
    hidden = checks.optional(fields.get("hidden"), lambda v: checks.texts(v, f"{where}.hidden", MAX_COLUMNS))
    if inputs is not None and (not inputs or len(set(inputs)) < len(inputs)):
        raise BadScene(f"{where}.inputs needs at least one name and no two the same.")
    checks.names(inputs or (), f"{where}.inputs", dataset.columns)
    checks.names(() if target is None else (target,), f"{where}.target", (*dataset.columns, dataset.class_column))
    remembered = _remembered(fields.get("remembered", {}), f"{where}.remembered")
    studies = _studies(fields["studies"], f"{where}.studies") if "studies" in fields else ()
    panel = Panel(pipeline, inputs, target, hidden, remembered, studies)
    checks.names(hidden or (), f"{where}.hidden", tuple(overlay.id for overlay in panel.possible_overlays))
    return panel


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
