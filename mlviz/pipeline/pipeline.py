"""A pipeline: preprocessing, then one algorithm, for several classes where the algorithm knows two only."""
from __future__ import annotations

from dataclasses import dataclass, field
from mlviz.algorithms.base import Algorithm
from mlviz.spec import Declared, choice


@dataclass(frozen=True)
class Pipeline(Declared):
    """Everything between the samples and the model."""

    algorithm: Algorithm = field(kw_only=False)
    preprocessing: str = choice("none", "standardize", help="standardize: every input gets mean 0 and standard deviation 1 before the fit")
    multiclass: str = choice("auto", "direct", "one-vs-rest", "one-vs-one", help="how a method for two classes handles more of them")
