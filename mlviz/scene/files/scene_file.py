"""Scene files: JSON that can be written by hand. Every key but "format" may be left out, which means its default.

    {
      "format": 1,
      "revision": 2,
      "columns": ["x1", "x2"],
      "points": [[-1.0, 0.5], [-0.5, -1.0], [1.0, 0.2], [1.4, -0.8]],
      "class_column": "class",
      "class_names": ["blue", "orange"],
      "labels": [0, 0, "orange", 1],
      "held_out": [3],
      "inactive": [],
      "source": {"generator": "moons", "parameters": {"noise": 0.2}, "seed": 7},
      "class_colours": ["blue", "orange"],
      "panels": [
        {
          "algorithm": "svm",
          "hyperparameters": {"C": 10, "kernel": "gaussian", "sigma": 0.5},
          "preprocessing": "none",
          "x1_squared": true, "x2_squared": true, "x1_times_x2": true, "sin_x1": false, "sin_x2": false,
          "features_standardized": false,
          "multiclass": "auto",
          "weights": {"balance": "by hand", "class_weight": [1, 5]},
          "decision": {"rule": "natural"},
          "inputs": null,
          "target": null,
          "hidden": ["misclassified"],
          "remembered": {"knn": {"n_neighbors": 15}},
          "studies": {"confusion-matrix": {"cells": "% of class"}},
          "pins": [{"fit": {"algorithm": "svm", "hyperparameters": {"C": 1}}, "n": 4, "axes": ["x1", "x2"],
                    "lines": [[[0.2, -4], [0.3, 4]]], "centers": [], "name": ""}]
        }
      ],
      "seed": 0,
      "attempts": [{"kind": "boundary", "axes": ["x1", "x2"], "lines": [[[-1.0, -2.0], [0.5, 2.0]]]}],
      "hides_answer": false,
      "split": {"way": "random", "share": 0.3, "seed": 4, "stratified": true, "exchanged": false},
      "notes": [{"axes": ["x1", "x2"], "place": [0.5, 2.0], "text": "look here", "ink": "red"}],
      "strokes": [{"axes": ["x1", "x2"], "ink": "blue", "places": [[0.5, 1.9], [0.6, 1.2], [0.4, 0.3]]}],
      "view": {"axes": ["x1", "x2"], "limits": [-4, 4, -4, 4], "equal": true, "step": null, "probe": null,
               "slice": null}
    }

"revision" says by which rules of the methods the scene was saved. "labels" are class codes or names out of
"class_names"; without them all points are in class 0. "held_out" and "inactive" are numbers of points, from 0. "source"
is the generator the points came from; without "points" it draws them. "class_colours" are those of the first classes,
no two the same of the nine of the palette; the others keep theirs, or take the former one of a class that took it.
"inputs" and "target" name columns, null means the usual ones; "x1_squared" to "features_standardized" are the switches
of the preprocessing "features"; "hidden" names the layers switched off (null: as the method has it); "remembered" are
hyperparameters that other methods had here last; "studies" those that are asked, with settings; "pins" are outlines of
former fits: the "fit" as in a panel, "n" samples, "axes", "lines" (lists of places), "centers", and a "name", "" for
what tells it apart. "weights" are those of the classes in the fit, "decision" says how two classes are told apart after
it (by the method, a threshold on its score, or costs), of values the "level" of bands, and with an "asymmetric" cost
"cost_below" for too low and "cost_above" for too high. "attempts" are answers drawn by hand: "boundary", "curve",
"surface" (with "values" at the places of its first line and "levels" along all others; their column is named after the
axes), "centres", "axis" or "level" (closed: its last place is its first), on the axes named; with "hides_answer" the
method's own is hidden until it is revealed.
"notes" are texts that begin at a place, "strokes" lines of a pen, each on its axes and in "red", "blue" or "plain" ink.
"split" is how the samples were chosen that are held out: "random", by a "column" and its "value", or a "second sample"
of a "seed"; without it nobody knows. "limits" are left, right, bottom, top; "step" is an iteration, null the last.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from mlviz.data.dataset import Dataset, default_class_name
from mlviz.data.generators.catalog import Generator, generators
from mlviz.draw.palette import COLOUR_NAMES, Colours, exchanged
from mlviz.files.atomic import read_file, write_atomically
from mlviz.numerics.arrays import Labels
from mlviz.scene.files import checks
from mlviz.scene.files.attempt_file import attempt_json, attempts_from_json
from mlviz.scene.files.note_file import noted_from_json, noted_json
from mlviz.scene.files.panel_file import MAX_COLUMNS, panel_from_json, panel_json, plain_list
from mlviz.scene.files.revisions import REVISION, changed_since
from mlviz.scene.files.split_file import recipe_from_json, recipe_json, rows_from_json
from mlviz.scene.files.strict_json import MAX_BYTES, MAX_POINTS, BadScene, parse
from mlviz.scene.scene import DEFAULT_LIMITS, MAX_PANELS, Scene, View
from mlviz.spec.outside import quoted, told
from mlviz.spec.parameter import MAX_CLASSES

__all__ = ["BadScene", "from_json", "load", "save", "to_json"]

_FORMAT = 1
_DATA = ("columns", "points", "class_column", "class_names", "labels", "held_out", "inactive")
_DRAWN = ("attempts", "hides_answer", "notes", "strokes", "split")
_KEYS = ("format", "revision", *_DATA, "source", "class_colours", "panels", "seed", *_DRAWN, "view")


def load(path: Path | str) -> Scene:
    """The scene in a file; raises `BadScene` or OSError."""
    return load_with_notes(path)[0]


def load_with_notes(path: Path | str) -> tuple[Scene, tuple[str, ...]]:
    """The scene in a file, and what looks different from when it was saved or has no effect.

    Raises `BadScene` or OSError.
    """
    document = parse(read_file(path, MAX_BYTES + 1))
    scene = from_json(document)
    return scene, (*changed_since(scene, document.get("revision", 1)), *_idle(scene))


def _idle(scene: Scene) -> Iterator[str]:
    """A sentence for each value that is for a class that there is not, and for an axis that shows nothing new."""
    classes, (x, y) = len(scene.dataset.names()), scene.axes
    if x == y and len(scene.dataset.columns) > 1:
        yield f"view.axes names {told(x)} twice: both axes show the same."
    for i, panel in enumerate(scene.panels):
        for owner in (panel.pipeline.algorithm, panel.pipeline.weights):
            if classes and (sentence := owner.beyond(classes)):
                yield f"panels[{i}]: {sentence.removesuffix('.')}: the rest has no effect."


def save(scene: Scene, path: Path | str) -> None:
    """Write the scene to a file, all of it or nothing; raises OSError, or `BadScene` when it is too large."""
    content = _layout(to_json(scene)).encode("utf-8")
    if len(content) > MAX_BYTES or len(scene.dataset) > MAX_POINTS:
        raise BadScene("The scene is too large for a scene file; save its points as a table instead.")
    write_atomically(Path(path), content)


def to_json(scene: Scene) -> dict[str, Any]:
    """The scene as plain values, ready for JSON."""
    data, view = scene.dataset, scene.view
    document: dict[str, Any] = {
        "format": _FORMAT,
        "revision": REVISION,
        "columns": list(data.columns),
        "points": data.X.tolist(),
        "class_column": data.class_column,
        "class_names": list(data.class_names),
        "labels": data.labels.tolist(),
        "held_out": np.flatnonzero(data.held_out).tolist(),
        "inactive": np.flatnonzero(~data.active).tolist(),
    }
    if data.source is not None:
        source: Generator = data.source
        document["source"] = {"generator": source.id, "parameters": source.to_json(), "seed": source.seed}
    if scene.colours:  # a key that older versions would refuse
        document["class_colours"] = [COLOUR_NAMES[number] for number in scene.colours]
    document["panels"] = [panel_json(panel) for panel in scene.panels]
    document["seed"] = scene.seed
    if scene.attempts:  # keys that older versions would refuse, as above
        document["attempts"] = [attempt_json(attempt) for attempt in scene.attempts]
    if scene.hides_answer:
        document["hides_answer"] = True
    if scene.split is not None:
        document["split"] = recipe_json(scene.split)
    document |= noted_json(scene)
    document["view"] = {
        "axes": plain_list(view.axes),
        "limits": list(view.limits),
        "equal": view.equal,
        "step": view.step,
        "probe": plain_list(view.probe),
        "slice": plain_list(view.slice),
    }
    return document


def from_json(document: Any) -> Scene:
    """The scene that plain values describe; raises `BadScene` naming the place that is wrong."""
    if not isinstance(document, dict) or "format" not in document:
        raise BadScene('The file is not a scene: it has no "format".')
    if document["format"] is True or document["format"] != _FORMAT:
        raise BadScene(f"The file has another format than {_FORMAT}; a newer version of the program may open it.")
    checks.entries(document, "", _KEYS)
    checks.whole(document.get("revision", 1), "revision", checks.MAX_SEED)
    dataset = _dataset(document)
    panels = checks.items(document.get("panels", [{}]), "panels", MAX_PANELS)
    if not panels:
        raise BadScene("panels is empty; at least one is needed.")
    return Scene(
        dataset,
        tuple(panel_from_json(value, f"panels[{i}]", dataset) for i, value in enumerate(panels)),
        checks.whole(document.get("seed", 0), "seed", checks.MAX_SEED),
        _view(document.get("view", {}), dataset),
        _colours(document.get("class_colours", [])),
        attempts_from_json(document.get("attempts", [])),
        checks.flag(document.get("hides_answer", False), "hides_answer"),
        *noted_from_json(document),
        checks.optional(document.get("split"), recipe_from_json),
    )


def _layout(document: Mapping[str, Any]) -> str:
    """One line for each entry, point and panel: short enough to read and to compare."""
    lines = []
    for key, value in document.items():
        body = _compact(value)
        if key == "points":  # all at once and split after, since there may be a million
            body = body.replace("], [", "],\n    [").replace("[[", "[\n    [").replace("]]", "]\n  ]")
        elif key in ("panels", "attempts", "notes", "strokes"):
            body = "[\n    " + ",\n    ".join(map(_compact, value)) + "\n  ]"
        lines.append(f'  "{key}": {body}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _dataset(document: Mapping[str, Any]) -> Dataset:
    source = _source(document["source"]) if document.get("source") is not None else None
    if source is not None and "points" not in document:
        for key in _DATA:
            if key in document:
                raise BadScene(f'{key} is given without "points"; leave it out to draw them from the source.')
        return source.generate(source.seed)
    columns = checks.texts(document.get("columns", ["x1", "x2"]), "columns", MAX_COLUMNS)
    class_column = checks.text(document.get("class_column", "class"), "class_column")
    if not columns or "" in columns or len(set(columns)) < len(columns):
        raise BadScene("columns needs at least one name, none of them empty and no two the same.")
    if class_column in columns:
        raise BadScene(f"class_column is {quoted(class_column)}, which is one of the columns of numbers too.")
    X = checks.matrix(document.get("points", []), "points", len(columns), MAX_POINTS)
    class_names = checks.texts(document.get("class_names", []), "class_names", MAX_CLASSES)
    labels = _labels(document["labels"], class_names) if "labels" in document else np.zeros(len(X), dtype=np.intp)
    if len(labels) != len(X):
        raise BadScene(f"labels has {len(labels):,} entries, but there are {len(X):,} points.")
    held_out = rows_from_json(document.get("held_out", []), "held_out", len(X))
    active = ~rows_from_json(document.get("inactive", []), "inactive", len(X))
    class_names = tuple(_class_name(name, code) for code, name in enumerate(class_names))
    return Dataset(X, labels, columns, class_column, class_names, held_out, active, source)


def _class_name(name: str, code: int) -> str:
    """The name on one line; the usual one where there is nothing to see."""
    return " ".join(name.splitlines()) if name.strip() else default_class_name(code)


def _source(value: Any) -> Generator:
    known = generators()
    fields = checks.entries(value, "source", ("generator", "parameters", "seed"))
    name = checks.one_of(fields.get("generator"), "source.generator", known)
    generator = checks.declared(known[name], fields.get("parameters", {}), "source.parameters")
    return generator.replace(seed=checks.whole(fields.get("seed", 0), "source.seed", checks.MAX_SEED))


def _labels(value: Any, class_names: tuple[str, ...]) -> Labels:
    labels = checks.items(value, "labels", MAX_POINTS)
    if set(map(type, labels)) <= {int} and (not labels or (min(labels) >= 0 and max(labels) < MAX_CLASSES)):
        return np.array(labels, dtype=np.intp)
    return np.array([_label(label, f"labels[{i}]", class_names) for i, label in enumerate(labels)], dtype=np.intp)


def _label(value: Any, where: str, class_names: tuple[str, ...]) -> int:
    if not isinstance(value, str):
        return checks.whole(value, where, MAX_CLASSES)
    if (count := class_names.count(value)) != 1:
        what = "several of the class_names" if count else "not one of the class_names"
        raise BadScene(f"{where} is {quoted(checks.text(value, where))}, which is {what}.")
    return class_names.index(value)


def _colours(value: Any) -> Colours:
    names = checks.texts(value, "class_colours", len(COLOUR_NAMES))
    colours: Colours = ()
    for code, name in enumerate(names):
        checks.one_of(name, f"class_colours[{code}]", COLOUR_NAMES)
        if name in names[:code]:
            raise BadScene(f"class_colours[{code}] is {name} like one before; every class has a colour of its own.")
        colours = exchanged(colours, code, COLOUR_NAMES.index(name))
    return colours


def _view(value: Any, dataset: Dataset) -> View:
    fields = checks.entries(value, "view", ("axes", "limits", "equal", "step", "probe", "slice"))
    axes = checks.optional(fields.get("axes"), lambda v: checks.texts(v, "view.axes", 2))
    if axes is not None and len(axes) != 2:
        raise BadScene("view.axes needs the names of two columns.")
    checks.names(axes or (), "view.axes", dataset.columns)
    limits = checks.reals(fields.get("limits", list(DEFAULT_LIMITS)), "view.limits", 4)
    if not (limits[0] < limits[1] and limits[2] < limits[3]):
        raise BadScene("view.limits needs left < right and bottom < top.")
    step = checks.optional(fields.get("step"), lambda v: checks.whole(v, "view.step", checks.MAX_SEED))
    probe = checks.optional(fields.get("probe"), lambda v: checks.reals(v, "view.probe", 2))
    cut = checks.optional(fields.get("slice"), lambda v: checks.reals(v, "view.slice", 4))
    for name, places in (("limits", limits), ("probe", probe or ()), ("slice", cut or ())):
        checks.in_reach(places, f"view.{name}")
    return View(
        axes=None if axes is None else (axes[0], axes[1]),
        limits=(limits[0], limits[1], limits[2], limits[3]),
        equal=checks.flag(fields.get("equal", True), "view.equal"),
        step=step,
        probe=None if probe is None else (probe[0], probe[1]),
        slice=None if cut is None else (cut[0], cut[1], cut[2], cut[3]),
    )
