"""What the facts mean, in a sentence each. No Qt."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from mlviz.draw.numbers import MINUS, format_number, typographic_minus

SHARED_FACTS: tuple[tuple[str, str], ...] = (
    ("training error", "Share of the training samples that the model puts into a wrong class."),
    ("positive class", "The second of the two classes: errors that name it wrongly are the false positives."),
    ("false positives", "Samples of the first class that are taken for the second, the positive one."),
    ("false positive rate", "Share of the first class that is taken for the second."),
    ("false negatives", "Samples of the second, positive class that are taken for the first one."),
    ("false negative rate", "Share of the second class that is taken for the first."),
    ("wrong in", "Training samples of this class that the model puts into another one."),
    (
        "Bayes threshold",
        "Probability of the second class from which on it is the cheaper decision: c_FP/(c_FP + c_FN).",
    ),
    ("threshold", "The second class is chosen where the method's score is larger than this."),
    ("mean cost", "What the decisions on the training samples cost, per sample."),
    ("share rejected", "Share of the training samples for which no class is chosen."),
    ("training RMSE", "Root of the mean squared residual of the training samples, in the units of the target."),
    ("errors counted for", "Predictions for all samples would take too long, so some were drawn at random."),
    ("units", "Lengths, angles and weights are those of the inputs as the preprocessing gives them to the method."),
    ("slope along", "How much the function grows while this input grows by 1, in the units of the axes."),
    (
        "binary models",
        "Number of two-class models that tell the classes apart together; where their numbers differ, the smallest and "
        "the largest one are shown.",
    ),
    ("fitted on", "There are more samples than can be answered for in time, so some were drawn at random."),
    ("R²", "Share of the target's variance that the model explains: 1 is perfect, 0 no better than the mean."),
    ("|w|", "Length of the weight vector, without the offset: the shorter it is, the calmer the function."),
    ("offset", "What is added to the weighted terms: the value of the function where all of them are 0."),
    (
        "lambda",
        "Regularization strength where the objective is the mean loss plus λ|w|², n being the samples of a model.",
    ),
    ("gamma", "The kernel's width in the other convention in use: exp(−γ|x − x'|²) with γ = 1/(2σ²)."),
    (
        "condition number",
        "How many times larger than the errors of the data those of the weights can be; above about 1e8 the weights "
        "mean little.",
    ),
    ("gradient norm", "Length of the objective's gradient at the solution; at the exact minimum it is 0."),
    ("iterations", "Steps of the solver until nothing changed any more."),
)
"""The facts that several methods have; a method explains its own in `fact_help`."""


@lru_cache(maxsize=512)
def meaning(fact: str, own: tuple[tuple[str, str], ...] = ()) -> str:
    """What a fact means, by the method's own words first; "" where nobody says.

    A word also explains the facts that begin with it: "variance" those called "variance 1", "variance 2" ...
    """
    for words in (own, SHARED_FACTS):
        known = [(word, sentence) for word, sentence in words if fact == word or fact.startswith(f"{word} ")]
        if known:
            return max(known, key=lambda pair: len(pair[0]))[1]
    return ""


FACTS_IN_PERCENT = (
    "training error",
    "false positive rate",
    "false negative rate",
    "share rejected",
    "leave-one-out bound",
    "leave-one-out error",
)
"""Facts that are told in per cent."""


def format_fact(value: Any, name: str = "") -> str:
    """A fact as a person reads it: four significant digits, yes and no, an error as the caption has it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        if not math.isfinite(value):
            return {math.inf: "∞", -math.inf: f"{MINUS}∞"}.get(value, "–")
        return f"{100 * value:.3g} %" if name in FACTS_IN_PERCENT else format_number(value)
    if isinstance(value, (tuple, list)):
        return ", ".join(format_fact(part) for part in value)
    if name in FACTS_IN_PERCENT:  # "0.05 to 0.6", of several binary models
        return " to ".join(format_fact(float(share), name) for share in str(value).split(" to "))
    return typographic_minus(str(value))
