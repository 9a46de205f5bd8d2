"""How a method tells the lines with which scikit-learn gives the same answer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array


@dataclass(frozen=True)
class Code:
    """How scikit-learn is asked for the same answer: lines to import, and the steps of its pipeline as expressions.

    In them ``y`` and ``X`` are the samples; `before` are lines that the expressions need. `result` is the attribute of
    the fitted last step to look at, where there is no training error.
    """

    imports: tuple[str, ...]
    steps: tuple[str, ...]
    before: tuple[str, ...] = ()
    result: str = ""


def format_array(values: Array) -> str:
    """An array as Python writes nested lists, with ten digits a number."""
    rounded = [float(f"{value:.10g}") for value in values.ravel().tolist()]
    return str(np.array(rounded).reshape(values.shape).tolist())
