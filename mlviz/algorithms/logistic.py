"""Logistic regression by Newton's method, for two classes and for several."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import Algorithm, CannotFit, Code, Follower, Model
from mlviz.draw import charts, overlays, probabilities
from mlviz.draw.context import Explanation
from mlviz.numerics.grid import Array, Grid
from mlviz.numerics.logistic import BinaryLoss, SoftmaxLoss, softmax
from mlviz.numerics.newton import MOST_STEPS, Iterate, newton
from mlviz.spec import real

SMALLEST = 1e-100
"""A smaller number is as good as 0 in a column of inputs: its square would vanish."""


@dataclass(frozen=True)
class LogisticRegression(Algorithm):
    """Probabilities of the classes, by a linear function and an S-shaped curve.

    Two classes y = ±1: the log odds are linear, f(x) = w·x + b, so that P(y = +1 | x) = 1 / (1 + exp(−f(x))). The
    weights make the samples' classes as likely as possible, held back by a penalty:

        minimise  (1/n) Σ log(1 + exp(−yᵢ f(xᵢ))) + λ |w|²

    Several classes: class j has its own fⱼ(x) = wⱼ·x + bⱼ, and P(j | x) = exp(fⱼ(x)) / Σₖ exp(fₖ(x)), the softmax:

        minimise  (1/n) Σᵢ −log P(yᵢ | xᵢ) + λ Σⱼ |wⱼ|²

    With two classes the softmax at λ is the first form at λ/2. There is one minimum. Newton's method finds it: each
    step goes to the lowest point of the parabola that touches the objective where the step before ended. Play the steps
    to watch how few it takes, from no weights at all.

    In the picture: the solid line is where both probabilities are 1/2, the thin ones where that of the class named in
    the legend is 0.1, 0.2, ... 0.9; numbers stand at them where there is room. With several classes the thin lines are
    where the likeliest class has 0.5, 0.6, ... 0.9. The shade is by how much the likeliest class leads. Lines far apart
    mean a cautious answer. A small λ lets the weights grow: the lines move together, and where the classes can be
    separated nothing else stops them.

    Reference: Hastie, Tibshirani and Friedman, The Elements of Statistical Learning (2009), section 4.4.
    """

    id = "logistic"
    label = "logistic regression"
    family = "Classification"
    tasks = ("classification",)
    main = "lambda_"
    fact_help = (
        ("|w|", "Length of the weight vector: how steep the probabilities are."),
        ("log loss", "Mean of −log P(class of the sample): the objective without its penalty."),
        ("objective", "Log loss plus λ |w|²: what is made as small as possible."),
        ("Newton steps", "How many steps led here."),
        ("gradient norm", "Length of the objective's slope, for inputs in standard deviations; 0 at the minimum."),
    )
    field = "decision_function"
    overlays = (probabilities.regions, probabilities.contours, overlays.boundary, overlays.misclassified)
    charts = (charts.objective,)

    lambda_: float = real(
        0.01,
        soft=(1e-6, 10.0),
        valid=(1e-12, 1e12),
        log=True,
        label="λ",
        help="weight of the penalty: large for flat probabilities, small for steep ones",
        equivalent=lambda algorithm, n: f"C = 1/(2 λ n) = {1 / (2 * algorithm.lambda_ * max(n, 1)):.3g}",
    )

    def steps(
        self, X: Array, y: NDArray[Any] | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[LogisticModel]:
        """Yield the model without weights and the one after each Newton step."""
        problem = Problem.of(self, X, y, sample_weight)
        for iterate in newton(problem.loss, problem.loss.start()):
            yield problem.model(iterate)

    def code(self, model: LogisticModel) -> Code:
        """LogisticRegression, which adds the losses up and multiplies them by C."""
        fit = f"LogisticRegression(C=1 / (2 * len(y) * {self.lambda_!r}), max_iter=1000)"
        return Code(("from sklearn.linear_model import LogisticRegression",), (fit,))

    def follower(self) -> Follower:
        """One that starts from its last solution."""
        return LogisticFollower()


@dataclass(frozen=True, eq=False)
class Problem:
    """The loss in standardized inputs z = (x - center) / scale, where rounding does no harm.

    The penalty stays that of the weights of x: it is divided by the squared scale. Where there are more inputs than
    samples, z = basis' (x - center) / scale: the weights lie in the span of the samples.
    """

    loss: BinaryLoss | SoftmaxLoss
    classes: NDArray[Any]
    center: Array
    scale: Array
    basis: Array | None
    """(d, n) orthonormal."""

    @classmethod
    def of(
        cls, algorithm: LogisticRegression, X: Array, y: NDArray[Any] | None, sample_weight: Array | None
    ) -> Problem:
        """The problem of the samples that have weight; raises `CannotFit`."""
        assert y is not None
        weights = np.ones(len(X)) if sample_weight is None else sample_weight
        if not weights.all():
            X, y, weights = X[weights > 0], y[weights > 0], weights[weights > 0]
        classes, codes = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            raise CannotFit("Logistic regression needs samples of two classes; there is only one class so far.")
        shares = weights / weights.sum()
        basis = None
        if X.shape[1] > len(X):
            middle = shares @ X
            basis = np.linalg.qr((X - middle).T)[0]
            center, scale, inputs = _standardized((X - middle) @ basis, shares)
            center = middle + basis @ center
        else:
            center, scale, inputs = _standardized(X, shares)
        inputs = np.vstack((inputs, np.ones(len(X))))
        penalty = np.append((np.sqrt(algorithm.lambda_) / scale) ** 2, 0.0)
        loss: BinaryLoss | SoftmaxLoss
        if len(classes) == 2:
            loss = BinaryLoss(inputs, np.where(codes, 1.0, -1.0), shares, penalty)
        else:
            loss = SoftmaxLoss(inputs, codes, shares, penalty, len(classes))
        return cls(loss, classes, center, scale, basis)

    def model(self, iterate: Iterate) -> LogisticModel:
        """The model at an iterate, its weights in the units of x."""
        theta = iterate.at if len(self.classes) == 2 else iterate.at.reshape(len(self.classes), -1)
        weights, offset = theta[..., :-1] / self.scale, theta[..., -1]
        penalties = iterate.at**2 * np.tile(self.loss.penalty, theta.size // theta.shape[-1])
        return LogisticModel(
            classes=self.classes,
            coef=weights if self.basis is None else weights @ self.basis.T,
            center=self.center,
            offset=float(offset) if offset.ndim == 0 else offset,
            objective=iterate.value,
            log_loss=iterate.value - float(penalties.sum()),
            gradient_norm=iterate.gradient_norm,
            newton_steps=iterate.steps,
            stage="Newton step" if iterate.steps else "no weights",
            caveat="" if iterate.settled or iterate.steps < MOST_STEPS else f"stopped after {MOST_STEPS} Newton steps",
        )

    def start_of(self, model: LogisticModel) -> Array:
        """The parameters of a model of the same classes, in the coordinates of this problem."""
        offset = model.offset + model.coef @ (self.center - model.center)
        coef = model.coef if self.basis is None else model.coef @ self.basis
        return np.concatenate((coef * self.scale, np.asarray(offset)[..., None]), axis=-1).ravel()


def _standardized(X: Array, shares: Array) -> tuple[Array, Array, Array]:
    """Mean (d,) and standard deviation (d,) of the columns of X (n, d), and the columns (d, n) in these units."""
    columns = X.T
    # Dividing by the largest magnitude first keeps the squares from overflowing and from vanishing.
    size = np.abs(columns).max(axis=1)
    size[size < SMALLEST] = 1.0
    inputs = columns / size[:, None]
    mean = inputs @ shares
    inputs -= mean[:, None]
    rest = inputs @ shares
    inputs -= rest[:, None]
    mean += rest
    spread = np.sqrt(inputs**2 @ shares)
    # A constant column, but for rounding, has no say.
    constant = (spread <= 4 * np.finfo(np.float64).eps * np.abs(mean)) | (spread * size < SMALLEST)
    spread[constant] = 1.0
    inputs[constant] = 0.0
    return mean * size, spread * size, inputs / spread[:, None]


@dataclass(frozen=True, eq=False, kw_only=True)
class LogisticModel(Model):
    """Log odds `coef` (d,) . x + `intercept` for two classes; for k classes scores with (k, d) and (k,)."""

    classes: NDArray[Any]
    coef: Array
    center: Array
    """(d,) the place from which `offset` counts."""
    offset: Any
    objective: float
    log_loss: float
    gradient_norm: float
    newton_steps: int
    stage: str
    caveat: str

    field = "decision_function"

    @property
    def intercept(self) -> Any:
        """The offset b: a number for two classes, else (k,)."""
        intercept = self.offset - self.coef @ self.center
        return float(intercept) if self.coef.ndim == 1 else intercept

    def decision_function(self, X: Array) -> Array:
        """Two classes: the log odds (n,) of classes[1]. Several: a score each, (n, k)."""
        return np.asarray((np.asarray(X, dtype=np.float64) - self.center) @ self.coef.T + self.offset)

    def predict_proba(self, X: Array) -> Array:
        """The probability of each class, (n, k)."""
        scores = self.decision_function(X)
        return softmax(np.stack((0 * scores, scores), axis=-1) if scores.ndim == 1 else scores)

    def predict(self, X: Array) -> NDArray[Any]:
        """The likeliest class, (n,)."""
        scores = self.decision_function(X)
        codes = (scores > 0).astype(np.intp) if scores.ndim == 1 else np.argmax(scores, axis=1)
        return np.asarray(self.classes[codes])

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> NDArray[Any]:
        """The scores at the nodes of the grid: (ny, nx), or (ny, nx, k)."""
        coef, offset = np.atleast_2d(self.coef), np.atleast_1d(self.offset)
        across = np.multiply.outer(coef[:, 0], grid.x - self.center[0]) + offset[:, None]
        up = np.multiply.outer(coef[:, 1], grid.y - self.center[1])
        field = across.astype(dtype)[:, None, :] + up.astype(dtype)[:, :, None]
        return np.asarray(field[0] if self.coef.ndim == 1 else np.moveaxis(field, 0, -1))

    def facts(self) -> dict[str, Any]:
        """What stands under the panel."""
        return {
            "|w|": float(np.linalg.norm(self.coef)),
            "log loss": self.log_loss,
            "objective": self.objective,
            "Newton steps": self.newton_steps,
            "gradient norm": self.gradient_norm,
        }

    def explain(self, x: Array) -> Explanation:
        """The probabilities at x (d,), those of three classes at most."""
        proba = self.predict_proba(x[None])[0]
        order = np.argsort(-proba, kind="stable")[:3]
        parts = [f"class {self.classes[code]} with probability {proba[code]:.3g}" for code in order]
        sentence = f"{parts[0]}; {', '.join(parts[1:])}"
        if len(self.classes) == 2:
            sentence += f"; f(x) = {float(self.decision_function(x[None])[0]):.3g}"
        return Explanation(sentence + ".")


class LogisticFollower:
    """Keeps the last weights: from there Newton's method takes one or two steps."""

    def __init__(self) -> None:
        self._last: LogisticModel | None = None

    def update(
        self,
        algorithm: LogisticRegression,
        X: Array,
        y: NDArray[Any] | None,
        sample_weight: Array | None,
        deadline: float,
    ) -> LogisticModel:
        """The exact model, or how far it came at the deadline."""
        last, self._last = self._last, None
        problem = Problem.of(algorithm, X, y, sample_weight)
        start = problem.loss.start()
        if last is not None and np.array_equal(last.classes, problem.classes) and len(last.center) == X.shape[1]:
            warm = problem.start_of(last)
            # What fitted other samples may be far off for these.
            if problem.loss.value(warm)[0] < problem.loss.value(start)[0]:
                start = warm
        for iterate in newton(problem.loss, start):  # noqa: B007
            if time.perf_counter() > deadline:
                break
        self._last = problem.model(iterate)
        return self._last
