"""The model of logistic regression, and the way of a fit over the loss, as over a landscape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import ModelFact
from mlviz.algorithms.linear_model import LinearScores, way_to_zero
from mlviz.draw.contours import contour_lines, join_lines
from mlviz.draw.layer import UNNAMED, Context, Explanation, Names, OnGrid, chart, opened, overlay
from mlviz.draw.marks import Lines, Mark, Points, ways
from mlviz.draw.numbers import counted, number, probability
from mlviz.draw.plot import Limits, Plot
from mlviz.numerics.arrays import Array
from mlviz.numerics.convex.logistic_loss import softmax
from mlviz.numerics.convex.loss_surface import LossSurface
from mlviz.numerics.convex.newton import Iterate
from mlviz.numerics.grid import Grid

FARTHEST_EVIDENCE = 20.0
"""A place on the boundary that is farther away than so many standard deviations is no evidence to look at."""
NAMES_TOLD = 3
"""So many inputs, or classes, at most are named in a sentence."""
_TELLING_LOG_ODDS = 7.0
"""Odds are told where neither class is almost certain."""
_NODES, _MORE, _ABOUT = 60, 30, 0.12
"""Nodes along a side, and so many more about the minimum, in this share of the window: there lines are short."""
_LEVELS = 14
_WINDOW_MARGIN = 0.3
"""The window is wider than path and minimum by this share on each side."""
_NARROWEST = 0.25
"""It is on no axis narrower than this share of the other, in units of the samples' spread."""
_EQUAL, WIDEST = 4.0, 2.0
"""A unit of both weights is equally long where the window's sides are within a factor; it is then so wide at most."""
_WORK, _QUICK = 500_000, 80_000
"""So many logarithms a surface may cost at rest, and while the hand moves."""
LEAST_DOT_GAP = 0.02
"""How far apart the dots of steps are at the least, as a share of the window: nearer ones would be one line."""
_MOST_SAMPLES = 5_000
"""Of more samples a surface would take too long."""


class ExactMinimum(Protocol):
    """The problem in standardized inputs, whose minimum is known where it is asked for."""

    @property
    def scale(self) -> Array:
        """(d,) the standard deviations."""

    @property
    def lowest(self) -> Iterate:
        """The minimum."""

    @property
    def loss_surface(self) -> LossSurface | None:
        """The loss over the two weights, or over the only one and the offset; None where there are others."""

    def on_plane(self, iterate: Iterate) -> Array:
        """Where a place is in the landscape, (1, 2)."""


@dataclass(frozen=True, eq=False, kw_only=True)
class LogisticModel(LinearScores):
    """Its score for two classes is the log odds of classes[1]; of several classes the largest is the likeliest."""

    solver: str
    penalty: str
    objective: float
    log_loss: float
    iterate: Iterate
    caveat: str
    exact: ExactMinimum
    path: Array
    """(m, 2) the weights so far, or weight and offset; (0, 2) where they are not two."""
    batch_rows: NDArray[np.intp] | None
    """Which samples decided the last step, where not all of them did."""

    known_facts = (
        ModelFact(
            "|w|",
            lambda m: float(np.linalg.norm(m.coef)),
            "Length of the weight vector: how steep the probabilities are.",
        ),
        ModelFact(
            "log loss",
            lambda m: m.log_loss,
            "Mean of −log P(class of the sample): the objective without its penalty.",
        ),
        ModelFact(
            "objective",
            lambda m: m.objective,
            "Log loss plus λ times the penalty: what is made as small as possible.",
        ),
        ModelFact(
            "weights at 0",
            lambda m: f"{int((m.coef == 0).sum())} of {m.coef.size}" if m.penalty == "L1" else None,
            "How many weights the L1 penalty has set to exactly 0: their inputs have no say.",
        ),
        ModelFact(
            "Newton steps",
            lambda m: m.iterate.steps if m.solver == "Newton" else None,
            "How many steps led here.",
            level="solver",
        ),
        ModelFact(
            "above the minimum",
            lambda m: None if m.solver == "Newton" else max(0.0, m.objective - m.exact.lowest.value),
            "How much lower the objective can become; the minimum is found by Newton's method.",
        ),
        ModelFact(
            "steps",
            lambda m: None if m.solver == "Newton" else m.iterate.steps,
            "How many steps led here.",
        ),
        ModelFact(
            "step size",
            lambda m: m.iterate.step_size if m.solver != "Newton" and np.isfinite(m.iterate.step_size) else None,
            "By what the gradient was multiplied in the last step.",
            level="solver",
        ),
        ModelFact(
            "gradient norm",
            lambda m: m.gradient_norm,
            "Length of the objective's slope, with an L1 penalty of the smallest one there is at its edges; "
            "0 at the minimum. Newton's method counts inputs in standard deviations, the others as they are.",
            level="solver",
        ),
    )

    @property
    def stage(self) -> str:  # type: ignore[override]
        """The step that led here."""
        at = self.iterate
        if not at.steps:
            return "no weights"
        if at.ran_away:
            return "without end"
        if self.solver == "Newton":
            return "Newton step"
        if self.batch_rows is not None:
            return counted(len(self.batch_rows), "sample")
        return "step taken back" if at.taken_back else "gradient step"

    @property
    def gradient_norm(self) -> float:
        """Length of the objective's slope; 0 at the minimum."""
        return self.iterate.gradient_norm

    def predict_proba(self, X: Array) -> Array:
        """The probability of each class, (n, k)."""
        scores = self.decision_function(X)
        return softmax(np.stack((0 * scores, scores), axis=-1) if scores.ndim == 1 else scores)

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """The probabilities at x (d,), those of three classes at most; of two, what each input adds to the log odds."""
        proba = self.predict_proba(x[None])[0]
        sentence = "; ".join(
            f"{names.of_class(self.classes[code])} with probability {probability(proba[code])}"
            for code in np.argsort(-proba, kind="stable")[:NAMES_TOLD]
        )
        if self.coef.ndim > 1:
            return Explanation(sentence + ".")
        f = float(self.decision_function(x[None])[0])
        sentence += f"; f(x) = {self.sum_at(x, names)}"
        if abs(f) < _TELLING_LOG_ODDS:
            sentence += f", so the odds of {names.of_class(self.classes[1])} are exp(f(x)) = {number(np.exp(f))}"
        return opened(
            "", lambda threshold: Explanation(f"{sentence}.", self._to_boundary(x, f - threshold), measured=True)
        )

    def _to_boundary(self, x: Array, f: float) -> tuple[Mark, ...]:
        """The way from x straight to where both classes are as likely, on the plane."""
        way = way_to_zero(f, self.coef) if len(x) == 2 else None
        near = way is not None and (np.abs(way) < FARTHEST_EVIDENCE * self.exact.scale).all()
        return ways(x, x + way) if way is not None and near else ()


@chart("loss surface", "path over the loss surface")
def surface_chart(model: LogisticModel, context: Context) -> Plot | None:
    landscape = model.exact.loss_surface
    if landscape is None or len(context.X) > _MOST_SAMPLES:
        return None
    path, lowest = model.path, model.exact.on_plane(model.exact.lowest)
    window = _window(np.concatenate((path, lowest, np.zeros((1, 2)))), landscape.columns)
    if window is None:
        return None
    x0, x1, y0, y1 = window
    x_place, y_place = lowest[0].tolist()
    grid = Grid(_nodes(x0, x1, x_place), _nodes(y0, y1, y_place))
    about = _about(x0, x1, x_place), _about(y0, y1, y_place)
    heights = landscape.values(grid.x, grid.y, _WORK if context.fine else _QUICK, about)
    low, high = float(heights.min()), float(heights.max())
    # As of a parabola, lines of equal height are equally far apart.
    levels = low + (high - low) * (np.arange(0.5, _LEVELS) / _LEVELS) ** 2
    lines = join_lines(contour_lines(grid, heights, levels.tolist(), fine=True))
    names = [context.axis_label(j) for j in range(context.X.shape[1])]
    if landscape.free:
        title, labels = "Path over the objective, best b", [f"weight of {name}" for name in names]
    else:
        title, labels = "Path over the objective", [f"weight of {names[0]}", "offset b"]
    marks: list[Mark] = [Lines("height", lines, label=f"equal objective, {number(low)} to {number(high)}")]
    if len(path) > 1:
        marks.append(Lines("path", path, label="steps"))
        marks.append(Points("path", _dots(path, np.array([x1 - x0, y1 - y0]))))
    marks.append(Points("lowest", lowest, label="minimum"))
    if len(path):
        marks.append(Points("now", path[-1:], label="this step"))
    return Plot("loss surface", title, labels[0], labels[1], tuple(marks), window, equal=_is_equal(window))


def _window(places: Array, columns: Array) -> Limits | None:
    """Limits about the places (m, 2); None where they have no ends."""
    low, high = places.min(axis=0), places.max(axis=0)
    if not np.isfinite(high - low).all():
        return None
    spread = np.maximum(columns.std(axis=1), 1e-12 * np.abs(columns).max(axis=1))
    spread = np.where(spread > 0, spread, 1.0)
    half = (high - low) / 2 * spread
    half = np.maximum(half, _NARROWEST * half.max()) if half.max() > 0 else np.ones(2)
    half = (1 + _WINDOW_MARGIN) * half / spread
    if 1 / _EQUAL <= half[0] / half[1] <= _EQUAL:
        half = np.maximum(half, (half[1], half[0] / WIDEST))
    (x0, y0), (x1, y1) = (low + high) / 2 - half, (low + high) / 2 + half
    return float(x0), float(x1), float(y0), float(y1)


def _is_equal(window: Limits) -> bool:
    x0, x1, y0, y1 = window
    return 1 / _EQUAL <= (x1 - x0) / (y1 - y0) <= _EQUAL


def _nodes(low: float, high: float, place: float) -> Array:
    """The nodes along a side, closer about a place."""
    about = np.linspace(*_about(low, high, place), _MORE)
    return np.union1d(np.linspace(low, high, _NODES), about[(about > low) & (about < high)])


def _about(low: float, high: float, place: float) -> tuple[float, float]:
    reach = _ABOUT / 2 * (high - low)
    return place - reach, place + reach


def _dots(path: Array, view: Array) -> Array:
    """The places (m, 2) of the path that are not hidden by the one drawn before."""
    shown = [path[0]]
    for place in path[1:]:
        if np.hypot(*((place - shown[-1]) / view)) >= LEAST_DOT_GAP:
            shown.append(place)
    return np.array(shown)


@overlay(
    "visited",
    "samples of the step",
    "the samples that decided the last step, where they are drawn at random",
    tasks=("classification",),
)
def visited_overlay(model: LogisticModel, context: OnGrid) -> Sequence[Mark]:
    if model.batch_rows is None:
        return ()
    drawn = np.unique(model.batch_rows)
    label = "sample of this step" if len(drawn) == 1 else "samples of this step"
    return (Points("visited", context.X[drawn], rows=context.rows[drawn], label=label),)
