"""Decisions for values: what is decided under asymmetric costs, and what is told of a predictive distribution."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mlviz.draw.layer import Explanation
from mlviz.draw.numbers import cleared, interval_ends, number, numbers_apart, share
from mlviz.draw.overlays.bands import costs_in_words
from mlviz.draw.protocols import HasPredictive
from mlviz.numerics.arrays import Array
from mlviz.numerics.asymmetric_cost import AsymmetricCost
from mlviz.numerics.quantiles import half_width


def decided(model: HasPredictive, X: Array, cost: AsymmetricCost, predicted: Array | None = None) -> Array:
    """What is decided for at places (n, d), where that is `predicted`; not finite where nothing is known."""
    middle = model.predict(X) if predicted is None else predicted
    return cost.best(middle, model.predict_std(X)[1], model.degrees_of_freedom)


def caveat(model: HasPredictive) -> str:
    """Why the least cost of a decision can't be told; "" where it can."""
    if model.degrees_of_freedom <= 1:
        return "with one degree of freedom all decisions have infinite expected costs; the quantile is drawn"
    return ""


def sentence(
    model: HasPredictive, place: Array, level: float, cost: AsymmetricCost | None, size: float
) -> tuple[str, str]:
    """What is predicted at a place (d,), and between what a new target is there with what is decided, "" for nothing.

    Beside targets of that size what rounding leaves is nothing.
    """
    nu, middle = model.degrees_of_freedom, float(model.predict(place[None])[0])
    deviation = cleared(float(model.predict_std(place[None])[1][0]), size)
    opening = f"prediction {number(middle, 4, size)}."
    if not np.isfinite(deviation):
        return opening, ""
    half = half_width(level, nu) * deviation
    low, high = interval_ends(middle - half, middle + half, size)
    if not deviation:
        return opening, f"A new target is {number(middle, 4, size)}, as far as the samples tell."
    if cost is None:
        return opening, f"With probability {share(level)} a new target is between {low} and {high}."
    a = float(cost.best(np.array([middle]), np.array([deviation]), nu)[0])
    best, _ = numbers_apart(a, middle, beside=size)
    # In few words, as both have to find room below the canvas.
    told = f"{share(level)} band of a new target: {low} to {high}. Where {costs_in_words(cost)}, {best} is decided for"
    if nu <= 1:
        return opening, f"{told}, the {share(cost.share)} quantile."
    least, usual = (deviation * cost.expected(np.array([cost.shift(nu), 0.0]), nu)).tolist()
    least, usual = numbers_apart(least, usual)
    return opening, f"{told}: its expected cost is {least}, the prediction's {usual}."


def followed(told: Explanation | None, opening: str, words: str) -> Explanation | None:
    """What the method says of a place, or else this opening, then these words, "" for none."""
    if not words:
        return told
    said = told or Explanation(opening)
    return replace(said, sentence=f"{said.sentence} {words}")
