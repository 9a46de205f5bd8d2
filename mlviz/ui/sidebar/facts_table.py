"""The numbers under the panel: what the model found."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from mlviz.draw.numbers import MINUS, number, signed
from mlviz.picture.fact_texts import meaning


class FactsTable(QWidget):
    """Name and value, one a line; the values can be selected and copied."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Facts")
        self._layout = QGridLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setVerticalSpacing(2)
        self._layout.setColumnStretch(1, 1)
        self._lines: list[tuple[QLabel, QLabel]] = []
        self.show_facts({})

    def show_facts(self, facts: dict[str, Any], help: Iterable[tuple[str, str]] = ()) -> None:
        """Show the facts; labels are kept and rewritten, so that following a drag stays cheap.

        `help` says what those mean that only the present method has.
        """
        shown = [(name, spoken(value, name)) for name, value in facts.items()] or [("", "nothing fitted yet")]
        while len(self._lines) < len(shown):
            self._add_line()
        for row, (name, value) in enumerate(self._lines):
            visible = row < len(shown)
            name.setVisible(visible)
            value.setVisible(visible)
            if visible:
                name.setText(shown[row][0])
                value.setText(shown[row][1])
                value.setAccessibleName(shown[row][0])
                sentence = meaning(shown[row][0], help)
                for label in (name, value):
                    label.setToolTip(sentence)
                    label.setAccessibleDescription(sentence)

    def text(self) -> str:
        """What is shown, one fact a line."""
        return "\n".join(f"{name.text()}\t{value.text()}" for name, value in self._lines if not name.isHidden())

    def _add_line(self) -> None:
        name, value = QLabel(), QLabel()
        value.setWordWrap(True)
        value.setAlignment(Qt.AlignmentFlag.AlignRight)
        value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        value.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._layout.addWidget(name, len(self._lines), 0)
        self._layout.addWidget(value, len(self._lines), 1)
        self._lines.append((name, value))


SHARES = (
    "training error",
    "false positive rate",
    "false negative rate",
    "share rejected",
    "leave-one-out bound",
    "leave-one-out error",
)
"""Facts that are told in per cent."""


def spoken(value: Any, name: str = "") -> str:
    """A fact as a person reads it: four significant digits, yes and no, an error as the caption has it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        if not math.isfinite(value):
            return {math.inf: "∞", -math.inf: f"{MINUS}∞"}.get(value, "–")
        return f"{100 * value:.3g} %" if name in SHARES else number(value)
    if isinstance(value, (tuple, list)):
        return ", ".join(spoken(part) for part in value)
    if name in SHARES:  # "0.05 to 0.6", of several binary models
        return " to ".join(spoken(float(share), name) for share in str(value).split(" to "))
    return signed(str(value))
