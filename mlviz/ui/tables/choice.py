"""What is chosen of a table, and what stands on the canvas while it is chosen."""

from __future__ import annotations

from dataclasses import dataclass

from mlviz.data.dataset import Dataset
from mlviz.data.tables.appending import Axes
from mlviz.data.tables.reading import AS_FOUND, Format


@dataclass(frozen=True)
class TableChoice:
    """What was chosen of a table, so that the question can be asked again."""

    format: Format = AS_FOUND
    kept: tuple[str, ...] | None = None
    axes: Axes | None = None
    classes: str | None = None
    """None is a guess, "" none."""


@dataclass(frozen=True, eq=False)
class CurrentData:
    """The points on the canvas, to which others can be appended; those without a class go into class `code`."""

    dataset: Dataset
    axes: Axes
    code: int = 0
