"""What the two axes are where they are principal components."""

from __future__ import annotations

from dataclasses import dataclass

from mlviz.numerics.arrays import Array
from mlviz.spec.brief import Brief


@dataclass(frozen=True, eq=False)
class Components(Brief):
    """The principal components that the two axes are, and all the others."""

    inputs: tuple[str, ...]
    """The d inputs that they are made of."""
    rows: Array
    """(2, d) the weights of the inputs in the two components that are seen, each of length 1."""
    deviations: Array
    """(d,) the standard deviation of the scores along every component, largest first."""
