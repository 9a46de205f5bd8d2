"""The one object that swaps the Scene, remembers the former ones, and tells its listeners."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from mlviz.data.dataset import Dataset
from mlviz.scene.canvas_axes import other_components, seen_anew
from mlviz.scene.scene import Scene

HISTORY_BYTES = 256 * 2**20
"""How many bytes the history may take before it forgets the oldest entries."""
SURE = 100
"""So many steps may take all of that; older ones are kept only while all together take no more than:"""
LONG_MEMORY = 16 * 2**20
ENTRY = 600
"""What an entry, and a data set, take beside their arrays."""


@dataclass(frozen=True)
class _Entry:
    scene: Scene
    what: str
    size: int = 0
    """About how many bytes it keeps alive that no other entry does."""


class Store:
    """The present scene and its history.

    `push` swaps the scene in. Calls with the same merge key, not None, make one history entry: one gesture, one step of
    undo. Limits, step, probe and slice are not undoable (`look` changes them): undo keeps the present view.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._past: list[_Entry] = []
        self._future: list[_Entry] = []
        self._merge: object = None
        self._listeners: list[Callable[[Scene, Scene], None]] = []

    @property
    def scene(self) -> Scene:
        """The present scene."""
        return self._scene

    @property
    def gesturing(self) -> bool:
        """Whether a gesture is under way: pictures asked for now may be drafts."""
        return self._merge is not None

    def listen(self, listener: Callable[[Scene, Scene], None]) -> None:
        """Call `listener(old, new)` after every swap."""
        self._listeners.append(listener)

    def push(self, scene: Scene, what: str, merge: object = None) -> None:
        """Swap in a changed scene; `what` names the change in the undo menu ("add point")."""
        if scene is self._scene:
            return
        if merge is None or merge != self._merge or not self._past:
            self._past.append(_Entry(self._scene, what))
            self._forget()
        self._merge = merge
        self._future.clear()
        self._swap(self._at_its_step(seen_anew(scene, self._scene)))

    def look(self, scene: Scene) -> None:
        """Swap in a scene that differs in limits, step, probe or slice only; nothing is recorded."""
        if scene is not self._scene:
            self._swap(scene)

    def settle(self, merge: object = None) -> None:
        """End the present gesture, or only the one with that merge key: the next push starts an entry of its own.

        Listeners are told, with old = new.
        """
        if self._merge is not None and merge in (None, self._merge):
            self._merge = None
            self._swap(self._scene)

    def cancel(self, merge: object) -> None:
        """Take back the gesture with that merge key, if it is the one under way; redo does not bring it back."""
        if merge is not None and merge == self._merge and self._past:
            entry = self._past.pop()
            self._merge = None
            self._swap(self._seen_as_now(entry.scene))

    def reset(self, scene: Scene) -> None:
        """Swap in a scene from a file; the history starts anew."""
        self._past.clear()
        self._future.clear()
        self._merge = None
        self._swap(scene)

    @property
    def undo_what(self) -> str | None:
        """The name of the change that undo takes back; None when there is none."""
        return self._past[-1].what if self._past else None

    @property
    def redo_what(self) -> str | None:
        """The name of the change that redo makes again; None when there is none."""
        return self._future[-1].what if self._future else None

    def undo(self) -> None:
        """Take back the last change."""
        if self._past:
            entry = self._past.pop()
            self._future.append(_Entry(self._scene, entry.what))
            self._merge = None
            self._swap(self._seen_as_now(entry.scene))

    def redo(self) -> None:
        """Make the change taken back last again."""
        if self._future:
            entry = self._future.pop()
            self._past.append(_Entry(self._scene, entry.what))
            self._merge = None
            self._swap(self._seen_as_now(entry.scene))

    def _at_its_step(self, scene: Scene) -> Scene:
        """After a change of what is fitted an old step of the playback means nothing: the last one is shown again."""
        same = scene.dataset is self._scene.dataset and scene.seed == self._scene.seed
        same = same and [p.pipeline for p in scene.panels] == [p.pipeline for p in self._scene.panels]
        return scene if same or scene.view.step is None else scene.with_view(step=None)

    def _seen_as_now(self, scene: Scene) -> Scene:
        now = self._scene.view
        scene = self._at_its_step(scene.with_view(step=now.step))
        if scene.axes != self._scene.axes or other_components(scene, self._scene):
            return scene  # limits and probe of other axes would show nothing
        view = replace(scene.view, limits=now.limits, equal=now.equal, probe=now.probe, slice=now.slice)
        return scene.replace(view=view)

    def _swap(self, scene: Scene) -> None:
        old, self._scene = self._scene, scene
        for listener in self._listeners:
            listener(old, scene)

    def _forget(self) -> None:
        newest = self._past[-1]
        shared = len(self._past) > 1 and self._past[-2].scene.dataset is newest.scene.dataset
        self._past[-1] = replace(newest, size=ENTRY + (0 if shared else _size(newest.scene.dataset)))
        total = sum(entry.size for entry in self._past)
        while len(self._past) > 1 and (total > HISTORY_BYTES or (total > LONG_MEMORY and len(self._past) > SURE)):
            gone, following = self._past[:2]
            total -= gone.size
            del self._past[0]
            if following.scene.dataset is gone.scene.dataset:
                # What both held is now held by one alone.
                self._past[0] = replace(following, size=gone.size)
                total += gone.size - following.size


def _size(dataset: Dataset) -> int:
    """About how many bytes a data set takes."""
    arrays = (dataset.X, dataset.labels, dataset.held_out, dataset.active)
    return ENTRY + sum(array.nbytes for array in arrays)
