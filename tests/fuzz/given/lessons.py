"""Scenes as a lesson may leave them: every method, hyperparameters of all sorts, and all that stands beside a fit."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from mlviz.algorithms import registry
from mlviz.data.generators.catalog import generators
from mlviz.pipeline.decisions import Decision
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.weights import Weights
from mlviz.scene.scene import MAX_PANELS
from mlviz.studies import registry as studies
from tests.fuzz.given.settings import settings

_MOST_SAMPLES = 60
_INKS = ("red", "blue", "plain")


def lesson(rng: Random) -> dict[str, Any]:
    """A scene as JSON has it. Every value is one that a scene may have; not every one makes sense."""
    document: dict[str, Any] = {"format": 1, "seed": rng.randrange(5)}
    columns, classes = _samples(document, rng)
    document["panels"] = [_panel(rng, columns, classes) for _ in range(rng.choice((1, 1, 1, 1, 2, 2, 3, MAX_PANELS)))]
    if rng.random() < 0.4:
        document["panels"] = [{**document["panels"][0], "hidden": []}, *document["panels"][1:]]
    axes = columns[:2] if rng.random() < 0.7 else [rng.choice(columns), rng.choice(columns)]
    document["view"] = {
        "axes": axes,
        "limits": rng.choice(([-4, 4, -4, 4],) * 6 + ([-1e6, 1e6, -1, 1], [0.1, 0.100001, 2, 3], [50, 60, 50, 60])),
        "equal": rng.random() < 0.5,
        "step": rng.choice((None, None, 0, 1, 3, 10**6)),
        "probe": rng.choice((None, [0.3, -0.4], [0, 0], [1e6, 0])),
        "slice": rng.choice((None, None, [-1, -1, 1, 2], [0, 0, 0, 0])),
    }
    if rng.random() < 0.3:
        document["attempts"] = [_attempt(rng, axes) for _ in range(rng.choice((1, 2, 5)))]
        document["hides_answer"] = rng.random() < 0.15
    if rng.random() < 0.2:
        document["notes"] = [
            {"axes": axes, "place": _place(rng), "text": "why here?", "ink": rng.choice(_INKS)} for _ in range(3)
        ]
        document["strokes"] = [
            {"axes": axes, "places": [_place(rng) for _ in range(rng.choice((1, 2, 9)))], "ink": rng.choice(_INKS)}
        ]
    return document


def _place(rng: Random) -> list[float]:
    return [round(rng.uniform(-4, 4), 2), round(rng.uniform(-4, 4), 2)]


def _samples(document: dict[str, Any], rng: Random) -> tuple[list[str], int]:
    """Put samples into the document; the names of their columns, and how many classes there are."""
    if rng.random() < 0.35:
        kind = rng.choice(list(generators().values()))
        own = settings(kind, rng)
        own["n_samples"] = rng.choice((1, 2, 5, 20, _MOST_SAMPLES))
        document["source"] = {"generator": kind.id, "parameters": own, "seed": rng.randrange(3)}
        data = kind.from_json(own).generate(document["source"]["seed"])
        return list(data.columns), max(1, len(data.names()))
    source = np.random.default_rng(rng.getrandbits(32))
    n, d = rng.choice((0, 1, 2, 3, 5, 12, 30, _MOST_SAMPLES)), rng.choice((1, 2, 2, 2, 3, 5))
    classes = rng.choice((1, 2, 2, 3, 5))
    X = source.normal(0, 1.5, (n, d))
    match rng.randrange(12):
        case 0:
            X[:] = X[:1]
        case 1:
            X[:, -1] = X[:, 0]
        case 2:
            X[:, rng.randrange(d)] = 1.0
        case 3:
            X = np.round(X)
        case 4:
            X *= rng.choice((1e-300, 1e-9, 1e9, 1e300))
        case 5:
            X += 1e6
        case 6 if n:
            X[0] = 1e6
    labels = source.integers(0, classes, n)
    columns = [f"x{i + 1}" for i in range(d)]
    document |= {"columns": columns, "points": X.tolist(), "labels": labels.tolist()}
    for key in ("held_out", "inactive"):
        if rng.random() < 0.3:
            document[key] = np.flatnonzero(source.random(n) < rng.choice((0.1, 0.5, 1.0))).tolist()
    return columns, classes


def _panel(rng: Random, columns: list[str], classes: int) -> dict[str, Any]:
    method = rng.choice(list(registry().values()))
    own = settings(method, rng)
    panel: dict[str, Any] = {"algorithm": method.id, "hyperparameters": own}
    if rng.random() < 0.5:
        panel |= settings(Pipeline, rng)
    if rng.random() < 0.3:
        panel["decision"] = settings(Decision, rng)
    elif rng.random() < 0.3:
        panel["weights"] = settings(Weights, rng)
    if rng.random() < 0.25:
        panel["inputs"] = rng.sample(columns, rng.randint(1, len(columns)))
    if rng.random() < 0.25:
        panel["target"] = rng.choice((*columns, "class"))
    overlays = [overlay.id for overlay in method.overlays]
    panel["hidden"] = rng.choice((None, None, [], rng.sample(overlays, len(overlays) // 2)))
    if rng.random() < 0.4:
        panel["studies"] = {kind.id: _study(kind, rng, method) for kind in _asked(rng)}
    if rng.random() < 0.2:
        panel["remembered"] = {other: settings(registry()[other], rng) for other in rng.sample(list(registry()), 2)}
    return panel


def _asked(rng: Random) -> list[Any]:
    there = [kind for kind in studies().values() if not kind.by_layer]
    return rng.sample(there, rng.choice((1, 1, 2)))


def _study(kind: Any, rng: Random, method: Any) -> dict[str, Any]:
    names = ["", "", "nonsense", *(p.label for p in method.parameters())]
    texts = {name: lambda rng: rng.choice(names) for name in ("hyperparameter", "second")}
    given = settings(kind, rng, {**texts, "rival": lambda rng: rng.choice(("", *registry()))})
    return {**given, **{key: min(value, 12) for key, value in given.items() if key in ("values", "folds", "most")}}


def _attempt(rng: Random, axes: list[str]) -> dict[str, Any]:
    kind = rng.choice(("boundary", "curve", "centres", "axis", "level", "surface"))
    places = [_place(rng) for _ in range({"axis": 2, "level": 5}.get(kind, rng.choice((1, 2, 6))))]
    lines = [[*places, places[0]]] if kind == "level" else [places]
    if kind != "surface":
        return {"kind": kind, "axes": axes, "lines": lines}
    levels = [[_place(rng) for _ in range(rng.choice((2, 6)))] for _ in range(rng.choice((0, 0, 1, 3)))]
    given = {"axes": [*axes, "y"], "lines": [*lines, *levels], "values": [rng.uniform(-3, 3) for _ in places]}
    return {"kind": kind, **given, **({"levels": [rng.uniform(-3, 3) for _ in levels]} if levels else {})}
