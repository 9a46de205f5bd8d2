"""Good scenes, tables and copies of unsaved work, from which bad ones are made."""

from __future__ import annotations

import hashlib
import io
import json
from functools import cache

import numpy as np

from mlviz.algorithms import registry
from mlviz.data.generators.catalog import generators
from mlviz.pipeline.pipeline import Pipeline
from mlviz.recovery.copies import Copy
from mlviz.scene.defaults import default_scene
from mlviz.scene.files import scene_file
from mlviz.scene.scene import Panel, Scene
from mlviz.studies import registry as studies

TABLES = (
    "x,y,class\n" + "".join(f"{i % 5},{i * i % 7},{'ab'[i % 2]}\n" for i in range(12)),
    "Länge;Breite;Art\n" + "".join(f"{i},5;{i % 3},25;{'rot' if i % 2 else 'grün'}\n" for i in range(9)),
    "a\tb\tc\td\n" + "".join(f"{i}\t{-i}\t{i / 7:.6g}\t{i % 3}\n" for i in range(15)),
    "# a remark\n  1.0   2.0\n  2.5  -3e-2\n  0.1   7\n  4     4\n",
    'name,"height, cm",weight,"said ""so"""\n"O\'Neil",180,75,yes\n"two\nlines",165,60,no\n'
    '"",170,NA,yes\n,,,\nx,150,50,no\n',
    "sep=|\nx|y|held out|class\n1|2|yes|1\n2|3||2\n3|1||2\n4|4||1\n",
    "ms,price,when\n" + "".join(f"{1700000000000 + 1000 * i},{100 + i}.5 €,2024-01-{i + 1:02d}\n" for i in range(8)),
    "1,2\n3,4\n5,6\n",
    "title of the table\n\n\tgroup\tgroup\nid\tx\ty\n[-]\t[m]\t[s]\n1\t0.5\t2\n2\t0.7\t3\n3\t0.1\t4\nmean\t0.4\t3\n",
)


@cache
def scenes() -> tuple[object, ...]:
    """Scenes as plain values: one for each method, and some with everything that a scene can have."""
    full: dict[str, object] = {
        **{
            "format": 1,
            "columns": ["x1", "x2", "age"],
            "class_column": "class",
            "class_names": ["blue", "orange", "red"],
        },
        "points": [
            [-1.0, 0.5, 3.0],
            [-0.5, -1.0, 4.0],
            [1.0, 0.2, 5.5],
            [1.4, -0.8, 1.0],
            [2.0, 2.0, 0.0],
            [0.0, 3.0, 2.0],
        ],
        **{"labels": [0, 0, "orange", 1, 2, 2], "held_out": [3], "inactive": [0], "seed": 3},
        "panels": [
            {"algorithm": "knn", "hyperparameters": {}, "preprocessing": "standardize", "multiclass": "one-vs-rest"},
            {"algorithm": "logistic", "decision": {"rule": "threshold", "threshold": 0.3}, "target": None},
        ],
        "view": {
            **{"axes": ["x1", "age"], "limits": [-4, 4, -4, 4], "equal": True, "step": None, "probe": [0.5, 0.5]},
            "slice": [-1, -1, 1, 1],
        },
    }
    two = {
        **{"format": 1, "points": [[-1.0, 0.5], [-0.5, -1.0], [1.0, 0.2], [1.4, -0.8]], "labels": [0, 0, 1, 1]},
        "panels": [{"decision": {"rule": "costs", "cost_fp": 2, "reject": True}}],
        "view": {"probe": [0.0, 0.0], "step": 2},
    }
    drawn = {"format": 1, "source": {"generator": "moons", "parameters": {"noise": 0.2}, "seed": 7}, "panels": [{}]}
    return (full, full, two, drawn, _classroom(), _classroom(), *map(scene_file.to_json, map(_scene_of, registry())))


def _classroom() -> dict[str, object]:
    """A scene with what a lesson leaves in it."""
    lines = [[[-1.0, -2.0], [0.5, 2.0], [0.6, 2.5]]]
    pin = {"fit": {"algorithm": "svm", "hyperparameters": {"C": 1}}, "n": 4, "axes": ["x1", "x2"]}
    asked = ("confusion-matrix", "roc", "validation-curve", "stability", "variance-lens")
    return {
        **{"format": 1, "points": [[-1.0, 0.5], [-0.5, -1.0], [1.0, 0.2], [1.4, -0.8]], "labels": [0, 0, 1, 1]},
        "held_out": [3],
        "panels": [
            {
                "algorithm": "svm",
                "studies": {name: studies()[name]().to_json() for name in asked},
                "pins": [{**pin, "lines": lines, "centers": [[0.5, 0.5]], "name": "before"}],
            },
            {"algorithm": "knn", "studies": {"confusion-matrix": {"cells": "% of all"}}},
        ],
        "attempts": [{"kind": "boundary", "axes": ["x1", "x2"], "lines": lines}],
        "hides_answer": False,
    }


@cache
def kernel_methods() -> tuple[str, ...]:
    """The methods whose kernel may be a text."""
    return tuple(key for key, cls in registry().items() if "expression" in {p.key for p in cls.parameters()})


def _scene_of(method: str) -> Scene:
    algorithm = registry()[method]()
    name = "sine" if algorithm.tasks[0] == "regression" else "moons"
    data = generators()[name](n_samples=14).generate(1)
    panel = Panel(Pipeline(algorithm))
    return default_scene().replace(dataset=data, panels=(panel,)).with_view(probe=(0.3, 0.4))


@cache
def copy_parts() -> tuple[tuple[object, object, tuple[bytes, ...]], ...]:
    """For some copies of unsaved work: what is said of them, their scene without its samples, and their arrays."""
    found = []
    for method in ("knn", "kmeans", "linear-regression"):
        body = io.BytesIO(Copy(_scene_of(method), "/tmp/canary.mlviz", "ab" * 32, 1.7e9).pack().partition(b"\n")[2])
        about, scene = json.loads(body.readline()), json.loads(body.readline())
        arrays = []
        for _ in range(4):
            start = body.tell()
            np.load(body, allow_pickle=False)
            arrays.append(body.getvalue()[start : body.tell()])
        found.append((about, scene, tuple(arrays)))
    return tuple(found)


def packed(body: bytes) -> bytes:
    """A copy's file with the right checksum of whatever it holds."""
    return b"mlviz copy 1 " + hashlib.sha256(body).hexdigest().encode() + b"\n" + body
