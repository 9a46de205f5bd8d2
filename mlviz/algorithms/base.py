"""What an algorithm is: hyperparameters, and a fit as a generator of usable models."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlviz.draw.layer import UNSUPERVISED, Chart, Explanation, Overlay, Task
from mlviz.numerics.distances import FARTHEST
from mlviz.numerics.grid import Array, Grid
from mlviz.spec import Declared, Parameter


class CannotFit(Exception):
    """The data can't be fitted; the message is one sentence for the person looking at the canvas."""


@dataclass(frozen=True)
class Code:
    """How scikit-learn is asked for the same answer: lines to import, and the steps of its pipeline as expressions.

    In them ``y`` and ``X`` are the samples; `before` are lines that the expressions need. `result` is the attribute of
    the fitted last step to look at, where there is no training error.
    """

    imports: tuple[str, ...]
    steps: tuple[str, ...]
    before: tuple[str, ...] = ()
    result: str = ""


def format_array(values: Array) -> str:
    """An array as Python writes nested lists, with ten digits a number."""
    rounded = [float(f"{value:.10g}") for value in values.ravel().tolist()]
    return str(np.array(rounded).reshape(values.shape).tolist())


class Model:
    """One learned state, frozen, answering in scikit-learn's words.

    `field` names the method that `on_grid` mirrors, or is None. `objective` is what the algorithm makes smaller (a
    log-likelihood: larger), where it has several steps, and `objective_name` is what that is called; `stage` names the
    step that led here ("assignment", "update"). `jumps` says that the field is not continuous, so that lines can't be
    traced in it alone. `caveat` says in a few words what the line under the picture must not hide, such as an answer to
    less than was asked. `cost` is about how many numbers it takes to answer for one place.
    """

    field: str | None = None
    objective: float = float("nan")
    objective_name: str = "objective"
    stage: str = ""
    jumps: bool = False
    caveat: str = ""
    cost: int = 1

    def facts(self) -> dict[str, Any]:
        """Name -> number, text or flag: what stands under the panel. Numbers are plain Python's."""
        return {}

    def explain(self, x: Array) -> Explanation | None:
        """Why the model says what it says at the place x (d,); None where it has nothing to say.

        For "class 3" (the class of code 3) and "x1" (the first input) in its sentence the picture puts their names.
        """
        return None

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> NDArray[Any]:
        """The method named by `field` at every node: (ny, nx), or (ny, nx, k)."""
        if self.field is None:
            raise AttributeError(f"{type(self).__name__} has no field")
        values = np.asarray(getattr(self, self.field)(grid.points()))
        return values.reshape(grid.shape + values.shape[1:])


class Follower(Protocol):
    """Keeps what makes a drag fast. Lives only in the worker, one per panel and sub-problem; its models are drafts."""

    def update(
        self, algorithm: Any, X: Array, y: NDArray[Any] | None, sample_weight: Array | None, deadline: float
    ) -> Model:
        """A model for the changed data or hyperparameters; may stop improving at `deadline` (time.perf_counter).

        It finds out by itself what changed since the last call. Raises `CannotFit` as `steps` does.
        """


AnyModel = TypeVar("AnyModel")


def last_model_until(deadline: float, models: Iterator[AnyModel]) -> AnyModel:
    """The last of the models, or the first one after the deadline (time.perf_counter); `CannotFit` where none comes."""
    model = None
    for model in models:  # noqa: B007
        if time.perf_counter() > deadline:
            break
    if model is None:
        raise CannotFit("The method gave no model.")
    return model


@runtime_checkable
class StartsFromModel(Protocol):
    """A follower that can go on from the model on the screen: where there are many optima, its own may be another."""

    def start_from(self, model: Any) -> None:
        """Start the next update from a model of the algorithm."""


@dataclass(frozen=True)
class Algorithm(Declared):
    """Base of every method: a frozen dataclass of hyperparameters. The subclass's docstring is its help page."""

    id: ClassVar[str]
    label: ClassVar[str]
    family: ClassVar[str]
    tasks: ClassVar[tuple[Task, ...]]
    """What it can do; the first one is chosen when the method is picked."""
    main: ClassVar[str] = ""
    """The hyperparameter that the Up and Down keys move; empty where there is none."""
    field: ClassVar[str | None] = None
    """What `on_grid` of its models mirrors (a model's own `field` says it for that model)."""
    overlays: ClassVar[tuple[Overlay, ...]] = ()
    charts: ClassVar[tuple[Chart, ...]] = ()
    fact_help: ClassVar[tuple[tuple[str, str], ...]] = ()
    """What the facts mean that only this method has, in a sentence each; "variance" serves "variance 1" as well."""
    playable: ClassVar[bool] = True
    """False for a solver that yields only so that it can be interrupted."""
    weighted: ClassVar[bool] = True
    order_matters: ClassVar[bool] = False
    follower_differs: ClassVar[bool] = False
    """Whether a follower may end elsewhere than `steps`: where there are many optima, near its last model; where the
    steps stop within a tolerance of the solution, at the solution itself."""
    direct_name: ClassVar[str] = ""
    """What its way to meet several classes all at once is called, where that has a name."""
    multiclass: ClassVar[bool] = True
    """Whether a classifier meets several classes all at once where nothing else is asked for. Where not, the pipeline
    makes several binary models of it; `not_direct` says whether it could."""

    def steps(
        self, X: Array, y: NDArray[Any] | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[Model]:
        """Yield usable models, each better than the last; the last one is the answer. Raises `CannotFit`.

        X is (n, d) and finite; y is (n,) integer class codes for classification, float for regression, None for
        unsupervised methods; sample_weight is (n,), not negative, or None for all ones.
        """
        raise NotImplementedError

    def follower(self) -> Follower | None:
        """A new follower, or None when a fit from nothing is fast enough."""
        return None

    def not_direct(self) -> str:
        """Why it can't meet several classes all at once with its present hyperparameters; "" where it can.

        In a few words that follow "There are 3 classes, and ...".
        """
        return "" if self.multiclass else f"{self.label} tells two classes apart"

    def caption(self, classes: int = 2) -> str:
        """Label and hyperparameters that matter for so many classes, for the line under the picture."""
        shown = [p for p in self.parameters() if p.matters(self)]
        values = [_say(p, getattr(self, p.name), classes) for p in shown]
        return ", ".join([self.label, *[v for v in values if v]])

    def code(self, model: Any) -> Code | None:
        """How scikit-learn is asked for a model of this algorithm; None where it does not know the method."""
        return None

    def fit(
        self, X: ArrayLike, y: ArrayLike | None = None, seed: int = 0, sample_weight: ArrayLike | None = None
    ) -> Any:
        """The final model.

        X is (n, d). y is (n,): anything but floating point names classes, floating point is a regression target where
        the method knows regression and class names where it does not. sample_weight is (n,), not negative. Raises
        `CannotFit` when the data can't be fitted.
        """
        inputs, target, weights = checked(self, X, y, sample_weight)
        return last_model_until(math.inf, self.steps(inputs, target, np.random.default_rng(seed), weights))


def _say(parameter: Parameter, value: Any, classes: int) -> str:
    if isinstance(value, bool):
        return parameter.label if value else ""
    if isinstance(value, str):
        return "" if value == "none" else value
    if isinstance(value, tuple):
        numbers = [parameter.for_class(value, code) for code in range(max(classes, len(value)))]
        if len(set(numbers)) == 1:
            return f"{parameter.label} all {numbers[0]:g}"
        return f"{parameter.label} = {':'.join(f'{number:g}' for number in numbers)}"
    return f"{parameter.label} = {value:g}"


def checked(
    algorithm: Algorithm, X: ArrayLike, y: ArrayLike | None, sample_weight: ArrayLike | None
) -> tuple[Array, NDArray[Any] | None, Array | None]:
    """X (n, d) float64, y and sample_weight as `steps` wants them; raises `CannotFit` naming what is wrong."""
    inputs = np.array(X, dtype=np.float64)
    if inputs.ndim == 1:
        inputs = inputs[:, None]
    if inputs.ndim != 2 or inputs.shape[1] == 0:
        raise CannotFit(f"X has the shape {inputs.shape}; one row a sample and one column an input is needed.")
    if not len(inputs):
        raise CannotFit("There are no samples yet.")
    if not np.isfinite(inputs).all():
        raise CannotFit("X contains values that are not finite numbers.")
    weights = None
    if sample_weight is not None:
        weights = np.array(sample_weight, dtype=np.float64)
        if weights.shape != (len(inputs),) or not np.isfinite(weights).all() or (weights < 0).any():
            raise CannotFit("sample_weight needs one finite number of at least 0 for each sample.")
        if not (weights > 0).any():
            raise CannotFit("All samples have the weight 0.")
    if UNSUPERVISED.issuperset(algorithm.tasks):
        return inputs, None, weights
    if y is None:
        raise CannotFit(f"{algorithm.label} needs a target.")
    target = np.array(y)
    if target.shape != (len(inputs),):
        raise CannotFit(
            f"The target has the shape {target.shape}; one value for each of {len(inputs)} samples is needed."
        )
    if algorithm.tasks == ("regression",):
        target = target.astype(np.float64)
    if target.dtype.kind == "f" and not np.isfinite(target).all():
        raise CannotFit("The target contains values that are not finite numbers.")
    return inputs, target, weights


def weighted_rows(
    X: Array, y: NDArray[Any] | None, sample_weight: Array | None
) -> tuple[NDArray[np.intp], Array, NDArray[Any], Array]:
    """Which rows of X have a weight, and their X, y and weights: (m,), (m, d), (m,) and (m,)."""
    assert y is not None
    weights = np.ones(len(X)) if sample_weight is None else sample_weight
    rows = np.flatnonzero(weights > 0)
    return (rows, X, y, weights) if len(rows) == len(X) else (rows, X[rows], y[rows], weights[rows])


def refuse_larger(X: Array, limit: float = FARTHEST) -> None:
    """Raise `CannotFit` where an input is larger than what can be computed with."""
    if not np.abs(X).max() < limit:
        raise CannotFit("The inputs are too large to compute with: standardize them.")


def is_classes(algorithm: Algorithm, y: NDArray[Any]) -> bool:
    """Whether y names classes rather than values to regress on."""
    return "regression" not in algorithm.tasks or ("classification" in algorithm.tasks and y.dtype.kind != "f")
