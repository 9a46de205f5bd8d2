"""A hyperparameter played over the scale of its slider, up and down again, until somebody stops it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from mlviz.algorithms.base import CannotFit
from mlviz.picture import PanelPicture
from mlviz.scene import edits
from mlviz.scene.change import Change
from mlviz.scene.history import Store
from mlviz.spec.sentences import sentence
from mlviz.studies.values import NUMBERS, Tried, parameter_of

VALUES = 41
"""So many values of a slider are shown on the way from one end to the other; of whole numbers as many as there are."""


class Animation(QObject):
    """Moves one hyperparameter as a hand at its slider would; the whole run is one step of undo.

    The next value comes when its time has come and the picture of the one before is there: frames never pile up.
    Whatever else changes the scene stops it.
    """

    def __init__(
        self, store: Store, interval_ms: Callable[[], int], newest: Callable[[], int], parent: QObject | None = None
    ) -> None:
        """`interval_ms` is the time from value to value, `newest` the id of the newest request for pictures."""
        super().__init__(parent)
        self._store, self._interval_ms, self._newest = store, interval_ms, newest
        self._key: object = None
        """The merge key of the run; None while nothing runs."""
        self._axis: Tried | None = None
        self._panel, self._at, self._way = 0, 0, 1
        self._awaited: int | None = None
        """The request that the picture of the present value answers; None once that is there."""
        self._pushing = False
        self._clock = QTimer(self, singleShot=True)
        self._clock.timeout.connect(self._go_on)
        store.listen(self._changed)

    @property
    def running(self) -> bool:
        """Whether it runs."""
        return self._key is not None

    def start(self, panel: int, name: str = "") -> str:
        """Play the hyperparameter of that name, or the main one, from where it is.

        Returns what is to be said: what is played, or why nothing can be.
        """
        self.stop()
        pipeline = self._store.scene.panels[panel].pipeline
        try:
            axis = Tried.over(parameter_of(pipeline.algorithm, name, NUMBERS), VALUES)
        except CannotFit as error:
            return str(error)
        last = len(axis.values) - 1
        self._panel, self._axis, self._key, self._awaited = panel, axis, object(), None
        self._at = axis.nearest(pipeline)
        self._way = -1 if self._at == last else 1
        self._go_on()
        return sentence(f"{axis.parameter.label} goes up and down; Escape or Space stops it where it is")

    def stop(self) -> bool:
        """Stop where it is; whether it ran."""
        key, self._key = self._key, None
        self._clock.stop()
        if key is not None:
            self._store.settle(key)
        return key is not None

    def show_picture(self, picture: PanelPicture) -> None:
        """The picture of a canvas has come."""
        if self._awaited is not None and picture.panel == self._panel and picture.request >= self._awaited:
            self._awaited = None
            if self.running and not self._clock.isActive():
                self._go_on()

    def _go_on(self) -> None:
        """Show the next value, if the picture of this one is there; at an end it turns."""
        axis = self._axis
        if axis is None or not self.running or self._awaited is not None:
            return
        last = len(axis.values) - 1
        self._way = 1 if self._at == 0 else -1 if self._at == last else self._way
        self._at = min(max(self._at + self._way, 0), last)
        self._clock.start(self._interval_ms())
        changed = edits.with_value(self._store.scene, self._panel, axis.path, axis.values[self._at])
        before = self._newest()
        self._pushing = True
        self._store.push(changed, f"animate {axis.parameter.label}", self._key)
        self._pushing = False
        self._awaited = self._newest() if self._newest() > before else None

    def _changed(self, change: Change) -> None:
        if self.running and not (self._pushing or self._store.under_way(self._key)):
            self._key = None
            self._clock.stop()
