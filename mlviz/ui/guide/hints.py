"""The hints: when each applies, and what it says. Each is shown once. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mlviz.interaction.starts import starts_by_hand
from mlviz.scene.change import Change
from mlviz.scene.scene import Panel
from mlviz.scene.values import value_column
from mlviz.studies.values import main_parameter

MANY_ROWS = 5
"""A legend of more rows is worth folding up."""


@dataclass(frozen=True, eq=False)
class Moment:
    """What the hand has changed since the last look, and what is to be seen on the current canvas.

    `moved` names the hyperparameters that were moved by their controls, `explained` says that the place under the
    cursor has an answer, `legend` how many rows the legend has, and whether it covers samples.
    """

    change: Change
    panel: int
    moved: frozenset[str]
    explained: bool
    legend: Callable[[], tuple[int, bool]]

    @property
    def now(self) -> Panel:
        """The current panel."""
        return self.change.new.panels[self.panel]


@dataclass(frozen=True)
class Hint:
    """A sentence in which keys and names of commands stand as {key[undo]} and {name[undo]}, and when it applies."""

    id: str
    words: str
    applies: Callable[[Moment], bool]


def _refitted(moment: Moment) -> bool:
    """Whether points or hyperparameters were moved: where points only came, nothing is to be compared."""
    change = moment.change
    grown = len(change.new.dataset) > len(change.old.dataset)
    if change.count or grown or not len(change.old.dataset):
        return False
    before = change.old.panels[moment.panel].pipeline.algorithm
    return type(before) is type(moment.now.pipeline.algorithm) and change.fit(moment.panel)


def _moved_or_read(moment: Moment) -> bool:
    before, now = moment.change.old.dataset, moment.change.new.dataset
    if before is now or not len(now):
        return False
    read = now.source is None and now.columns != before.columns
    return read or (before.X.shape == now.X.shape and not np.array_equal(before.X, now.X))


def _long_or_in_the_way(moment: Moment) -> bool:
    rows, covers = moment.legend()
    return rows > MANY_ROWS or covers


HINTS = (
    Hint(
        "values",
        "The colour of a point is its value. {key[tool value]}: drag a point up or down. "
        "{key[tool relabel]} paints the value chosen above.",
        lambda moment: value_column(moment.change.new, moment.panel) is not None,
    ),
    Hint(
        "canvases",
        "{key[next panel]} goes to the next canvas. So does a click beside its axes, which adds no point.",
        lambda moment: len(moment.change.new.panels) > 1,
    ),
    Hint(
        "main",
        "{key[more]} and {key[less]} move this hyperparameter too, also in a presentation.",
        lambda moment: main_parameter(moment.now.pipeline.algorithm) in moment.moved,
    ),
    Hint(
        "compare",
        "{key[compare main]} lays this hyperparameter out in six canvases. A right click on any other offers the same.",
        lambda moment: (
            main_parameter(moment.now.pipeline.algorithm) in moment.moved and len(moment.change.new.panels) == 1
        ),
    ),
    Hint(
        "comparison",
        "{key[comparison]} opens a table of the canvases: errors, times and facts, one row per canvas.",
        lambda moment: len(moment.change.new.panels) > 1,
    ),
    Hint(
        "start",
        "Drag a diamond: a centre starts there. The help of the method tells how to add one and how to take one away.",
        lambda moment: starts_by_hand(moment.now),
    ),
    Hint("ghost", "Hold {key[peek]} to see the fit before the last change. {key[ghost]} keeps it in sight.", _refitted),
    Hint(
        "held out",
        "{key[tool hold-out]} is a brush that keeps points out of the fit: they give its test error. "
        "{key[split]} holds out a share of them.",
        _moved_or_read,
    ),
    Hint(
        "legend",
        "Drag the legend to move it. A double click folds it up, {key[legend]} hides it.",
        _long_or_in_the_way,
    ),
    Hint(
        "pin",
        "{key[pin]} pins the reason for the place under the cursor, with its evidence, onto the picture.",
        lambda moment: moment.explained,
    ),
    Hint(
        "slice",
        "{key[tool slice]} is the slice line: draw it across the picture to plot the function along it.",
        lambda moment: moment.explained and any(overlay.id == "slice" for overlay in moment.now.overlays),
    ),
)
"""In the order in which they are shown where several apply."""
