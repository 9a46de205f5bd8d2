"""The numbers under the panel: what the model found."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from mlviz.picture.fact_texts import format_fact, meaning


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
        self._shown: list[tuple[str, str]] = []
        self._told: tuple[dict[str, Any], tuple[tuple[str, str], ...]] | None = None
        self.show_facts({})

    def show_facts(self, facts: dict[str, Any], help: tuple[tuple[str, str], ...] = ()) -> None:
        """Show the facts; labels are kept and rewritten, so that following a drag stays cheap.

        `help` says what those mean that only the present method has.
        """
        if self._told == (facts, help):
            return
        self._told = facts, help
        shown = [(name, format_fact(value, name)) for name, value in facts.items()] or [("", "nothing fitted yet")]
        while len(self._lines) < len(shown):
            self._add_line()
        former = [*self._shown, *[("", "")] * (len(self._lines) - len(self._shown))]
        self._shown = shown
        for row, (name, value) in enumerate(self._lines):
            visible = row < len(shown)
            name.setVisible(visible)
            value.setVisible(visible)
            if not visible:
                continue
            value.setText(shown[row][1])
            if shown[row][0] != former[row][0]:
                name.setText(shown[row][0])
                value.setAccessibleName(shown[row][0])
            sentence = meaning(shown[row][0], help)
            if sentence != name.toolTip():
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
