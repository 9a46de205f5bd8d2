"""What a panel fits, under the key that names it in caches, and the sequence of models that the fit went through."""

from __future__ import annotations

import dataclasses
import itertools
import operator
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.numerics.arrays import AnyArray, Array, Rows, occurring
from mlviz.pipeline.decisions import NATURAL_DECISION
from mlviz.pipeline.pipeline import Pipeline, PipelineModel
from mlviz.pipeline.rating import HeldOut
from mlviz.scene.canvas_axes import CanvasAxes, axes_of
from mlviz.scene.model_size import size_of
from mlviz.scene.recent import Recent
from mlviz.scene.scene import MAX_LIMIT, Roles, Scene, roles
from mlviz.scene.stepping import Stepping
from mlviz.spec.brief import Brief
from mlviz.spec.outside import listed, told

FitKey = tuple[Any, ...]
_ALL_OUT = "All samples are held out or switched off: none is left to learn from."
_LOADING_SECONDS = 1.0
"""A step that took longer is not made again for the time that it took to load modules."""
_TRACE_MEMORY = 64 * 2**20
"""How many bytes of models one trace keeps before it thins them."""
RECENT_MODELS = 32
"""How many models found again by running a fit a second time are kept, for stepping back through them."""


@dataclass(frozen=True, eq=False)
class Fit(Brief):
    """What one panel of a scene fits: a pipeline, its samples and a seed."""

    key: FitKey
    """Names the fit: two fits of the same key give the same models."""
    pipeline: Pipeline
    roles: Roles
    seed: int
    X: Array
    """(n, d)."""
    y: AnyArray | None
    """(n,) class codes or values."""
    rows: Rows
    """(n,) row of each sample in the data set."""
    axes: CanvasAxes
    """Those of the panel's canvas."""
    problem: str = ""
    """Why it can't be tried at all, in one sentence."""
    test: HeldOut | None = None
    """The samples that were held out and are switched on, by which the fit is judged; None where there are none."""

    def steps(self) -> Iterator[PipelineModel]:
        """The models from the first to the final one; raises `CannotFit`."""
        if self.problem:
            raise CannotFit(self.problem)
        # Without the decision, which is no part of the key: `PipelineModel.deciding` applies the one that is asked for.
        pipeline = self.pipeline.replace(decision=NATURAL_DECISION)
        return pipeline.steps(self.X, self.y, seed=self.seed, held_out=self.test)


def fit_of(scene: Scene, index: int) -> Fit:
    """What the panel `index` fits; held-out samples and those switched off take no part."""
    panel, dataset = scene.panels[index], scene.dataset
    role = _in_order_of_axes(roles(scene, panel), scene)
    target = role.target if role.task == "regression" else None
    rows = np.flatnonzero(dataset.training)
    wanted = role.inputs if target is None else (*role.inputs, target)
    missing = [name for name in (*wanted, *(scene.view.axes or ())) if name not in dataset.columns]
    problem = "" if len(rows) or not len(dataset) else _ALL_OUT
    if missing:
        problem = f"There is no column {told(missing[0])!r}; there are {listed(dataset.columns)}."
    columns = [] if missing else [dataset.column(name) for name in role.inputs]
    known: AnyArray | None = None
    if role.task == "classification":
        known = dataset.labels
    elif target is not None and not missing:
        known = dataset.X[:, dataset.column(target)]
    X, y = dataset.X[rows][:, columns], None if known is None else known[rows]
    pipeline = panel.pipeline
    if y is not None and target is None:
        pipeline = pipeline.for_codes(occurring(y).tolist())
    test, out = None, np.flatnonzero(dataset.test)
    if len(out):
        test = HeldOut(dataset.X[out][:, columns], None if known is None else known[out], out)
    for what, values in (("inputs", X), ("target", y)):
        far = values is not None and max(values.max(initial=0), -values.min(initial=0)) > MAX_LIMIT
        if far and not problem:
            problem = f"Some values of the {what} are beyond {MAX_LIMIT:g}, too far away to draw: use a larger unit."
    key = key_of(scene, panel.pipeline, role)
    return Fit(key, pipeline, role, scene.seed, X, y, rows, axes_of(scene, index), problem, test)


def fit_key(scene: Scene, index: int) -> FitKey:
    """The name of what the panel `index` fits, without reading the samples."""
    panel = scene.panels[index]
    return key_of(scene, panel.pipeline, _in_order_of_axes(roles(scene, panel), scene))


def key_of(scene: Scene, pipeline: Pipeline, role: Roles) -> FitKey:
    """The name of what a pipeline fits in those roles."""
    return (
        scene.dataset.key,
        role.inputs,
        role.target,
        pipeline.algorithm,
        pipeline.preprocessor,
        pipeline.multiclass,
        pipeline.weights,
        scene.seed,
    )


def _in_order_of_axes(role: Roles, scene: Scene) -> Roles:
    # The grid of the canvas has its horizontal axis first; so must a model that is drawn on it.
    swapped = len(role.inputs) == 2 and role.inputs == scene.axes[::-1]
    return dataclasses.replace(role, inputs=scene.axes) if swapped else role


@dataclass(frozen=True, eq=False)
class TraceStep(Brief):
    """A model of a fit, and where among the fit's steps it stands."""

    model: PipelineModel
    step: int = 0
    n_steps: int = 1
    history: Sequence[float] = ()
    """The objective after each step so far."""
    finished: bool = True


class Trace(Stepping[PipelineModel]):
    """The models of one fit, computed as far as time allowed.

    Every step's objective and stage is kept; the models are thinned to `memory` bytes (the first, the last and every
    so many between), and one that was thinned away is computed again from the same seed. A method that is not playable
    has one step, its latest model.
    """

    def __init__(self, fit: Fit, memory: int = _TRACE_MEMORY) -> None:
        super().__init__()
        self.fit = fit
        self.objectives: list[float] = []
        self.stages: list[str] = []
        self._memory = memory
        self._nbytes: int | None = 0
        """As far as they have been measured; None where that is still to be done."""
        self._kept: dict[int, PipelineModel] = {}
        self._last: PipelineModel | None = None
        self._stride = 1
        self._again: Iterator[tuple[int, PipelineModel]] = iter(())
        self._found = Recent[int, PipelineModel](RECENT_MODELS)

    @property
    def answer(self) -> PipelineModel | None:
        """The last model; None until the fit has come to its end, and where there is none."""
        return self._last if self.finished else None

    @property
    def nbytes(self) -> int:
        """About how much memory the kept models take; a picture of the only model does not wait until it is asked."""
        if self._nbytes is None:
            self._nbytes = size_of(self._last)
        return self._nbytes

    @property
    def progress(self) -> str:
        """What is under way, in some words."""
        return f"{self.fit.pipeline.algorithm.label}: fitting"

    @property
    def n_steps(self) -> int:
        """How many steps there are so far."""
        return len(self.stages)

    def _beginning(self) -> Iterator[PipelineModel]:
        # Methods load modules when first used, which takes long and is no part of the fit: it begins anew then, unless
        # that would take long too. Not for ever, since a thread that reads further methods may be loading.
        for last in (False, False, True):
            known = len(sys.modules)
            for step in self.fit.steps():
                quick = time.perf_counter() - self._since < _LOADING_SECONDS
                if len(sys.modules) > known and quick and not last:
                    break
                yield step
                known = len(sys.modules)
            else:
                return
            self._forget()
            self.seconds, self._since = 0.0, time.perf_counter()

    def _take(self, step: PipelineModel) -> None:
        if step is not self._last:
            self._record(step)

    def _check(self) -> None:
        if self._last is None:
            raise CannotFit("The method gave no model.")

    def state(self, step: int | None, deadline: float = float("inf")) -> TraceStep | None:
        """The state at that step, or the nearest there is so far; `step` None means the last.

        The answer is None where `model` has none yet.
        """
        at = self.n_steps - 1 if step is None else min(max(step, 0), self.n_steps - 1)
        model = self.model(at, deadline)
        return None if model is None else TraceStep(model, at, self.n_steps, tuple(self.objectives), self.finished)

    def model(self, step: int, deadline: float = float("inf")) -> PipelineModel | None:
        """The model of that step; None if it has to be computed again and `deadline` came first: ask once more."""
        if step == self.n_steps - 1:
            return self._last
        for known in (self._kept, self._found):
            if step in known:
                return known[step]
        position = next(reversed(self._found), -1)
        if not 0 <= position < step:
            self._found.clear()
            self._again = enumerate(_different(self.fit.steps()))
        for position, model in self._again:
            self._found.use(position, model)
            if position == step:
                return model
            if time.perf_counter() >= deadline:
                return None
        raise IndexError(f"the fit has {self.n_steps} steps, and no step {step}")

    def _record(self, model: PipelineModel) -> None:
        if not self.fit.pipeline.algorithm.traits.playable:
            self.objectives, self.stages, self._last = [model.objective], [model.stage], model
            self._nbytes = None
            return
        step = self.n_steps
        self.objectives.append(model.objective)
        self.stages.append(model.stage)
        if step % self._stride == 0:
            self._kept[step] = model
            self._nbytes = self.nbytes + size_of(model, beside=self._last)
        self._last = model
        if self.nbytes > self._memory and len(self._kept) > 2:
            self._thin()

    def _thin(self) -> None:
        while self.nbytes > self._memory / 2 and len(self._kept) > 2:
            self._stride *= 2
            self._kept = {step: model for step, model in self._kept.items() if step % self._stride == 0}
            kept = list(self._kept.values())
            self._nbytes = sum(size_of(b, beside=a) for a, b in itertools.pairwise([None, *kept]) if b is not None)

    def fail(self, sentence: str) -> None:
        """Give the fit up, and say why."""
        super().fail(sentence)
        self._forget()

    def _forget(self) -> None:
        self.objectives, self.stages, self._kept, self._last, self._nbytes = [], [], {}, None, 0
        self._stride = 1


def _different(models: Iterator[PipelineModel]) -> Iterator[PipelineModel]:
    """The models without those that only come again."""
    last = None
    for model in models:
        if model is not last:
            yield model
        last = model


def trace_cache(most: int = 48, memory: int = 256 * 2**20) -> Recent[FitKey, Trace]:
    """The finished traces used last."""
    return Recent(most, memory, operator.attrgetter("nbytes"))
