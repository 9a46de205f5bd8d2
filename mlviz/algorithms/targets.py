"""Classes as numbers to compute with, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlviz.algorithms.base import CannotFit, ScoreModel
from mlviz.numerics.arrays import AnyArray, Array, Labels
from mlviz.numerics.grid import Grid


def several_classes(y: AnyArray) -> tuple[AnyArray, Labels]:
    """The classes (k,), sorted, and which of them each sample has, (n,); raises `CannotFit` where they are one."""
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        raise CannotFit("All samples are of one class: add samples of a second class.")
    return classes, codes


def two_classes(label: str, y: AnyArray) -> tuple[AnyArray, Array]:
    """The classes (2,), sorted, and -1 or +1 for each sample, (n,); raises `CannotFit`."""
    classes, codes = several_classes(y)
    if len(classes) > 2:
        raise CannotFit(
            f"The {label} tells two classes apart and there are {len(classes)}: "
            "in a pipeline, one-vs-one or one-vs-rest makes it several."
        )
    return classes, np.where(codes == 1, 1.0, -1.0)


def stratified(signs: Array, total: int, rng: np.random.Generator) -> Labels:
    """About so many of the samples with signs (n,), in their order: of either class its share, drawn at random."""
    chosen = [
        rng.choice(of_class, max(1, round(len(of_class) * total / len(signs))), replace=False)
        for of_class in (np.flatnonzero(signs < 0), np.flatnonzero(signs > 0))
    ]
    return np.sort(np.concatenate(chosen))


def encode_targets(codes: AnyArray, k: int) -> Array:
    """The targets of class codes (n,): (1, n) of -1 and 1 for two classes, (k, n) of 0 and 1 for more."""
    if k == 2:
        return np.where(codes, 1.0, -1.0)[None]
    return np.asarray((codes == np.arange(k)[:, None]).astype(np.float64))


def decode_targets(scores: Array) -> Labels:
    """Which class codes (n,) predictions (1, n) or (k, n) of such targets stand for; of equal ones the first."""
    return np.asarray((scores[0] > 0).astype(np.intp) if len(scores) == 1 else np.argmax(scores, axis=0))


class FunctionsOfClasses(ScoreModel):
    """A function for such targets: on -1 and 1 for two classes, else one per class on 0 and 1."""

    functions: tuple[Any, ...]

    @property
    def cost(self) -> int:  # type: ignore[override]
        """That of all functions."""
        return sum(part.cost for part in self.functions)

    @property
    def caveat(self) -> str:  # type: ignore[override]
        """The first thing that must be told of a function."""
        return next((part.caveat for part in self.functions if part.caveat), "")

    @property
    def objective(self) -> float:  # type: ignore[override]
        """The sum of the functions' objectives."""
        return float(sum(part.objective for part in self.functions))

    def decision_function(self, X: Array) -> Array:
        """Two classes: the signed score (n,), positive for classes[1]. Several: a score each, (n, k)."""
        return self._joined([part.predict(X) for part in self.functions])

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray:
        """The scores at every node, (ny, nx) or (ny, nx, k)."""
        return self._joined([part.on_grid(grid, dtype) for part in self.functions])

    def _joined(self, scores: list[AnyArray]) -> AnyArray:
        return scores[0] if len(scores) == 1 else np.stack(scores, axis=-1)
