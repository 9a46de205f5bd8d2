"""What the facts mean that a pipeline tells of any method."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from mlviz.algorithms.base import Model
from mlviz.draw.facts import Fact, Level
from mlviz.pipeline.preprocessing import Transform

_MEANINGS = {
    "training error": "Share of the training samples that the model puts into a wrong class.",
    "positive class": "The second of the two classes: errors that name it wrongly are the false positives.",
    "false positives": "Samples of the first class that are taken for the second, the positive one.",
    "false positive rate": "Share of the first class that is taken for the second.",
    "false negatives": "Samples of the second, positive class that are taken for the first one.",
    "false negative rate": "Share of the second class that is taken for the first.",
    "wrong in": "Training samples of this class that the model puts into another one.",
    "Bayes threshold": "Probability of the second class from which on it is the cheaper decision: c_FP/(c_FP + c_FN).",
    "threshold": "The second class is chosen where the method's score is larger than this.",
    "mean cost": "What the decisions on the training samples cost, per sample.",
    "share rejected": "Share of the training samples for which no class is chosen.",
    "training RMSE": "Root of the mean squared residual of the training samples, in the units of the target.",
    "errors counted for": "Predictions for all samples would take too long, so some were drawn at random.",
    "units": "Lengths, angles, weights and densities, with all that is made of them, are those of the inputs as the "
    "preprocessing gives them to the method: not to be compared with those of other units.",
    "slope along": "How much the function grows while this input grows by 1, in the units of the axes.",
    "weight of": "How much the function grows while this input or feature of inputs grows by 1.",
    "binary models": (
        "Number of two-class models that tell the classes apart together; where their numbers differ, "
        "the smallest and the largest one are shown."
    ),
}
"""What the facts of these names mean, and those whose names begin so."""
_MORE = ("positive class", "false ", "wrong in", "units", "slope along", "binary models")
"""The facts that begin so are not of those that matter most."""
_SHARES = ("training error", "false positive rate", "false negative rate", "share rejected")


def pipeline_fact(name: str, value: Any) -> Fact:
    """A fact of the pipeline's own."""
    for kind, meaning in _MEANINGS.items():
        if f"{name} ".startswith(f"{kind} "):
            level: Level = "more" if name.startswith(_MORE) else "lesson"
            return Fact(value, "share" if name in _SHARES else "", meaning, level)
    raise KeyError(name)


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
