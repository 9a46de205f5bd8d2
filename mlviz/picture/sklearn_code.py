"""Python lines that give the answer on the screen with scikit-learn, from the samples that it was fitted to."""

from __future__ import annotations

import numpy as np

from mlviz.algorithms.base import Code
from mlviz.data.dataset import Dataset
from mlviz.draw.numbers import share
from mlviz.draw.tasks import UNSUPERVISED
from mlviz.numerics.arrays import Mask
from mlviz.pipeline.model import PipelineModel
from mlviz.pipeline.weights import DRAWN, Weights
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
    fitting = [*before, f"model = {estimator}.fit({given})"]
    if task in UNSUPERVISED:
        last = "model[-1]" if before_it is not None or len(code.steps) > 1 else "model"
        fitting.append(f"print({last}.{code.result})")
    else:
        kinds = ("training", "test") if scene.dataset.test.any() else ("training",)
        fitting += [line for kind in kinds for line in _errors(model, task, kind)]
    return "\n".join([*_sorted(imports), "", *_reading(scene, index, names), "", *_notes(code, model), *fitting]) + "\n"


def _sorted(imports: list[str]) -> list[str]:
    """In the usual order; what comes from one module on one line."""
    names: dict[str, set[str]] = {}
    for line in imports[1:]:
        module, _, named = line.removeprefix("from ").partition(" import ")
        names.setdefault(module, set()).update(named.split(", "))
    return [imports[0], *(f"from {module} import {', '.join(sorted(names[module]))}" for module in sorted(names))]


def _reading(scene: Scene, index: int, names: list[str]) -> list[str]:
    """Lines that make X and y: of few samples with their numbers, of more out of a table.

    Where samples are held out and have a target, there are X_test and y_test, too.
    """
    data, role = scene.dataset, roles(scene, scene.panels[index])
    parts = [("", data.training)]
    if role.target is not None and data.test.any():
        parts.append(("_test", data.test))
    written = sum(int(rows.sum()) for _, rows in parts) <= _WRITTEN_OUT
    lines = [] if written else _table(data, len(parts) > 1)
    for of, rows in parts:
        lines += _written_out(data, role, rows, of) if written else _out_of_table(data, role, of)
        if role.task == "classification" and names:
            coded = f"y{of} = np.array([{names!r}.index(name) for name in y{of}])"
            lines.append(f"{coded}  # 0 for the first class, 1 for the second")
    return lines


def _written_out(data: Dataset, role: Roles, known: Mask, of: str) -> list[str]:
    rows = data.X[known]
    samples = (f"    {row}," for row in rows[:, [data.column(name) for name in role.inputs]].tolist())
    lines = [f"# {_one_line(', '.join(role.inputs))}", f"X{of} = np.array([", *samples, "])"]
    target: list[object] = []
    if role.task == "classification":
        target = [data.class_name(code) for code in data.labels[known].tolist()]
    elif role.target is not None:
        target = rows[:, data.column(role.target)].tolist()
    if role.target is not None:
        lines += [f"# {_one_line(role.target)}", f"y{of} = np.array({target!r})"]
    return lines


def _table(data: Dataset, tests: bool) -> list[str]:
    """They read the table as "Save data as CSV" writes it, and part it into training and, if wanted, test samples."""
    n = len(data.columns)
    lines = [
        f"# The points, saved as {TABLE} (Data > Save data as CSV).",
        f'table = np.loadtxt("{TABLE}", str, comments=None, delimiter=",", quotechar=\'"\', skiprows=1, ndmin=2,',
        '                   encoding="utf-8")',
    ]
    flags = [mask for mask in (data.held_out, ~data.active) if mask.any()]
    if not data.active.all():
        lines.append(f'table = table[table[:, {n + len(flags) - 1}] == ""]')
    if tests:
        lines.append(f'table_test = table[table[:, {n}] != ""]')
    if data.held_out.any():
        lines.append(f'table = table[table[:, {n}] == ""]')
    return lines


def _out_of_table(data: Dataset, role: Roles, of: str) -> list[str]:
    inputs = [data.column(name) for name in role.inputs]
    lines = [f"X{of} = table{of}[:, {inputs}].astype(float)  # {_one_line(', '.join(role.inputs))}"]
    if role.task == "classification":
        flags = int(data.held_out.any()) + int(not data.active.all())
        lines.append(f"y{of} = table{of}[:, {len(data.columns) + flags}]  # {_one_line(role.target)}")
    elif role.target is not None:
        lines.append(f"y{of} = table{of}[:, {data.column(role.target)}].astype(float)  # {_one_line(role.target)}")
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
    if code.note:
        notes.append(f"# {code.note}")
    if (cost := model.value_cost) is not None:
        quantile = f"the {share(cost.share)} quantile of the predictive distribution"
        notes.append(f"# mlviz decides for {quantile}; these lines give its middle.")
    if model.training.scheme == "one-vs-one" and any("len(y)" in step for step in code.steps):
        notes.append(
            "# mlviz counts the samples of each pair of classes, scikit-learn is told one number for all pairs."
        )
    return notes


def _weighable(code: Code, model: PipelineModel, weights: Weights) -> bool:
    """Whether scikit-learn's estimator takes these weights."""
    drawn = weights.balance in DRAWN or model.training.resampled_rows is not None
    name = code.steps[-1].partition("(")[0]
    return not drawn and not model.parts and len(code.steps) == 1 and name not in _UNWEIGHED


def _class_weight(scene: Scene, weights: Weights, coded: list[str]) -> str:
    """The weights as scikit-learn is told them, the classes by name."""
    if weights.balance == "balanced":
        return '"balanced"'
    parameter, codes = weights.parameter("class_weight"), np.unique(scene.dataset.labels).tolist()
    names = range(len(coded)) if coded else scene.dataset.names()
    return str({names[code]: parameter.for_class(weights.class_weight, code) for code in codes})


def _errors(model: PipelineModel, task: str, kind: str) -> list[str]:
    """Lines that decide as the pipeline does, and print the error on training or test samples."""
    of = "" if kind == "training" else "_test"
    X, y, score, decided, rejected = (f"{name}{of}" for name in ("X", "y", "score", "decided", "rejected"))
    rule = model.score_threshold
    if task == "regression":
        return [f'print("{kind} RMSE", np.sqrt(np.mean((model.predict({X}) - {y}) ** 2)))']
    if rule is None:
        return [f'print("{kind} error", np.mean(model.predict({X}) != {y}))']
    limits = (rule.threshold, *(rule.reject_band or ()))
    # Not all of scikit-learn's classifiers have log odds; all of them that have some have logarithms of probabilities.
    scores = {"score": f"decision_function({X})", "log odds": f"predict_log_proba({X}) @ [-1, 1]"}
    asked = scores.get(rule.unit, f"predict_proba({X})[:, 1]")
    lines = [f"{score} = model.{asked}", f"{decided} = model.classes_[({score} > {limits[0]!r}).astype(int)]"]
    if rule.reject_band is None:
        return [*lines, f'print("{kind} error", np.mean({decided} != {y}))']
    lines.append(f"{rejected} = ({score} > {limits[1]!r}) & ({score} < {limits[2]!r})")
    return [*lines, f'print("{kind} error", np.mean(({decided} != {y}) & ~{rejected}))']
