"""The one object that swaps the Scene, remembers the former ones, and tells its listeners."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from mlviz.data.dataset import Dataset
from mlviz.draw.plot import Limits
from mlviz.scene.canvas_axes import other_components, seen_anew
from mlviz.scene.change import Change
from mlviz.scene.scene import Scene

HISTORY_BYTES = 256 * 2**20
"""How many bytes the history may take before it forgets the oldest entries."""
SURE_STEPS = 100
"""The number of steps that may take all of that."""
LONG_MEMORY_BYTES = 16 * 2**20
"""How many bytes all entries together may take where there are more steps than that."""
_ENTRY = 600
"""What an entry, and a data set, take beside their arrays."""


@dataclass(frozen=True)
class _Entry:
    scene: Scene
    what: str
    size: int = 0
    """About how many bytes it keeps alive that no other entry does."""
    reframed: bool = False
    """Whether the change chose another part to be seen: it goes, and comes back, with its samples."""


class Store:
    """The present scene and its history.

    `push` swaps the scene in. Calls with the same merge key, not None, make one history entry: one gesture, one step of
    undo. Limits, step, probe and slice are not undoable (`look` changes them): undo keeps the present view, but where
    what it takes back had brought one of its own. Nor is it whether the answer is
    hidden: taking back one line too many must not show it.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        """The present scene; `push` and `look` swap it."""
        self._past: list[_Entry] = []
        self._future: list[_Entry] = []
        self._merge: object = None
        self.going_on = False
        """Whether the gesture under way has made a second change: more will follow soon, so drafts of them will do."""
        self._listeners: list[Callable[[Change], None]] = []
        self._untold: deque[Change] = deque()

    @property
    def gesturing(self) -> bool:
        """Whether a gesture is under way."""
        return self._merge is not None

    def under_way(self, merge: object) -> bool:
        """Whether the gesture with that merge key is the one under way."""
        return merge is not None and merge == self._merge

    def listen(self, listener: Callable[[Change], None]) -> None:
        """Call `listener(change)` after every swap; a swap by a listener is told of when all have heard of this one."""
        self._listeners.append(listener)

    def push(self, scene: Scene, what: str, merge: object = None) -> None:
        """Swap in a changed scene; `what` names the change in the undo menu ("add point")."""
        if scene is self.scene:
            return
        self.going_on = merge is not None and merge == self._merge and bool(self._past)
        if not self.going_on:
            self._past.append(_Entry(self.scene, what))
            self._forget()
        self._merge = merge
        self._future.clear()
        if _frame(scene) != _frame(self.scene):
            self._past[-1] = replace(self._past[-1], reframed=True)
        self._swap(self._at_its_step(seen_anew(scene, self.scene)))

    def look(self, scene: Scene) -> None:
        """Swap in a scene that differs in limits, step, probe or slice, or hides the answer; nothing is recorded."""
        if scene is not self.scene:
            self._swap(scene)

    def settle(self, merge: object = None) -> None:
        """End the present gesture, or only the one with that merge key: the next push starts an entry of its own.

        Listeners hear of a change of nothing.
        """
        if self._merge is not None and merge in (None, self._merge):
            self._end_gesture()
            self._swap(self.scene)

    def cancel(self, merge: object) -> None:
        """Take back the gesture with that merge key, if it is the one under way; redo does not bring it back."""
        if self.under_way(merge) and self._past:
            entry = self._past.pop()
            self._end_gesture()
            self._swap(self._seen_as_now(entry), taken_back=True)

    def reset(self, scene: Scene) -> None:
        """Swap in a scene from a file; the history starts anew."""
        self._past.clear()
        self._future.clear()
        self._end_gesture()
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
        self._go(self._past, self._future)

    def redo(self) -> None:
        """Make the change taken back last again."""
        self._go(self._future, self._past)

    def _go(self, there: list[_Entry], back: list[_Entry]) -> None:
        """Swap in the newest scene of one list; the present one becomes the newest of the other."""
        if there:
            entry = there.pop()
            back.append(_Entry(self.scene, entry.what, reframed=entry.reframed))
            self._end_gesture()
            self._swap(self._seen_as_now(entry), recalled=True)

    def _at_its_step(self, scene: Scene) -> Scene:
        """After a change of what is fitted an old step of the playback means nothing: the last one is shown again."""
        if scene.view.step is None or not Change(self.scene, scene).fits:
            return scene
        return scene.with_view(step=None)

    def _seen_as_now(self, entry: _Entry) -> Scene:
        now = self.scene.view
        scene = entry.scene.replace(hides_answer=self.scene.hides_answer)
        scene = self._at_its_step(scene.with_view(step=now.step))
        if entry.reframed or scene.axes != self.scene.axes or other_components(scene, self.scene):
            return scene  # limits and probe of other axes, or of samples elsewhere, would show nothing
        return scene.with_view(limits=now.limits, equal=now.equal, probe=now.probe, slice=now.slice)

    def _end_gesture(self) -> None:
        self._merge, self.going_on = None, False

    def _swap(self, scene: Scene, **how: bool) -> None:
        self._untold.append(Change(self.scene, scene, **how))
        self.scene = scene
        if len(self._untold) > 1:
            return  # a listener has swapped: the others are still hearing of the change before
        try:
            while self._untold:
                for listener in self._listeners:
                    listener(self._untold[0])
                self._untold.popleft()
        finally:
            self._untold.clear()

    def _forget(self) -> None:
        newest = self._past[-1]
        shared = len(self._past) > 1 and self._past[-2].scene.dataset is newest.scene.dataset
        self._past[-1] = replace(newest, size=_ENTRY + (0 if shared else _size(newest.scene.dataset)))
        total = sum(entry.size for entry in self._past)
        while len(self._past) > 1 and (
            total > HISTORY_BYTES or (total > LONG_MEMORY_BYTES and len(self._past) > SURE_STEPS)
        ):
            gone, following = self._past[:2]
            total -= gone.size
            del self._past[0]
            if following.scene.dataset is gone.scene.dataset:
                # What both held is now held by one alone.
                self._past[0] = replace(following, size=gone.size)
                total += gone.size - following.size


def _frame(scene: Scene) -> tuple[Limits, bool]:
    """What is to be seen of the axes."""
    return scene.view.limits, scene.view.equal


def _size(dataset: Dataset) -> int:
    """About how many bytes a data set takes."""
    return _ENTRY + sum(array.nbytes for array in (dataset.X, dataset.labels, dataset.held_out, dataset.active))
