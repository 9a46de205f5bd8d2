"""The fit before the last change, as the canvas had drawn it: what its ghost is made of."""

from __future__ import annotations

from mlviz.draw.marks import Mark
from mlviz.draw.plot import ghost
from mlviz.picture import PanelPicture
from mlviz.scene.change import Change
from mlviz.scene.scene import Scene


class FormerFit:
    """Keeps the ghost of the fit that undo goes back to: a gesture is one change, whatever it passes through."""

    def __init__(self) -> None:
        self._drawn: tuple[Mark, ...] = ()
        self.scene: Scene | None = None
        """The scene that they are of."""
        self._earlier: tuple[tuple[Mark, ...], Scene | None] = (), None

    @property
    def marks(self) -> tuple[Mark, ...]:
        """In the ink of ghosts; none before the first change."""
        return ghost(self._drawn)

    def follow(self, change: Change, picture: PanelPicture | None, going_on: bool) -> None:
        """The picture of before is the former one, unless the change goes on with a gesture or takes one back."""
        if change.taken_back:
            self._drawn, self.scene = self._earlier
        elif picture is not None and not going_on:
            # Components turn with every sample: what stood on the former ones has no place on these.
            turning = picture.components_of and change.samples
            self._earlier = self._drawn, self.scene
            self._drawn, self.scene = () if turning else picture.plot.marks, change.old
