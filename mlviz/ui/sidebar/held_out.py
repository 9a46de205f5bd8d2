"""Which samples are held out at random: share, seed, and whether it is stratified, set while the fit follows."""

from __future__ import annotations

from typing import Any

from mlviz.scene.history import Store
from mlviz.scene.splits import RandomSplit, Recipe
from mlviz.scene.splits.edits import split_by, told_split
from mlviz.ui.controls.collapsible_form import CollapsibleForm
from mlviz.ui.widgets.burst import Burst

_USUAL_SHARE = 0.3
"""What a new split holds out where nothing is held out so far."""


class HeldOutForm(CollapsibleForm):
    """Shows how many samples are held out, and splits them anew while a slider moves."""

    def __init__(self, store: Store, burst: Burst) -> None:
        tip = "Hold samples out: no method learns from them, and the test error is counted on them."
        super().__init__("Training and test", tip, closed=True)
        self._store, self._burst = store, burst
        self._split = RandomSplit()
        self.form.moved.connect(self._set)
        self.form.released.connect(burst.settle)

    def show_samples(self) -> None:
        """Show what is held out of the present samples."""
        data = self._store.scene.dataset
        recipe = self._store.scene.split
        if recipe is not None and isinstance(recipe.how, RandomSplit):
            self._split = recipe.how
        self._split = self._split.as_now(data)
        held_out, n = int(data.test.sum()), int(data.active.sum())
        told = told_split(self._store.scene)
        self.show_values(
            self._split, n, (), f"{held_out:,} of {n:,} held out" if held_out else "", told and f"Held out: {told}."
        )

    def split_again(self) -> None:
        """Hold out other samples: the next seed."""
        self._split = self._split.replace(share=self._split.share or _USUAL_SHARE, seed=self.next_seed())
        self._store.push(split_by(self._store.scene, Recipe(self._split)), "new split")

    def next_seed(self) -> int:
        """Go to another seed, and return it."""
        self._split = self._split.replace(seed=(self._split.seed + 1) % 2**31)
        return self._split.seed

    def unfold(self) -> None:
        """Open it, and give it the keyboard."""
        self.open()
        self.form.rows["share"].control.setFocus()

    def _set(self, name: str, value: Any) -> None:
        self._split = self._split.replace(**{name: value})
        if self._split.share or name == "share":
            scene, key = split_by(self._store.scene, Recipe(self._split)), self._burst.key("split", self.form.held)
            self._store.push(scene, "split the points", key)
        else:
            self.show_samples()
