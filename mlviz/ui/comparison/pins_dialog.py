"""The pins of a canvas: their names, to be changed, and which of them stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from mlviz.scene.scene import Pin
from mlviz.spec.outside import readable_name
from mlviz.ui.widgets.parts import accept_or_cancel, lay_out, named, plain_label

_WHAT = "Pins without a tick are removed. F2 or a double click changes a name; an empty one is told by what differs."


class PinsDialog(QDialog):
    """One line a pin: a tick for those that stay, and the name."""

    def __init__(self, pins: Sequence[Pin], names: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent)
        self._pins, self._names = tuple(pins), tuple(names)
        self.setWindowTitle("Pins")
        head = plain_label(_WHAT, wordWrap=True)
        self.list = named(QListWidget(), "Pins", _WHAT)
        for name in names:
            item = QListWidgetItem(name, self.list)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked)
        self.list.setCurrentRow(0)
        buttons = accept_or_cancel(self, tip="Keep those with a tick, under these names.")
        lay_out(QVBoxLayout(self), head, self.list, buttons, margins=None)
        self.list.setFocus()

    def pins(self) -> tuple[Pin, ...]:
        """The pins that stay, with their names."""
        kept = []
        for k, (pin, name) in enumerate(zip(self._pins, self._names, strict=True)):
            item = self.list.item(k)
            if item.checkState() == Qt.CheckState.Checked:
                typed = readable_name(item.text())
                kept.append(pin if typed == name else replace(pin, name=typed))
        return tuple(kept)
