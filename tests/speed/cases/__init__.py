"""The methods that are measured, one module a family; each names its `CASES`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mlviz.numerics.grid import Grid
from mlviz.pipeline.pipeline import Pipeline

LIMITS = (-4.0, 4.0, -4.0, 4.0)
GRID = Grid.over(LIMITS, 200, 200)
PLACES = GRID.points()
LINE = np.linspace(-4, 4, 400)[:, None]


@dataclass(frozen=True)
class Case:
    """One method with its data, and scikit-learn's way to the same answer: `oracle(X, y)` fits and evaluates."""

    name: str
    pipeline: Pipeline
    oracle: Callable[[Any, Any], Any]
    n_classes: int = 2
    n_inputs: int = 1
    """Of a regression."""
    values: bool | None = None
    """Whether the targets are values; None where the method knows no other task than one."""
    show: Callable[[Any], Any] | None = None
    """What is asked of the model, where that is more than its field."""
    most: int = 2000
    """Of more samples one side takes minutes, or only some of them."""

    @property
    def regresses(self) -> bool:
        """Whether it is measured on values, not on classes."""
        tasks = self.pipeline.algorithm.tasks
        return ("regression" in tasks and "classification" not in tasks) if self.values is None else self.values


def every_case() -> list[Case]:
    """The cases of all modules here, by the names of the modules."""
    modules = [importlib.import_module(module.name) for module in pkgutil.iter_modules(__path__, __name__ + ".")]
    return [case for module in modules for case in module.CASES]
