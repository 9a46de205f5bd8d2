"""What a failure is: samples with which methods fail, what there is to be seen, and the method that does better."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from mlviz.algorithms import find
from mlviz.data.dataset import Dataset
from mlviz.draw.numbers import typographic
from mlviz.draw.plot import Limits
from mlviz.draw.tasks import Task
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.weights import UNWEIGHTED
from mlviz.scene import edits
from mlviz.scene.canvas_axes import fitted_limits
from mlviz.scene.scene import MAX_PANELS, Panel, Scene
from mlviz.spec import Parameter


@dataclass(frozen=True, eq=False)
class Setup:
    """A method by its id, hyperparameters in which it is not as at first, and what is done around it."""

    method: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    preprocessing: str = "none"
    balance: str = "none"

    @cached_property
    def pipeline(self) -> Pipeline:
        """The pipeline that is set up so."""
        algorithm = find(self.method)().replace(**self.settings)
        weights = UNWEIGHTED.replace(balance=self.balance)
        return Pipeline(algorithm, preprocessing=self.preprocessing, weights=weights)


SAME = ""
"""In the place of a method: the one that fails, with all that is not set otherwise."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Failure:
    """Samples with which some methods fail.

    `clean` draws those of a seed, and `spoilt` adds to them what they fail on, where it is not in all of them. `look`
    is what to look at: a clause with a place and a reason, without a full stop.
    """

    id: str
    title: str
    look: str
    clean: Callable[[int], Dataset]
    spoilt: Callable[[Dataset], Dataset] | None = None
    breaks: tuple[Setup, ...]
    better: Setup
    task: Task = "classification"
    inputs: tuple[str, ...] | None = None
    """The columns that are read, where these are not the usual ones."""
    equal: bool = True
    """Whether a unit is equally long on both axes."""
    limits: Limits | None = None
    """What is to be seen, where that is not just the samples."""
    seed: int = 0

    def samples(self, seed: int) -> Dataset:
        """The samples of a seed."""
        drawn = self.clean(seed)
        return drawn if self.spoilt is None else self.spoilt(drawn)

    def broken(self, method: str) -> Setup:
        """The method of that id as it fails; the first of those that fail where it does not."""
        return next((setup for setup in self.breaks if setup.method == method), self.breaks[0])

    @cache  # noqa: B019 - failures live as long as the program
    def cure(self, method: str) -> Setup:
        """What does better than the method of that id as it fails."""
        broken, better = self.broken(method), self.better
        if better.method != SAME:
            return better
        return dataclasses.replace(
            broken,
            settings={**broken.settings, **better.settings},
            preprocessing=broken.preprocessing if better.preprocessing == "none" else better.preprocessing,
            balance=broken.balance if better.balance == "none" else better.balance,
        )

    def line(self, method: str) -> str:
        """What to look at where the method of that id fails, and what does better."""
        better = ", ".join(_told(self.broken(method), self.cure(method)))
        return typographic(f"Look at {self.look}. Better: {better}.")


def failing(scene: Scene, index: int, failure: Failure) -> Scene:
    """A scene of one canvas with the samples of a failure, and the method of panel `index` where it fails on them.

    Where it does not, the first that does. What was asked of the panel goes on, and the methods that were left in it
    are still remembered.
    """
    before = scene.panels[index].pipeline.algorithm.id
    broken = failure.broken(before)
    scene = edits.with_method(scene.replace(panels=(scene.panels[index],)), 0, broken.method)
    scene = edits.with_dataset(scene, failure.samples(failure.seed), failure.task)
    panel = dataclasses.replace(_panel(scene, failure, broken), studies=scene.panels[0].studies)
    scene = scene.with_panel(0, panel).with_view(equal=failure.equal)
    return scene.with_view(limits=failure.limits or fitted_limits(scene))


def beside(scene: Scene, index: int, failure: Failure, method: str) -> Scene:
    """The scene with what does better than the method of that id in a canvas after panel `index`.

    The same scene where it stands in one already. Where there is no room for one more, it takes the last one.
    """
    panel = _panel(scene, failure, failure.cure(method))
    if any(other.pipeline == panel.pipeline for other in scene.panels):
        return scene
    kept = scene.panels[: MAX_PANELS - 1]
    return scene.replace(panels=(*kept[: index + 1], panel, *kept[index + 1 :]))


def _panel(scene: Scene, failure: Failure, setup: Setup) -> Panel:
    """A panel that is set up so, with what the first one remembers of other methods."""
    algorithm = setup.pipeline.algorithm
    remembered = tuple(left for left in scene.panels[0].remembered if left.id != algorithm.id)
    target = scene.dataset.columns[-1] if failure.task == "regression" else None
    return Panel(setup.pipeline, failure.inputs, target, remembered=remembered)


def _told(broken: Setup, cure: Setup) -> Iterator[str]:
    """What does better, in words: the method, and how it is set up; of the same method, what is set otherwise."""
    algorithm, former = find(cure.method), broken.settings if cure.method == broken.method else {}
    yield algorithm.label
    for name, value in cure.settings.items():
        if name not in former or former[name] != value:
            yield _said(algorithm.parameter(name), value)
    if cure.preprocessing != broken.preprocessing:
        yield "standardized inputs" if cure.preprocessing == "standardize" else cure.preprocessing
    if cure.balance != broken.balance:
        yield f"{cure.balance} class weights"


def _said(parameter: Parameter, value: Any) -> str:
    """A hyperparameter with a value, in words."""
    if isinstance(value, bool):
        return parameter.label if value else f"not {parameter.label}"
    told = f"{value:g}" if isinstance(value, (int, float)) else parameter.shown(value)
    return f"{parameter.label} = {told}"
