"""The layers of a panel: which of the method's overlays are drawn."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QWidget

from mlviz.draw.layer import Overlay, Task
from mlviz.scene.scene import Panel


class OverlayList(QWidget):
    """A box to tick for each overlay of the method."""

    switched = Signal(str, bool)

    def __init__(self) -> None:
        super().__init__()
        self._overlays: tuple[Overlay, ...] = ()
        self._shown: tuple[Panel, Task, int] | None = None
        self.boxes: dict[str, QCheckBox] = {}
        self._layout = QFormLayout(self, verticalSpacing=2)
        self._layout.setContentsMargins(0, 0, 0, 0)

    def show_layers(self, panel: Panel, task: Task, before: QWidget, classes: int = 2) -> None:
        """Show which overlays of the panel's method are on, of those that draw something in its task.

        Those that have nothing to draw just now, with so many classes, can't be switched.

        Tab comes here from `before`.
        """
        if (panel, task, classes) == self._shown:
            return
        self._shown = panel, task, classes
        overlays = tuple(overlay for overlay in panel.overlays if task in overlay.tasks)
        if overlays != self._overlays:
            self._overlays = overlays
            while self._layout.rowCount():
                self._layout.removeRow(0)
            self.boxes = {}
            for overlay in overlays:
                box = QCheckBox(overlay.label)
                box.toggled.connect(lambda on, name=overlay.id: self.switched.emit(name, on))
                self.boxes[overlay.id] = box
                self._layout.addRow(box)
                QWidget.setTabOrder(before, box)
                before = box
        for overlay, box in zip(self._overlays, self.boxes.values(), strict=True):
            idle = overlay.idle(panel.pipeline.algorithm, classes)
            box.setEnabled(not idle)
            box.setToolTip(idle or overlay.help or overlay.label)
            box.setAccessibleDescription(idle or overlay.help)
            with QSignalBlocker(box):
                box.setChecked(not panel.hides(overlay.id))
