"""What the sweep looks at: every method on a few samples, each way of meeting classes, and the model that must be told.

Of all cases these are the ones that `tests/sweep.py` chooses, the same in all files, so that pictures are drawn once.
The model is fitted by the pipeline itself, apart from the picture, so that both can disagree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache, wraps
from typing import Any

import numpy as np

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.picture import Drawing, empty_picture, sample_field, viewport_of
from mlviz.picture.texts import explanation_of
from mlviz.pipeline.decisions import NATURAL_DECISION, Decision
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.canvas_axes import axes_of
from mlviz.scene.scene import Panel, Scene, View
from mlviz.scene.trace import fit_of
from mlviz.spec import Declared
from tests.sweep import chosen
from tests.truth import fitted_apart, traced

SIZE, NODES = (24, 18), 24
"""So small that a node a pixel is the finest there is: jumps are then traced exactly."""
LIMITS = (-3.2, 3.2, -2.9, 3.1)
CLASSIFIERS = tuple(name for name, method in registry().items() if "classification" in method.tasks)
REGRESSIONS = tuple(name for name, method in registry().items() if "regression" in method.tasks)
CLUSTERINGS = tuple(name for name, method in registry().items() if "clustering" in method.tasks)
WAYS = ("auto", "one-vs-rest", "one-vs-one", "direct")
DECISIONS = {
    "natural": NATURAL_DECISION,
    "threshold": Decision(rule="threshold", threshold=0.4),
    "costs": Decision(rule="costs", cost_fp=3.0, cost_fn=1.0),
    "reject": Decision(rule="costs", cost_fp=2.0, cost_fn=1.5, reject=True, reject_cost=0.35),
}
ASYMMETRIC = Decision(asymmetric=True, cost_below=4.0, cost_above=1.0, level=0.8)
"""What is decided for values; for methods that have a predictive distribution."""
CODES: dict[str, tuple[int, ...]] = {"0 1": (0, 1), "1 2": (1, 2), "3 7 12": (3, 7, 12), "names": (0, 1, 2)}
NAMES = ("ant", "bee-2", "cow (3)")
PROBES = ((-1.9, -1.1), (0.15, 0.2), (1.7, 1.3), (2.6, -2.2))
SHORT = {"max_iter": 20}
"""A fit to the end is not what is tried here."""


@dataclass(frozen=True)
class Case:
    """One method, and how it is asked."""

    method: str
    codes: str = "0 1"
    task: str = "classification"
    multiclass: str = "auto"
    decision: str = "natural"
    preprocessing: str = "none"
    values: tuple[tuple[str, Any], ...] = ()
    d: int = 2
    n: int = 30

    def __str__(self) -> str:
        given = (self.codes, self.multiclass, self.decision, self.preprocessing)
        usual = ("0 1", "auto", "natural", "none")
        said = [word for word, plain in zip(given, usual, strict=True) if word != plain]
        said += [f"{name}={value}" for name, value in self.values]
        said += ["regression", f"{self.d}d"] if self.task == "regression" else []
        return ", ".join((self.method, *said))

    @property
    def words(self) -> tuple[str, ...]:
        """What is combined with the method."""
        values = ", ".join(f"{name}={value}" for name, value in self.values)
        return self.codes, self.task, self.multiclass, self.decision, self.preprocessing, values, f"{self.d}d"

    @property
    def pipeline(self) -> Pipeline:
        method = registry()[self.method]
        known = {p.name for p in method.parameters()}
        values = {name: value for name, value in SHORT.items() if name in known} | dict(self.values)
        return Pipeline(
            method(**values),
            preprocessing=self.preprocessing,
            multiclass=self.multiclass,
            decision=ASYMMETRIC if self.decision == "asymmetric" else DECISIONS[self.decision],
        )

    def scene(self, probe: tuple[float, float] | None = None) -> Scene:
        """The samples on a canvas with every layer switched on."""
        return scene_of(self, samples(self), probe)


def samples(case: Case) -> Dataset:
    """Overlapping groups, two of the samples held out and one switched off; for regression a wave."""
    rng = np.random.default_rng(4)
    codes = CODES[case.codes]
    group = np.arange(case.n) % len(codes)
    X = rng.normal(0, 0.7, (case.n, 2)) + 1.2 * np.column_stack((np.cos(2.1 * group + 3), np.sin(2.1 * group + 3)))
    resting = np.arange(case.n)
    held_out, active = np.isin(resting, (4, 11)), resting != 7
    if case.task != "regression":
        names = NAMES if case.codes == "names" else ()
        return Dataset(X, np.array(codes)[group], class_names=names, held_out=held_out, active=active)
    value = np.sin(1.3 * X[:, 0]) + 0.5 * X[:, 1] * (case.d - 1) + 0.1 * rng.normal(size=case.n)
    table, columns = (X, ("x1", "x2")) if case.d == 1 else (np.column_stack((X, value)), ("x1", "x2", "value"))
    if case.d == 1:
        table = np.column_stack((X[:, 0], value))
    return Dataset(table, np.zeros(case.n, dtype=int), columns, held_out=held_out, active=active)


def scene_of(case: Case, data: Dataset, probe: tuple[float, float] | None = None) -> Scene:
    """The scene of a case on other samples."""
    target = {"classification": "class", "regression": data.columns[-1]}.get(case.task)
    inputs = data.columns[: case.d] if case.task == "regression" else None
    panel = Panel(case.pipeline, inputs=inputs, target=target, hidden=())
    return Scene(data, (panel,), view=View(limits=LIMITS, equal=False, probe=probe))


@dataclass(frozen=True, eq=False)
class Seen:
    """A picture, its scene, the rows that were fitted, and the model fitted apart from it; None where it can't be."""

    case: Case
    scene: Scene
    picture: Any
    rows: np.ndarray
    model: Any
    told: dict[Any, Any] = field(default_factory=dict)

    @property
    def data(self) -> Dataset:
        return self.scene.dataset

    @property
    def marks(self) -> tuple[Any, ...]:
        return self.picture.plot.marks

    def with_role(self, role: str) -> list[Any]:
        return [mark for mark in self.marks if mark.role == role]

    @property
    def X(self) -> np.ndarray:
        """The inputs of the fitted samples."""
        return self.data.X[self.rows][:, : self.case.d]

    @property
    def y(self) -> Any:
        return self.data.labels[self.rows] if self.case.task == "classification" else self.data.X[self.rows, -1]

    def to_inputs(self, places: Any) -> np.ndarray:
        """Places (m, 2) on the canvas as places in the inputs of the data set."""
        projection = axes_of(self.scene, 0).projection
        return np.asarray(places) if projection is None else projection.to_user(np.asarray(places))

    def predict(self, places: Any) -> np.ndarray:
        """What is predicted at places on the canvas."""
        return np.asarray(self.model.predict(self.to_inputs(places)))


@cache
def seen(case: Case, probe: tuple[float, float] | None = None) -> Seen:
    """The picture of a case, drawn once for all tests."""
    return looked_at(case, case.scene(probe))


def drawing(scene: Scene) -> Any:
    """The picture of a scene in the making, or the one without a model where there is none."""
    fit = fit_of(scene, 0)
    trace = traced(scene, fit)
    state = None if trace.error is not None else trace.state(scene.view.step)
    if state is None:
        return empty_picture(scene, 0, fit, SIZE, trace.error or "")
    viewport = viewport_of(scene, fit, SIZE, NODES)
    return Drawing(scene, 0, fit, state, viewport, sample_field(state.model, viewport))


def drawn(scene: Scene) -> Any:
    """The picture of a scene without its charts, which take as long as all else."""
    made = drawing(scene)
    return replace(made.canvas(), facts=made.facts()) if isinstance(made, Drawing) else made


def looked_at(case: Case, scene: Scene) -> Seen:
    """The picture of a scene of that case."""
    data = scene.dataset
    picture = drawn(scene)
    rows = np.flatnonzero(data.active & ~data.held_out)
    y = {"classification": data.labels[rows], "regression": data.X[rows, -1]}.get(case.task)
    X = data.X[rows][:, : case.d]
    pipeline = scene.panels[0].pipeline
    if case.task == "classification":
        pipeline = pipeline.for_codes(np.unique(data.labels[rows]).tolist())
    model = None if picture.message else fitted_apart(scene, pipeline, X, y)
    return Seen(case, scene, picture, rows, model)


def knows_linear(method: str) -> bool:
    """Whether its kernel may be linear."""
    return any(p.name == "kernel" and "linear" in p.options for p in registry()[method].parameters())


def direct_or_not(method: str) -> dict[str, Any]:
    """The hyperparameters with which a classifier meets several classes directly, if any do."""
    if not registry()[method]().not_direct():
        return {}
    linear = {"kernel": "linear"} if knows_linear(method) else {}
    algorithm: Declared = registry()[method](**linear)
    return linear if not algorithm.not_direct() else {"no": "way"}  # type: ignore[attr-defined]


def choosing(cases: Callable[[], list[Case]]) -> Callable[..., list[Case]]:
    """What is chosen of some cases, or of those that are wanted: rather what is chosen of all, and so drawn anyhow."""
    every, usual = cache(cases), cache(lambda: frozenset(chosen(cases())))
    return wraps(cases)(lambda wanted=None: chosen(filter(wanted, every()), fewest=1, rather=usual()))


@choosing
def classifications() -> list[Case]:
    """Classifiers with codes of classes and ways of meeting them, the preprocessings spread over these."""
    found, preprocessings = [], ("none", "standardize", "whiten", "principal-components")
    for i, method in enumerate(CLASSIFIERS):
        for j, decision in enumerate(DECISIONS):
            for codes in ("0 1", "1 2"):
                kind = preprocessings[(i + j + (codes == "1 2")) % 4]
                found.append(Case(method, codes, decision=decision, preprocessing=kind))
        for j, way in enumerate(WAYS):
            values = direct_or_not(method) if way == "direct" else {}
            if "no" in values:
                continue
            for codes in ("3 7 12", "names"):
                kind = preprocessings[(i + j + 2 * (codes == "names")) % 4]
                found.append(Case(method, codes, multiclass=way, preprocessing=kind, values=tuple(values.items())))
    # Features are for linear methods: squares of squares and bumps over them are too steep for so few nodes.
    for method in sorted({*CLASSIFIERS} - {"kernel-perceptron", "parzen", "qda", "random-features", "rbf-network"}):
        linear = (("kernel", "linear"),) if knows_linear(method) else ()
        plain = Case(method, preprocessing="features", values=linear)
        found += [replace(plain, codes="1 2"), replace(plain, codes="3 7 12"), replace(plain, decision="reject")]
    return found


@choosing
def regressions() -> list[Case]:
    """Regressions on one and two inputs, with preprocessings that keep the axes, and under costs if they can."""
    return [
        Case(method, task="regression", d=d, preprocessing=kind, decision=decision)
        for method in REGRESSIONS
        for d in (1, 2)
        for kind in ("none", "standardize", "features")
        for decision in (("natural", "asymmetric") if registry()[method].is_predictive() else ("natural",))
    ]


@choosing
def clusterings() -> list[Case]:
    """Clusterings with each preprocessing."""
    return [
        Case(method, task="clustering", preprocessing=kind)
        for method in CLUSTERINGS
        for kind in ("none", "standardize", "whiten", "principal-components", "features")
    ]


def everything(wanted: Callable[[Case], bool] | None = None) -> list[Case]:
    """All of these, and a method of each other task."""
    others = [Case("pca", task="clustering"), Case("kde", task="clustering")]
    return [*classifications(wanted), *regressions(wanted), *clusterings(wanted), *filter(wanted, others)]


@cache
def _fitted(case: Case) -> tuple[Any, Any, Any]:
    scene = case.scene()
    fit = fit_of(scene, 0)
    model = traced(scene, fit).state(None).model.deciding(fit.pipeline.decision)
    return fit, model, viewport_of(scene, fit, SIZE, 4)


@cache
def sentence(case: Case, place: tuple[float, float]) -> str:
    """What is told of a place on the canvas, "" where nothing is."""
    fit, model, viewport = _fitted(case)
    told = explanation_of(case.scene(place), fit, model, viewport)
    return "" if told is None else told.sentence


def texts(picture: Any) -> list[str]:
    """All that a picture says in words: under it, beside it, in legends, and at the probe."""
    found = [picture.caption, picture.message or "", picture.stage]
    found += [f"{name} {fact}" for name, fact in picture.facts.items()]
    for plot in (picture.plot, *(picture.sides or ())):
        found += [plot.title, plot.x_label, plot.y_label, *(mark.label for mark in plot.marks)]
        found += [word for mark in plot.marks for word in getattr(mark, "words", ())]
    if picture.explanation is not None:
        found += [picture.explanation.sentence, *(mark.label for mark in picture.explanation.marks)]
    return [text for text in found if text]
