"""What a preprocessing is: a declared way to learn a transform of the inputs from the samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mlviz.numerics.arrays import Array
from mlviz.pipeline.preprocessing.transforms import Transform
from mlviz.spec import Declared


@dataclass(frozen=True)
class Preprocessing(Declared):
    """Base of every preprocessing. Its file is named after its id."""

    id: ClassVar[str]
    label: ClassVar[str]
    """Another word for the id, which files and the command line take as well."""
    help: ClassVar[str] = ""
    """What it does, in words that follow "id: "."""
    rank: ClassVar[int] = 10
    """Where it stands in the list: small numbers first, equal ones by their ids."""
    aligned: ClassVar[bool] = True
    """Whether each of the model's inputs is one of the user's, in another unit."""
    projects: ClassVar[bool] = False
    """Whether the canvas shows what it makes of the inputs, in place of two columns. By default all columns are then
    inputs."""
    sklearn: ClassVar[tuple[str, str] | None] = None
    """The line that imports scikit-learn's counterpart, and the expression that makes one; None where there is none."""

    def learn(self, X: Array, sample_weight: Array | None = None) -> Transform:
        """The transform learned from the rows of X (n, d), finite, with weights (n,) above 0; never raises.

        Where samples say nothing (a constant column, a single sample), nothing is made of them.
        """
        raise NotImplementedError
