"""What an overlay or a chart is given beside the model, and how a method declares the ones it has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from inspect import get_annotations
from typing import Any, Literal, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from mlviz.draw.components import Components
from mlviz.draw.marks import Mark, Points
from mlviz.draw.plot import Plot
from mlviz.draw.protocols import HasBinaryModels, needed_by, provides
from mlviz.draw.tasks import Task
from mlviz.draw.value_scale import ValueScale
from mlviz.numerics.arrays import AnyArray, Array, Labels, Rows
from mlviz.numerics.asymmetric_cost import AsymmetricCost
from mlviz.numerics.grid import Grid
from mlviz.spec.brief import Brief
from mlviz.spec.outside import shortened


@dataclass(frozen=True)
class Names(Brief):
    """The names of class codes 0, 1, ... and of the inputs; those that are missing are called "class 3" and "x1"."""

    classes: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()

    def of_class(self, value: Any) -> str:
        """What a class is called: one of a code by its name, others by their value; None is all others."""
        if value is None:
            return "all others"
        known = isinstance(value, (int, np.integer)) and 0 <= value < len(self.classes)
        return shortened(self.classes[value]) if known else f"class {value}"

    def of_input(self, j: int) -> str:
        """What the input of index j is called."""
        return shortened(self.inputs[j]) if j < len(self.inputs) else f"x{j + 1}"


UNNAMED = Names()
"""Where nobody has named anything."""


@dataclass(frozen=True, eq=False)
class Context(Brief):
    """Plain arrays about the fit being drawn, in the coordinates of the model, those of the preprocessed inputs.

    Exactly one of `grid` and `line` is given where the model can be drawn on the data: `grid` when its two inputs are
    the two axes shown, `line` (m,) when its only input is the horizontal axis and its target the vertical one. Both
    are None when the inputs are others; overlays then return nothing, unless what they draw has a place on the `plane`.
    Where the inputs are features of the two axes there is a `lifted` grid instead, and overlays draw the field alone.
    """

    X: Array
    """(n, d) inputs of the fitted samples."""
    y: AnyArray | None
    """(n,) class codes or values; None when unsupervised."""
    rows: Rows
    """(n,) row of each fitted sample in the data set."""
    algorithm: Any
    """The algorithm's hyperparameters."""
    task: Task
    grid: Grid | None = None
    line: Array | None = None
    lifted: Grid | None = None  # the nodes on the canvas, where the model is asked at features of these
    height: tuple[float, float] | None = None  # the ends of the vertical axis that is seen, where there is a line
    labels: Labels | None = None  # (n,) the classes of the fitted samples, whatever the task, where known
    line_scale: float = 1.0  # how long a unit of the axis along which the line lies is in the model's input
    field: AnyArray | None = None
    """The model's field on the `nodes`: (ny, nx) or (ny, nx, k); None where the method has none."""
    fine: bool = False  # whether the picture is meant to stay: exactness is worth a moment
    class_margins: AnyArray | None = None
    """(ny, nx, k) by how much each class leads, where the field itself jumps and can't be traced."""
    predicted: AnyArray | Callable[[], AnyArray] | None = None
    """What the model predicts for X, or for `evaluated_rows` of it, where that is known already or needed elsewhere."""
    evaluated_rows: Labels | None = None
    """The only rows of X for which predictions are made, because they take long; None for all."""
    names: Names = UNNAMED  # of the classes and of the d inputs
    scaled: str = ""
    """How inputs that kept their names were scaled ("standardized"); "" where they are those of the axes."""
    probe: Array | None = None  # (d,) the hovered or pinned place, when it is a place in the model's inputs
    slice: Array | None = None  # (2, 2) the ends of the line along which the field is cut, where there is a grid
    values: ValueScale | None = None  # the scale by which all samples are coloured, where their targets are values
    threshold: float = 0.0  # the score at which the two classes of a binary classifier part
    reject_band: tuple[float, float] | None = None  # the scores of one between which no class is chosen
    level: float = 0.95  # the probability with which a band is to hold what it is the band of
    value_cost: AsymmetricCost | None = None  # what a value too low or too high costs, where that decides
    decide: Callable[[Array], AnyArray] | None = None
    """What is predicted at places (m, d), where a decision says otherwise than the model; None: the model says it."""
    left_out: Labels | None = None
    """Rows of the samples that were not drawn for the fit, where it is one on some of them."""
    vote_counts: NDArray[np.uint8] | None = None
    """(ny, nx) for how many classes the binary models of a classifier speak: where not for one, it is left open."""
    history: Sequence[float] = ()  # the objective after each step so far computed
    step: int = 0  # which of the steps is drawn
    between: tuple[int, int | None] | None = None  # the classes of the binary model drawn, None for all others
    pairs: tuple[str, ...] = ()
    """What the binary models are called of which a chart tells side by side, after their classes."""
    plane: tuple[int, int] | None = None
    """Which of the inputs the two axes are: with a `grid`, or where a dimensionality reduction has further inputs."""
    components: Components | None = None
    """What the axes are, where they are components of the inputs."""
    seed: int = 0  # of the scene, for what is drawn at random

    @property
    def nodes(self) -> Grid | None:
        """The grid on which the field is, if there is one."""
        return self.lifted if self.grid is None else self.grid

    def axis_label(self, j: int) -> str:
        """What an axis is called along which there are values of input j."""
        return self.measured(self.names.of_input(j))

    def measured(self, words: str) -> str:
        """What an axis is called along which there are values in the units of the inputs, or of one that is scaled."""
        return f"{words}, {self.scaled}" if self.scaled else words

    def of_inputs(self, words: str) -> str:
        """The words for what belongs to the inputs, which may not be those of the axes."""
        return f"{words} of the {self.scaled} inputs" if self.scaled else words

    def symbols(
        self,
        role: str,
        rows: Rows,
        label: str,
        size: Array | None = None,
        mix: NDArray[np.float32] | None = None,
        strength: NDArray[np.uint8] | None = None,
    ) -> tuple[Points, ...]:
        """Symbols on samples by their rows (m,) here, if any; without places where the axes are not the inputs."""
        places = self.X[rows][:, :2] if self.grid is not None else np.full((len(rows), 2), np.nan)
        return (Points(role, places, size, mix, strength, rows=self.rows[rows], label=label),) if len(rows) else ()


class OnGrid(Context):
    """A context that has a grid: no overlay or chart whose function asks for one is drawn without."""

    grid: Grid


class OnNodes(Context):
    """A context that has nodes on which a model can be asked: what is made of its answers stands on the canvas."""

    nodes: Grid


class OnField(OnNodes):
    """A context that has a field, too."""

    field: AnyArray


class OnLine(Context):
    """A context that has a line."""

    line: Array


class OnPlane(Context):
    """A context that has a plane."""

    plane: tuple[int, int]


class OnTargets(Context):
    """A context that has the targets of the samples."""

    y: AnyArray


class OnCurve(OnLine, OnTargets):
    """A context that has a line, and targets over it."""


@cache
def _asked_of_context(function: Callable[..., Any]) -> tuple[str, ...]:
    """What a function that draws wants its context to have, by the annotation of that parameter."""
    hints = [hint for hint in get_type_hints(function).values() if isinstance(hint, type)]
    kinds = [kind for hint in hints for kind in hint.__mro__ if issubclass(kind, Context) and kind is not Context]
    return tuple(name for kind in kinds for name in get_annotations(kind))


def _suits(function: Callable[..., Any], model: object, context: Context) -> bool:
    """Whether model and context are what the function asks for by the annotations of its parameters."""
    missing = [name for name in _asked_of_context(function) if getattr(context, name) is None]
    return not missing and provides(model, needed_by(function))


Parts = Literal["whole", "each", "probe"]
"""What is drawn of a classifier that is made of binary models: itself as a whole, each of them, or that of the pair of
classes at the probe."""


@dataclass(frozen=True)
class Drawn(Brief):
    """What a method has drawn: `function(model, context)` does it.

    The annotation of its first parameter says what it needs of the model. `parts` says whether it belongs to the binary
    models that a classifier may be made of. Without `needs_model` it is drawn of the model None where there is none: an
    overlay before the first sample, a chart where the samples can't be fitted.
    """

    id: str
    label: str
    function: Callable[[Any, Any], Any]
    parts: Parts = field(default="whole", kw_only=True)
    needs_model: bool = field(default=True, kw_only=True)
    random: Callable[[Any], bool] = field(default=lambda algorithm: False, kw_only=True)
    """Whether with an algorithm it shows what is drawn at random: another seed draws other ones of the same model."""


@dataclass(frozen=True)
class Overlay(Drawn):
    """Marks drawn on the data: finite ones, or none where they make no sense; see `Drawn`."""

    help: str = ""
    shown: bool = True
    tasks: tuple[Task, ...] = get_args(Task)
    """The tasks in which there is something to draw."""
    idle: Callable[[Any, int], str] = lambda algorithm, classes: ""
    """Why nothing is drawn with these hyperparameters of the algorithm and so many classes; "" where something is."""
    held_out: bool = False
    """Whether it is drawn of the samples that were held out, too: what it says of each holds for them as well."""

    @property
    def asks(self) -> frozenset[str]:
        """What of the context it is not drawn without, such as "grid" or "line"."""
        return frozenset(_asked_of_context(self.function))

    def draw(self, model: object, context: Context) -> Sequence[Mark]:
        """The marks of a model; none where it lacks what they are drawn from."""
        return self.function(model, context) if _suits(self.function, model, context) else ()


def overlay(
    id: str, label: str, help: str = "", **declared: Any
) -> Callable[[Callable[[Any, Any], Sequence[Mark]]], Overlay]:
    """The overlay that a function draws: the decorator beside which everything stands that there is to say of it."""
    return lambda function: Overlay(id, label, function, help, **declared)


@dataclass(frozen=True)
class Chart(Drawn):
    """A side plot with its own axes, or None where there is nothing to show.

    With `parts` "each" its function is given a sequence: the binary models that a classifier is made of, or the one
    model.
    """

    def draw(self, model: object, context: Context) -> Plot | None:
        """The plot of a model; None where it lacks what is drawn."""
        if self.parts == "each":
            parts = model.parts if isinstance(model, HasBinaryModels) else ()
            models = [part.model for part in parts] or [model]
            name = context.names.of_class
            pairs = tuple(f"{name(part.negative)} / {name(part.positive)}" for part in parts)
            context = replace(context, pairs=pairs)
            suits = all(_suits(self.function, one, context) for one in models)
            return self.function(models, context) if suits else None
        return self.function(model, context) if _suits(self.function, model, context) else None


def chart(id: str, label: str, **declared: Any) -> Callable[[Callable[[Any, Any], Plot | None]], Chart]:
    """The chart that a function draws, as `overlay` makes an overlay."""
    return lambda function: Chart(id, label, function, **declared)


@dataclass(frozen=True, eq=False)
class Explanation(Brief):
    """Why the model says what it says at a place: a sentence with numbers, and the evidence as marks."""

    sentence: str
    marks: tuple[Mark, ...] = ()
    measured: bool = False
    """Whether the sentence tells lengths, places, weights or densities, in the units of the model's inputs."""
    undecided: Callable[[float], Explanation] | None = None
    """What follows the class that the sentence opens with, where two part at another score than 0; None without one."""


def opened(name: str, follows: Callable[[float], Explanation]) -> Explanation:
    """An explanation that opens with the name of the class that the method chooses; a decision may choose another.

    `follows(threshold)` is the rest, a sentence that may speak of the boundary: it is where the score is the threshold.
    Without a name it is all.
    """
    natural = follows(0.0)
    sentence = after_colon(name, natural.sentence) if name else natural.sentence
    return replace(natural, sentence=sentence, undecided=follows)


def after_colon(words: str, sentence: str) -> str:
    """The words, a colon and a sentence that begins with no name."""
    return f"{words}: {sentence[:1].lower()}{sentence[1:]}"
