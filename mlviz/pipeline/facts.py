"""The facts that a pipeline tells of any method, and what they mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

from mlviz.algorithms.base import Model
from mlviz.draw.facts import Fact, Level
from mlviz.pipeline.preprocessing import Transform
from mlviz.spec.brief import Brief
from mlviz.spec.sentences import with_capital

Samples = Literal["training", "test"]
"""Which samples a fact is about: those of the fit, or those that were held out."""
_WORDS: dict[Samples, str] = {"training": "training samples", "test": "held-out samples"}


@dataclass(frozen=True)
class PipelineFact(Brief):
    """A fact of the pipeline's own: its name, what it means, its unit, and of what level it is.

    The name may be the beginning of several names that differ in what they are of. In the meaning {samples} stands for
    the samples it is about; of those that were held out it is called `of_test`, or as usual with "test" before it.
    """

    name: str
    help: str
    unit: str = ""
    level: Level = "lesson"
    of_test: str = ""

    def called(self, samples: Samples = "training", of: str = "") -> str:
        """The name of the fact about those samples, and about that one of several things."""
        name = self.name if samples == "training" else self.of_test or f"test {self.name}"
        return f"{name} {of}" if of else name

    def fact(self, value: Any, samples: Samples = "training", beside: float = 0.0) -> Fact:
        """The fact with that value."""
        told = with_capital(self.help.format(samples=_WORDS[samples]))
        return Fact(value, self.unit, told, self.level, beside)

    def told(self, value: Any, samples: Samples = "training", of: str = "") -> dict[str, Fact]:
        """The fact with that value, by its name."""
        return {self.called(samples, of): self.fact(value, samples)}


ERROR = PipelineFact(
    "training error",
    "Share of the {samples} that the model puts into a wrong class.",
    "share",
    of_test="test error",
)
RMSE = PipelineFact(
    "training RMSE",
    "Root of the mean squared residual of the {samples}, in the units of the target.",
    of_test="test RMSE",
)
LOG_LIKELIHOOD = PipelineFact(
    "log-likelihood per sample",
    "The mean log-density of the {samples} under the model, which did not see them if they were held out.",
    level="more",
)
POSITIVE_CLASS = PipelineFact(
    "positive class",
    "The second of the two classes: errors that name it wrongly are the false positives.",
    level="more",
)
FALSE_POSITIVES = PipelineFact(
    "false positives", "{samples} of the first class that are taken for the second, the positive one.", level="more"
)
FALSE_POSITIVE_RATE = PipelineFact(
    "false positive rate", "Share of the {samples} of the first class that are taken for the second.", "share", "more"
)
FALSE_NEGATIVES = PipelineFact(
    "false negatives", "{samples} of the second, positive class that are taken for the first one.", level="more"
)
FALSE_NEGATIVE_RATE = PipelineFact(
    "false negative rate", "Share of the {samples} of the second class that are taken for the first.", "share", "more"
)
WRONG_IN = PipelineFact(
    "wrong in",
    "How many {samples} of this class the model puts into another one.",
    level="more",
    of_test="test errors in",
)
BAYES_THRESHOLD = PipelineFact(
    "Bayes threshold", "Probability of the second class from which on it is the cheaper decision: c_FP/(c_FP + c_FN)."
)
THRESHOLD = PipelineFact("threshold", "The second class is chosen where the method's score is larger than this.")
MEAN_COST = PipelineFact("mean cost", "What the decisions on the {samples} cost, per sample.")
MEAN_COST_OF_PREDICTION = PipelineFact(
    "mean cost of the prediction",
    "What it would cost, per sample of the {samples}, to decide for the prediction itself.",
)
DECIDED_QUANTILE = PipelineFact(
    "decided quantile",
    "The probability with which a new target is below what is decided: c_low/(c_low + c_high), where a unit too low "
    "costs c_low and a unit too high c_high.",
    "share",
)
REJECTED = PipelineFact("share rejected", "Share of the {samples} for which no class is chosen.", "share")
COUNTED_FOR = PipelineFact(
    "errors counted on",
    "Predictions for all {samples} would take too long, so some were drawn at random.",
    of_test="test errors counted on",
)
COSTS_COUNTED_FOR = PipelineFact(
    "costs counted on",
    "Decisions for all {samples} would take too long, so some were drawn at random.",
    of_test="test costs counted on",
)
UNITS = PipelineFact(
    "units",
    "Lengths, angles, weights and densities, with all that is made of them, are those of the inputs as the "
    "preprocessing gives them to the method: not to be compared with those of other units.",
    level="more",
)
SLOPE = PipelineFact(
    "slope along", "How much the function grows while this input grows by 1, in the units of the axes.", level="more"
)
WEIGHT = PipelineFact("weight of", "How much the function grows while this input or feature of inputs grows by 1.")
BINARY_MODELS = PipelineFact(
    "binary models",
    "Number of two-class models that tell the classes apart together; where their numbers differ, the smallest and the "
    "largest one are shown.",
    level="more",
)


@runtime_checkable
class HasVariances(Protocol):
    """It tells variances along components, and what these leave over."""

    def of_all_inputs(self, left_out: float) -> Model:
        """The same, of inputs that have so much variance along further components."""


def facts_of_all_inputs(model: Model, transform: Transform) -> dict[str, Fact]:
    """What the model knows about itself; where it was given the first components, variances are of all their inputs."""
    if transform.components is None or not isinstance(model, HasVariances):
        return model.told_facts()
    rows, deviations = transform.components
    return model.of_all_inputs(float((deviations[len(rows) :] ** 2).sum())).told_facts()
