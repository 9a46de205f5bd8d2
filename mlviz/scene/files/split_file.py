"""The masks of a scene file, and the recipe by which samples were held out."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlviz.numerics.arrays import Mask
from mlviz.scene.files import checks
from mlviz.scene.splits import ColumnSplit, RandomSplit, Recipe, SecondSample

_KEYS = {
    "random": ("share", "seed", "stratified"),
    "column": ("column", "value"),
    "second sample": ("seed",),
}
"""What is told of each way to hold samples out."""


def rows_from_json(value: Any, where: str, n: int) -> Mask:
    """The mask (n,) of a list of rows."""
    mask = np.zeros(n, dtype=bool)
    rows = [checks.whole(row, f"{where}[{i}]", n) for i, row in enumerate(checks.items(value, where, n))]
    mask[np.array(rows, dtype=np.intp)] = True
    return mask


def recipe_json(recipe: Recipe) -> dict[str, Any]:
    """The recipe as plain values, ready for JSON."""
    how = recipe.how
    match how:
        case RandomSplit():
            found: dict[str, Any] = {"way": "random", **how.to_json()}
        case ColumnSplit():
            found = {"way": "column", "column": how.column, "value": how.value}
        case SecondSample():
            found = {"way": "second sample", "seed": how.seed}
    return {**found, "exchanged": recipe.exchanged}


def recipe_from_json(value: Any) -> Recipe:
    """The recipe that plain values describe; raises `BadScene` naming the place that is wrong."""
    way = checks.one_of(checks.entries(value, "split").get("way"), "split.way", _KEYS)
    fields = checks.entries(value, "split", ("way", *_KEYS[way], "exchanged"))
    exchanged = checks.flag(fields.get("exchanged", False), "split.exchanged")
    match way:
        case "random":
            own = {name: fields[name] for name in _KEYS[way] if name in fields}
            return Recipe(checks.declared(RandomSplit, own, "split"), exchanged)
        case "column":
            value = fields.get("value")
            read = checks.text if isinstance(value, str) else checks.real
            return Recipe(
                ColumnSplit(checks.text(fields.get("column"), "split.column"), read(value, "split.value")), exchanged
            )
    return Recipe(SecondSample(checks.whole(fields.get("seed", 0), "split.seed", checks.MAX_SEED)), exchanged)
