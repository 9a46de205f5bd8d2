"""Logistic regression, by Newton's method or by following the gradient, for two classes and for several."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.base import Code, Follower, Traits, last_until
from mlviz.algorithms.drawn import LineObjective
from mlviz.algorithms.linear.logistic.model import LogisticModel, visited_overlay
from mlviz.algorithms.linear.logistic.problem import STOCHASTIC_SOLVERS, LogisticProblem, LogisticSettings
from mlviz.algorithms.linear_model import ON_THE_WAY_NOTE
from mlviz.algorithms.traits import Trial, where
from mlviz.draw.overlays import charts, loss_surface, probabilities, regions
from mlviz.numerics.arrays import AnyArray, Array


@dataclass(frozen=True)
class LogisticRegression(LogisticSettings):
    """Probabilities of the classes, by a linear function and an S-shaped curve.

    Two classes y = ±1: the log odds are linear, f(x) = w·x + b, so that P(y = +1 | x) = 1 / (1 + exp(−f(x))). The
    weights make the samples' classes as likely as possible, held back by a penalty:

        minimise  (1/n) Σ log(1 + exp(−yᵢ f(xᵢ))) + λ |w|²

    Several classes: class j has its own fⱼ(x) = wⱼ·x + bⱼ, and P(j | x) = exp(fⱼ(x)) / Σₖ exp(fₖ(x)), the softmax:

        minimise  (1/n) Σᵢ −log P(yᵢ | xᵢ) + λ Σⱼ |wⱼ|²

    With two classes the softmax at λ is the first form at λ/2. The L1 penalty λ Σ |wⱼ| in place of the squares sets
    weights to exactly 0: it chooses inputs. Without any penalty the weights of classes that can be separated grow
    without bound.

    There is one minimum; how it is reached is up to the solver. Play the steps to watch it.

    Newton: each step goes to the lowest point of the parabola that touches the objective; a few steps are enough.

    Gradient: each step goes straight downhill, w ← w − η ∇. A fixed η that is too large overshoots, one that is too
    small hardly moves. 1/L is as large as can never overshoot, L being the largest curvature there is. The line search
    tries twice the last step and halves it until the objective falls as much as the slope promises. The bold driver
    makes η 5 % longer after each step that helped; after one that did not it goes back and halves it.

    SGD follows the gradient of one sample drawn at random, mini-batch that of a few. Such steps cost little and go in
    the right direction on average: with a fixed η they end in a dance around the minimum, the wider the larger η.

    Gradients depend on the units of the inputs: with unequal axes, standardizing them makes the way much shorter.

    In the picture: the solid line is where both probabilities are 1/2, the thin ones where that of the class named in
    the legend is 0.1, 0.2, ... 0.9; numbers stand at them where there is room. With several classes the thin lines are
    where the likeliest class has 0.5, 0.6, ... 0.9. The shade is by how much the likeliest class leads. Lines far apart
    mean a cautious answer. A small λ lets the weights grow: the lines move together, and where the classes can be
    separated nothing else stops them. With two classes and two inputs the side plot shows the objective over the two
    weights as lines of equal height, and the path of the steps down to the minimum.

    Reference: Hastie, Tibshirani and Friedman, The Elements of Statistical Learning (2009), section 4.4.
    """

    id = "logistic"
    label = "logistic regression"
    family = "Linear classifiers"
    tasks = ("classification",)
    main = "lambda_"
    trials = (
        Trial("how sure it is, near the line and far from it", "two-gaussians"),
        Trial("probabilities that stay near one half", "two-gaussians", {"lambda_": 1.0}),
    )
    inks = loss_surface.INKS
    traits = Traits(random=where("solver", *STOCHASTIC_SOLVERS), direct_name="softmax")
    overlays = (
        probabilities.regions,
        probabilities.contours,
        regions.boundary,
        regions.misclassified,
        visited_overlay,
    )
    charts = (charts.objective_chart, loss_surface.surface_chart, charts.weights_chart)

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[LogisticModel]:
        """Yield the model without weights and the one after each step."""
        exact = LogisticProblem.of(self, X, y, sample_weight)
        if self.solver == "Newton":
            yield from exact.models(self, exact.solving(), exact)
        else:
            plain = LogisticProblem.of(self, X, y, sample_weight, plain=True)
            yield from plain.models(self, plain.descending(self, rng), exact)

    def line_objective(self) -> LineObjective:
        """That of straight log odds of two classes."""
        l2, l1 = (self.lambda_ * (self.penalty == kind) for kind in ("L2", "L1"))
        return LineObjective("logistic", l2=l2, l1=l1)

    def code(self, model: LogisticModel) -> Code:
        """LogisticRegression, which adds the losses up and multiplies them by C; the minimum, whatever the solver."""
        settings = {
            "L2": f"C=1 / (2 * len(y) * {self.lambda_!r}), max_iter=1000",
            "L1": f'C=1 / (len(y) * {self.lambda_!r}), l1_ratio=1, solver="saga", tol=1e-6, max_iter=10_000',
            "none": "C=np.inf, max_iter=1000",
        }
        fit = f"LogisticRegression({settings[self.penalty]})"
        note = "" if model.iterate.settled else ON_THE_WAY_NOTE
        return Code(("from sklearn.linear_model import LogisticRegression",), (fit,), note=note)

    def follower(self) -> Follower:
        """One that starts from its last solution."""
        return LogisticFollower()


class LogisticFollower:
    """Keeps the last weights: from there Newton's method takes one or two steps. Gradients start anew."""

    _last: LogisticModel | None = None

    def update(
        self,
        algorithm: LogisticRegression,
        X: Array,
        y: AnyArray | None,
        sample_weight: Array | None,
        deadline: float,
    ) -> LogisticModel:
        """The exact model, or how far it came at the deadline."""
        last, self._last = self._last, None
        problem = LogisticProblem.of(algorithm, X, y, sample_weight)
        if algorithm.solver != "Newton":
            plain = LogisticProblem.of(algorithm, X, y, sample_weight, plain=True)
            steps = plain.models(algorithm, plain.descending(algorithm, np.random.default_rng(0)), problem)
            return last_until(deadline, steps)
        start = problem.loss.start()
        if last is not None and np.array_equal(last.classes, problem.classes) and len(last.center) == X.shape[1]:
            warm = problem.start_of(last)
            # What fitted other samples may be far off for these.
            if problem.objective(warm) < problem.objective(start):
                start = warm
        self._last = last_until(deadline, problem.models(algorithm, problem.solving(start), problem))
        return self._last
