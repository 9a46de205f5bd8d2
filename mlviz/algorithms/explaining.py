"""Why a model says what it says: a sum in words, and a prediction as an explanation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mlviz.draw.layer import Explanation
from mlviz.draw.marks import Points
from mlviz.draw.numbers import linear_sum
from mlviz.numerics.arrays import Array

_TERMS_TOLD = 4
"""Of more terms of a sum, only the largest are told."""


def told_sum(
    value: float,
    offset: float,
    coef: Array,
    inputs: Array,
    name: Callable[[int], str],
    digits: int = 3,
    beside: float = 1.0,
) -> str:
    """A value as its offset and the largest terms of coef (p,) times inputs (p,), called by their index, in words.

    Scores are told beside 1, other values beside the size of their targets.
    """
    terms = coef * inputs
    largest = sorted(np.argsort(-np.abs(terms), kind="stable")[:_TERMS_TOLD].tolist())
    rest = " + smaller terms" if (np.delete(terms, largest) != 0).any() else ""
    given = [(float(coef[j]), float(inputs[j]), name(j)) for j in largest]
    return linear_sum(value, offset, given, rest, digits, beside)


def explained_value(sentence: str, x: Array, value: float) -> Explanation:
    """Why a value is predicted at the place x (d,), which with one input is a point of the curve."""
    marks = (Points("now", np.array([[x[0], value]])),) if len(x) == 1 else ()
    return Explanation(sentence, marks, measured=True)
