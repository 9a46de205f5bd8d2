"""The linear support vector machine by stochastic sub-gradients.

Shalev-Shwartz, Singer, Srebro and Cotter, Pegasos, Mathematical Programming 127 (2011) 3-30.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.base import Code, Traits
from mlviz.algorithms.drawn import LineObjective
from mlviz.algorithms.margin.svm_sgd.descent import DescentModel, DescentProblem, DescentSettings
from mlviz.algorithms.traits import Trial, always
from mlviz.draw.contours import contour, some_lines
from mlviz.draw.inks import RoleInk, Tone
from mlviz.draw.layer import Context, OnNodes, chart, overlay
from mlviz.draw.marks import Lines, Mark, Points
from mlviz.draw.overlays import charts, margins, online, regions
from mlviz.draw.plot import Plot
from mlviz.draw.protocols import HasObjective
from mlviz.numerics.arrays import AnyArray, Array


@overlay("exact boundary", "exact boundary", "the boundary that the steps come near to", parts="probe")
def exact_boundary_overlay(model: DescentModel, context: OnNodes) -> Sequence[Mark]:
    if model.problem.exact is None:
        return ()
    exact = context.nodes.field_of(model.problem.exact, np.float32)
    xy = contour(context.nodes, exact, context.threshold, fine=context.fine)
    return some_lines("exact boundary", xy, "exact boundary")


@chart("objective", "objective")
def objective_and_exact_chart(model: HasObjective, context: Context) -> Plot | None:
    """The objective against the true step; of several models together, against the steps that are shown."""
    if not isinstance(model, DescentModel):
        return charts.objective_chart.draw(model, context)
    values = np.asarray(context.history, dtype=np.float64)
    steps = model.shown(len(values))
    known = np.flatnonzero((steps > 0) & (values > 0))
    if len(known) < 2:
        return None
    marks: list[Mark] = [Lines("curve", np.column_stack((steps, values)).astype(np.float64)[known], label="objective")]
    if model.problem.minimum is not None:
        ends = steps[known[[0, -1]]]
        marks.append(Lines("reference", np.column_stack((ends, [model.problem.minimum] * 2)), label="exact minimum"))
    if context.step in known:
        marks.append(Points("now", np.array([[steps[context.step], values[context.step]]]), label="this step"))
    return Plot("objective", "Objective", "step", "objective", tuple(marks), x_scale="log", y_scale="log")


@dataclass(frozen=True)
class SVMByDescent(DescentSettings):
    """The linear support vector machine, learned from a few samples at a time.

    The linear machine f(x) = w·x + b with the widest street −1 < f < 1 is the minimum of

        λ |w|² + (1/n) Σ max(0, 1 − yᵢ f(xᵢ)),    y = ±1

    which is the machine of C = 1/(2 λ n). Each step t draws a batch of samples at random, with replacement. Those of it
    in the street or beyond, with y f < 1, pull; the others do not:

        w ← w − ηₜ (2 λ w − sum of the pulls y x / batch size),    ηₜ = 1/(2 λ t)
        b ← b + ηᵇₜ (sum of the pulls y / batch size),    ηᵇₜ = the smaller one of ηₜ and 1/√t

    The first steps are huge and wild, the later ones ever smaller: the objective is curved by 2λ along w, which is what
    the step is made for; along b it is flat, and such steps would throw b far away. The iterates keep jumping about the
    minimum, the less the later; their average, in which iterate t has the weight t, is calmer. A step takes no longer
    however many samples there are: it looks at none but its batch. Only the chart looks at all. Inputs are counted
    from their mean, and do best standardized.

    In the picture: thick rings are the samples of the batch, the dashed lines f = ±1. The dotted line "exact boundary"
    is that of the exact solution, computed apart; the chart shows how far above its objective the steps are. Both axes
    of the chart are logarithmic. Play the steps: each of the first 200, then ever longer leaps (with more than 5000
    samples, sooner). The exact solution is left out where there are more than 1000 samples.

    Reference: S. Shalev-Shwartz, Y. Singer, N. Srebro, A. Cotter, Pegasos, 2011, doi:10.1007/s10107-010-0420-4.
    """

    id = "svm-sgd"
    label = "SVM by stochastic descent"
    family = "Margin classifiers"
    tasks = ("classification",)
    main = "lambda_"
    trials = (
        Trial("play the steps: the boundary comes near the exact one", "two-gaussians"),
        Trial("the path without averaging", "two-gaussians", {"average": False}),
    )
    traits = Traits(random=always, order_matters=True, multiclass=False)
    overlays = (
        regions.regions,
        exact_boundary_overlay,
        regions.boundary,
        margins.margin_lines,
        online.weight_arrow,
        online.visited,
        regions.misclassified,
    )
    charts = (objective_and_exact_chart,)
    inks = {"exact boundary": RoleInk(Tone(pale=0.25), width=1.8, dash="dotted")}

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[DescentModel]:
        """Yield the start, the first steps, and later ones in leaps."""
        problem = DescentProblem.of(self, X, y, sample_weight)
        theta, mean = np.zeros(X.shape[1] + 1), np.zeros(X.shape[1] + 1)
        yield problem.model(0, 0, theta, np.empty(0, dtype=np.intp))
        rates, told, shown = np.empty(len(theta)), 0, 1
        w, of_w = theta[:-1], rates[:-1]
        for t, (batch, Z) in enumerate(problem.batches(rng), start=1):
            rate = 1 / (2 * self.lambda_ * t)
            of_w[:], rates[-1] = rate, min(rate, t**-0.5)
            pulling = Z @ theta < 1
            w *= 1 - 1 / t
            if np.count_nonzero(pulling):  # a third of what `any` takes
                theta += rates * (pulling @ Z) / self.batch_size
            mean += 2 / (t + 1) * (theta - mean)
            if t == shown:
                answer = mean if self.average else theta
                yield problem.model(told, t, answer, batch if t < problem.last else batch[:0])
                told, shown = t, problem.next_shown_step(t)

    def line_objective(self) -> LineObjective:
        """That of straight functions."""
        return LineObjective("hinge", l2=self.lambda_)

    def code(self, model: DescentModel) -> Code:
        """SGDClassifier, whose penalty is halved; it draws other samples and starts with smaller steps."""
        averaged = ", average=True" if self.average else ""
        fit = f"SGDClassifier(alpha=2 * {self.lambda_!r}, max_iter={self.max_iter}, tol=None{averaged}, random_state=0)"
        return Code(("from sklearn.linear_model import SGDClassifier",), (fit,))
