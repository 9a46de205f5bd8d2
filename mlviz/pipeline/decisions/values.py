"""Decisions for values: what is decided under asymmetric costs, and what is told of a predictive distribution."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mlviz.draw.layer import Explanation
from mlviz.draw.numbers import number, numbers_apart, share
from mlviz.draw.protocols import HasPredictive
from mlviz.numerics.arrays import Array
from mlviz.numerics.asymmetric_cost import AsymmetricCost
from mlviz.numerics.quantiles import half_width


def decided(
    model: HasPredictive, X: Array, cost: AsymmetricCost, predicted: NDArray[np.float64] | None = None
) -> Array:
    """What is decided for at places (n, d), where that is `predicted`; not finite where nothing is known."""
    middle = model.predict(X) if predicted is None else predicted
    return cost.best(middle, model.predict_std(X)[1], model.degrees_of_freedom)


def caveat(model: HasPredictive) -> str:
    """Why no decision, or no least cost of it, can be told; "" where both can."""
    if model.degrees_of_freedom <= 0:
        return "too few samples for a predictive distribution, so no decision under costs is drawn"
    if model.degrees_of_freedom <= 1:
        return "with one degree of freedom all decisions have infinite expected costs; drawn is the quantile"
    return ""


def sentence(model: HasPredictive, place: Array, level: float, cost: AsymmetricCost | None) -> str:
    """Between what a new target is at a place (d,), and what is decided there; "" where nothing is known."""
    nu, middle = model.degrees_of_freedom, float(model.predict(place[None])[0])
    deviation = float(model.predict_std(place[None])[1][0])
    if nu <= 0 or not np.isfinite(deviation):
        return ""
    half = half_width(level, nu) * deviation
    low, high = numbers_apart(middle - half, middle + half, beside=abs(middle))
    told = f"With probability {share(level)} a new target is between {low} and {high}."
    if cost is None:
        return told
    a = float(cost.best(np.array([middle]), np.array([deviation]), nu)[0])
    best, predicted = numbers_apart(a, middle, beside=abs(middle))
    told += f" At costs {number(cost.below)} : {number(cost.above)} of too low : too high, {best} is decided for"
    if nu <= 1:
        return f"{told}, the {share(cost.share)} quantile."
    least, usual = (deviation * cost.expected(np.array([cost.shift(nu), 0.0]), nu)).tolist()
    least, usual = numbers_apart(least, usual)
    return f"{told}: its expected cost is {least}, that of the prediction {predicted} is {usual}."


def followed(told: Explanation | None, words: str) -> Explanation | None:
    """What the method says of a place, then these words, "" for none."""
    if not words:
        return told
    return Explanation(words) if told is None else replace(told, sentence=f"{told.sentence} {words}")
