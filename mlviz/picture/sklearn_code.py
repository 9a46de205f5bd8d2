"""Python lines that give the answer on the screen with scikit-learn, from the samples that it was fitted to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import Code
from mlviz.data.dataset import Dataset
from mlviz.draw.layer import UNSUPERVISED
from mlviz.pipeline.model import PipelineModel
from mlviz.pipeline.weights import Weights
from mlviz.scene.scene import Roles, Scene, roles

TABLE = "points.csv"
"""What the code calls the table of the samples."""
_WRITTEN_OUT = 200
"""So many samples stand in the lines themselves."""
_UNWEIGHED = (
    "KNeighborsClassifier",
    "LinearDiscriminantAnalysis",
    "NearestCentroid",
    "QuadraticDiscriminantAnalysis",
)
"""What scikit-learn can't give weights of samples."""
_SEVERAL = {"one-vs-one": "OneVsOneClassifier", "one-vs-rest": "OneVsRestClassifier"}


def python_code(scene: Scene, index: int, model: PipelineModel) -> str:
    """The lines for panel `index`; "" where scikit-learn does not know the method, or can't weigh its classes so."""
    pipeline = scene.panels[index].pipeline
    code = pipeline.algorithm.code(model.parts[0].model if model.parts else model.inner)
    weighing = model.training.weighed
    if code is None or (weighing and not _weighable(code, model, pipeline.weights)):
        return ""
    task = roles(scene, scene.panels[index]).task
    before_it = pipeline.preprocessor.counterpart(model.training.X.shape[1])
    imports, estimator = ["import numpy as np", *code.imports], _estimator(code, model, before_it)
    if len(code.steps) > 1 or before_it:
        imports.append("from sklearn.pipeline import make_pipeline")
    if before_it:
        imports.append(before_it[0])
    if model.parts:
        imports.append(f"from sklearn.multiclass import {_SEVERAL[model.training.scheme]}")
    names = _out_of_order(scene) if model.score_threshold is not None else []
    given = "X" if task in UNSUPERVISED else "X, y"
    before = list(code.before)
    if weighing:
        imports.append("from sklearn.utils.class_weight import compute_sample_weight")
        before.append(f"weights = compute_sample_weight({_class_weight(scene, pipeline.weights, names)}, y)")
        estimator = estimator.replace("len(y)", "weights.sum()")
        last = code.steps[-1].partition("(")[0]
        given += f", {last.lower()}__sample_weight=weights" if before_it else ", sample_weight=weights"
    shown = [_shown(code, task, before_it is not None)] if model.score_threshold is None else _decided(model)
    fitting = [*before, f"model = {estimator}.fit({given})", *shown]
    return "\n".join([*_sorted(imports), "", *_reading(scene, index, names), "", *_notes(code, model), *fitting]) + "\n"


def _sorted(imports: list[str]) -> list[str]:
    """In the usual order; what comes from one module on one line."""
    names: dict[str, list[str]] = {}
    for line in imports[1:]:
        module, _, name = line.removeprefix("from ").partition(" import ")
        names.setdefault(module, []).append(name)
    return [imports[0], *(f"from {module} import {', '.join(sorted(names[module]))}" for module in sorted(names))]


def _reading(scene: Scene, index: int, names: list[str]) -> list[str]:
    """Lines that make X and y: of few samples with their numbers, of more out of a table."""
    role = roles(scene, scene.panels[index])
    known = scene.dataset.training
    lines = (
        _written_out(scene.dataset, role, known) if known.sum() <= _WRITTEN_OUT else _out_of_table(scene.dataset, role)
    )
    if role.task == "classification" and names:
        lines.append(f"y = np.array([{names!r}.index(name) for name in y])  # 0 for the first class, 1 for the second")
    return lines


def _written_out(data: Dataset, role: Roles, known: NDArray[np.bool_]) -> list[str]:
    rows = data.X[known]
    samples = (f"    {row}," for row in rows[:, [data.column(name) for name in role.inputs]].tolist())
    lines = [f"# {_one_line(', '.join(role.inputs))}", "X = np.array([", *samples, "])"]
    target: list[object] = []
    if role.task == "classification":
        target = [data.class_name(code) for code in data.labels[known].tolist()]
    elif role.target is not None:
        target = rows[:, data.column(role.target)].tolist()
    return [*lines, f"# {_one_line(role.target)}", f"y = np.array({target!r})"] if role.target is not None else lines


def _out_of_table(data: Dataset, role: Roles) -> list[str]:
    """They read the table as "Save data as CSV" writes it."""
    flags = [mask for mask in (data.held_out, ~data.active) if mask.any()]
    n = len(data.columns)
    lines = [
        f"# The points, saved as {TABLE} (Data > Save data as CSV).",
        f'table = np.loadtxt("{TABLE}", str, comments=None, delimiter=",", quotechar=\'"\', skiprows=1, ndmin=2,',
        '                   encoding="utf-8")',
    ]
    lines += [f'table = table[table[:, {n + k}] == ""]' for k in range(len(flags))][:1]
    if len(flags) > 1:
        lines[-1] = f'table = table[(table[:, {n}] == "") & (table[:, {n + 1}] == "")]'
    inputs = [data.column(name) for name in role.inputs]
    lines.append(f"X = table[:, {inputs}].astype(float)  # {_one_line(', '.join(role.inputs))}")
    if role.task == "classification":
        lines.append(f"y = table[:, {n + len(flags)}]  # {_one_line(role.target)}")
    elif role.target is not None:
        lines.append(f"y = table[:, {data.column(role.target)}].astype(float)  # {_one_line(role.target)}")
    return lines


def _out_of_order(scene: Scene) -> list[str]:
    """The names of the classes where scikit-learn, which sorts them, would take another for the first; else none."""
    names = list(scene.dataset.names())
    return names if names != sorted(names) else []


def _one_line(name: str | None) -> str:
    """A name that can't leave its comment, whatever line breaks are in it."""
    return " ".join((name or "").split())


def _estimator(code: Code, model: PipelineModel, before_it: tuple[str, str] | None) -> str:
    steps = code.steps
    if model.parts:
        whole = steps[0] if len(steps) == 1 else f"make_pipeline({', '.join(steps)})"
        steps = (f"{_SEVERAL[model.training.scheme]}({whole})",)
    if before_it:
        steps = (before_it[1], *steps)
    return steps[0] if len(steps) == 1 else f"make_pipeline({', '.join(steps)})"


def _notes(code: Code, model: PipelineModel) -> list[str]:
    notes = [f"# mlviz: {model.caveat}."] if model.caveat else []
    if model.training.scheme == "one-vs-one" and any("len(y)" in step for step in code.steps):
        notes.append(
            "# mlviz counts the samples of each pair of classes, scikit-learn is told one number for all pairs."
        )
    return notes


def _weighable(code: Code, model: PipelineModel, weights: Weights) -> bool:
    """Whether scikit-learn's estimator takes these weights."""
    drawn = weights.balance in ("subsample", "upsample") or model.training.resampled_rows is not None
    name = code.steps[-1].partition("(")[0]
    return not drawn and not model.parts and len(code.steps) == 1 and name not in _UNWEIGHED


def _class_weight(scene: Scene, weights: Weights, coded: list[str]) -> str:
    """The weights as scikit-learn is told them, the classes by name."""
    if weights.balance == "balanced":
        return '"balanced"'
    parameter, codes = weights.parameter("class_weight"), np.unique(scene.dataset.labels).tolist()
    names = range(len(coded)) if coded else scene.dataset.names()
    return str({names[code]: parameter.for_class(weights.class_weight, code) for code in codes})


def _decided(model: PipelineModel) -> list[str]:
    """Lines that decide as the pipeline does, and print the error."""
    rule = model.score_threshold
    assert rule is not None
    limits = (rule.threshold, *(rule.reject_band or ()))
    # Not all of scikit-learn's classifiers have log odds; all of them that have some have logarithms of probabilities.
    scores = {"score": "decision_function(X)", "log odds": "predict_log_proba(X) @ [-1, 1]"}
    score = scores.get(rule.unit, "predict_proba(X)[:, 1]")
    lines = [f"score = model.{score}", f"decided = model.classes_[(score > {limits[0]!r}).astype(int)]"]
    if rule.reject_band is None:
        return [*lines, 'print("training error", np.mean(decided != y))']
    lines.append(f"rejected = (score > {limits[1]!r}) & (score < {limits[2]!r})")
    return [*lines, 'print("training error", np.mean((decided != y) & ~rejected))']


def _shown(code: Code, task: str, within: bool) -> str:
    """The line that prints a number which stands under the picture too; `within` a pipeline or not."""
    if task == "classification":
        return 'print("training error", np.mean(model.predict(X) != y))'
    if task == "regression":
        return 'print("training RMSE", np.sqrt(np.mean((model.predict(X) - y) ** 2)))'
    last = "model[-1]" if within or len(code.steps) > 1 else "model"
    return f"print({last}.{code.result})"
