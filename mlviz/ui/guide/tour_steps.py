"""The tour: its steps, what each asks to be done, and how it is seen that it was done. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mlviz.scene.change import Change
from mlviz.scene.scene import Scene
from mlviz.scene.values import value_column

SWITCHES = ("ghost", "present")
"""The commands of which it matters whether they are on."""
RUNS = ("export", "copy picture")
"""The commands of which it matters that they were run."""


@dataclass(frozen=True, eq=False)
class Moment:
    """The window at one moment: the scene, its current canvas, whether a place is pinned, which switches are on.

    `ran` names those of `RUNS` that were run since the moment before.
    """

    scene: Scene
    panel: int
    pinned: bool
    on: frozenset[str]
    ran: frozenset[str]


@dataclass(frozen=True)
class Task:
    """One thing to do; `where` names what is outlined, `done` tells from two moments whether it happened between them.

    Keys and names of commands stand as {key[undo]} and {name[undo]} in the words.
    """

    words: str
    where: str
    done: Callable[[Moment, Moment], bool]


@dataclass(frozen=True)
class Step:
    """A step of the tour: what it is about, in a sentence or two, and what to do."""

    title: str
    words: str
    tasks: tuple[Task, ...]


def _kinds(now: Moment) -> int:
    """How many classes there are, or values where points have these."""
    data, name = now.scene.dataset, value_column(now.scene, now.panel)
    return len(np.unique(data.labels if name is None else data.X[:, data.column(name)]))


def _method_changed(before: Moment, now: Moment) -> bool:
    return _recipes(before) != _recipes(now) and len(_recipes(before)) == len(_recipes(now))


def _recipes(moment: Moment) -> list[str]:
    return [panel.pipeline.algorithm.id for panel in moment.scene.panels]


def _hyperparameter_moved(before: Moment, now: Moment) -> bool:
    settings = [[panel.pipeline.algorithm for panel in moment.scene.panels] for moment in (before, now)]
    return _recipes(before) == _recipes(now) and settings[0] != settings[1]


def _went_elsewhere(before: Moment, now: Moment) -> bool:
    change = Change(before.scene, now.scene)
    return before.panel != now.panel and not (change.count or change.samples)


STEPS = (
    Step(
        "Points",
        "A method learns from points, and learns anew with each one. There is nothing to start: it follows the hand.",
        (
            Task("Click on the canvas to add a few points.", "canvas", lambda before, now: _kinds(now) > 0),
            Task(
                "Add some of another class, or value, by a right click.", "canvas", lambda before, now: _kinds(now) > 1
            ),
        ),
    ),
    Step(
        "A method and its hyperparameters",
        "The points stay while the method changes. Most methods have a main hyperparameter, which has keys of its own: "
        "{key[more]} raises it and {key[less]} lowers it.",
        (
            Task("Choose another method.", "method", _method_changed),
            Task("Move a slider, or press {key[more]} and {key[less]}.", "main hyperparameter", _hyperparameter_moved),
        ),
    ),
    Step(
        "Why here, and what was before",
        "Point at any place: the line at the bottom says what the method answers there, and why.",
        (
            Task(
                "Press {key[pin]} to pin the reason to the place under the cursor.",
                "place",
                lambda before, now: now.pinned,
            ),
            Task(
                "Drag a point, then hold {key[peek]}: the fit before the last change shines through.",
                "canvas",
                lambda before, now: "ghost" in now.on,
            ),
        ),
    ),
    Step(
        "Two methods side by side",
        "A second canvas shows the same points with a method of its own. The panel on the right belongs to the canvas "
        "with the whole blue frame; dashes show what to do next.",
        (
            Task(
                "{name[add panel]}: {key[add panel]}, or its button.",
                "command add panel",
                lambda before, now: len(now.scene.panels) > 1,
            ),
            Task(
                "Choose the other canvas by {key[next panel]}, or by a click beside its axes: neither adds a point.",
                "next canvas",
                _went_elsewhere,
            ),
        ),
    ),
    Step(
        "Show it, and take it home",
        "Methods that learn in steps, such as the perceptron and k-means, have a playback below the canvas.",
        (
            Task(
                "Play the steps: {key[play]}.",
                "playback",
                lambda before, now: before.scene.view.step != now.scene.view.step,
            ),
            Task(
                "Present: {key[present]} shows the canvas alone; once more, and the panels are back.",
                "command present",
                lambda before, now: "present" in now.on,
            ),
            Task(
                "Copy the picture ({key[copy picture]}), or write it into a file ({key[export]}).",
                "command export",
                lambda before, now: bool(now.ran),
            ),
        ),
    ),
)
