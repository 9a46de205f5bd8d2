"""What decisions come to: which class is taken for which, how often, and what that costs."""

from __future__ import annotations

import numpy as np

from mlviz.draw.facts import Fact
from mlviz.draw.layer import UNNAMED, Names
from mlviz.numerics.arrays import AnyArray, Array, Mask
from mlviz.pipeline.decisions.decision import Decision
from mlviz.pipeline.facts import (
    FALSE_NEGATIVE_RATE,
    FALSE_NEGATIVES,
    FALSE_POSITIVE_RATE,
    FALSE_POSITIVES,
    MEAN_COST,
    REJECTED,
    WRONG_IN,
    Samples,
)


def outcomes(
    decision: Decision,
    decided: AnyArray,
    y: AnyArray,
    classes: AnyArray,
    weights: Array | None,
    samples: Samples = "training",
) -> dict[str, Fact]:
    """How often either class is taken for the other, weights (n,) counting as copies, and what that costs."""
    counts = np.ones(len(y)) if weights is None else weights
    negative, positive = classes
    false_positives = float(counts[(y == negative) & (decided == positive)].sum())
    false_negatives = float(counts[(y == positive) & (decided == negative)].sum())
    rejected = float(counts[(decided != negative) & (decided != positive)].sum())
    found: dict[str, Fact] = {}
    for number_of, rate, count, c in (
        (FALSE_POSITIVES, FALSE_POSITIVE_RATE, false_positives, negative),
        (FALSE_NEGATIVES, FALSE_NEGATIVE_RATE, false_negatives, positive),
    ):
        found |= number_of.told(_count(count), samples)
        if total := float(counts[y == c].sum()):
            found |= rate.told(count / total, samples)
    if decision.rule == "costs":
        bill = decision.cost_fp * false_positives + decision.cost_fn * false_negatives + decision.reject_cost * rejected
        found |= MEAN_COST.told(bill / float(counts.sum()), samples)
        if decision.reject:
            found |= REJECTED.told(rejected / float(counts.sum()), samples)
    return found


def wrong_of_each(
    wrong: Mask,
    y: AnyArray,
    classes: AnyArray,
    weights: Array | None,
    names: Names = UNNAMED,
    samples: Samples = "training",
) -> dict[str, Fact]:
    """How many samples of each of the classes are among the `wrong` ones (n,), weights (n,) counting as copies."""
    counts = np.ones(len(y)) if weights is None else weights
    found: dict[str, Fact] = {}
    for c in classes.tolist():
        mine, taken = float(counts[y == c].sum()), float(counts[(y == c) & wrong].sum())
        found |= WRONG_IN.told(f"{_count(taken):g} of {_count(mine):g}", samples, names.of_class(c))
    return found


def _count(weight: float) -> int | float:
    return int(weight) if weight.is_integer() else weight
