"""What differs between two scenes: asked of one value, so that every part of the program gets the same answer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.scene.canvas_axes import axes_of
from mlviz.scene.scene import Scene
from mlviz.scene.trace import fit_key


@dataclass(frozen=True, eq=False)
class Change:
    """The swap of one scene for another. The end of a gesture swaps a scene for itself: then nothing differs."""

    old: Scene
    new: Scene
    taken_back: bool = False
    """Whether it takes back a gesture that was under way, as if that had never been."""
    recalled: bool = False
    """Whether undo or redo brings the scene: that changes nothing else, such as the tool in the hand."""

    @property
    def none(self) -> bool:
        """Whether nothing differs: the hand has come to rest."""
        return self.old is self.new

    @property
    def samples(self) -> bool:
        """Whether the data set is another one."""
        return self.old.dataset is not self.new.dataset

    @property
    def colours(self) -> bool:
        """Whether a class has another colour."""
        return self.old.colours != self.new.colours

    @cached_property
    def classes(self) -> bool:
        """Whether the samples of a class are others in number or order, or a class has another name or colour."""
        before, now = self.old.dataset, self.new.dataset
        alike = not self.samples or (np.array_equal(before.labels, now.labels) and before.names() == now.names())
        return self.colours or not alike

    @property
    def split(self) -> bool:
        """Whether other samples are held out or switched on, or there are others in number."""
        before, now = self.old.dataset, self.new.dataset
        return self.samples and not (
            np.array_equal(before.held_out, now.held_out) and np.array_equal(before.active, now.active)
        )

    @property
    def pictures(self) -> bool:
        """Whether the worker may have something else to draw: it knows nothing of colours."""
        return self.samples or self.panels or self.view or self.attempts or self.old.seed != self.new.seed

    @property
    def hiding(self) -> bool:
        """Whether the answer is hidden from now on, or no longer."""
        return self.old.hides_answer != self.new.hides_answer

    @property
    def attempts(self) -> bool:
        """Whether other answers have been drawn by hand, or the method's own is hidden or shown."""
        old, new = self.old, self.new
        return old.attempts != new.attempts or old.hides_answer != new.hides_answer

    @property
    def notes(self) -> bool:
        """Whether other words or pen strokes are to be seen over the pictures."""
        return self.old.notes is not self.new.notes or self.old.strokes is not self.new.strokes

    @property
    def axes(self) -> bool:
        """Whether other columns are shown, or there are others to show."""
        return self.old.axes != self.new.axes or self.old.dataset.columns != self.new.dataset.columns

    def turned(self, index: int) -> bool:
        """Whether the canvas of that panel has other axes: other columns, or components of other inputs."""
        return axes_of(self.old, index).key != axes_of(self.new, index).key

    @property
    def view(self) -> bool:
        """Whether something else is looked at: another part of the plane, another step, place or line."""
        return self.old.view is not self.new.view and self.old.view != self.new.view

    @cached_property
    def panels(self) -> bool:
        """Whether a panel came, went, or is set otherwise."""
        return self.old.panels is not self.new.panels and self.old.panels != self.new.panels

    @property
    def seed(self) -> bool:
        """Whether random numbers come from another seed."""
        return self.old.seed != self.new.seed

    @property
    def count(self) -> bool:
        """Whether there are more panels, or fewer."""
        return len(self.old.panels) != len(self.new.panels)

    def fit(self, index: int) -> bool:
        """Whether that panel fits something else: its fit key differs, or only one of the scenes has it."""
        before, now = index < len(self.old.panels), index < len(self.new.panels)
        if not (before and now):
            return before or now
        same = self.old.panels[index] is self.new.panels[index] and not self.samples
        if same and self.old.seed == self.new.seed and self.old.view.axes == self.new.view.axes:
            return False
        return fit_key(self.old, index) != fit_key(self.new, index)

    @cached_property
    def fits(self) -> bool:
        """Whether any panel fits something else."""
        return self.count or any(self.fit(index) for index in range(len(self.new.panels)))

    def answer(self, index: int) -> bool:
        """Whether that panel may say something else about a place: another fit, or another decision on the same one."""
        return self.fit(index) or (
            index < len(self.new.panels)
            and self.old.panels[index].pipeline.decision != self.new.panels[index].pipeline.decision
        )

    @cached_property
    def rows(self) -> bool:
        """Whether samples may have other rows than before: not where some were only added, moved or relabelled."""
        if not self.samples:
            return False
        before, now = self.old.dataset, self.new.dataset
        n = len(before)
        return not (np.array_equal(before.labels, now.labels[:n]) or np.array_equal(before.X, now.X[:n]))
