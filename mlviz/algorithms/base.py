"""What an algorithm is: hyperparameters, and a fit as a generator of usable models; facts that several tell."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Protocol, TypeVar, cast, get_args, get_type_hints, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from mlviz.algorithms.checking import CannotFit, checked
from mlviz.algorithms.traits import Traits, Trial, refuse_wrong
from mlviz.draw.facts import Fact, ModelFact
from mlviz.draw.inks import RoleInk, bring
from mlviz.draw.layer import UNNAMED, Chart, Explanation, Names, Overlay
from mlviz.draw.tasks import Task
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.grid import Grid
from mlviz.spec import Declared
from mlviz.spec.brief import Brief

__all__ = [
    "Algorithm",
    "CannotFit",
    "Code",
    "Follower",
    "Model",
    "ModelFact",
    "ScoreModel",
    "StartsFromModel",
    "Traits",
    "format_array",
    "last_until",
]


@dataclass(frozen=True)
class Code:
    """How scikit-learn is asked for the same answer: lines to import, and the steps of its pipeline as expressions.

    In them ``y`` and ``X`` are the samples, and ``np`` is NumPy, which is imported anyway; `before` are lines that the
    expressions need. `result` is the attribute of the fitted last step to look at, where there is no training error;
    `note` says how its answer differs, if it does.
    """

    imports: tuple[str, ...]
    steps: tuple[str, ...]
    before: tuple[str, ...] = ()
    result: str = ""
    note: str = ""


def format_array(values: Array) -> str:
    """An array as Python writes nested lists, with ten digits a number."""
    return str(np.array([float(f"{value:.10g}") for value in values.ravel().tolist()]).reshape(values.shape).tolist())


class Model(Brief):
    """One learned state, frozen, answering in scikit-learn's words.

    `field` names the method that `on_grid` mirrors, or is None. `objective` is what the algorithm makes smaller (a
    log-likelihood: larger) in several steps, `objective_name` its name, and `objective_measured` whether it is in the
    units of the inputs; `stage` names the step that led here. `jumps`: the field is not continuous, so that lines can't
    be traced in it alone. `caveat` is what a caption must not hide. `cost` is about how many numbers one place takes.
    """

    field: str | None = None
    objective: float = float("nan")
    objective_name: str = "objective"
    objective_measured: bool = False
    stage: str = ""
    jumps: bool = False
    caveat: str = ""
    cost: int = 1
    known_facts: ClassVar[tuple[ModelFact, ...]] = ()
    """What it knows about itself, with what that means."""

    def told_facts(self) -> dict[str, Fact]:
        """What stands under the panel, by name; plain values where a method has its own `facts`."""
        if type(self).facts is not Model.facts:
            return {name: Fact(value) for name, value in self.facts().items()}
        found = {fact.name: fact.of(self) for fact in self.known_facts}
        return {name: fact for name, fact in found.items() if fact is not None}

    def facts(self) -> dict[str, Any]:
        """Name -> number, text or flag; numbers are plain Python's."""
        return {name: fact.value for name, fact in self.told_facts().items()}

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation | None:
        """Why the model says what it says at the place x (d,); None where it has nothing to say.

        `names` says what classes and inputs are called.
        """
        return None

    def told_stage(self, names: Names = UNNAMED) -> str:
        """The step that led here, where classes have such names."""
        return self.stage

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray:
        """The method named by `field` at every node: (ny, nx), or (ny, nx, k)."""
        if self.field is None:
            raise AttributeError(f"{type(self).__name__} has no field")
        values = np.asarray(getattr(self, self.field)(grid.points()))
        return values.reshape(grid.shape + values.shape[1:])


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoreModel(Model):
    """A classifier by scores: for two classes one that is positive for classes[1], for more one each."""

    classes: AnyArray
    field = "decision_function"

    def decision_function(self, X: Array) -> Array:
        """Two classes: the signed score (n,). Several: a score each, (n, k)."""
        raise NotImplementedError

    def predict(self, X: Array) -> AnyArray:
        """The class of the largest score, (n,); of equal ones the first."""
        scores = self.decision_function(X)
        codes = (scores > 0).astype(np.intp) if scores.ndim == 1 else np.argmax(scores, axis=1)
        return np.asarray(self.classes[codes])


class Follower(Protocol):
    """Keeps what makes a drag fast. Lives only in the worker, one per panel and sub-problem; its models are drafts."""

    def update(
        self, algorithm: Any, X: Array, y: AnyArray | None, sample_weight: Array | None, deadline: float
    ) -> Model:
        """A model for the changed data or hyperparameters; may stop improving at `deadline` (time.perf_counter).

        It finds out by itself what changed since the last call. Raises `CannotFit` as `steps` does.
        """


State = TypeVar("State")


def last_until(deadline: float, states: Iterator[State]) -> State:
    """The last of ever better states, or the first after the deadline (time.perf_counter); `CannotFit` without any."""
    state = None
    for state in states:  # noqa: B007
        if deadline < np.inf and time.perf_counter() > deadline:
            break
    if state is None:
        raise CannotFit("The method gave no model.")
    return state


@runtime_checkable
class StartsFromModel(Protocol):
    """A follower that can go on from the model on the screen: where there are many optima, its own may be another."""

    def start_from(self, model: Any) -> None:
        """Start the next update from a model of the algorithm."""


class _FieldOfModels:
    """The `field` of the models of an algorithm, which say it themselves."""

    def __get__(self, algorithm: Algorithm | None, cls: type[Algorithm]) -> str | None:
        return _yielded_by(cls.steps)[0].field


@cache
def _yielded_by(steps: Callable[..., Any]) -> tuple[type[Model], ...]:
    """The classes of models that `steps` is said to yield."""
    yielded = get_args(get_type_hints(steps).get("return"))[:1]
    return get_args(yielded[0]) or yielded if yielded else (Model,)


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
    field: ClassVar[str | None] = cast(Any, _FieldOfModels())
    """What `on_grid` of its models mirrors: the `field` of the first class of models that `steps` is said to yield."""
    overlays: ClassVar[tuple[Overlay, ...]] = ()
    charts: ClassVar[tuple[Chart, ...]] = ()
    trials: ClassVar[tuple[Trial, ...]] = ()
    """What its help offers to be tried."""
    traits: ClassVar[Traits] = Traits()
    inks: ClassVar[Mapping[str, RoleInk]] = {}
    """How roles are drawn that only this method's marks have."""
    parts: int = dataclasses.field(default=1, kw_only=True, repr=False, compare=False)
    """How many binary models share the time, where it is one of those that stand for several classes."""

    def __init_subclass__(cls, abstract: bool = False) -> None:
        """Refuse a class that does not say what a method must say; a base of several methods is `abstract`."""
        super().__init_subclass__()
        if not abstract:
            refuse_wrong(cls)
            bring(cls.__name__, cls.inks)

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[Model]:
        """Yield usable models, each better than the last; the last one is the answer. Raises `CannotFit`.

        The same object again is no step of its own, but a chance to interrupt a long one.
        X is (n, d) and finite; y is (n,) integer class codes for classification, float for regression, None for
        unsupervised methods; sample_weight is (n,), not negative, or None for all ones.
        """
        raise NotImplementedError

    def answer(
        self,
        X: Array,
        y: AnyArray | None,
        rng: np.random.Generator,
        sample_weight: Array | None,
        deadline: float = np.inf,
    ) -> Model:
        """The last of the steps, or the first after the deadline (time.perf_counter).

        Worth writing only where there are many steps and the last one needs none of the others.
        """
        return last_until(deadline, self.steps(X, y, rng, sample_weight))

    @classmethod
    def known_facts(cls) -> tuple[ModelFact, ...]:
        """What its models can tell about themselves."""
        facts = (fact for model in _yielded_by(cls.steps) for fact in model.known_facts)
        return tuple({fact.name: fact for fact in facts}.values())

    @classmethod
    def is_predictive(cls) -> bool:
        """Whether some of its models may have a predictive distribution: `HasPredictive`."""
        return any(hasattr(kind, "predict_std") for kind in _yielded_by(cls.steps))

    def follower(self) -> Follower | None:
        """A new follower, or None when a fit from nothing is fast enough."""
        return None

    def not_direct(self) -> str:
        """Why it can't meet several classes all at once with its present hyperparameters; "" where it can.

        In a few words that follow "There are 3 classes, and ...".
        """
        return "" if self.traits.multiclass else f"{self.label} tells two classes apart"

    def caption(self, classes: int = 2, first: Collection[str] = ()) -> str:
        """Label and hyperparameters that matter for so many classes, for the line under the picture.

        Those named in `first` follow the label; where there is little room, the others are left out.
        """
        there = list(filter(self.matters, self.parameters()))
        if first:
            there.sort(key=lambda parameter: parameter.name not in first)
        shown = (parameter.in_words(getattr(self, parameter.name), classes) for parameter in there)
        return ", ".join(filter(None, (self.label, *shown)))

    def code(self, model: Any) -> Code | None:
        """How scikit-learn is asked for a model of this algorithm; None where it does not know the method."""
        return None

    def fit(
        self, X: ArrayLike, y: ArrayLike | None = None, seed: int = 0, sample_weight: ArrayLike | None = None
    ) -> Any:
        """The final model.

        X is (n, d). y is (n,): floating point is a regression target where the method knows regression, anything else
        names classes. sample_weight is (n,), not negative. Raises `CannotFit` when the data can't be fitted.
        """
        inputs, target, weights = checked(self, X, y, sample_weight)
        return self.answer(inputs, target, np.random.default_rng(seed), weights)


WEIGHT_LENGTH = ModelFact(
    "|w|",
    lambda m: float(np.linalg.norm(m.coef)) if m.coef.ndim == 1 else None,
    "Length of the weight vector, without the offset: the shorter it is, the calmer the function.",
)
LAMBDA = ModelFact(
    "lambda",
    lambda m: m.lambda_ or None,
    "Regularization strength where the objective is the mean loss plus λ|w|², n being the samples of a model.",
    level="more",
)
WRONG_WHEN_LEFT_OUT = ModelFact(
    "leave-one-out error",
    lambda m: m.leave_one_out_error,
    "Share of samples that are wrong when the fit is made without them; nλ stays as it is.",
    unit="share",
)
SAMPLES_STORED = ModelFact("samples stored", lambda m: len(m.X), "The model is these samples: nothing else is learned.")
EPOCHS = ModelFact("epochs", lambda m: m.visit.epoch if m.visit else 0, "Rounds over all samples that were begun.")
