"""The options that say what classes and errors cost, and what is decided by a model."""

from __future__ import annotations

import argparse
from typing import Any

from mlviz.pipeline.decisions import Decision
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.weights import Weights
from mlviz.spec import BadValue
from mlviz.spec.outside import told

DECISION_OPTIONS: dict[str, dict[str, Any]] = {
    "balance": {
        "metavar": "HOW",
        "help": "how rare classes are helped in the fit: none, balanced, subsample or upsample",
    },
    "class-weight": {
        "metavar": "W,W",
        "help": "what a sample of the first, second ... class counts in the fit",
    },
    "threshold": {"metavar": "SCORE", "help": "predict the second of two classes where the score is larger"},
    "costs": {
        "metavar": "FP,FN",
        "help": "what a false positive and a false negative cost: the class of lower expected cost is predicted",
    },
    "reject-cost": {"metavar": "COST", "help": "what it costs to choose no class (with --costs)"},
    "level": {
        "metavar": "SHARE",
        "help": "the probability with which a band holds the function, or a new target (default: 0.95)",
    },
    "value-costs": {
        "metavar": "LOW,HIGH",
        "help": "what it costs, per unit, to decide for too low and too high a value: the cheapest on average is drawn",
    },
}


def deciding(pipeline: Pipeline, options: argparse.Namespace) -> tuple[Weights, Decision]:
    """Weights and decision as the options say; raises `BadValue`."""
    weights, decision = pipeline.weights, pipeline.decision
    for first, second in (("balance", "class-weight"), ("threshold", "costs"), ("threshold", "reject-cost")):
        if None not in (getattr(options, first), getattr(options, second.replace("-", "_"))):
            raise BadValue(f"--{first} and --{second} say different things: leave one out")
    if options.balance is not None:
        weights = weights.replace(balance=options.balance)
    if options.class_weight is not None:
        given = Weights.parameter("class_weight").parse(options.class_weight)
        weights = weights.replace(balance="by hand", class_weight=given)
    if options.threshold is not None:
        decision = decision.replace(
            rule="threshold", threshold=Decision.parameter("threshold").parse(options.threshold)
        )
    if options.costs is not None:
        decision = decision.replace(rule="costs", **_pair("costs", options.costs, ("cost_fp", "cost_fn")))
    if options.reject_cost is not None:
        if decision.rule != "costs":
            raise BadValue("--reject-cost goes with --costs")
        cost = Decision.parameter("reject_cost").parse(options.reject_cost)
        decision = decision.replace(reject=True, reject_cost=cost)
    if options.level is not None:
        decision = decision.replace(level=Decision.parameter("level").parse(options.level))
    if options.value_costs is not None:
        given = _pair("value-costs", options.value_costs, ("cost_below", "cost_above"))
        decision = decision.replace(asymmetric=True, **given)
    return weights, decision


def _pair(option: str, text: str, names: tuple[str, str]) -> dict[str, Any]:
    costs = text.split(",")
    if len(costs) != 2:
        raise BadValue(f"--{option} {told(text)}: two numbers separated by a comma are needed")
    return {name: Decision.parameter(name).parse(cost) for name, cost in zip(names, costs, strict=True)}
